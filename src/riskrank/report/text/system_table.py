"""The table of a first screen: a line per system, in 79 columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.errors import ParameterError, nearest, one_line
from riskrank.report.findings.assessment_findings import leader, rivals
from riskrank.report.findings.digits import digits_of, percent, risk_text
from riskrank.report.findings.words import words
from riskrank.report.text.formatting import aligned, display_width
from riskrank.report.text.terminal import WIDTH, interval_glyphs, paragraph, style
from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.findings.digits import Digits
    from riskrank.report.findings.words import Role

MARKS = {"significant gain": "▲", "significant loss": "▼", "inconclusive": "○", "undefined": "·"}
MARK_ROLES: dict[str, Role] = {"▲": "gain", "▼": "loss"}
ALL_SHOWN = 10  # systems; of more, the first
SHOWN_OF_MANY = 7
MOST_LINES = 2  # that name systems which lose
WIDEST_NAME, NARROWEST_NAME = 24, 12
LONGEST_TITLE = 14
WIDEST_GLYPH, USUAL_GLYPH, NARROWEST_GLYPH = 16, 12, 9
MANY_TOPICS = 1000  # are not repeated on every line

SORTS: dict[str, Callable[[SystemSummary], float]] = {
    "gain": lambda each: -each.gain,
    "risk": lambda each: each.risk,
    "hurt": lambda each: each.losses,
    "cvar": lambda each: each.cvar,
}
COLUMNS = ("score", "gain", "interval", "hurt", "large", "risk", "reward", "cvar", "verdicts", "up-to")
USUAL_COLUMNS = ("score", "gain", "interval", "hurt", "risk", "verdicts", "up-to")
LEFT_OUT = ((), ("score",), ("score", "interval"), ("score", "interval", "risk"))  # where usual columns are too many


@dataclass(frozen=True)
class TextOptions:
    """How a first screen is written: every system, in which order, with which columns, and in colour."""

    all_systems: bool = False
    sort: str = "gain"
    columns: Sequence[str] = USUAL_COLUMNS
    styled: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (("sort", self.sort, tuple(SORTS)), *(("columns", c, COLUMNS) for c in self.columns)):
            if value not in known:
                hint = nearest(value, known)
                raise ParameterError(f"{name} must be one of {', '.join(known)}, got {one_line(value)}.{hint}", name)

    def columns_for(self, assessment: Assessment) -> tuple[str, ...]:
        """Those asked for; else the usual ones, but none that says nothing."""
        if tuple(self.columns) != USUAL_COLUMNS:
            return tuple(dict.fromkeys(self.columns))
        empty: set[str] = set()
        if all(math.isnan(each.gain_interval[0]) for each in assessment.systems):
            empty |= {"interval"}
        if len(assessment.scores.topics) < FEWEST_CHANGED:
            empty |= {"interval", "verdicts", "up-to"}
        return tuple(name for name in USUAL_COLUMNS if name not in empty)


def is_cut(assessment: Assessment, options: TextOptions) -> bool:
    """Are some systems not listed?"""
    return len(rivals(assessment)) > ALL_SHOWN and not options.all_systems


class SystemTable(NamedTuple):
    """A table as text, and which columns it has."""

    text: str
    columns: tuple[str, ...]


def system_table(assessment: Assessment, options: TextOptions) -> SystemTable:
    """The systems, or the first of many with what the others have in common; the baseline among those it beats."""
    ordered = sorted(rivals(assessment), key=lambda each: (SORTS[options.sort](each), -each.gain))
    cut = is_cut(assessment, options)
    shown, rest = (ordered[:SHOWN_OF_MANY], ordered[SHOWN_OF_MANY:]) if cut else (ordered, [])
    listed = list(shown)
    if not cut:
        listed += [each for each in assessment.systems if not each.is_baseline and math.isnan(each.gain)]
        if options.sort == "gain":
            place = sum(each.gain > 0 for each in shown)
            listed[place:place] = [each for each in assessment.systems if each.is_baseline]
    table = _SystemRows(assessment, digits_of(assessment), listed, options)
    rows = [table.row(each) for each in listed]
    titles, name_width = table.fitting(rows)
    lines = table.lines(rows, titles, name_width)
    if options.styled:
        lines = _styled(lines, listed, leader(assessment))
    return SystemTable("\n".join([*lines, *_of_the_rest(assessment, shown, rest)]), tuple(titles))


@dataclass(frozen=True)
class _SystemRows:
    """Rows of systems, and what fits of them."""

    assessment: Assessment
    digits: Digits
    systems: list[SystemSummary]
    options: TextOptions

    def lines(self, rows: list[dict[str, str]], titles: dict[str, str], name_width: int) -> list[str]:
        """The table, its title first; intervals are as wide as the other columns leave."""
        names = [shortened(row["system"], name_width) for row in rows]
        taken = max(map(display_width, ["system", *names])) + _width_of(titles, rows)
        width = min(max(WIDTH - taken - 2, display_width(titles.get("interval", ""))), WIDEST_GLYPH)
        width = max(width, NARROWEST_GLYPH)
        glyphs = interval_glyphs([(s.gain_interval[0], s.gain, s.gain_interval[1]) for s in self.systems], width)
        for row, name, glyph, system in zip(rows, names, glyphs, self.systems, strict=True):
            row |= {"system": name, "interval": "baseline" if system.is_baseline else glyph}
            if system.is_baseline and "interval" not in titles:
                row["gain"] = "baseline"
        cells = [[row[name] for name in ("system", *titles)] for row in rows]
        return aligned(["system", *titles.values()], cells, left=("system", titles.get("interval", ""))).splitlines()

    def fitting(self, rows: list[dict[str, str]]) -> tuple[dict[str, str], int]:
        """Titles of the columns, and how long names may be: usual columns are left out until all fits."""
        columns = self.options.columns_for(self.assessment)
        longest = max(display_width(row["system"]) for row in rows)
        attempts = LEFT_OUT if tuple(self.options.columns) == USUAL_COLUMNS else LEFT_OUT[:1]
        for left_out in attempts:
            for narrow in (False, True):
                titles = {name: self._titles(narrow)[name] for name in columns if name not in left_out}
                glyph = (NARROWEST_GLYPH if narrow else USUAL_GLYPH) + 2 if "interval" in titles else 0
                name_width = WIDTH - _width_of(titles, rows) - glyph
                if name_width >= min(longest, NARROWEST_NAME):
                    return titles, min(name_width, WIDEST_NAME)
        return titles, NARROWEST_NAME

    def _titles(self, narrow: bool) -> dict[str, str]:
        assessment = self.assessment
        return {
            "score": one_line(assessment.scores.measure, limit=LONGEST_TITLE), "gain": "gain",
            "interval": "interval" if narrow else f"{percent(1 - assessment.level)} interval",
            "hurt": "hurt", "large": ">20%", "risk": "risk", "reward": "reward", "cvar": "CVaR",
            "verdicts": f"α={' '.join(f'{alpha:g}' for alpha in assessment.alphas)}", "up-to": "up to",
        }  # fmt: skip

    def row(self, system: SystemSummary) -> dict[str, str]:
        name = one_line(system.system)
        cells = dict.fromkeys(COLUMNS, "" if system.is_baseline else "–")
        if not math.isnan(system.effectiveness):
            cells["score"] = self.digits.score(system.effectiveness)
        marks = (MARKS[at.verdict].rjust(len(f"{at.alpha:g}")) for at in system.at)
        if system.is_baseline or math.isnan(system.gain):
            return {"system": name, **cells, "verdicts": "" if system.is_baseline else " ".join(marks)}
        significance, n_topics = self.assessment.significance, len(self.assessment.scores.topics)
        place = [each.system for each in self.assessment.systems].index(system.system)
        return {
            "system": name,
            **cells,
            "gain": self.digits.gain(system.gain),
            "hurt": f"{system.losses:,}" if n_topics >= MANY_TOPICS else f"{system.losses}/{n_topics}",
            "large": f"{system.large_losses:,}",
            "risk": risk_text(system.risk),
            "reward": risk_text(system.reward),
            "cvar": risk_text(system.cvar),
            "verdicts": " ".join(marks),
            "up-to": up_to_text(significance.up_to(place), significance.alphas[-1]),
        }


def up_to_text(alpha: float | None, largest: float) -> str:
    """The largest alpha at which a gain is significant."""
    return "–" if alpha is None else f"{alpha:g}+" if alpha == largest else f"{alpha:g}"


def shortened(name: str, limit: int = WIDEST_NAME) -> str:
    """A name that fits a column: the middle of a long one is left out.

    >>> shortened("a-very-long-name-of-a-run-indeed")
    'a-very-long…a-run-indeed'
    """
    line = one_line(name)
    if display_width(line) <= limit:
        return line
    kept = limit - 1
    while display_width(line[: kept // 2]) + display_width(line[-(kept - kept // 2) :]) > limit - 1:
        kept -= 1
    return f"{line[: kept // 2]}…{line[-(kept - kept // 2) :]}"


def _width_of(titles: dict[str, str], rows: list[dict[str, str]]) -> int:
    """Of the columns but for names and intervals, with the space before each."""
    return sum(
        2 + max(display_width(text) for text in (title, *(row[name] for row in rows)))
        for name, title in titles.items()
        if name != "interval"
    )


def _styled(lines: list[str], systems: list[SystemSummary], best: SystemSummary | None) -> list[str]:
    """The leader's name bold, marks in colour."""
    styled = lines[:1]
    for line, system in zip(lines[1:], systems, strict=True):
        name, space, cells = line.partition("  ")
        for mark, role in MARK_ROLES.items():
            cells = cells.replace(mark, style(mark, role))
        styled.append(f"{style(name, 'strong') if system is best else name}{space}{cells}")
    return styled


def _of_the_rest(assessment: Assessment, shown: list[SystemSummary], rest: list[SystemSummary]) -> list[str]:
    """What the systems have in common that are not listed, by their verdicts at the smallest alpha."""
    first, digits = min(assessment.alphas), digits_of(assessment)
    verdicts = {each.at_alpha(first).verdict for each in shown}
    by_gain = sorted(rest, key=lambda each: -each.gain)

    def told(verdict: str, one: str, many: str) -> tuple[list[SystemSummary], str]:
        members = [each for each in by_gain if each.at_alpha(first).verdict == verdict]
        more = "more " if verdict in verdicts else ""
        return members, f"{len(members)} {more}{one if len(members) == 1 else many}"

    gains, gain = told("significant gain", "gains significantly", "gain significantly")
    losses, lose = told("significant loss", "loses significantly", "lose significantly")
    others, open_ones = told("inconclusive", "is inconclusive", "are inconclusive")
    parts = []
    if gains:
        low, high = digits.gain(gains[-1].gain), digits.gain(gains[0].gain)
        parts.append(f"{gain}, {high if len(gains) == 1 else f'{low} to {high}'}")
    parts += [open_ones] if others else []
    lines = paragraph(words(f"… {'; '.join(parts)} (α = {first:g})")).splitlines() if parts else []
    named = [f"{shortened(each.system)} {digits.gain(each.gain)}" for each in reversed(losses)]  # the worst first
    for n_named in range(len(named), 0, -1):
        more = f" and {len(named) - n_named} more" if n_named < len(named) else ""
        losing = paragraph(words(f"… {lose}: {', '.join(named[:n_named])}{more}")).splitlines()
        if len(losing) <= MOST_LINES or n_named == 1:
            return [*lines, *losing]
    return lines
