"""JUnit XML, as a parser of its own reads it, with all that the usual schemas require."""

from __future__ import annotations

from xml.etree import ElementTree

import junitparser
import pytest

import riskrank as rr

from .hostile import HARMLESS, HOSTILE, hostile_gate

# Attributes that Jenkins' schema (junit-10.xsd) knows; the first ones it requires.
KNOWN = {
    "testsuites": ([], ["name", "time", "tests", "failures", "errors"]),
    "testsuite": (["name", "tests", "failures", "errors"], ["time"]),
    "testcase": (["name"], ["time", "classname"]),
    "failure": ([], ["type", "message"]),
    "system-out": ([], []),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "system-out"},
    "testcase": {"failure", "system-out"},
    "failure": set(),
    "system-out": set(),
}


def read(result):
    """The suites of a file that keeps to the schema."""
    text = result.to_junit()
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        required, allowed = KNOWN[element.tag]
        assert set(required) <= set(element.attrib) <= {*required, *allowed}
        assert {child.tag for child in element} <= CHILDREN[element.tag]
    suites = list(junitparser.JUnitXml.fromstring(text.encode()))
    for suite in suites:
        assert suite.tests == len(list(suite))
        assert suite.failures == sum(bool(case.result) for case in suite)
    return suites


SCORES = rr.Effectiveness.from_rows({"old": [0.6] * 4, "new": [0.1, 0.6, 0.6, 0.6]}, measure="AP")


def test_a_case_for_each_check_and_a_broken_one_lists_its_topics():
    (suite,) = read(rr.gate(SCORES, "new", "old", max_loss=0.2, max_hurt=0.5))
    assert (suite.name, suite.tests, suite.failures, suite.errors) == ("new against old, AP", 2, 1, 0)
    hurt, loss = suite
    assert (hurt.name, hurt.classname, hurt.time) == ("hurt", "riskrank.gate", 0)
    assert (hurt.result, hurt.system_out) == ([], "1 of 4 topics hurt (25.0%), at most 50.0%")
    (failure,) = loss.result
    assert (failure.type, failure.message) == ("loss", "largest loss of a topic 0.5000, at most 0.2")
    assert failure.text == "1: 0.6000 → 0.1000 (-0.5000)"


def test_a_suite_for_each_comparison():
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 4, "a": [0.1, 0.6, 0.6, 0.6], "b": [0.6] * 4}, measure="AP")
    suites = read(rr.gate(scores, ["a", "b"], "old", max_loss=0.2))
    assert [(suite.name, suite.failures) for suite in suites] == [("a against old, AP", 1), ("b against old, AP", 0)]


def test_cautions_are_in_the_output():
    assert (
        "<system-out>4 topics cannot show anything to be significant.</system-out>"
        in rr.gate(SCORES, "new", "old", max_loss=0.2).to_junit()
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_names_change_nothing_but_letters(name):
    def shape(suites):
        return [[(case.classname, len(case.result)) for case in suite] for suite in suites]

    result = hostile_gate(name)
    assert shape(read(result)) == shape(read(hostile_gate(HARMLESS)))
    assert "[[" not in result.to_junit(), "Jenkins and GitLab would look for an attachment"
    for suite in read(result):
        for case in suite:
            for failure in case.result:
                lines = (failure.text or "").splitlines()
                assert all("→" in line for line in lines), "a name makes no line of its own"


def test_letters_that_xml_lacks_are_replaced():
    text = hostile_gate("\x00\x07\ufffe\ud800").to_junit()
    text.encode()
    assert text.replace("\n", "").isprintable()
