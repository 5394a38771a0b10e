"""What else is said of a gate."""

from __future__ import annotations

import re
from datetime import date

import pytest

import riskrank as rr
from riskrank.report.findings.gate_findings import gate_findings
from riskrank.report.findings.gate_remarks import gate_cautions, topics_compared, weighing

from .changes import N_TOPICS, OLD
from .gates import compared, said, weighted_gate


def test_equal_systems_are_told():
    same = rr.Effectiveness.from_rows({"old": OLD, "new": OLD})
    assert gate_cautions(compared(same))[0] == "they are equal on every topic: are they the same run?"
    text = repr(rr.gate(same, "new", "old"))
    assert text.startswith("Caution: they are equal on every topic: are they the same run?\n")
    assert gate_cautions(compared()) == []


def test_topics_that_nobody_judges_are_not_asked_for():
    settled = said(max_hurt=0.35).remarks[-1]  # a quarter of 40 topics are hurt
    assert re.fullmatch(r"To be sure, it takes about \d+ topics for topics hurt\.", settled)
    near = "To be sure, it takes over 800 topics for topics hurt (too near its limit)."  # 20 times 40
    assert said(max_hurt=0.255).remarks[-1] == near  # thousands of topics would
    assert said(max_hurt=0.25).remarks[-1] == near  # no number would
    both = said(max_hurt=0.25, max_risk=0.03).remarks[-1]
    end = r" topics for mean loss and over 800 for topics hurt \(too near its limit\)\."
    assert re.fullmatch(rf"To be sure, it takes about \d+{end}", both)


def test_default_limits_topics_needed_and_accepted_losses_are_remarked():
    assert "No limit was given: these are the default ones (docs/gate.md)." in said().remarks
    worst, needed = said(max_risk=0.025).remarks
    assert worst.startswith("It loses most on topics 31 (−0.080), 32")
    assert needed.startswith("To be sure, it takes about ")
    assert needed.endswith(" topics for mean loss.")
    loss = rr.AcceptedLoss("40", "out of\nstock", date(2100, 1, 1))
    assert said(max_risk=0.5, accepted=[loss]).remarks[1:] == ("Accepted: 40 −0.080 until 2100-01-01: out of\\nstock",)


def test_topics_without_a_segment_are_counted_and_the_first_is_named():
    names = {str(i + 1): "" if i < 2 else "all" for i in range(N_TOPICS - 1)}  # two blank cells, one line missing
    assert "3 topics have no segment (first: 1)." in said(max_risk=0.5, segments=names).remarks
    names = {str(i + 1): "all" for i in range(N_TOPICS - 1)}
    assert f"1 topic has no segment (first: {N_TOPICS})." in said(max_risk=0.5, segments=names).remarks
    names[str(N_TOPICS)] = "all"
    assert not [each for each in said(max_risk=0.5, segments=names).remarks if "segment" in each]


def test_documents_that_nobody_judged_are_remarked():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    old, new = {t: {"a": 1.0} for t in qrels}, {t: {"x": 2.0, "a": 1.0} for t in qrels}
    (comparison,) = rr.gate(qrels, {"new": new}, {"old": old}, "RR", max_loss=0.1).comparisons
    assert gate_findings(comparison).remarks[-1] == (
        "Perhaps no loss, but documents that nobody judged, among the first of new only: 1 (1) and 2 (1). Judge them."
    )


def test_weights_are_told():
    (compared,) = weighted_gate([3, 1, 1, 1], max_risk=0.1).comparisons
    assert topics_compared(compared) == "4 weighted topics"
    # 6² / (9 + 1 + 1 + 1) = 3
    assert weighing(compared) == ["Shares and means are weighted: 4 topics tell as much as 3.0 of equal weight."]
    (compared,) = weighted_gate([2, 2, 2, 2], max_risk=0.1).comparisons
    assert weighing(compared) == ["All topics have the same weight."]
    (compared,) = rr.gate(compared.scores, "new", "old").comparisons
    assert (topics_compared(compared), weighing(compared)) == ("4 topics", [])


SENTENCE = "Shares and means are weighted: 4 topics tell as much as 3.0 of equal weight."


@pytest.mark.parametrize("form", ["__repr__", "_repr_html_", "to_html", "to_markdown", "to_junit", "to_sarif"])
@pytest.mark.parametrize("max_risk", [0.1, 0.9])
def test_what_passes_or_fails_by_weight_says_so(form, max_risk):
    assert SENTENCE in getattr(weighted_gate([3, 1, 1, 1], max_risk=max_risk), form)()
    assert "weighted" not in repr(weighted_gate([1, 1, 1, 1], max_risk=max_risk)).replace("4 weighted topics", "")


def test_what_spoils_one_candidate_is_not_said_of_another():
    judged = {str(t): {"a": 1} for t in range(30)}
    whole = {topic: {"a": 1.0} for topic in judged}
    part = {topic: ranked for topic, ranked in whole.items() if topic != "3"}
    result = rr.gate(judged, {"whole": whole, "part": part}, {"old": whole}, "RR")
    said = {each.candidate: " ".join(gate_cautions(each)) for each in result.comparisons}
    assert "missing topics" not in said["whole"]
    assert "missing topics score 0, of 30: part 1." in said["part"]
    assert result.comparisons[1].scores.systems == ("old", "part")
