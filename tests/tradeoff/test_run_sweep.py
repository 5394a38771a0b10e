"""Sweeps: their models and numbers against models trained one by one, with folds and from files."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.grid import Setting
from riskrank.tradeoff.query_splits import splits_of

from .small_sweeps import TEXT, letor, quick, ranker, same_sweeps

pytestmark = pytest.mark.usefixtures("two_cores")


def test_the_models_are_a_grid_of_series_and_values(swept):
    expected = [Setting(name, "alpha", value) for name in ("URisk", "for AP") for value in (0.0, 1.0, 5.0)]
    assert list(swept.settings) == expected
    assert len(swept) == 6
    assert swept.series == ("URisk", "for AP")
    assert swept.members("for AP") == [3, 4, 5]
    assert swept.find(5) == 2
    assert swept.find(1, "for AP") == 4
    assert swept.reference_model == 0
    assert [setting.label for setting in swept.settings][1:3] == ["URisk, α = 1", "URisk, α = 5"]


def test_every_model_is_the_one_trained_by_itself(swept, models, parts):
    for i, expected in enumerate(models):
        np.testing.assert_array_equal(swept.model(i).predict(parts[2]), expected.predict(parts[2]))
        assert swept.model(i).objective == expected.objective


def test_gain_and_risk_on_training_queries_give_the_alpha_of_interest(swept, models, parts):
    train = parts[0]
    runs = {"text": train.feature(1), **{str(i): model.predict(train) for i, model in enumerate(models)}}
    base, *own = rr.evaluate(train, runs, "nDCG@10").matrix
    np.testing.assert_allclose(swept.train_gain, [gain(values, base) for values in own])
    np.testing.assert_allclose(swept.train_risk, [risk(values, base) for values in own])
    assert swept.alpha_of_interest == pytest.approx(gain(own[0], base) / risk(own[0], base))


def test_models_without_a_weight_on_losses_are_those_of_gain(swept, parts):
    train, valid, test = parts
    plain = ranker(rr.Gain("nDCG@10")).fit(train, valid=valid)
    np.testing.assert_allclose(swept.model(0).predict(test), plain.predict(test), atol=1e-12)


def test_learning_curves_are_those_of_the_validation_queries(swept, models):
    for i, model in enumerate(models):
        np.testing.assert_array_equal(swept.learning_curve(i), model.history_["valid_effectiveness"])
    assert swept.unit == "trees"


def test_without_validation_queries_learning_is_seen_on_training_queries(small):
    swept = quick(small, valid=None)
    model = ranker(rr.URisk(alpha=0), n_trees=3).fit(small[0], baseline=TEXT)
    np.testing.assert_array_equal(swept.learning_curve(0), model.history_["train_effectiveness"])
    assert swept.valid is None


def test_the_rankers_given_are_left_alone(small):
    given = ranker(n_trees=2, verbose=None)
    swept = quick(small, given)
    assert not hasattr(given, "card_")
    assert given.objective == rr.URisk("nDCG@10")
    assert swept.model(1).verbose is None


def test_the_judging_measure_is_the_first_objectives_unless_given(small):
    swept = quick(small, {"a": ranker(rr.URisk("AP"), n_trees=1), "b": ranker(n_trees=1)}, measures=["AP", "RR"])
    assert swept.measure == "AP"
    assert list(swept.test.others) == ["RR"]
    given = quick(small, ranker(n_trees=1), measure="nDCG@3")
    assert given.measure == "nDCG@3"
    expected = rr.evaluate(small[2], {"b": small[2].feature(1)}, "nDCG@3")["b"]
    np.testing.assert_array_equal(given.test.baseline, expected)


# Folds.


def test_with_folds_each_query_is_judged_by_the_models_that_never_saw_it(small):
    data = web_search_data(30, documents_per_query=8, n_features=20, random_state=2)
    swept = rr.sweep(
        data, ranker(n_trees=3), baseline=TEXT, values=(0, 2), folds=3, random_state=4, n_jobs=1,
        predictors=["max feature:1"], measures=["AP"],
    )  # fmt: skip
    assert swept.n_folds == 3
    assert sorted(swept.test.queries, key=int) == list(data.query_ids)
    own = dict(zip(swept.test.queries, swept.test.values.T.tolist(), strict=True))
    fold_of = dict(zip(swept.test.queries, swept.test.fold.tolist(), strict=True))
    precision, train_gain, limits = np.zeros(2), [], []
    for number, make in enumerate(splits_of(data, folds=3, random_state=4), start=1):
        split = make()
        fitted = [
            ranker(rr.URisk(alpha=alpha), n_trees=3).fit(split.train, baseline=TEXT, valid=split.valid)
            for alpha in (0, 2)
        ]
        for i, model in enumerate(fitted):
            np.testing.assert_array_equal(swept.model(i, fold=number).predict(split.test), model.predict(split.test))
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
    np.testing.assert_allclose(swept.test.others["AP"][1:], precision / data.n_queries)
    assert swept.train_gain[1] == pytest.approx(np.mean(train_gain))
    np.testing.assert_allclose(swept.thresholds["max feature:1"], np.mean(limits, axis=0))
    assert len(swept.valid.queries) == data.n_queries


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
    swept = rr.sweep(data, ranker(n_trees=2), folder=tmp_path / "sweep", **options)
    names = sorted(path.name for path in (tmp_path / "sweep" / "models" / "urisk" / "alpha=0").iterdir())
    assert names == ["fold-1", "fold-2", "fold-3"]
    same_sweeps(rr.Sweep.load(tmp_path / "sweep"), swept)
    same_sweeps(rr.sweep(data, ranker(n_trees=2), **options), swept)


# Progress.


def test_progress_is_shown_on_one_bar(small, capsys):
    quick(small, verbose=True, n_jobs=2)
    shown = capsys.readouterr().err
    assert "sweep of 2 models" in shown
    assert "6/6" in shown
    assert "LambdaMART" not in shown
    quick(small, verbose=False)
    assert capsys.readouterr().err == ""
