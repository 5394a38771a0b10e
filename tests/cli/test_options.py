"""What is written in options."""

from __future__ import annotations

import pytest

from riskrank.cli.options import named_values, numbers_from
from riskrank.errors import ParameterError


def test_numbers_stand_between_commas_in_one_or_several_options():
    assert numbers_from(["0,1.5", "1e2"], "--alpha") == [0.0, 1.5, 100.0]


def test_values_are_read_as_what_they_look_like():
    texts = ["n=3", "rate=0.5", "sizes=(8, 4)", "fast=true", "limit=None", "mode=gain", "path=a=b"]
    assert named_values(texts, "--set") == {
        "n": 3, "rate": 0.5, "sizes": (8, 4), "fast": True, "limit": None, "mode": "gain", "path": "a=b",
    }  # fmt: skip
    assert named_values(None, "--set") == {}


@pytest.mark.parametrize("text", ["n", "=3", " =3"])
def test_a_value_without_a_name_is_refused(text):
    with pytest.raises(ParameterError, match="--set takes NAME=VALUE, got"):
        named_values([text], "--set")
