"""Shards scored and judged by workers, as the same data in one piece are."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.cluster.scoring import evaluate_shards, score_shards
from riskrank.data.feature_tables.scored_table import scored_table

from .conftest import fitted


@pytest.fixture(scope="module")
def model(train):
    return fitted(train)


@pytest.fixture(params=[None, "threads"])
def cluster(request, threads, monkeypatch):
    monkeypatch.setattr("riskrank.cluster.scoring.launcher_for", lambda cluster: cluster)
    return None if request.param is None else threads(2)


def test_scores_and_ranks_of_shards_are_those_of_the_whole(train, folder, model, tmp_path, cluster):
    names = score_shards(model, train, tmp_path / "scores", cluster=cluster)
    assert len(names) == train.n_shards
    whole = rr.read_letor(folder / "train.txt")
    together = pl.concat([pl.read_parquet(tmp_path / "scores" / name) for name in names])
    assert together.equals(scored_table(whole, model.predict(whole), None))


def test_a_worker_that_fails_leaves_no_scores(folder, model, tmp_path, cluster):
    rr.write_shards(folder / "train.txt", tmp_path / "s", n_shards=3)
    data = rr.ShardedData(tmp_path / "s")
    (tmp_path / "s" / "00001" / "00000.parquet").unlink()
    with pytest.raises(rr.RiskrankError, match="no such file"):
        score_shards(model, data, tmp_path / "scores", cluster=cluster)
    assert not (tmp_path / "scores").exists()


def test_what_is_judged_where_the_shards_are_is_what_evaluate_gives(train, folder, model, cluster):
    measures = ["nDCG@10", "ERR@10", "P@5"]
    systems = {"text": rr.Feature(1), "new": model}
    pieces = evaluate_shards(train, systems, measures, cluster=cluster)
    whole = rr.read_letor(folder / "train.txt")
    known = rr.evaluate(whole, {"text": rr.Feature(1), "new": model.predict(whole)}, measures)
    for measure in measures:
        one, other = pieces[measure], known[measure]
        np.testing.assert_array_equal(one.matrix, other.matrix)
        for name in ("systems", "topics", "description", "without_relevant", "missing", "ties_at_cutoff", "unit"):
            assert getattr(one, name) == getattr(other, name)
