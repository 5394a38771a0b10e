"""Every example in the README and the docs is run; what they show is what comes out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from riskrank.data.example import save_example

PROJECT = Path(__file__).parent.parent
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]


RUN = """
import sys
for code in sys.argv[1:]:
    exec(compile(code, "example", "exec"), {"__name__": "__main__"})
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page, tmp_path):
    save_example(tmp_path / "example")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    together = [code for language, code in blocks(page) if language == "python"]
    for language, code in blocks(page):
        if language == "sh" and not code.startswith("make"):
            # A gate that fails exits 1, which is not an error of the example.
            command = ["sh", "-c", code]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert done.returncode in (0, 1), done.stderr
            assert done.stderr == ""
    # Each by itself, but in one process: most of a short one's time is its start.
    command = [sys.executable, "-W", "error", "-c", RUN, *together]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_objective_is_documented():
    from riskrank.objectives import OBJECTIVES

    text = (PROJECT / "docs" / "training.md").read_text()
    assert all(f"`{objective.__name__}" in text for objective in OBJECTIVES.values())


def test_every_measure_is_documented():
    from riskrank.measures import MEASURES

    text = (PROJECT / "docs" / "measures.md").read_text()
    assert all(f"`{name}" in text for name in MEASURES)
