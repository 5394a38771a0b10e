"""The tables of an assessment as columns: what a frame, CSV or LaTeX table is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.risk.exploratory import explore
from riskrank.risk.inference.bootstrap import at_alpha
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.assessment.assessment import Assessment

PLAIN = (
    "effectiveness", "geometric_mean", "gain", "risk", "reward", "wins", "losses", "ties", "large_losses",
    "cvar", "worst_loss", "worst_topic", "kendall_tau", "reranked",
)  # fmt: skip
BY_ALPHA = (
    "urisk", "standard_error", "trisk", "p_value", "p_holm", "p_bh", "verdict", "reason", "zrisk", "georisk",
)  # fmt: skip


def summary_rows(assessment: Assessment) -> list[dict[str, Any]]:
    """One flat row per system."""
    rows = []
    for system in assessment.systems:
        row: dict[str, Any] = {"measure": assessment.scores.measure, "system": system.system}
        row["is_baseline"] = system.is_baseline
        row.update({name: getattr(system, name) for name in PLAIN})
        for at in system.at:
            row.update({at_alpha(name, at.alpha): getattr(at, name) for name in BY_ALPHA})
        for name, (low, high) in system.intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = low, high
        rows.append(row)
    return rows


def topic_columns(assessment: Assessment) -> Iterator[dict[str, Any]]:
    """For each system but the baseline and each alpha, columns with an entry per topic."""
    scores = assessment.scores
    topics = list(scores.topics)
    for summary in assessment.systems:
        if summary.is_baseline:
            continue
        values = scores[summary.system]
        delta = difference(values, assessment.baseline_scores)
        for alpha in assessment.alphas:
            explored = explore(values, assessment.baseline_scores, alpha=alpha, level=assessment.level)
            columns: dict[str, Any] = {
                "measure": [scores.measure] * len(topics),
                "system": [summary.system] * len(topics),
                "topic": topics,
                "alpha": np.full(len(topics), alpha),
                "score": values,
                "baseline": assessment.baseline_scores,
                "difference": delta,
                "tradeoff": explored.tradeoff,
            }
            for name, tests in (("t_r", explored.t_r), ("t_j", explored.t_j)):
                columns[name] = tests.statistic
                columns[f"{name}_p"] = tests.p_value
                columns[f"{name}_p_holm"] = tests.p_holm
                columns[f"{name}_p_bh"] = tests.p_bh
            yield columns
