"""The page of a sweep."""

from __future__ import annotations

import json

from ...tradeoff.synthetic_sweeps import synthetic_sweep
from ..page.page_text import content, with_charts


@with_charts
def test_a_sweep_of_another_parameter_is_tested_at_the_usual_alphas(sweep):
    leaves = synthetic_sweep(sweep.test, values=[7, 15], parameter="n_leaves")
    assert json.loads(content(leaves.to_html()))[0]["alpha"] == 1
