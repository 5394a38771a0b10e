"""The commands that learn from clicks, as the tests call them."""

from __future__ import annotations

import math

import pytest

from ...mistakes import contents

PAGES = 2500
SMALL = ("--trees", 8, "--leaves", 5, "--min-docs", 30)
GRIDS = ("--alpha", "1,5", "--beta", "0.1,0.5", "--lowest-beta", "1", "--both-alpha", "1")
ONLY_STANDARD = ("--alpha", "", "--beta", "", "--lowest-beta", "", "--both-alpha", "")
TRAIN_MODELS = ("clicks", "train", "prepared", *GRIDS, *SMALL)
QUICK = ("--alpha", "1", "--beta", "0.1", "--lowest-beta", "", "--both-alpha", "", "--trees", 1, "--jobs", 1)

PREPARE = ("clicks", "prepare", "log.parquet", "-o", "out")
TRAIN = ("clicks", "train", "prepared", "-o", "out")
EVALUATE = ("clicks", "evaluate", "models")


def done_well(riskrank, *arguments):
    done = riskrank(*arguments)
    assert done.status == 0, done.err
    return done


def same_rows(written, rows):
    """Rows of a file against those of Python; what is not known may be None there."""
    assert len(written) == len(rows)
    for one, other in zip(written, rows, strict=True):
        expected = other.to_dict()
        assert list(one) == list(expected)
        for name, value in expected.items():
            if isinstance(value, float):
                given = math.nan if one[name] is None else one[name]
                assert given == pytest.approx(value, rel=1e-9, nan_ok=True), name
            else:
                assert one[name] == value, name


def shows_usage(riskrank, folder, arguments):
    before = contents(folder)
    done = riskrank(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: ")
    assert contents(folder) == before
