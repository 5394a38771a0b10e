"""What a page knows: plain values for its script, thinned where there are very many topics.

All numbers of the tables are computed from sums over all topics, so that thinning changes none of them. The topics
that are listed and drawn may be a choice: the worst ones always, the best ones, and some from between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.json import without_nan
from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.report.thinned import thinned
from riskrank.risk.exploratory import LIMIT
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.paired import ROUNDING, difference
from riskrank.risk.zrisk import deviations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.typing import Floats

MOST_CELLS = 60_000  # topics × systems that are listed
FEWEST_TOPICS = 400  # of each system, however many systems there are
DIGITS = 6
GRID = 20  # steps of the slider
MANY_SYSTEMS = 150  # have p-values at the alphas that were asked for only


def page_data(
    assessment: Assessment,
    charts: Mapping[str, dict[str, Any]],
    *,
    helped: Sequence[Sequence[dict[str, Any]]] | None = None,
) -> dict[str, Any]:
    """What the script knows of one section: `charts` by name, and `helped`, the rows of a histogram per system."""
    scores = assessment.scores
    numbers: dict[int, int] = {}  # of the topics that are kept, in the page
    kept = [
        None if summary.is_baseline else _kept_topics(assessment, i, numbers)
        for i, summary in enumerate(assessment.systems)
    ]
    names = [scores.topics[q] for q in numbers]
    grid = alpha_grid(assessment)
    return {
        "measure": scores.measure,
        "count": len(scores.topics),
        "level": assessment.level,
        "correction": assessment.correction,
        "limit": LIMIT,
        "grid": grid,
        "rounding": ROUNDING,
        "alpha": default_alpha(assessment.alphas),
        "baselineName": assessment.baseline,
        "systems": _sums(assessment, grid),
        "topics": names,
        "baseline": _rounded(assessment.baseline_scores[list(numbers)]),
        "kept": kept,
        "charts": charts,
        "helped": helped,
    }


def alpha_grid(assessment: Assessment) -> list[float]:
    """The alphas that the slider stops at: those that were asked for, and steps between, as far as there is time."""
    alphas = assessment.alphas
    if len(assessment) > MANY_SYSTEMS or assessment.test == "t":
        return sorted(alphas)
    return sorted({*alphas, *np.linspace(0, max(10.0, *alphas), GRID + 1).round(3).tolist()})


def _sums(assessment: Assessment, grid: Sequence[float]) -> list[dict[str, Any]]:
    """Of each system, what its statistics at any alpha are computed from, and its p-values at those of the slider."""
    matrix = assessment.scores.matrix
    count = matrix.shape[1]
    is_whole = bool(((matrix >= 0) & (matrix <= LARGEST_SCORE)).all()) and count > 0
    above, below = deviations(matrix, assessment.is_member) if is_whole else (None, None)
    totals = matrix.sum(axis=1)
    largest = float(np.abs(assessment.baseline_scores).max(initial=0.0))
    systems = []
    for i, summary in enumerate(assessment.systems):
        delta = difference(matrix[i], assessment.baseline_scores)
        won, lost = np.maximum(delta, 0.0), np.maximum(-delta, 0.0)
        scale = max(float(np.abs(matrix[i]).max(initial=0.0)), largest)
        systems.append(
            {
                "name": summary.system,
                "isBaseline": summary.is_baseline,
                "p": None if summary.is_baseline else _p_values(assessment, summary, delta, grid),
                "won": without_nan(won.sum()),
                "lost": without_nan(lost.sum()),
                "wonSquares": without_nan(np.square(won).sum()),
                "lostSquares": without_nan(np.square(lost).sum()),
                "differs": int(np.count_nonzero(~(np.abs(delta - delta[0]) <= ROUNDING * scale))) if count else 0,
                "scale": without_nan(scale),
                "above": None if above is None else float(above[i]),
                "below": None if below is None else float(below[i]),
                "total": without_nan(totals[i]),
            }
        )
    return systems


def _p_values(
    assessment: Assessment, summary: SystemSummary, delta: Floats, grid: Sequence[float]
) -> list[float | None]:
    if assessment.test == "t":  # as the file has them; there are no others
        return [without_nan(summary.at_alpha(alpha).p_value) for alpha in grid]
    mirror = MirrorShift(delta)
    return [without_nan(mirror.p_value(alpha)) for alpha in grid]


def _kept_topics(assessment: Assessment, i: int, numbers: dict[int, int]) -> dict[str, list[Any]]:
    """The topics of a system that are listed, worst first; those that are new get the next number in the page."""
    scores = assessment.scores
    delta = difference(scores.matrix[i], assessment.baseline_scores)
    places = thinned(len(scores.topics), max(FEWEST_TOPICS, MOST_CELLS // max(1, len(scores))))
    chosen = np.argsort(delta, kind="stable")[places]
    return {
        "topics": [numbers.setdefault(q, len(numbers)) for q in chosen.tolist()],
        "changes": _rounded(delta[chosen]),
        "scores": _rounded(scores.matrix[i][chosen]),
        "places": places.tolist(),
    }


def default_alpha(alphas: Sequence[float]) -> float:
    """Where the slider stands at first: the first alpha from 1."""
    return next((alpha for alpha in alphas if alpha >= 1), alphas[-1])


def _rounded(values: Floats) -> list[float | None]:
    rounded: list[float | None] = without_nan([round(value, DIGITS) for value in values.tolist()])
    return rounded
