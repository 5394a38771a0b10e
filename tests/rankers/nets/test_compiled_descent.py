"""The compiled loop for small nets against PyTorch, which trains in single precision: so does the loop."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.rankers.fitting.loop import make_steps
from riskrank.rankers.fitting.plan import plan_fit

torch = pytest.importorskip("torch", reason="nets need PyTorch")

from riskrank.rankers.nets import nets  # noqa: E402 (needs PyTorch)
from riskrank.rankers.nets.compiled_descent import CompiledDescent  # noqa: E402 (needs PyTorch)
from riskrank.rankers.nets.descent import Descent  # noqa: E402 (needs PyTorch)

from .small_nets import RANKNET, STILL, net_of, weights  # noqa: E402 (needs PyTorch)

SETTINGS = {
    "RankNet": {"objective": RANKNET, "learning_rate": 0.01},
    "LambdaRank": {},
    "with risk": {"objective": rr.URisk(alpha=5), "learning_rate": 0.1},
    "from the baseline": {"start": "baseline", "learning_rate": 0.1},
    "bare features": {"standardise": False},
    "new weights": {"objective": RANKNET, "restart_after": 1, **STILL},
}


def trained(kind, ranker, train, valid):
    plan = plan_fit(ranker, train, baseline=rr.Feature(1), valid=valid)
    learner = kind(plan, ranker, None)
    return learner, make_steps(plan, learner, None)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("parameters", SETTINGS.values(), ids=SETTINGS)
def test_it_learns_what_pytorch_learns(parameters, layers, easy, unseen):
    ranker = rr.LambdaNet.burges2006(layers=layers, n_epochs=4, n_threads=1, **parameters)
    (one, fast), (other, slow) = (trained(kind, ranker, easy, unseen) for kind in (CompiledDescent, Descent))
    assert max(np.abs(value).max() for value in weights(other.net).values()) > 1e-3
    for name, value in weights(other.net).items():
        np.testing.assert_allclose(weights(one.net)[name], value, rtol=1e-4, atol=1e-5)
        assert weights(one.net)[name].dtype == np.float32
    assert fast.history.columns.keys() == slow.history.columns.keys()
    for name, column in slow.history.columns.items():
        np.testing.assert_allclose(fast.history.columns[name], column, atol=1e-12)
    assert {name: value.shape for name, value in one.arrays().items()} == {
        name: value.shape for name, value in other.arrays().items()
    }


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("standardise", [True, False])
def test_validation_queries_get_the_scores_that_the_model_predicts(standardise, layers, easy, unseen):
    ranker = rr.LambdaNet.burges2006(layers=layers, standardise=standardise, n_epochs=1, n_threads=1)
    learner, _ = trained(CompiledDescent, ranker, easy, unseen)
    scores = nets.all_scores(learner.net, learner.standardise, unseen.features)
    np.testing.assert_allclose(learner.valid_scores(), scores, rtol=2e-7)


PLAIN = {"net": "linear", "optimiser": "sgd", "weight_decay": 0.0, "batch_queries": 1}


@pytest.mark.parametrize(
    ("changed", "is_compiled"),
    [
        ({}, True),
        ({"net": "two-layer"}, True),
        ({"net": "two-layer", "hidden": 1000}, False),
        ({"net": "mlp"}, False),
        ({"batch_queries": 2}, False),
        ({"optimiser": "adamw"}, False),
        ({"weight_decay": 0.1}, False),
        ({"net": torch.nn.Linear(4, 1)}, False),
        ({"objective": RANKNET, "backprop": "pairs"}, False),
    ],
    ids=str,
)
def test_small_nets_are_trained_so_where_each_query_is_a_plain_step(changed, is_compiled, easy):
    ranker = net_of(**{**PLAIN, **changed})
    assert isinstance(ranker.learner(plan_fit(ranker, easy), None), CompiledDescent) == is_compiled
