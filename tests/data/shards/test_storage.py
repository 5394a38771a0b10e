"""Where a worker keeps its documents: in memory, with features on disk, or with codes there as well."""

from __future__ import annotations

import os
import tempfile
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import xgboost

import riskrank as rr
from riskrank.data.shards import storage
from riskrank.data.shards.storage import IN_MEMORY, LEAST_MEMORY, Storage, storage_for
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.files import disk
from riskrank.rankers.trees import xgboost_trees

SMALL = {"n_trees": 8, "n_leaves": 6, "engine": "xgboost", "n_threads": 1}
ROWS = 100  # at once


def written(data, place, *, is_odd):
    """Data as shards; odd ones have missing values and a category."""
    values = np.array(data.features)
    if is_odd:
        values[values < np.quantile(values, 0.1)] = np.nan
    columns = {f"f{i}": values[:, i] for i in range(values.shape[1])}
    if is_odd:
        kinds = np.array(["a", "b", "c"])[np.arange(len(values)) * 7 % 3]
        columns["kind"] = pl.Series(kinds, dtype=pl.Categorical)
    queries = [data.query_ids[number] for number in data.query_numbers]
    rr.write_shards(pl.DataFrame({"qid": queries, "label": data.labels, **columns}), place, n_shards=3)
    return rr.ShardedData(place)


@pytest.fixture(scope="module", params=[False, True], ids=["numbers", "missing values and a category"])
def shards(request, tmp_path_factory):
    """Training data and validation data."""
    place = tmp_path_factory.mktemp("shards")
    parts = {"train": (40, 1), "valid": (20, 2)}
    return [
        written(
            rr.web_search_data(n_queries, documents_per_query=25, n_features=20, random_state=seed),
            place / name, is_odd=request.param,
        )
        for name, (n_queries, seed) in parts.items()
    ]  # fmt: skip


def fitted(train, valid, **options):
    ranker = rr.LambdaMART(rr.URisk(alpha=3), **SMALL, early_stopping=5)
    return ranker.fit(train, valid=valid, baseline=rr.Feature("f1"), **options)


@pytest.fixture
def stored(monkeypatch):
    """Have all data kept in some way, in a folder of temporary files."""

    def chosen(*, with_codes):
        def kept(memory, train, n_documents, n_others, scratch):
            return Storage(scratch, str(scratch.path / "codes") if with_codes else None, ROWS)

        monkeypatch.setattr(storage, "_storage", kept)

    return chosen


@pytest.mark.parametrize("with_codes", [False, True], ids=["features", "features and codes"])
def test_a_model_is_the_same_wherever_its_data_are_kept(shards, stored, with_codes, tmp_path, monkeypatch):
    in_memory = fitted(*shards)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stored(with_codes=with_codes)
    on_disk = fitted(*shards, memory=LEAST_MEMORY)
    assert on_disk.model_text_ == in_memory.model_text_
    assert on_disk.history_.to_json() == in_memory.history_.to_json()
    np.testing.assert_array_equal(on_disk.valid_changes_, in_memory.valid_changes_)
    assert os.listdir(tmp_path) == []


def test_a_training_goes_on_with_data_on_disk(shards, stored, tmp_path, monkeypatch):
    in_memory = fitted(*shards)
    stored(with_codes=True)
    options = {"memory": LEAST_MEMORY, "checkpoint": tmp_path / "checkpoint", "checkpoint_every": 2}
    grow = xgboost_trees.Trees.grow

    def broken(trees, gradients, iteration):
        if iteration == 5:
            raise RuntimeError("power is lost")
        return grow(trees, gradients, iteration)

    with monkeypatch.context() as patch:
        patch.setattr(xgboost_trees.Trees, "grow", broken)
        with pytest.raises(RuntimeError, match="power is lost"):
            fitted(*shards, **options)
    resumed = fitted(*shards, **options, resume=True)
    assert resumed.model_text_ == in_memory.model_text_
    assert resumed.history_.to_json() == in_memory.history_.to_json()


def test_training_sees_values_far_above_all_sampled_ones_as_prediction_does(tmp_path, monkeypatch):
    monkeypatch.setattr("riskrank.data.shards.shard_writer.SAMPLED_ROWS", 50)
    rng = np.random.default_rng(1)
    values = np.where(rng.random(4000) < 0.5, np.nan, rng.random(4000))
    values[500::997] = 1e6  # a split that tells missing values from all others is at the largest value that is known
    labels = (~np.isnan(values)).astype(float)
    frame = pl.DataFrame({"qid": np.arange(4000) // 20, "label": labels, "a": values, "b": rng.random(4000)})
    rr.write_shards(frame, tmp_path / "shards", n_shards=2)
    data = rr.ShardedData(tmp_path / "shards").share()
    ranker = rr.LambdaMART(rr.Gain(), **SMALL).fit(data)
    assert np.nanmax(data.sample()) == 1e6
    judged = rr.evaluate(data, {"model": ranker.predict(data)}, "nDCG@10")
    assert judged["model"].mean() == pytest.approx(ranker.history_["train_effectiveness"][-1], abs=1e-12)


def planned(memory, n_documents, n_features=136, *, has_missing=False):
    sample = np.array([[np.nan if has_missing else 1.0]])
    train = SimpleNamespace(manifest=SimpleNamespace(n_features=n_features), sample=lambda: sample)
    with storage_for(memory * 2**20, train, n_documents) as plan:
        return plan.scratch is not None, plan.codes is not None


def test_what_has_no_place_in_memory_goes_to_disk_features_first():
    # 136 features of a million documents take 519 MB, their codes 259 or, with missing values, 649; all else 530.
    assert planned(2048, 10**6) == (False, False)
    assert planned(1024, 10**6) == (True, False)
    assert planned(700, 10**6) == (True, True)
    assert planned(1600, 10**6, has_missing=True) == (True, False)
    assert planned(1024, 10**6, has_missing=True) == (True, True)


def test_no_bound_means_memory(shards):
    with storage_for(None, shards[0], 10**12) as plan:
        assert plan is IN_MEMORY


def test_what_not_even_a_disk_helps_is_told_with_what_is_needed():
    with pytest.raises(
        ParameterError, match=r"^10,000,000 documents do not fit a worker's 600 MB .*from 1,4\d\d MB on"
    ):
        planned(600, 10**7)
    for memory in (1, 511):
        with pytest.raises(ParameterError, match="memory must be a whole number from 536870912"):
            planned(memory, 10)


def test_memory_is_for_shards_alone(shards):
    data = rr.web_search_data(5, documents_per_query=10, n_features=20)
    with pytest.raises(ParameterError, match=r"memory= needs data in shards"):
        rr.LambdaMART(**SMALL).fit(data, memory=LEAST_MEMORY)


def test_a_full_disk_is_told_in_one_line(shards, stored, tmp_path, monkeypatch):
    def full(handle, size):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(disk, "allocate", full)
    stored(with_codes=False)
    with pytest.raises(FileError, match=r"riskrank shards: cannot be written \(No space left on device\)"):
        fitted(*shards, memory=LEAST_MEMORY)
    assert os.listdir(tmp_path) == []


def test_trouble_of_what_is_done_meanwhile_is_none_of_the_disk(shards, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gains\.txt"), storage_for(LEAST_MEMORY, shards[0], 10):
        (tmp_path / "gains.txt").read_text()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("local_filesys.cc:37: Check failed: std::fwrite(ptr, 1, size, fp_) == size: FileStream.Write incomplete",
         r"cannot be written \(XGBoost had no room for all codes of features\)\. Set TMPDIR to another place"),
        ("max_bin must be at least 2", "XGBoost refuses the parameters: max_bin"),
    ],
    ids=["a full disk", "a parameter"],
)  # fmt: skip
def test_a_disk_that_codes_fill_is_told_as_one(said, told, shards, stored, tmp_path, monkeypatch):
    def failing(*_, **__):
        raise xgboost.core.XGBoostError(said)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(xgboost, "ExtMemQuantileDMatrix", failing)
    stored(with_codes=True)
    with pytest.raises(RiskrankError, match=told):
        fitted(*shards, memory=LEAST_MEMORY)
    assert os.listdir(tmp_path) == []


def test_a_disk_without_room_is_told_before_any_work(shards, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=500 * 2**20))
    with pytest.raises(FileError, match=r"has 500 MB free, 518 MB are needed. Set TMPDIR to another place"):
        planned(1024, 10**6)


def test_what_a_killed_worker_left_is_removed_by_the_next(shards, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with storage_for(LEAST_MEMORY, shards[0], 10):
        (name,) = os.listdir(tmp_path)
    dead = name.replace(str(os.getpid()), "999999999")
    assert dead != name
    (tmp_path / dead).mkdir()
    (tmp_path / dead / "codes").touch()
    with storage_for(LEAST_MEMORY, shards[0], 10):
        assert dead not in os.listdir(tmp_path)
