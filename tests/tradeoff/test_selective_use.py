"""Selective use of a model: against selective rankers, and on the better side."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.risk.outcomes import gain, risk

from .small_sweeps import PREDICTORS, TEXT
from .synthetic_sweeps import judged, selective_sweep


def test_a_selective_curve_is_what_selective_rankers_do(swept, models, parts):
    _, valid, test = parts
    base = rr.evaluate(test, {"b": test.feature(1)}, "nDCG@10")["b"]
    for name in PREDICTORS:
        for side in ("above", "below"):
            curve = swept.selective(name, apply=side)
            assert (curve["predictor"], curve["apply"]) == (name, side)
            for k in (0, 5, 13, 20):
                one = rr.Selective.of(
                    models[0], baseline=TEXT, predictor=name, threshold=float(curve["threshold"][k]), apply=side,
                    valid=valid,
                )  # fmt: skip
                runs = {"model": one.predict(test), "text": test.feature(1)}
                values = rr.evaluate(test, runs, "nDCG@10")["model"]
                assert curve["risk"][k] == pytest.approx(risk(values, base), abs=1e-12)
                assert curve["gain"][k] == pytest.approx(gain(values, base), abs=1e-12)
                assert curve["share"][k] == one.uses_model(test).mean()
                assert curve["reranked"][k] == rr.rank_changes(runs, "text", data=test)["model"].reranked


def test_the_side_of_a_predictor_is_the_better_one_on_validation_queries(by_hand):
    assert by_hand.selective("p")["apply"] == "below"
    flipped = judged([[-0.1, 0.2, 0.2, 0.6], [0, 0, 0, 0], [0, 0, 0, 0]], predictors=by_hand.test.predictors)
    seen = dataclasses.replace(by_hand, valid=flipped)
    assert seen.selective("p")["apply"] == "above"
    np.testing.assert_allclose(seen.selective("p")["gain"][:2], [0.2, 0.0])  # but the numbers are the test queries'


def test_the_better_side_is_chosen_also_for_a_model_that_loses_on_the_whole():
    sweep = selective_sweep(win=0.05)
    assert sweep.test.gain[0] < 0
    assert sweep.selective("x")["apply"] == "below"
    assert sweep.guarantee(0.05, hurt_beyond=0, via="x").gain == pytest.approx(0.6 * 0.05)
