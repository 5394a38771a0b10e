from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.data.letor.letor_lines import exact_float32, parse_lines
from riskrank.errors import FileError

from .float32_texts import nearest_float32, numbers


def test_a_worked_example():
    text = b"2 qid:10 1:0.5 3:-1e-3 #docid = GX-1 inc = 1\n0 QID:10 2:7 # GX-2\n\n# a remark\n1 qid:11 #GX-3\n"
    block = parse_lines(text, "a.txt", zero_based=False)
    assert block.features.tolist() == [[0.5, 0, np.float32("-1e-3")], [0, 7, 0], [0, 0, 0]]
    assert block.labels.tolist() == [2, 0, 1]
    assert block.query_starts == [("10", 0), ("11", 2)]
    assert block.document_ids == ["GX-1", "GX-2", "GX-3"]


def test_a_query_that_comes_again_after_another_starts_again():
    block = parse_lines(b"0 qid:a\n1 qid:b\n2 qid:a\n2 qid:a\n", "a.txt", zero_based=False)
    assert block.query_starts == [("a", 0), ("b", 1), ("a", 2)]


def test_without_an_id_on_every_line_there_are_none():
    assert parse_lines(b"0 qid:a 1:1 # x\n1 qid:a 1:1\n", "a.txt", zero_based=False).document_ids is None
    assert parse_lines(b"0 1:1\n", "a.txt", zero_based=False).query_starts == []
    assert parse_lines(b"# remark\n", "a.txt", zero_based=False).features.shape == (0, 0)


def test_features_may_count_from_0_and_stand_in_any_order():
    assert parse_lines(b"0 qid:a 2:7 0:5\n", "a.txt", zero_based=True).features.tolist() == [[5, 0, 7]]


def test_lines_are_counted_from_the_first_one_given():
    text = b"0 qid:a 1:1\n\n0 qid:a 1:x\n"
    with pytest.raises(FileError, match=r"^a\.txt:3: feature value must be a number"):
        parse_lines(text, "a.txt", zero_based=False)
    with pytest.raises(FileError, match=r"^a\.txt:102: feature value must be a number"):
        parse_lines(text, "a.txt", zero_based=False, first_line=100)


@given(st.lists(numbers, min_size=1, max_size=30))
def test_values_are_the_nearest_float32_also_near_the_middle_of_two(texts):
    texts = [text for text in texts if abs(float(text)) < 3.4e38]
    expected = [nearest_float32(text) for text in texts]
    assert [exact_float32(text.encode()) for text in texts] == expected
    line = " ".join(["0 qid:1", *(f"{i}:{text}" for i, text in enumerate(texts, start=1))]).encode()
    features = parse_lines(line, "a.txt", zero_based=False).features
    np.testing.assert_array_equal(features, np.array([expected], np.float32).reshape(1, len(texts)))


def test_what_is_no_finite_float32_is_infinite_or_nan():
    assert exact_float32(b"3.4028235677973366e38") == np.inf
    assert exact_float32(b"-1e39") == -np.inf
    assert np.isnan(exact_float32(b"nan"))
    assert np.signbit(exact_float32(b"-0"))
