"""What a gate prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.gate_findings import gate_findings, overall
from riskrank.report.findings.gate_remarks import gate_cautions, topic_note, topics_compared
from riskrank.report.findings.words import Word, counted, one_sentence, words
from riskrank.report.text.formatting import aligned, decimals
from riskrank.report.text.system_table import shortened
from riskrank.report.text.terminal import WIDTH, paragraph, style
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.report.findings.check_findings import CheckFinding
    from riskrank.report.findings.gate_findings import GateFindings
    from riskrank.report.findings.words import Role

COMMAND = re.compile(r"(?m)^( *):(?=:)|#(?=#\[)")  # where GitHub finds one in what a step prints
SHOWN = 5  # broken topics
MOST_SEGMENTS = 10  # unless more are broken


def gate_text(result: GateResult, *, limit: int = SHOWN, styled: bool = False, hint: str = "") -> str:
    """Of each comparison whether it passes, every check, the topics that broke them, and what is gained.

    `hint` says how to see all topics.
    """
    parts = [_comparison(each, limit=limit, styled=styled, hint=hint) for each in result.comparisons]
    whole = overall(result)
    if whole:
        parts.insert(0, paragraph(words(_verdict(result.passed), "  ", whole), styled=styled))
    return without_commands("\n\n".join(parts))


def without_commands(text: str) -> str:
    """Text in which GitHub finds no command, whatever names are in it."""
    return COMMAND.sub(lambda match: f"{match[1] or ''}\\x{ord(match[0][-1]):x}", text)


def _verdict(passed: bool) -> Word:
    return Word("PASS", "gain") if passed else Word("FAIL", "loss")


def _comparison(compared: Comparison, *, limit: int, styled: bool, hint: str) -> str:
    said = gate_findings(compared)
    scores = compared.scores
    measure = scores.title.replace(" (", ", ").removesuffix(")") if scores.title != scores.measure else scores.measure
    about = f" ({one_line(measure)}, {topics_compared(compared)})"
    spoilt = [f"Caution: {one_sentence(each)}" for each in gate_cautions(compared)]
    odd = [f"Note: {one_sentence(note)}" for note in data_notes(scores)]
    parts = [
        "\n".join(paragraph(words(each)) for each in spoilt),
        paragraph(words(_verdict(compared.passed), "  ", said.headline, about), styled=styled),
        _checklist(said.checks, styled=styled),
        _segments(said, limit, hint, styled=styled),
        "\n".join(paragraph(words(each)) for each in (*odd, *said.remarks)),
        _broken(compared, limit, hint),
        paragraph(said.gain, styled=styled),
    ]
    return "\n\n".join(part for part in parts if part)


def _checklist(checks: Sequence[CheckFinding], *, styled: bool) -> str:
    """A line per check: sign, what, value, limit, and how sure it is."""
    rows = [[f"{_sign(each.check.holds)} {each.name}", each.value, each.limit, each.note] for each in checks]
    return _signed_lines(rows, [each.check.holds for each in checks], styled=styled)


def _segments(said: GateFindings, limit: int, hint: str, *, styled: bool) -> str:
    """A line per segment, as far as they are few or broken: whether it holds, how large it is, and what it breaks."""
    rows, states = [], []
    n_shown = max(MOST_SEGMENTS, limit, sum(not each.holds for each in said.segments))
    for each in said.segments[:n_shown]:
        broken = [check.short for check in each.checks if not check.check.holds]
        more = f"; {len(broken) - 1} more {'fails' if len(broken) == 2 else 'fail'}" if len(broken) > 1 else ""
        note = f"{broken[0]}{more}" if broken else each.note
        rows.append([f"{_sign(each.holds) if each.checks else '–'} {each.name}", each.size, note])
        states.append(each.holds)
    more = f"\n… and {len(said.segments) - n_shown:,} more segments, none broken{hint}"
    return _signed_lines(rows, states, styled=styled) + (more if len(said.segments) > n_shown else "")


def _sign(holds: bool) -> str:
    return "✓" if holds else "✗"


def _signed_lines(rows: list[list[str]], states: list[bool], *, styled: bool) -> str:
    """Aligned lines, the sign of each in its colour."""
    if not rows:
        return ""
    lines = aligned([""] * len(rows[0]), rows, left=("",)).splitlines()[1:]
    if max(map(len, lines)) > WIDTH:
        lines = [line.replace("% interval ", "%: ") for line in lines]
    if not styled:
        return "\n".join(lines)
    roles: list[Role] = ["gain" if holds else "loss" for holds in states]
    return "\n".join(style(line[:1], role) + line[1:] for line, role in zip(lines, roles, strict=True))


def _broken(compared: Comparison, limit: int, hint: str) -> str:
    """The topics that broke a check, worst first."""
    broken, unit = compared.broken_topics, compared.scores.unit
    if not limit and broken:
        return f"{counted(len(broken), unit)} broke a limit{hint}"
    rows = [
        [one_line(t.topic), decimals(t.baseline, 3), decimals(t.score, 3), Digits(3).gain(t.change), topic_note(t)]
        for t in broken[:limit]
    ]
    names = [shortened(compared.baseline), shortened(compared.candidate)]
    lines = [aligned([unit, *names, "change", ""], rows, left=(unit, ""))] if rows else []
    if len(broken) > limit:
        lines.append(f"… and {len(broken) - limit:,} more{hint}")
    return "\n".join(lines)
