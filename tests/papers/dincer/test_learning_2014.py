"""Table 3 of dincer2014: a tiny copy of the data through the full protocol, interrupted and resumed."""

from __future__ import annotations

import pytest

from riskrank.errors import FileError
from riskrank.papers import data_folders
from riskrank.papers.dincer import learning_2014
from riskrank.papers.dincer.learned_models import TreePlan
from riskrank.papers.dincer.learning_2014 import Table3Plan, table_3, table_3_seconds
from riskrank.papers.paper import Workplace

from .folders import write_folds, write_track

TINY = Table3Plan(TreePlan(2, 4, 0.1, 5), (3, 6), (1, 20), "feature:1")
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(learning_2014, "PAPER_PLAN", TINY)
    monkeypatch.setattr(learning_2014, "SMALL_PLAN", TINY)
    monkeypatch.setattr(learning_2014, "MSLR_FEATURES", 24)


def numbers(outcome):
    return [number.ours for table in outcome.tables for number in table.numbers()]


def test_the_full_protocol_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    work = Workplace(write_folds(tmp_path / "mslr"), tmp_path / "work", verbose=False)
    sweep, calls = learning_2014.sweep, []

    def interrupted(*given, **options):
        calls.append(options["folder"])
        if len(calls) == 4:
            raise KeyboardInterrupt
        return sweep(*given, **options)

    monkeypatch.setattr(learning_2014, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        table_3(work)
    kept = sorted((work.place("table-3") / "fold-1").rglob("model.txt"))
    assert len(kept) == 2 + 3 * 2  # the search, and three series at two α
    before = [path.stat().st_mtime_ns for path in kept]
    monkeypatch.setattr(learning_2014, "sweep", sweep)
    outcome = table_3(work)
    assert [path.stat().st_mtime_ns for path in kept] == before
    again = table_3(Workplace(work.data, tmp_path / "other", verbose=False))
    assert numbers(outcome) == numbers(again)
    assert outcome.data.startswith("MSLR data; 30 queries tested")
    rows = [row.label for row in outcome.tables[0].rows]
    assert rows == ["LambdaMART, α = 0", *(f"{s}, α = {a}" for s in ("URisk", "SARO", "FARO") for a in (1, 20))]
    assert outcome.compared == []  # BM25 of other data than the paper's
    assert outcome.departures[0] == "Numbers are not compared: the data have 30 queries, MSLR-WEB10K has 10,000."
    monkeypatch.setattr(data_folders, "MSLR_QUERIES", 30)
    whole = table_3(work)
    assert whole.data.startswith("MSLR-WEB10K; ")
    assert whole.compared == [False]
    assert all(claim.on_paper_data for claim in whole.claims)
    assert any("9,685" in departure for departure in outcome.departures)


def test_the_size_of_leaves_is_the_one_that_validation_queries_like(tmp_path):
    outcome = table_3(Workplace(write_folds(tmp_path / "mslr"), tmp_path / "work", verbose=False))
    said = outcome.data.rpartition("at least ")[2].removesuffix(" documents in a leaf")
    assert len(said.split(", ")) == 5
    assert set(said.split(", ")) <= {"3", "6"}


def test_folders_that_lack_something_are_told_in_one_line(tmp_path, monkeypatch):
    folder = write_folds(tmp_path / "mslr")
    work = Workplace(folder, tmp_path / "work", verbose=False)
    monkeypatch.setattr(learning_2014, "MSLR_FEATURES", 136)
    with pytest.raises(
        FileError, match=r"Fold1/train\.txt:1: has 24 features; the paper's data have 136\. Needed: MSLR"
    ):
        table_3(work)
    (folder / "Fold4" / "test.txt").unlink()
    with pytest.raises(FileError, match=r"lacks Fold4/test\.txt of 15 files\. Needed: MSLR-WEB10K"):
        table_3(work)
    assert not work.folder.exists()


def test_a_folder_with_runs_only_gets_the_small_version_and_says_so(tmp_path):
    work = Workplace(write_track(tmp_path / "trec"), tmp_path / "work", verbose=False)
    outcome = table_3(work)
    assert outcome.data.startswith("generated queries")
    assert any("no folds to learn from" in departure for departure in outcome.departures)


def test_the_estimate_grows_with_the_data(tmp_path):
    few = table_3_seconds(Workplace(write_folds(tmp_path / "few"), tmp_path))
    more = table_3_seconds(Workplace(write_folds(tmp_path / "more", n_queries=90), tmp_path))
    assert 2 < more / few < 4
