"""The card of a method, by hand."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import pytest

from riskrank.report.findings.digits import Digits
from riskrank.report.page.clicks.method_card import method_card
from riskrank.tradeoff.clicks.click_table import JUDGED, VALIDATION, Standing, Standings

from .hand_worked import hand_worked, methods_of

STANDARD, PREFERENCE, LOWEST = methods_of(hand_worked())


KNOWN = {PREFERENCE.name: Standing(1, gain_kept=0.7351, reranked=0.14, at_random=0.1949)}


def card(method, known=MappingProxyType({}), pages=VALIDATION):
    return method_card(method, STANDARD, "AP", Digits(3), Standings(known, pages))


def lines(method):
    return {line.title: f"{line.value} {line.beside}".strip() for line in card(method).lines}


def test_a_method_stands_beside_standard_gain():
    shown = lines(PREFERENCE)
    gain = shown.pop("Gain in MAP")
    assert shown == {
        "Parameters": "β = 0.5",
        "Gain per page moved": "+0.170 (+0.120)",
        "Mean loss": "0.0020 (0.0200)",
        "Pages re-ranked": "20% (50%)",
        "Pages hurt": "2 of 100 (10)",
        "Gain kept": "57% 17 points more than at random",
    }
    assert gain.startswith("+0.034 +0.0")
    assert card(PREFERENCE).notes == ["In brackets: Standard Gain."]


def test_standard_gain_stands_alone():
    assert lines(STANDARD)["Mean loss"] == "0.0200"
    assert "Gain kept" not in lines(STANDARD)
    assert card(STANDARD).notes == []


def test_without_a_coin_nothing_is_said_of_one():
    assert lines(LOWEST)["Gain kept"] == "−83%"
    assert [line.kind for line in card(LOWEST).lines if line.title == "Gain in MAP"] == ["loss"]


@pytest.mark.parametrize(("verdict", "kind"), [("gain", "gain"), ("open", "open"), ("none", "open")])
def test_only_a_significant_gain_has_the_colour_of_gains(verdict, kind):
    shown = card(dataclasses.replace(PREFERENCE, verdict=verdict)).lines
    assert [line.kind for line in shown if line.title == "Gain in MAP"] == [kind]


def test_the_card_has_what_the_method_keeps_where_it_was_chosen():
    both = (card(PREFERENCE, KNOWN, pages) for pages in (VALIDATION, JUDGED))
    told, untold = (
        [f"{line.value} {line.beside}" for line in each.lines if line.title == "Validation pages"] for each in both
    )
    assert (told, untold) == (["74% 55 points more than at random"], [])


def test_other_methods_of_the_same_model_are_named():
    twice = dataclasses.replace(PREFERENCE, also=("one", "another"))
    assert card(twice).notes[1] == "The same model is one and another."


@pytest.mark.parametrize(
    ("method", "known", "pages", "kind"),
    [
        (PREFERENCE, KNOWN, VALIDATION, "Leads on validation pages"),
        (PREFERENCE, KNOWN, JUDGED, "Leads on these pages"),
        (PREFERENCE, {}, VALIDATION, "Method"),
        (STANDARD, KNOWN, VALIDATION, "Learns from clicks alone"),
    ],
)
def test_the_card_says_why_it_is_shown(method, known, pages, kind):
    assert card(method, known, pages).kind == kind
