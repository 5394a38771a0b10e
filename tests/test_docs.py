"""Every example in the docs is run, links lead somewhere, nothing is left undocumented."""

from __future__ import annotations

import re

import pytest

from riskrank.data.example import save_example

from .documents import PAGES, PROJECT, blocks, run_examples, shown, without_numbers

WALKS = sorted((PROJECT / "docs").glob("for-*.md"))
EXACT = [*WALKS, PROJECT / "docs" / "gate.md", PROJECT / "docs" / "tables.md"]  # what they show is what is printed


@pytest.mark.parametrize("page", [page for page in PAGES[1:] if page not in EXACT], ids=lambda page: page.name)
def test_examples_run(page, tmp_path):
    run_examples(page, tmp_path)


@pytest.mark.parametrize("page", EXACT, ids=lambda page: page.name)
def test_examples_run_and_print_what_is_shown(page, tmp_path):
    printed = run_examples(page, tmp_path)
    assert shown(page)
    for command, text in shown(page):
        if "sweep" in command or "clicks train" in command:
            assert first_cells(printed[command]) == first_cells(text)
        else:
            assert printed[command] == text


def first_cells(text):
    """Of the lines of a table, which no trees change."""
    return [without_numbers(line.split("  ")[0]) for line in text.splitlines() if "  " in line]


def test_what_is_said_of_a_table_is_what_the_documents_show(riskrank, tmp_path):
    save_example(tmp_path / "example")
    shown_lines = [text for language, text in blocks(PROJECT / "docs" / "tables.md") if text.startswith("riskrank: ")]
    columns = ("--query", "search_phrase", "--label", "stars", "--document", "product_page")
    inspect = ("inspect", "example/shop.csv", *columns)
    told = [riskrank(*inspect, *more, cwd=tmp_path).err for more in (("--drop", "title,asked_on"), ())]
    assert shown_lines == told


@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.name)
def test_a_walk_is_short_and_has_its_picture(page):
    text = page.read_text()
    assert len(text.splitlines()) <= 72
    (picture,) = re.findall(r"!\[.+\]\((pictures/.+\.png)\)", text)
    assert (page.parent / picture).stat().st_size <= 150_000
    assert f'"{picture}"' in (page.parent / "make_pictures.py").read_text()


@pytest.mark.parametrize(
    "page", [*PAGES, PROJECT / "ARCHITECTURE.md", PROJECT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_budget_that_is_shown_is_the_one_that_is_written(riskrank, example):
    done = riskrank("gate", "example/qrels.txt", "example/hybrid.run", "-b", "example/bm25.run", "--init", "b.toml")
    assert done.status == 0
    written = (example.parent / "b.toml").read_text()
    excerpt = next(text for language, text in blocks(PROJECT / "docs" / "gate.md") if language == "toml")
    position = 0
    for part in excerpt.split("…\n"):  # where lines are left out
        assert part in written[position:], part
        position = written.index(part, position) + len(part)


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
