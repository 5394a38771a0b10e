"""What a gate says: as text, GitHub annotations, JUnit XML and JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.errors import one_line
from riskrank.report.text.formatting import aligned, number, signed
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from riskrank.assessment.gate import BrokenTopic, GateResult


def gate_text(result: GateResult, *, limit: int = 20) -> str:
    """What was checked, and the topics that broke it."""
    candidate, baseline = one_line(result.candidate), one_line(result.baseline)
    title = f"{'PASS' if result.passes else 'FAIL'}: {candidate} against {baseline}"
    lines = [f"{title}, {result.scores.measure} on {len(result.scores.topics):,} topics"]
    lines += [f"  {'ok  ' if check.holds else 'FAIL'}  {check.words}" for check in result.checks]
    lines += [f"  note  {note}" for note in data_notes(result.scores)]
    broken = result.broken_topics
    if broken:
        rows = [[one_line(t.topic), number(t.score), number(t.baseline), signed(t.change)] for t in broken[:limit]]
        table = aligned(["topic", candidate, baseline, "change"], rows, left=("topic",))
        lines += ["", "Topics that broke it, worst first:", "", table]
    if len(broken) > limit:
        lines.append(f"… and {len(broken) - limit:,} more (--show all prints them)")
    return "\n".join(lines)


def github_annotations(result: GateResult, *, limit: int = 20) -> str:
    """Workflow commands that GitHub shows beside the run: an error for each broken check and topic."""
    lines = [f"::error title={_property('riskrank gate')}::{_data(c.words)}" for c in result.checks if not c.holds]
    for topic in result.broken_topics[:limit]:
        text = f"topic {topic.topic}: {result.scores.measure} {_move(topic)}"
        lines.append(f"::error title={_property(f'riskrank: topic {topic.topic}')}::{_data(text)}")
    lines += [f"::warning title={_property('riskrank gate')}::{_data(note)}" for note in data_notes(result.scores)]
    if result.passes:
        words = "; ".join(check.words for check in result.checks)
        lines.append(f"::notice title={_property('riskrank gate')}::{_data(words)}")
    return "\n".join(lines)


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
    notes = data_notes(result.scores)
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
        "notes": data_notes(result.scores),
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


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
