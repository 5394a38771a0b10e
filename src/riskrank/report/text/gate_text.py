"""What a gate says: as text, GitHub annotations, JUnit XML and JSON."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.assessment.cautions import cautions
from riskrank.errors import one_line
from riskrank.report.findings.gate_findings import gate_findings
from riskrank.report.findings.words import Word, counted, one_sentence, words
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.system_table import shortened
from riskrank.report.text.terminal import paragraph, style
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gate import BrokenTopic, GateResult
    from riskrank.report.findings.gate_findings import CheckFinding
    from riskrank.report.findings.words import Role

COMMAND = re.compile(r"(?m)^( *):(?=:)|#(?=#\[)")  # where GitHub finds one in what a step prints
SHOWN = 5  # broken topics
MOST_CHARACTERS = 2000  # of an annotation


def gate_text(result: GateResult, *, limit: int = SHOWN, styled: bool = False, hint: str = "") -> str:
    """Whether it passes, every check, the topics that broke them, and what is gained; `hint`: how to see all topics."""
    said = gate_findings(result)
    verdict: Word = Word("PASS", "gain") if result.passes else Word("FAIL", "loss")
    scores = result.scores
    measure = scores.title.replace(" (", ", ").removesuffix(")") if scores.title != scores.measure else scores.measure
    about = f" ({one_line(measure)}, {counted(len(scores.topics), scores.unit)})"
    parts = [paragraph(words(verdict, "  ", said.headline, about), styled=styled)]
    parts.append(_checklist(said.checks, styled=styled))
    parts.append("\n".join(_remarks(result)))
    parts.append(_broken(result, limit, hint))
    parts.append(paragraph(said.gain, styled=styled))
    text = "\n\n".join(part for part in parts if part)
    return COMMAND.sub(lambda match: f"{match[1] or ''}\\x{ord(match[0][-1]):x}", text)


def _checklist(checks: Sequence[CheckFinding], *, styled: bool) -> str:
    """A line per check: sign, what, value, limit, and how sure it is."""
    rows = [[f"{'✓' if each.check.holds else '✗'} {each.name}", each.value, each.limit, each.note] for each in checks]
    lines = aligned([""] * 4, rows, left=("",)).splitlines()[1:]
    if not styled:
        return "\n".join(lines)
    roles: list[Role] = ["gain" if each.check.holds else "loss" for each in checks]
    return "\n".join(style(line[:1], role) + line[1:] for line, role in zip(lines, roles, strict=True))


def _remarks(result: GateResult) -> list[str]:
    """What spoils the comparison, and what is odd about the data."""
    spoilt = [f"Caution: {one_sentence(caution)}" for caution in cautions(result.scores, [result.baseline])]
    odd = [f"Note: {one_sentence(note)}" for note in data_notes(result.scores)]
    return [paragraph(words(remark)) for remark in (*spoilt, *odd)]


def _broken(result: GateResult, limit: int, hint: str) -> str:
    """The topics that broke a check, worst first."""
    broken = result.broken_topics
    rows = [
        [one_line(t.topic), decimals(t.baseline, 3), decimals(t.score, 3), signed(t.change, 3)] for t in broken[:limit]
    ]
    unit = result.scores.unit
    names = [shortened(result.baseline), shortened(result.candidate)]
    lines = [aligned([unit, *names, "change"], rows, left=(unit,))] if rows else []
    if len(broken) > limit:
        lines.append(f"… and {len(broken) - limit:,} more{hint}")
    return "\n".join(lines)


def github_annotations(result: GateResult, *, limit: int = 20) -> str:
    """Workflow commands that GitHub shows beside the run: an error for each broken check and topic."""
    lines = [_annotation("error", check.words) for check in result.checks if not check.holds]
    for broken in result.broken_topics[:limit]:
        text = f"topic {broken.topic}: {result.scores.measure} {_before_and_after(broken)}"
        lines.append(_annotation("error", text, title=f"riskrank: topic {broken.topic}"))
    lines += [_annotation("warning", note) for note in _notes(result)]
    if result.passes:
        lines.append(_annotation("notice", "; ".join(check.words for check in result.checks)))
    return "\n".join(lines)


def _annotation(kind: str, text: str, *, title: str = "riskrank gate") -> str:
    """A workflow command; nothing in its title or text ends it, or begins another."""
    shown, data = (one_line(each, limit=MOST_CHARACTERS).replace("%", "%25") for each in (title, text))
    return f"::{kind} title={shown.replace(':', '%3A').replace(',', '%2C')}::{data}"


def junit_xml(result: GateResult) -> str:
    """A test suite with a case for each check; a broken one lists its topics."""
    suite = ElementTree.Element(
        "testsuite",
        name="riskrank gate",
        tests=str(len(result.checks)),
        failures=str(sum(not check.holds for check in result.checks)),
        errors="0",
    )
    for check in result.checks:
        name = f"{result.candidate} against {result.baseline}: {check.name}"
        case = ElementTree.SubElement(suite, "testcase", classname="riskrank.gate", name=_xml_safe(name))
        if not check.holds:
            failure = ElementTree.SubElement(case, "failure", message=_xml_safe(check.words))
            lines = [f"{topic.topic}: {_before_and_after(topic)}" for topic in result.topics_of(check)]
            failure.text = _xml_safe("\n".join(lines))
    notes = _notes(result)
    if notes:
        ElementTree.SubElement(suite, "system-out").text = _xml_safe("\n".join(notes))
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def gate_json(result: GateResult) -> str:
    """All of it, for programs."""
    content = {
        "format": "riskrank gate",
        "version": 1,
        "passes": result.passes,
        "measure": result.scores.measure,
        "candidate": result.candidate,
        "baseline": result.baseline,
        "n_topics": len(result.scores.topics),
        "notes": _notes(result),
        "checks": [
            {
                "name": check.name,
                "limit": None if math.isnan(check.limit) else check.limit,
                "value": None if math.isnan(check.value) else check.value,
                "p_value": None if math.isnan(check.p_value) else check.p_value,
                "holds": check.holds,
                "words": check.words,
                "topics": [topic.topic for topic in result.topics_of(check)],
            }
            for check in result.checks
        ],
        "topics": [
            {"topic": topic.topic, "score": topic.score, "baseline": topic.baseline, "change": topic.change}
            for topic in result.broken_topics
        ],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)


def _before_and_after(topic: BrokenTopic) -> str:
    return f"{topic.baseline:.4f} → {topic.score:.4f} ({topic.change:+.4f})"


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)


def _notes(result: GateResult) -> list[str]:
    return [*cautions(result.scores, [result.baseline]), *data_notes(result.scores)]
