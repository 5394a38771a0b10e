"""What the numbers mean, in a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import counted, listing, one_line
from riskrank.risk.inference.cvar_interval import FEWEST_WORST

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
    from riskrank.data.effectiveness import Effectiveness


def rivals(assessment: Assessment) -> list[SystemSummary]:
    """The systems that can be compared with the baseline."""
    return [system for system in assessment.systems if not system.is_baseline and not math.isnan(system.gain)]


def heading(assessment: Assessment) -> str:
    """What is compared with what, on how many topics."""
    scores = assessment.scores
    return f"{scores.title} against {assessment.baseline}, {counted(len(scores.topics), scores.unit)}"


def meaning(assessment: Assessment, system: SystemSummary) -> str:
    """One sentence about a system: effect, hurt topics, and what the tests say as losses weigh more."""
    if system.is_baseline:
        return "is the baseline."
    if math.isnan(system.gain):
        return f"cannot be judged: {system.at[0].reason}."
    if not system.wins and not system.losses:
        return "equals the baseline on every topic."
    topics = len(assessment.scores.topics)
    effect = "gains" if system.gain > 0 else "loses" if system.gain < 0 else "neither gains nor loses"
    amount = f" {abs(system.gain):.4f}" if system.gain else ""
    hurt = _hurt(system, topics)
    if system.large_losses:
        hurt += f", {system.large_losses} of them by more than 20 %"
    if system.worst_topic is not None:
        hurt += f" (worst: {one_line(system.worst_topic)}, −{system.worst_loss:.4f})"
    return f"{effect}{amount} on average and {hurt}; {_tests(system)}."


def verdict(assessment: Assessment) -> str:
    """The first thing to say: which system is worth having, if any, and how much risk it stands."""
    compared = rivals(assessment)
    if not compared:
        return "There is nothing to compare with the baseline."
    topics = len(assessment.scores.topics)

    def strength(system: SystemSummary) -> tuple[float, float]:
        proven = [at.alpha for at in system.at if at.verdict == "significant gain"]
        return (max(proven, default=-1.0), system.gain)

    best = max(compared, key=strength)
    alpha, _ = strength(best)
    if alpha < 0:
        first = min(assessment.alphas)
        harmful = [s.system for s in compared if s.at_alpha(first).verdict == "significant loss"]
        worse = f" Significantly worse: {', '.join(harmful[:5])}." if harmful else ""
        return f"No system is shown to be better than {assessment.baseline} on these {topics} topics.{worse}"
    bolder_at = [at.alpha for at in best.at if at.alpha > alpha]
    weight = f" even when losses weigh {1 + alpha:g} times" if alpha else " as long as losses weigh no more than gains"
    if not alpha and not bolder_at:
        weight = ""
    claim = f"{best.system} is significantly better than {assessment.baseline}{weight}"
    said = f"{claim}: it gains {best.gain:.4f} and {_hurt(best, topics)}."
    bolder = max(compared, key=lambda s: s.gain)
    if bolder is not best and bolder.gain > best.gain:
        more = f"{bolder.risk / best.risk:.1f} times the risk" if best.risk > 0 else f"a risk of {bolder.risk:.4f}"
        said += f" {bolder.system} gains more, {bolder.gain:.4f}, with {more}."
    return said


def _hurt(system: SystemSummary, topics: int) -> str:
    return f"hurts {system.losses} of {topics} topics" if system.losses else "hurts no topic"


def _tests(system: SystemSummary) -> str:
    verdicts: dict[str, list[str]] = {}
    for at in system.at:
        verdicts.setdefault(at.verdict, []).append(f"{at.alpha:g}")
    parts = []
    for verdict, alphas in verdicts.items():
        where = f"at α = {', '.join(alphas)}"
        if verdict == "undefined":
            reason = next(at.reason for at in system.at if at.verdict == "undefined")
            parts.append(f"no test {where} ({reason})")
        else:
            parts.append(f"{verdict} {where}")
    return ", ".join(parts)


def significance(at: AtAlpha, assessment: Assessment) -> str:
    """Two marks when a result holds after correction for all systems, as verdicts do, one when it holds by itself."""
    if at.p_corrected(assessment.correction) <= assessment.level:
        return "**"
    return "*" if at.p_mirror <= assessment.level else ""


def footnotes(assessment: Assessment, *, with_marks: bool = True) -> list[str]:
    """What a reader must know to read the tables right; `with_marks`: they have marks of significance."""
    scores = assessment.scores
    notes = [
        f"{one_line(scores.measure)}: {scores.description or 'scores as given'}. Risk, reward, gain: mean loss, win, "
        "change per topic. >20 %: topics that lose more than a fifth. CVaR: mean loss of the worst "
        f"{assessment.cvar_share:.0%} of topics."
    ]
    if with_marks:
        test = "mirror-shift bootstrap" if assessment.test == "mirror-shift" else "Student's t"
        notes.append(f"* p ≤ {assessment.level:g} ({test}), ** and verdicts: {_corrected(assessment)}.")
    notes += [*_interval_notes(assessment), *_population_note(assessment)]
    return notes + data_notes(scores, with_z=not any(math.isnan(at.zrisk) for at in assessment.systems[0].at))


def _corrected(assessment: Assessment) -> str:
    compared = sum(not system.is_baseline for system in assessment.systems)
    names = {"holm": "also after Holm's correction", "bh": "also after Benjamini and Hochberg's correction"}
    if assessment.correction == "none":
        return f"the same, not corrected for {compared} system{'s' if compared != 1 else ''}"
    return f"{names[assessment.correction]} for {compared} system{'s' if compared != 1 else ''}"


def _interval_notes(assessment: Assessment) -> list[str]:
    """What intervals are, and what there is where there are none."""
    if assessment.confidence is None:
        return []
    n_topics, confidence = len(assessment.scores.topics), f"{assessment.confidence:.0%}"
    notes = [f"Intervals: {confidence}, for each number by itself, not corrected for several systems."]
    if assessment.cvar_share * n_topics < FEWEST_WORST:
        notes.append(
            f"CVaR has none: fewer than {FEWEST_WORST} topics are among the worst {assessment.cvar_share:.0%}."
        )
    if n_topics:
        share = 1 - (1 - assessment.confidence) ** (1 / n_topics)
        notes.append(
            f"The largest loss has none: with {confidence} confidence at most {share:.1%} of topics lose more than the "
            "worst one here."
        )
    return notes


def _population_note(assessment: Assessment) -> list[str]:
    whole = f"all {counted(len(assessment), 'system')}"
    members = whole if assessment.population is None else listing(assessment.population)
    return [f"ZRisk and GeoRisk take expectations from {members}."]


def data_notes(scores: Effectiveness, *, with_z: bool = True) -> list[str]:
    """What is odd about the data, but spoils nothing."""
    notes = []
    if scores.aggregate == "geometric":
        notes.append(
            "Systems are averaged by the geometric mean; gain, risk and reward are means of changes per topic."
        )
    if not with_z:
        notes.append("ZRisk and GeoRisk are NaN: they need finite scores from 0 up.")
    for system, count in scores.ties_at_cutoff.items():
        where = f"{count:,} {scores.unit if count == 1 else scores.units}"
        notes.append(f"{one_line(system)} has tied scores across the cut-off in {where}.")
    return notes
