"""What a gate says: as text, GitHub annotations, JUnit XML and JSON."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.assessment.cautions import cautions
from riskrank.errors import one_line
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from riskrank.assessment.gate import BrokenTopic, GateResult

COMMAND = re.compile(r"(?m)^( *):(?=:)|#(?=#\[)")  # where GitHub finds one in what a step prints
MOST_CHARACTERS = 2000  # of an annotation


def gate_text(result: GateResult, *, limit: int = 20) -> str:
    """What was checked, and the topics that broke it."""
    candidate, baseline = one_line(result.candidate), one_line(result.baseline)
    title = f"{'PASS' if result.passes else 'FAIL'}: {candidate} against {baseline}"
    lines = [f"{title}, {one_line(result.scores.measure)} on {len(result.scores.topics):,} topics"]
    lines += [f"  {'ok  ' if check.holds else 'FAIL'}  {check.words}" for check in result.checks]
    lines += [f"  note  {note}" for note in _notes(result)]
    broken = result.broken_topics
    if broken:
        rows = [[one_line(t.topic), decimals(t.score), decimals(t.baseline), signed(t.change)] for t in broken[:limit]]
        table = aligned(["topic", candidate, baseline, "change"], rows, left=("topic",))
        lines += ["", "Topics that broke it, worst first:", "", table]
    if len(broken) > limit:
        lines.append(f"… and {len(broken) - limit:,} more (--show all prints them)")
    return COMMAND.sub(lambda match: f"{match[1] or ''}\\x{ord(match[0][-1]):x}", "\n".join(lines))


def github_annotations(result: GateResult, *, limit: int = 20) -> str:
    """Workflow commands that GitHub shows beside the run: an error for each broken check and topic."""
    lines = [_annotation("error", check.words) for check in result.checks if not check.holds]
    for broken in result.broken_topics[:limit]:
        text = f"topic {broken.topic}: {result.scores.measure} {_move(broken)}"
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
            lines = [f"{topic.topic}: {_move(topic)}" for topic in result.topics_of(check)]
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
                "limit": check.limit,
                "value": None if math.isnan(check.value) else check.value,
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


def _move(topic: BrokenTopic) -> str:
    return f"{topic.baseline:.4f} → {topic.score:.4f} ({topic.change:+.4f})"


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)


def _notes(result: GateResult) -> list[str]:
    return [*cautions(result.scores, [result.baseline]), *data_notes(result.scores)]
