"""LambdaNet: factored training, every objective, the regime of Burges et al. 2006, seeds, starts and guards."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from itertools import chain, pairwise

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError, TrainingError
from riskrank.objectives import own_target
from riskrank.risk.paired import tradeoff

torch = pytest.importorskip("torch", reason="nets need PyTorch")

from riskrank.rankers.nets import descent  # noqa: E402
from riskrank.rankers.nets.descent import Descent  # noqa: E402

RANKNET = rr.RankNet(truncation=None, normalise=False)
NDCG = rr.Gain("nDCG(dcg='exp-log2')", truncation=None, normalise=False)
STILL = {"learning_rate": 1e-30, "weight_decay": 0.0}  # too little to change a weight


def net_of(objective=None, **parameters):
    small = {} if parameters.get("net", "mlp") != "mlp" else {"hidden": (8,)}
    return rr.LambdaNet(objective, **{"n_epochs": 3, "n_threads": 1, **small, **parameters})


def weights(net):
    return {name: value.numpy().copy() for name, value in net.state_dict().items()}


def easy_data(n_queries=12, *, documents=9, seed=0):
    """Every feature says how good a document is, the first one (the baseline) least of all."""
    rng = np.random.default_rng(seed)
    labels = rng.choice([0, 0, 1, 2], n_queries * documents)
    labels[::documents] = 2
    features = labels[:, None] + rng.normal(size=(len(labels), 4)) * [3, 1, 1, 1]
    return rr.RankingData.from_arrays(features.astype(np.float32), labels, group=[documents] * n_queries)


@pytest.fixture(scope="module")
def easy():
    return easy_data()


@pytest.fixture(scope="module")
def unseen():
    return easy_data(seed=1)


@pytest.fixture
def epochs(monkeypatch):
    """What each epoch left: the scores seen in it, its rate, the weights, and how often they were drawn; the draws."""
    seen, draws = [], []
    step, draw = Descent.step, descent.draw_weights

    def drawing(net, **options):
        draw(net, **options)
        draws.append(weights(net))

    def stepping(self, number):
        told = step(self, number)
        rate = self._optimiser.param_groups[0]["lr"]
        seen.append({"scores": self._scores.copy(), "rate": rate, "weights": weights(self.net), "draws": len(draws)})
        return told

    monkeypatch.setattr(descent, "draw_weights", drawing)
    monkeypatch.setattr(Descent, "step", stepping)
    return seen, draws


# Factored training (V2 of the paper) against the cost summed pair by pair (V1).


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
    begin = net_of(objective, **{**options, **STILL}).fit(few).net_.double()
    begin.zero_grad()
    rate = 0.05 if objective is RANKNET else 0.5
    trained = weights(net_of(objective, **options, learning_rate=rate).fit(few).net_)
    before = weights(begin)
    pairwise_cost(begin, few, objective).backward()
    moved = 0.0
    for name, parameter in begin.named_parameters():
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


# Every objective and measure.


def effectiveness(data, scores, measure):
    return rr.evaluate(data, {"x": scores}, measure)["x"]


@pytest.mark.parametrize("name", sorted(rr.objectives.OBJECTIVES))
def test_every_objective_trains_a_net(name, easy):
    objective = rr.objectives.objective_named(name)
    several = [rr.Feature(1), easy.features[:, :2].sum(axis=1).astype(np.float64)]
    baseline = several if name in ("tstar_faro", "georisk", "churn") else rr.Feature(1)
    ranker = net_of(objective, n_epochs=12, learning_rate=0.01, batch_queries=4).fit(easy, baseline=baseline)
    history = ranker.history_["train_effectiveness"]
    assert history[-1] > history[0] + 0.05
    assert ranker.card_["epochs"] == len(history) == 12
    untrained = net_of(objective, n_epochs=1, **STILL).fit(easy, baseline=baseline)
    assert ranker.score(easy) > untrained.score(easy) + 0.05


@pytest.mark.parametrize("measure", ["nDCG", "AP", "ERR@10", "RR", "P(rel=2)@2", "PairAccuracy"])
def test_several_measures_are_learned(measure, easy, unseen):
    ranker = net_of(rr.Gain(measure), n_epochs=12, learning_rate=0.01, batch_queries=4).fit(easy)
    baseline = effectiveness(unseen, rr.Feature(1).scores(unseen), measure)
    assert effectiveness(unseen, ranker.predict(unseen), measure).mean() > baseline.mean()
    assert ranker.history_["train_effectiveness"][-1] > ranker.history_["train_effectiveness"][0]


def watching(objective):
    """The same objective, and what it is given before each epoch: the values, and its memory afterwards."""
    calls = []

    class Watching(type(objective)):
        def prepare(self, values, baselines, memory):
            found = super().prepare(values, baselines, memory)
            calls.append((values.copy(), dict(memory)))
            return found

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
    rr.LambdaNet.burges2006(objective, layers=layers, learning_rate=rate, n_epochs=20, n_threads=1).fit(easy)
    seen, _ = epochs
    costs = [cost(easy, epoch["scores"]) for epoch in seen]
    expected, is_higher = [rate, rate], []
    for before, now in pairwise(costs):
        is_higher.append(now > before + 1e-12)
        expected.append(expected[-1] * (0.8 if is_higher[-1] else 1.0))
    assert 2 <= sum(is_higher) < len(is_higher)
    np.testing.assert_allclose([epoch["rate"] for epoch in seen], expected[: len(seen)], rtol=1e-12)


def test_the_paper_takes_a_step_per_query_with_plain_gradient_descent():
    ranker = rr.LambdaNet.burges2006(RANKNET)
    found = ranker.get_params()
    assert (found["net"], found["batch_queries"], found["optimiser"]) == ("two-layer", 1, "sgd")
    assert (found["schedule"], found["restart_after"], found["weight_decay"]) == ("drop", 50, 0)
    assert rr.LambdaNet.burges2006(layers=1).net == "linear"
    assert rr.LambdaNet.burges2006(n_epochs=7, restart_after=None).get_params()["restart_after"] is None
    for layers in (0, 3, "two"):
        with pytest.raises(ParameterError, match="layers must be one of 1, 2"):
            rr.LambdaNet.burges2006(layers=layers)


def test_the_number_of_layers_may_come_as_text_or_is_refused():
    with contextlib.suppress(ParameterError):
        assert rr.LambdaNet.burges2006(layers="1").net == "linear"


def test_training_begins_again_after_so_many_epochs_without_progress(easy, epochs):
    """Weights that hardly move make no progress after their first epoch, whose cost is the first there is."""
    rr.LambdaNet.burges2006(RANKNET, restart_after=2, n_epochs=8, n_threads=1, **STILL).fit(easy)
    seen, draws = epochs
    assert [epoch["draws"] for epoch in seen] == [1, 1, 1, 2, 2, 2, 3, 3]
    for epoch in seen:
        np.testing.assert_array_equal(epoch["weights"]["0.weight"], draws[epoch["draws"] - 1]["0.weight"])
    assert len({draw["0.weight"].tobytes() for draw in draws}) == 3


def test_a_new_beginning_has_the_first_rate_and_counts_anew(easy, epochs):
    rate = 5.0
    rr.LambdaNet.burges2006(RANKNET, learning_rate=rate, restart_after=2, n_epochs=25, n_threads=1).fit(easy)
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


@pytest.mark.parametrize("restart_after", [None, 2])
def test_the_best_epoch_by_validation_is_used(restart_after, easy, unseen, epochs):
    ranker = rr.LambdaNet.burges2006(
        RANKNET, learning_rate=5.0, restart_after=restart_after, n_epochs=15, n_threads=1, random_state=2
    )
    ranker.fit(easy, valid=unseen)
    history = ranker.history_["valid_effectiveness"]
    assert ranker.best_steps_ == ranker.card_["best_epochs"] == np.argmax(history) + 1 < len(history) == 15
    assert effectiveness(unseen, ranker.predict(unseen), "PairAccuracy").mean() == pytest.approx(
        history.max(), abs=1e-12
    )
    best = epochs[0][ranker.best_steps_ - 1]["weights"]
    for name, value in weights(ranker.net_).items():
        np.testing.assert_array_equal(value, best[name])


def test_the_history_is_that_of_the_model_after_each_epoch(easy, unseen):
    options = {"schedule": "constant", "learning_rate": 0.01}
    objective = rr.URisk(alpha=2)
    ranker = net_of(objective, **options, n_epochs=3).fit(easy, valid=unseen, baseline=rr.Feature(1))
    baseline = effectiveness(unseen, rr.Feature(1).scores(unseen), "nDCG@10")
    for n in (1, 2, 3):
        scores = net_of(objective, **options, n_epochs=n).fit(easy, baseline=rr.Feature(1)).predict(unseen)
        values = effectiveness(unseen, scores, "nDCG@10")
        assert ranker.history_["valid_effectiveness"][n - 1] == pytest.approx(values.mean(), abs=1e-12)
        assert ranker.history_["valid_risk"][n - 1] == pytest.approx(rr.risk.risk(values, baseline))
    assert len(ranker.history_["train_effectiveness"]) == 3


@pytest.mark.parametrize("measure", [None, "target", "AP"])
def test_early_stopping_waits_for_the_measure_asked_for(measure, easy, unseen):
    options = {"early_stopping": 4, "valid_measure": measure, "n_epochs": 60, "learning_rate": 0.03}
    ranker = net_of(rr.URisk(alpha=2), **options).fit(easy, valid=unseen, baseline=rr.Feature(1))
    target = ranker.history_["target"]
    assert ranker.best_steps_ == np.argmax(target) + 1
    assert len(target) == ranker.best_steps_ + 4 < 60
    assert "no better on validation queries for 4 epochs" in ranker.card_["ending"]
    if measure == "AP":
        assert effectiveness(unseen, ranker.predict(unseen), "AP").mean() == pytest.approx(target.max(), abs=1e-12)


def until_good(delta, query, run):
    return delta if run.mean_difference < 0.1 else 0.0 * delta


def test_a_training_that_ends_for_lack_of_gradients_uses_its_best_epoch_too(easy):
    ranker = net_of(own_target(until_good)(), n_epochs=99, learning_rate=0.01, batch_queries=12, dropout=0.0)
    ranker.fit(easy, baseline=rr.Feature(1), valid=easy)
    assert "nothing is left to gain" in ranker.card_["ending"]
    history = ranker.history_["valid_effectiveness"]
    assert ranker.best_steps_ == np.argmax(history) + 1
    assert ranker.score(easy) == pytest.approx(history.max(), abs=1e-12)


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [("constant", [1, 1, 1, 1]), ("cosine", [1, 0.5 + 0.5 * math.sqrt(0.5), 0.5, 0.5 - 0.5 * math.sqrt(0.5)])],
)
def test_the_rate_follows_its_schedule(schedule, shares, easy, epochs):
    net_of(schedule=schedule, learning_rate=0.02, n_epochs=4).fit(easy)
    np.testing.assert_allclose([epoch["rate"] for epoch in epochs[0]], 0.02 * np.array(shares))


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


# A start from the baseline.


def column(data):
    return data.feature(1).astype(np.float64)


@pytest.mark.parametrize("net", ["linear", "two-layer", "mlp"])
def test_before_learning_a_model_that_starts_from_the_baseline_ranks_as_it_does(net, easy, unseen):
    ranker = net_of(rr.URisk(alpha=5), net=net, start="baseline", n_epochs=1, **STILL)
    ranker.fit(easy, baseline=rr.Feature(1), valid=unseen)
    for data in (easy, unseen):
        np.testing.assert_allclose(ranker.predict(data), ranker.card_["start_scale"] * column(data), rtol=1e-9)
    for side in ("train", "valid"):
        assert ranker.history_[f"{side}_risk"][0] == ranker.history_[f"{side}_reward"][0] == 0


def test_learning_starts_from_the_baseline(easy):
    ranker = net_of(rr.URisk(alpha=5), start="baseline", n_epochs=12, learning_rate=0.01, batch_queries=4)
    history = ranker.fit(easy, baseline=rr.Feature(1)).history_
    assert history["train_risk"][0] < 0.05
    assert history["train_urisk"][-1] > history["train_urisk"][0]
    values = rr.evaluate(easy, {"m": ranker.predict(easy), "b": column(easy)}, "nDCG@10")
    assert values["m"].mean() > values["b"].mean() + 0.05


def test_a_model_that_starts_from_a_baseline_needs_it_to_predict(easy, unseen, tmp_path):
    by_feature = net_of(start="baseline").fit(easy, baseline=rr.Feature(1))
    by_scores = net_of(start="baseline").fit(easy, baseline=column(easy))
    scores = by_feature.predict(unseen)
    np.testing.assert_array_equal(by_feature.predict(unseen.features), scores)
    np.testing.assert_array_equal(by_scores.predict(unseen, baseline=column(unseen)), scores)
    by_scores.save(tmp_path / "model")
    for model in (by_scores, rr.load(tmp_path / "model")):
        np.testing.assert_array_equal(model.predict(unseen.features, baseline=column(unseen)), scores)
        with pytest.raises(ParameterError, match="this model starts from its baseline .scores.: pass baseline="):
            model.predict(unseen)
        with pytest.raises(AlignmentError, match="needs a score for each of the .* documents"):
            model.predict(unseen, baseline=np.ones(2))


def test_new_weights_after_no_progress_start_from_the_baseline_again(easy, epochs):
    ranker = net_of(start="baseline", n_epochs=5, restart_after=1, **STILL).fit(easy, baseline=rr.Feature(1))
    assert epochs[0][-1]["draws"] == 3
    np.testing.assert_allclose(ranker.predict(easy), ranker.card_["start_scale"] * column(easy), rtol=1e-9)


# Guards.


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


def test_a_failed_training_leaves_the_earlier_model(easy):
    ranker = net_of().fit(easy)
    scores = ranker.predict(easy)
    with pytest.raises(TrainingError):
        ranker.set_params(optimiser="sgd", learning_rate=1e30).fit(easy)
    np.testing.assert_array_equal(ranker.predict(easy), scores)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"net": "cnn"}, "net must be one of linear, two-layer, mlp, or a torch.nn.Module .an instance., got 'cnn'"),
        ({"net": None}, "net must be one of linear, two-layer, mlp, or a torch.nn.Module .an instance., got None"),
        ({"hidden": 0}, "hidden must be a whole number from 1, got 0"),
        ({"hidden": (8, 2.5)}, "hidden must be a whole number from 1, got 2.5"),
        ({"hidden": "8"}, "hidden must be a whole number from 1, got '8'"),
        ({"net": "linear", "hidden": 3}, "a linear net has no hidden units: leave hidden= out, or choose another net"),
        ({"net": "two-layer", "hidden": (3, 4)}, r"a two-layer net has one hidden layer, got hidden=\(3, 4\)"),
        ({"dropout": 1}, "dropout must be a number from 0, below 1, got 1"),
        ({"dropout": -0.1}, "dropout must be a number from 0, below 1, got -0.1"),
        ({"batch_queries": 0}, "batch_queries must be a whole number from 1, got 0"),
        ({"schedule": "x"}, "schedule must be one of cosine, constant, drop, got 'x'"),
        ({"optimiser": "x"}, "optimiser must be one of adamw, sgd, got 'x'"),
        ({"n_epochs": 0}, "n_epochs must be a whole number from 1, got 0"),
        ({"n_epochs": 2.0}, "n_epochs must be a whole number from 1, got 2.0"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0, got 0"),
        ({"learning_rate": math.inf}, "learning_rate must be a number above 0, got inf"),
        ({"weight_decay": -1}, "weight_decay must be a number from 0, got -1"),
        ({"restart_after": 0}, "restart_after must be a whole number from 1 or None, got 0"),
        ({"early_stopping": 3}, "early_stopping needs validation data: pass valid="),
        ({"start": "baseline"}, "start='baseline' needs exactly one baseline, got 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused_before_any_work(parameters, message, easy):
    ranker = rr.LambdaNet(**parameters)
    with pytest.raises(ParameterError, match=message) as caught:
        ranker.fit(easy)
    assert "\n" not in str(caught.value)
    assert not hasattr(ranker, "net_")


def test_numbers_of_numpy_are_as_good_as_pythons(easy, tmp_path):
    ranker = net_of(hidden=(np.int64(4), np.int32(3)), n_epochs=np.int64(2), dropout=np.float32(0.25)).fit(easy)
    ranker.save(tmp_path)
    back = rr.load(tmp_path)
    assert list(back.hidden) == [4, 3]
    np.testing.assert_array_equal(back.predict(easy), ranker.predict(easy))
    np.testing.assert_array_equal(back.set_params(n_threads=1).fit(easy).predict(easy), ranker.predict(easy))


def test_dropout_changes_training_and_not_prediction(easy):
    with_dropout, without = (net_of(dropout=dropout).fit(easy) for dropout in (0.5, 0.0))
    assert (with_dropout.predict(easy) != without.predict(easy)).any()
    np.testing.assert_array_equal(with_dropout.predict(easy), with_dropout.predict(easy))
