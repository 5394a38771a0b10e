"""JUnit XML, which most CI systems show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from riskrank.report.findings.words import one_sentence, short_name
from riskrank.report.gate_formats.problems import before_and_after, check_title, notes, title_of, weights_told

if TYPE_CHECKING:
    from riskrank.assessment.gating.comparison import Comparison, NamedCheck
    from riskrank.assessment.gating.gate_result import GateResult


def junit_xml(result: GateResult) -> str:
    """A test suite for each comparison with a case for each check; a broken one lists its topics."""
    root = ElementTree.Element("testsuites", {"name": "riskrank gate", **_counts(list(result.named_checks()))})
    for compared in result.comparisons:
        _add_suite(root, compared)
    said = [*notes(result), *weights_told(result)]
    if said:
        ElementTree.SubElement(root[0], "system-out").text = _xml_safe("\n".join(said))
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_suite(root: ElementTree.Element, compared: Comparison) -> None:
    checks = list(compared.named_checks())
    suite = ElementTree.SubElement(root, "testsuite", {"name": _xml_safe(title_of(compared)), **_counts(checks)})
    for each in checks:
        words = _xml_safe(one_sentence(each.check.words))
        case = ElementTree.SubElement(
            suite, "testcase", classname="riskrank.gate", name=_xml_safe(check_title(each)), time="0"
        )
        if each.check.holds:
            ElementTree.SubElement(case, "system-out").text = words
            continue
        failure = ElementTree.SubElement(case, "failure", type=each.check.name, message=words)
        topics = compared.topics_of(each.check)
        failure.text = _xml_safe("\n".join(f"{short_name(topic.topic)}: {before_and_after(topic)}" for topic in topics))


def _counts(checks: list[NamedCheck]) -> dict[str, str]:
    failures = sum(not each.check.holds for each in checks)
    return {"tests": str(len(checks)), "failures": str(failures), "errors": "0", "time": "0"}


def _xml_safe(text: str) -> str:
    """Letters that XML has; ``[[ATTACHMENT|path]]`` would have Jenkins and GitLab fetch a file."""
    letters = "".join(c if c == "\n" or c.isprintable() else "\ufffd" for c in text)
    return letters.replace("[[", "[ [")
