from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

from .examples import SCORES


def test_lookups_that_people_try(tmp_path):
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


def test_user_text_is_escaped_in_html_and_latex():
    evil = '<script>alert(1)</script>"&_%'
    scores = rr.Effectiveness.from_rows({evil: [0.1, 0.2], "b": [0.3, 0.1]}, topics=['"><img src=x>', "2"])
    result = rr.assess(scores, baseline="b")
    for html in (result.to_html(), result._repr_html_()):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert r"\&\_\%" in result.to_latex()


def test_latex_has_as_many_cells_as_columns():
    lines = rr.assess(SCORES, baseline="old", alphas=(0, 5)).to_latex().splitlines()
    (begin,) = [line for line in lines if line.startswith(r"\begin")]
    columns = begin.count("r") - "\\begin{tabular}".count("r") + 1
    rows = [line for line in lines if line.endswith(r"\\")]
    assert all(row.count(" & ") + 1 + (2 * row.count("multicolumn")) == columns for row in rows)
