"""What is kept of a finished model comes back as it was, or not at all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank.tradeoff.training.finished_model import FinishedModel, read_finished, write_finished


@pytest.fixture
def model():
    table = {
        "query": ["a", "b"],
        "baseline": np.array([0.5, 0.25]),
        "effectiveness": np.array([0.75, 0.25]),
        "kendall_distance": np.array([0.5, math.nan]),
        "is_reranked": np.array([True, False]),
        "AP": np.array([1.0, 0.0]),
    }
    return FinishedModel(
        digest="this one", judged="so", train_gain=0.1, train_risk=0.02, learning=np.array([math.nan, 0.5]),
        unit="trees", tables={"test": table, "valid": table},
    )  # fmt: skip


def test_it_comes_back_as_it_was(model, tmp_path):
    write_finished(tmp_path, model)
    back = read_finished(tmp_path, ["this one"])
    for name in ("digest", "judged", "train_gain", "train_risk", "unit"):
        assert getattr(back, name) == getattr(model, name)
    np.testing.assert_array_equal(back.learning, model.learning)
    assert list(back.tables) == ["test", "valid"]
    for name, table in back.tables.items():
        assert list(table) == list(model.tables[name])
        for column, values in table.items():
            np.testing.assert_array_equal(values, model.tables[name][column], err_msg=column)


def test_another_model_is_not_taken_for_it(model, tmp_path):
    write_finished(tmp_path, model)
    assert read_finished(tmp_path, ["another one"]) is None
    assert read_finished(tmp_path / "elsewhere", ["this one"]) is None
