"""Every example in the docs is run, links lead somewhere, nothing is left undocumented."""

from __future__ import annotations

import re

import pytest

from .documents import PAGES, PROJECT, blocks, run_examples


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_examples_run(page, tmp_path):
    run_examples(page, tmp_path)


@pytest.mark.parametrize(
    "page", [*PAGES, PROJECT / "ARCHITECTURE.md", PROJECT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_docs_show_what_a_gate_prints(riskrank, example):
    options = ("--max-risk", 0.01, "--max-loss", 0.3, "--max-hurt", 0.3)
    done = riskrank("gate", "example/qrels.txt", "example/neural.run", "-b", "example/bm25.run", *options)
    assert ("text", done.out) in blocks(PROJECT / "docs" / "gate.md")


def test_every_objective_is_documented():
    from riskrank.objectives import OBJECTIVES

    text = (PROJECT / "docs" / "training.md").read_text()
    assert all(f"`{objective.__name__}" in text for objective in OBJECTIVES.values())


def test_every_log_layout_is_documented():
    from riskrank.clicks.logs.log_files import LAYOUTS

    text = (PROJECT / "docs" / "clicks.md").read_text()
    assert all(f"| `{name}`" in text for name in LAYOUTS)


def test_every_measure_is_documented():
    from riskrank.measures import MEASURES

    text = (PROJECT / "docs" / "measures.md").read_text()
    assert all(f"`{name}" in text for name in MEASURES)
