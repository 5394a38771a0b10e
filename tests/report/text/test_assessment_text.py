"""The first screen: letter by letter where it is usual, by its claims where it is not."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.errors import ParameterError
from riskrank.report.text.assessment_text import assessment_text, more_options
from riskrank.report.text.formatting import display_width
from riskrank.report.text.system_table import COLUMNS, TextOptions, shortened, up_to_text

SCREEN = """\
hybrid gains +0.150 nDCG@10 over bm25 (95% interval +0.097 to +0.202) and hurts
7 of 50 topics. neural gains as much (+0.154) at 5.3 times the risk. When
losses weigh double (α = 1), only hybrid gains significantly.

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


def many(n_systems, n_topics=40, *, name="s{}", seed=5, unit="topic", **options):
    rng = np.random.default_rng(seed)
    old = rng.uniform(0.3, 0.6, n_topics)
    shifts = np.linspace(0.15, -0.1, n_systems)
    rows = {"old": old, **{name.format(i): old + rng.normal(shift, 0.1, n_topics) for i, shift in enumerate(shifts)}}
    scores = replace(rr.Effectiveness.from_rows(rows, measure="AP"), unit=unit)
    return rr.assess(scores, "old", **options)


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
    assert len(text.splitlines()) <= 27  # 24 and some cautions
    assert not re.search(r"\b1 (systems|topics)\b", text)


@pytest.mark.parametrize("n_alphas", [1, 6, 12, 15])
def test_usual_columns_make_way_for_many_alphas(n_alphas):
    text = assessment_text(many(3, alphas=tuple(range(n_alphas))))
    assert max(map(display_width, text.splitlines())) <= 79
    assert "verdicts" not in text
    assert "up to" in table_of(text)[0]
    assert ("risk" in table_of(text)[0]) == ("risk: mean loss" in text)


def test_of_many_systems_the_first_are_listed_and_the_rest_counted():
    assessment = many(30, alphas=(0, 1))
    table = table_of(assessment_text(assessment))
    assert [line.split()[0] for line in table[1:8]] == [
        system.system for system in sorted(assessment.systems, key=lambda each: -each.gain)[:7]
    ]
    verdicts = [system.at[0].verdict for system in assessment if not system.is_baseline]
    shown = [assessment[line.split()[0]].at[0].verdict for line in table[1:8]]
    rest = {verdict: verdicts.count(verdict) - shown.count(verdict) for verdict in set(verdicts)}
    assert f"… {rest['significant gain']} more gain significantly, +" in table[8]
    assert f"; {rest['inconclusive']} are inconclusive (α = 0)" in table[8]
    assert table[9].startswith(f"… {rest['significant loss']} lose significantly: s")
    every = table_of(assessment_text(assessment, TextOptions(all_systems=True)))
    assert len(every) == 1 + 31


def test_systems_are_in_the_order_asked_for():
    assessment = many(6)
    for sort, column in {"risk": "risk", "hurt": "losses", "cvar": "cvar"}.items():
        names = [line.split()[0] for line in table_of(assessment_text(assessment, TextOptions(sort=sort)))[1:]]
        values = [getattr(assessment[name], column) for name in names]
        assert values == sorted(values)


def test_the_baseline_stands_between_gains_and_losses():
    table = table_of(assessment_text(many(6, alphas=(0,))))
    names = [line.split()[0] for line in table[1:]]
    signs = ["old" if name == "old" else line.split()[2][0] for name, line in zip(names, table[1:], strict=True)]
    assert signs == ["+"] * signs.index("old") + ["old"] + ["−"] * (6 - signs.index("old"))


def test_columns_are_those_asked_for():
    header = table_of(assessment_text(many(2, alphas=(0,)), TextOptions(columns=("large", "cvar", "reward"))))[0]
    assert header.split() == ["system", ">20%", "CVaR", "reward"]
    text = assessment_text(many(2, alphas=(0,)), TextOptions(columns=COLUMNS))
    assert all(title in text for title in ("AP", "95% interval", "hurt", ">20%", "risk", "reward", "CVaR", "α=0"))


def test_unknown_orders_and_columns_are_refused():
    with pytest.raises(
        ParameterError, match=r"sort must be one of gain, risk, hurt, cvar, got rsk. Did you mean 'risk'"
    ):
        TextOptions(sort="rsk")
    with pytest.raises(ParameterError, match="columns must be one of score, gain"):
        TextOptions(columns=("gain", "x"))


def test_many_topics_are_not_repeated_on_every_line():
    assessment = many(2, 1200, unit="query")
    text = assessment_text(assessment)
    assert "1,200 queries" in text
    assert "/1200" not in text
    assert "Worst queries" in text


def test_what_cannot_be_tested_has_no_columns_of_tests():
    header = table_of(assessment_text(many(2, 5)))[0].split()
    assert header == ["system", "AP", "gain", "hurt", "risk"]


def test_equal_systems_need_no_table():
    scores = rr.Effectiveness.from_rows({"old": [0.1] * 30, "new": [0.1] * 30})
    assert assessment_text(rr.assess(scores, "old")).count("\n\n") == 1


def test_systems_without_a_number_are_listed_last():
    rng = np.random.default_rng(1)
    old = rng.uniform(0.3, 0.6, 30)
    broken = np.where(np.arange(30) == 3, np.nan, old)
    scores = rr.Effectiveness.from_rows({"old": old, "broken": broken, "new": old + rng.normal(0.1, 0.1, 30)})
    text = assessment_text(rr.assess(scores, "old", alphas=(0, 1)))
    table = table_of(text)
    assert [line.split()[0] for line in table[1:]] == ["new", "old", "broken"]
    assert table[-1].split()[1:] == ["–", "–", "│", "–", "–", "·", "·", "–"]
    assert "·: no test" in text
    assert "broken cannot be compared: some scores are not finite numbers." in text.replace("\n", " ")


def test_the_leaders_worst_topics_are_told_wherever_it_stands():
    rng = np.random.default_rng(3)
    old = np.full(40, 0.5)
    bold = {f"bold{i}": old + np.where(rng.random(40) < 0.6, 0.4, -0.35) for i in range(4)}
    safe = old + np.where(np.arange(40) == 7, -0.02, 0.08 + 0.01 * rng.random(40))
    assessment = rr.assess(rr.Effectiveness.from_rows({"old": old, **bold, "safe": safe}), "old", alphas=(0, 5))
    text = assessment_text(assessment)
    assert text.startswith("safe gains +0.")
    assert "\n  safe   8 −0.020" in text.split("Worst topics")[1]


def test_up_to_the_last_alpha_that_was_tested_may_be_further():
    assert [up_to_text(alpha, 10.0) for alpha in (None, 0.0, 1.25, 10.0)] == ["–", "0", "1.25", "10+"]


def test_the_middle_of_long_names_is_left_out():
    assert shortened("a-system-with-a-long-name", 15) == "a-syste…ng-name"
    assert display_width(shortened("新しいシステムの長い名前", 13)) <= 13
