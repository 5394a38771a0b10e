"""Which models of a sweep are shown to gain or to risk less, and which one leads where none was chosen."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.findings.sweeps.shown_gains import beats_random_use, gains_less, leading_model, risks_less

from ...page.sweeps.swept import BOLD, CAREFUL, N, swept

# Gains as much as BOLD, with half of its losses: 300 queries win 0.2 − 1/30, 100 lose 0.1.
AS_BOLD = np.where(BOLD > 0, 0.5 / 3, -0.1)


def test_what_risks_less_and_is_not_shown_to_gain_less_leads():
    rng = np.random.default_rng(0)
    level = AS_BOLD + rng.normal(0, 0.2, N)  # a difference of gains with chance in it
    sweep = swept(BOLD, AS_BOLD, CAREFUL, values=[0, 1, 5])
    assert sweep.test.gain.round(4).tolist() == [0.1, 0.1, 0.03]
    assert leading_model(sweep) == 1
    assert (risks_less(sweep.test, 1, 0), gains_less(sweep.test, 1, 0)) == (True, False)
    assert (risks_less(sweep.test, 2, 0), gains_less(sweep.test, 2, 0)) == (True, True)
    assert not risks_less(swept(BOLD, level).test, 1, 0)


def test_without_any_the_most_careful_model_leads():
    assert leading_model(swept(BOLD, CAREFUL, values=[0, 5])) == 1
    assert leading_model(swept(BOLD)) == 0
    assert leading_model(swept(BOLD, 2 * BOLD, values=[0, 1])) == 1  # it risks more


def test_only_the_first_series_leads():
    sweep = swept(BOLD, CAREFUL, BOLD, AS_BOLD, values=[0, 5, 0, 5], series=["URisk", "URisk", "SARO", "SARO"])
    assert leading_model(sweep) == 1


@pytest.mark.parametrize(
    ("careful", "beats"), [(AS_BOLD, True), (CAREFUL, True), (0.5 * BOLD, False), (BOLD - 0.05, False)]
)
def test_a_model_is_held_against_the_reference_model_at_its_own_risk(careful, beats):
    # BOLD gains 2 per unit of risk: AS_BOLD 4, CAREFUL 4, half of BOLD 2, and BOLD less 0.05 gains 0.05 at 0.0625.
    assert beats_random_use(swept(BOLD, careful), 1) is beats


def test_chance_alone_beats_random_use_as_rarely_as_the_level_says():
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(60):
        bold = rng.normal(0.02, 0.1, 120)
        half = np.where(rng.random(120) < 0.5, bold, 0.0)  # the reference model, tossed
        wrong += beats_random_use(swept(bold, half), 1)
    assert wrong <= 6  # 2.5 % are meant: more than 6 of 60 come by chance in 1 of 1,000 draws
