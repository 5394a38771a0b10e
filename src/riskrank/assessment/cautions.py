"""What spoils a comparison, whatever its numbers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import counted, listing, one_line
from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.effectiveness import Effectiveness

FEW_TOPICS = 25  # fewer find only very large effects
MUCH_UNJUDGED = 0.1  # of the first documents
MUCH_MORE = 0.05  # unjudged than of the baseline
MOST_NAMED = 5


def cautions(scores: Effectiveness, baseline: Sequence[str]) -> list[str]:
    """What to know before reading any number; `baseline` are the systems that it is made of."""
    return [*_answers(scores, baseline), *_topics(scores), *_judgments(scores, baseline)]


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
    if count < FEWEST_CHANGED:
        few = f"one {scores.unit}" if count == 1 else f"{count} {scores.units}"
        said.append(f"{few} cannot show anything to be significant.")
    elif count < FEW_TOPICS:
        said.append(f"{count} {scores.units} are few: only very large effects can be significant.")
    if empty:
        lack = f"{empty:,} of {count:,} {scores.units} {'has' if empty == 1 else 'have'} no relevant document"
        said.append(
            f"{lack}: every system scores 0 there, which brings all means "
            "nearer to 0. They can be left out: --without-relevant drop, in Python "
            "scores.with_relevant()."
        )
    return said


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
