"""The history of a training: a table that survives saving."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.rankers.fitting.history import History, summary

from .small_trees import grown


def test_without_a_baseline_only_the_effectiveness_is_known(train, valid):
    ranker = grown(train, objective=rr.Gain("nDCG@5"), baseline=None, valid=valid)
    assert ranker.history_.frame.columns == ["trees", "train_effectiveness", "valid_effectiveness"]
    alone = grown(train, objective=rr.Gain("nDCG@5"), baseline=None)
    assert alone.history_.frame.columns == ["trees", "train_effectiveness"]
    assert alone.card_["validation_data"] is None


def test_the_history_is_a_table_and_survives_saving(train, valid, tmp_path):
    ranker = grown(train, valid=valid, early_stopping=50)
    frame = ranker.history_.frame
    assert frame["trees"].to_list() == list(range(1, 13))
    assert frame.columns[-1] == "watched"
    ranker.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").history_.frame.equals(frame)
    partial = History()
    partial.add({"trees": 1.0, "train_risk": 0.5})
    back = History.from_json(json.loads(json.dumps(partial.to_json())))
    np.testing.assert_equal(back.columns, partial.columns)


def history_of(*rows, unit="epochs"):
    history = History(unit)
    for row in rows:
        history.add(row)
    return history


def test_what_is_not_known_of_a_step_may_be_added_later():
    history = history_of({"epochs": 1, "train_risk": 0.5}, {"epochs": 2})
    assert len(history) == 2
    np.testing.assert_equal(history["train_risk"], [0.5, np.nan])
    history.update(2, {"train_risk": 0.25, "watched": 0.75})
    np.testing.assert_equal(history["train_risk"], [0.5, 0.25])
    np.testing.assert_equal(history["watched"], [np.nan, 0.75])


def test_the_watched_value_is_known_by_its_former_name_too():
    history = history_of({"epochs": 1, "watched": 0.5})
    with pytest.warns(DeprecationWarning, match="the column target is called watched now"):
        np.testing.assert_equal(history["target"], [0.5])
    old = {"epochs": [1.0], "target": [0.5]}
    assert History.from_json(old)["watched"] == [0.5]
    assert "target" not in History.from_json(old).columns


def test_steps_are_counted_in_their_unit_and_columns_without_numbers_are_not_shown():
    history = history_of({"epochs": 1, "valid_effectiveness": 0.5}, {"epochs": 2, "valid_effectiveness": 0.75})
    assert history.frame.to_dict(as_series=False) == {"epochs": [1, 2], "valid_effectiveness": [0.5, 0.75]}
    assert History.from_json(history.to_json()).unit == "epochs"


def test_the_newest_numbers_are_said_in_words():
    history = history_of(
        {"epochs": 1, "train_effectiveness": 0.5, "train_risk": 0.125, "valid_effectiveness": 0.25},
        {"epochs": 2, "valid_effectiveness": 0.375},
    )
    assert history.newest() == "train 0.5000 risk 0.1250 | valid 0.3750"  # of training, one step behind
    assert history_of().newest() == ""


def test_a_row_sums_up_queries_against_the_mean_of_their_baselines():
    """d = 0.2, −0.3 against the mean baseline (0.4, 0.6): reward 0.1, risk 0.15, with alpha 2 a URisk of −0.35."""
    row = summary("valid", np.array([0.6, 0.3]), np.array([[0.3, 0.5], [0.5, 0.7]]), 2.0)
    expected = {"valid_effectiveness": 0.45, "valid_reward": 0.1, "valid_risk": 0.15, "valid_urisk": -0.35}
    assert row == pytest.approx(expected)
    assert summary("train", np.array([0.6, 0.3]), np.empty((0, 2)), 2.0) == {"train_effectiveness": pytest.approx(0.45)}
