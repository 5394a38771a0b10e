from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank import Effectiveness, risk
from riskrank.errors import ParameterError
from riskrank.risk.georisk import normal_cdf


def test_normal_cdf_agrees_with_scipy():
    x = np.linspace(-30, 8, 500)
    np.testing.assert_allclose(normal_cdf(x), scipy.stats.norm.cdf(x), rtol=1e-12)


def test_scores_are_taken_and_frames_refused():
    scores = Effectiveness.from_rows({"a": [0.1, 0.3], "b": [0.2, 0.2]})
    assert risk.georisk(scores, alpha=5).tolist() == risk.georisk(scores.matrix, alpha=5).tolist()
    with pytest.raises(ParameterError, match="not a frame"):
        risk.georisk(scores.to_pandas(), alpha=5)


def test_without_effectiveness_it_is_0_and_without_topics_nan():
    assert risk.georisk(np.zeros((3, 2)), alpha=5).tolist() == [0, 0, 0]
    assert np.isnan(risk.georisk(np.zeros((3, 0)), alpha=5)).all()
