from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from riskrank import parameters
from riskrank.errors import MeasureError, ParameterError

NAN = float("nan")


@pytest.mark.parametrize(
    ("check", "arguments", "good", "bad", "message"),
    [
        ("whole", (1,), (1, 7, np.int32(3)), (0, 1.0, True, "1", None), "a whole number from 1"),
        ("positive", (), (0.1, 3, np.float32(2)), (0, -1, NAN, math.inf, True, "1", None), "a number above 0"),
        ("between", (0, 1), (0, 0.5, np.float64(0.99)), (1, -0.1, NAN, False), "a number from 0, below 1"),
        ("between", (0, math.inf), (0, 1e300), (-1, math.inf), "a number from 0"),
        ("inside", (0, 1), (0.5, 1e-9), (0, 1, NAN, True), "lie between 0 and 1"),
        ("share", (), (0, 1, 0.5), (-0.1, 1.1, NAN, True), "a number from 0 to 1"),
        ("within", (2, 3), (2, 3, 2.5), (1.9, 3.1, NAN, True), "a number from 2 to 3"),
        ("positive_share", (), (1, 1e-9, 0.5), (0, 1.1, NAN, True), "a number above 0, up to 1"),
        ("any_number", (), (0, -1.5, np.float32(2)), (NAN, math.inf, True, "1", None, Fraction(1, 2)), "a number"),
        ("boolean", (), (True, False, np.True_), (0, 1, "yes", None), "True or False"),
        ("one_of", (("a", "b"),), ("a", "b"), ("c", "A", None, 1), "one of a, b"),
    ],
)  # fmt: skip
def test_a_check_accepts_its_domain_and_names_what_it_got_otherwise(check, arguments, good, bad, message):
    for value in good:
        getattr(parameters, check)("x", value, *arguments)
    for value in bad:
        with pytest.raises(ParameterError) as caught:
            getattr(parameters, check)("x", value, *arguments)
        assert str(caught.value) == f"x must {'' if check == 'inside' else 'be '}{message}, got {value!r}."


def test_none_may_stand_for_a_whole_number():
    parameters.whole("x", None, 1, optional=True)
    with pytest.raises(ParameterError):
        parameters.whole("x", 0, 1, optional=True)


def test_the_error_and_the_noun_may_be_the_callers():
    with pytest.raises(MeasureError, match="rel must be a grade above 0, got 0"):
        parameters.positive("rel", 0, noun="grade", error=MeasureError)


def test_a_positive_number_may_have_a_limit_which_is_only_told_beyond_it():
    parameters.positive("x", 2.0, most=2.0)
    with pytest.raises(ParameterError, match=r"^x must be a number above 0, up to 2, got 2\.5\.$"):
        parameters.positive("x", 2.5, most=2.0)
    with pytest.raises(ParameterError, match=r"^x must be a number above 0, got 0\.$"):
        parameters.positive("x", 0, most=2.0)


def test_plain_values_are_what_json_keeps():
    given = {1: np.float32(0.5), "a": (np.int64(2), [np.True_]), "b": None}
    assert parameters.without_numpy(given) == {"1": 0.5, "a": [2, [True]], "b": None}
    assert type(parameters.without_numpy(np.int64(2))) is int
