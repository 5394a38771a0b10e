from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from riskrank.assessment.gating.gate_history import GateHistory
from riskrank.assessment.gating.past_gates import PastCheck
from riskrank.report.findings.gate_history_findings import CHECKS, history_findings
from riskrank.report.findings.words import plain
from riskrank.risk.budget.check import CheckName

from ...assessment.gating.past_gates import creeping, past_comparison, past_gates


def said(history):
    found = history_findings(history)
    return plain(found.headline), plain(found.drift)


def test_every_check_has_a_name():
    assert set(CHECKS) == set(get_args(CheckName))


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        ([True], "1 release, which passed."),
        ([False], "1 release, which failed."),
        ([True, True, True], "3 releases, all passed."),
        ([True, False, True], "3 releases, 2 passed."),
        ([False, False], "2 releases, none passed."),
    ],
)
def test_how_many_passed(passed, words):
    rows = [[past_comparison(f"v{i}", "old", 0.0)] for i in range(len(passed))]
    assert said(past_gates(*rows, passed=passed))[0].startswith(f"{words} Mean loss: 50% of the limit")


def test_the_limit_of_which_most_is_used_now():
    assert said(creeping(12))[0] == "12 releases, all passed. Mean loss: 40% of the limit at first, 90% now."


def test_a_limit_that_the_last_release_did_not_have_was_not_checked_now():
    last = replace(past_comparison("v2", "v1", 0.0), checks=())
    (trend,) = history_findings(past_gates([past_comparison("v1", "v0", 0.0)], [last])).trends
    assert (trend.now, trend.is_over) == ("not checked", False)
    assert plain(trend.words) == "50% of the limit at first, at most 50%, not checked now"


@pytest.mark.parametrize(("name", "over"), [("hurt", 0.1), ("urisk", -0.1)])
def test_a_limit_of_zero_is_kept_or_over(name, over):
    def release(i, value):
        return [past_comparison(f"v{i}", "old", 0.0, checks=[PastCheck(name, "", value, 0.0, not value)])]

    title = {"hurt": "Topics hurt", "urisk": "URisk"}[name]
    first = history_findings(past_gates(release(1, 0.0), release(2, over)))
    assert plain(first.headline) == f"2 releases, 1 passed. {title}: 0% of the limit at first, over the limit now."
    assert [each.use for each in first.releases] == ["0%", "over"]
    assert plain(first.trends[0].words) == "0% of the limit at first, over the limit now"
    mended = history_findings(past_gates(release(1, over), release(2, 0.0)))
    assert plain(mended.headline) == f"2 releases, 1 passed. {title}: over the limit at first, 0% now."
    assert plain(mended.trends[0].words) == "over the limit at first, 0% now, over it at worst"


def test_an_empty_history_says_so():
    assert said(GateHistory(())) == ("There are no releases yet.", "")


@pytest.mark.parametrize(
    ("history", "words"),
    [
        (
            creeping(10),
            "The changes of 10 releases in a row add up to −0.050 nDCG@10, "
            "though no single release lost more than 0.005.",
        ),
        (
            creeping(10, pinned=True),
            "Against v0 nDCG@10 fell by 0.050, though no single release lost more than 0.005.",
        ),
        (
            creeping(10, step=-0.0002),
            "The changes of 10 releases in a row add up to −0.0020 nDCG@10, "
            "though no single release lost more than 0.0002.",
        ),
        (creeping(10, step=0.01), "The changes of 10 releases in a row add up to +0.100 nDCG@10."),
        (creeping(10, step=0.01, pinned=True), "Against v0 nDCG@10 rose by 0.100."),
        (
            past_gates(*([past_comparison(f"v{i}", "bm25", gain)] for i, gain in enumerate([0.05, 0.045, 0.04]))),
            "Since the first release, nDCG@10 against bm25 fell by 0.010, "
            "though no single release lost more than 0.005.",
        ),
        (
            past_gates(*([past_comparison(f"v{i}", "bm25", 0.05)] for i in range(3))),
            "Since the first release, nDCG@10 against bm25 did not change.",
        ),
        (
            past_gates([past_comparison("b", "a", -0.01, before=0.4)], [past_comparison("d", "c", -0.02, before=0.6)]),
            "The changes of 2 releases add up to −0.030 nDCG@10, though no single release lost more than 0.020.",
        ),
        (creeping(1), ""),
    ],
)
def test_what_all_releases_changed(history, words):
    assert said(history)[1] == words


def test_a_sum_is_called_one():
    assert len(history_findings(creeping(5)).notes) == 1
    assert "no measurement" in history_findings(creeping(5)).notes[0]
    assert history_findings(creeping(5, pinned=True)).notes == ()
    assumed = past_gates([past_comparison("b", "a", -0.01, before=0.4)], [past_comparison("d", "c", -0.02, before=0.6)])
    assert "is assumed" in history_findings(assumed).notes[1]


def test_limits_are_named_by_what_tells_them_apart():
    assert [each.name for each in history_findings(creeping(5)).trends] == [
        "topics hurt",
        "mean loss",
        "URisk",
        "topics hurt in mobile",
    ]
    pinned = {each.name for each in history_findings(creeping(5, pinned=True)).trends}
    assert {"mean loss", "mean loss against v0"} <= pinned
    (gate,) = creeping(1).gates
    both = replace(gate, comparisons=(gate.comparisons[0], replace(gate.comparisons[0], measure="AP")))
    assert "mean loss by AP" in {each.name for each in history_findings(GateHistory((both,))).trends}


def test_a_release_names_the_check_that_it_broke():
    checks = [PastCheck("risk", "", 0.019, 0.02, True), PastCheck("protected", "", 2.0, 0.0, False)]
    (release,) = history_findings(past_gates([past_comparison("v1", "v0", -0.1, checks=checks)])).releases
    assert (release.passed, release.gain, release.use, release.check) == (False, "−0.100", "–", "protected topics")


def test_a_limit_that_is_reached_to_the_last_bit_is_the_tightest():
    checks = [PastCheck("risk", "", 0.1 + 0.2, 0.3, True), PastCheck("hurt", "", 0.05, 0.2, True)]
    assert checks[0].value > checks[0].limit
    (release,) = history_findings(past_gates([past_comparison("v1", "v0", 0.0, checks=checks)])).releases
    assert (release.check, release.use) == ("mean loss", "100%")


def test_a_release_without_limits_has_no_use():
    checks = [PastCheck("significance", "", 0.1, float("nan"), True)]
    found = history_findings(past_gates([past_comparison("v1", "v0", 0.1, checks=checks)]))
    assert (found.releases[0].use, found.releases[0].check, found.trends) == ("–", "", ())
    assert plain(found.headline) == "1 release, which passed."


def test_a_segment_that_is_over_its_limit_but_not_surely_is_not_what_most_was_used_of():
    checks = [PastCheck("risk", "", 0.01, 0.02, True), PastCheck("risk", "mobile", 0.09, 0.02, True)]
    found = history_findings(past_gates([past_comparison("v1", "v0", 0.1, checks=checks)]))
    assert plain(found.headline) == "1 release, which passed. Mean loss: 50% of the limit."
    assert (found.releases[0].use, found.releases[0].check) == ("50%", "mean loss")
    (mobile,) = [each for each in found.trends if each.trend.segment]
    assert (plain(mobile.words), mobile.used.role) == ("4.5 times the limit, but not surely: it passed", "strong")
    broken = [checks[0], replace(checks[1], holds=False)]
    found = history_findings(past_gates([past_comparison("v1", "v0", 0.1, checks=broken)]))
    assert plain(found.headline) == "1 release, which failed. Mean loss in mobile: 4.5 times the limit."
    assert (found.releases[0].use, found.releases[0].check) == ("4.5 times", "mean loss in mobile")
