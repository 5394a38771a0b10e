from __future__ import annotations

import numpy as np

import riskrank as rr

BASE = np.random.default_rng(1).uniform(0.2, 0.6, 30)
BETTER = BASE + 0.1 + 0.05 * np.sin(np.arange(30))


def test_pages_and_notebooks_show_the_text_escaped():
    hostile = rr.Effectiveness.from_rows({"<b>": BASE, "better": BETTER})
    result = rr.all_pairs(hostile)
    for html in (result.to_html(), result._repr_html_()):
        assert "&lt;b&gt;" in html
        assert "<b>" not in html


def test_latex_has_the_pairs_that_differ():
    result = rr.all_pairs(rr.Effectiveness.from_rows({"old_1": BASE, "better": BETTER}))
    assert r"better & old\_1 & " in result.to_latex()
