"""Training stops at gradients that cannot teach anything."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import TrainingError
from riskrank.objectives import own_target
from riskrank.objectives.on_data.bound_objective import Gradients
from riskrank.rankers.fitting.learner import Finished, check_gradients


def upside_down(delta, query, training):
    return -delta


def not_a_number(delta, query, training):
    return delta * math.nan


def infinite(delta, query, training):
    return delta * math.inf


def nothing(delta, query, training):
    return 0.0 * delta


def later_infinite(delta, query, training):
    return delta if training.mean_difference < -0.01 else delta * math.inf


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (upside_down, "upside_down.'nDCG@10'. pushes better documents down: its target must have the sign of delta"),
        (not_a_number, "not_a_number.'nDCG@10'. gave gradients that are not finite after 0 trees"),
        (infinite, "infinite.'nDCG@10'. gave gradients that are not finite after 0 trees"),
        (nothing, "nothing.'nDCG@10'. gives no document a gradient"),
        (later_infinite, "later_infinite.'nDCG@10'. gave gradients that are not finite after [1-9][0-9]* trees"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_target_that_cannot_teach_stops_training(target, message, train, engine):
    ranker = rr.LambdaMART(own_target(target)(), n_trees=40, n_leaves=6, learning_rate=0.3, engine=engine, n_threads=1)
    with pytest.raises(TrainingError, match=message):
        ranker.fit(train, baseline=rr.Feature(1))
    assert not hasattr(ranker, "model_")


def check(gradient, *, hessian=(1, 1, 1), gains=(0, 0.5, 1), objective=None, n_steps=0):
    gradients = Gradients(np.array(gradient, np.float64), np.array(hessian, np.float64), None)
    gains = None if gains is None else np.array(gains, np.float64)
    check_gradients(gradients, gains, objective or rr.Gain(), n_steps=n_steps, unit="epochs")


def test_gradients_that_push_better_documents_up_can_teach():
    check([0.5, 0.1, -0.6])
    check([0.5, 0.1, -0.6], n_steps=3)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_stop_training(value):
    for case in ({"gradient": [value, 0, 0]}, {"gradient": [1, 0, -1], "hessian": [0, value, 0]}):
        with pytest.raises(TrainingError, match="gave gradients that are not finite after 3 epochs. Check its target"):
            check(**case, n_steps=3)


def test_without_any_gradient_nothing_can_be_learned_or_all_is_learned():
    with pytest.raises(TrainingError, match="no query has documents whose order matters to the measure"):
        check([0, 0, 0])
    with pytest.raises(Finished, match="nothing is left to gain after 2 epochs"):
        check([0, 0, 0], n_steps=2)


def test_gradients_that_push_better_documents_down_stop_training():
    with pytest.raises(TrainingError, match="pushes better documents down"):
        check([-0.5, -0.1, 0.6])
    check([-0.5, -0.1, 0.6], gains=None)  # of a learner that does not follow the gains
    check([-0.5, -0.1, 0.6], objective=rr.Churn())  # it may draw a better document down to where the baseline has it


def test_rounding_of_gradients_that_sum_to_zero_does_no_harm():
    check([1e6, -1e6, 0], gains=(1, 1 + 1e-9, 0))
