"""Training beyond one process: whoever the workers are, the model is the same, to the last bit."""

from __future__ import annotations

import importlib
import json
import warnings

import numpy as np
import pytest
import xgboost
from xgboost import collective

import riskrank as rr
from riskrank.cluster.job_outcome import LostWorkerError
from riskrank.cluster.worker import run_worker
from riskrank.cluster.worker_shares import shared_out
from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.shards.data_share import LostPeersError
from riskrank.errors import AlignmentError, FileError, ParameterError, TrainingError
from riskrank.measures.measure import optimisable
from riskrank.rankers.trees.collective.xgboost_peers import XGBoostPeers

from .conftest import SMALL, TWO, ThreadLauncher, fitted, late, same, weighted_shards

OBJECTIVES = {
    "gain": rr.Gain(),
    "urisk": rr.URisk(alpha=3),
    "ucro": rr.UCRO(alpha=3),
    "saro": rr.SARO(alpha=3),
    "faro": rr.FARO(alpha=3, standardise="error"),
    "tstar_faro": rr.TStarFARO(alpha=3, refresh=2),
    "georisk": rr.GeoRisk(alpha=2),
    "cvar": rr.CVaR(alpha=2, share=0.3),
    "churn": rr.Churn(alpha=0.3),
    "err": rr.URisk("ERR@10", alpha=1),
    "exact": rr.URisk("AP", alpha=1, truncation=None),
    "ranknet": rr.RankNet(),
}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_every_objective_gives_the_same_model_with_1_2_and_3_workers(name, train, valid, threads):
    options = {"objective": OBJECTIVES[name], "valid_measure": "objective"}
    alone = fitted(train, valid, **options)
    for n_workers in (1, 2, 3):
        same(fitted(train, valid, **options, cluster=threads(n_workers)), alone)


@pytest.mark.parametrize("measure", optimisable())
def test_a_worker_may_have_no_queries_of_any_measure(measure, train):
    measure = {"P": "P@5", "Success": "Success@5", "R": "R@5", "RBP": "RBP(p=0.8)"}.get(measure, measure)
    ranker = rr.LambdaMART(rr.URisk(measure, alpha=1), **SMALL)
    share = train.share([])
    bound = ranker.bind(ranker.training_objective, share, baseline_scores(rr.Feature(1), share))
    assert bound.values(np.empty(0)).shape == (train.manifest.n_queries,)
    assert len(bound.gradients(np.empty(0)).gradient) == 0


def test_a_target_of_ones_own_is_imported_by_workers(train, threads, importable):
    objective = importlib.import_module("own_targets").careful(alpha=5)
    alone = fitted(train, objective=objective)
    same(fitted(train, objective=objective, cluster=threads(2)), alone)
    assert alone.model_text_ != fitted(train, objective=rr.Gain()).model_text_


def test_a_target_that_workers_cannot_import_is_refused(train, threads):
    from riskrank.objectives.objective import own_target

    @own_target
    def local(delta, query, training):
        return delta

    with pytest.raises(ParameterError, match="workers cannot find the objective local"):
        fitted(train, objective=local(), cluster=threads(2))


def test_the_model_is_as_good_as_that_of_the_same_data_in_one_piece(train, valid, folder):
    pieces = fitted(train, valid)
    whole = fitted(rr.read_letor(folder / "train.txt"), rr.read_letor(folder / "valid.txt"))
    for name in ("train_effectiveness", "valid_effectiveness"):
        np.testing.assert_allclose(pieces.history_[name], whole.history_[name], atol=0.01)


def test_early_stopping_and_another_measure_are_of_all_queries(train, valid, threads):
    options = {"n_trees": 40, "early_stopping": 3, "valid_measure": "P@5", "learning_rate": 0.5}
    alone = fitted(train, valid, **options)
    assert alone.best_trees_ < alone.card_["trees"] < 40
    same(fitted(train, valid, **options, cluster=threads(3)), alone)


@pytest.mark.parametrize("param", [{"colsample_bynode": 0.5}, {"max_bin": 16}, {"max_depth": 3}])
def test_engine_parameters_hold_on_all_workers(train, threads, param):
    alone = fitted(train, engine_params=param)
    same(fitted(train, engine_params=param, cluster=threads(3)), alone)
    assert alone.model_text_ != fitted(train).model_text_


def test_samples_of_documents_are_refused(train):
    with pytest.raises(ParameterError, match="subsample draws documents on each worker by itself"):
        fitted(train, engine_params={"subsample": 0.5})


def test_a_training_that_starts_from_a_baseline_with_gaps_is_the_same(tmp_path, threads):
    import polars as pl

    data = rr.web_search_data(30, documents_per_query=20, n_features=20, random_state=4)
    frame = pl.DataFrame(data.features, schema=[f"f{i}" for i in range(20)]).with_columns(
        qid=pl.Series(np.asarray(data.query_ids)[data.query_numbers]),
        label=pl.Series(data.labels),
        text=pl.when(pl.int_range(pl.len()) % 7 > 0).then(pl.col("f0")),
        traffic=pl.Series((data.query_numbers % 4).astype(float)),
    )
    from riskrank.data.feature_tables.feature_table import choice_of

    rr.write_shards(frame, tmp_path / "shards", choice_of(weight="traffic"), n_shards=4, baselines=["column:text"])
    shards = rr.ShardedData(tmp_path / "shards")
    options = {"start": "baseline", "baseline": "column:text"}
    alone = fitted(shards, shards, **options)
    for n_workers in (2, 3):
        same(fitted(shards, shards, **options, cluster=threads(n_workers)), alone)
    assert alone.card_["training_data"]["effective_queries"] < 30


@pytest.mark.parametrize("measure", ["nDCG@10", "AP"])
def test_gaps_of_one_shard_count_the_same_for_workers_that_have_none(measure, tmp_path, threads):
    shards, valid = with_gaps(tmp_path / "shards", 4), with_gaps(tmp_path / "valid", 2)  # a third worker gets none
    options = {"objective": rr.URisk(measure, alpha=3), "start": "baseline", "baseline": "column:text"}
    alone = fitted(shards, valid, **options)
    for n_workers in (1, 2, 3):
        same(fitted(shards, valid, **options, cluster=threads(n_workers)), alone)
    for former, n_workers in ((3, 2), (2, 3), (3, None)):
        checkpoint = stopped_after(3, shards, valid, threads(former), tmp_path / f"from {former}", **options)
        cluster = None if n_workers is None else threads(n_workers)
        same(fitted(shards, valid, **options, cluster=cluster, checkpoint=checkpoint, resume=True), alone)


def with_gaps(place, n_shards):
    """Shards with scores that the queries of the last shard alone lack."""
    import polars as pl

    data = rr.web_search_data(40, documents_per_query=20, n_features=20, random_state=4)
    lacks = (data.query_numbers >= 30) & (np.arange(data.n_documents) % 3 == 0)
    frame = pl.DataFrame(data.features, schema=[f"f{i}" for i in range(20)]).with_columns(
        qid=pl.Series(np.asarray(data.query_ids)[data.query_numbers]),
        label=pl.Series(data.labels),
        text=pl.when(~pl.Series(lacks)).then(pl.col("f0")),
    )
    rr.write_shards(frame, place, n_shards=n_shards, baselines=["column:text"])
    return rr.ShardedData(place)


def late_documents(queries, rows):
    return np.where(queries < 10, 0.0, 1.0 + rows % 3)


@pytest.mark.parametrize("weigh", [late, late_documents])
def test_a_worker_may_have_queries_without_weight_alone(weigh, tmp_path, threads):
    shards = weighted_shards(tmp_path / "shards", weigh)
    assert shards.share([0]).n_queries  # before workers wait for one that could not begin
    alone = fitted(shards, shards, baseline="column:f0")
    for n_workers in (2, 4):
        same(fitted(shards, shards, baseline="column:f0", cluster=threads(n_workers)), alone)


def test_weights_of_documents_and_categories_are_the_same(tmp_path, threads):
    import polars as pl

    data = rr.web_search_data(30, documents_per_query=20, n_features=20, random_state=4)
    rows = np.arange(data.n_documents)
    frame = pl.DataFrame(data.features, schema=[f"f{i}" for i in range(20)]).with_columns(
        qid=pl.Series(np.asarray(data.query_ids)[data.query_numbers]),
        label=pl.Series(data.labels),
        brand=pl.Series([f"b{row}" for row in rows * 7 % 11]),
        trust=pl.Series(1 / (1.0 + rows % 7)),
    )
    from riskrank.data.feature_tables.feature_table import choice_of

    rr.write_shards(frame, tmp_path / "shards", choice_of(weight="trust", categories="brand"), n_shards=4)
    rr.write_shards(frame, tmp_path / "valid", choice_of(weight="trust", categories="brand"), n_shards=1)
    shards = rr.ShardedData(tmp_path / "shards")
    valid = rr.ShardedData(tmp_path / "valid")  # fewer shards than workers
    alone = fitted(shards, valid, baseline="column:f0")
    assert alone.columns_.categories[20] == tuple(sorted(f"b{i}" for i in range(11)))
    for n_workers in (2, 3):
        same(fitted(shards, valid, baseline="column:f0", cluster=threads(n_workers)), alone)
    for data in ("training_data", "validation_data"):
        assert 0 < alone.card_[data]["effective_documents"] < 600


def test_a_model_as_baseline_goes_to_the_workers(train, threads):
    model = fitted(train, objective=rr.Gain(), baseline=None)
    alone = fitted(train, baseline={"former": model})
    assert alone.card_["baselines"] == ["former"]
    same(fitted(train, baseline={"former": model}, cluster=threads(2)), alone)


def test_a_system_that_shards_lack_is_told_before_any_work(train, valid, monkeypatch):
    monkeypatch.setattr("riskrank.cluster.launchers.local_launcher.WorkerProcess", lambda *_: pytest.fail("worked"))
    for given in ({"baseline": "column:bm25"}, {"valid_baseline": [rr.Feature(1), "column:bm25"]}):
        with pytest.raises(
            AlignmentError, match=r"(train|valid): .*'bm25'.* Systems whose scores were put in: none\.$"
        ):
            rr.LambdaMART(**SMALL).fit(train, valid=valid, cluster="local:2", **{"baseline": TWO, **given})
    with pytest.raises(AlignmentError, match="train: .*'bm25'"):
        rr.evaluate(train, {"a": "column:bm25"}, "nDCG@10", cluster="local:2")


def test_baselines_of_one_name_are_told_apart_by_names_alone(train, threads):
    models = [fitted(train, objective=rr.Gain(), baseline=None, n_trees=n_trees) for n_trees in (1, 2)]
    with pytest.raises(ParameterError, match="two baselines are called .*Name them"):
        fitted(train, baseline=models, cluster=threads(2))
    named = {"old": models[0], "new": models[1]}
    same(fitted(train, baseline=named, cluster=threads(2)), fitted(train, baseline=named))


@pytest.mark.parametrize(
    ("said", "kind", "message"),
    [
        ("[1:2:3] /workspace/src/collective/result.cc:83: [comm.cc:220]:", "lost", "a worker lost the others"),
        ("std::bad_alloc", "lost", "a worker does not have enough memory"),
        ("value 0 for Parameter max_bin is too small", "ParameterError", "XGBoost refuses the parameters: value 0"),
    ],
)
def test_what_xgboost_says_of_others_and_of_memory_is_no_fault_of_parameters(said, kind, message, train, monkeypatch):
    def broken(*_, **__):
        raise xgboost.core.XGBoostError(said)

    jobs = []
    monkeypatch.setattr(ThreadLauncher, "run", lambda _, texts, look: jobs.extend(texts) or [run_worker(jobs[0])])
    monkeypatch.setattr(xgboost.Booster, "boost", broken)
    warnings.simplefilter("ignore")  # that it goes on, twice
    with pytest.raises((ParameterError, TrainingError)):
        fitted(train, cluster=ThreadLauncher(1))
    error = json.loads(run_worker(jobs[0]))["error"]
    assert error["kind"] == kind
    assert error["message"].startswith(message)


@pytest.mark.parametrize(
    "step", ["riskrank.rankers.trees.xgboost_matrices._InMemory.scores", "xgboost.Booster.save_raw"]
)
def test_memory_that_is_not_there_is_told_wherever_a_worker_lacks_it(step, train, valid, threads, monkeypatch):
    def broken(*_, **__):
        raise xgboost.core.XGBoostError("std::bad_alloc")

    monkeypatch.setattr(step, broken)
    warnings.simplefilter("ignore")  # that it goes on, twice
    with pytest.raises(TrainingError, match="a worker does not have enough memory, 3 times"):
        fitted(train, valid, cluster=threads(1))


def test_a_worker_that_is_lost_at_the_very_end_is_told_as_lost(monkeypatch):
    def alone(*_):
        raise xgboost.core.XGBoostError("/workspace/src/collective/result.cc:83: [comm.cc:220]:")

    context = collective.CommunicatorContext
    monkeypatch.setattr(context, "__enter__", lambda self: self)
    monkeypatch.setattr(context, "__exit__", alone)
    with pytest.raises(LostPeersError, match="a worker lost the others"), XGBoostPeers({}, 0):
        pass


def test_a_training_goes_on_from_a_checkpoint_with_other_workers(train, valid, threads, tmp_path):
    alone = fitted(train, valid)
    first = fitted(train, valid, n_trees=3, cluster=threads(2), checkpoint=tmp_path / "c", checkpoint_every=1)
    assert first.card_["trees"] == 3
    assert not (tmp_path / "c").exists()
    ranker = rr.LambdaMART(rr.URisk(alpha=3), **{**SMALL, "n_trees": 3})
    kept = {"checkpoint": tmp_path / "c", "checkpoint_every": 1, "keep_checkpoint": True}
    ranker.fit(train, valid=valid, baseline=TWO, cluster=threads(2), **kept)
    with pytest.raises(ParameterError, match="is of another training: n_trees was 3, is 6"):
        fitted(train, valid, cluster=threads(3), checkpoint=tmp_path / "c", resume=True)
    for n_workers, former in ((3, 2), (2, 3)):
        checkpoint = stopped_after(3, train, valid, threads(former), tmp_path / f"{n_workers}")
        model = fitted(train, valid, cluster=threads(n_workers), checkpoint=checkpoint, resume=True)
        same(model, alone)


def stopped_after(n_trees, train, valid, cluster, folder, *, objective=None, baseline=TWO, **options):
    """The checkpoint of a training of which workers were lost after some trees."""
    from riskrank.rankers.fitting.checkpoint import CheckpointFolder

    real = CheckpointFolder.write

    def write(self, checkpoint):
        if checkpoint.n_steps <= n_trees:
            real(self, checkpoint)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CheckpointFolder, "write", write)
        patch.setattr(CheckpointFolder, "remove", lambda self: None)
        ranker = rr.LambdaMART(objective or rr.URisk(alpha=3), **{**SMALL, **options})
        ranker.fit(
            train, valid=valid, baseline=baseline, cluster=cluster, checkpoint=folder, checkpoint_every=1,
            keep_checkpoint=True,
        )  # fmt: skip
    return folder


def test_what_a_worker_refuses_is_told_as_it_would_be_here(folder, threads, tmp_path):
    import shutil

    shutil.copytree(folder / "train", tmp_path / "train")
    file = tmp_path / "train" / "00003" / "00000.parquet"
    data = rr.ShardedData(tmp_path / "train")
    file.write_bytes(file.read_bytes()[:-4] + b"1234")
    with pytest.raises(rr.RiskrankError, match=r"00003/00000.parquet: is damaged, or not the file"):
        fitted(data, cluster=threads(1))
    with pytest.raises(FileError, match="is damaged"):
        fitted(data)


def test_shards_that_changed_since_the_driver_looked_are_refused(folder, threads, tmp_path):
    rr.write_shards(folder / "train.txt", tmp_path / "s", n_shards=2)
    data = rr.ShardedData(tmp_path / "s")
    rr.write_shards(folder / "valid.txt", tmp_path / "s", n_shards=2)
    with pytest.raises(rr.RiskrankError, match="holds other shards than when this was begun"):
        fitted(data, cluster=threads(1))


def test_workers_of_another_version_are_refused(train, threads, monkeypatch):
    class Older(threads):
        def run(self, jobs, tell):
            older = [{**json.loads(job), "versions": {"riskrank": "0.0.1"}} for job in jobs]
            return super().run([json.dumps(job) for job in older], tell)

    with pytest.raises(ParameterError, match=r"a worker has riskrank .*, the driver has 0.0.1. Install the same"):
        fitted(train, cluster=Older(1))


class Failing(ThreadLauncher):
    """Two workers, who are lost a few times before they begin."""

    def __init__(self, failures):
        super().__init__(2)
        self.failures = failures

    def run(self, jobs, look):
        if self.failures:
            self.failures -= 1
            raise LostWorkerError("worker 2 of 2 was killed (SIGKILL)")
        return super().run(jobs, look)


@pytest.mark.usefixtures("threads")
def test_a_lost_worker_starts_the_training_again_and_the_third_ends_it(train, tmp_path):
    with pytest.warns(UserWarning, match=r"SIGKILL\); training begins anew") as told:
        model = fitted(train, cluster=Failing(2), checkpoint=tmp_path / "c")
    assert len(told) == 2
    same(model, fitted(train))
    with (
        pytest.warns(UserWarning, match="training begins anew"),
        pytest.raises(TrainingError, match="3 times. There is no"),
    ):
        fitted(train, cluster=Failing(9), checkpoint=tmp_path / "c")


@pytest.mark.usefixtures("threads")
def test_the_checkpoint_of_another_training_is_not_gone_on_from_after_a_loss(train, tmp_path):
    fitted(train, n_trees=3, checkpoint=tmp_path / "c", keep_checkpoint=True)
    with pytest.warns(UserWarning, match="training begins anew"):
        model = fitted(train, cluster=Failing(1), checkpoint=tmp_path / "c")
    same(model, fitted(train))


def test_shards_are_shared_out_by_documents_and_each_goes_to_one_worker():
    shares = shared_out([9, 1, 4, 4, 2], 3)
    assert sorted(shard for share in shares for shard in share) == [0, 1, 2, 3, 4]
    assert [sum([9, 1, 4, 4, 2][i] for i in share) for share in shares] == [9, 6, 5]
    assert shared_out([5], 3) == [[0], [], []]


def test_nothing_but_shards_goes_to_a_cluster(folder, train):
    with pytest.raises(ParameterError, match="cluster= needs data in shards"):
        fitted(rr.read_letor(folder / "train.txt"), cluster="local:2")
    with pytest.raises(ParameterError, match="learned from by LambdaMART with engine='xgboost' alone"):
        rr.LambdaMART().fit(train)
    with pytest.raises(ParameterError, match="leave weights= out"):
        rr.LambdaMART(engine="xgboost").fit(train, weights=[1.0])
    with pytest.raises(ParameterError, match="valid= must be in shards"):
        fitted(train, rr.read_letor(folder / "valid.txt"))
    with pytest.raises(ParameterError, match="is no feature, column of scores in the shards, or model"):
        fitted(train, baseline="text.run", cluster="local:2")
