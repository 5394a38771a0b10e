"""The arithmetic of the script of a page of sections in a real browser, against SciPy and Python."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from scipy import stats

import riskrank as rr
from riskrank.report.page.page_data import page_data

from ..browsing import needs_browser

pytestmark = needs_browser


def test_the_normal_distribution_is_that_of_scipy(tab, sections):
    tab.stay(sections[0])
    x = np.concatenate([np.linspace(-40, 40, 4001), np.logspace(-12, 2, 57), -np.logspace(-12, 2, 57)])
    shares = tab.run("return arguments[0].map(window.riskrank.normalCdf)", x.tolist())
    np.testing.assert_allclose(shares, stats.norm.cdf(x), rtol=0, atol=1e-9)
    assert min(shares) >= 0


def test_any_scores_give_what_python_gives(tab, sections):
    """Random matrices with ties, from few topics to many, at any alpha."""
    tab.stay(sections[0])
    rng = np.random.default_rng(0)
    for n, digits in itertools.product((2, 3, 10, 200), (1, 2, 15)):
        matrix = np.round(rng.beta(1, 2, (6, n)), digits)
        matrix[1, : n // 2] = matrix[0, : n // 2]
        scores = rr.Effectiveness("m", tuple("abcdef"), tuple(map(str, range(n))), matrix)
        alphas = (0.0, 0.7, 3.0, 250.0)
        assessment = rr.assess(scores, baseline="a", alphas=alphas)
        computed = tab.run(
            """const { systems, count, rounding } = arguments[0];
            return arguments[1].map((alpha) => systems.map((s) => {
                const test = window.riskrank.tested(s, count, alpha, rounding);
                const known = (x) => (Number.isNaN(x) ? null : x), geo = window.riskrank.georisk(s, count, alpha);
                return [test.urisk, known(test.trisk), geo];
            }))""",
            json.loads(json.dumps(page_data(assessment, {}))), alphas,
        )  # fmt: skip
        for at_alpha, rows in zip(range(len(alphas)), computed, strict=True):
            for system, numbers in zip(assessment.systems[1:], rows[1:], strict=True):
                at = system.at[at_alpha]
                values = np.array([np.nan if value is None else value for value in numbers])
                np.testing.assert_allclose(values, [at.urisk, at.trisk, at.georisk], rtol=1e-6, atol=1e-9)
    corrected = tab.run("return window.riskrank.holm([0.04, 0.01, 0.03, 0.2, 0.01])")
    assert corrected == pytest.approx(rr.risk.holm([0.04, 0.01, 0.03, 0.2, 0.01]).tolist())
    corrected = tab.run("return window.riskrank.benjaminiHochberg([0.04, 0.01, 0.03, 0.2, 0.01])")
    assert corrected == pytest.approx(rr.risk.benjamini_hochberg([0.04, 0.01, 0.03, 0.2, 0.01]).tolist())
