from __future__ import annotations

import json

import numpy as np
import pytest

from riskrank.data.json_numbers import from_json_numbers, to_json_numbers


@pytest.mark.parametrize("form", [np.array, list, tuple])
def test_numbers_survive_json_with_nan_as_null(form):
    values = [0.1, float("nan"), -3.0]
    text = json.dumps(to_json_numbers(form(values)), allow_nan=False)
    assert text == "[0.1, null, -3.0]"
    np.testing.assert_array_equal(from_json_numbers(json.loads(text)), values)


def test_infinite_numbers_survive_json_as_text():
    values = [float("inf"), -1.0, float("-inf")]
    text = json.dumps(to_json_numbers(values), allow_nan=False)
    assert text == '["inf", -1.0, "-inf"]'
    np.testing.assert_array_equal(from_json_numbers(json.loads(text)), values)
    np.testing.assert_array_equal(from_json_numbers(json.loads("[Infinity, -1.0, -Infinity]")), values)  # as before


def test_there_may_be_none_at_all():
    assert to_json_numbers([]) == []
    assert from_json_numbers([]).dtype == np.float64
