"""What the script knows of systems: the library's numbers at each stop, rounded as they are written."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.headings import losers_of
from riskrank.report.page.system_data import COLUMNS, stop_values, system_data

RNG = np.random.default_rng(0)
BASE = RNG.beta(2, 3, 30)
ROWS = {"old": BASE} | {f"s{i}": np.clip(BASE + RNG.normal(0.02 * i, 0.1, 30), 0, 1) for i in range(4)}


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(rr.Effectiveness.from_rows(ROWS), "old", alphas=(0, 1, 20))


def test_every_number_at_every_stop_is_the_librarys(assessment):
    values = stop_values(assessment)
    for k, alpha in enumerate(assessment.grid):
        again = rr.assess(assessment.scores, "old", alphas=[alpha])
        for i, system in enumerate(again.systems):
            if system.is_baseline:
                continue
            at = system.at[0]
            wanted = {"urisk": at.urisk, "trisk": at.trisk, "zrisk": at.zrisk, "georisk": at.georisk,
                      "p": at.p_mirror, "holm": at.p_holm, "bh": at.p_bh}  # fmt: skip
            shown = {name: values[name][i][k] for name in wanted}
            assert shown == pytest.approx(wanted, abs=6e-4)


def test_the_baseline_is_nobody_and_others_have_a_value_for_every_column(assessment):
    nobody, *others = system_data(assessment, Digits(3), losers_of(assessment), stop_values(assessment))
    assert nobody is None
    for system, data in zip(assessment.systems[1:], others, strict=True):
        known = {key: data["at"].get(key, data.get(key)) for key, _, _ in COLUMNS}
        assert {key for key, value in known.items() if value is None} == {"tau", "reranked"}
        assert data["gain"] == float(f"{system.gain:.3f}")
        assert len(data["verdicts"]) == len(assessment.grid)
        assert sum(data["bars"]) == system.wins + system.losses


def test_what_is_not_known_is_null():
    rows = {"old": [0.5, 0.2, 0.3], "odd": [0.5, math.nan, 0.3]}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "old")
    _, odd = system_data(assessment, Digits(3), losers_of(assessment), stop_values(assessment))
    assert (odd["gain"], odd["bars"], odd["verdicts"].strip("?")) == (None, None, "")
    json.dumps(odd, allow_nan=False)


def test_without_scores_from_0_up_there_is_no_zrisk():
    assessment = rr.assess(rr.Effectiveness.from_rows({"old": [-1.0, 2.0, 0.5], "new": [1.0, 1.0, -0.5]}), "old")
    assert not {"zrisk", "georisk"} & set(stop_values(assessment))
