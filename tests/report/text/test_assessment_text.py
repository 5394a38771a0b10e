"""The first screen: letter by letter where it is usual, by its claims where it is not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.text.assessment_text import assessment_text, more_options
from riskrank.report.text.formatting import display_width
from riskrank.report.text.system_table import TextOptions

from .many_systems import many

SCREEN = """\
hybrid gains +0.150 nDCG@10 over bm25 (95% interval +0.097 to +0.202) and hurts
7 of 50 topics. neural's gain (+0.154) cannot be told apart from hybrid's, at
5.3 times the risk. When losses weigh double (α = 1), only hybrid gains
significantly.

nDCG@10 (gains = grade), 3 systems against bm25 (0.468), 50 topics

system     nDCG@10    gain  95% interval       hurt    risk  α=0 1 5  up to
neural       0.621  +0.154  │  ├─────●─────┤  14/50  0.0872    ▲ ○ ○    0.1
hybrid       0.617  +0.150  │     ├──●──┤      7/50  0.0165    ▲ ▲ ○      2
expansion    0.581  +0.114  │├─────●────┤     11/50  0.0786    ▲ ○ ○    0.1
bm25         0.468          baseline

▲ significant gain  ○ inconclusive  ▼ significant loss  (p ≤ 0.05, Holm)
α: losses weigh 1 + α; up to: largest α of a significant gain; risk: mean loss

Worst topics
  neural     133 −0.75, 118 −0.60, 113 −0.58, 104 −0.50
  hybrid     131 −0.23, 103 −0.18, 139 −0.15, 144 −0.12
  expansion  149 −0.87, 110 −0.68, 122 −0.45, 113 −0.43"""


@pytest.fixture(scope="module")
def example_assessment():
    qrels, runs = example_files()
    return rr.assess(rr.evaluate(qrels, runs, "nDCG@10"), "bm25", alphas=(0, 1, 5))


def table_of(text):
    return next(part for part in text.split("\n\n") if part.startswith("system")).splitlines()


def test_the_first_screen(example_assessment):
    assert repr(example_assessment) == assessment_text(example_assessment) == SCREEN


def test_what_tells_more(example_assessment):
    usual = "--tables  all numbers    --per-topic  every topic    --html FILE  the report"
    assert more_options([example_assessment], TextOptions()) == usual
    cut = "--all  every system    --tables  all numbers    --html FILE  the report"
    assert more_options([many(11)], TextOptions()) == cut
    queries = more_options([many(11, unit="query")], TextOptions(all_systems=True))
    assert queries == usual.replace("every topic", "every query")


def test_a_terminal_gets_the_same_letters_in_colour(example_assessment):
    styled = assessment_text(example_assessment, TextOptions(styled=True))
    assert "\x1b[1mhybrid\x1b[0m   " in styled
    assert "\x1b[34m▲\x1b[0m" in styled
    plain = styled
    for code in ("\x1b[1m", "\x1b[34m", "\x1b[33m", "\x1b[0m"):
        plain = plain.replace(code, "")
    assert plain == SCREEN


@pytest.mark.parametrize("n_systems", [1, 2, 10, 48])
@pytest.mark.parametrize("n_topics", [1, 6, 40, 1000])
@pytest.mark.parametrize(
    "name", ["s{}", "a-system-whose-name-no-column-can-hold-as-it-is-{}", "新しいシステムの長い名前{}"]
)
def test_every_line_fits_a_terminal(n_systems, n_topics, name):
    text = assessment_text(many(n_systems, n_topics, name=name, alphas=(0, 1, 5, 10)))
    assert max(display_width(line) for line in text.splitlines()) <= 79
    assert len(text.split("\n\n", 1)[1 if text.startswith("Caution") else 0].splitlines()) <= 24
    assert not re.search(r"\b1 (systems|topics)\b", text)


@pytest.mark.parametrize("n_alphas", [1, 6, 12, 15])
def test_usual_columns_make_way_for_many_alphas(n_alphas):
    text = assessment_text(many(3, alphas=tuple(range(n_alphas))))
    assert max(map(display_width, text.splitlines())) <= 79
    assert "verdicts" not in text
    assert "up to" in table_of(text)[0]
    assert ("risk" in table_of(text)[0]) == ("risk: mean loss" in text)


def test_many_topics_are_not_repeated_on_every_line():
    assessment = many(2, 1200, unit="query")
    text = assessment_text(assessment)
    assert "1,200 queries" in text
    assert "/1200" not in text
    assert "Worst queries" in text


def test_small_losses_have_as_many_digits_as_they_need():
    old = np.full(30, 0.5)
    new = old + np.where(np.arange(30) == 3, -0.00012, 0.01 * np.arange(30))
    text = assessment_text(rr.assess(rr.Effectiveness.from_rows({"old": old, "new": new}), "old"))
    assert text.endswith("\n  new  4 −0.0001")


def test_columns_that_are_asked_for_are_explained():
    text = assessment_text(many(2), TextOptions(columns=("large", "cvar", "reward"))).replace("\n", " ")
    assert (
        "reward: mean win; >20%: topics that lose more than a fifth; CVaR: mean loss of the worst 10% of topics" in text
    )


def test_one_system_alone_is_told():
    text = assessment_text(rr.assess(rr.Effectiveness.from_rows({"old": [0.1] * 30}, measure="AP"), "old"))
    assert text == "There is nothing to compare with old: there is no other system.\n\nAP, old (0.100), 30 topics"


def test_of_topics_that_many_systems_lose_the_first_says_how_many_there_are():
    assert re.search(r"\nTopics most systems hurt: \d+ \(\d+ of 9\), \d+ \(\d\), ", assessment_text(many(9)))


def test_equal_systems_need_no_table():
    scores = rr.Effectiveness.from_rows({"old": [0.1] * 30, "new": [0.1] * 30})
    assert assessment_text(rr.assess(scores, "old")).count("\n\n") == 1


def test_the_leaders_worst_topics_are_told_wherever_it_stands():
    rng = np.random.default_rng(3)
    old = np.full(40, 0.5)
    bold = {f"bold{i}": old + np.where(rng.random(40) < 0.6, 0.4, -0.35) for i in range(4)}
    safe = old + np.where(np.arange(40) == 7, -0.02, 0.08 + 0.01 * rng.random(40))
    assessment = rr.assess(rr.Effectiveness.from_rows({"old": old, **bold, "safe": safe}), "old", alphas=(0, 5))
    text = assessment_text(assessment)
    assert text.startswith("safe gains +0.")
    assert "\n  safe   8 −0.020" in text.split("Worst topics")[1]
