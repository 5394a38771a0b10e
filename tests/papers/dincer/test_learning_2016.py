"""Table 7 of dincer2016: a training baseline per series, judged against BM25 and four learned models."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError
from riskrank.papers import data_folders
from riskrank.papers.data_folders import MSLR, letor_queries
from riskrank.papers.dincer import learning_2016
from riskrank.papers.dincer.learned_models import TreePlan
from riskrank.papers.dincer.learning_2016 import Table7Plan, table_7, table_7_seconds
from riskrank.papers.dincer.numbers_2016 import AGAINST_BM25, AGAINST_LEARNED
from riskrank.papers.paper import Workplace

from .folders import write_folds

TINY = Table7Plan(TreePlan(2, 4, 0.1, 5), n_rounds=2, folds=3, bm25="feature:1")
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(learning_2016, "PAPER_PLAN", TINY)
    monkeypatch.setattr(learning_2016, "MSLR_FEATURES", 24)


def test_the_full_protocol_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    work = Workplace(write_folds(tmp_path / "mslr"), tmp_path / "work", verbose=False)
    sweep, seen = learning_2016.sweep, []

    def second_is_interrupted(*given, **options):
        seen.append(options["baseline"])
        if len(seen) == 2:
            raise KeyboardInterrupt
        return sweep(*given, **options)

    monkeypatch.setattr(learning_2016, "sweep", second_is_interrupted)
    with pytest.raises(KeyboardInterrupt):
        table_7(work)
    assert seen[0] == "feature:1"  # the training baseline of the first series; the others have the learned ones
    assert list(seen[1]) == ["LambdaMART", "regression trees", "AFS", "AdaRank"]
    kept = sorted(work.place("table-7").rglob("card.json"))
    assert len(kept) == 4 + 5 * 3  # the baselines, and five models in three folds
    before = [path.stat().st_mtime_ns for path in kept]
    monkeypatch.setattr(learning_2016, "sweep", sweep)
    outcome = table_7(work)
    assert [path.stat().st_mtime_ns for path in kept] == before
    assert "24 queries tested" in outcome.data  # a fifth of 30 taught the baselines
    assert outcome.compared == []
    assert outcome.departures[0] == "Numbers are not compared: the data have 30 queries, MSLR-WEB10K has 10,000."
    monkeypatch.setattr(data_folders, "MSLR_QUERIES", 30)
    assert len(table_7(work).compared) == 2 * 9 * 8
    learned = outcome.tables[1]
    for row in learned.rows:
        wins, losses = row.cells[4].ours, row.cells[5].ours
        assert wins == int(wins * 4) / 4  # the mean over four baselines
        assert losses == int(losses * 4) / 4


def test_numbers_are_those_of_the_models_on_their_test_queries(tmp_path):
    work = Workplace(write_folds(tmp_path / "mslr"), tmp_path / "work", verbose=False)
    outcome = table_7(work)
    swept = rr.Sweep.load(work.place("table-7") / "bm25")
    profile = rr.risk.risk_profile(swept.test.values[1], swept.test.baseline)
    row = outcome.tables[0].rows[1]
    assert row.label == "U-CRO, α = 1"
    assert [cell.ours for cell in row.cells] == pytest.approx(
        [profile.effectiveness, profile.reward, profile.risk, profile.reward_per_risk, profile.wins, profile.losses,
         profile.wins_per_loss, profile.large_losses], nan_ok=True,
    )  # fmt: skip


def test_printed_rows_are_consistent_with_themselves():
    for printed in AGAINST_BM25.values():
        assert printed.wins / printed.losses == pytest.approx(printed.wins_per_loss, abs=0.015)
        assert printed.reward / printed.risk == pytest.approx(printed.reward_per_risk, rel=0.03)
    for row, printed in AGAINST_LEARNED.items():
        assert printed.effectiveness == AGAINST_BM25[row].effectiveness
        assert np.isclose(printed.wins * 4, round(printed.wins * 4), atol=0.25)


def test_all_queries_of_a_folder_are_read_once(tmp_path):
    folder = write_folds(tmp_path / "mslr")
    assert sorted(map(int, letor_queries(folder, MSLR).query_ids)) == list(range(1, 31))
    (folder / "Fold1" / "vali.txt").unlink()
    with pytest.raises(FileError, match=r"lacks Fold1/vali\.txt of 3 files\. Needed: MSLR-WEB10K"):
        table_7(Workplace(folder, tmp_path / "work"))


def test_the_estimate_is_of_the_readers_copy(tmp_path):
    assert table_7_seconds(Workplace(write_folds(tmp_path / "mslr"), tmp_path)) > 0
    assert table_7_seconds(Workplace(None, tmp_path)) == 0
