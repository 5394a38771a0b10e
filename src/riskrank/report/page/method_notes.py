"""How the numbers of an assessment were computed, and what is odd about its data."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, MOST_TOLD_APART, noun, rivals, start_alpha
from riskrank.report.findings.digits import percent
from riskrank.report.findings.words import counted, plural
from riskrank.report.text.wording import data_notes
from riskrank.risk.exploratory import LIMIT
from riskrank.risk.intervals import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.data.effectiveness import Effectiveness

CORRECTIONS = {"holm": "Holm’s correction", "bh": "Benjamini and Hochberg’s correction", "none": "no correction"}
CORRECTED = {"holm": "corrected (Holm)", "bh": "corrected (Benjamini–Hochberg)", "none": "not corrected"}
DEFAULT_LEVEL = 0.05
TESTS = {"mirror-shift": "mirror-shift bootstrap", "t": "Student’s t"}

TOLD_APART = {
    "holm": "with Holm’s correction for their number",
    "bh": "with Benjamini and Hochberg’s correction for their number",
    "none": "not corrected for their number",
}


def interval_title(assessment: Assessment) -> str:
    """Of the intervals of gains."""
    return f"{percent(1 - assessment.level)} interval"


def has_zrisk(assessment: Assessment) -> bool:
    """Are ZRisk and GeoRisk known? They need finite scores from 0 up."""
    return all(at.zrisk == at.zrisk for system in assessment.systems[:1] for at in system.at)


def topic_definition(unit: str) -> tuple[str, str]:
    """What is said about each topic, and how sure that is."""
    return (
        f"T_R, T_J, p of a {unit}",
        f"T_R is a {unit}’s change, a loss times 1 + α; T_J its distance to the mean of all {plural(unit)}: both in "
        f"standard deviations of a {unit}. Beyond ±{LIMIT:g} it stands out (Dinçer et al. 2014). p compares it with "
        f"the others alone (leave one out, Student’s t), and is not corrected for looking at all {plural(unit)}. "
        f"Heavy tails make it liberal: of {plural(unit)} that are not special, 6–9% have p ≤ 0.05.",
    )


def assessment_definitions(assessment: Assessment) -> list[tuple[str, str]]:
    """What each column and line means."""
    scores, unit, n_systems = assessment.scores, noun(assessment), len(rivals(assessment))
    test = TESTS[assessment.test]
    said = [
        (scores.measure, "Scores as given." if scores.is_given else f"{scores.description}."),
        ("Gain", f"Mean change per {unit} against {one_line(assessment.baseline)}."),
        (
            "Interval",
            f"The gains that the test does not reject at {assessment.level:g} ({test}). It is per system, and not "
            f"corrected for picking the best of {counted(n_systems, 'system')}.",
        ),
        (
            "Leads",
            "Of the systems whose gain is still significant at the largest α asked for that leaves any, the one with "
            f"the largest gain − α × risk at α = {start_alpha(assessment):g} leads. One that is shown to gain, and "
            "gains more at no more risk, leads before it.",
        ),
        ("Mean loss (risk)", f"Mean of max(0, baseline − system) per {unit}."),
        ("α", "Losses weigh 1 + α. Break-even: gain = α × risk, where URisk is 0."),
        (
            "Verdict",
            f"Two-sided test of URisk at α ({test}), {CORRECTIONS[assessment.correction]} for "
            f"{counted(n_systems, 'system')}, level {assessment.level:g}.",
        ),
        (
            "Significant up to",
            "The largest tested α at which the gain is significant, as it is at every smaller one. Tested: "
            f"{', '.join(f'{alpha:g}' for alpha in assessment.grid)}. Few losses say little of those that were not "
            f"seen: {counted(len(scores.topics), unit)} without a loss cannot rule out rare ones that weigh many "
            "times, so what loses less may be significant up to a smaller α.",
        ),
        (
            f"{plural(unit).capitalize()} hurt",
            f"Score below the baseline; over 20%: {plural(unit)} that lose more than a fifth.",
        ),
        topic_definition(unit),
        ("URisk", "Gain − α × risk. TRisk: URisk in its standard errors (Dinçer et al. 2014)."),
        (
            "ZRisk, GeoRisk",
            "ZRisk: standardised deviations from what a system’s and a topic’s totals let expect, losses times 1 + α. "
            "GeoRisk: the geometric mean of effectiveness and ZRisk as a probability (Dinçer et al. 2016).",
        ),
        ("p Holm, p BH", "p after Holm’s correction, and after Benjamini and Hochberg’s."),
        ("Geometric mean", f"Of the scores, so that {plural(unit)} with low ones count more."),
        ("CVaR", f"Mean loss of the worst {percent(assessment.cvar_share)} of {plural(unit)}."),
    ]
    if 1 < n_systems <= FEW_SYSTEMS:
        said.append(("Told apart", "By a paired test of two gains. That it fails is no proof that they are equal."))
    if FEW_SYSTEMS < n_systems <= MOST_TOLD_APART:
        said.append(
            (
                "Told apart",
                "Each system against the one that leads: paired tests of the gain (mirror-shift bootstrap), "
                f"{TOLD_APART[assessment.correction]}. That two cannot be told apart is no proof that they are equal.",
            )
        )
    return said


def notes_on_data(assessment: Assessment) -> list[str]:
    """What is odd about the data, but spoils nothing."""
    ties, with_z = assessment.scores.ties_at_cutoff, has_zrisk(assessment)
    if len(ties) <= FEW_SYSTEMS:
        return data_notes(assessment.scores, with_z=with_z)
    unit = plural(noun(assessment))
    named = ", ".join(f"{one_line(system)} {count}" for system, count in ties.items())
    other = data_notes(replace(assessment.scores, ties_at_cutoff={}), with_z=with_z)
    return [*other, f"{len(ties)} systems have tied scores across the cut-off. {unit.capitalize()} with ties: {named}."]


def command_line(assessment: Assessment) -> str:
    """A command that makes the same report."""
    scores = assessment.scores
    options = [*_baseline_options(assessment), f"-m {shlex.quote(scores.measure)}"]
    options += [f"-a {alpha:g}" for alpha in assessment.alphas]
    unusual = {
        f"--level {assessment.level:g}": assessment.level != DEFAULT_LEVEL,
        f"--correction {assessment.correction}": assessment.correction != "holm",
        **{f"--population {shlex.quote(name)}": True for name in assessment.population or ()},
        "--intervals": assessment.confidence is not None,
        f"--confidence {assessment.confidence}": assessment.confidence not in (None, USUAL_CONFIDENCE),
        "--churn": any(each.kendall_tau is not None for each in assessment.systems),
        "--missing intersect": bool(scores.dropped),
        "--without-relevant drop": bool(scores.left_out),
    }
    options += [option for option, is_said in unusual.items() if is_said]
    return f"riskrank evaluate {_inputs(scores)} {' '.join(options)} --html report.html"


def _inputs(scores: Effectiveness) -> str:
    """What kind of files a command takes."""
    if scores.is_given:
        return "SCORES.csv"
    return "DATA.txt SCORES…" if scores.unit == "query" else "QRELS RUN…"


def _baseline_options(assessment: Assessment) -> list[str]:
    """One system, several with how they become one, or a combination of all."""
    systems = assessment.baseline_systems or (assessment.baseline,)
    combination = assessment.baseline.partition(" ")[0]
    if len(systems) == len(assessment.scores.systems) > 1:
        return [f"--baseline {combination}"]
    options = [f"--baseline {shlex.quote(name)}" for name in systems]
    return options if len(systems) == 1 or combination == "mean" else [*options, f"--combine {combination}"]
