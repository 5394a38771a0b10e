"""The table of a first screen: which systems, in which order, with which columns."""

from __future__ import annotations

import re

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.report.text.assessment_text import assessment_text
from riskrank.report.text.formatting import display_width
from riskrank.report.text.system_table import COLUMNS, TextOptions, shortened, system_table, up_to_text

from .many_systems import many


def table_of(assessment, **options):
    return system_table(assessment, TextOptions(**options)).text.splitlines()


def test_of_many_systems_the_first_are_listed_and_the_rest_counted():
    assessment = many(30, alphas=(0, 1))
    table = table_of(assessment)
    assert [line.split()[0] for line in table[1:8]] == [
        system.system for system in sorted(assessment.systems, key=lambda each: -each.gain)[:7]
    ]
    verdicts = [system.at[0].verdict for system in assessment if not system.is_baseline]
    shown = [assessment[line.split()[0]].at[0].verdict for line in table[1:8]]
    rest = {verdict: verdicts.count(verdict) - shown.count(verdict) for verdict in set(verdicts)}
    assert f"… {rest['significant gain']} more gain significantly, +" in table[8]
    assert f"; {rest['inconclusive']} are inconclusive (α = 0)" in table[8]
    worst = min(assessment, key=lambda each: each.gain).system
    assert table[9].startswith(f"… {rest['significant loss']} lose significantly: {worst} −")
    every = table_of(assessment, all_systems=True)
    assert len(every) == 1 + 31


def test_of_many_systems_that_lose_as_many_are_named_as_two_lines_hold():
    assessment = many(60, n_topics=200, alphas=(0,))
    told = [line for line in table_of(assessment)[8:] if not line.startswith("… ") or " lose " in line]
    assert len(told) == 2
    assert re.search(r" and \d+ more$", told[1])


def test_systems_are_in_the_order_asked_for():
    assessment = many(6)
    for sort, column in {"risk": "risk", "hurt": "losses", "cvar": "cvar"}.items():
        names = [line.split()[0] for line in table_of(assessment, sort=sort)[1:]]
        values = [getattr(assessment[name], column) for name in names]
        assert values == sorted(values)


def test_the_baseline_stands_between_gains_and_losses():
    table = table_of(many(6, alphas=(0,)))
    names = [line.split()[0] for line in table[1:]]
    signs = ["old" if name == "old" else line.split()[2][0] for name, line in zip(names, table[1:], strict=True)]
    assert signs == ["+"] * signs.index("old") + ["old"] + ["−"] * (6 - signs.index("old"))


def test_columns_are_those_asked_for():
    header = table_of(many(2, alphas=(0,)), columns=("large", "cvar", "reward"))[0]
    assert header.split() == ["system", ">20%", "CVaR", "reward"]
    header = table_of(many(2, alphas=(0,)), columns=COLUMNS)[0]
    assert all(title in header for title in ("AP", "interval", "hurt", ">20%", "risk", "reward", "CVaR", "α=0"))


def test_unknown_orders_and_columns_are_refused():
    with pytest.raises(
        ParameterError, match=r"sort must be one of gain, risk, hurt, cvar, got rsk. Did you mean 'risk'"
    ):
        TextOptions(sort="rsk")
    with pytest.raises(ParameterError, match="columns must be one of score, gain"):
        TextOptions(columns=("gain", "x"))


def test_what_cannot_be_tested_has_no_columns_of_tests():
    header = table_of(many(2, 5))[0].split()
    assert header == ["system", "AP", "gain", "hurt", "risk"]


def test_systems_without_a_number_are_listed_last():
    rng = np.random.default_rng(1)
    old = rng.uniform(0.3, 0.6, 30)
    broken = np.where(np.arange(30) == 3, np.nan, old)
    scores = rr.Effectiveness.from_rows({"old": old, "broken": broken, "new": old + rng.normal(0.1, 0.1, 30)})
    assessment = rr.assess(scores, "old", alphas=(0, 1))
    table = table_of(assessment)
    assert [line.split()[0] for line in table[1:]] == ["new", "old", "broken"]
    assert table[-1].split()[1:] == ["–", "–", "│", "–", "–", "·", "·", "–"]
    text = assessment_text(assessment)
    assert "·: no test" in text
    assert "broken cannot be compared: some scores are not finite numbers." in text.replace("\n", " ")


def test_up_to_the_last_alpha_that_was_tested_may_be_further():
    assert [up_to_text(alpha, 10.0) for alpha in (None, 0.0, 1.25, 10.0)] == ["–", "0", "1.25", "10+"]


def test_the_middle_of_long_names_is_left_out():
    assert shortened("a-system-with-a-long-name", 15) == "a-syste…ng-name"
    assert display_width(shortened("新しいシステムの長い名前", 13)) <= 13
