"""What is said of LambdaRank and RankNet, by made-up values of test queries."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("torch", reason="nets need PyTorch")

from riskrank.papers.burges import burges_claims
from riskrank.papers.burges.burges_nets import JudgedNet

N = 200


def nets(*, linear, two_layer=0.0, level=0.0, noise=0.05):
    """LambdaRank ahead of RankNet by so much at each cut-off; `level`: two layers are better than one by this."""
    rng = np.random.default_rng(0)
    base = rng.uniform(0.3, 0.7, (10, N))
    leads = {"linear": linear, "two layer": two_layer}
    made = {}
    for layers, ahead in leads.items():
        rank_net = base + (level if layers == "two layer" else 0.0)
        error = rng.normal(size=(10, N))
        error -= error.mean(axis=1, keepdims=True)  # so that means are what they are said to be
        made[f"RankNet, {layers}"] = rank_net
        made[f"LambdaRank, {layers}"] = rank_net + np.broadcast_to(ahead, 10)[:, None] + noise * error
    return {name: JudgedNet(name, (1e-3,), values, values) for name, values in made.items()}


@pytest.mark.parametrize(
    ("ahead", "verdict"),
    [
        (0.03, "holds"),
        (-0.03, "does not hold"),
        (0.001, "undecided"),
        ([0.03] * 9 + [-0.03], "does not hold"),  # one cut-off is enough
        ([0.03] * 9 + [0.001], "undecided"),
    ],
    ids=str,
)
def test_to_be_better_is_to_be_ahead_at_every_cut_off(ahead, verdict):
    claim = burges_claims.leads("LambdaRank is better", nets(linear=ahead), "linear")
    assert claim.verdict == verdict
    assert claim.text == "LambdaRank is better (linear)"


def test_evidence_is_margins_at_three_cut_offs():
    evidence = burges_claims.leads("", nets(linear=[0.01 * k for k in range(1, 11)]), "linear").evidence
    assert re.fullmatch(r"\+0.0100 \(.* to .*\) nDCG@1, \+0.0300 \(.* to .*\) nDCG@3, \+0.1000 .* nDCG@10", evidence)


@pytest.mark.parametrize(
    ("top", "rest", "verdict"),
    [(0.05, 0.0, "holds"), (-0.05, 0.0, "does not hold"), (0.0, 0.0, "undecided"), (-0.03, -0.08, "does not hold")],
)
def test_the_gap_grows_where_the_first_rank_has_more_of_a_lead_than_ten(top, rest, verdict):
    assert burges_claims.gap_grows(nets(linear=[top] + [rest] * 9), "linear").verdict == verdict


@pytest.mark.parametrize(("ahead", "verdict"), [(0.001, "holds"), ([0.0] * 9 + [0.2], "does not hold")], ids=str)
def test_intervals_of_means_overlap_or_do_not(ahead, verdict):
    """Means of 200 values between 0.3 and 0.7 have intervals of ± 0.016."""
    assert burges_claims.intervals_overlap(nets(linear=ahead)).verdict == verdict


def test_one_test_query_has_no_intervals_that_could_overlap():
    single = {
        name: JudgedNet(name, net.rates, net.values[:, :1], net.trained) for name, net in nets(linear=0.01).items()
    }
    assert burges_claims.intervals_overlap(single).verdict == "does not hold"


@pytest.mark.parametrize(
    ("linear", "two_layer", "verdict"),
    [
        (0.05, -0.01, "holds"),
        (-0.05, 0.01, "holds"),
        (0.01, 0.05, "does not hold"),
        (0.03, -0.03, "undecided"),
        (0.0, 0.0, "undecided"),
    ],
)
def test_two_layer_nets_are_closer_whoever_is_ahead(linear, two_layer, verdict):
    assert burges_claims.is_closer(nets(linear=linear, two_layer=two_layer)).verdict == verdict


@pytest.mark.parametrize(
    ("ahead", "verdict"),
    [
        (0.03, "holds"),
        ([0.2] * 4 + [0.03] * 6, "holds"),  # at larger cut-offs only
        (0.06, "does not hold"),
        (0.0, "does not hold"),
        (0.034, "undecided"),
    ],
    ids=str,
)
def test_linear_lambdarank_lies_on_two_layer_ranknet_within_a_line(ahead, verdict):
    assert burges_claims.lies_on_top(nets(linear=ahead, level=0.03, noise=0.03)).verdict == verdict


def test_two_layer_nets_that_are_as_far_apart_as_linear_ones_are_seldom_called_closer():
    """Neither has a lead in truth, where the size of a mean bends: 2.5 % and fewer are meant, 4 of 150."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(150):
        ahead = {layers: rng.normal(size=(10, N)) for layers in ("linear", "two layer")}
        made = {}
        for layers, values in ahead.items():
            made[f"RankNet, {layers}"] = np.zeros((10, N))
            made[f"LambdaRank, {layers}"] = values
        judged = {name: JudgedNet(name, (1e-3,), values, values) for name, values in made.items()}
        found.append(burges_claims.is_closer(judged).verdict)
    assert found.count("holds") <= 10
    assert found.count("does not hold") <= 10
