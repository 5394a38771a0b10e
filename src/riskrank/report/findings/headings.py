"""Headings of a report's parts: what each part shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.report.findings.assessment_findings import (
    FEW_SYSTEMS,
    is_told_apart,
    leader,
    noun,
    rivals,
)
from riskrank.report.findings.digits import digits_of, risk_text
from riskrank.report.findings.words import counted, listed_first, plural, short_name
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary

NAMED_LETTERS = 40  # of the names in a heading
COMPARABLE = 4  # systems that make it worth saying how many lose a topic


def plot_heading(assessment: Assessment) -> str:
    """What risk against gain shows."""
    best, compared = leader(assessment), rivals(assessment)
    if best is None:
        first = compared[0]
        if first.gain > 0:
            most = "" if len(compared) == 1 else " most"
            return f"{short_name(first.system)} gains{most}, but not significantly"
        return f"{short_name(first.system)} gains nothing" if len(compared) == 1 else "No system gains on average"
    if len(compared) == 1:
        gain = digits_of(assessment).gain(best.gain)
        return f"{short_name(best.system)} gains {gain} at a mean loss of {risk_text(best.risk)}"
    bolder = compared[0]
    if bolder.gain > best.gain:
        return _beside_bolder(assessment, best, bolder)
    safer = [short_name(each.system) for each in compared if each.risk < best.risk]
    who = safer[0] if len(safer) == 1 else f"{len(safer):,}"
    rest = f"; {who} {'risks' if len(safer) == 1 else 'risk'} less" if safer else ", and none risks less"
    return f"No other system gains more than {short_name(best.system)}{rest}"


def _beside_bolder(assessment: Assessment, best: SystemSummary, bolder: SystemSummary) -> str:
    one, other = short_name(best.system), short_name(bolder.system)
    if best.risk >= bolder.risk:
        return f"{other} gains more than {one}, but less surely"
    of_risk = f"{best.risk / bolder.risk:.0%} of the risk" if best.risk else "none of the risk"
    if is_told_apart(assessment, bolder, best):
        return f"{other} gains more; {one} has {of_risk}"
    return f"{one} has {of_risk} of {other}, and a gain that cannot be told from {other}’s"


def table_heading(assessment: Assessment) -> str:
    """How long gains stay significant."""
    significance, compared = assessment.significance, rivals(assessment)
    numbers = {each.system: i for i, each in enumerate(assessment.systems)}
    lasting = {each.system: significance.up_to(numbers[each.system]) for each in compared}
    known = {name: alpha for name, alpha in lasting.items() if alpha is not None}
    if not known:
        return "No gain is significant" if len(compared) > 1 else "The gain is not significant"
    largest, last = max(known.values()), significance.alphas[-1]
    if len(compared) <= FEW_SYSTEMS:
        first, *others = sorted(known.items(), key=lambda item: -item[1])
        said = f"{short_name(first[0])}’s gain stays significant {_until(first[1], last)}"
        return f"{said}, {short_name(others[0][0])}’s {_until(others[0][1], last, short=True)}" if others else said
    longest = [name for name, alpha in known.items() if alpha == largest]
    stay = f"{len(longest):,} {'gain stays' if len(longest) == 1 else 'gains stay'} significant"
    if largest == last:
        names = listed_first([short_name(name) for name in longest], NAMED_LETTERS)
        return f"{stay} even when losses weigh {1 + largest:g} times as much: {names}"
    following = significance.alphas[significance.alphas.index(largest) + 1]
    weight = f"when losses weigh {1 + largest:g} times as much" if largest else "when losses weigh as much as gains"
    return f"{stay} {weight}, none when they weigh {1 + following:g} times"


def _until(alpha: float, last: float, *, short: bool = False) -> str:
    if alpha == last:
        return f"even at {1 + alpha:g} times" if short else f"even when losses weigh {1 + alpha:g} times as much"
    if not alpha:
        return "only at equal weight" if short else "only when losses weigh as much as gains"
    return f"until {1 + alpha:g} times" if short else f"until losses weigh {1 + alpha:g} times as much"


def topics_heading(assessment: Assessment, system: SystemSummary, losing: Sequence[int]) -> str:
    """Where a system hurts most, and whether others do, too; `losing`: how many systems hurt each topic."""
    count, unit = len(assessment.scores.topics), noun(assessment)
    if system.worst_topic is None:
        return f"{short_name(system.system)} hurts {f'no {unit}' if count == 1 else f'none of {counted(count, unit)}'}"
    lost = f"−{system.worst_loss:.2f}" if system.worst_loss >= 0.005 else f"−{system.worst_loss:.4f}"
    said = f"{short_name(system.system)} hurts {system.losses:,} of {counted(count, unit)}; "
    said += f"{unit} {short_name(system.worst_topic)} loses most, {lost}"
    compared = len(rivals(assessment))
    if compared < COMPARABLE:
        return said
    n_losing = losing[assessment.scores.topics.index(system.worst_topic)]
    return f"{said}, and {n_losing} of {compared} systems {'hurts' if n_losing == 1 else 'hurt'} it"


def losers_of(assessment: Assessment) -> list[int]:
    """For each topic, how many systems hurt it."""
    counts = np.zeros(len(assessment.scores.topics), dtype=np.int64)
    for row in assessment.scores.matrix:
        counts += difference(row, assessment.baseline_scores) < 0
    n_losing: list[int] = counts.tolist()
    return n_losing


def changes_heading(assessment: Assessment, system: SystemSummary) -> str:
    """How many topics are better, and how many much worse."""
    unit = noun(assessment)
    better = f"{counted(system.wins, unit)} {'improves' if system.wins == 1 else 'improve'}"
    if not system.losses:
        return f"No {unit} loses; {better}" if system.wins else f"No {unit} changes"
    if not system.large_losses:
        return f"{better}; none loses more than a fifth"
    return f"{better}; {system.large_losses:,} {'loses' if system.large_losses == 1 else 'lose'} more than a fifth"


def shared_losses_heading(assessment: Assessment, n_topics: int) -> str:
    """How many topics hurt several systems."""
    unit = noun(assessment)
    verb = "is" if n_topics == 1 else "are"
    if len(rivals(assessment)) <= FEW_SYSTEMS:
        return f"{counted(n_topics, unit)} {verb} hurt by two systems or more"
    if len(assessment.baseline_systems) > 1:  # how many systems lose to what is made of them says little
        return f"The {plural(unit)} that the largest number of systems hurt"
    if not n_topics:
        return f"No {unit} is hurt by more than half of the systems"
    return f"{counted(n_topics, unit)} {verb} hurt by more than half of the systems"


def shared_losses_note(assessment: Assessment, n_shown: int, n_topics: int) -> str:
    """What stands below it; `n_shown` of `n_topics` are listed."""
    baseline, unit = short_name(assessment.baseline), noun(assessment)
    if len(rivals(assessment)) <= FEW_SYSTEMS:
        which = "" if n_shown == n_topics else f"The {n_shown} that most systems hurt. "
        return f"{which}Change of {assessment.scores.measure} against {baseline}"
    if len(assessment.baseline_systems) > 1:
        return f"The baseline is made of the systems, so about half of them hurt a {unit}"
    return f"The {plural(unit)} that the largest number of systems hurt, and what {baseline} scores there"
