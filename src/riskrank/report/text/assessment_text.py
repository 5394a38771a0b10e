"""The first screen of an assessment: what was found, one table, where it hurts, and where there is more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError, nearest, one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, findings, leader, rivals
from riskrank.report.findings.numbers import digits_of, risk_text
from riskrank.report.findings.words import counted, plural, words
from riskrank.report.text.formatting import aligned
from riskrank.report.text.terminal import WIDTH, interval_glyphs, paragraph, style
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.findings.numbers import Digits

MARKS = {"significant gain": "▲", "significant loss": "▼", "inconclusive": "○", "undefined": "·"}
ALL_SHOWN = 10  # systems; of more, the first
SHOWN_OF_MANY = 7
MOST_WORST = 3  # systems whose worst topics are told
WORST_TOPICS = 4
LONGEST_NAME = 24
LONG = 1000  # what a sentence may be
CORRECTIONS = {"holm": "Holm", "bh": "BH", "none": "not corrected"}
WIDEST_GLYPH, NARROWEST_GLYPH = 16, 9

SORTS: dict[str, Callable[[SystemSummary], float]] = {
    "gain": lambda each: -each.gain,
    "risk": lambda each: each.risk,
    "hurt": lambda each: each.losses,
    "cvar": lambda each: each.cvar,
}
COLUMNS = ("score", "gain", "interval", "hurt", "large", "risk", "reward", "cvar", "verdicts", "up-to")
USUAL_COLUMNS = ("score", "gain", "interval", "hurt", "risk", "verdicts", "up-to")


@dataclass(frozen=True)
class TextOptions:
    """How the first screen is written: every system, in which order, with which columns, and in colour."""

    all_systems: bool = False
    sort: str = "gain"
    columns: Sequence[str] = USUAL_COLUMNS
    styled: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (("sort", self.sort, tuple(SORTS)), *(("columns", c, COLUMNS) for c in self.columns)):
            if value not in known:
                hint = nearest(value, known)
                raise ParameterError(f"{name} must be one of {', '.join(known)}, got {one_line(value)}.{hint}", name)


def assessment_text(assessment: Assessment, options: TextOptions | None = None) -> str:
    """What spoils the comparison, the finding, one table, the worst topics, and options that tell more."""
    options = options or TextOptions()
    found = findings(assessment)
    said = words(found.headline, " " if found.lede else "", found.lede)
    warned = [paragraph(words(f"Caution: {one_line(each, limit=LONG)}")) for each in assessment.cautions]
    parts = [*(["\n".join(warned)] if warned else []), paragraph(said, styled=options.styled), _context(assessment)]
    if rivals(assessment):
        parts += [_table(assessment, options), _legend(assessment, options)]
        parts += [text for text in [_where_it_hurts(assessment)] if text]
    return "\n\n".join([*parts, _more(assessment, options)])


def _context(assessment: Assessment) -> str:
    scores, digits = assessment.scores, digits_of(assessment)
    n_rivals = sum(not system.is_baseline for system in assessment.systems)
    mean = digits.score(float(np.mean(assessment.baseline_scores))) if len(scores.topics) else "–"
    baseline = f"{one_line(assessment.baseline)} ({mean})"
    return (
        f"{one_line(scores.title)}, {counted(n_rivals, 'system')} against {baseline}, "
        f"{counted(len(scores.topics), scores.unit)}"
    )


def _table(assessment: Assessment, options: TextOptions) -> str:
    ordered = sorted(rivals(assessment), key=lambda each: (SORTS[options.sort](each), -each.gain))
    is_cut = len(ordered) > ALL_SHOWN and not options.all_systems
    shown = ordered[:SHOWN_OF_MANY] if is_cut else ordered
    titles = {"system": "system", **_titles(assessment)}
    titles = {name: titles[name] for name in ("system", *options.columns)}
    cells = _Cells(assessment, digits_of(assessment), shown)
    best = leader(assessment)
    rows, place = [[row[name] for name in titles] for row in cells.rows(titles)], None
    baseline = next((each for each in assessment.systems if each.is_baseline), None)
    if baseline is not None and not is_cut and options.sort == "gain":
        place = sum(each.gain > 0 for each in shown)
        rows.insert(place, [{**dict.fromkeys(titles, ""), **cells.of_baseline(baseline)}[name] for name in titles])
    lines = aligned(list(titles.values()), rows, left=("system", titles.get("interval", ""))).splitlines()
    if options.styled and best in shown:
        at = shown.index(best)
        at += 1 + (place is not None and place <= at)
        lines[at] = style(lines[at], "strong")
    if is_cut:
        lines += _of_the_rest(assessment, ordered[SHOWN_OF_MANY:])
    return "\n".join(lines)


def _titles(assessment: Assessment) -> dict[str, str]:
    return {
        "score": assessment.scores.measure, "gain": "gain", "interval": f"{1 - assessment.level:.0%} interval",
        "hurt": "hurt", "large": ">20%", "risk": "risk", "reward": "reward", "cvar": "CVaR",
        "verdicts": f"α={' '.join(f'{alpha:g}' for alpha in assessment.alphas)}", "up-to": "up to",
    }  # fmt: skip


@dataclass(frozen=True)
class _Cells:
    """The table's cells, by column."""

    assessment: Assessment
    digits: Digits
    systems: list[SystemSummary]

    def rows(self, titles: Mapping[str, str]) -> list[dict[str, str]]:
        """A row per system; intervals are as wide as the other columns leave room for."""
        rows = [self._row(each) for each in self.systems]
        others = {name: title for name, title in titles.items() if name != "interval"}
        taken = sum(
            2 + max(len(text) for text in (title, *(row[name] for row in rows))) for name, title in others.items()
        )
        width = min(max(WIDTH - taken, NARROWEST_GLYPH), WIDEST_GLYPH)
        glyphs = interval_glyphs([(s.gain_interval[0], s.gain, s.gain_interval[1]) for s in self.systems], width)
        return [{**row, "interval": glyph} for row, glyph in zip(rows, glyphs, strict=True)]

    def _row(self, system: SystemSummary) -> dict[str, str]:
        significance = self.assessment.significance
        place = [each.system for each in self.assessment.systems].index(system.system)
        marks = (MARKS[at.verdict].rjust(len(f"{at.alpha:g}")) for at in system.at)
        return {
            "system": shortened(system.system),
            "score": self.digits.score(system.effectiveness),
            "gain": self.digits.gain(system.gain),
            "hurt": f"{system.losses}/{len(self.assessment.scores.topics)}",
            "large": str(system.large_losses),
            "risk": risk_text(system.risk),
            "reward": risk_text(system.reward),
            "cvar": risk_text(system.cvar),
            "verdicts": " ".join(marks),
            "up-to": up_to_text(significance.up_to(place), significance.alphas[-1]),
        }

    def of_baseline(self, system: SystemSummary) -> dict[str, str]:
        return {
            "system": shortened(system.system),
            "score": self.digits.score(system.effectiveness),
            "gain": "baseline",
        }


def up_to_text(alpha: float | None, largest: float) -> str:
    """The largest alpha at which a gain is significant."""
    return "–" if alpha is None else f"{alpha:g}+" if alpha == largest else f"{alpha:g}"


def shortened(name: str) -> str:
    """A name that fits a column: the middle of a long one is left out.

    >>> shortened("a-very-long-name-of-a-run-indeed")
    'a-very-long…a-run-indeed'
    """
    line = one_line(name, limit=LONG)
    if len(line) <= LONGEST_NAME:
        return line
    half = (LONGEST_NAME - 1) // 2
    return f"{line[:half]}…{line[-(LONGEST_NAME - 1 - half) :]}"


def _of_the_rest(assessment: Assessment, rest: list[SystemSummary]) -> list[str]:
    """What the systems have in common that are not listed, by their verdicts at the smallest alpha."""
    first, digits = min(assessment.alphas), digits_of(assessment)
    by_verdict: dict[str, list[SystemSummary]] = {}
    for system in rest:
        by_verdict.setdefault(system.at_alpha(first).verdict, []).append(system)
    gains, losses = by_verdict.pop("significant gain", []), by_verdict.pop("significant loss", [])
    others = sum(map(len, by_verdict.values()))
    parts = []
    if gains:
        span = sorted((gains[0].gain, gains[-1].gain))
        spread = digits.gain(span[0]) if len(gains) == 1 else f"{digits.gain(span[0])} to {digits.gain(span[1])}"
        parts.append(f"{len(gains)} more {'gains' if len(gains) == 1 else 'gain'} significantly, {spread}")
    if others:
        parts.append(f"{others} {'is' if others == 1 else 'are'} inconclusive")
    lines = [f"… {'; '.join(parts)} (α = {first:g})"] if parts else []
    if losses:
        named = ", ".join(f"{shortened(each.system)} {digits.gain(each.gain)}" for each in losses[:SHOWN_OF_MANY])
        more = f" and {len(losses) - SHOWN_OF_MANY} more" if len(losses) > SHOWN_OF_MANY else ""
        verb = "loses" if len(losses) == 1 else "lose"
        lines += paragraph(words(f"… {len(losses)} {verb} significantly: {named}{more}")).splitlines()
    return lines


def _legend(assessment: Assessment, options: TextOptions) -> str:
    lines = []
    if "verdicts" in options.columns:
        level = f"p ≤ {assessment.level:g}, {CORRECTIONS[assessment.correction]}"
        lines.append(f"▲ significant gain  ○ inconclusive  ▼ significant loss  ({level})")
    said = ["α: losses weigh 1 + α"] if {"verdicts", "up-to"} & set(options.columns) else []
    if "up-to" in options.columns:
        said.append("up to: the largest α at which the gain is significant")
    if "risk" in options.columns:
        said.append(f"risk: mean loss per {assessment.scores.unit}")
    return "\n".join([*lines, *paragraph(words(". ".join(said))).splitlines()])


def _where_it_hurts(assessment: Assessment) -> str:
    """The worst topics of some systems, or those that most of many systems lose."""
    compared = rivals(assessment)
    unit = plural(assessment.scores.unit)
    if len(compared) <= FEW_SYSTEMS:
        rows = [[shortened(each.system), _worst_topics(assessment, each)] for each in compared[:MOST_WORST]]
        rows = [row for row in rows if row[1]]
        width = max((len(row[0]) for row in rows), default=0)
        lines = [f"  {name.ljust(width)}  {worst}" for name, worst in rows]
        return "\n".join([f"Worst {unit}", *lines]) if lines else ""
    deltas = difference(assessment.scores.matrix, assessment.baseline_scores)
    losing = (deltas < 0).sum(axis=0)
    worst = np.lexsort((deltas.mean(axis=0), -losing))[:WORST_TOPICS]
    named = [f"{one_line(assessment.scores.topics[q], limit=LONGEST_NAME)} ({losing[q]})" for q in worst if losing[q]]
    unit = unit[0].upper() + unit[1:]
    return "\n".join(paragraph(words(f"{unit} most systems lose: {', '.join(named)}")).splitlines()) if named else ""


def _worst_topics(assessment: Assessment, system: SystemSummary) -> str:
    delta = difference(assessment.scores[system.system], assessment.baseline_scores)
    worst = [q for q in np.argsort(delta, kind="stable")[:WORST_TOPICS].tolist() if delta[q] < 0]
    topics = assessment.scores.topics
    return ", ".join(f"{one_line(topics[q], limit=LONGEST_NAME)} −{-delta[q]:.2f}" for q in worst)


def _more(assessment: Assessment, options: TextOptions) -> str:
    is_cut = len(rivals(assessment)) > ALL_SHOWN and not options.all_systems
    topics = f"--per-topic  every {assessment.scores.unit}"
    first = ["--all  every system", "--tables  all numbers"] if is_cut else ["--tables  all numbers", topics]
    return "    ".join([*first, "--html FILE  the report"])
