"""Predictors of queries: thresholds from training queries, and what cannot work is refused."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.errors import ParameterError
from riskrank.rankers.selective.query_predictors import parse_predictor

from ..small_sweeps import quick, untrainable

pytestmark = pytest.mark.usefixtures("two_cores")


def test_thresholds_divide_the_training_queries_evenly(swept, models, parts):
    train = parts[0]
    own, other = models[0].predict(train), train.feature(1).astype(np.float64)
    for name in ("max feature:1", "margin"):
        values = parse_predictor(name).values(train, own, other)
        np.testing.assert_allclose(swept.thresholds[name], np.quantile(values, np.linspace(0, 1, 21)))
        np.testing.assert_array_equal(
            swept.test.predictors[name], swept.predictors[name].values(parts[2], *both(models[0], parts[2]))
        )


def both(model, data):
    return model.predict(data), data.feature(1).astype(np.float64)


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
