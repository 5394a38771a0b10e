"""How the numbers of a report were computed, and what is odd about the data."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, noun, rivals
from riskrank.report.findings.words import counted, plural
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment

CORRECTIONS = {"holm": "Holm’s correction", "bh": "Benjamini and Hochberg’s correction", "none": "no correction"}
TESTS = {"mirror-shift": "mirror-shift bootstrap", "t": "Student’s t"}


def definitions(assessment: Assessment) -> list[tuple[str, str]]:
    """What each column and line means."""
    scores, unit, n_systems = assessment.scores, noun(assessment), len(rivals(assessment))
    test = TESTS[assessment.test]
    said = [
        (scores.measure, f"{scores.description or 'Scores as given'}."),
        ("Gain", f"Mean change per {unit} against {one_line(assessment.baseline)}."),
        (
            "Interval",
            f"The gains that the test does not reject at {assessment.level:g} ({test}). It is per system, and not "
            f"corrected for picking the best of {counted(n_systems, 'system')}.",
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
            f"{', '.join(f'{alpha:g}' for alpha in assessment.grid)}.",
        ),
        (
            f"{plural(unit).capitalize()} hurt",
            f"Score below the baseline; over 20%: {plural(unit)} that lose more than a fifth.",
        ),
        ("CVaR", f"Mean loss of the worst {assessment.cvar_share:.0%} of {plural(unit)}."),
    ]
    if n_systems > FEW_SYSTEMS:
        said.append(
            (
                "Told apart",
                "Each system against the one that leads: paired tests of the gain (mirror-shift bootstrap), Holm’s "
                f"correction for {n_systems - 1}. That two cannot be told apart is no proof that they are equal.",
            )
        )
    return said


def notes(assessment: Assessment) -> list[str]:
    """What is odd about the data, but spoils nothing."""
    ties = assessment.scores.ties_at_cutoff
    with_z = not any(at.zrisk != at.zrisk for at in assessment.systems[0].at) if assessment.systems else True
    if len(ties) <= FEW_SYSTEMS:
        return data_notes(assessment.scores, with_z=with_z)
    unit = plural(noun(assessment))
    named = ", ".join(f"{one_line(system)} {count}" for system, count in ties.items())
    other = [note for note in data_notes(assessment.scores, with_z=with_z) if "tied scores" not in note]
    return [*other, f"{len(ties)} systems have tied scores across the cut-off, in so many {unit}: {named}."]


def command_line(assessment: Assessment) -> str:
    """A command that makes the same report."""
    baselines = assessment.baseline_systems or (assessment.baseline,)
    options = [f"--baseline {shlex.quote(name)}" for name in baselines]
    if len(baselines) == len(assessment.scores.systems) > 1:
        options = [f"--baseline {assessment.baseline.split(' ', maxsplit=1)[0]}"]
    options += [f"-m {shlex.quote(assessment.scores.measure)}", *(f"-a {alpha:g}" for alpha in assessment.alphas)]
    if assessment.correction != "holm":
        options.append(f"--correction {assessment.correction}")
    return f"riskrank evaluate QRELS RUN… {' '.join(options)} --html report.html"
