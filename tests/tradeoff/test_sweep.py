"""Sweeps: their numbers against the models themselves, their folder, and what happens when they are interrupted."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.rankers.selective.query_predictors import parse_predictor
from riskrank.rankers.trees import lightgbm_trees
from riskrank.risk.outcomes import gain, outcomes, reward, risk
from riskrank.tradeoff import run_sweep as sweeping
from riskrank.tradeoff.grid import Setting, slug, with_value
from riskrank.tradeoff.query_splits import splits_of

from .made_up import judged, made_up

TEXT = rr.Feature(1)
PREDICTORS = ("max feature:1", "margin", "gain")


@pytest.fixture(scope="module")
def parts():
    data = web_search_data(120, documents_per_query=20, n_features=20)
    return [data.take(slice(*ends)) for ends in ((0, 50), (50, 80), (80, 120))]


@pytest.fixture(scope="module")
def small():
    """For sweeps that are made many times."""
    data = web_search_data(36, documents_per_query=8, n_features=20, random_state=1)
    return [data.take(slice(*ends)) for ends in ((0, 16), (16, 24), (24, 36))]


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch):
    """So that models side by side have a thread each, and are the same to the last bit, on any machine."""
    monkeypatch.setattr(sweeping, "usable_cores", lambda: 2)


def ranker(objective=None, **parameters):
    chosen = rr.URisk("nDCG@10") if objective is None else objective
    return rr.LambdaMART(chosen, **{"n_trees": 6, "n_leaves": 4, "n_threads": 1, **parameters})


def quick(parts, rankers=None, *, baseline=TEXT, **options):
    train, valid, test = parts
    rankers = ranker(n_trees=3) if rankers is None else rankers
    given = {"values": (0, 1), "valid": valid, "test": test, "n_jobs": 1, **options}
    return rr.sweep(train, rankers, baseline=baseline, **given)


@pytest.fixture(scope="module")
def found(parts):
    rankers = {"URisk": ranker(), "for AP": ranker(rr.URisk("AP"))}
    return quick(parts, rankers, values=(5, 0, 1), measures=["AP", "nDCG@10", "RR"], predictors=PREDICTORS)


@pytest.fixture(scope="module")
def models(parts):
    """The models of that sweep, trained one by one."""
    train, valid, _ = parts
    return [
        ranker(rr.URisk(measure, alpha=alpha)).fit(train, baseline=TEXT, valid=valid)
        for measure in ("nDCG@10", "AP")
        for alpha in (0.0, 1.0, 5.0)
    ]


def same_sweeps(one, other):
    """All but where the models are."""
    for name in ("measure", "parameter", "baseline", "settings", "is_valid_fresh", "unit", "n_folds"):
        assert getattr(one, name) == getattr(other, name), name
    np.testing.assert_array_equal(one.train_gain, other.train_gain)
    np.testing.assert_array_equal(one.train_risk, other.train_risk)
    for mine, theirs in zip(one.learning, other.learning, strict=True):
        for curve, expected in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(curve, expected)
    assert list(one.thresholds) == list(other.thresholds) == list(one.predictors) == list(other.predictors)
    for name, limits in one.thresholds.items():
        np.testing.assert_array_equal(limits, other.thresholds[name])
        assert json.dumps(one.predictors[name].to_dict()) == json.dumps(other.predictors[name].to_dict())
    for name in ("test", "valid", "calibration"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        if mine is not None:
            same_judged(mine, theirs)


def same_judged(one, other):
    assert one.queries == other.queries
    for name in ("fold", "baseline", "values", "distance", "is_reranked"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("predictors", "others"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert list(mine) == list(theirs)
        for label, values in mine.items():
            np.testing.assert_array_equal(values, theirs[label], err_msg=label)


def untrainable(monkeypatch):
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))


class Trainings:
    """Notes the alpha of each model that is trained; one that is told to fails."""

    def __init__(self, monkeypatch, *, fails_at=None, error=KeyboardInterrupt):
        self.alphas = []
        fit = rr.LambdaMART.fit

        def noted(model, *arguments, **options):
            self.alphas.append(model.objective.alpha)
            if len(self.alphas) == fails_at:
                raise error
            return fit(model, *arguments, **options)

        monkeypatch.setattr(rr.LambdaMART, "fit", noted)


# The numbers.


def test_the_models_are_a_grid_of_series_and_values(found):
    expected = [Setting(name, "alpha", value) for name in ("URisk", "for AP") for value in (0.0, 1.0, 5.0)]
    assert list(found.settings) == expected
    assert len(found) == 6
    assert found.series == ("URisk", "for AP")
    assert found.of("for AP") == [3, 4, 5]
    assert found.find(5) == 2
    assert found.find(1, "for AP") == 4
    assert found.full == 0
    assert [setting.label for setting in found.settings][1:3] == ["URisk, α = 1", "URisk, α = 5"]


def test_every_model_is_the_one_trained_by_itself(found, models, parts):
    for i, expected in enumerate(models):
        np.testing.assert_array_equal(found.model(i).predict(parts[2]), expected.predict(parts[2]))
        assert found.model(i).objective == expected.objective


def test_the_summary_has_the_numbers_of_each_model(found, models, parts):
    test = parts[2]
    summary = found.summary
    base = rr.evaluate(test, {"b": test.feature(1)}, "nDCG@10")["b"]
    full = rr.evaluate(test, {"m": models[0].predict(test)}, "nDCG@10")["m"]
    for i, (row, model) in enumerate(zip(summary.iter_rows(named=True), models, strict=True)):
        runs = {"model": model.predict(test), "text": test.feature(1)}
        values = rr.evaluate(test, runs, ["nDCG@10", "AP", "RR"])
        own = values["nDCG@10"]["model"]
        change = rr.rank_changes(runs, "text", data=test)["model"]
        counts = outcomes(own, base)
        learned = model.history_["valid_effectiveness"]
        moved = change.tau_per_topic[change.is_reranked]
        expected = {
            "series": found.settings[i].series,
            "alpha": found.settings[i].value,
            "nDCG@10": own.mean(),
            "AP": values["AP"]["model"].mean(),
            "RR": values["RR"]["model"].mean(),
            "gain": gain(own, base),
            "risk": risk(own, base),
            "reward": reward(own, base),
            "wins": counts.wins,
            "losses": counts.losses,
            "ties": counts.ties,
            "losses_over_20_percent": counts.large_losses,
            "gain_percent": 100 * gain(own, base) / gain(full, base) if gain(full, base) > 0 else math.nan,
            "risk_percent": 100 * risk(own, base) / risk(full, base),
            "reranked": change.reranked,
            "gain_per_reranked": gain(own, base) / change.reranked,
            "kendall_tau": change.kendall_tau,
            "kendall_tau_reranked": moved.mean(),
            "trees_to_95_percent": next(t for t, v in enumerate(learned, start=1) if v >= 0.95 * learned[-1]),
        }
        assert list(row) == list(expected)
        for name, value in expected.items():
            same = value if isinstance(value, str) else pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)
            assert row[name] == same, name


def test_what_is_judged_are_the_queries_of_each_set(found, models, parts):
    for judged_set, data in ((found.test, parts[2]), (found.valid, parts[1])):
        assert judged_set.queries == data.query_ids
        assert set(judged_set.fold) == {1}
        runs = {"text": data.feature(1), **{str(i): model.predict(data) for i, model in enumerate(models)}}
        values = rr.evaluate(data, runs, ["nDCG@10", "AP"])
        np.testing.assert_array_equal(judged_set.baseline, values["nDCG@10"]["text"])
        np.testing.assert_array_equal(judged_set.values, values["nDCG@10"].matrix[1:])
        np.testing.assert_allclose(judged_set.others["AP"], values["AP"].matrix.mean(axis=1))
        changes = rr.rank_changes(runs, "text", data=data)
        for i in range(len(models)):
            np.testing.assert_allclose(judged_set.distance[i], (1 - changes[str(i)].tau_per_topic) / 2)
            np.testing.assert_array_equal(judged_set.is_reranked[i], changes[str(i)].is_reranked)
    assert found.calibration is None


def test_gain_and_risk_on_training_queries_give_the_alpha_of_interest(found, models, parts):
    train = parts[0]
    runs = {"text": train.feature(1), **{str(i): model.predict(train) for i, model in enumerate(models)}}
    base, *own = rr.evaluate(train, runs, "nDCG@10").matrix
    np.testing.assert_allclose(found.train_gain, [gain(values, base) for values in own])
    np.testing.assert_allclose(found.train_risk, [risk(values, base) for values in own])
    assert found.alpha_of_interest == pytest.approx(gain(own[0], base) / risk(own[0], base))


def test_models_without_a_weight_on_losses_are_those_of_gain(found, parts):
    train, valid, test = parts
    plain = ranker(rr.Gain("nDCG@10")).fit(train, valid=valid)
    np.testing.assert_allclose(found.model(0).predict(test), plain.predict(test), atol=1e-12)


def test_learning_curves_are_those_of_the_validation_queries(found, models):
    for i, model in enumerate(models):
        np.testing.assert_array_equal(found.learning_curve(i), model.history_["valid_effectiveness"])
    assert found.unit == "trees"


def test_without_validation_queries_learning_is_seen_on_training_queries(small):
    found = quick(small, valid=None)
    model = ranker(rr.URisk(alpha=0), n_trees=3).fit(small[0], baseline=TEXT)
    np.testing.assert_array_equal(found.learning_curve(0), model.history_["train_effectiveness"])
    assert found.valid is None


def test_convergence_counts_steps_over_all_folds():
    curves = ([0.1, 0.5, 0.96, 1.0], [0.95, 0.2, 1.0]), ([0.2, -0.1], [0.5, 0.5, 0.5])
    learning = tuple(tuple(np.array(curve) for curve in folds) for folds in curves)
    sweep = made_up(judged(np.zeros((2, 3))), learning=learning, n_folds=2)
    # 95 % of 1.0 after 3 and 1 steps; a curve that ends below 0 never gets there.
    assert sweep.convergence == [2.0, 1.0]
    np.testing.assert_allclose(sweep.learning_curve(0), [0.525, 0.35, 0.98])  # as far as both go
    never = made_up(judged([[0.0]]), learning=((np.array([-0.5]),),))
    assert math.isnan(never.convergence[0])


# What is read from it.


def test_distances_are_counted_in_ten_bins(found):
    table = found.distances()
    assert table.columns == ["series", "alpha", "bin", "queries", "share", "reward", "gain"]
    assert len(table) == 60
    for i, setting in enumerate(found.settings):
        rows = table.filter((pl.col("series") == setting.series) & (pl.col("alpha") == setting.value))
        bins = [min(9, int(distance * 10 + 1e-9)) for distance in found.test.distance[i]]
        for row in rows.iter_rows(named=True):
            delta = [d for d, at in zip(found.test.delta[i], bins, strict=True) if at == row["bin"]]
            assert row["queries"] == len(delta)
            assert row["share"] == pytest.approx(len(delta) / len(bins))
            if delta:
                assert row["gain"] == pytest.approx(np.mean(delta))
                assert row["reward"] == pytest.approx(np.mean([max(d, 0) for d in delta]))
            else:
                assert math.isnan(row["gain"])


def test_queries_of_one_document_have_no_distance():
    sweep = made_up(judged([[0.1, 0.0, -0.1]], distance=[[0.05, math.nan, 1.0]]))
    table = sweep.distances()
    assert table["queries"].to_list() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert sweep.summary["kendall_tau"][0] == pytest.approx((0.9 - 1) / 2)


def test_a_summary_of_queries_of_one_document_has_no_tau():
    summary = made_up(judged([[0.0, 0.0]], distance=[[math.nan, math.nan]])).summary
    assert math.isnan(summary["kendall_tau"][0])


def test_the_helped_and_the_hurt_are_counted_by_their_relative_change(found):
    for i in range(len(found)):
        histogram = found.helped_hurt(i)
        count, unchanged, from_zero = [0] * 21, 0, 0
        for value, base in zip(found.test.values[i], found.test.baseline, strict=True):
            if abs(value - base) < 1e-12:
                unchanged += 1
            elif base == 0:
                from_zero += 1
            else:
                count[min(20, math.floor((value - base) / base * 10 + 1e-9) + 10)] += 1
        assert (list(histogram.count), histogram.unchanged, histogram.from_zero) == (count, unchanged, from_zero)


def plain_area(points, full):
    """Under the best mixture of any two points, the baseline and the full model, at each cost."""
    points = [(0.0, 0.0), full, *points]
    at = np.linspace(0, full[0], 2001)
    best = []
    for x in at:
        heights = [y for cost, y in points if cost <= x]
        for (left, low), (right, high) in itertools.product(points, points):
            if left <= x < right:
                heights.append(low + (high - low) * (x - left) / (right - left))
        best.append(max(heights))
    return np.trapezoid(best, at) / (full[0] * full[1])


@pytest.fixture
def by_hand():
    """Four queries; the first model has gain 0.2 and risk 0.05, the second 0.15 and 0.025, the third 0.05 and 0."""
    delta = [[0.6, 0.2, 0.2, -0.2], [0.4, 0.2, 0.1, -0.1], [0.2, 0.0, 0.0, 0.0]]
    predictors = {"p": np.array([1.0, 2.0, 3.0, 4.0])}
    test = judged(delta, baseline=0.3, predictors=predictors)
    return made_up(test, thresholds={"p": [0.0, 2.5, 3.5, 4.0]}, series=["a", "a", "b"], values=[0, 1, 0])


def test_areas_are_those_under_the_best_mixtures(by_hand):
    full = (0.05, 0.2)
    areas = by_hand.areas()
    assert areas["a"] == pytest.approx(plain_area([(0.05, 0.2), (0.025, 0.15)], full), abs=1e-4)
    assert areas["b"] == pytest.approx(plain_area([(0.0, 0.05)], full), abs=1e-4)
    # b: from (0, 0.05) straight to (0.05, 0.2): the mean height is 0.125, of 0.2
    assert areas["b"] == pytest.approx(0.625)
    # queries below 4.0 are the three that win: 0.25 at no risk, so more than the full model has
    assert areas["selective: p"] == pytest.approx(1.25)
    reranked = by_hand.areas("reranked")
    # shares re-ranked are 1, 1 and 1/4: from (0, 0) to (1/4, 0.05), on the coin's line
    assert reranked["b"] == pytest.approx(0.5)


def test_areas_of_a_sweep_are_those_of_its_points(parts):
    found = quick(parts, baseline=rr.Feature(8), values=(0, 2, 20))
    for cost in ("risk", "reranked"):
        points = list(zip(getattr(found.test, cost).tolist(), found.test.gain.tolist(), strict=True))
        assert points[0][1] > 0  # otherwise there is no area
        assert found.areas(cost)["URisk"] == pytest.approx(plain_area(points, points[0]), abs=1e-4)


def test_without_gain_there_is_no_area():
    sweep = made_up(judged([[-0.1, 0.05], [0.1, 0.0]]))
    assert math.isnan(sweep.areas()["URisk"])
    assert math.isnan(sweep.summary["gain_percent"][1])


def test_a_selective_curve_is_what_selective_rankers_do(found, models, parts):
    _, valid, test = parts
    base = rr.evaluate(test, {"b": test.feature(1)}, "nDCG@10")["b"]
    for name in PREDICTORS:
        for side in ("above", "below"):
            curve = found.selective(name, apply=side)
            assert (curve["predictor"], curve["apply"]) == (name, side)
            for k in (0, 5, 13, 20):
                one = rr.Selective.of(
                    models[0], baseline=TEXT, predictor=name, threshold=float(curve["threshold"][k]), apply=side,
                    valid=valid,
                )  # fmt: skip
                runs = {"model": one.predict(test), "text": test.feature(1)}
                values = rr.evaluate(test, runs, "nDCG@10")["model"]
                assert curve["risk"][k] == pytest.approx(risk(values, base), abs=1e-12)
                assert curve["gain"][k] == pytest.approx(gain(values, base), abs=1e-12)
                assert curve["share"][k] == one.uses_model(test).mean()
                assert curve["reranked"][k] == rr.rank_changes(runs, "text", data=test)["model"].reranked


def test_thresholds_divide_the_training_queries_evenly(found, models, parts):
    train = parts[0]
    own, other = models[0].predict(train), train.feature(1).astype(np.float64)
    for name in ("max feature:1", "margin"):
        values = parse_predictor(name).values(train, own, other)
        np.testing.assert_allclose(found.thresholds[name], np.quantile(values, np.linspace(0, 1, 21)))
        np.testing.assert_array_equal(
            found.test.predictors[name], found.predictors[name].values(parts[2], *both(models[0], parts[2]))
        )


def both(model, data):
    return model.predict(data), data.feature(1).astype(np.float64)


def test_the_side_of_a_predictor_is_the_better_one_on_validation_queries(by_hand):
    assert by_hand.selective("p")["apply"] == "below"
    flipped = judged([[-0.1, 0.2, 0.2, 0.6], [0, 0, 0, 0], [0, 0, 0, 0]], predictors=by_hand.test.predictors)
    seen = dataclasses.replace(by_hand, valid=flipped)
    assert seen.selective("p")["apply"] == "above"
    np.testing.assert_allclose(seen.selective("p")["gain"][:2], [0.2, 0.0])  # but the numbers are the test queries'


def test_the_effectiveness_can_be_assessed(found):
    values = found.effectiveness()
    assert values.systems == ("feature:1", *(setting.label for setting in found.settings))
    assert values.topics == found.test.queries
    assessment = rr.assess(values, "feature:1", alphas=[1])
    for i, setting in enumerate(found.settings):
        system = assessment[setting.label]
        assert system.risk == pytest.approx(found.test.risk[i])
        assert system.reward == pytest.approx(found.test.reward[i])


def test_queries_of_the_same_name_in_several_folds_are_told_apart():
    sweep = made_up(judged([[0.1, 0.2, 0.3]], queries=["1", "2", "1"], fold=[1, 1, 2]), n_folds=2)
    assert sweep.effectiveness().topics == ("1/1", "1/2", "2/1")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s.of("nobody"), "no series 'nobody'. There are: URisk, for AP"),
        (lambda s: s.find(7), "URisk has no alpha 7; it has 0, 1, 5"),
        (lambda s: s.model(0, fold=2), "fold must be from 1 to 1, got 2"),
        (lambda s: s.model(0, fold=0), "fold must be from 1 to 1, got 0"),
        (lambda s: s.areas("money"), "cost must be one of risk, reranked, got 'money'"),
        (lambda s: s.selective("margins"), "no predictor 'margins'. There are: .* Did you mean 'margin'"),
        (lambda s: s.selective("margin", apply="beside"), "apply must be one of above, below, got 'beside'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(found, ask, message):
    with pytest.raises(ParameterError, match=message):
        ask(found)


# Grids of models.


@pytest.mark.parametrize(
    ("parameter", "values", "read"),
    [
        ("n_leaves", (3, 5.0), lambda model: model.n_leaves),
        ("learning_rate", (0.05, 1), lambda model: model.learning_rate),
        ("n_trees", (1, 2), lambda model: model.card_["trees"]),
        ("sigma", (0.5, 2), lambda model: model.objective.sigma),
        ("truncation", (3, 10), lambda model: model.objective.truncation),
        ("min_docs_in_leaf", (5, 20), lambda model: model.min_docs_in_leaf),
    ],
)
def test_other_parameters_are_swept_as_well(small, parameter, values, read):
    found = quick(small, parameter=parameter, values=values)
    assert [setting.value for setting in found.settings] == list(values)
    assert [read(found.model(i)) for i in range(2)] == list(values)
    assert found.summary[parameter].to_list() == list(values)


def test_a_ranker_without_an_objective_is_swept_by_its_own_parameters(small):
    found = quick(small, rr.RegressionTrees(n_trees=2, n_threads=1), parameter="n_leaves", values=(2, 4))
    assert found.series == ("RegressionTrees",)
    expected = rr.RegressionTrees(n_trees=2, n_threads=1, n_leaves=4).fit(small[0], valid=small[1])
    np.testing.assert_array_equal(found.model(1).predict(small[2]), expected.predict(small[2]))


def test_values_are_sorted_and_stand_once(small):
    assert [s.value for s in quick(small, values=(2, 0, 2.0, 1)).settings] == [0, 1, 2]
    assert [s.value for s in quick(small, values=3).settings] == [3]


def test_an_alpha_given_as_a_whole_number_does_not_make_the_others_whole():
    changed = with_value(ranker(rr.URisk("nDCG@10", alpha=1)), "alpha", 0.5, "URisk")
    assert changed.objective.alpha == 0.5


def test_a_parameter_that_is_none_may_get_a_value():
    changed = with_value(ranker(rr.URisk("nDCG@10", truncation=None)), "truncation", 5, "URisk")
    assert changed.objective.truncation == 5


def test_several_rankers_are_named_by_their_objectives(small):
    found = quick(small, [ranker(n_trees=2), ranker(rr.SARO("nDCG@10"), n_trees=2)], values=(1,))
    assert found.series == ("URisk", "SARO")


def test_the_rankers_given_are_left_alone(small):
    given = ranker(n_trees=2, verbose=None)
    found = quick(small, given)
    assert not hasattr(given, "card_")
    assert given.objective == rr.URisk("nDCG@10")
    assert found.model(1).verbose is None


def test_values_that_differ_in_the_last_digits_are_different_models(small, tmp_path):
    found = quick(small, values=(1, 1.0000001), folder=tmp_path / "sweep")
    assert [found.model(i).objective.alpha for i in range(2)] == [1, 1.0000001]
    assert len(set(found.effectiveness().systems)) == 3


def test_words_become_names_of_folders():
    assert slug("GeoRisk (α 5), v1.0") == "georisk-α-5-v1.0"
    assert slug("../..") == "series"
    assert Setting("a/b", "alpha", 0.5).place(Path("here"), 3) == Path("here/models/a-b/alpha=0.5/fold-3")


def test_the_judging_measure_is_the_first_objectives_unless_given(small):
    found = quick(small, {"a": ranker(rr.URisk("AP"), n_trees=1), "b": ranker(n_trees=1)}, measures=["AP", "RR"])
    assert found.measure == "AP"
    assert list(found.test.others) == ["RR"]
    given = quick(small, ranker(n_trees=1), measure="nDCG@3")
    assert given.measure == "nDCG@3"
    expected = rr.evaluate(small[2], {"b": small[2].feature(1)}, "nDCG@3")["b"]
    np.testing.assert_array_equal(given.test.baseline, expected)


# Baselines.


def trec_run(data, path, *, depth=None):
    """The text score as a TREC run, of the first documents of each query."""
    order = np.lexsort((-data.feature(1), np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))))
    ids, lines = data.ids, []
    for q, query in enumerate(data.query_ids):
        rows = order[slice(*data.query_offsets[q : q + 2])][:depth]
        lines += [f"{query} Q0 {ids[row]} {r} {-r} text\n" for r, row in enumerate(rows, start=1)]
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(lines)


def test_a_run_that_ranks_as_a_feature_does_gives_the_same_sweep(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "text.run")
    by_run, by_feature = quick(small, baseline=tmp_path / "text.run"), quick(small)
    assert by_run.baseline == "text"
    same_judged(by_run.test, by_feature.test)
    np.testing.assert_array_equal(by_run.train_gain, by_feature.train_gain)


def test_a_fitted_ranker_can_be_the_baseline(small):
    trees = rr.RegressionTrees(n_trees=3, n_leaves=4, n_threads=1).fit(small[0])
    found = quick(small, baseline=trees)
    assert found.baseline == trees.label
    expected = rr.evaluate(small[2], {"b": trees.predict(small[2])}, "nDCG@10")["b"]
    np.testing.assert_array_equal(found.test.baseline, expected)


def test_several_baselines_count_by_their_mean_on_each_query(small):
    several = {"text": TEXT, "eighth": rr.Feature(8), "ninth": rr.Feature(9)}
    test = small[2]
    runs = {name: test.feature(feature.number) for name, feature in several.items()}
    expected = rr.evaluate(test, runs, "nDCG@10").matrix.mean(axis=0)
    for given in (several, rr.Baselines(several)):
        found = quick(small, ranker(rr.GeoRisk("nDCG@10"), n_trees=3), baseline=given)
        assert found.baseline == "text, eighth, ninth"
        np.testing.assert_allclose(found.test.baseline, expected)
        model = ranker(rr.GeoRisk("nDCG@10", alpha=1), n_trees=3).fit(small[0], baseline=several, valid=small[1])
        np.testing.assert_array_equal(found.model(1).predict(test), model.predict(test))
    change = rr.rank_changes({"m": model.predict(test), "text": runs["text"]}, "text", data=test)["m"]
    np.testing.assert_array_equal(found.test.is_reranked[1], change.is_reranked)  # rankings are seen against the first


def test_a_baseline_that_lacks_documents_counts_with_those_it_has(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    found = quick(small, baseline=tmp_path / "short.run")
    test = small[2]
    place = np.empty(test.n_documents)
    for q in range(test.n_queries):
        rows = slice(*test.query_offsets[q : q + 2])
        place[rows] = np.argsort(np.argsort(-test.feature(1)[rows], kind="stable"))
    listed = np.where(place < 3, -place, -np.inf)
    expected = rr.evaluate(test, {"b": listed}, "nDCG@10")["b"]
    np.testing.assert_array_equal(found.test.baseline, expected)


def test_further_measures_see_the_baseline_as_the_first_one_does(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    found = quick(small, baseline=tmp_path / "short.run", measures=["nDCG@30"])
    assert np.diff(small[2].query_offsets).max() <= 30
    deep = quick(small, baseline=tmp_path / "short.run", measure="nDCG@30")
    assert found.test.others["nDCG@30"][0] == pytest.approx(deep.test.baseline.mean())


def test_models_may_start_from_a_baseline_that_lacks_documents(small, tmp_path):
    for data in small:
        trec_run(data, tmp_path / "short.run", depth=3)
    found = quick(small, ranker(n_trees=3, start="baseline"), baseline=tmp_path / "short.run")
    assert len(found) == 2


def test_models_may_start_from_the_baseline(small):
    found = quick(small, ranker(n_trees=3, start="baseline"), predictors=["gain"])
    model = ranker(rr.URisk(alpha=1), n_trees=3, start="baseline").fit(small[0], baseline=TEXT, valid=small[1])
    values = rr.evaluate(small[2], {"m": model.predict(small[2])}, "nDCG@10")["m"]
    np.testing.assert_array_equal(found.test.values[1], values)


# Folds.


def test_with_folds_each_query_is_judged_by_the_models_that_never_saw_it(small):
    data = web_search_data(30, documents_per_query=8, n_features=20, random_state=2)
    found = rr.sweep(
        data, ranker(n_trees=3), baseline=TEXT, values=(0, 2), folds=3, random_state=4, n_jobs=1,
        predictors=["max feature:1"], measures=["AP"],
    )  # fmt: skip
    assert found.n_folds == 3
    assert sorted(found.test.queries, key=int) == list(data.query_ids)
    own = dict(zip(found.test.queries, found.test.values.T.tolist(), strict=True))
    fold_of = dict(zip(found.test.queries, found.test.fold.tolist(), strict=True))
    precision, train_gain, limits = np.zeros(2), [], []
    for number, split in enumerate(splits_of(data, folds=3, random_state=4), start=1):
        fitted = [
            ranker(rr.URisk(alpha=alpha), n_trees=3).fit(split.train, baseline=TEXT, valid=split.valid)
            for alpha in (0, 2)
        ]
        for i, model in enumerate(fitted):
            np.testing.assert_array_equal(found.model(i, fold=number).predict(split.test), model.predict(split.test))
        scores = {str(i): model.predict(split.test) for i, model in enumerate(fitted)}
        values = rr.evaluate(split.test, scores, ["nDCG@10", "AP"])
        precision += values["AP"].matrix.sum(axis=1)
        for q, query in enumerate(split.test.query_ids):
            assert own[query] == values["nDCG@10"].matrix[:, q].tolist()
            assert fold_of[query] == number
        runs = {"m": fitted[1].predict(split.train), "b": split.train.feature(1)}
        train_gain.append(gain(*rr.evaluate(split.train, runs, "nDCG@10").matrix))
        largest = np.maximum.reduceat(split.train.feature(1), split.train.query_offsets[:-1])
        limits.append(np.quantile(largest.astype(np.float64), np.linspace(0, 1, 21)))
    np.testing.assert_allclose(found.test.others["AP"][1:], precision / data.n_queries)
    assert found.train_gain[1] == pytest.approx(np.mean(train_gain))
    np.testing.assert_allclose(found.thresholds["max feature:1"], np.mean(limits, axis=0))
    assert len(found.valid.queries) == data.n_queries


def letor(data):
    lines = []
    for q, query in enumerate(data.query_ids):
        for row in range(*data.query_offsets[q : q + 2]):
            features = " ".join(f"{i}:{x!r}" for i, x in enumerate(data.features[row].tolist(), start=1))
            lines.append(f"{data.labels[row]:g} qid:{query} {features}\n")
    return "".join(lines)


def test_files_give_the_sweep_of_their_data(small, tmp_path):
    fold = tmp_path / "data" / "Fold1"
    fold.mkdir(parents=True)
    paths = [fold / name for name in ("train.txt", "vali.txt", "test.txt")]
    for path, part in zip(paths, small, strict=True):
        path.write_text(letor(part))
    expected = quick(small)
    same_sweeps(quick(paths), expected)
    options = {"baseline": TEXT, "values": (0, 1), "n_jobs": 1}
    same_sweeps(rr.sweep(tmp_path / "data", ranker(n_trees=3), **options), expected)
    same_sweeps(rr.sweep([tuple(paths)], ranker(n_trees=3), **options), expected)


def test_folds_have_folders_of_their_own(tmp_path):
    data = web_search_data(12, documents_per_query=6, n_features=20)
    options = {"baseline": TEXT, "values": (0,), "folds": 3, "n_jobs": 1}
    found = rr.sweep(data, ranker(n_trees=2), folder=tmp_path / "sweep", **options)
    names = sorted(path.name for path in (tmp_path / "sweep" / "models" / "urisk" / "alpha=0").iterdir())
    assert names == ["fold-1", "fold-2", "fold-3"]
    same_sweeps(rr.Sweep.load(tmp_path / "sweep"), found)
    same_sweeps(rr.sweep(data, ranker(n_trees=2), **options), found)


# The folder.


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sweep"


def test_the_folder_holds_models_and_files_that_anyone_can_read(parts, found, models, folder):
    rankers = {"URisk": ranker(), "for AP": ranker(rr.URisk("AP"))}
    options = {"values": (0, 1, 5), "measures": ["AP", "nDCG@10", "RR"], "predictors": PREDICTORS}
    kept = quick(parts, rankers, folder=folder, **options)
    same_sweeps(kept, found)
    for i, setting in enumerate(kept.settings):
        model = rr.load(folder / "models" / slug(setting.series) / f"alpha={setting.value:g}" / "fold-1")
        np.testing.assert_array_equal(model.predict(parts[2]), models[i].predict(parts[2]))
        np.testing.assert_array_equal(kept.model(i).predict(parts[2]), models[i].predict(parts[2]))
    queries = pl.read_parquet(folder / "queries.parquet")
    assert queries.columns[:9] == [
        "set", "fold", "query", "series", "alpha", "baseline", "effectiveness", "kendall_distance", "is_reranked",
    ]  # fmt: skip
    assert len(queries) == 6 * (40 + 30)
    mine = queries.filter((pl.col("set") == "test") & (pl.col("series") == "for AP") & (pl.col("alpha") == 5))
    assert mine["effectiveness"].to_list() == kept.test.values[5].tolist()
    summary = pl.read_csv(folder / "summary.csv")
    assert summary.columns == kept.summary.columns
    np.testing.assert_allclose(summary["gain"], kept.summary["gain"])
    content = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
    assert content["format"] == "riskrank sweep"
    assert content["measure"] == "nDCG@10"
    assert not list(folder.rglob("*.checkpoint"))
    loaded = rr.Sweep.load(folder)
    same_sweeps(loaded, found)
    assert loaded.summary.equals(kept.summary, null_equal=True)
    np.testing.assert_array_equal(loaded.model(2).predict(parts[2]), models[2].predict(parts[2]))


def test_results_are_kept_without_the_models_too(small, folder):
    found = quick(small)
    found.save(folder)
    loaded = rr.Sweep.load(folder)
    same_sweeps(loaded, found)
    with pytest.raises(ParameterError, match="this sweep has no models: it was read from its results alone"):
        loaded.model(0)


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
    del trainings.alphas[:]
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
    del trainings.alphas[:]
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
    "content", [{"thesis.txt": "all of it"}, {"queries.parquet": "mine"}, {"sweep/summary.csv": ""}]
)
def test_a_foreign_folder_is_refused_and_left_alone(small, folder, content, monkeypatch):
    untrainable(monkeypatch)
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(FileError, match="sweep: exists and is not a sweep of riskrank. Choose another place"):
        quick(small, folder=folder)
    files = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert files == content


def test_a_file_is_no_place_for_a_sweep(small, folder):
    folder.write_text("text")
    with pytest.raises(FileError, match="sweep: is a file; a sweep is a folder"):
        quick(small, folder=folder)


def test_results_are_not_saved_over_what_is_somebody_elses(folder):
    folder.mkdir()
    (folder / "summary.csv").write_text("mine")
    with pytest.raises(FileError, match="not a sweep"):
        made_up(judged([[0.1, -0.1]])).save(folder)


def test_a_project_that_happens_to_have_a_folder_of_models_is_refused(small, folder):
    (folder / "models" / "bert").mkdir(parents=True)
    (folder / "summary.csv").write_text("mine")
    with pytest.raises(FileError, match="not a sweep"):
        quick(small, ranker(n_trees=1), folder=folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("sweep.json", None, "is not a finished sweep of riskrank .it has no sweep.json"),
        ("sweep.json", b"", "is not a sweep of riskrank, or it is damaged"),
        ("sweep.json", b"[]", "is not a sweep of riskrank, or it is damaged"),
        ("sweep.json", b'{"format": "other"}', "is not a sweep of riskrank, or it is damaged"),
        ("sweep.json", b'{"format": "riskrank sweep", "version": 99}', "written by a newer riskrank. Update"),
        ("queries.parquet", b"", "is not a sweep of riskrank, or it is damaged"),
        ("queries.parquet", None, "is not a sweep of riskrank, or it is damaged"),
    ],
)
def test_what_is_not_a_whole_sweep_is_not_loaded(folder, name, content, message):
    made_up(judged([[0.1, -0.1], [0.0, 0.2]]), valid=judged([[0.1], [0.2]])).save(folder)
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
    with pytest.raises(FileError, match=message):
        rr.Sweep.load(folder)
    with pytest.raises(FileError, match="is not a finished sweep"):
        rr.Sweep.load(folder / "nowhere")


def test_what_is_not_known_stays_unknown_on_disk(folder):
    sweep = made_up(
        judged([[0.1, -0.1, 0.2]], distance=[[math.nan, 0.25, 0.5]]), learning=((np.array([math.nan, 0.5]),),)
    )
    sweep.save(folder)
    same_sweeps(rr.Sweep.load(folder), sweep)
    json.loads((folder / "sweep.json").read_text(), parse_constant=pytest.fail)


# Interruptions.


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("at", [1, 3])
def test_an_interrupted_sweep_keeps_what_is_finished_and_goes_on(small, folder, monkeypatch, n_jobs, at):
    values = (0, 1, 2, 3)
    with monkeypatch.context() as patch:
        Trainings(patch, fails_at=at)
        with pytest.raises(KeyboardInterrupt):
            quick(small, values=values, folder=folder, n_jobs=n_jobs)
    with pytest.raises(FileError, match="is a sweep that was interrupted: run it again to go on"):
        rr.Sweep.load(folder)
    finished = len(list(folder.rglob("finished.json")))
    assert finished == at - 1 if n_jobs == 1 else finished < 4
    trainings = Trainings(monkeypatch)
    done = quick(small, values=values, folder=folder, n_jobs=n_jobs)
    assert len(trainings.alphas) == 4 - finished
    same_sweeps(done, quick(small, values=values))


def test_an_error_in_one_model_is_told_and_the_sweep_can_go_on(small, folder, monkeypatch):
    with monkeypatch.context() as patch:
        Trainings(patch, fails_at=2, error=ZeroDivisionError("in the second model"))
        with pytest.raises(ZeroDivisionError, match="in the second model"):
            quick(small, values=(0, 1, 2, 3, 4, 5), folder=folder, n_jobs=2)
    done = quick(small, values=(0, 1, 2, 3, 4, 5), folder=folder, n_jobs=2)  # nobody is told to stop any more
    same_sweeps(done, quick(small, values=(0, 1, 2, 3, 4, 5)))


INTERRUPTED = """
import os
import signal
import sys
import threading

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.fitting.interruption import stop_in_threads
from riskrank.tradeoff import run_sweep as sweeping

sweeping.usable_cores = lambda: 2
lock = threading.Lock()
steps = []


class URisk(rr.URisk):  # by its name and parameters the same
    def prepare(self, *arguments):
        with lock:
            steps.append(None)
            is_time = len(steps) == 30
        if is_time:
            os.kill(os.getpid(), signal.SIGINT)
            if threading.current_thread() is not threading.main_thread():
                stop_in_threads.wait(60)  # until the main thread has heard of it
        return super().prepare(*arguments)


def sweep(n_jobs, folder):
    data = web_search_data(36, documents_per_query=8, n_features=20, random_state=1)
    train, valid, test = (data.take(slice(*ends)) for ends in ((0, 16), (16, 24), (24, 36)))
    ranker = rr.LambdaMART(URisk("nDCG@10"), n_trees=20, n_leaves=4, n_threads=1)
    options = {"baseline": rr.Feature(1), "values": (0, 1, 2), "valid": valid, "test": test}
    rr.sweep(train, ranker, n_jobs=n_jobs, folder=folder, **options)


try:
    sweep(2, sys.argv[1] + "-2")
except KeyboardInterrupt:
    steps.clear()
    sweep(1, sys.argv[1] + "-1")
"""


def test_a_process_that_is_interrupted_leaves_checkpoints_to_go_on_from(small, tmp_path, monkeypatch):
    command = [sys.executable, "-W", "error", "-c", INTERRUPTED, str(tmp_path / "sweep")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    expected = quick(small, ranker(n_trees=20), values=(0, 1, 2))
    steps = []
    monkeypatch.setattr(rr.URisk, "prepare", counted(rr.URisk.prepare, steps))
    for n_jobs in (1, 2):
        folder = tmp_path / f"sweep-{n_jobs}"
        finished = {path.parent.parent.name for path in folder.rglob("finished.json")}
        begun = {path.parent.parent.name for path in folder.rglob("*.checkpoint/checkpoint.npz")}
        assert begun
        assert not begun & finished
        if n_jobs == 1:
            assert (finished, begun) == ({"alpha=0"}, {"alpha=1"})  # in the midst of the second model
        del steps[:]
        same_sweeps(quick(small, ranker(n_trees=20), values=(0, 1, 2), folder=folder, n_jobs=n_jobs), expected)
        assert 0 < len(steps) < 20 * (3 - len(finished))  # it did not begin anew
        assert not list(folder.rglob("*.checkpoint"))


def counted(function, calls):
    def call(*arguments):
        calls.append(None)
        return function(*arguments)

    return call


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
    every = type(rankers).checkpoint_every
    with monkeypatch.context() as patch:
        patch.setattr(rr.URisk, "prepare", failing)
        patch.setattr(rr.LambdaMART, "checkpoint_every", 5)
        with pytest.raises(ZeroDivisionError):
            quick(small, rankers, values=(0,), folder=folder)
    assert type(rankers).checkpoint_every is every
    assert list(folder.rglob("checkpoint.npz"))
    other = dataclasses.replace(train, labels=np.array(train.labels)[::-1])
    done = quick((other, valid, test), rankers, values=(0,), folder=folder)
    same_sweeps(done, quick((other, valid, test), rankers, values=(0,)))
    assert not list(folder.rglob("*.checkpoint"))


# Models side by side.


def test_models_side_by_side_are_the_same_as_one_after_the_other(small):
    rankers = {"trees": ranker(n_trees=5), "for AP": ranker(rr.URisk("AP"), n_trees=4)}
    one, two = (quick(small, rankers, values=(0, 1, 4), n_jobs=n) for n in (1, 2))
    same_sweeps(one, two)
    for i in range(6):
        np.testing.assert_array_equal(one.model(i).predict(small[2]), two.model(i).predict(small[2]))


def test_rankers_keep_the_threads_that_they_were_given(small, monkeypatch):
    monkeypatch.setattr(sweeping, "usable_cores", lambda: 8)
    threads = []
    fit = rr.LambdaMART.fit

    def noted(model, *arguments, **options):
        threads.append(model.n_threads)
        return fit(model, *arguments, **options)

    monkeypatch.setattr(rr.LambdaMART, "fit", noted)
    quick(small, ranker(n_trees=1, n_threads=1), n_jobs=2)
    assert threads == [1, 1]


@pytest.mark.parametrize("given", [(None, None), (1, 3), (2, 2)])
def test_models_side_by_side_use_one_number_of_threads_for_all_they_do(small, folder, monkeypatch, given):
    """LightGBM has one for the whole process, and crashes when it changes while another model begins."""
    monkeypatch.setattr(sweeping, "usable_cores", lambda: 4)
    threads = []
    for owner, name in ((lightgbm_trees, "_parameters"), (lightgbm_trees.Model, "predict")):
        usual = getattr(owner, name)

        def noted(*arguments, usual=usual, **options):
            threads.append(options["n_threads"] if options else arguments[0].n_threads)
            return usual(*arguments, **options)

        monkeypatch.setattr(owner, name, noted)
    rankers = {str(k): ranker(n_trees=2, n_threads=number) for k, number in enumerate(given)}
    quick(small, rankers, n_jobs=2, folder=folder)
    assert set(threads) == {2}
    threads.clear()
    quick(small, rankers, n_jobs=2, folder=folder, measures=["nDCG@3"])  # judged anew, from their files
    assert set(threads) == {2}
    assert [rr.load(place).n_threads for place in sorted(folder.glob("models/*/*/fold-1"))][:1] == [given[0]]


def test_nets_beside_trees_are_the_same_however_many_jobs(small, folder):
    pytest.importorskip("torch", reason="nets need PyTorch")
    net = rr.LambdaNet(rr.URisk("nDCG@10"), hidden=(4,), n_epochs=2, n_threads=1)
    one, two = (quick(small, {"net": net, "trees": ranker(n_trees=2)}, n_jobs=n) for n in (1, 2))
    same_sweeps(one, two)
    assert one.unit == "epochs"
    assert not one.is_valid_fresh  # the best epoch is the validation queries' choice
    kept = quick(small, {"net": net, "trees": ranker(n_trees=2)}, n_jobs=2, folder=folder)
    same_sweeps(rr.Sweep.load(folder), kept)
    same_sweeps(kept, one)


def test_progress_is_shown_on_one_bar(small, capsys):
    quick(small, verbose=True, n_jobs=2)
    shown = capsys.readouterr().err
    assert "sweep of 2 models" in shown
    assert "6/6" in shown
    assert "LambdaMART" not in shown
    quick(small, verbose=False)
    assert capsys.readouterr().err == ""


# What is refused.


def numbers(n=96):
    return np.arange(n, dtype=np.float64)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": None}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": []}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": {}}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": numbers()}, "baseline that is known on all its queries: a Feature, a run or a ranker"),
        ({"baseline": numbers().tolist()}, "baseline that is known on all its queries"),
        ({"baseline": [TEXT, numbers()]}, "baseline that is known on all its queries"),
        ({"baseline": {"a": TEXT, "b": numbers()}}, "baseline that is known on all its queries"),
        ({"baseline": np.stack([numbers(), numbers()])}, "baseline that is known on all its queries"),
        ({"baseline": rr.Feature(21)}, "feature must be from 1 to 20, got 21"),
        ({"baseline": ranker()}, "is not fitted yet"),
        ({"n_jobs": 0}, "n_jobs must be a whole number from 1 or None, got 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
        ({"values": ()}, "a sweep needs at least one value of alpha"),
        ({"values": ("5",)}, "values of alpha must be numbers, got '5'"),
        ({"values": (math.nan,)}, "values of alpha must be numbers, got nan"),
        ({"values": (True,)}, "values of alpha must be numbers, got True"),
        ({"values": (-2,)}, "alpha must be a number above −1"),
        ({"parameter": "colour"}, "URisk has no parameter 'colour'; it has alpha, early_stopping, .*truncation"),
        ({"parameter": "n_leaves", "values": (2.5,)}, "n_leaves must be a whole number"),
        ({"rankers": []}, "a sweep needs at least one ranker"),
        ({"rankers": {}}, "a sweep needs at least one ranker"),
        ({"rankers": [ranker(), ranker()]}, "two rankers would be called URisk: pass them as a dict"),
        ({"rankers": {"A b": ranker(), "a-B": ranker()}}, "names of the series are too much alike for folders"),
        ({"rankers": rr.LambdaMART}, "must be a ranker like LambdaMART"),
        pytest.param(
            {"rankers": {"m": rr.Mixed(ranker())}}, "m must be a ranker like LambdaMART"
        ),
        ({"rankers": ranker(rr.Gain("nDCG@10"))}, "Gain has no parameter 'alpha'"),
        ({"measure": "nDGC@10"}, "nDGC"),
        ({"measures": ["nDGC@10"]}, "nDGC"),
        ({"test": None}, "a sweep needs queries to test on"),
        ({"predictors": ["maximum feature:1"]}, "unknown predictor 'maximum feature:1'"),
        ({"predictors": {"mine": 110}}, "mine must be a predictor like Aggregate"),
    ],
)  # fmt: skip
def test_what_makes_no_sweep_is_refused(small, options, message, folder):
    with pytest.raises(RiskrankError, match=message) as told:
        quick(small, **{"folder": folder, **options})
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("predictor", "message"), [("gain", "pass valid="), ("max feature:21", "feature must be from 1 to 20")]
)
def test_predictors_that_cannot_work_are_refused_before_training(small, predictor, message, monkeypatch):
    untrainable(monkeypatch)
    with pytest.raises(ParameterError, match=message):
        quick(small, valid=None, predictors=[predictor])


def test_a_gain_that_nobody_taught_is_refused(small):
    with pytest.raises(ParameterError, match="learns from validation queries: pass valid="):
        quick(small, valid=None, predictors=["gain"])
