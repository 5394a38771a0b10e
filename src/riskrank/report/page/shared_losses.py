"""The topics that several systems hurt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, rivals
from riskrank.report.findings.headings import shared_losses_heading, shared_losses_note
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.findings.digits import Digits

MOST_ROWS, MOST_OF_MANY = 8, 6  # of few systems, and of many


class SharedLoss(NamedTuple):
    """A topic that several systems hurt: the baseline's score, how many, and changes (the median, or of each)."""

    topic: str
    baseline: str
    n_systems: int
    share: float  # of the systems, in percent
    changes: list[str]


class SharedLosses(NamedTuple):
    """Those that most systems hurt, and what is said of them."""

    heading: str
    note: str
    columns: list[str]  # systems, where there are few
    rows: list[SharedLoss]


def shared_losses(assessment: Assessment, losing: Sequence[int], digits: Digits) -> SharedLosses | None:
    """None where there are none; `losing`: how many systems hurt each topic."""
    compared, counts = rivals(assessment), np.array(losing)
    if len(compared) < 2:
        return None
    names = [each.system for each in compared]
    deltas = difference(np.array([assessment.scores[name] for name in names]), assessment.baseline_scores)
    is_few = len(compared) <= FEW_SYSTEMS
    n_topics = int((counts >= 2).sum()) if is_few else int((counts > len(compared) / 2).sum())
    order = np.lexsort((deltas.mean(axis=0), -counts))[: MOST_ROWS if is_few else MOST_OF_MANY]
    rows = []
    for q in (q for q in order.tolist() if losing[q] >= (2 if is_few else 1)):
        changes = deltas[:, q].tolist() if is_few else [float(np.median(deltas[:, q]))]
        rows.append(
            SharedLoss(
                topic=assessment.scores.topics[q],
                baseline=digits.score(float(assessment.baseline_scores[q])),
                n_systems=losing[q],
                share=round(100 * losing[q] / len(compared), 1),
                changes=[digits.gain(change) for change in changes],
            )
        )
    if not rows:
        return None
    heading, note = shared_losses_heading(assessment, n_topics), shared_losses_note(assessment, len(rows), n_topics)
    return SharedLosses(heading, note, names if is_few else [], rows)
