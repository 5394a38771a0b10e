"""What a page should show, by the functions that print the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.text.formatting import decimals, p_text, signed
from riskrank.risk.exploratory import LIMIT
from riskrank.risk.trisk import verdict


def expected(assessment, alpha):
    """What the table should say of each system at an alpha, by the functions that print it."""
    rows = []
    again = rr.assess(assessment.scores, assessment.baseline_scores, alphas=[alpha], level=assessment.level)
    compared = [s.at[0].p_mirror for s, own in zip(again, assessment, strict=True) if not own.is_baseline]
    corrected = iter(rr.risk.holm(compared).tolist())
    for system, own in zip(again, assessment, strict=True):
        at = system.at[0]
        if own.is_baseline:
            rows.append(
                {"georisk": decimals(at.georisk), **dict.fromkeys(("urisk", "trisk", "p", "corrected", "verdict"), "")}
            )
            continue
        p_holm = next(corrected)
        rows.append(
            {
                "urisk": signed(at.urisk), "trisk": signed(at.trisk, 3), "p": p_text(at.p_mirror),
                "corrected": p_text(p_holm), "verdict": verdict(p_holm, at.urisk, assessment.level),
                "georisk": decimals(at.georisk),
            }
        )  # fmt: skip
    return rows


def shown(section):
    names = ("urisk", "trisk", "p", "corrected", "verdict", "georisk")
    return [{name: row[name] for name in names} for row in section.systems()]


def topic_lines(assessment, system, alpha):
    """The list of topics by hand: worst first, with the two statistics at an alpha."""
    scores, base = assessment.scores[system], assessment.baseline_scores
    delta = scores - base
    explored = rr.risk.explore(scores, base, alpha=alpha)
    return [
        [
            assessment.scores.topics[q], decimals(base[q]), decimals(scores[q]), signed(delta[q]),
            signed(explored.t_r[q], 2), signed(explored.t_j[q], 2), "●" if abs(explored.t_j[q]) > LIMIT else "",
        ]
        for q in np.argsort(delta, kind="stable")
    ]  # fmt: skip


def assert_lines(lines, wanted):
    """The same lines; the page knows changes to six digits, so that statistics may differ in their last one."""
    assert [[*line[:4], line[6]] for line in lines] == [[*line[:4], line[6]] for line in wanted]
    for column in (4, 5):
        one, other = ([float(line[column].replace("−", "-")) for line in each] for each in (lines, wanted))
        assert one == pytest.approx(other, abs=0.011)
