"""All numbers: the finding of the first screen, then two tables."""

from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.report.findings.assessment_findings import findings
from riskrank.report.findings.words import plain
from riskrank.report.text.assessment_tables import assessment_tables, effect_table, risk_table, topics_table

OLD = [0.5] * 10
NEW = [0.56, 0.57, 0.58, 0.59, 0.6, 0.61, 0.62, 0.63, 0.64, 0.48]
ROWS = {"old": OLD, "new": NEW}


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(rr.Effectiveness.from_rows(ROWS, measure="AP"), "old", alphas=(0, 5))


def cells(table):
    return [line.split() for line in table.splitlines()]


def test_tables_begin_with_the_finding_of_the_first_screen(assessment):
    caution, *rest = assessment_tables(assessment).split("\n\n")[1:]
    assert caution.startswith("Caution: 10 topics are few")
    assert rest[0].replace("\n", " ") == plain(findings(assessment).whole)


def test_effectiveness_and_outcomes(assessment):
    header, old, new = cells(effect_table(assessment))
    assert header == ["system", "AP", "gain", "risk", "reward", "W/L/T", ">20%", "CVaR", "GM"]
    assert old[:3] == ["old", "(baseline)", "0.5000"]
    # nine gains of 0.06 to 0.14, 0.9 in all, and a loss of 0.02, which is also the worst of 10 topics
    assert new[:8] == ["new", "0.5880", "+0.0880", "0.0020", "0.0900", "9/1/0", "0", "0.0200"]


def test_risk_at_each_alpha(assessment):
    rows = cells(risk_table(assessment))
    assert rows[0] == [
        "α",
        "system",
        "URisk",
        "SE",
        "TRisk",
        "p",
        "p",
        "Holm",
        "p",
        "BH",
        "ZRisk",
        "GeoRisk",
        "verdict",
    ]
    assert [row[0] for row in rows[1:]] == ["0", "new", "5", "new"]
    assert [rows[2][1], rows[4][1]] == ["+0.0880", "+0.0780"]  # 0.09 − 0.002, 0.09 − 6 × 0.002
    assert "p (t)" in risk_table(assessment, t_test=True)


def test_intervals_stand_below_their_numbers():
    assessment = rr.assess(rr.Effectiveness.from_rows(ROWS), "old", alphas=(0,), intervals=True)
    _, _, _, _, below = effect_table(assessment).splitlines()
    low, high = assessment["new"].intervals["gain"]
    assert f"[{low:.3f}, {high:.3f}]" in below
    assert "none" in below  # CVaR has none with 10 topics


def test_every_topic_is_listed_worst_first(assessment):
    title, table, note = topics_table(assessment, alpha=5).split("\n\n")
    header, *rows = table.splitlines()
    assert title == "new, α = 5, worst topics first"
    assert header.split()[:4] == ["topic", "score", "baseline", "change"]
    assert rows[0].split()[:4] == ["10", "0.4800", "0.5000", "−0.0200"]
    assert [row.split()[0] for row in rows] == ["10", *map(str, range(1, 10))]
    assert note.startswith("T_R: the topic's change, losses weighing 1 + α")


def test_notes_and_sentences_fit_a_terminal(assessment):
    *_, meanings, notes = assessment_tables(assessment).split("\n\n")
    assert max(map(len, [*meanings.splitlines(), *notes.splitlines()])) <= 79


def test_a_terminal_gets_bold_titles(assessment):
    assert "\x1b" not in assessment_tables(assessment)
    assert "\x1b[1mWhat it means\x1b[0m" in assessment_tables(assessment, bold=True)


def test_names_with_control_characters_are_shown():
    odd = "\x1b[31m\r\n"
    rows = {f"old{odd}": OLD, f"new{odd}": NEW, f"bad{odd}": [1 - score for score in NEW]}
    scores = rr.Effectiveness.from_rows(rows, topics=[f"{odd}{i}" for i in range(10)], measure=f"m{odd}")
    assessment = rr.assess(scores, baseline=f"old{odd}", intervals=True)
    text = assessment_tables(assessment)
    assert r"(worst: \x1b[31m\r\n9, −0.0200)" in text.replace("\n", " ")
    for each in (text, topics_table(assessment, alpha=1)):
        assert each.replace("\n", "").isprintable()
