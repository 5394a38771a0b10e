"""A sweep on shards is the same sweep, whoever trains and judges its models."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.cluster import sweeping
from riskrank.cluster.job_outcome import LostWorkerError, failure
from riskrank.errors import AlignmentError, ParameterError, TrainingError

from .conftest import SMALL, TWO, late, weighted_shards

ALPHAS = (0, 1, 5)
PREDICTORS = ("max feature:1", "entropy feature:2", "margin", "deviation", "agreement")
LOST = failure(LostWorkerError("a worker was killed (SIGKILL)"))


def swept(data, rankers=None, *, suffix="", **options):
    """A folder's data, in shards, or with the suffix .txt as text."""
    train, valid, test = (data / f"{name}{suffix}" for name in ("train", "valid", "test"))
    usual = {"baseline": TWO, "values": ALPHAS, "valid": valid, "test": test, "calibration": valid}
    measures, predictors = ["ERR@10", "P@5"], PREDICTORS
    ranker = rr.LambdaMART(rr.URisk(), **SMALL) if rankers is None else rankers
    given = {"measures": measures, "predictors": predictors, **usual, **options}
    return rr.sweep(train, ranker, **given)


def same_numbers(one, other):
    """All that a sweep says, but for where its models are."""
    for part in ("test", "valid", "calibration"):
        mine, theirs = getattr(one, part), getattr(other, part)
        assert mine.queries == theirs.queries
        for name in ("baseline", "values", "distance", "is_reranked"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name), err_msg=name)
        assert (mine.weights is None) == (theirs.weights is None)
        if mine.weights is not None:
            np.testing.assert_array_equal(mine.weights, theirs.weights)
        for name in ("predictors", "others"):
            assert list(getattr(mine, name)) == list(getattr(theirs, name))
            for label, values in getattr(mine, name).items():
                np.testing.assert_array_equal(values, getattr(theirs, name)[label], err_msg=label)
    for name in ("measure", "parameter", "baseline", "n_baselines", "settings", "is_valid_fresh", "unit", "n_folds"):
        assert getattr(one, name) == getattr(other, name)
    assert one.learning_baseline == other.learning_baseline
    for name in ("train_gain", "train_risk", "learning"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.thresholds.keys() == other.thresholds.keys()
    for name, limits in one.thresholds.items():
        np.testing.assert_array_equal(limits, other.thresholds[name])


def same_models(one, other):
    for i in range(len(one)):
        mine, theirs = one.model(i), other.model(i)
        assert mine.model_text_ == theirs.model_text_
        assert mine.history_.to_json() == theirs.history_.to_json()
        assert {**mine.card_, "created": ""} == {**theirs.card_, "created": ""}


@pytest.fixture(scope="module")
def alone(folder):
    """The sweep of this process."""
    return swept(folder)


@pytest.mark.parametrize("n_workers", [1, 3])
@pytest.mark.parametrize("is_held", [True, False], ids=["a worker each", "all workers together"])
def test_a_sweep_is_the_same_whoever_trains_its_models(folder, alone, threads, monkeypatch, n_workers, is_held):
    monkeypatch.setattr(sweeping, "HELD", 2**31 if is_held else 0)
    workers = threads(n_workers)
    other = swept(folder, cluster=workers)
    same_numbers(other, alone)
    same_models(other, alone)
    assert [len(jobs) for jobs in workers.jobs] == ([] if is_held else [n_workers] * 3)


def test_queries_of_a_shard_may_all_be_without_weight(tmp_path, threads):
    for name in ("train", "valid", "test"):
        weighted_shards(tmp_path / name, late)
    ranker, options = rr.LambdaMART(rr.URisk(), **SMALL), {"baseline": rr.Feature("f0"), "predictors": []}
    one = swept(tmp_path, ranker, **options)
    assert not one.test.weights[:5].any()
    same_numbers(swept(tmp_path, ranker, **options, cluster=threads(2)), one)


def test_models_are_judged_as_those_of_the_same_data_in_one_piece(folder, alone):
    text = {name: rr.read_letor(folder / f"{name}.txt") for name in ("train", "valid", "test")}
    whole = swept(folder, suffix=".txt")
    np.testing.assert_array_equal(alone.test.baseline, whole.test.baseline)
    for name in ("max feature:1", "entropy feature:2"):  # those that do not ask the model
        np.testing.assert_array_equal(alone.test.predictors[name], whole.test.predictors[name])
        np.testing.assert_array_equal(alone.thresholds[name], whole.thresholds[name])
    for i in range(len(alone)):
        model = alone.model(i)
        for part in ("test", "valid"):
            scores = {"text": text[part].feature(1), "model": model.predict(text[part])}
            judged = rr.evaluate(text[part], scores, ["nDCG@10", "ERR@10"])
            change = rr.rank_changes(scores, "text", data=text[part])["model"]
            seen = getattr(alone, part)
            np.testing.assert_array_equal(seen.values[i], judged["nDCG@10"]["model"])
            np.testing.assert_array_equal(seen.distance[i], (1 - change.tau_per_topic) / 2)
            np.testing.assert_array_equal(seen.is_reranked[i], change.is_reranked)
            assert seen.others["ERR@10"][1 + i] == judged["ERR@10"]["model"].mean()
    np.testing.assert_allclose(alone.test.effectiveness, whole.test.effectiveness, atol=0.02)


def test_weights_and_a_baseline_with_gaps_are_those_of_all_shards(tmp_path, threads):
    import polars as pl

    from riskrank.data.feature_tables.feature_table import choice_of

    for name, seed in (("train", 4), ("valid", 5), ("test", 6)):
        data = rr.web_search_data(24, documents_per_query=12, n_features=20, random_state=seed)
        frame = pl.DataFrame(data.features, schema=[f"f{i}" for i in range(20)]).with_columns(
            qid=pl.Series(np.asarray(data.query_ids)[data.query_numbers]),
            label=pl.Series(data.labels),
            text=pl.when(pl.int_range(pl.len()) % 7 > 0).then(pl.col("f0")),
            traffic=pl.Series(1.0 + data.query_numbers % 4),
        )
        choice = choice_of(weight="traffic")
        rr.write_shards(frame, tmp_path / name, choice, n_shards=3, baselines=["column:text"])
    ranker = rr.LambdaMART(rr.URisk(), start="baseline", **SMALL)
    options = {"baseline": {"shown": "column:text"}, "values": (1, 5), "predictors": ["max column:f3", "margin"]}
    one = swept(tmp_path, ranker, **options)
    assert one.test.weights.max() == 4
    same_numbers(swept(tmp_path, ranker, **options, cluster=threads(2)), one)
    former = rr.LambdaMART(rr.Gain(), start="baseline", **SMALL)
    former.fit(rr.ShardedData(tmp_path / "train"), baseline="column:text")
    options = {"baseline": {"former": former}, "values": (1,), "predictors": []}
    ranker = rr.LambdaMART(rr.URisk(), **SMALL)
    same_numbers(swept(tmp_path, ranker, **options, cluster=threads(2)), swept(tmp_path, ranker, **options))


def test_several_series_and_a_model_as_baseline_are_the_same(folder, threads):
    former = rr.LambdaMART(rr.Gain(), **SMALL).fit(folder / "train")
    rankers = {name: rr.LambdaMART(objective, **SMALL) for name, objective in (("a", rr.URisk()), ("b", rr.CVaR()))}
    options = {"baseline": {"former": former, "text": rr.Feature(1)}, "values": (2,), "measures": []}
    one = swept(folder, rankers, **options)
    assert one.baseline == "former, text"
    other = swept(folder, rankers, **options, cluster=threads(2))
    same_numbers(other, one)
    same_models(other, one)


def test_a_sweep_goes_on_with_other_workers_or_none(folder, alone, threads, tmp_path):
    class Stopping(threads):
        """Ends at the second training."""

        def map(self, jobs, *others):
            self.jobs += [job for job in jobs if json.loads(job)["task"] == "train"]
            if len(self.jobs) == 2:
                raise KeyboardInterrupt
            super().map(jobs, *others)

    with pytest.raises(KeyboardInterrupt):
        swept(folder, cluster=Stopping(1), folder=tmp_path / "sweep")
    (finished,) = (tmp_path / "sweep").rglob("finished.json")
    written = finished.stat().st_mtime_ns
    workers = Stopping(1)
    workers.jobs = [None] * 9
    same_numbers(swept(folder, cluster=workers, folder=tmp_path / "sweep"), alone)
    assert len(workers.jobs) == 9 + 2
    assert finished.stat().st_mtime_ns == written
    same_numbers(swept(folder, folder=tmp_path / "sweep"), alone)  # in this process all are found
    assert finished.stat().st_mtime_ns == written
    same_numbers(rr.Sweep.load(tmp_path / "sweep"), alone)


def test_what_lost_workers_were_to_do_is_done_again_but_not_for_ever(folder, alone, threads):
    class Failing(threads):
        def __init__(self, failures):
            super().__init__(1)
            self.failures = dict.fromkeys(("train", "judge"), failures)

        def map(self, jobs, look, take, n_threads):
            task = json.loads(jobs[0])["task"]
            self.failures[task] -= 1
            if self.failures[task] < 0:
                super().map(jobs, look, take, n_threads)
            else:
                take(0, LOST)

    with pytest.warns(UserWarning, match=r"SIGKILL\); (its shards are taken again|training begins anew)") as told:
        same_numbers(swept(folder, cluster=Failing(2)), alone)
    assert len(told) == 4
    with pytest.warns(UserWarning, match="again"), pytest.raises(TrainingError, match=r"\(SIGKILL\), 3 times"):
        swept(folder, cluster=Failing(3))


def test_processes_train_and_judge_side_by_side(folder, alone, tmp_path):
    sweep = swept(folder, values=(5,), cluster="local:2", folder=tmp_path, predictors=(), calibration=None)
    np.testing.assert_array_equal(sweep.test.values, alone.test.values[2:])
    assert sweep.model(0).model_text_ == alone.model(2).model_text_


def test_folds_that_are_in_shards_are_swept_by_workers(folder, threads):
    train, valid, test = (folder / name for name in ("train", "valid", "test"))
    splits = [(train, valid, test), (rr.ShardedData(test), None, valid)]
    ranker, options = rr.LambdaMART(rr.URisk(), **SMALL), {"baseline": TWO, "values": (5,)}
    one, other = (rr.sweep(splits, ranker, **options, cluster=workers) for workers in (None, threads(2)))
    np.testing.assert_array_equal(other.test.values, one.test.values)
    assert other.model(0).model_text_ == one.model(0).model_text_
    with pytest.raises(ParameterError, match="cluster= needs data in shards"):
        rr.sweep([*splits, (folder / "train.txt", None, valid)], ranker, **options, cluster="local:2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"suffix": ".txt"}, "cluster= needs data in shards"),
        ({"rankers": rr.LambdaMART(rr.URisk())}, "learned from by LambdaMART with engine='xgboost' alone"),
        ({"cluster": "moon:1"}, "cluster must be like one of local:4"),
        ({"baseline": {"1": {"1": 2.0}}}, "is no feature, column of scores in the shards, or model"),
        ({"predictors": ["gain"]}, "the predictor gain learns from features, which stay on the workers"),
        ({"predictors": ["max feature:21"]}, "feature must be from 1 to 20"),
        ({"weights": {"1": 2.0}}, "leave weights= out"),
        ({"cluster": None, "memory": 2**30}, "memory= is what workers may use: pass cluster="),
        ({"memory": 5}, "memory must be a whole number from 536870912"),
        ({"folds": 3, "test": None, "valid": None, "calibration": None}, "shards are not divided into folds"),
    ],
)
def test_what_does_not_go_with_a_cluster_is_refused_before_any_work(folder, options, message, monkeypatch):
    monkeypatch.setattr("riskrank.cluster.launchers.local_launcher.WorkerProcess", lambda *_: pytest.fail("worked"))
    with pytest.raises(ParameterError, match=message):
        swept(folder, **{"cluster": "local:2", **options})


def test_test_queries_have_weights_of_their_own_not_of_documents(tmp_path, folder):
    import polars as pl

    from riskrank.data.feature_tables.feature_table import choice_of

    columns = {f"f{i}": np.arange(8.0) for i in range(20)}
    frame = pl.DataFrame({"qid": ["a"] * 4 + ["b"] * 4, "label": [0, 1] * 4, "trust": np.arange(1.0, 9.0), **columns})
    rr.write_shards(frame, tmp_path / "test", choice_of(weight="trust"), n_shards=2)
    with pytest.raises(AlignmentError, match="test data must have one weight for each query, these have some for docu"):
        swept(folder, test=tmp_path / "test")
