from __future__ import annotations

import numpy as np
import pytest

from riskrank import risk
from riskrank.errors import ParameterError

MATRIX = [[0.1, 0.4], [0.3, 0.2], [0.8, 0.0]]


def test_systems_are_combined_topic_by_topic():
    assert risk.within_topic(MATRIX, "mean") == pytest.approx([0.4, 0.2])
    assert risk.within_topic(MATRIX, "median").tolist() == [0.3, 0.2]
    assert risk.within_topic(MATRIX, "max").tolist() == [0.8, 0.4]


def test_an_unknown_combination_gets_a_hint():
    with pytest.raises(ParameterError, match="one of mean, median, max, got 'men'. Did you mean 'mean'"):
        risk.within_topic(MATRIX, "men")


def test_nothing_cannot_be_combined():
    with pytest.raises(ParameterError, match="at least one system"):
        risk.within_topic(np.empty((0, 2)), "mean")
