"""What `riskrank gate --trend` prints: how the budget was used over releases."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.gate_history_findings import history_findings
from riskrank.report.findings.words import joined, one_sentence, words
from riskrank.report.text.formatting import aligned, display_width
from riskrank.report.text.gate_text import without_commands
from riskrank.report.text.terminal import WIDTH, paragraph, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.gate_history import GateHistory
    from riskrank.report.findings.gate_history_findings import ReleaseFinding, TrendFinding

SHOWN = 20  # releases, the last ones
MOST_TRENDS = 12
MOST_LETTERS = 30  # of a line of uses
LEVELS = "▁▂▃▄▅▆▇█"
BROKEN, UNSURE, UNKNOWN = "✗", "?", "·"
LONGEST_NAMES = range(60, 15, -1)  # the first that leaves lines short


def gate_history_text(history: GateHistory, *, limit: int = SHOWN, styled: bool = False) -> str:
    """One finding, a line for each of the last releases, and how much of each limit was used."""
    said = history_findings(history)
    parts = [
        "\n".join(paragraph(words(f"Caution: {one_sentence(each)}")) for each in history.cautions),
        paragraph(joined(said.headline, said.drift), styled=styled),
        _releases(said.releases, limit, styled=styled),
        _trends(said.trends),
        *(paragraph(words(note)) for note in said.notes),
    ]
    return without_commands("\n\n".join(part for part in parts if part))


def _releases(releases: Sequence[ReleaseFinding], limit: int, *, styled: bool) -> str:
    shown = releases[len(releases) - limit :] if len(releases) > limit else releases
    if not shown:
        return ""
    header = ["date", "release", "verdict", "gain", "tightest limit", "its use"]
    rows = [[each.date, each.label, _verdict(each), each.gain, each.check, each.use] for each in shown]
    lines = _fitting(header, rows, left=("date", "release", "verdict", "tightest limit"), named=(1, 4))
    if styled:
        for number, each in enumerate(shown, start=1):
            verdict = _verdict(each)
            marked = style(verdict, "gain" if each.passed else "loss")
            lines[number] = marked.join(lines[number].rsplit(verdict, 1))
    if len(releases) > limit:
        lines.insert(1, f"… {len(releases) - limit:,} before")
    return "\n".join(lines)


def _verdict(release: ReleaseFinding) -> str:
    return "✓ PASS" if release.passed else "✗ FAIL"


def _trends(trends: Sequence[TrendFinding]) -> str:
    """A line for each limit; where there are many, those of which most is used now."""
    if not trends:
        return ""
    shown = list(trends)
    if len(shown) > MOST_TRENDS:
        most_used = sorted(shown, key=lambda each: -each.trend.known[-1])[:MOST_TRENDS]
        shown = [each for each in shown if each in most_used]
    header = ["use of limits", "", "first", "most", "now"]
    letters = [use_letters(each.trend.uses, each.trend.broken) for each in shown]
    rows = [[each.name, drawn, each.first, each.most, each.now] for each, drawn in zip(shown, letters, strict=True)]
    lines = _fitting(header, rows, left=("use of limits", ""), named=(0,))
    if len(trends) > len(shown):
        lines.append(f"… and {len(trends) - len(shown):,} more, of which less is used")
    is_each = len(trends[0].trend.uses) <= MOST_LETTERS
    legend = "A letter is a release" if is_each else "A letter is the worst of some releases"
    legend += f": {LEVELS[0]} to {LEVELS[-1]} of the limit, {BROKEN} broken"
    legend += f", {UNSURE} over, but not surely: it passed." if any(UNSURE in each for each in letters) else "."
    return "\n".join([*lines, paragraph(words(legend))])


def _fitting(header: list[str], rows: list[list[str]], *, left: Sequence[str], named: Sequence[int]) -> list[str]:
    """An aligned table whose names are as long as there is room for."""
    lines: list[str] = []
    for longest in LONGEST_NAMES:
        cut = [[one_line(cell, limit=longest) if i in named else cell for i, cell in enumerate(row)] for row in rows]
        lines = aligned(header, cut, left=tuple(left)).splitlines()
        if max(map(display_width, lines)) <= WIDTH:
            break
    return lines


def use_letters(uses: Sequence[float], broken: Sequence[bool], width: int = MOST_LETTERS) -> str:
    """A letter for each use of a limit, or for the worst of several where there are many.

    >>> use_letters([0.1, 0.5, 1.0, 1.2, 1.2, float("nan")], [False, False, False, False, True, False])
    '▁▄█?✗·'
    """
    n_letters = min(width, len(uses))
    edges = [round(i * len(uses) / n_letters) for i in range(n_letters + 1)] if n_letters else [0]
    return "".join(_letter(uses[start:end], broken[start:end]) for start, end in pairwise(edges))


def _letter(uses: Sequence[float], broken: Sequence[bool]) -> str:
    known = [use for use in uses if not math.isnan(use)]
    if any(broken):
        return BROKEN
    if not known:
        return UNKNOWN
    if max(known) > 1:
        return UNSURE
    return LEVELS[max(0, math.ceil(max(known) * len(LEVELS) - 1e-9) - 1)]
