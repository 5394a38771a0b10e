"""Objectives by name, and parameters of objectives and of rankers within."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import riskrank as rr
from riskrank.errors import ParameterError, RiskrankError


def small(**parameters):
    return rr.LambdaMART(**{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("urisk", rr.URisk()),
        ("URisk:alpha=5", rr.URisk(alpha=5)),
        ("cvar:share=0.2, measure=AP", rr.CVaR("AP", share=0.2)),
        ("gain:measure=nDCG(dcg='log2')@5,truncation=None", rr.Gain("nDCG(dcg='log2')@5", truncation=None)),
    ],
)
def test_an_objective_may_be_a_text(text, objective, train, tmp_path):
    ranker = small(objective=text)
    assert ranker.training_objective == objective
    assert ranker.get_params()["objective"] == text  # as scikit-learn has it
    ranker.fit(train, baseline=rr.Feature(1)).save(tmp_path / "model")
    np.testing.assert_array_equal(
        ranker.predict(train), small(objective=objective).fit(train, baseline=rr.Feature(1)).predict(train)
    )
    assert rr.load(tmp_path / "model").objective == objective


def test_a_text_takes_the_measure_of_the_ranker():
    assert str(rr.PreferenceLambdaMART("urisk").training_objective.measure) == "nDCG(dcg='log2')@10"


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("urisc", "unknown objective 'urisc'. Did you mean 'urisk'?"),
        ("urisk:alhpa=5", "urisk has no parameter 'alhpa'; it takes measure,"),
        ("urisk:5", "an objective is written like urisk:alpha=5,measure=AP, got 'urisk:5'"),
        ("urisk:alpha=much", "alpha must be a number above −1"),
        (7, "objective must be one like URisk"),
    ],
)
def test_other_texts_are_refused_in_one_line(objective, message, train):
    with pytest.raises(ParameterError) as refused:
        small(objective=objective).fit(train)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("objective", ["urisk", rr.URisk()])
def test_parameters_of_an_objective_are_set_by_name(objective):
    ranker = small(objective=objective)
    assert ranker.get_params()["objective__alpha"] == 1.0
    assert "objective__alpha" not in ranker.get_params(deep=False)
    copy = clone(ranker).set_params(objective__alpha=5, objective__measure="AP", n_trees=7)
    assert (copy.training_objective, copy.n_trees) == (rr.URisk("AP", alpha=5), 7)
    assert ranker.training_objective == rr.URisk()  # objectives are values, shared but never changed
    assert clone(copy).get_params() == copy.get_params()


def test_without_an_objective_it_is_gain_whose_parameters_are_set():
    assert small().set_params(objective__measure="AP").objective == rr.Gain("AP")
    assert small().set_params(objective="urisk", objective__alpha=3).objective == rr.URisk(alpha=3)


def test_a_ranker_within_has_parameters_too():
    mixed = rr.Mixed(small(objective="urisk"))
    mixed.set_params(ranker__n_trees=9, ranker__objective__alpha=2, probability=0.1)
    assert (mixed.ranker.n_trees, mixed.ranker.objective, mixed.probability) == (9, rr.URisk(alpha=2), 0.1)
    assert mixed.get_params()["ranker__objective__alpha"] == 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective__alhpa": 5}, "gain has no parameter 'alhpa'"),
        ({"n_tree": 5}, "LambdaMART has no parameter 'n_tree'. Did you mean 'n_trees'?"),
        ({"engine__x": 5}, "engine of this LambdaMART has no parameters: it is 'lightgbm'"),
    ],
)
def test_unknown_parameters_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        small().set_params(**parameters)


@pytest.mark.parametrize("ranker", [rr.LambdaMART(), rr.AdaRank(), rr.Mixed(rr.LambdaMART())], ids=repr)
def test_a_ranker_that_has_not_learned_says_so_to_everybody(ranker, train):
    for call in (lambda: ranker.predict(train), lambda: ranker.score(train)):
        with pytest.raises(NotFittedError, match="is not fitted yet. Call fit") as refused:
            call()
        assert isinstance(refused.value, rr.errors.NotFittedError)
        assert isinstance(refused.value, RiskrankError)
    with pytest.raises(NotFittedError):
        check_is_fitted(ranker)
    assert not hasattr(ranker, "feature_importances_")
    assert not hasattr(ranker, "n_features_in_")


def test_tags_say_what_a_ranker_takes(train):
    tags = get_tags(rr.LambdaMART())
    assert (tags.estimator_type, tags.target_tags.required) == ("ranker", True)
    assert (tags.input_tags.allow_nan, tags.input_tags.sparse) == (True, True)
    features = train.features.copy()
    features[::3, 2] = np.nan
    fitted = small().fit(features, train.labels, group=np.diff(train.query_offsets))
    check_is_fitted(fitted)
    assert np.isfinite(fitted.predict(features)).all()


def test_names_are_forgotten_with_the_data_that_had_them(train):
    import pandas as pd

    frame = pd.DataFrame(train.features, columns=[f"f{i}" for i in range(20)])
    sizes = np.diff(train.query_offsets)
    ranker = small().fit(frame, train.labels, group=sizes)
    assert ranker.feature_names_in_[0] == "f0"
    mixed = rr.Mixed.of(ranker, baseline="column:f0")
    assert mixed.feature_names_in_[0] == "f0"
    assert not hasattr(ranker.fit(train.features, train.labels, group=sizes), "feature_names_in_")
    assert not hasattr(mixed, "feature_names_in_")
