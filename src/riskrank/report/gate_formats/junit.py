"""JUnit XML, which most CI systems show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.report.gate_formats.problems import before_and_after, check_title, notes

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult


def junit_xml(result: GateResult) -> str:
    """A test suite with a case for each check; a broken one lists its topics."""
    checks = list(result.named_checks())
    suite = ElementTree.Element(
        "testsuite",
        name="riskrank gate",
        tests=str(len(checks)),
        failures=str(sum(not each.check.holds for each in checks)),
        errors="0",
    )
    for each in checks:
        name = check_title(each)
        case = ElementTree.SubElement(suite, "testcase", classname="riskrank.gate", name=_xml_safe(name))
        if not each.check.holds:
            failure = ElementTree.SubElement(case, "failure", message=_xml_safe(each.check.words))
            topics = each.comparison.topics_of(each.check)
            failure.text = _xml_safe("\n".join(f"{topic.topic}: {before_and_after(topic)}" for topic in topics))
    said = notes(result)
    if said:
        ElementTree.SubElement(suite, "system-out").text = _xml_safe("\n".join(said))
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
