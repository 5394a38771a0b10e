"""Claims about every paper."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from riskrank.errors import ParameterError
from riskrank.papers.catalogue import PAPERS
from riskrank.papers.outcome import FigureSeries, PaperFigure
from riskrank.papers.recorded import recorded_outcomes


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_equation_names_a_function_that_exists(key):
    paper = PAPERS[key]
    assert paper.key == key
    assert paper.equations
    for equation in paper.equations:
        module, _, name = equation.code.partition(":")
        assert callable(getattr(import_module(module), name)), equation


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_experiment_has_a_name_of_its_own_and_a_recorded_state(key):
    keys = [experiment.key for experiment in PAPERS[key].experiments]
    assert len(keys) == len(set(keys))
    recorded = {name for paper, name in recorded_outcomes() if paper == key}
    assert recorded == set(keys)


@pytest.mark.parametrize("key", list(PAPERS))
def test_the_document_is_the_list_with_its_figures(key, make_papers):
    """What `docs/make_papers.py` would write of the record is what stands there."""
    known = json.loads(make_papers.RECORD.read_text(encoding="utf-8"))[key]
    text = (make_papers.DOCS / "papers.md").read_text(encoding="utf-8")
    written = make_papers.section(PAPERS[key], known)
    assert f"{written}\n" in text
    drawn = re.findall(r"!\[[^]]+\]\((papers/[^)]+\.svg)\)", written)
    assert drawn == [f"papers/{key}-{each.key}.svg" for each in PAPERS[key].experiments if "figure" in each.key]
    for file in drawn:
        assert ElementTree.parse(make_papers.DOCS / file).getroot().tag.endswith("svg")


@pytest.fixture
def make_papers(monkeypatch):
    docs = Path(__file__).parents[2] / "docs"
    monkeypatch.syspath_prepend(docs)
    return import_module("make_papers")


def test_a_picture_has_every_curve_point_and_bar(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs")
    line = FigureSeries("a < b", (0.0, 1.0, 2.0), (0.1, 0.4, 0.2), low=(0.0, 0.3, 0.1), high=(0.2, 0.5, 0.3))
    bars = FigureSeries("bars", (0.0, 1.0), (3.0, -1.0), kind="bars")
    points = FigureSeries("points", (0.5,), (1.0,), kind="points")
    figures = [
        PaperFigure("first", "x", "y", (line,), note="left out"),
        PaperFigure("second", "x", "y", (bars, points)),
    ]
    root = ElementTree.fromstring(import_module("paper_pictures").picture(figures))
    space = "{http://www.w3.org/2000/svg}"
    assert [len(root.findall(f".//{space}{kind}")) for kind in ("polyline", "circle")] == [1, 1]
    texts = [text.text for text in root.iter(f"{space}text")]
    assert {"first", "second", "a < b", "bars", "points", "left out"} <= set(texts)
    up, down = [each for each in root.iter(f"{space}rect") if each.get("x") is not None]
    assert float(up.get("height")) == pytest.approx(3 * float(down.get("height")), abs=0.2)


@pytest.mark.parametrize(
    ("key", "tables", "figures"),
    [("burges2006", (), 3), ("wang2012", (1, 2), 5), ("dincer2014", (1, 2, 3), 2), ("bennett2015", (1, 2), 3),
     ("dincer2016", (1, 2, 3, 4, 5, 6, 7), 3)],
)  # fmt: skip
def test_every_table_and_figure_of_the_papers_is_listed(key, tables, figures):
    paper = PAPERS[key]
    keys = " ".join(experiment.key for experiment in paper.experiments)
    for number in tables:
        assert f"table-{number}" in keys or f"Table {number} " in paper.without_numbers
    assert set(re.findall(r"figure-(\d)", keys)) == {str(number + 1) for number in range(figures)}


def test_experiments_are_found_as_people_write_them():
    paper = PAPERS["dincer2016"]
    for written in ("table-5", "Table 5", "table5", "TABLE_5"):
        assert paper.experiment(written).key == "table-5"
    with pytest.raises(ParameterError, match=r"dincer2016 has no 'table-9'\. It has: "):
        paper.experiment("table-9")
