from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from riskrank import Effectiveness
from riskrank.errors import AlignmentError


def test_rows_are_found_by_name_and_misspellings_get_a_hint():
    scores = Effectiveness.from_rows({"bm25": [0.1, 0.3], "new": [0.2, 0.2]}, measure="AP")
    assert scores["new"].tolist() == [0.2, 0.2]
    assert "bm25" in scores
    with pytest.raises(AlignmentError, match="no system 'bm52'. There are: bm25, new. Did you mean 'bm25'"):
        _ = scores["bm52"]


def test_it_prints_means_and_does_not_change():
    scores = Effectiveness.from_rows({"bm25": [0.1, 0.3], "new": [0.2, 0.2]}, measure="AP")
    assert repr(scores) == "Effectiveness: AP, 2 systems × 2 topics\n  bm25  0.2000\n  new   0.2000"
    with pytest.raises(ValueError, match="read-only"):
        scores.matrix[0, 0] = 1


def test_labels_must_fit_the_matrix_and_be_unique():
    with pytest.raises(AlignmentError, match="1 systems × 2 topics, got 2 × 2"):
        Effectiveness("AP", ("a",), ("1", "2"), np.ones((2, 2)))
    with pytest.raises(AlignmentError, match="topic '1' stands twice"):
        Effectiveness("AP", ("a",), ("1", "1"), np.ones((1, 2)))


def test_geometric_mean_puts_a_floor_under_zero():
    # sqrt(0.1 · 1e-5) = 1e-3
    assert Effectiveness.from_rows({"a": [0.1, 0.0]}).geometric_means() == pytest.approx([1e-3])


def test_frames_keep_labels():
    scores = Effectiveness.from_rows({"a": [0.1, 0.3]}, topics=["x", "y"])
    assert scores.to_polars().rows() == [("x", 0.1), ("y", 0.3)]
    pd.testing.assert_frame_equal(
        scores.to_pandas(), pd.DataFrame({"a": [0.1, 0.3]}, index=pd.Index(["x", "y"], name="topic"))
    )
