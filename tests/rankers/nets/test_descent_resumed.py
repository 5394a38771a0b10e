"""An interrupted training of a net that is resumed gives the very model of one that was not."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.ranker import Ranker

from ..interrupting import Crash, crash

torch = pytest.importorskip("torch", reason="nets need PyTorch")
nn = torch.nn

from riskrank.rankers.nets.compiled_descent import CompiledDescent  # noqa: E402 (needs PyTorch)
from riskrank.rankers.nets.descent import Descent  # noqa: E402 (needs PyTorch)

from .small_nets import net_of  # noqa: E402 (needs PyTorch)

BASELINE = rr.Feature(1)
CHECKPOINT = "checkpoint.npz"


class WithRunningMeans(nn.Module):
    """Which are not weights, and with dropout."""

    def __init__(self, hidden=6):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(20), nn.Dropout(0.3)
        self.first, self.second = nn.Linear(20, hidden), nn.Linear(hidden, 1)

    def forward(self, x):
        return self.second(self.drop(torch.relu(self.first(self.norm(x)))))


@pytest.fixture(scope="module")
def train(train):
    """Fewer queries."""
    return train.take(slice(0, 14))


def module(**options):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return WithRunningMeans(**options)


def nine_epochs(objective=None, **parameters):
    """A net that goes through its queries nine times, in batches of four."""
    usual = {"n_epochs": 9, "batch_queries": 4, "learning_rate": 0.01}
    return net_of(objective or rr.URisk(alpha=5), **{**usual, **parameters})


def crashed(monkeypatch, ranker, *, at, batch=None, error=Crash, action=None, **arguments):
    """A training that ends before the epoch numbered `at` (from 0), or within it, before its batch numbered `batch`."""
    step, learn, learn_all, place = Descent.step, Descent._learn, CompiledDescent._learn_all, {}

    def stepping(self, number):
        if number == at and batch is None:
            (action or crash)()
        place["epoch"], place["batch"] = number, 0
        return step(self, number)

    def learning(self, queries, state):
        if (place["epoch"], place["batch"]) == (at, batch):
            (action or crash)()
        place["batch"] += 1
        return learn(self, queries, state)

    def learning_all(self, order, state):
        if place["epoch"] == at and batch is not None:
            learn_all(self, order[:batch], state)
            (action or crash)()
        return learn_all(self, order, state)

    with monkeypatch.context() as patch:
        patch.setattr(Descent, "step", stepping)
        patch.setattr(Descent, "_learn", learning)
        patch.setattr(CompiledDescent, "_learn_all", learning_all)
        with pytest.raises(error):
            ranker.fit(**arguments)
    return ranker


def epochs_in(folder):
    with np.load(folder / CHECKPOINT) as saved:
        return json.loads(saved["state"].tobytes())["n_steps"]


def assert_same(ranker, expected, data):
    np.testing.assert_array_equal(ranker.predict(data), expected.predict(data))
    np.testing.assert_equal(ranker.history_.columns, expected.history_.columns)
    for name in ("epochs", "best_epochs", "ending"):
        assert ranker.card_[name] == expected.card_[name]
    for name, value in expected.net_.state_dict().items():
        assert torch.equal(ranker.net_.state_dict()[name], value)


BURGES = {
    "net": "two-layer",
    "batch_queries": 1,
    "optimiser": "sgd",
    "weight_decay": 0.0,
    "schedule": "drop",
    "restart_after": 2,
    "learning_rate": 3.0,
}


SETTINGS = {
    "adamw and dropout": {"hidden": (6, 5), "dropout": 0.4},
    "sgd": {"optimiser": "sgd", "net": "linear", "learning_rate": 0.3},
    "drop": {"schedule": "drop", "learning_rate": 0.1},
    "restart": {"restart_after": 1, "learning_rate": 1e-30, "weight_decay": 0.0, "objective": rr.Gain()},
    "burges2006": BURGES,
    "burges2006 with ranknet": {**BURGES, "objective": rr.RankNet(truncation=None, normalise=False)},
    "saro": {"objective": rr.SARO(alpha=5)},
    "faro": {"objective": rr.FARO(alpha=5)},
    "georisk": {"objective": rr.GeoRisk(alpha=5)},
    "churn": {"objective": rr.Churn(alpha=0.5)},
    "another measure": {"objective": rr.UCRO("ERR@3", alpha=5)},
    "start": {"start": "baseline"},
    "own": {"net": module()},
    "bare features": {"standardise": False, "learning_rate": 1e-4},
}


@pytest.mark.parametrize("parameters", SETTINGS.values(), ids=SETTINGS)
def test_a_resumed_training_gives_the_very_same_model(parameters, train, valid, tmp_path, monkeypatch):
    expected = nine_epochs(**parameters).fit(train, baseline=BASELINE)
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path / "c"}
    crashed(monkeypatch, nine_epochs(**parameters), at=5, checkpoint_every=2, **arguments)
    assert epochs_in(tmp_path / "c") == 4
    crashed(monkeypatch, nine_epochs(**parameters), at=7, batch=1, checkpoint_every=1, resume=True, **arguments)
    assert epochs_in(tmp_path / "c") == 7
    assert_same(nine_epochs(**parameters).fit(resume=True, **arguments), expected, valid)
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(("at", "batch"), [(1, None), (2, 2), (3, None), (4, 3), (6, 0), (8, 1)])
def test_it_does_not_matter_when_a_training_is_interrupted(at, batch, train, valid, tmp_path, monkeypatch):
    parameters = {"schedule": "drop", "restart_after": 2, "learning_rate": 0.1, "objective": rr.SARO(alpha=5)}
    expected = nine_epochs(**parameters).fit(train, baseline=BASELINE)
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path / "c", "checkpoint_every": 1}
    crashed(monkeypatch, nine_epochs(**parameters), at=at, batch=batch, **arguments)
    assert epochs_in(tmp_path / "c") == at
    assert_same(nine_epochs(**parameters).fit(resume=True, **arguments), expected, valid)


@pytest.mark.parametrize("kind", [rr.SARO, rr.FARO])
def test_what_an_objective_remembers_is_not_changed_by_resuming(kind, train, valid, tmp_path, monkeypatch):
    expected = nine_epochs(kind(alpha=5, refresh=3)).fit(train, baseline=BASELINE)
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path / "c", "checkpoint_every": 1}
    crashed(monkeypatch, nine_epochs(kind(alpha=5, refresh=3)), at=5, **arguments)
    assert_same(nine_epochs(kind(alpha=5, refresh=3)).fit(resume=True, **arguments), expected, valid)


@pytest.mark.parametrize(("measure", "at"), [(None, 2), ("objective", 6), ("AP", 4)])
def test_validation_and_early_stopping_go_on_where_they_were(measure, at, train, valid, tmp_path, monkeypatch):
    parameters = {"n_epochs": 50, "learning_rate": 0.05, "early_stopping": 6, "valid_measure": measure}
    arguments = {"X": train, "baseline": BASELINE, "valid": valid}
    expected = nine_epochs(**parameters).fit(**arguments)
    assert 6 < expected.card_["epochs"] < 50
    arguments["checkpoint"] = tmp_path / "c"
    crashed(monkeypatch, nine_epochs(**parameters), at=at, checkpoint_every=1, **arguments)
    assert_same(nine_epochs(**parameters).fit(resume=True, **arguments), expected, valid)


def test_the_best_epoch_may_lie_before_the_interruption(train, valid, tmp_path, monkeypatch):
    arguments = {"X": train, "baseline": BASELINE, "valid": valid}
    parameters = {**BURGES, "learning_rate": 5.0}
    expected = nine_epochs(**parameters).fit(**arguments)
    assert expected.best_steps_ < 8
    arguments["checkpoint"] = tmp_path / "c"
    crashed(monkeypatch, nine_epochs(**parameters), at=8, checkpoint_every=8, **arguments)
    assert_same(nine_epochs(**parameters).fit(resume=True, **arguments), expected, valid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_training_after_the_epoch_and_leaves_a_usable_model(number, train, valid, tmp_path, monkeypatch):
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path / "c"}
    expected = nine_epochs().fit(train, baseline=BASELINE)
    stopped = crashed(
        monkeypatch,
        nine_epochs(),
        at=5,
        batch=2,
        action=lambda: signal.raise_signal(number),
        error=KeyboardInterrupt,
        **arguments,
    )
    assert stopped.card_["epochs"] == epochs_in(tmp_path / "c") == 6
    assert stopped.card_["ending"] == "interrupted after 6 epochs"
    scores = stopped.predict(valid)
    assert (scores != expected.predict(valid)).any()
    stopped.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores)
    assert_same(nine_epochs().fit(resume=True, **arguments), expected, valid)


def test_a_checkpoint_is_written_every_five_epochs_unless_told_otherwise(train, tmp_path, monkeypatch):
    crashed(monkeypatch, nine_epochs(), at=8, X=train, baseline=BASELINE, checkpoint=tmp_path / "c")
    assert epochs_in(tmp_path / "c") == 5


@pytest.fixture(scope="module")
def interrupted(train, tmp_path_factory):
    """With the checkpoint of a training that ended after 3 epochs."""
    folder = tmp_path_factory.mktemp("interrupted")
    with pytest.MonkeyPatch.context() as patch:
        crashed(patch, nine_epochs(), at=3, X=train, baseline=BASELINE, checkpoint=folder, checkpoint_every=1)
    return folder


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"net": "two-layer", "hidden": (8,)}, "net was 'mlp', is 'two-layer'"),
        ({"net": module(), "hidden": None}, r"hidden was \[8\], is None"),
        ({"hidden": (9,)}, r"hidden was \[8\], is \[9\]"),
        ({"dropout": 0.2}, "dropout was 0.1, is 0.2"),
        ({"standardise": False}, "standardise was True, is False"),
        ({"n_epochs": 10}, "n_epochs was 9, is 10"),
        ({"batch_queries": 8}, "batch_queries was 4, is 8"),
        ({"optimiser": "sgd"}, "optimiser was 'adamw', is 'sgd'"),
        ({"learning_rate": 0.02}, "learning_rate was 0.01, is 0.02"),
        ({"weight_decay": 0.0}, "weight_decay was 0.01, is 0.0"),
        ({"schedule": "drop"}, "schedule was 'cosine', is 'drop'"),
        ({"restart_after": 3}, "restart_after was None, is 3"),
        ({"start": "baseline"}, "start was 'zero', is 'baseline'"),
        ({"random_state": 1}, "random_state was 0, is 1"),
        ({"objective": rr.URisk(alpha=6)}, "objective was .*'alpha': 5.*'alpha': 6"),
    ],
    ids=lambda x: "" if isinstance(x, str) else next(iter(x)),
)
def test_another_parameter_is_another_training(parameters, message, train, interrupted):
    before = (interrupted / CHECKPOINT).read_bytes()
    with pytest.raises(ParameterError, match=f"{CHECKPOINT} is of another training: {message}"):
        nine_epochs(**parameters).fit(train, baseline=BASELINE, checkpoint=interrupted, resume=True)
    assert (interrupted / CHECKPOINT).read_bytes() == before


def test_another_module_of_the_same_class_is_another_training(train, tmp_path, monkeypatch):
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path, "checkpoint_every": 1}
    crashed(monkeypatch, nine_epochs(net=module()), at=2, **arguments)
    with pytest.raises(ParameterError, match="another"):
        nine_epochs(net=module(hidden=7)).fit(resume=True, **arguments)


def test_a_checkpoint_without_the_layers_of_its_module_is_gone_on_from(train, tmp_path, monkeypatch):
    arguments = {"X": train, "baseline": BASELINE, "checkpoint": tmp_path, "checkpoint_every": 1}
    with monkeypatch.context() as patch:
        patch.setattr(rr.LambdaNet, "identity", Ranker.identity)  # as it was once
        crashed(patch, nine_epochs(net=module()), at=2, **arguments)
    resumed = nine_epochs(net=module()).fit(resume=True, **arguments)
    through = nine_epochs(net=module()).fit(train, baseline=BASELINE)
    np.testing.assert_array_equal(resumed.predict(train), through.predict(train))


KILLED = """
import os, signal, sys
from pathlib import Path
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.nets.descent import Descent

step = Descent.step

def stepping(self, number):
    if number == 6:
        assert Path(sys.argv[1], "checkpoint.npz").exists()
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, number)

Descent.step = stepping
train = web_search_data(60, documents_per_query=12, n_features=20).take(slice(0, 14))
ranker = rr.LambdaNet(
    rr.URisk(alpha=5), hidden=(8,), n_epochs=9, batch_queries=4, learning_rate=0.01, dropout=0.3, n_threads=1
)
ranker.fit(train, baseline=rr.Feature(1), checkpoint=sys.argv[1], checkpoint_every=2)
"""


def test_a_killed_training_is_resumed(train, valid, tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "c")], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [".riskrank.json", CHECKPOINT]
    assert epochs_in(tmp_path / "c") == 6
    expected = nine_epochs(dropout=0.3).fit(train, baseline=BASELINE)
    resumed = nine_epochs(dropout=0.3).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    assert_same(resumed, expected, valid)
