"""Every example in the README is run; what it shows is what comes out."""

from __future__ import annotations

import re

import pytest

from .documents import PROJECT, blocks, run_examples, without_numbers


def test_examples_run(tmp_path):
    run_examples(PROJECT / "README.md", tmp_path)


def shown(place):
    return [code for language, code in blocks(PROJECT / "README.md") if language == "text"][place]


def gains_of(table):
    return [float(gain.replace("−", "-")) for gain in re.findall(r"[+−]0\.\d{4}", table)]


def test_the_readme_shows_what_the_demo_prints(riskrank):
    assert shown(0) == "$ riskrank demo\n" + riskrank("demo").out


def test_the_readme_shows_what_the_sweep_in_the_demo_prints(riskrank, tmp_path):
    printed = riskrank("demo", "sweep").out
    tables = [text.split("\n\n")[3] for text in (shown(1), printed)]
    assert without_numbers(tables[0]) == without_numbers(tables[1])
    assert gains_of(tables[1]) == pytest.approx(gains_of(tables[0]), abs=0.003)
    assert re.search(
        r"^Use α = 10 on \d+% of queries, drawn at random: it gains \+0\.\d{4} nDCG@10 over$",
        printed,
        flags=re.MULTILINE,
    )
    assert "its mean loss stays within 0.015 with 90% confidence." in printed.replace("\n", " ")
    assert max(map(len, printed.splitlines())) <= 79
    page = (tmp_path / "riskrank-demo" / "sweep" / "report.html").read_text(encoding="utf-8")
    assert "LambdaMART with URisk" in page
    assert "sweep.guarantee(0.015).ranker()" in page


def test_the_readme_shows_what_the_clicks_in_the_demo_print(riskrank, tmp_path):
    printed = riskrank("demo", "clicks").out
    assert printed.split("\n\n")[0] == shown(2).split("\n\n")[0]
    tables = [text.split("\n\n")[3] for text in (shown(2), printed)]
    first, again = (table.splitlines() for table in tables)
    assert first[0].split() == again[0].split()
    assert [line.split("  ")[0] for line in first] == [line.split("  ")[0] for line in again]
    assert gains_of(tables[1]) == pytest.approx(gains_of(tables[0]), abs=0.001)
    for text in (printed, shown(2)):
        assert text.endswith("riskrank-demo/clicks/report.html  the curve and all models\n")
        assert max(map(len, text.splitlines())) <= 79
    page = (tmp_path / "riskrank-demo" / "clicks" / "report.html").read_text(encoding="utf-8")
    assert "<title>Learning from clicks: MAP, " in page
