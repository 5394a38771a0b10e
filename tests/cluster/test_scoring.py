"""Shards scored and judged by workers, as the same data in one piece are."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.cluster.scoring import score_shards
from riskrank.data.feature_tables.feature_table import choice_of
from riskrank.data.feature_tables.scored_table import scored_table
from riskrank.data.trec.run_writer import run_lines
from riskrank.errors import AlignmentError
from riskrank.rankers.trees import xgboost_trees

from .conftest import fitted, late, weighted_shards


@pytest.fixture(scope="module")
def model(train):
    return fitted(train)


@pytest.fixture(params=[None, "threads"])
def cluster(request, threads):
    return None if request.param is None else threads(2)


def test_scores_and_ranks_of_shards_are_those_of_the_whole(train, folder, model, tmp_path, cluster):
    names = score_shards(model, train, tmp_path / "scores", cluster=cluster)
    assert len(names) == train.n_shards
    whole = rr.read_letor(folder / "train.txt")
    tables = pl.concat([pl.read_parquet(tmp_path / "scores" / name) for name in names])
    assert tables.equals(scored_table(whole, model.predict(whole), None))


def test_runs_of_shards_are_that_of_the_whole(train, folder, model, tmp_path, cluster):
    names = score_shards(model, train, tmp_path / "runs", tag="mine", depth=7, cluster=cluster)
    assert names == [f"0000{shard}.run" for shard in range(5)]
    whole = rr.read_letor(folder / "train.txt")
    assert together(tmp_path / "runs", names) == list(run_lines(whole, model.predict(whole), tag="mine", depth=7))


def together(folder, names):
    return [line for name in names for line in (folder / name).read_text().splitlines()]


def test_tables_may_be_cut_and_call_the_scores_otherwise(train, folder, model, tmp_path, cluster):
    names = score_shards(model, train, tmp_path / "scores", depth=3, column="mine", cluster=cluster)
    whole = rr.read_letor(folder / "train.txt")
    known = scored_table(whole, model.predict(whole), None, column="mine", depth=3)
    assert pl.concat([pl.read_parquet(tmp_path / "scores" / name) for name in names]).equals(known)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A table in 4 shards, and in one piece: one shard has names with blanks, and some lack documents of `shown`."""
    data = rr.web_search_data(16, documents_per_query=12, n_features=20, random_state=5)
    rng = np.random.default_rng(5)
    scores = rng.normal(size=data.n_documents) * (1 + data.query_numbers)
    lacks = (rng.random(data.n_documents) < 0.3) & (data.query_numbers % 3 == 0) | (data.query_numbers >= 13)
    columns = {f"f{i}": data.features[:, i] for i in range(20)}
    table = pl.DataFrame(
        {
            "qid": [f"red shoes {q}" if q < 3 else str(q) for q in data.query_numbers],
            "label": data.labels,
            "docno": [f"d{row}" for row in range(data.n_documents)],
            "shown": pl.Series(np.where(lacks, np.nan, scores)).fill_nan(None),
            **columns,
        }
    )
    place = tmp_path_factory.mktemp("shown") / "shards"
    rr.write_shards(table, place, n_shards=4, baselines=["column:shown"])
    return rr.ShardedData(place)


@pytest.fixture(scope="module")
def started(shown):
    return fitted(shown, baseline=rr.Feature("shown"), start="baseline")


def mixed(model):
    return rr.Mixed.of(model, baseline=rr.Feature("f1"), probability=0.6)


def selective(model):
    return rr.Selective.of(model, baseline=rr.Feature("f1"), predictor=rr.Confidence("agreement"), threshold=0.3)


@pytest.mark.parametrize("kind", [None, mixed, selective])
def test_models_that_need_a_baseline_rank_as_in_one_piece(shown, started, tmp_path, cluster, kind):
    """Documents that a baseline lacks come one step below all others, those of other shards too."""
    model, baseline = (started, "column:shown") if kind is None else (kind(started), "column:f1")
    names = score_shards(model, shown, tmp_path / "runs", baseline=baseline, tag="x", cluster=cluster)
    whole = shown.share()
    known = model.predict(whole, baseline=rr.Feature.meant_by(baseline))
    assert together(tmp_path / "runs", names) == list(run_lines(whole, known, tag="x"))
    judged = rr.evaluate(shown, {"shown": rr.Feature("shown"), "new": model}, "nDCG@10", cluster=cluster)
    assert judged == rr.evaluate(whole, {"shown": rr.Feature("shown"), "new": known}, "nDCG@10")


@pytest.mark.parametrize("kind", [None, mixed, selective])
def test_all_that_scores_takes_the_threads_of_its_worker(kind, shown, started, tmp_path, threads, monkeypatch):
    asked = []
    predict = xgboost_trees.Model.predict

    def told(model, features, *, n_trees, n_threads):
        asked.append(n_threads)
        return predict(model, features, n_trees=n_trees, n_threads=n_threads)

    monkeypatch.setattr(xgboost_trees.Model, "predict", told)
    monkeypatch.setattr(threads, "n_threads", lambda *_: 2)
    model = started if kind is None else kind(fitted(shown, baseline="column:f0"))
    baseline = rr.Feature("shown") if kind is None else fitted(shown, baseline="column:f0")
    asked.clear()
    score_shards(model, shown, tmp_path / "runs", baseline=baseline, tag="x", cluster=threads(2))
    assert set(asked) == {2}


def test_a_saved_model_that_starts_from_scores_in_the_shards_finds_them_there(shown, started, tmp_path):
    started.save(tmp_path / "model")
    model = rr.load(tmp_path / "model")
    assert model.card_["baselines"] == ["shown"]
    np.testing.assert_array_equal(model.predict(shown), started.predict(shown, baseline=rr.Feature("shown")))
    with pytest.raises(rr.RiskrankError, match=r"starts from its baseline \(shown\): pass baseline="):
        model.predict(shown.share().features)


def test_where_names_have_blanks_all_shards_have_tabs(shown, started, tmp_path, cluster):
    names = score_shards(started, shown, tmp_path / "runs", tag="x", depth=1, cluster=cluster)
    lines = together(tmp_path / "runs", names)
    assert {len(line.split("\t")) for line in lines} == {6}
    assert [line.split("\t")[0] for line in lines] == list(shown.share().query_ids)


def test_no_scores_are_written_if_a_shard_is_missing(folder, model, tmp_path, cluster):
    rr.write_shards(folder / "train.txt", tmp_path / "s", n_shards=3)
    data = rr.ShardedData(tmp_path / "s")
    (tmp_path / "s" / "00001" / "00000.parquet").unlink()
    with pytest.raises(rr.RiskrankError, match="no such file"):
        score_shards(model, data, tmp_path / "scores", cluster=cluster)
    assert not (tmp_path / "scores").exists()


def test_what_is_judged_where_the_shards_are_is_what_evaluate_gives(train, folder, model, cluster):
    measures = ["nDCG@10", "err@10", rr.parse_measure("P@5")]
    pieces = rr.evaluate(train, {"text": rr.Feature(1), "new": model}, measures, cluster=cluster)
    whole = rr.read_letor(folder / "train.txt")
    known = rr.evaluate(whole, {"text": rr.Feature(1), "new": model.predict(whole)}, measures)
    assert pieces == known
    assert (
        rr.assess(pieces["ERR@10"], baseline="text").to_json() == rr.assess(known["ERR@10"], baseline="text").to_json()
    )
    assert rr.evaluate(train, "feature:1", "AP", cluster=cluster).measure == "AP"


def test_topics_that_a_system_lacks_are_those_of_all_shards(shown, cluster):
    """The last shard has no query that the system answers."""
    whole, systems = shown.share(), {"text": rr.Feature("f0"), "shown": rr.Feature("shown")}
    for missing in ("zero", "intersect"):
        pieces = rr.evaluate(shown, systems, ["nDCG@10", "AP"], missing=missing, cluster=cluster)
        assert pieces == rr.evaluate(whole, systems, ["nDCG@10", "AP"], missing=missing)
    messages = []
    for data, options in ((shown, {"cluster": cluster}), (whole, {})):
        with pytest.raises(rr.RiskrankError, match="must cover all 16 topics") as told:
            rr.evaluate(data, systems, "AP", missing="error", **options)
        messages.append(str(told.value))
    assert messages[0] == messages[1]


def test_a_cluster_needs_shards(shown):
    with pytest.raises(rr.RiskrankError, match="cluster= needs data in shards"):
        rr.evaluate(shown.share(), {"text": rr.Feature("f0")}, "AP", cluster="local:2")


def test_shards_are_evaluated_by_their_folder_too(shown):
    systems = {"text": rr.Feature("f0")}
    assert rr.evaluate(shown.folder, systems, "AP") == rr.evaluate(shown, systems, "AP")


def test_a_shard_may_have_queries_without_weight_alone(tmp_path, cluster):
    shards = weighted_shards(tmp_path / "shards", late)
    model, whole = fitted(shards, baseline="column:f0"), shards.share()
    assert not shards.share([0]).query_weights.any()
    judged = rr.evaluate(shards, {"new": model}, ["AP", "P@5"], cluster=cluster)
    assert judged == rr.evaluate(whole, {"new": model.predict(whole)}, ["AP", "P@5"])
    assert judged["AP"].weights.max() == 4
    names = score_shards(model, shards, tmp_path / "runs", tag="x", cluster=cluster)
    assert together(tmp_path / "runs", names) == list(run_lines(whole, model.predict(whole), tag="x"))


def test_weights_of_documents_are_refused_where_queries_are_judged(tmp_path):
    frame = pl.DataFrame({"qid": ["a", "a"], "label": [0, 1], "f": [1.0, 2.0], "trust": [1.0, 2.0]})
    rr.write_shards(frame, tmp_path, choice_of(weight="trust"), n_shards=1)
    with pytest.raises(AlignmentError, match="data to evaluate on must have one weight for each query"):
        rr.evaluate(rr.ShardedData(tmp_path), {"text": rr.Feature("f")}, "AP")
