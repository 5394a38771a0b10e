"""What the numbers mean, in a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import counted, listing, one_line
from riskrank.report.findings.digits import percent
from riskrank.report.findings.words import all_of, listed, topics_counted
from riskrank.risk.inference.cvar_interval import FEWEST_WORST

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
    from riskrank.data.effectiveness import Effectiveness


def heading(assessment: Assessment) -> str:
    """What is compared with what, on how many topics."""
    scores = assessment.scores
    return f"{scores.title} against {assessment.baseline}, {topics_counted(scores)}"


def meaning(assessment: Assessment, system: SystemSummary) -> str:
    """One sentence about a system: effect, hurt topics, and what the tests say as losses weigh more."""
    if system.is_baseline:
        return "is the baseline."
    if math.isnan(system.gain):
        return f"cannot be judged: {system.at[0].reason}."
    if not system.wins and not system.losses:
        return f"equals the baseline on every {assessment.scores.unit}."
    effect = "gains" if system.gain > 0 else "loses" if system.gain < 0 else "neither gains nor loses"
    amount = f" {abs(system.gain):.4f}" if system.gain else ""
    scores = assessment.scores
    hurt = f"hurts {system.losses:,} of {counted(len(scores.topics), scores.unit)}"
    if not system.losses:
        hurt = f"hurts no {scores.unit}"
    if system.large_losses:
        hurt += f", {system.large_losses} of them by more than 20%"
    if system.worst_topic is not None:
        hurt += f" (worst: {one_line(system.worst_topic)}, −{system.worst_loss:.4f})"
    return f"{effect}{amount} on average and {hurt}; {_verdicts(system)}."


def _verdicts(system: SystemSummary) -> str:
    verdicts: dict[str, list[str]] = {}
    for at in system.at:
        verdicts.setdefault(at.verdict, []).append(f"{at.alpha:g}")
    parts = []
    for verdict, alphas in verdicts.items():
        where = f"at α = {listed(alphas)}"
        if verdict == "undefined":
            reason = next(at.reason for at in system.at if at.verdict == "undefined")
            parts.append(f"no test {where} ({reason})")
        else:
            parts.append(f"{verdict} {where}")
    return ", ".join(parts)


def significance_mark(at: AtAlpha, assessment: Assessment) -> str:
    """Two marks when a result holds after correction for all systems, as verdicts do, one when it holds by itself."""
    if at.p_corrected(assessment.correction) <= assessment.level:
        return "**"
    return "*" if at.p_mirror <= assessment.level else ""


def footnotes(assessment: Assessment) -> list[str]:
    """What a reader must know to read the tables right."""
    scores = assessment.scores
    unit, units = scores.unit, scores.units
    notes = [
        f"{one_line(scores.measure)}: {scores.description or 'scores as given'}. Risk, reward, gain: mean loss, win, "
        f"change per {unit}. W/L/T: {units} won, lost, tied. >20%: {units} that lose more than a fifth. CVaR: mean "
        f"loss of the worst {assessment.cvar_share:.0%} of {units}. GM: geometric mean.",
        "URisk: reward − (1 + α) × risk; SE: its standard error; TRisk: URisk / SE. ZRisk: how far a system falls "
        "short of what is expected of it; GeoRisk: effectiveness and ZRisk in one number.",
    ]
    if any(system.kendall_tau is not None for system in assessment.systems):
        notes.append(f"τ: Kendall's, with the baseline's ranking; re-ranked: {units} whose ranking differs from it.")
    test = "mirror-shift bootstrap" if assessment.test == "mirror-shift" else "Student's t"
    bh = "" if assessment.correction == "bh" else " p BH: after Benjamini and Hochberg's."
    notes.append(f"* p ≤ {assessment.level:g} ({test}), ** and verdicts: {_corrected(assessment)}.{bh}")
    notes += [*_interval_notes(assessment), *_population_note(assessment)]
    return notes + data_notes(scores, with_z=not any(math.isnan(at.zrisk) for at in assessment.systems[0].at))


def _corrected(assessment: Assessment) -> str:
    systems = counted(sum(not system.is_baseline for system in assessment.systems), "system")
    names = {"holm": "also after Holm's correction", "bh": "also after Benjamini and Hochberg's correction"}
    return f"{names.get(assessment.correction, 'the same, not corrected')} for {systems}"


def _interval_notes(assessment: Assessment) -> list[str]:
    """What intervals are, and what there is where there are none."""
    if assessment.confidence is None:
        return []
    n_topics, units = len(assessment.scores.topics), assessment.scores.units
    confidence = percent(assessment.confidence)
    notes = [f"Intervals: {confidence}, for each number by itself, not corrected for several systems."]
    if assessment.cvar_share * n_topics < FEWEST_WORST:
        notes.append(
            f"CVaR has none: fewer than {FEWEST_WORST} {units} are among the worst {assessment.cvar_share:.0%}."
        )
    if n_topics:
        share = 1 - (1 - assessment.confidence) ** (1 / n_topics)
        notes.append(
            f"The largest loss has none: with {confidence} confidence at most {share:.1%} of {units} lose more than "
            "the worst one here."
        )
    return notes


def _population_note(assessment: Assessment) -> list[str]:
    whole = "1 system" if len(assessment) == 1 else f"{all_of(len(assessment))} systems"
    members = whole if assessment.population is None else listing(assessment.population)
    return [f"ZRisk and GeoRisk take expectations from {members}."]


def data_notes(scores: Effectiveness, *, with_z: bool = True) -> list[str]:
    """What is odd about the data, but spoils nothing."""
    notes = []
    if scores.aggregate == "geometric":
        notes.append(
            f"Systems are averaged by the geometric mean; gain, risk and reward are means of changes per {scores.unit}."
        )
    if not with_z:
        notes.append("ZRisk and GeoRisk are NaN: they need finite scores from 0 up.")
    for system, count in scores.ties_at_cutoff.items():
        notes.append(f"{one_line(system)} has tied scores across the cut-off in {counted(count, scores.unit)}.")
    return notes
