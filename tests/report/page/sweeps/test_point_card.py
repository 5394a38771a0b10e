"""The card of an operating point, and the code that gives its ranker."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from riskrank.report.findings.digits import Digits
from riskrank.report.page.sweeps.point_card import point_card, ranker_code

from ....tradeoff.synthetic_sweeps import selective_sweep
from .swept import BOLD, swept


def lines_of(card):
    return {line.title: f"{line.value} {line.beside}".strip() for line in card.lines}


def test_the_card_has_the_point_and_the_code_that_gives_its_ranker(two_models, guaranteed):
    card = point_card(two_models, guaranteed, Digits(4))
    lines = lines_of(card)
    assert card.title == guaranteed.label
    assert lines["Guarantee"] == "mean loss ≤ 0.004 90% confidence"
    assert lines["Tested on"] == "400 validation queries"
    assert lines[f"Other {1 - guaranteed.probability:.0%}, at random"] == "feature:1"
    assert lines["Gain, test"] == f"+{guaranteed.gain:.4f}"
    assert lines["Mean loss, test"].startswith(f"{guaranteed.risk:.4f} ")
    assert lines["Queries hurt"] == f"{guaranteed.hurt:.1%}"
    assert [(share.text, share.note) for share in card.shares] == [
        (f"{guaranteed.gain / 0.1:.0%}", "of the gain of α = 0"),
        (f"{guaranteed.risk / 0.05:.0%}", "of the risk of α = 0"),
    ]
    assert card.code == "sweep.guarantee(0.004).ranker()"


def test_the_code_says_all_that_was_asked():
    sweep = selective_sweep()
    point = sweep.guarantee(0.05, via="x", confidence=0.8)
    assert point.predictor == "x"
    assert lines_of(point_card(sweep, point, Digits(4)))["Other queries"] == sweep.baseline
    assert ranker_code(point) == "sweep.guarantee(0.05, confidence=0.8, via='x').ranker()"


def test_a_point_that_asking_again_would_not_give_is_called_by_a_name(guaranteed):
    other = dataclasses.replace(guaranteed, probability=0.01).measured()
    assert ranker_code(other) == "point.ranker()"


def test_what_is_not_guaranteed_says_so(two_models):
    for point in (two_models.choose("risk", max_risk=0.01), None):
        card = point_card(two_models, point, Digits(4))
        assert lines_of(card)["Guarantee"] == "none; these are measurements"
        assert "Other queries" not in lines_of(card)
        assert card.code == "sweep.model(1)"
        assert lines_of(card)["Mean loss, test"].startswith("0.0075 ")


def test_a_model_that_nobody_chose_says_why_it_leads(two_models, guaranteed):
    assert point_card(two_models, guaranteed, Digits(4)).why == ""
    assert point_card(two_models, None, Digits(4)).why == ""  # it is shown to gain less
    cheaper = swept(BOLD, np.where(BOLD > 0, 0.15, -0.05), values=[0, 5])  # gains 0.1 as well, risks a quarter
    assert point_card(cheaper, None, Digits(4)).why == (
        "The last model whose risk is shown to be lower than that of α = 0, and whose gain cannot be told from it"
    )


def test_without_a_point_within_the_budget_the_nearest_model_is_named(two_models):
    card = point_card(two_models, two_models.guarantee(0.00001), Digits(4))
    assert card.title == "keep the baseline, feature:1"
    assert lines_of(card) == {
        "Wanted": "mean loss ≤ 1e-05 90% confidence",
        "Tested on": "400 validation queries",
        "Nearest model": "α = 5 0.0075 there",
    }
    assert (card.shares, card.code) == ([], "")


@pytest.mark.parametrize("confidence", [0.9, 0.995])
def test_a_confidence_has_all_its_digits(two_models, confidence):
    point = two_models.guarantee(0.02, confidence=confidence)
    assert lines_of(point_card(two_models, point, Digits(4)))["Guarantee"].endswith(
        f" {100 * confidence:g}% confidence"
    )
