"""The first screen of an assessment: what was found, one table, and where it hurts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, findings, leader, rivals
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.words import counted, one_sentence, short_name, topics_counted, words
from riskrank.report.text.formatting import display_width
from riskrank.report.text.system_table import TextOptions, is_cut, shortened, system_table
from riskrank.report.text.terminal import WIDTH, paragraph
from riskrank.risk.paired import difference
from riskrank.weights import weighted_mean

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
    compared = rivals(assessment)
    if any(each.wins + each.losses for each in compared):
        table = system_table(assessment, options)
        explained = _legend(assessment, table.columns) if legend else ""
        if len(compared) > FEW_SYSTEMS:
            parts += [table.text, "\n".join(filter(None, [explained, _shared_losses(assessment)]))]
        else:
            parts += [table.text, explained, _worst_of_each(assessment)]
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
    average = float(weighted_mean(assessment.baseline_scores, scores.relative_weights))
    mean = digits.score(average) if len(scores.topics) else "–"
    against = f"{counted(n_rivals, 'system')} against " if n_rivals else ""
    said = f"{one_line(scores.title)}, {against}{short_name(assessment.baseline)} ({mean}), "
    return paragraph(words(said + topics_counted(scores)))


def _legend(assessment: Assessment, columns: Sequence[str]) -> str:
    compared = [each for each in assessment.systems if not each.is_baseline]
    units = assessment.scores.units
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
    others = {
        "risk": "risk: mean loss", "reward": "reward: mean win", "large": f">20%: {units} that lose more than a fifth",
        "cvar": f"CVaR: mean loss of the worst {assessment.cvar_share:.0%} of {units}",
    }  # fmt: skip
    said += [explained for name, explained in others.items() if name in columns]
    return "\n".join([*lines, *([paragraph(words("; ".join(said)))] if said else [])])


def _worst_of_each(assessment: Assessment) -> str:
    """The worst topics of the first systems and of the one that leads."""
    compared, best = rivals(assessment), leader(assessment)
    chosen = compared[:MOST_WORST]
    if best is not None and best not in chosen:
        chosen = [*chosen[:-1], best]
    names = {each.system: shortened(each.system) for each in chosen if each.losses}
    width = max(map(display_width, names.values()), default=0)
    lines = [
        f"  {name}{' ' * (width - display_width(name))}  {_worst_topics(assessment, system, WIDTH - width - 4)}"
        for system, name in names.items()
    ]
    return "\n".join([f"Worst {assessment.scores.units}", *lines]) if lines else ""


def _shared_losses(assessment: Assessment) -> str:
    """The topics that most of many systems hurt."""
    deltas = difference(assessment.scores.matrix, assessment.baseline_scores)
    losing = (deltas < 0).sum(axis=0)
    worst = [q for q in np.lexsort((np.nan_to_num(deltas).mean(axis=0), -losing))[:WORST_TOPICS] if losing[q]]
    if not worst:
        return ""
    counts = [f"{losing[q]} of {len(rivals(assessment))}" if q == worst[0] else f"{losing[q]}" for q in worst]
    topics = [one_line(assessment.scores.topics[q], limit=LONGEST_TOPIC) for q in worst]
    named = ", ".join(f"{topic} ({count})" for topic, count in zip(topics, counts, strict=True))
    return paragraph(words(f"{assessment.scores.units.capitalize()} most systems hurt: {named}"))


def _worst_topics(assessment: Assessment, system: str, width: int) -> str:
    """As many as fit."""
    delta = difference(assessment.scores[system], assessment.baseline_scores)
    worst = [q for q in np.argsort(delta, kind="stable")[:WORST_TOPICS].tolist() if delta[q] < 0]
    topics, said = assessment.scores.topics, ""
    largest = max((-delta[q] for q in worst), default=1.0)
    n_decimals = 2
    if largest < LARGE_LOSS:
        n_decimals = max(digits_of(assessment).n_decimals, -math.floor(math.log10(largest)))
    for q in worst:
        more = f"{', ' if said else ''}{one_line(topics[q], limit=LONGEST_TOPIC)} −{-delta[q]:.{n_decimals}f}"
        if not said or display_width(said + more) <= width:
            said += more
    return said
