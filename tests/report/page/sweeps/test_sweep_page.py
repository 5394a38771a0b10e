"""The page of a sweep: its numbers are the library's, and names are text."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import json
import re

import numpy as np
import pytest

from riskrank.report.findings.sweep_findings import sweep_findings
from riskrank.report.findings.words import plain
from riskrank.report.text.sweep_text import summary_table

from ....tradeoff.synthetic_sweeps import judged, selective_sweep, synthetic_sweep
from ..page_text import Tree, content, finding, markup, rows_of, text_of, unknowns

N = 400
SIGNS = np.where(np.arange(N) % 4 == 0, -1.0, 1.0)
BOLD = 0.2 * SIGNS  # gain 0.1, risk 0.05; 100 of 400 queries lose 40 % of 0.5
CAREFUL = np.where(SIGNS > 0, 0.05, -0.03)  # gain 0.03, risk 0.0075; nobody loses more than a fifth
HOSTILE = "</script><b>x&y</b>"


def swept(*deltas, **options):
    test = judged(np.array(deltas))
    return synthetic_sweep(test, valid=judged(np.array(deltas)), **options)


def card_of(page):
    card = re.search(r'<div class="card">(.*?)</aside>', page, flags=re.DOTALL)[1]
    terms = [text_of(each) for each in re.findall(r"<dt>(.*?)</dt>", card, flags=re.DOTALL)]
    values = [text_of(each) for each in re.findall(r"<dd>(.*?)</dd>", card, flags=re.DOTALL)]
    return text_of(card), dict(zip(terms, values, strict=True))


@pytest.fixture(scope="module")
def sweep():
    return swept(BOLD, CAREFUL, values=[0, 5])


@pytest.fixture(scope="module")
def guaranteed(sweep):
    point = sweep.guarantee(0.004)
    assert point.probability < 1
    return point, sweep.to_html(point=point)


# Numbers.


def test_the_finding_is_that_of_the_terminal(sweep, guaranteed):
    point, page = guaranteed
    said = sweep_findings(sweep, point)
    assert finding(page) == plain(said.headline)
    assert plain(said.beside) in text_of(re.search(r'<p class="lede">(.*?)</p>', page, flags=re.DOTALL)[1])


def test_the_steps_are_those_of_the_library(sweep, guaranteed):
    point, page = guaranteed
    baseline, bold, careful, chosen = rows_of(page, "systems steps-table")
    assert baseline[:2] == ["feature:1 baseline", "nDCG@10 0.5000"]
    # Gain, risk, hurt and helped, more than a fifth worse, gain and risk kept.
    assert bold[:7] == ["α = 0", "+0.1000", "0.0500", "100 300", "100", "100%", "100%"]
    assert careful[:7] == ["α = 5", "+0.0300", "0.0075", "100 300", "0", "30%", "15%"]
    assert bold[7] == ""
    assert careful[7] == "−0.0700 gain −0.0425 risk"
    share = point.probability
    assert chosen[:4] == [
        f"α = 5 on {share:.0%} chosen", f"+{share * 0.03:.4f}", f"{share * 0.0075:.4f}",
        f"{share * 0.25:.1%} hurt, expected",
    ]  # fmt: skip
    assert chosen[5:] == [f"{share * 0.3:.0%}", f"{share * 0.15:.0%}", "fits the budget"]


def test_the_card_has_the_point_and_the_code_that_gives_its_ranker(guaranteed):
    point, page = guaranteed
    text, lines = card_of(page)
    assert point.label in text
    assert lines["Guarantee"] == "mean loss ≤ 0.004 90% confidence"
    assert lines["Tested on"] == "400 held-out queries"
    assert lines["Gain, test"] == f"+{point.gain:.4f}"
    assert lines["Mean loss, test"].startswith(f"{point.risk:.4f} ")
    assert lines["Queries hurt"] == f"{point.hurt:.1%}"
    assert f"{point.gain / 0.1:.0%} of the gain of α = 0" in text
    assert f"{point.risk / 0.05:.0%} of the risk of α = 0" in text
    assert text.endswith("sweep.guarantee(0.004).ranker()")


def test_the_code_says_all_that_was_asked():
    sweep = selective_sweep()
    point = sweep.guarantee(0.05, via="x", confidence=0.8)
    assert point.predictor == "x"
    assert "sweep.guarantee(0.05, confidence=0.8, via='x').ranker()" in html.unescape(sweep.to_html(point=point))


def test_a_point_that_asking_again_would_not_give_is_called_by_a_name(sweep, guaranteed):
    other = dataclasses.replace(guaranteed[0], probability=0.01).measured()
    assert "<code>point.ranker()</code>" in sweep.to_html(point=other)


def test_what_is_not_guaranteed_says_so(sweep):
    for point in (sweep.choose("risk", max_risk=0.01), None):
        text, lines = card_of(sweep.to_html(point=point))
        assert lines["Guarantee"] == "measured, not guaranteed"
        assert text.endswith("sweep.model(1)")
        assert lines["Mean loss, test"].startswith("0.0075 ")


def test_facts_and_worst_queries(guaranteed, sweep):
    _, page = guaranteed
    assert "No query loses more than a fifth with α = 5, 100 with α = 0" in page
    assert "α = 5 hurts 100 of 400 queries, α = 0 hurts 100, but by more in all" in page
    worst = rows_of(page, "worst")
    assert worst == [[str(4 * k), "0.5000", "−0.2000", "−0.0300"] for k in range(5)]


def test_all_numbers_are_there_and_as_csv(sweep, guaranteed):
    _, page = guaranteed
    assert rows_of(page, "sweep") == [[str(cell) for cell in row] for row in summary_table(sweep).rows]
    assert json.loads(content(page)) == [{"csv": sweep.summary.write_csv()}]


def test_the_budget_is_drawn_where_it_is_a_mean_loss(sweep, guaranteed):
    assert "budget 0.004" in guaranteed[1]
    assert "over budget" not in sweep.to_html(point=sweep.guarantee(0.1, hurt_beyond=0.1))
    assert 'class="region"' not in sweep.to_html()


def test_series_are_all_named_and_the_chosen_one_is_ink():
    sweep = swept(BOLD, CAREFUL, 0.5 * BOLD, values=[0, 5, 0], series=["URisk", "URisk", "SARO"])
    page = sweep.to_html(point=sweep.choose("risk", max_risk=0.01))
    wide = page.split('<g class="wide-only">')[1].split("</g>")[0]
    assert re.findall(r"<text x=[^>]*>([^<]*)</text>", wide) == [
        "URisk, α = 5",
        "URisk, α = 0",
        "SARO, α = 0",
        "URisk, α = 0, used less often",
    ]
    assert page.count('class="curve chosen"') == page.count('class="curve other"') == 1


# Sweeps that are not as one would like.


@pytest.mark.parametrize(
    ("deltas", "options", "said"),
    [
        ([[-0.1, 0.0], [-0.05, 0.0]], {}, "there is nothing to trade"),
        ([[0.0, 0.0]], {}, "there is nothing to trade"),
        ([[0.1, -0.05]], {"learning": ((np.zeros(0),),)}, "α = 0 gains +0.025"),
        ([[0.1, 0.2]], {"learning": ((np.array([np.nan, np.nan]),),)}, "hurts 0% of queries"),
        ([[0.1, -0.05]], {"train_gain": np.zeros(1), "train_risk": np.zeros(1)}, "α = 0 gains"),
        ([[0.1, -0.05]], {"values": [7], "parameter": "n_leaves"}, "n_leaves = 7 gains"),
        ([[0.1]], {}, "α = 0 gains +0.100"),
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


def test_no_point_within_the_budget(sweep):
    page = sweep.to_html(point=sweep.guarantee(0.00001))
    assert finding(page) == "Keep feature:1: no model is shown to stay within 1e-05."
    text, lines = card_of(page)
    assert "keep the baseline, feature:1" in text
    assert lines == {
        "Wanted": "mean loss ≤ 1e-05 90% confidence",
        "Tested on": "400 held-out queries",
        "Nearest model": "α = 5 0.0075 there",
    }
    assert "No model is shown to fit the budget" in page


def test_models_far_off_are_counted_and_stay_in_the_table():
    deltas = [(1 + 0.01 * k) * CAREFUL for k in range(10)] + [-BOLD * 4]
    page = swept(*deltas).to_html()
    assert "1 off the chart" in page
    assert len(rows_of(page, "systems steps-table")) == 12


# Safety.


def test_names_are_text_everywhere():
    part = judged(
        np.array([BOLD, CAREFUL]), predictors={HOSTILE: np.arange(N) / N}, queries=[f"{HOSTILE}{i}" for i in range(N)]
    )
    sweep = synthetic_sweep(
        part, series=[HOSTILE, f"{HOSTILE}2"], values=[0, 1], valid=part, baseline=HOSTILE, measure=HOSTILE,
        thresholds={HOSTILE: np.linspace(0, 1, 5)},
    )  # fmt: skip
    page = sweep.to_html(point=sweep.guarantee(0.004))
    for text in (page, sweep._repr_html_()):
        assert "<b>x" not in text
        assert "x&y" not in text
        assert "&lt;b&gt;x&amp;y" in text
    assert page.count("</script>") == 2


def test_only_the_script_of_the_page_may_run(guaranteed):
    page = guaranteed[1]
    script = re.search(r"<script>(.*?)</script>", page, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe-eval" not in policy


def test_all_is_in_the_markup_without_the_script(guaranteed):
    text = markup(guaranteed[1])
    for part in ("Use ", "budget 0.004", "fits the budget", "Worst queries", "How it was computed", "Training"):
        assert part in text


def test_a_notebook_gets_the_finding_a_picture_and_the_first_models():
    many = swept(*[(1 - 0.1 * k) * BOLD for k in range(7)])
    view = many._repr_html_()
    assert "<script" not in view
    assert "<iframe" not in view
    assert view.count("<tr>") == 6
    assert "The first 5 of 7 models, 400 test queries, against feature:1." in text_of(view)
    assert plain(sweep_findings(many).headline) in text_of(view)
