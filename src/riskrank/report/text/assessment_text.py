"""The first screen of an assessment: what was found, one table, and where it hurts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, findings, leader, rivals
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.words import counted, one_sentence, plural, words
from riskrank.report.text.formatting import display_width
from riskrank.report.text.system_table import TextOptions, is_cut, shortened, system_table
from riskrank.report.text.terminal import WIDTH, paragraph
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment

MOST_WORST = 3  # systems whose worst topics are told
WORST_TOPICS = 4
LONGEST_TOPIC = 24
LARGE_LOSS = 0.05  # which two digits tell
CORRECTIONS = {"holm": ", Holm", "bh": ", BH", "none": ""}


def assessment_text(assessment: Assessment, options: TextOptions | None = None, *, legend: bool = True) -> str:
    """What spoils the comparison, the finding, one table, what its letters mean, and the worst topics."""
    options = options or TextOptions()
    said = findings(assessment).whole
    cautions = [paragraph(words(f"Caution: {one_sentence(each)}")) for each in assessment.cautions]
    parts = ["\n".join(cautions), paragraph(said, styled=options.styled), _context_line(assessment)]
    if any(each.wins + each.losses for each in rivals(assessment)):
        table = system_table(assessment, options)
        parts += [table.text, _legend(assessment, table.columns) if legend else "", _where_it_hurts(assessment)]
    return "\n\n".join(part for part in parts if part)


def more_options(assessments: Sequence[Assessment], options: TextOptions) -> str:
    """Which options of the command tell more."""
    unit = assessments[0].scores.unit
    tables, topics = "--tables  all numbers", f"--per-topic  every {unit}"
    first = ["--all  every system", tables] if is_cut(assessments[0], options) else [tables, topics]
    return "    ".join([*first, "--html FILE  the report"])


def _context_line(assessment: Assessment) -> str:
    scores, digits = assessment.scores, digits_of(assessment)
    n_rivals = sum(not system.is_baseline for system in assessment.systems)
    mean = digits.score(float(np.mean(assessment.baseline_scores))) if len(scores.topics) else "–"
    baseline = f"{one_line(assessment.baseline)} ({mean})"
    said = f"{one_line(scores.title)}, {counted(n_rivals, 'system')} against {baseline}, "
    return paragraph(words(said + counted(len(scores.topics), scores.unit)))


def _legend(assessment: Assessment, columns: Sequence[str]) -> str:
    compared = [each for each in assessment.systems if not each.is_baseline]
    lines, said = [], []
    if "verdicts" in columns:
        test = f"p ≤ {assessment.level:g}" if assessment.test == "mirror-shift" else f"t-test, p ≤ {assessment.level:g}"
        correction = CORRECTIONS[assessment.correction] if len(compared) > 1 else ""
        lines.append(f"▲ significant gain  ○ inconclusive  ▼ significant loss  ({test}{correction})")
        if any(at.verdict == "undefined" for each in compared for at in each.at):
            said.append("·: no test")
    if {"verdicts", "up-to"} & set(columns):
        said.append("α: losses weigh 1 + α")
    if "up-to" in columns:
        said.append("up to: largest α of a significant gain")
    if "risk" in columns:
        said.append("risk: mean loss")
    return "\n".join([*lines, *([paragraph(words("; ".join(said)))] if said else [])])


def _where_it_hurts(assessment: Assessment) -> str:
    """The worst topics of some systems, or those that most of many systems lose."""
    compared, best = rivals(assessment), leader(assessment)
    unit = plural(assessment.scores.unit)
    if len(compared) <= FEW_SYSTEMS:
        chosen = compared[:MOST_WORST]
        if best is not None and best not in chosen:
            chosen = [*chosen[:-1], best]
        names = {each.system: shortened(each.system) for each in chosen if each.losses}
        width = max(map(display_width, names.values()), default=0)
        lines = [
            f"  {name}{' ' * (width - display_width(name))}  {_worst_topics(assessment, system, WIDTH - width - 4)}"
            for system, name in names.items()
        ]
        return "\n".join([f"Worst {unit}", *lines]) if lines else ""
    deltas = difference(assessment.scores.matrix, assessment.baseline_scores)
    losing = (deltas < 0).sum(axis=0)
    worst = np.lexsort((np.nan_to_num(deltas).mean(axis=0), -losing))[:WORST_TOPICS]
    named = [f"{one_line(assessment.scores.topics[q], limit=LONGEST_TOPIC)} ({losing[q]})" for q in worst if losing[q]]
    said = f"{unit[0].upper()}{unit[1:]} most systems lose: {', '.join(named)}"
    return paragraph(words(said)) if named else ""


def _worst_topics(assessment: Assessment, system: str, width: int) -> str:
    """As many as fit."""
    delta = difference(assessment.scores[system], assessment.baseline_scores)
    worst = [q for q in np.argsort(delta, kind="stable")[:WORST_TOPICS].tolist() if delta[q] < 0]
    topics, said = assessment.scores.topics, ""
    n_decimals = 2 if worst and -delta[worst[0]] >= LARGE_LOSS else digits_of(assessment).n_decimals
    for q in worst:
        more = f"{', ' if said else ''}{one_line(topics[q], limit=LONGEST_TOPIC)} −{-delta[q]:.{n_decimals}f}"
        if not said or display_width(said + more) <= width:
            said += more
    return said
