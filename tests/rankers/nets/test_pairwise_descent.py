"""RankNet pair by pair (V1 of Burges et al. 2006) against one backward pass for all documents (V2)."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

torch = pytest.importorskip("torch", reason="nets need PyTorch")

from riskrank.rankers.nets.pairwise_descent import PairwiseDescent  # noqa: E402 (needs PyTorch)

from .small_nets import RANKNET, net_of, weights  # noqa: E402 (needs PyTorch)


def mixed_data():
    """Queries of several sizes, one of them without any pair, and another with a document of every label."""
    rng = np.random.default_rng(4)
    labels = np.array([*(0, 1, 2, 0, 3), *(1, 1, 1), *(2, 0), *(0, 0, 0, 4, 1, 2, 3)])
    return rr.RankingData.from_arrays(rng.normal(size=(17, 5)), labels, group=[5, 3, 2, 7])


@pytest.mark.parametrize("batch_queries", [1, 3])
@pytest.mark.parametrize("pairs_at_once", [1, 4, 500_000])
@pytest.mark.parametrize("net", ["linear", "two-layer"])
def test_pairs_one_by_one_lead_to_the_same_weights(net, pairs_at_once, batch_queries, monkeypatch):
    monkeypatch.setattr(PairwiseDescent, "pairs_at_once", pairs_at_once)
    options = {"net": net, "optimiser": "sgd", "weight_decay": 0.0, "learning_rate": 0.05, "schedule": "drop"}
    factored, pairwise = (
        net_of(RANKNET, **options, batch_queries=batch_queries, backprop=each).fit(mixed_data())
        for each in ("documents", "pairs")
    )
    for name, value in weights(factored.net_).items():
        np.testing.assert_allclose(weights(pairwise.net_)[name], value, atol=2e-6)
    for column in ("train_effectiveness", "train_reward"):
        np.testing.assert_allclose(pairwise.history_[column], factored.history_[column], atol=1e-9)


def test_every_document_is_passed_forward_once_for_each_of_its_pairs(monkeypatch):
    """5 documents have 9 pairs of different labels, 2 have 1, 7 have 18; each pair is two passes."""
    from riskrank.rankers.nets import nets

    rows, scored = [], nets.scored

    def counting(net, features):
        if torch.is_grad_enabled():
            rows.append(len(features))
        return scored(net, features)

    monkeypatch.setattr(nets, "scored", counting)
    for backprop, passed in (("documents", 17), ("pairs", 2 * (9 + 1 + 18))):
        rows.clear()
        net_of(RANKNET, backprop=backprop, n_epochs=1, batch_queries=1).fit(mixed_data())
        assert sum(rows) == passed


def test_a_start_from_the_baseline_counts_in_pairs_too():
    options = {"start": "baseline", "optimiser": "sgd", "learning_rate": 0.05, "net": "linear"}
    factored, pairwise = (
        net_of(RANKNET, **options, backprop=each).fit(mixed_data(), baseline=rr.Feature(1))
        for each in ("documents", "pairs")
    )
    for name, value in weights(factored.net_).items():
        np.testing.assert_allclose(weights(pairwise.net_)[name], value, atol=2e-6)


@pytest.mark.parametrize("objective", [rr.RankNet(), rr.Gain(truncation=None, normalise=False)])
def test_only_ranknet_as_published_is_trained_so(objective):
    with pytest.raises(ParameterError, match="backprop='pairs' is for RankNet"):
        net_of(objective, backprop="pairs").fit(mixed_data())
    with pytest.raises(ParameterError, match="backprop must be one of documents, pairs"):
        net_of(objective, backprop="both").fit(mixed_data())


def test_models_saved_before_there_was_a_choice_go_on_as_the_same():
    assert "backprop" not in net_of(RANKNET).identity()
    assert net_of(RANKNET, backprop="pairs").identity()["backprop"] == "pairs"
