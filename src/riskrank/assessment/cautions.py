"""What spoils a comparison, whatever its numbers say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import counted, listing, one_line
from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats

FEW_TOPICS = 25  # fewer find only very large effects
MUCH_UNJUDGED = 0.1  # of the first documents
MUCH_MORE = 0.05  # unjudged than of the baseline
MOST_NAMED = 5
CLEARLY = 3.0  # standard errors by which a correlation differs from 0


def cautions(scores: Effectiveness, baseline: Sequence[str]) -> list[str]:
    """What to know before reading any number; `baseline` are the systems that it is made of."""
    return [*_answers(scores, baseline), *_topics(scores), *_weights(scores, baseline), *_judgments(scores, baseline)]


def _answers(scores: Effectiveness, baseline: Sequence[str]) -> list[str]:
    """Systems that do not answer all topics, or score nothing at all."""
    count, said = len(scores.topics), []
    lacking = {system: len(topics) for system, topics in scores.missing.items() if topics}
    is_some = len(baseline) < len(scores)
    for part in (name for name in baseline if is_some and name in lacking):
        of_baseline = lacking.pop(part)
        role = "the baseline" if len(baseline) == 1 else "part of the baseline"
        said.append(
            f"{one_line(part)} ({role}) answers only {count - of_baseline} of {count} {scores.units}; the others "
            "count 0 for it, which flatters every other system."
        )
    if lacking:
        worst_first = sorted(lacking.items(), key=lambda item: -item[1])
        named = listing([f"{system} {n}" for system, n in worst_first], limit=MOST_NAMED)
        said.append(f"missing {scores.units} score 0, of {count}: {named}.")
    nothing = [system for system, row in zip(scores.systems, scores.matrix, strict=True) if len(row) and not row.any()]
    if nothing:
        named = listing(nothing, limit=MOST_NAMED)
        said.append(f"0 on every {scores.unit}: {named}. Do the document ids match those of the judgments?")
    return said


def _topics(scores: Effectiveness) -> list[str]:
    """Too few topics, or topics on which nobody can gain or lose."""
    count, empty = len(scores.topics), len(scores.without_relevant)
    said = []
    if scores.dropped:
        one = len(scores.dropped) == 1
        dropped = f"1 {scores.unit} was" if one else f"{len(scores.dropped):,} {scores.units} were"
        said.append(f"{dropped} dropped: not every system answers {'it' if one else 'them'}.")
    if scores.left_out:
        said.append(f"{counted(len(scores.left_out), scores.unit)} without a relevant document left out.")
    if scores.without_weight:
        said.append(f"{counted(len(scores.without_weight), scores.unit)} of weight 0 left out.")
    if count < FEWEST_CHANGED:
        few = f"one {scores.unit}" if count == 1 else f"{count} {scores.units}"
        said.append(f"{few} cannot show anything to be significant.")
    elif count < FEW_TOPICS:
        said.append(f"{count} {scores.units} are few: only very large effects can be significant.")
    elif scores.n_effective < FEW_TOPICS:
        said.append(
            f"{count:,} {scores.units} count as {scores.n_effective:.1f} by their weights, which is few: a handful "
            "decides all means, and tests may err where it changes unlike the others."
        )
    if empty:
        lack = f"{empty:,} of {count:,} {scores.units} {'has' if empty == 1 else 'have'} no relevant document"
        said.append(
            f"{lack}: every system scores 0 there, which brings all means "
            "nearer to 0. They can be left out: --without-relevant drop, in Python "
            "scores.with_relevant()."
        )
    return said


def _weights(scores: Effectiveness, baseline: Sequence[str]) -> list[str]:
    """Systems whose changes go with the weights of topics, by rank correlation: tests of weighted means err there."""
    weights = scores.relative_weights
    if weights is None or len(baseline) != 1 or len(scores.topics) < FEW_TOPICS:
        return []
    ranks, related = _ranks(weights), []
    for system in (name for name in scores if name not in baseline):
        change = _ranks(difference(scores[system], scores[baseline[0]]))
        spread = float(ranks.std() * change.std())
        r = float(((ranks - ranks.mean()) * (change - change.mean())).mean()) / spread if spread > 0 else 0.0
        if abs(r) * math.sqrt(len(ranks) - 2) > CLEARLY * math.sqrt(max(1 - r * r, 0.0)):
            related.append(f"{system} {'more' if r > 0 else 'less'} (rank correlation {r:+.2f})".replace("-", "−"))
    if not related:
        return []
    named = listing(related, limit=MOST_NAMED)
    return [
        f"heavy {scores.units} gain more or less than others: {named}. p-values of weighted means may be too small."
    ]


def _ranks(values: Floats) -> Floats:
    """From the smallest; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place], dtype=np.float64)


def _judgments(scores: Effectiveness, baseline: Sequence[str]) -> list[str]:
    """Systems whose documents were not judged: what is not judged counts as not relevant."""
    known = [scores.unjudged.get(part, 0.0) for part in baseline]
    usual = sum(known) / len(known) if known else 0.0
    others = {s: share for s, share in scores.unjudged.items() if len(baseline) == len(scores) or s not in baseline}
    much = {system: share for system, share in others.items() if share >= MUCH_UNJUDGED}
    if not much and usual < MUCH_UNJUDGED:
        return []
    if not any(share >= usual + MUCH_MORE for share in others.values()):
        least = min((others.get(system, 0.0) for system in scores.systems if system not in baseline), default=0.0)
        flattered = ", which flatters the others" if usual >= least + MUCH_MORE else ""
        return [f"nobody judged {usual:.0%} of the baseline's first documents, which count as not relevant{flattered}."]
    named = [f"{system} {share:.0%}" for system, share in sorted(much.items(), key=lambda item: -item[1])]
    beside = f" (the baseline: {usual:.0%})" if known else ""
    return [
        f"first documents that nobody judged count as not relevant, which may look like risk. So many of them were not "
        f"judged: {listing(named, limit=MOST_NAMED)}{beside}."
    ]
