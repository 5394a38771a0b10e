"""The tables of an assessment: a row per system, and a row per system, topic and alpha."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.risk.intervals import at_alpha
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.assessment.assessment import Assessment


NOT_FLAT = ("at", "intervals", "gain_interval", "p_grid")


def summary_rows(assessment: Assessment) -> list[dict[str, Any]]:
    """All fields of a system in one flat row; those of an alpha end in it."""
    rows = []
    for i, system in enumerate(assessment.systems):
        fields = {name: value for name, value in vars(system).items() if name not in NOT_FLAT}
        fields["significant_up_to"] = assessment.significance.up_to(i)
        fields["gain_low"], fields["gain_high"] = system.gain_interval
        for at in system.at:
            fields |= {at_alpha(name, at.alpha): value for name, value in vars(at).items() if name != "alpha"}
        for name, (low, high) in system.intervals.items():
            fields |= {f"{name}_low": low, f"{name}_high": high}
        rows.append({"measure": assessment.scores.measure, **fields})
    return rows


def topic_columns(assessment: Assessment) -> Iterator[dict[str, Any]]:
    """For each system but the baseline and each alpha, columns with an entry per topic."""
    scores = assessment.scores
    count = len(scores.topics)
    for system in (each.system for each in assessment.systems if not each.is_baseline):
        delta = difference(scores[system], assessment.baseline_scores)
        for alpha in assessment.alphas:
            explored = assessment.explore(system, alpha=alpha)
            columns: dict[str, Any] = {
                "measure": [scores.measure] * count,
                "system": [system] * count,
                "topic": list(scores.topics),
                "alpha": np.full(count, alpha),
                "score": scores[system],
                "baseline": assessment.baseline_scores,
                "difference": delta,
                "tradeoff": explored.tradeoff,
                "t_r": explored.t_r,
                "t_j": explored.t_j,
                "p_value": explored.p_value,
                "p_holm": explored.p_holm,
                "p_bh": explored.p_bh,
            }
            yield columns
