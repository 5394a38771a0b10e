"""Histories of gates, made up."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from riskrank.assessment.gating.gate_history import GateHistory
from riskrank.assessment.gating.past_gates import PastCheck, PastComparison, PastGate


def past_comparison(candidate, baseline, gain, *, before=0.5, measure="nDCG@10", n_topics=100, checks=None):
    """The mean of the baseline was `before`."""
    if checks is None:
        checks = (PastCheck("risk", "", 0.01, 0.02, True),)
    return PastComparison(candidate, baseline, measure, gain, n_topics, tuple(checks), before + gain, before)


def past_gates(*rows, passed=None):
    """A gate for each row of comparisons, a day apart; labels are the names of candidates."""
    gates = []
    for number, compared in enumerate(rows):
        holds = all(check.holds for each in compared for check in each.checks)
        time = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)
        is_passed = holds if passed is None else passed[number]
        gates.append(PastGate(time, compared[0].candidate, is_passed, tuple(compared)))
    return GateHistory(tuple(gates))


def creeping(n_releases, *, step=-0.005, pinned=False):
    """Each release loses a little against the one before, and uses more of the limits."""
    rows, mean = [], 0.5
    for i in range(n_releases):
        use = 0.4 + 0.5 * i / max(1, n_releases - 1)
        checks = [
            PastCheck("hurt", "", 0.2 * use * 0.8, 0.2, True),
            PastCheck("risk", "", 0.02 * use, 0.02, True),
            PastCheck("urisk", "", -0.01 * use * use, -0.01, True),
            PastCheck("significance", "", 0.0, math.nan, True),
            PastCheck("hurt", "mobile", 0.1 * use, 0.1, True),
        ]
        row = [past_comparison(f"v{i + 1}", f"v{i}", step, before=mean, checks=checks)]
        if pinned:
            row.append(past_comparison(f"v{i + 1}", "v0", mean + step - 0.5, checks=checks))
        rows.append(row)
        mean += step
    return past_gates(*rows)
