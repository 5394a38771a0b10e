from __future__ import annotations

from typing import get_args

import pytest

from riskrank.data.missing import WAYS, check_missing
from riskrank.errors import ParameterError
from riskrank.typing import Missing


def test_the_ways_are_those_that_type_checkers_know():
    assert get_args(Missing) == WAYS
    for way in WAYS:
        check_missing(way)


def test_any_other_way_is_refused():
    with pytest.raises(ParameterError, match="missing must be one of zero, intersect, error, got 'drop'"):
        check_missing("drop")
