"""Every example in the README is run; what it shows is what comes out."""

from __future__ import annotations

import re

import pytest

from .documents import PROJECT, blocks, run_examples


def test_examples_run(tmp_path):
    run_examples(PROJECT / "README.md", tmp_path)


def test_the_readme_shows_what_the_demo_prints(riskrank):
    shown = next(code for language, code in blocks(PROJECT / "README.md") if language == "text")
    assert shown == "$ riskrank demo evaluate\n" + riskrank("demo", "evaluate").out


def test_the_readme_shows_what_the_sweep_in_the_demo_prints(riskrank, tmp_path):
    """Trees differ a little from processor to processor; so may the numbers, but not what they say."""
    shown = [code for language, code in blocks(PROJECT / "README.md") if language == "text"][1]
    printed = riskrank("demo", "sweep").out
    tables = [text.split("\n\n")[:3] for text in (shown, printed)]
    number = r"[+−]?\d+(?:\.\d+)?"
    one, other = (re.sub(number, "0", re.sub(" +", " ", "\n".join(table))) for table in tables)
    assert one == other
    effectiveness, again = (re.findall(r"0\.\d{4}", table[2]) for table in tables)
    assert [float(value) for value in again] == pytest.approx([float(value) for value in effectiveness], abs=0.02)
    assert "Operating point: URisk" in printed
    assert "With a confidence of 90% its expected loss is at most 0.015" in printed
    assert (tmp_path / "riskrank-demo" / "sweep" / "report.html").stat().st_size > 100_000
    assert riskrank("demo", "nothing").status == 2


def test_the_readme_shows_what_the_clicks_in_the_demo_print(riskrank, tmp_path, monkeypatch):
    """A smaller log will do: the numbers are others, the table and the words are the same."""
    monkeypatch.setattr("riskrank.cli.commands.demo.PAGES", 4000)
    shown = [code for language, code in blocks(PROJECT / "README.md") if language == "text"][2]
    printed = riskrank("demo", "clicks").out
    assert printed.startswith("Learning from clicks on 4,000 synthetic result pages")
    tables = [text.split("\n\n")[2].splitlines() for text in (shown, printed)]
    assert tables[0][0].split() == tables[1][0].split()
    assert [line.split("  ")[0] for line in tables[0]] == [line.split("  ")[0] for line in tables[1]]
    assert printed.endswith("Report: riskrank-demo/clicks/report.html\n")
    assert shown.endswith("Report: riskrank-demo/clicks/report.html\n")
    assert (tmp_path / "riskrank-demo" / "clicks" / "report.html").stat().st_size > 100_000
