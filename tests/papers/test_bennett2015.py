"""Bennett et al. 2015: what the paper prints, the small versions, and the full protocol on tiny logs."""

from __future__ import annotations

import gzip
from dataclasses import replace

import numpy as np
import pytest

from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.simulator import World
from riskrank.errors import FileError
from riskrank.papers import bennett2015
from riskrank.papers.bennett import bennett_logs
from riskrank.papers.bennett.bennett_logs import BING, FULL, SMALL, WSCD_12, WSCD_14, estimated_seconds, log_files
from riskrank.papers.bennett.bennett_numbers import TABLE_2
from riskrank.papers.outcome import PaperNumber
from riskrank.papers.paper import Workplace
from riskrank.papers.reproduction import reproduce

from ..tradeoff.small_sweeps import Trainings, untrainable

GRIDS = {"alphas": (0, 1), "betas": (0.1, 0.5), "lowest_betas": (1,), "both_alphas": ()}
TREES = {"n_trees": 6, "early_stopping": 6, "n_threads": 1}
PAGES = 3000  # of a tiny log
TINY_12 = replace(WSCD_12, boundary=900, sizes=(500, 500, 300), n_lines=None)
TINY_14 = replace(WSCD_14, sizes=(600, 300, 300))
METHODS = [*TABLE_2["bing"], "Naive", "Score fusion"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """The same protocols with fewer models of fewer trees."""
    monkeypatch.setattr(bennett_logs, "FULL", replace(FULL, grids=GRIDS, trees={**TREES, "min_docs_in_leaf": 20}))
    monkeypatch.setattr(bennett_logs, "SMALL", replace(SMALL, pages=4000, grids=GRIDS, trees=TREES))
    monkeypatch.setattr(bennett2015, "WSCD_12", TINY_12)
    monkeypatch.setattr(bennett2015, "WSCD_14", TINY_14)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A folder with both logs, as they are published, and what else lies about there."""
    folder = tmp_path_factory.mktemp("logs")
    write_log(World().log(PAGES), folder / "clicklog.txt", layout="2011")
    write_log(World().log(PAGES), folder / "train.gz", layout="2013")
    write_log(World(random_state=1).log(50), folder / "test.gz", layout="2013")
    (folder / "README").write_text("about the data\n")
    return folder


@pytest.fixture
def one_log(logs, tmp_path):
    """A folder with a copy of one of the logs."""

    def make(name, change=lambda content: content):
        folder = tmp_path / "data"
        folder.mkdir()
        (folder / name).write_bytes(change((logs / name).read_bytes()))
        return folder

    return make


def numbers(table, label):
    row = next(row for row in table.rows if row.label == label)
    return [cell for cell in row.cells if isinstance(cell, PaperNumber)]


# What is printed.


@pytest.mark.parametrize("log", TABLE_2)
def test_the_printed_rows_agree_with_themselves(log):
    """ΔM/R is ΔM over the share re-ranked, K-τ that of the re-ranked ones over all, within what was rounded."""
    for row in TABLE_2[log].values():
        moved = row.reranked / 100
        assert row.gain_per_reranked == pytest.approx(row.gain / moved, abs=0.01 + 0.006 / moved)
        assert row.kendall_tau == pytest.approx(100 - moved * (100 - row.kendall_tau_reranked), abs=0.02)
        assert row.gain_share == pytest.approx(100 * row.gain / TABLE_2[log]["Standard Gain"].gain, abs=1)


def test_the_protocol_is_that_of_the_paper():
    assert (FULL.n_models, FULL.trees["n_trees"], FULL.trees["min_docs_in_leaf"]) == (59, 500, 2000)
    assert (WSCD_12.boundary, WSCD_12.sizes, WSCD_12.measure) == (30_000_000, (593_000, 591_000, 592_000), "AP")
    assert (WSCD_14.sizes, WSCD_14.measure) == ((1_310_000, 654_000, 654_000), "nDCG@10")
    assert {log.key for log in (BING, WSCD_12, WSCD_14)} == set(TABLE_2)


# Small versions.


def test_table_1_agrees_but_for_one_number():
    outcome = reproduce("bennett2015", "table-1").outcomes["table-1"]
    places, ndcg = outcome.tables
    assert [number.agrees for number in places.numbers()] == [True] * 40
    assert [number.agrees for number in ndcg.numbers()] == [True, False]
    for beta, number in zip((0.5, 0.05), ndcg.numbers(), strict=True):
        gains = [*(beta * k for k in (8, 7, 6, 5, 4)), 9, *(beta * k for k in (3, 2, 1, 0))]
        dcg, ideal = (
            sum(gain / np.log2(rank + 1) for rank, gain in enumerate(each, start=1))
            for each in (gains, sorted(gains, reverse=True))
        )
        assert number.ours == pytest.approx(dcg / ideal)
    assert all(claim.verdict == "holds" for claim in outcome.claims)


def test_table_2_has_all_methods_of_all_logs(tmp_path):
    outcome = bennett2015.table_2(Workplace(None, tmp_path, verbose=False))
    assert [table.title for table in outcome.tables] == ["Bing", "WSCD ’12", "WSCD ’14"]
    for table in outcome.tables:
        assert [row.label for row in table.rows] == METHODS
        assert all(number.agrees is None for number in table.numbers())
        assert [number.printed for number in numbers(table, "Score fusion")] == [None] * 8
    assert len(outcome.claims) == 13 + 9 + 9
    assert all(claim.is_estimated for claim in outcome.claims)
    assert outcome.data.count("synthetic") == 3
    assert any(text.startswith("6 trees instead of 500") for text in outcome.departures)
    measures = [table.columns[1] for table in outcome.tables]
    assert measures == ["MAP", "MAP", "nDCG@10"]


def test_figures_have_the_numbers_of_the_table_and_train_nothing_anew(tmp_path, monkeypatch):
    work = Workplace(None, tmp_path, verbose=False)
    table = bennett2015.table_2(work).tables[0]
    untrainable(monkeypatch)
    outcome = bennett2015.figure(BING, work)
    chosen, everything = outcome.figures
    assert (chosen.x_title, chosen.y_title) == ("% of queries re-ranked", "normalised gain (%)")
    points = {name: (each.x[0], each.y[0]) for each in chosen.series[1:] for name in _names(each.name)}
    for method in METHODS:
        if method != "Naive":
            *_, moved, _, gain, _, _ = (number.ours for number in numbers(table, method))
            np.testing.assert_equal(points[method], (moved, gain))
    assert chosen.series[0].x == (0.0, points["Standard Gain"][0])
    assert [(series.name, len(series.x)) for series in everything.series] == [
        ("Risk Sensitive", 2),
        ("Weight-Initial-Pref", 2),
    ]
    assert len(outcome.claims) == 3


def _names(series):
    """Of the methods that share a point."""
    return [method for method in METHODS if f", {method}, " in f", {series}, "]


# The full protocol.


def test_either_log_runs_the_protocol_and_the_other_is_said_to_be_missing(one_log, tmp_path):
    data = one_log("clicklog.txt")
    outcome = bennett2015.table_2(Workplace(data, tmp_path / "work", verbose=False))
    (table,) = outcome.tables
    assert table.title == "WSCD ’12"
    assert {number.agrees for number in table.numbers()} == {True, False, None}  # None: not in the paper's table
    assert outcome.departures[0] == "not run, for want of the log: Bing, WSCD ’14"
    assert "WSCD ’12, " in outcome.data
    assert len(outcome.claims) == 9
    stand_in = bennett2015.figure(TINY_14, Workplace(data, tmp_path / "work", verbose=False))
    assert stand_in.departures[0].startswith("the log of WSCD ’14 is not in the folder: this is a small version")


def test_no_synthetic_log_stands_in_for_one_that_is_asked_for(one_log, tmp_path):
    data = one_log("train.gz")
    with pytest.raises(FileError, match=r"lacks the log of WSCD ’12; it holds train\.gz\. Needed: the click log of"):
        reproduce("bennett2015", "figure-2", data=data, folder=tmp_path / "out", verbose=False)
    assert not (tmp_path / "out").exists()


def test_the_split_of_wscd_12_goes_by_the_number_of_the_session_and_is_sampled(logs, tmp_path):
    found = bennett_logs.click_study(TINY_12, Workplace(logs, tmp_path, verbose=False))
    card = bennett_logs.Prepared.open(next(tmp_path.glob("wscd12-*")) / "prepared").card
    assert (card["boundary"], card["split"], card["limits"]) == (900, "session", [30])
    for part, size in zip(("train", "valid", "test"), TINY_12.sizes, strict=True):
        assert card["parts"][part] == pytest.approx(size, rel=0.2)
        assert card["before_sampling"][part] > size
    assert {str(found.sweep.model(i).objective.measure) for i in found.sweep.members("Risk Sensitive")} == {"AP"}
    assert found.is_full


def test_the_log_of_2014_has_grades_and_users(logs, tmp_path):
    found = bennett_logs.click_study(TINY_14, Workplace(logs, tmp_path, verbose=False))
    card = bennett_logs.Prepared.open(next(tmp_path.glob("wscd14-*")) / "prepared").card
    assert (card["split"], card["limits"], card["boundary"]) == ("user", [50, 400], None)
    assert found.sweep.measure == "nDCG@10"
    assert "user_query_clicked" in card["features"]


def test_interrupted_it_goes_on_where_it_was(logs, tmp_path, monkeypatch):
    work = Workplace(logs, tmp_path, verbose=False)
    before = estimated_seconds([TINY_12], work)
    with monkeypatch.context() as patch:
        monkeypatch.setattr(bennett_logs, "click_sweep", _one_at_a_time(bennett_logs.click_sweep))
        Trainings(patch, fails_at=3)
        with pytest.raises(KeyboardInterrupt):
            bennett2015.figure(TINY_12, work)
    assert 0 < estimated_seconds([TINY_12], work) < before
    monkeypatch.setattr(bennett_logs, "prepare", lambda *_, **__: pytest.fail("prepared anew"))
    trainings = Trainings(monkeypatch)
    bennett2015.figure(TINY_12, work)
    assert len(trainings.models) == 5 - 2


def _one_at_a_time(click_sweep):
    return lambda *arguments, **options: click_sweep(*arguments, **options, n_jobs=1)


# What is no copy of the data.


def test_logs_are_told_by_what_they_hold(logs):
    found = log_files(logs)
    assert {layout: [file.name for file in files] for layout, files in found.items()} == {
        "2011": ["clicklog.txt"],
        "2013": ["train.gz"],
    }


def test_a_folder_without_a_log_is_told_in_one_line(tmp_path):
    with pytest.raises(FileError, match="has no search log of either challenge; it is empty. Needed: the click log"):
        log_files(tmp_path)
    write_log(World().log(5), tmp_path / "log.parquet")
    (tmp_path / "README").write_text("about\n")
    with pytest.raises(FileError, match=r"it holds README, log\.parquet \(a table\)\. Needed: ") as told:
        reproduce("bennett2015", "table-2", data=tmp_path, folder=tmp_path / "out")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("log", "name", "change", "message"),
    [
        (TINY_12, "clicklog.txt", lambda text: text[:-9], "is cut short: it ends in the middle of a line. Needed: "),
        (TINY_14, "train.gz", lambda packed: packed[:-2000], "cannot be decompressed .* Copy or compress it again"),
        (TINY_12, "clicklog.txt", lambda text: _lines(text, 0.3), r"is cut short \(no page is left for test: .*\)\. N"),
        (TINY_12, "clicklog.txt", lambda text: _lines(text, 0.72), r"it has \d+ pages for test, the paper 300\. N"),
        (
            replace(TINY_12, n_lines=10**6), "clicklog.txt", lambda text: text,
            r"is cut short: it has [\d,]+ of 1,000,000 lines\. Needed: the click log",
        ),
        (TINY_14, "train.gz", lambda _: gzip.compress(b"0\tM\t0\t0\n"), "holds no result page"),
    ],
    ids=["line", "gzip", "no test", "few", "lines", "no pages"],
)  # fmt: skip
def test_a_log_that_was_cut_is_told_in_one_line_every_time(one_log, tmp_path, log, name, change, message):
    work = Workplace(one_log(name, change), tmp_path / "work", verbose=False)
    for _ in range(2):
        with pytest.raises(FileError, match=message) as told:
            bennett2015.figure(log, work)
        assert "\n" not in str(told.value)
        assert name in str(told.value)


def _lines(text, share):
    lines = text.splitlines(keepends=True)
    return b"".join(lines[: int(share * len(lines))])
