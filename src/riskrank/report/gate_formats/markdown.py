"""Markdown for the summary of a build, and for pull requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import counted
from riskrank.report.findings.digits import Digits
from riskrank.report.findings.gate_findings import gate_findings, overall
from riskrank.report.findings.gate_remarks import gate_cautions, topic_note, topics_compared
from riskrank.report.gate_formats.markdown_text import bold, code, escaped, folded, markdown_table
from riskrank.report.gate_formats.problems import title_of
from riskrank.report.text.formatting import decimals
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.assessment.gating.comparison import BrokenTopic, Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.report.findings.check_findings import CheckFinding
    from riskrank.report.findings.gate_findings import GateFindings, SegmentFinding
    from riskrank.report.findings.words import Words

MOST_BYTES = 60_000  # a comment on GitHub has 65,536 letters, the summary of a step 1 MiB
WORST = 5  # topics that are seen without a click
MOST_ROWS = (1000, 300, 100, 30, 10, 3)  # of a table: the first that makes all of it short enough


def markdown(result: GateResult) -> str:
    """Of each comparison whether it passes, every check, the worst topics; the others after a click."""
    for most in MOST_ROWS:
        text = _document(result, most)
        if len(text.encode()) <= MOST_BYTES:
            return text
    return _shortened(result, MOST_ROWS[-1])


def _document(result: GateResult, most: int, n_shown: int | None = None) -> str:
    """Failed comparisons first; `most` rows in a table, and `n_shown` comparisons."""
    comparisons = sorted(result.comparisons, key=lambda each: each.passed)
    parts = [f"### {_badge(result.passed)} {escaped(overall(result))}"] if len(comparisons) > 1 else []
    for compared in comparisons[:n_shown]:
        parts += _comparison(compared, most, is_only=len(comparisons) == 1)
    if n_shown is not None:
        parts.append(f"… and {len(comparisons) - n_shown:,} more, in the output of the gate.")
    return "\n\n".join(parts) + "\n"


def _shortened(result: GateResult, most: int) -> str:
    """With as many comparisons as there is space for."""
    fewest, too_many = 0, len(result.comparisons)
    while too_many - fewest > 1:
        middle = (fewest + too_many) // 2
        is_short = len(_document(result, most, middle).encode()) <= MOST_BYTES
        fewest, too_many = (middle, too_many) if is_short else (fewest, middle)
    return _document(result, most, fewest)


def _badge(passed: bool) -> str:
    return "✅ PASS" if passed else "❌ FAIL"


def _comparison(compared: Comparison, most: int, *, is_only: bool) -> Iterator[str]:
    said = gate_findings(compared)
    scores = compared.scores
    about = f"{escaped(scores.title)}, {topics_compared(compared)}. {_marked(said.gain)}"
    headline = f"{_badge(compared.passed)} {_marked(said.headline)}"
    spoilt = _bullets([f"Caution: {caution}" for caution in gate_cautions(compared)], most)
    content = [part for part in (spoilt, about, *_body(compared, said, most)) if part]
    if is_only or not compared.passed:
        yield from (f"{'###' if is_only else '####'} {headline}", *content)
    else:
        summary = f"{_badge(compared.passed)} {escaped(title_of(compared))}"
        yield folded(summary, "\n\n".join([headline, *content]))


def _body(compared: Comparison, said: GateFindings, most: int) -> Iterator[str]:
    yield _checks(said.checks)
    yield _segments(said.segments, most)
    yield _bullets([*(f"Note: {note}" for note in data_notes(compared.scores)), *said.remarks], most)
    broken = compared.broken_topics
    if broken:
        yield _topics(compared, broken[:WORST])
    if len(broken) > WORST:
        rest = broken[WORST : WORST + most]
        left = len(broken) - WORST - len(rest)
        more = [f"… and {left:,} more, in the output of the gate."] if left else []
        summary = f"{counted(len(broken) - WORST, f'more {compared.scores.unit}')} that broke a limit"
        yield folded(summary, "\n\n".join([_topics(compared, rest), *more]))


def _bullets(remarks: Sequence[str], most: int) -> str:
    more = [f"- … and {len(remarks) - most:,} more"] if len(remarks) > most else []
    return "\n".join([*(f"- {escaped(remark)}" for remark in remarks[:most]), *more])


def _checks(checks: Sequence[CheckFinding]) -> str:
    rows = [[_sign(each.check.holds), *map(escaped, (each.name, each.value, each.limit, each.note))] for each in checks]
    return markdown_table(["", "check", "value", "limit", "how sure"], rows, right=(2,)) if rows else ""


def _segments(segments: Sequence[SegmentFinding], most: int) -> str:
    """Broken ones first, as far as there is space."""
    rows = []
    for each in segments[:most]:
        note = "; ".join(check.short for check in each.checks if not check.check.holds) or each.note
        rows.append([_sign(each.holds) if each.checks else "–", code(each.name), escaped(each.size), escaped(note)])
    if not rows:
        return ""
    more = f"\n\n… and {len(segments) - most:,} more segments." if len(segments) > most else ""
    return markdown_table(["", "segment", "size", "note"], rows) + more


def _topics(compared: Comparison, topics: Sequence[BrokenTopic]) -> str:
    """With what is to know of each, where there is anything."""
    header = [compared.scores.unit, code(compared.baseline), code(compared.candidate), "change"]
    rows = [
        [code(each.topic), decimals(each.baseline, 3), decimals(each.score, 3), Digits(3).gain(each.change)]
        for each in topics
    ]
    notes = [topic_note(each) for each in topics]
    if any(notes):
        header, rows = [*header, "note"], [[*row, note] for row, note in zip(rows, notes, strict=True)]
    return markdown_table(header, rows, right=(1, 2, 3))


def _marked(parts: Words) -> str:
    """Words with what matters in bold."""
    return "".join(bold(each.text) if each.role else escaped(each.text) for each in parts)


def _sign(holds: bool) -> str:
    return "✅" if holds else "❌"
