"""What else is to know of a gate: weights, default limits, topics needed, accepted losses, unjudged documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.assessment.cautions import cautions
from riskrank.report.findings.check_findings import MOST_NAMED
from riskrank.report.findings.digits import Digits, two_digits
from riskrank.report.findings.words import counted, listed, one_sentence, short_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import BrokenTopic, Comparison
    from riskrank.report.findings.check_findings import CheckFinding

UNSURE = ("over, not surely", "within, not surely")
MOST_TIMES = 20  # as many topics as there are, that somebody may judge


def gate_remarks(compared: Comparison, checks: Sequence[CheckFinding]) -> list[str]:
    """What else is to know of a comparison, a sentence each."""
    said = weighing(compared)
    without = compared.without_segment
    if without:
        have = f"{counted(len(without), compared.scores.unit)} {'has' if len(without) == 1 else 'have'} no segment"
        said.append(f"{have} (first: {short_name(without[0])}).")
    if compared.passed:  # else they are in the table of what broke
        said += _largest_losses(compared)
    if compared.has_default_limits:
        said.append("No limit was given: these are the default ones (docs/gate.md).")
    said += _topics_needed(compared, checks)
    for loss in compared.accepted:
        change = _change(compared, loss.topic)
        reason = one_sentence(loss.reason)
        said.append(f"Accepted: {short_name(loss.topic)} {Digits(3).gain(change)} until {loss.until}: {reason}")
    for loss in compared.not_accepted:
        change = _change(compared, loss.topic)
        why = "since it must not break" if loss.covers(change) else f"which is more than {loss.at_most:g}"
        said.append(f"Not accepted: {short_name(loss.topic)} {Digits(3).gain(change)}, {why}.")
    broken = [topic for topic in compared.broken_topics if topic.n_unjudged]
    if broken:
        names = listed([f"{short_name(topic.topic)} ({topic.n_unjudged})" for topic in broken[:MOST_NAMED]])
        more = f", and {len(broken) - MOST_NAMED:,} more" if len(broken) > MOST_NAMED else ""
        said.append(
            f"Perhaps no loss, but documents that nobody judged, among the first of {short_name(compared.candidate)} "
            f"only: {names}{more}. Judge them."
        )
    return said


def gate_cautions(compared: Comparison) -> list[str]:
    """What spoils a comparison, whatever its numbers say."""
    scores = compared.scores
    is_same = (scores[compared.candidate] == scores[compared.baseline]).all()
    same = [f"they are equal on every {scores.unit}: are they the same run?"] if is_same else []
    return [*same, *cautions(scores, [compared.baseline])]


def _topics_needed(compared: Comparison, checks: Sequence[CheckFinding]) -> list[str]:
    """How many topics would settle what is not sure; beyond what anybody would judge, only that it is more."""
    most = MOST_TIMES * len(compared.scores.topics)
    unsure = [each for each in checks if each.check.n_needed or each.check.sureness in UNSURE]
    if not unsure:
        return []
    needed = [math.inf if each.check.n_needed is None else each.check.n_needed for each in unsure]
    parts = [
        f"about {two_digits(int(n)):,}{{}} for {each.name}"
        if n <= most
        else f"over {most:,}{{}} for {each.name} (too near its limit)"
        for n, each in sorted(zip(needed, unsure, strict=True), key=lambda pair: pair[0] > most)
    ]
    named = [part.format(f" {compared.scores.units}" if not i else "") for i, part in enumerate(parts)]
    return [f"To be sure, it takes {listed(named)}."]


def topics_compared(compared: Comparison) -> str:
    """How many topics were compared, and whether some count more than others."""
    scores = compared.scores
    is_weighted = compared.n_effective is not None
    return counted(len(scores.topics), f"weighted {scores.unit}" if is_weighted else scores.unit)


def weighing(compared: Comparison) -> list[str]:
    """A sentence on weights, where topics have any."""
    n_effective, scores = compared.n_effective, compared.scores
    if n_effective is None:
        return []
    if math.isclose(n_effective, len(scores.topics)):
        return [f"All {scores.units} have the same weight."]
    known = f"{n_effective:,.0f}" if n_effective >= 10 else f"{n_effective:.1f}"
    count = f"{len(scores.topics):,} {scores.units} tell as much as {known} of equal weight"
    return [f"Shares and means are weighted: {count}."]


def _largest_losses(compared: Comparison) -> list[str]:
    """A sentence that names them, if there are any."""
    changes = compared.scores[compared.candidate] - compared.scores[compared.baseline]
    digits = Digits(3)
    worst = [i for i in changes.argsort(kind="stable").tolist()[:3] if digits.gain(changes[i]).startswith("−")]
    names = [f"{short_name(compared.scores.topics[i])} ({digits.gain(changes[i])})" for i in worst]
    return (
        [f"It loses most on {compared.scores.unit if len(names) == 1 else compared.scores.units} {listed(names)}."]
        if names
        else []
    )


def topic_note(topic: BrokenTopic) -> str:
    """What tells a topic from others that lose, if anything does.

    >>> from riskrank.assessment.gating.comparison import BrokenTopic
    >>> topic_note(BrokenTopic("q", 0.1, 0.5, accepted=0.2))
    'accepted only up to 0.2'
    """
    if topic.is_protected:
        return "must not break"
    return "" if topic.accepted is None else f"accepted only up to {topic.accepted:g}"


def _change(compared: Comparison, topic: str) -> float:
    at = compared.scores.topics.index(topic)
    return float(compared.scores[compared.candidate][at] - compared.scores[compared.baseline][at])
