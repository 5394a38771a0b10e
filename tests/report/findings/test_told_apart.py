"""Who cannot be told apart from the leader."""

from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.report.findings.told_apart import not_told_apart, told_apart_sentence


def assessed(n_systems, twins):
    """A leader, systems that equal it on average, and others that are much worse."""
    rng = np.random.default_rng(0)
    base = rng.uniform(0.2, 0.5, 50)
    best = base + rng.uniform(0.2, 0.3, 50)
    rows = {"base": base, "best": best}
    rows |= {f"twin{i}": best + rng.normal(-0.001, 0.02, 50) for i in range(twins)}
    rows |= {f"other{i}": base + rng.normal(0.02, 0.02, 50) for i in range(n_systems - twins - 1)}
    return rr.assess(rr.Effectiveness.from_rows(rows), "base")


def test_twins_of_the_leader_cannot_be_told_apart_and_others_can():
    assessment = assessed(12, twins=3)
    names = not_told_apart(assessment, assessment["best"])
    assert sorted(names) == ["twin0", "twin1", "twin2"]
    assert told_apart_sentence(assessment, assessment["best"]) == "3 systems cannot be told apart from best."


def test_tests_are_paired_and_corrected_for_all_others():
    assessment = assessed(12, twins=3)
    scores = assessment.scores
    others = [each.system for each in assessment if each.system not in ("base", "best")]
    p = rr.risk.holm([rr.risk.trisk(scores[name], scores["best"], alpha=0).p_mirror for name in others])
    wanted = {name for name, value in zip(others, p.tolist(), strict=True) if value > 0.05}
    assert set(not_told_apart(assessment, assessment["best"])) == wanted


def test_of_few_systems_nothing_is_said():
    assessment = assessed(8, twins=3)
    assert told_apart_sentence(assessment, assessment["best"]) == ""


def test_a_system_that_equals_the_leader_cannot_be_told_apart():
    rng = np.random.default_rng(1)
    base = rng.random(20)
    rows = {"base": base, "best": base + 0.2, "copy": base + 0.2}
    rows |= {f"s{i}": base + rng.normal(0, 0.01, 20) for i in range(8)}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "base")
    assert "copy" in not_told_apart(assessment, assessment["best"])
