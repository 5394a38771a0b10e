"""dincer2014 on the runs of TREC 2012 and on generated ones."""

from __future__ import annotations

import pytest

from riskrank.papers.dincer2014 import PAPER, PRINTED, RUNS, SIGNIFICANT_LOSSES, figure_1, figure_2, table_1, table_2
from riskrank.papers.paper import Workplace

from .dincer.folders import write_track

EXPERIMENTS = {"table-1": table_1, "table-2": table_2, "figure-1": figure_1, "figure-2": figure_2}


@pytest.fixture(scope="module")
def work(shared_data, tmp_path_factory):
    return Workplace(shared_data / "trec_web2012", tmp_path_factory.mktemp("work"))


@pytest.mark.parametrize(
    ("key", "n_numbers", "n_claims"), [("table-1", 1, 1), ("table-2", 4, 4), ("figure-1", 2, 4), ("figure-2", 2, 10)]
)
def test_all_that_the_text_prints_of_trec_2012_agrees(key, n_numbers, n_claims, work):
    outcome = EXPERIMENTS[key](work)
    assert outcome.compared == [True] * n_numbers
    failing = [claim.text for claim in outcome.claims if claim.verdict != "holds"]
    assert len(outcome.claims) == n_claims
    assert failing == (["As α grows, topic 166 doubles for uogTrA44xi"] if key == "figure-2" else [])  # 1.6 times


def test_the_runs_that_the_text_names_are_where_their_numbers_are(work):
    rows = {row.label: row for row in table_2(work).tables[0].rows}
    assert list(rows) == list(RUNS)
    for name, (urisk, trisk) in PRINTED.items():
        assert [f"{cell.ours:.4f}" for cell in rows[name].cells[:2]] == [f"{urisk:.4f}", f"{trisk:.4f}"]


def test_figure_2_names_the_topics_that_lose(work):
    outcome = figure_2(work)
    for figure, (name, topics) in zip(outcome.figures, SIGNIFICANT_LOSSES.items(), strict=True):
        assert figure.title.startswith(name)
        assert [series.name for series in figure.series] == ["α = 0", "α = 5", "α = 10", "α = 15"]
        plain = figure.series[0]
        assert plain.x == tuple(map(float, range(151, 201)))
        assert tuple(int(x) for x, y in zip(plain.x, plain.y, strict=True) if y < -2) == topics


def test_figure_1_has_the_papers_axis(tmp_path):
    figure = figure_1(Workplace(None, tmp_path)).figures[0]
    assert len(figure.series) == 8
    assert {series.x for series in figure.series} == {tuple(map(float, range(16)))}


@pytest.mark.parametrize("run", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_generated_runs_are_never_beside_printed_numbers(run, tmp_path):
    outcome = run(Workplace(None, tmp_path))
    assert not outcome.compared
    assert outcome.claims


@pytest.mark.parametrize("run", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_the_layout_alone_is_enough_to_run(run, tmp_path):
    assert run(Workplace(write_track(tmp_path / "trec"), tmp_path / "work")).tables


def test_all_tables_and_figures_are_there():
    assert [experiment.key for experiment in PAPER.experiments] == [*EXPERIMENTS, "table-3"]
