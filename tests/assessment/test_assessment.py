from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

from .examples import SCORES


def test_systems_are_looked_up_by_name_and_risks_by_an_alpha_that_was_assessed(tmp_path):
    result = rr.assess(SCORES, baseline="old", alphas=5)
    assert result["new"].at_alpha(5).alpha == 5
    with pytest.raises(ParameterError, match="alpha 1 was not assessed, only 5"):
        result["new"].at_alpha(1)
    assert [s.system for s in result] == ["old", "new", "same"]
    with pytest.raises(AlignmentError, match="no system '0'"):
        _ = result[0]
    with pytest.raises(ParameterError, match=r"Pick one: scores\['nDCG@10'\]"):
        rr.assess({"AP": SCORES}, baseline="old")
    SCORES.to_polars().write_csv(tmp_path / "m.csv")
    assert rr.assess(tmp_path / "m.csv", baseline="old").systems[1].gain == pytest.approx(result["new"].gain)
