"""Models that are there already are not trained again, unless anything about them has changed."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import ParameterError
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.trees.engine import engine_named
from riskrank.tradeoff.training.train_model import FinishedModel, finished_files, read_finished

from ..small_sweeps import Trainings, quick, ranker, same_sweeps, untrainable

pytestmark = pytest.mark.usefixtures("two_cores")


def test_called_again_nothing_is_trained(small, folder, monkeypatch):
    options = {"folder": folder, "measures": ["AP"], "predictors": ["gain", "margin"]}
    first = quick(small, **options)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    untrainable(monkeypatch)
    again = quick(small, **options)
    same_sweeps(again, first)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    np.testing.assert_array_equal(again.model(1).predict(small[2]), first.model(1).predict(small[2]))


def test_more_values_train_only_the_new_ones(small, folder, monkeypatch):
    quick(small, folder=folder)
    trainings = Trainings(monkeypatch)
    more = quick(small, values=(0, 0.5, 1, 3), folder=folder)
    assert trainings.alphas == [0.5, 3]
    same_sweeps(more, quick(small, values=(0, 0.5, 1, 3)))
    trainings.forget()
    fewer = quick(small, values=(1,), folder=folder)
    assert trainings.alphas == []
    assert [setting.value for setting in rr.Sweep.load(folder).settings] == [1] == [s.value for s in fewer.settings]


def test_another_series_or_another_number_of_threads_trains_nothing_twice(small, folder, monkeypatch):
    quick(small, {"URisk": ranker(n_trees=2)}, folder=folder)
    trainings = Trainings(monkeypatch)
    quick(small, {"URisk": ranker(n_trees=2, n_threads=2), "other": ranker(rr.SARO(), n_trees=2)}, folder=folder)
    assert len(trainings.alphas) == 2


@pytest.mark.parametrize(
    "change",
    ["labels", "features", "valid", "test", "baseline", "measure", "trees", "seed", "queries"],
)
def test_with_anything_else_there_are_no_stale_numbers(small, folder, change, monkeypatch):
    quick(small, folder=folder)
    train, valid, test = small
    rankers, options = ranker(n_trees=3), {}
    if change == "labels":
        train = dataclasses.replace(train, labels=np.array(train.labels)[::-1])
    elif change == "features":
        features = np.array(train.features)
        features[5, 9] += 1
        train = dataclasses.replace(train, features=features)
    elif change == "valid":
        valid = valid.take(slice(1, None))
    elif change == "test":
        test = dataclasses.replace(test, labels=np.array(test.labels)[::-1])
    elif change == "baseline":
        options["baseline"] = rr.Feature(8)
    elif change == "measure":
        options["measure"] = "AP"
    elif change == "trees":
        rankers = ranker(n_trees=4)
    elif change == "seed":
        rankers = ranker(n_trees=3, random_state=1)
    elif change == "queries":
        train = train.take(slice(0, 15))
    trainings = Trainings(monkeypatch)
    there = quick((train, valid, test), rankers, folder=folder, **options)
    assert trainings.alphas == ([] if change == "test" else [0, 1])  # other test queries need no other model
    same_sweeps(there, quick((train, valid, test), rankers, **options))
    trainings.forget()
    quick((train, valid, test), rankers, folder=folder, **options)
    assert trainings.alphas == []  # and now it is this one that is kept


def test_other_names_of_the_queries_are_the_ones_shown(small, folder):
    quick(small, folder=folder)
    renamed = dataclasses.replace(small[2], query_ids=tuple(f"x{query}" for query in small[2].query_ids))
    assert quick((*small[:2], renamed), folder=folder).test.queries == renamed.query_ids


def test_a_feature_of_any_document_makes_other_data(folder, monkeypatch):
    data = web_search_data(200, documents_per_query=20, n_features=20)
    parts = [data.take(slice(0, 150)), None, data.take(slice(150, 200))]
    quick(parts, ranker(n_trees=2), values=(0,), folder=folder)
    features = np.array(parts[0].features)
    assert len(features) > 2000
    features[1, 12] += 100
    changed = dataclasses.replace(parts[0], features=features)
    trainings = Trainings(monkeypatch)
    quick([changed, *parts[1:]], ranker(n_trees=2), values=(0,), folder=folder)
    assert trainings.alphas == [0]


def own_net(hidden):
    torch = pytest.importorskip("torch", reason="nets need PyTorch")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = torch.nn.Sequential(torch.nn.Linear(20, hidden), torch.nn.Linear(hidden, 1))
    return rr.LambdaNet(rr.URisk("nDCG@10"), net=module, n_epochs=1, n_threads=1)


def former_identity(net):
    """As it was before layers and the choice of what goes back through the net."""
    return {name: value for name, value in Ranker.identity(net).items() if name != "backprop"}


def test_a_net_of_ones_own_that_was_kept_without_its_layers_is_not_trained_again(small, folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(rr.LambdaNet, "identity", former_identity)
        first = quick(small, own_net(3), folder=folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    same_sweeps(quick(small, own_net(3), folder=folder), first)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_two_nets_of_ones_own_of_one_class_are_told_apart(small, folder):
    quick(small, own_net(3), folder=folder)
    same_sweeps(quick(small, own_net(4), folder=folder), quick(small, own_net(4)))


def test_a_net_of_ones_own_that_is_kept_predicts_as_if_it_were_not(small, folder):
    kept, expected = quick(small, own_net(3), folder=folder), quick(small, own_net(3))
    scores = [kept.model(i).predict(small[2]) for i in (0, 1)]
    np.testing.assert_array_equal(scores, [expected.model(i).predict(small[2]) for i in (0, 1)])
    with pytest.raises(ParameterError, match="a module of your own, .*: load it with LambdaNet.load.folder, net="):
        rr.Sweep.load(folder).model(0).predict(small[2])  # another process has no such module


def test_a_net_of_ones_own_is_judged_by_other_measures_without_being_trained_again(small, folder, monkeypatch):
    quick(small, own_net(3), folder=folder)
    expected = quick(small, own_net(3), measures=["AP"])
    monkeypatch.setattr(rr.LambdaNet, "fit", lambda *_, **__: pytest.fail("trained again"))
    again = quick(small, own_net(3), measures=["AP"], folder=folder)
    same_sweeps(again, expected)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("model.txt", lambda content: content[:-200]),
        ("model.txt", None),
        ("history.json", lambda content: b"{"),
        ("finished.json", lambda content: content[:20]),
        ("finished.json", lambda content: b"[]"),
        ("finished.json", None),
        ("queries.parquet", lambda content: content[:-10]),
        ("queries.parquet", lambda content: b""),
        ("queries.parquet", None),
        ("card.json", lambda content: content[:50]),
        pytest.param(
            "card.json", lambda content: b'{"format": 1}'
        ),
        pytest.param(
            "card.json", None
        ),
    ],
)  # fmt: skip
def test_a_damaged_model_is_trained_again(small, folder, name, damage, monkeypatch):
    whole = quick(small, folder=folder)
    file = folder / "models" / "urisk" / "alpha=1" / "fold-1" / name
    kept = file.read_bytes()
    file.unlink() if damage is None else file.write_bytes(damage(kept))
    trainings = Trainings(monkeypatch)
    again = quick(small, folder=folder)
    assert trainings.alphas == [1]
    same_sweeps(again, whole)
    if name != "card.json":  # which has the time
        assert file.read_bytes() == kept
    np.testing.assert_array_equal(again.model(1).predict(small[2]), quick(small).model(1).predict(small[2]))


@pytest.mark.parametrize(
    "damage",
    [
        lambda frame: frame.tail(-1),
        lambda frame: frame.reverse(),
        lambda frame: frame.filter(pl.col("set") == "test"),
        lambda frame: frame.drop("is_reranked"),
        lambda frame: frame.with_columns(pl.col("effectiveness").cast(str)),
    ],
)
def test_a_model_with_other_queries_in_its_table_is_judged_again(small, folder, damage, monkeypatch):
    whole = quick(small, folder=folder)
    file = folder / "models" / "urisk" / "alpha=1" / "fold-1" / "queries.parquet"
    kept = file.read_bytes()
    damage(pl.read_parquet(file)).write_parquet(file)
    trainings = Trainings(monkeypatch)
    same_sweeps(quick(small, folder=folder), whole)
    assert trainings.alphas == []
    assert file.read_bytes() == kept


def test_a_checkpoint_of_another_training_is_not_gone_on_from(small, folder, monkeypatch):
    prepare = rr.URisk.prepare
    steps = []

    def failing(*arguments):
        steps.append(None)
        if len(steps) == 8:
            raise ZeroDivisionError
        return prepare(*arguments)

    train, valid, test = small
    rankers = ranker(n_trees=12)
    every = rankers.checkpoint_every
    with monkeypatch.context() as patch:
        patch.setattr(rr.URisk, "prepare", failing)
        patch.setattr(rr.LambdaMART, "checkpoint_every", 5)
        with pytest.raises(ZeroDivisionError):
            quick(small, rankers, values=(0,), folder=folder)
    assert rankers.checkpoint_every == every
    assert list(folder.rglob("checkpoint.npz"))
    other = dataclasses.replace(train, labels=np.array(train.labels)[::-1])
    done = quick((other, valid, test), rankers, values=(0,), folder=folder)
    same_sweeps(done, quick((other, valid, test), rankers, values=(0,)))
    assert not list(folder.rglob("*.checkpoint"))


@pytest.mark.parametrize("what", ["saved_files", "predict"])  # a full disk, or a crash while it is judged
def test_a_finished_model_that_could_not_be_kept_is_not_trained_again(small, folder, what, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(rr.LambdaMART, what, lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            quick(small, values=(0,), folder=folder)
    with monkeypatch.context() as patch:
        patch.setattr(engine_named("lightgbm").Trees, "grow", lambda *_: pytest.fail("trained again"))
        done = quick(small, values=(0,), folder=folder)
    same_sweeps(done, quick(small, values=(0,)))
    assert not list(folder.rglob("*.checkpoint"))


# What is kept of a finished model.


@pytest.fixture
def finished():
    table = {
        "query": ["a", "b"],
        "baseline": np.array([0.5, 0.25]),
        "effectiveness": np.array([0.75, 0.25]),
        "kendall_distance": np.array([0.5, math.nan]),
        "is_reranked": np.array([True, False]),
        "AP": np.array([1.0, 0.0]),
    }
    return FinishedModel(
        digest="this one", judging="so", train_gain=0.1, train_risk=0.02, learning=np.array([math.nan, 0.5]),
        unit="trees", learning_baseline=0.25, tables={"test": table, "valid": table},
    )  # fmt: skip


def write(folder, finished):
    for name, content in finished_files(finished).items():
        (folder / name).write_bytes(content)


def test_what_is_kept_comes_back_as_it_was(finished, tmp_path):
    write(tmp_path, finished)
    back = read_finished(tmp_path, ["this one"])
    for name in ("digest", "judging", "train_gain", "train_risk", "unit", "learning_baseline"):
        assert getattr(back, name) == getattr(finished, name)
    np.testing.assert_array_equal(back.learning, finished.learning)
    assert list(back.tables) == ["test", "valid"]
    for name, table in back.tables.items():
        assert list(table) == list(finished.tables[name])
        for column, values in table.items():
            np.testing.assert_array_equal(values, finished.tables[name][column], err_msg=column)


def test_another_model_is_not_taken_for_it(finished, tmp_path):
    write(tmp_path, finished)
    assert read_finished(tmp_path, ["another one"]) is None
    assert read_finished(tmp_path / "elsewhere", ["this one"]) is None
