from __future__ import annotations

from dataclasses import replace

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


def test_a_title_says_the_gains_that_a_name_leaves_open():
    scores = Effectiveness.from_rows({"a": [0.1]}, measure="nDCG@10")
    described = replace(scores, description="normalised discounted cumulative gain, gains = 2^grade - 1")
    assert described.title == "nDCG@10 (gains = 2^grade - 1)"
    assert scores.title == "nDCG@10"
    assert replace(described, measure="nDCG(dcg='exp-log2')@10").title == "nDCG(dcg='exp-log2')@10"


def test_topics_without_a_relevant_document_may_be_left_out():
    scores = replace(
        Effectiveness.from_rows({"a": [0.1, 0.0, 0.3], "b": [0.2, 0.0, 0.0]}, topics=["x", "y", "z"]),
        without_relevant=("y",),
        missing={"a": ("y",), "b": ("y", "z")},
        unjudged={"a": 0.25},
    )
    kept = scores.with_relevant()
    assert (kept.topics, kept.without_relevant) == (("x", "z"), ())
    assert kept.matrix.tolist() == [[0.1, 0.3], [0.2, 0.0]]
    assert kept.missing == {"b": ("z",)}
    assert kept.unjudged == {"a": 0.25}
    with pytest.raises(AlignmentError, match="no topic has a relevant document"):
        replace(scores, without_relevant=("x", "y", "z")).with_relevant()


def test_unjudged_shares_are_part_of_what_is_equal():
    scores = Effectiveness.from_rows({"a": [0.1]})
    assert scores == replace(scores, unjudged={})
    assert scores != replace(scores, unjudged={"a": 0.5})


def test_some_systems_keep_what_is_known_of_them():
    rows = {"a": [0.1, 0.2], "b": [0.3, 0.4], "c": [0.5, 0.6]}
    known = {"missing": {"a": ("1",), "b": ("2",)}, "ties_at_cutoff": {"b": 2}, "unjudged": {"c": 0.5}}
    some = replace(Effectiveness.from_rows(rows), dropped=("9",), **known).only(["c", "a"])
    assert (some.systems, some.matrix.tolist()) == (("c", "a"), [[0.5, 0.6], [0.1, 0.2]])
    assert (some.missing, some.ties_at_cutoff, some.unjudged) == ({"a": ("1",)}, {}, {"c": 0.5})
    assert some.dropped == ("9",)
    with pytest.raises(AlignmentError, match="no system 'd'"):
        some.only(["d"])
