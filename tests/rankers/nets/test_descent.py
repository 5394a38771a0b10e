"""How a net descends: factored training, the rate, new weights, seeds, and scores that explode."""

from __future__ import annotations

import dataclasses
import math
from itertools import chain, pairwise

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import TrainingError
from riskrank.risk.paired import tradeoff

torch = pytest.importorskip("torch", reason="nets need PyTorch")
nn = torch.nn

from riskrank.rankers.nets.descent import Descent  # noqa: E402 (needs PyTorch)

from .small_nets import RANKNET, STILL, column, effectiveness, net_of, weights  # noqa: E402 (needs PyTorch)

# Factored training (V2 of Burges et al. 2006) against the cost summed pair by pair (V1).

NDCG = rr.Gain("nDCG(dcg='exp-log2')", truncation=None, normalise=False)


def dcg(labels):
    return sum((2.0**label - 1) / math.log2(rank + 1) for rank, label in enumerate(labels, start=1))


def swap_change(labels, scores, i, j):
    """|change of nDCG| when two documents change places; ranks by score."""
    order = list(np.argsort(-scores, kind="stable"))
    best = dcg(sorted(labels, reverse=True))
    a, b = order.index(i), order.index(j)
    swapped = order.copy()
    swapped[a], swapped[b] = j, i
    return abs(dcg(labels[swapped]) - dcg(labels[order])) / best


def pairwise_cost(net, data, objective):
    """Burges et al. 2006, Eq. 8, for each pair on its own; for nDCG times what a swap would change."""
    total = torch.zeros((), dtype=torch.float64)
    for begin, end in pairwise(data.query_offsets):
        labels = data.labels[begin:end]
        rows = torch.tensor(data.features[begin:end], dtype=torch.float64)
        with torch.no_grad():
            now = net(rows)[:, 0].numpy()
        for i in range(end - begin):
            for j in range(end - begin):
                if labels[i] > labels[j]:
                    weight = 1.0 if objective is RANKNET else swap_change(labels, now, i, j)
                    s_i, s_j = net(rows[i : i + 1])[0, 0], net(rows[j : j + 1])[0, 0]
                    total = total + weight * (s_j - s_i + torch.log(1 + torch.exp(s_i - s_j)))
    return total / data.n_queries


@pytest.fixture(scope="module")
def few():
    """Queries of several sizes, one of them without pairs."""
    rng = np.random.default_rng(5)
    labels = np.array([2, 0, 1, 0, 3, 0, 1, 1, 1, 0, 2, 2, 0, 1, 4])
    return rr.RankingData.from_arrays(rng.normal(size=(15, 4)).astype(np.float32), labels, group=[6, 2, 4, 3])


@pytest.mark.parametrize("objective", [RANKNET, NDCG], ids=["RankNet", "nDCG"])
@pytest.mark.parametrize("net", ["linear", "two-layer"])
def test_a_step_is_that_of_the_cost_summed_pair_by_pair(net, objective, few):
    options = {"net": net, "optimiser": "sgd", "weight_decay": 0.0, "standardise": False, "n_epochs": 1}
    options |= {"batch_queries": few.n_queries}
    untrained = net_of(objective, **{**options, **STILL}).fit(few).net_.double()
    untrained.zero_grad()
    rate = 0.05 if objective is RANKNET else 0.5
    trained = weights(net_of(objective, **options, learning_rate=rate).fit(few).net_)
    before = weights(untrained)
    pairwise_cost(untrained, few, objective).backward()
    moved = 0.0
    for name, parameter in untrained.named_parameters():
        change = -rate * parameter.grad.numpy()
        moved = max(moved, np.abs(change).max())
        np.testing.assert_allclose(trained[name] - before[name], change, atol=1e-5)
    assert moved > 0.03


@pytest.mark.parametrize("size", [1, 4, 5, 12, 100])
def test_an_epoch_goes_through_all_queries_in_batches_in_a_random_order(size, easy, monkeypatch):
    batches = []
    learn = Descent._learn

    def learning(self, queries, state):
        batches.append(list(queries))
        return learn(self, queries, state)

    monkeypatch.setattr(Descent, "_learn", learning)
    net_of(batch_queries=size, n_epochs=2).fit(easy)
    sizes = [size] * (12 // size) + ([12 % size] if 12 % size else [])
    assert [len(batch) for batch in batches] == 2 * sizes
    first, second = (list(chain(*half)) for half in (batches[: len(sizes)], batches[len(sizes) :]))
    assert sorted(first) == sorted(second) == list(range(12))
    assert first != second != sorted(second)


# What depends on all queries.


def watching(objective):
    """The same objective, and what it is given before each epoch: the values, and its memory afterwards."""
    calls = []

    class Watching(type(objective)):
        def prepare(self, values, baselines, memory):
            prepared = super().prepare(values, baselines, memory)
            calls.append((values.copy(), dict(memory)))
            return prepared

    Watching.__name__ = type(objective).__name__
    return Watching(**{field.name: getattr(objective, field.name) for field in dataclasses.fields(objective)}), calls


def test_what_depends_on_all_queries_follows_the_values_last_seen(easy):
    """In one batch, an epoch sees all queries as the epochs before it left them."""
    objective, calls = watching(rr.URisk("AP", alpha=3))
    options = {"schedule": "constant", "dropout": 0.0, "batch_queries": 12, "learning_rate": 0.01}

    def values_after(n_epochs):
        changed = {"n_epochs": n_epochs} if n_epochs else {"n_epochs": 1, **STILL}
        ranker = net_of(rr.URisk("AP", alpha=3), **{**options, **changed}).fit(easy, baseline=rr.Feature(1))
        return effectiveness(easy, ranker.predict(easy), "AP")

    net_of(objective, **options, n_epochs=4).fit(easy, baseline=rr.Feature(1))
    given = [values for k, (values, _) in enumerate(calls) if not k or (values != calls[k - 1][0]).any()]
    np.testing.assert_allclose(given, [values_after(n) for n in (0, 1, 2)], atol=1e-12)


@pytest.mark.parametrize("parameters", [{}, {"restart_after": 1, **STILL}], ids=["usual", "with restarts"])
def test_what_depends_on_all_queries_is_prepared_once_per_epoch(parameters, easy):
    objective, calls = watching(rr.SARO(alpha=3))
    net_of(objective, n_epochs=6, **parameters).fit(easy, baseline=rr.Feature(1))
    assert [memory["iteration"] for _, memory in calls] == [1, 2, 3, 4, 5, 6]


def test_the_scale_of_saro_is_that_of_the_first_epoch(easy, epochs):
    objective, calls = watching(rr.SARO("AP", alpha=3))
    net_of(objective, batch_queries=1, learning_rate=0.01).fit(easy, baseline=rr.Feature(1))
    model, baseline = (effectiveness(easy, s, "AP") for s in (epochs[0][0]["scores"], rr.Feature(1).scores(easy)))
    assert calls[-1][1]["scale"] == pytest.approx(tradeoff(model - baseline, 3).std(ddof=1))


# The regime of Burges et al. 2006, §6.3.


def cross_entropy(data, scores):
    total = 0.0
    for begin, end in pairwise(data.query_offsets):
        labels, s = data.labels[begin:end], scores[begin:end]
        better = labels[:, None] > labels[None, :]
        total += np.logaddexp(0, -(s[:, None] - s[None, :]))[better].sum()
    return total / data.n_queries


def minus_ndcg(data, scores):
    return -effectiveness(data, scores, "nDCG@10").mean()


@pytest.mark.parametrize(
    ("objective", "cost", "rate"),
    [(RANKNET, cross_entropy, 0.3), (rr.Gain(truncation=None, normalise=False), minus_ndcg, 9.0)],
    ids=["cross entropy", "nDCG"],
)
@pytest.mark.parametrize("layers", [1, 2])
def test_the_rate_drops_exactly_when_the_training_cost_rose(layers, objective, cost, rate, easy, epochs):
    options = {"learning_rate": rate, "n_epochs": 20, "n_threads": 1, "valid_measure": None}
    rr.LambdaNet.burges2006(objective, layers=layers, **options).fit(easy)
    seen, _ = epochs
    costs = [cost(easy, epoch["scores"]) for epoch in seen]
    expected, is_higher = [rate, rate], []
    for before, now in pairwise(costs):
        is_higher.append(now > before + 1e-12)
        expected.append(expected[-1] * (0.8 if is_higher[-1] else 1.0))
    assert 2 <= sum(is_higher) < len(is_higher)
    np.testing.assert_allclose([epoch["rate"] for epoch in seen], expected[: len(seen)], rtol=1e-12)


def test_training_begins_again_after_so_many_epochs_without_progress(easy, epochs):
    """Weights that hardly move make no progress after their first epoch, whose cost is the first there is."""
    options = {"restart_after": 2, "n_epochs": 8, "n_threads": 1, "valid_measure": None}
    rr.LambdaNet.burges2006(RANKNET, **options, **STILL).fit(easy)
    seen, draws = epochs
    assert [epoch["draws"] for epoch in seen] == [1, 1, 1, 2, 2, 2, 3, 3]
    for epoch in seen:
        np.testing.assert_array_equal(epoch["weights"]["0.weight"], draws[epoch["draws"] - 1]["0.weight"])
    assert len({draw["0.weight"].tobytes() for draw in draws}) == 3


def test_a_new_beginning_has_the_first_rate_and_counts_anew(easy, epochs):
    rate = 5.0
    options = {"learning_rate": rate, "restart_after": 2, "n_epochs": 40, "n_threads": 1, "valid_measure": None}
    rr.LambdaNet.burges2006(RANKNET, **options).fit(easy)
    seen, _ = epochs
    lowest, since, draws, current, previous = math.inf, 0, 1, rate, math.inf
    for epoch in seen:
        if since >= 2:
            lowest, since, draws, current, previous = math.inf, 0, draws + 1, rate, math.inf
        assert epoch["draws"] == draws
        assert epoch["rate"] == pytest.approx(current)
        cost = cross_entropy(easy, epoch["scores"])
        current *= 0.8 if cost > previous else 1.0
        since = 0 if cost < lowest else since + 1
        lowest, previous = min(cost, lowest), cost
    assert 2 < draws < 9


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [("constant", [1, 1, 1, 1]), ("cosine", [1, 0.5 + 0.5 * math.sqrt(0.5), 0.5, 0.5 - 0.5 * math.sqrt(0.5)])],
)
def test_the_rate_follows_its_schedule(schedule, shares, easy, epochs):
    net_of(schedule=schedule, learning_rate=0.02, n_epochs=4).fit(easy)
    np.testing.assert_allclose([epoch["rate"] for epoch in epochs[0]], 0.02 * np.array(shares))


def test_new_weights_after_no_progress_start_from_the_baseline_again(easy, epochs):
    ranker = net_of(start="baseline", n_epochs=5, restart_after=1, **STILL).fit(easy, baseline=rr.Feature(1))
    assert epochs[0][-1]["draws"] == 3
    np.testing.assert_allclose(ranker.predict(easy), ranker.card_["start_scale"] * column(easy), rtol=1e-9)


# Seeds.


@pytest.mark.parametrize("net", ["linear", "two-layer", "mlp"])
def test_the_seed_decides_everything(net, easy):
    def scores(seed, *, outside=0):
        torch.manual_seed(outside)
        return net_of(net=net, random_state=seed, batch_queries=5).fit(easy).predict(easy)

    with torch.random.fork_rng():
        np.testing.assert_array_equal(scores(1), scores(1, outside=7))
        assert (scores(1) != scores(2)).all()


def test_every_batch_of_every_epoch_has_random_numbers_of_its_own(easy):
    drawn = []

    class Drawing(torch.nn.Linear):
        def forward(self, x):
            if self.training:
                drawn.append(float(torch.rand(())))
            return super().forward(x)

    net = Drawing(4, 1)
    for _ in range(2):
        net_of(net=net, batch_queries=5).fit(easy)
    assert len(drawn) == 2 * 3 * 3
    assert drawn[:9] == drawn[9:]
    assert len(set(drawn)) == 9


@pytest.mark.parametrize("parameters", [{}, {"restart_after": 1, **STILL}, {"learning_rate": 1e30}], ids=str)
def test_the_users_random_numbers_and_threads_go_on_undisturbed(parameters, easy, unseen):
    threads = torch.get_num_threads()
    with torch.random.fork_rng():
        torch.manual_seed(12345)
        torch.set_num_threads(3)
        before, legacy = torch.get_rng_state(), np.random.get_state()  # noqa: NPY002 (it must stay the same)
        try:
            net_of(n_epochs=4, **parameters).fit(easy, valid=unseen).predict(unseen)
        except TrainingError:
            assert parameters["learning_rate"] > 1
        now = torch.get_num_threads(), torch.get_rng_state(), np.random.get_state()  # noqa: NPY002 (the same)
        torch.set_num_threads(threads)
    assert now[0] == 3
    assert torch.equal(now[1], before)
    assert all(np.array_equal(one, other) for one, other in zip(now[2], legacy, strict=True))
    assert torch.is_grad_enabled()


def test_the_random_numbers_of_graphics_cards_go_on_undisturbed(easy, monkeypatch):
    seeds = []
    monkeypatch.setattr(torch.cuda, "manual_seed_all", seeds.append)
    net_of().fit(easy)
    assert seeds == []


def test_where_gradients_are_off_a_net_learns_all_the_same(train):
    with torch.no_grad():
        ranker = net_of(net="linear").fit(train)
        assert not torch.is_grad_enabled()
    np.testing.assert_array_equal(ranker.predict(train), net_of(net="linear").fit(train).predict(train))


def test_the_users_usual_precision_changes_nothing(train, valid):
    expected = net_of().fit(train).predict(valid)
    torch.set_default_dtype(torch.float64)
    try:
        np.testing.assert_array_equal(net_of().fit(train).predict(valid), expected)
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


# Scores that explode.


@pytest.mark.parametrize("objective", [rr.Gain(), rr.Gain("AP"), RANKNET], ids=["nDCG", "AP", "RankNet"])
@pytest.mark.parametrize("size", [1, 5, 12])
def test_scores_that_explode_stop_training_and_name_the_learning_rate(objective, size, easy):
    ranker = net_of(objective, optimiser="sgd", learning_rate=1e30, batch_queries=size, n_epochs=5)
    with pytest.raises(TrainingError, match="not finite.* the learning rate"):
        ranker.fit(easy)
    assert not hasattr(ranker, "net_")
    assert not hasattr(ranker, "card_")


def test_the_scores_of_large_queries_may_explode_too():
    rng = np.random.default_rng(0)
    ranker = net_of(RANKNET, net="linear", optimiser="sgd", learning_rate=1e30, batch_queries=1)
    with pytest.raises(TrainingError, match="the learning rate"):
        ranker.fit(rng.normal(size=(1600, 3)), np.tile([0, 1], 800), group=[400] * 4)


def test_scores_that_explode_in_the_last_step_are_noticed_as_well(easy):
    ranker = net_of(net="linear", optimiser="sgd", learning_rate=3e38, batch_queries=12, n_epochs=1)
    with pytest.raises(TrainingError, match="the learning rate"):
        ranker.fit(easy)


def test_weights_that_are_finite_but_far_too_large_are_noticed_as_well(train):
    ranker = net_of(net="linear", optimiser="sgd", learning_rate=3e38, batch_queries=40, n_epochs=1)
    with pytest.raises(TrainingError, match="the learning rate"):
        ranker.fit(train)
