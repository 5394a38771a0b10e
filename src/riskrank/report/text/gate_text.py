"""The verdict of a gate: as text, GitHub annotations, JUnit XML and JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.errors import one_line
from riskrank.report.text.formatting import aligned, number, signed
from riskrank.report.text.wording import data_notes
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.risk.budget import Check


@dataclass(frozen=True)
class GateResult:
    """A candidate against its baseline, and the checks of its budget."""

    scores: Effectiveness
    candidate: str
    baseline: str
    checks: tuple[Check, ...]

    @property
    def passes(self) -> bool:
        """Do all checks hold?"""
        return all(check.holds for check in self.checks)

    @property
    def culprits(self) -> list[int]:
        """The topics that broke a budget, worst first."""
        delta = difference(self.scores[self.candidate], self.scores[self.baseline])
        return sorted({t for check in self.checks for t in check.topics}, key=lambda t: (delta[t], t))


def gate_text(verdict: GateResult, *, limit: int = 20) -> str:
    """What was checked, and the topics that broke it."""
    title = (
        f"{'PASS' if verdict.passes else 'FAIL'}: {one_line(verdict.candidate)} against {one_line(verdict.baseline)}"
    )
    lines = [f"{title}, {verdict.scores.measure} on {len(verdict.scores.topics):,} topics"]
    lines += [f"  {'ok  ' if check.holds else 'FAIL'}  {check.words}" for check in verdict.checks]
    lines += [f"  note  {note}" for note in data_notes(verdict.scores)]
    culprits = verdict.culprits
    if culprits:
        rows = [
            [one_line(topic), number(score), number(base), signed(score - base)]
            for topic, score, base in _topics(verdict, culprits[:limit])
        ]
        table = aligned(
            ["topic", one_line(verdict.candidate), one_line(verdict.baseline), "change"], rows, left=("topic",)
        )
        lines += ["", "Topics that broke it, worst first:", "", table]
        if len(culprits) > limit:
            lines.append(f"… and {len(culprits) - limit:,} more (--show all prints them)")
    return "\n".join(lines)


def github_annotations(verdict: GateResult, *, limit: int = 20) -> str:
    """Workflow commands that GitHub shows beside the run: an error for each broken check and topic."""
    lines = [f"::error title={_property('riskrank gate')}::{_data(c.words)}" for c in verdict.checks if not c.holds]
    for topic, score, base in _topics(verdict, verdict.culprits[:limit]):
        text = f"topic {topic}: {verdict.scores.measure} {base:.4f} → {score:.4f} ({score - base:+.4f})"
        lines.append(f"::error title={_property(f'riskrank: topic {topic}')}::{_data(text)}")
    lines += [f"::warning title={_property('riskrank gate')}::{_data(note)}" for note in data_notes(verdict.scores)]
    if verdict.passes:
        words = "; ".join(check.words for check in verdict.checks)
        lines.append(f"::notice title={_property('riskrank gate')}::{_data(words)}")
    return "\n".join(lines)


def junit_xml(verdict: GateResult) -> str:
    """A test suite with a case for each check; a broken one lists its topics."""
    suite = ElementTree.Element(
        "testsuite",
        name="riskrank gate",
        tests=str(len(verdict.checks)),
        failures=str(sum(not check.holds for check in verdict.checks)),
        errors="0",
    )
    for check in verdict.checks:
        name = f"{verdict.candidate} against {verdict.baseline}: {check.name}"
        case = ElementTree.SubElement(suite, "testcase", classname="riskrank.gate", name=_xml_safe(name))
        if not check.holds:
            failure = ElementTree.SubElement(case, "failure", message=_xml_safe(check.words))
            lines = [f"{t}: {b:.4f} → {s:.4f} ({s - b:+.4f})" for t, s, b in _topics(verdict, list(check.topics))]
            failure.text = _xml_safe("\n".join(lines))
    notes = data_notes(verdict.scores)
    if notes:
        ElementTree.SubElement(suite, "system-out").text = _xml_safe("\n".join(notes))
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def gate_json(verdict: GateResult) -> str:
    """All of it, for programs."""
    content = {
        "format": "riskrank gate",
        "version": 1,
        "passes": verdict.passes,
        "measure": verdict.scores.measure,
        "candidate": verdict.candidate,
        "baseline": verdict.baseline,
        "n_topics": len(verdict.scores.topics),
        "notes": data_notes(verdict.scores),
        "checks": [
            {
                "name": check.name,
                "limit": check.limit,
                "value": None if math.isnan(check.value) else check.value,
                "holds": check.holds,
                "words": check.words,
                "topics": [verdict.scores.topics[t] for t in check.topics],
            }
            for check in verdict.checks
        ],
        "topics": [
            {"topic": topic, "score": score, "baseline": base, "change": score - base}
            for topic, score, base in _topics(verdict, verdict.culprits)
        ],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)


def _topics(verdict: GateResult, positions: list[int]) -> list[tuple[str, float, float]]:
    scores, base = verdict.scores[verdict.candidate], verdict.scores[verdict.baseline]
    return [(verdict.scores.topics[t], float(scores[t]), float(base[t])) for t in positions]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
