"""What a page knows: plain values for its script, thinned where there are very many topics.

All numbers of the tables are computed from sums over all topics, so that thinning changes none of them. The topics
that are listed and drawn may be a choice: the worst ones always, the best ones, and some from between.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.risk.paired import ROUNDING, difference
from riskrank.risk.zrisk import deviations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.page.top_documents import Rankings
    from riskrank.typing import Floats


MOST_CELLS = 60_000  # topics × systems that are listed
FEWEST_TOPICS = 400  # of each system, however many systems there are
MOST_DOCUMENTS = 30_000  # in rankings side by side
DIGITS = 6


def page_data(
    assessment: Assessment, charts: Mapping[str, Any], *, rankings: Rankings | None = None, helped: Any = None
) -> dict[str, Any]:
    """One section of a page."""
    scores = assessment.scores
    matrix = scores.matrix
    count = len(scores.topics)
    is_whole = bool((np.isfinite(matrix) & (matrix >= 0)).all()) and count > 0
    above, below = deviations(matrix) if is_whole else (None, None)
    totals = matrix.sum(axis=1)
    largest = float(np.abs(assessment.baseline_scores).max(initial=0.0))
    systems: list[dict[str, Any]] = []
    kept: list[dict[str, Any] | None] = []
    used: dict[int, int] = {}  # topics by their number in the page
    most = max(FEWEST_TOPICS, MOST_CELLS // max(1, len(scores)))
    for i, summary in enumerate(assessment.systems):
        delta = difference(matrix[i], assessment.baseline_scores)
        won, lost = np.maximum(delta, 0.0), np.maximum(-delta, 0.0)
        scale = max(float(np.abs(matrix[i]).max(initial=0.0)), largest)
        systems.append(
            {
                "name": summary.system,
                "isBaseline": summary.is_baseline,
                "won": plain(won.sum()),
                "lost": plain(lost.sum()),
                "wonSquares": plain(np.square(won).sum()),
                "lostSquares": plain(np.square(lost).sum()),
                "differs": int(np.count_nonzero(~(np.abs(delta - delta[0]) <= ROUNDING * scale))) if count else 0,
                "scale": plain(scale),
                "above": None if above is None else float(above[i]),
                "below": None if below is None else float(below[i]),
                "total": plain(totals[i]),
            }
        )
        if summary.is_baseline:
            kept.append(None)
            continue
        order = np.argsort(delta, kind="stable")
        places = thinned(count, most)
        chosen = order[places]
        kept.append(
            {
                "topics": [used.setdefault(q, len(used)) for q in chosen.tolist()],
                "changes": _rounded(delta[chosen]),
                "scores": _rounded(matrix[i][chosen]),
                "places": places.tolist(),
            }
        )
    names = [scores.topics[q] for q in used]
    own = [summary.is_baseline for summary in assessment.systems]
    return {
        "measure": scores.measure,
        "count": count,
        "level": assessment.level,
        "rounding": ROUNDING,
        "alpha": default_alpha(assessment.alphas),
        "baselineName": assessment.baseline,
        "baselineIndex": own.index(True) if any(own) else None,
        "systems": systems,
        "topics": names,
        "baseline": _rounded(assessment.baseline_scores[list(used)]),
        "kept": kept,
        "charts": charts,
        "helped": helped,
        "rankings": _side_by_side(assessment, kept, names, rankings),
        "rankingsNote": _note(rankings is not None, any(own)),
    }


def _note(has_rankings: bool, has_baseline: bool) -> str:
    """Why a topic may have no rankings to look at."""
    if not has_rankings:
        return "The rankings are not known here: only scores were given."
    if not has_baseline:
        return "The baseline has no ranking of its own: it is made of several systems, or of scores."
    return "Rankings are shown for the topics that lose and gain most."


def default_alpha(alphas: Sequence[float]) -> float:
    """Where the slider stands at first: the first alpha from 1."""
    return next((alpha for alpha in alphas if alpha >= 1), alphas[-1])


def thinned(count: int, most: int) -> NDArray[np.int64]:
    """Which of `count` things, worst first, to keep: half of the room for the worst, a quarter for the best, and the
    rest evenly from between.

    >>> thinned(4, 10).tolist()
    [0, 1, 2, 3]
    >>> thinned(1000, 8).tolist()
    [0, 1, 2, 3, 335, 666, 998, 999]
    """
    if count <= most:
        return np.arange(count)
    first, last = most // 2, most // 4
    between = np.linspace(first - 1, count - last, most - first - last + 2).round().astype(np.int64)[1:-1]
    return np.concatenate([np.arange(first), between, np.arange(count - last, count)])


def _side_by_side(
    assessment: Assessment, kept: list[Any], names: list[str], rankings: Rankings | None
) -> dict[int, dict[int, Any]]:
    """Documents of the topics that lose and gain most, by topic and system, as far as there is room."""
    found: dict[int, dict[int, Any]] = {}
    baseline = next((i for i, system in enumerate(assessment.systems) if system.is_baseline), None)
    if rankings is None or baseline is None:
        return found
    room = MOST_DOCUMENTS
    wanted = []
    for i, own in enumerate(kept):
        if own is None:
            continue
        ends = np.argsort([-abs(change or 0.0) for change in own["changes"]], kind="stable").tolist()
        wanted += [(rank, own["topics"][k], i) for rank, k in enumerate(ends)]
    own_name = assessment.systems[baseline].system
    for _, topic, i in sorted(wanted):  # the largest changes of each system first
        if room <= 0:
            break
        known = found.setdefault(topic, {})
        for system, name in ((i, assessment.systems[i].system), (baseline, own_name)):
            if system not in known:
                known[system] = rankings.top(name, names[topic])
                room -= len(known[system])
    return found


def plain(value: Any) -> float | None:
    """A number for JSON; None for NaN and infinity."""
    return float(value) if math.isfinite(value) else None


def _rounded(values: Floats) -> list[float | None]:
    return [round(value, DIGITS) if math.isfinite(value) else None for value in values.tolist()]
