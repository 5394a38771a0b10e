"""The page of a sweep: its sentences are those of the terminal, every sweep has one, and names are text."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.words import plain

from ....tradeoff.synthetic_sweeps import judged, synthetic_sweep
from ..page_text import Tree, content, finding, markup, text_of, unknowns
from .swept import BOLD, CAREFUL, N

HOSTILE = "</script><b>x&y</b>"


@pytest.fixture(scope="module")
def page(two_models, guaranteed):
    return two_models.to_html(point=guaranteed)


def test_the_finding_is_that_of_the_terminal(two_models, guaranteed, page):
    said = sweep_findings(two_models, guaranteed)
    assert finding(page) == plain(said.headline)
    assert plain(said.beside) in text_of(re.search(r'<p class="lede">(.*?)</p>', page, flags=re.DOTALL)[1])


def test_all_numbers_are_handed_out(two_models, page):
    exports = json.loads(content(page))[0]["exports"]
    assert exports["csv"] == two_models.summary.write_csv()
    assert exports["tex"].count("\\\\\n") == 2 + len(two_models)  # titles, the baseline and a line per model
    assert r"series & $\alpha$ & " in exports["tex"]
    summary = json.loads(exports["json"])
    assert (summary["measure"], summary["baseline"], summary["n_queries"]) == ("nDCG@10", "feature:1", N)
    assert [model["gain"] for model in summary["rows"]] == pytest.approx([0.1, 0.03])


# Sweeps that are not as one would like.


@pytest.mark.parametrize(
    ("deltas", "options", "said"),
    [
        ([[-0.1, 0.0], [-0.05, 0.0]], {}, "there is nothing to trade"),
        ([[0.0, 0.0]], {}, "there is nothing to trade"),
        ([[0.1, -0.05]], {"learning": ((np.zeros(0),),)}, "α = 0 is not shown to gain"),
        ([[0.1, 0.2]], {"learning": ((np.array([np.nan, np.nan]),),)}, "α = 0 is not shown to gain"),
        ([[0.1, -0.05]], {"train_gain": np.zeros(1), "train_risk": np.zeros(1)}, "α = 0 is not shown to gain"),
        ([[0.1, -0.05]], {"values": [7], "parameter": "n_leaves"}, "n_leaves = 7 is not shown to gain"),
        ([[0.1]], {}, "on 1 test query"),
    ],
    ids=["only losses", "nothing", "no curve", "no risk", "no training gain", "leaves", "one query"],
)
def test_every_sweep_has_its_page(deltas, options, said):
    sweep = synthetic_sweep(judged(deltas), **options)
    page = sweep.to_html()
    assert said in finding(page)
    for text in (page, sweep.to_html(point=sweep.choose("risk", max_risk=0.1)), sweep._repr_html_()):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert unknowns(text) == []


def test_the_caption_says_what_each_line_is(two_models, guaranteed):
    lines = "Thin line: α = 5 used less often, at random. Dashed line: α = 0 used less often, at random."
    assert lines in text_of(two_models.to_html(point=guaranteed))
    assert lines in text_of(two_models.to_html())
    assert "Thin line" not in two_models.to_html(point=two_models.choose("risk", max_risk=1.0))


def test_no_point_within_the_budget(two_models):
    page = two_models.to_html(point=two_models.guarantee(0.00001))
    assert finding(page) == "Keep feature:1: no model is shown to stay within 1e-05."
    assert "No model is shown to fit the budget" in page


# Safety.


def test_names_are_text_everywhere():
    part = judged(
        np.array([BOLD, CAREFUL]), predictors={HOSTILE: np.arange(N) / N}, queries=[f"{HOSTILE}{i}" for i in range(N)]
    )
    sweep = synthetic_sweep(
        part, series=[HOSTILE, f"{HOSTILE}2"], values=[0, 1], valid=part, baseline=HOSTILE, measure=HOSTILE,
        thresholds={HOSTILE: np.linspace(0, 1, 5)}, predictors={HOSTILE: rr.Aggregate("max", 1)},
    )  # fmt: skip
    page = sweep.to_html(point=sweep.guarantee(0.004))
    for text in (page, sweep._repr_html_()):
        assert "<b>x" not in text
        assert "x&y" not in text
        assert "&lt;b&gt;x&amp;y" in text
    assert page.count("</script>") == 2


def test_only_the_script_of_the_page_may_run(page):
    script = re.search(r"<script>(.*?)</script>", page, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe-eval" not in policy


def test_all_is_in_the_markup_without_the_script(page):
    text = markup(page)
    for part in ("Use ", "budget 0.004", "fits, chosen", "Worst queries", "How it was computed", "Training"):
        assert part in text
