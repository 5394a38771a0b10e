"""What is said of an assessment, case by case; the numbers are worked out by hand, but for the ends of intervals."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.assessment_findings import (
    _AssessmentSentences,
    findings,
    leader,
    live_sentence,
    other_leaders,
    rivals,
)
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.words import plain

from .changes import N_TOPICS, OLD, assessed, changes, interval

BOLD = changes((22, 0.3), (14, -0.15))  # gain (6.6 − 2.1) / 40 = 0.1125, risk 2.1 / 40 = 0.0525
SAFE = changes((34, 0.12), (6, -0.02))  # gain (4.08 − 0.12) / 40 = 0.099, risk 0.12 / 40 = 0.003
WORSE = changes((10, 0.1), (30, -0.1))  # −0.05
WORST = changes((8, 0.1), (32, -0.1))  # −0.06
EVEN = changes((21, 0.1), (19, -0.1))  # +0.005
UNEVEN = changes((18, 0.1), (22, -0.1))  # −0.01


def said(assessment):
    finding = findings(assessment)
    return plain(finding.headline), plain(finding.beside), finding.live


def test_one_rival_gains():
    assessment = assessed({"bold": BOLD})
    assert said(assessment) == (
        f"bold gains +0.113 AP over old {interval(assessment, 'bold')} and hurts 14 of 40 topics.",
        "",
        "When losses weigh double (α = 1), the gain is not significant.",
    )


def test_one_rival_still_gains_when_losses_weigh_more():
    assert said(assessed({"safe": SAFE}))[2] == "When losses weigh double (α = 1), safe still gains significantly."


def test_one_rival_loses():
    assessment = assessed({"worse": WORSE})
    headline = f"worse loses 0.050 AP against old {interval(assessment, 'worse')} and hurts 30 of 40 topics."
    assert said(assessment) == (headline, "", "")


def test_the_leader_gains_most():
    assessment = assessed({"safe": SAFE, "worse": WORSE})
    assert said(assessment) == (
        f"safe gains most: +0.099 AP over old {interval(assessment, 'safe')}, and hurts 6 of 40 topics.",
        "",
        "When losses weigh double (α = 1), only safe gains significantly; worse loses significantly.",
    )


def test_the_leader_is_safer_than_the_boldest():
    assessment = assessed({"bold": BOLD, "safe": SAFE})
    assert said(assessment) == (
        f"safe gains +0.099 AP over old {interval(assessment, 'safe')} and hurts 6 of 40 topics.",
        # 0.0525 / 0.003 = 17.5, to even
        "bold's gain (+0.113) cannot be told apart from safe's, at 17 times the risk.",
        "When losses weigh double (α = 1), only safe gains significantly.",
    )


def test_the_boldest_gains_more_where_a_paired_test_says_so():
    bolder = changes((24, 0.5), (16, -0.2))  # gain (12 − 3.2) / 40 = 0.22, risk 0.08
    assessment = assessed({"bolder": bolder, "safe": SAFE}, alphas=(0, 2))
    assert leader(assessment).system == "safe"
    assert said(assessment)[1] == "bolder gains more (+0.220), at 27 times the risk."


def test_a_system_that_gains_more_and_loses_nothing_is_not_passed_over_for_what_its_test_cannot_know():
    spread = np.linspace(-0.03, 0.03, N_TOPICS)
    assessment = assessed(
        {"never": 0.2 + spread, "twice": np.where(np.arange(N_TOPICS) < 2, -0.001, 0.15 + spread)}, alphas=(0, 10)
    )
    # 40 topics without a loss: p ≥ 2 (11/12)⁴⁰ = 0.06 at α = 10
    assert [each.at_alpha(10).verdict for each in assessment.systems[1:]] == ["inconclusive", "significant gain"]
    assert leader(assessment).system == "never"
    assert plain(findings(assessment).beside) == ""


def test_the_leader_has_the_largest_urisk_where_the_report_starts():
    safer = changes((33, 0.14), (7, -0.02))  # gain (4.62 − 0.14) / 40 = 0.112, risk 0.0035: URisk 0.1085 at α = 1
    bolder = changes((33, 0.16), (7, -0.09))  # gain (5.28 − 0.63) / 40 = 0.11625, risk 0.01575: URisk 0.1005
    assessment = assessed({"bolder": bolder, "safer": safer}, alphas=(0, 1))
    assert [each.at_alpha(1).verdict for each in assessment.systems[1:]] == ["significant gain"] * 2
    assert leader(assessment).system == "safer"
    assert leader(assessed({"bolder": bolder, "safer": safer}, alphas=(0,))).system == "bolder"


def test_a_leader_without_any_loss():
    none = np.linspace(0.01, 0.2, N_TOPICS)
    headline, _, _ = said(assessed({"safe": none, "even": EVEN}))
    assert headline.endswith(", and hurts no topic.")


def test_nothing_is_significant():
    assessment = assessed({"even": EVEN, "uneven": UNEVEN})
    low, high = assessment["even"].gain_interval
    assert said(assessment) == (
        "No system is shown to beat old on 40 topics.",
        f"The largest gain, even's +0.005, could be chance {interval(assessment, 'even')}; with this spread only gains "
        f"above {(high - low) / 2:.3f} would show.",
        "When losses weigh double (α = 1), no gain is significant; uneven loses significantly.",
    )


def test_nothing_is_significant_and_some_lose():
    assessment = assessed({"uneven": UNEVEN, "worse": WORSE, "worst": WORST}, alphas=(0,))
    _, beside, live = said(assessment)
    assert beside.startswith("uneven loses least, 0.010, which could be chance (95% interval ")
    assert beside.endswith(
        f"would show. 2 systems lose significantly, worst most: −0.060 {interval(assessment, 'worst')}."
    )
    assert live == ""
    one = assessed({"even": EVEN, "worst": WORST})
    assert said(one)[1].endswith(f" worst loses significantly: −0.060 {interval(one, 'worst')}.")


@pytest.mark.parametrize(
    ("change", "start"),
    [
        (EVEN, "Its gain of +0.005 could be chance"),
        (UNEVEN, "Its loss of 0.010 could be chance"),
        (changes((20, 0.1), (20, -0.1)), "On average it changes nothing, 0.000"),
    ],
)
def test_one_rival_that_is_not_shown_to_be_better(change, start):
    assessment = assessed({"new": change})
    low, high = assessment["new"].gain_interval
    headline, beside, _ = said(assessment)
    assert headline == "new is not shown to beat old on 40 topics."
    assert beside == (
        f"{start} {interval(assessment, 'new')}; with this spread only gains above {(high - low) / 2:.3f} would show, "
        f"and it hurts {np.sum(change < 0)} of 40 topics."
    )


def test_what_would_be_significant_alone_is_not_among_many():
    rows = {"new": changes((27, 0.1), (13, -0.1)), **{f"s{i}": np.roll(EVEN, i) for i in range(7)}}
    assessment = assessed(rows)
    headline, beside, _ = said(assessment)
    limits = interval(assessment, "new").replace("interval", "interval, not corrected for picking the best of 8,")
    assert headline == "No system is shown to beat old on 40 topics."
    assert beside == f"The largest gain, new's +0.035, could be chance {limits}."


def test_few_topics_changed():
    _, beside, _ = said(assessed({"new": changes((3, 0.1))}))
    assert beside == "Its gain of +0.0075 could be chance: it changes 3 of 40 topics."


def test_all_lose():
    two = assessed({"worse": WORSE, "worst": WORST})
    both = f"Both systems lose significantly against old; worse loses least, 0.050 {interval(two, 'worse')}."
    assert said(two) == (both, "", "")
    three = assessed({"worse": WORSE, "worst": WORST, "as bad": WORST[::-1]})
    assert said(three)[0].startswith("All 3 systems lose significantly against old; worse loses least, 0.050 (")


def test_many_systems_are_counted_and_told_apart_from_the_leader():
    rows = {f"s{i}": changes((20 + i, 0.1), (20 - i, -0.1)) for i in range(12)}
    headline, beside, live = said(assessed(rows))
    assert headline.startswith("s11 gains most: +0.055 AP over old (95% interval +0.0")
    assert beside.startswith("By corrected paired tests, ")
    assert " systems cannot be told apart from s11: s10, s9, s8, " in beside
    assert beside.endswith(". The interval is not corrected for picking one of 12.")
    assert live == "When losses weigh double (α = 1), none of 12 systems gains or loses significantly."


def test_a_leader_that_stands_alone_is_said_to():
    rows = {f"s{i}": changes((20 + i, 0.1), (20 - i, -0.1)) for i in range(9)}
    _, beside, live = said(assessed({**rows, "best": changes((38, 0.4), (2, -0.01))}))
    assert beside == (
        "By corrected paired tests it gains more than every other system. The interval is not corrected for picking "
        "one of 10."
    )
    assert live == "When losses weigh double (α = 1), 1 of 10 systems gains significantly and 9 are inconclusive."


def test_weights_count_in_what_is_told_apart_from_the_leader():
    rows = {f"s{i}": changes((20 + i, 0.1), (20 - i, -0.1)) for i in range(9)}
    plainly = assessed({**rows, "best": changes((38, 0.4), (2, -0.01))})
    heavy = np.append(np.full(4, 1000.0), np.ones(N_TOPICS - 4))  # count as about 4: too few for a test
    assessment = rr.assess(plainly.scores, "old", weights=heavy)
    sentences = _AssessmentSentences(assessment, rivals(assessment), digits_of(assessment))
    told = plain(sentences.ties(assessment["best"]))
    assert told.startswith("By corrected paired tests, 9 systems cannot be told apart from best")


def test_the_other_of_two_that_are_alike_is_named():
    rows = {f"s{i}": changes((20 - i, 0.1), (20 + i, -0.1)) for i in range(9)}
    pair = {"one": changes((36, 0.4), (4, -0.1)), "two": changes((35, 0.4), (5, -0.1))}
    assert said(assessed({**rows, **pair}))[1].startswith(
        "By corrected paired tests, two cannot be told apart from one."
    )


def test_of_many_systems_the_boldest_is_named_with_its_price():
    rows = {f"s{i}": changes((20 - i, 0.1), (20 + i, -0.1)) for i in range(9)}
    _, beside, _ = said(assessed({**rows, "bold": BOLD, "safe": SAFE}))
    assert beside.startswith(
        "bold gains most (+0.113), at 17 times the risk: with losses counted double, +0.060 against +0.096. By "
        "corrected paired tests, bold cannot be told apart from "
    )


@pytest.mark.parametrize(
    ("alpha", "sentence"),
    [
        (0.0, ""),
        (0.5, "When losses weigh 1.5 times (α = 0.5), all 9 systems gain significantly."),
        (5.0, "When losses weigh 6 times (α = 5), all 9 systems lose significantly."),
    ],
)
def test_what_is_0_of_many_systems_is_left_out(alpha, sentence):
    change = {0.0: SAFE, 0.5: SAFE, 5.0: WORSE}[alpha]
    assessment = assessed({f"s{i}": np.roll(change, i) for i in range(9)}, alphas=(0, 0.5, 5))
    assert live_sentence(assessment, alpha) == sentence


@pytest.mark.parametrize(
    ("names", "end"),
    [
        ("ss", "both systems gain significantly."),
        ("sss", "all 3 systems gain significantly."),
        ("sse", "s0 and s1 gain significantly."),
        ("sww", "only s0 gains significantly; w1 and w2 lose significantly."),
        ("ww", "no gain is significant; both systems lose significantly."),
        ("www", "no gain is significant; all 3 systems lose significantly."),
    ],
)
def test_few_systems_are_named(names, end):
    kinds = {"s": SAFE, "w": WORSE, "e": changes((30, 0.1), (10, -0.1))}
    assessment = assessed({f"{kind}{i}": np.roll(kinds[kind], i) for i, kind in enumerate(names)})
    assert live_sentence(assessment, 1.0) == f"When losses weigh double (α = 1), {end}"


def test_systems_whose_names_are_too_long_for_a_sentence_are_counted():
    names = [f"a system whose name is rather long, {i}" for i in range(3)]
    assessment = assessed({name: np.roll(WORSE, i) for i, name in enumerate(names)} | {"safe": SAFE})
    assert live_sentence(assessment, 1.0) == (
        "When losses weigh double (α = 1), 1 of 4 systems gains significantly and 3 lose significantly."
    )


def test_whether_other_measures_have_the_same_leader():
    safe, bold = (assessed({"safe": SAFE, "bold": rival}) for rival in (EVEN, SAFE + 0.2))
    none = assessed({"even": EVEN, "uneven": UNEVEN})
    assert [leader(each) and leader(each).system for each in (safe, bold, none)] == ["safe", "bold", None]
    assert other_leaders(safe, [safe, bold, none]) == "AP: safe leads, too. AP: bold leads. AP: no system leads."
    assert other_leaders(none, [none]) == "AP: no system leads, either."
    assert other_leaders(safe, []) == ""


def test_the_same_change_on_every_topic():
    assert said(assessed({"new": changes((40, 0.1))}))[0] == "new gains exactly +0.100 AP over old on every topic."
    lost = said(assessed({"new": changes((40, -0.1))}, unit="query"))
    assert lost == ("new loses exactly 0.100 AP against old on every query.", "", "")


def test_equal_systems():
    same = changes()
    assert said(assessed({"new": same})) == ("new equals old on every topic: are they the same run?", "", "")
    assert (
        said(assessed({"new": same, "b": same}))[0] == "Both systems equal old on every topic: are they the same run?"
    )
    assert said(assessed({"safe": SAFE, "new": same}))[1] == "new equals old on every topic."
    four = dict.fromkeys("abcd", same)
    assert said(assessed({"safe": SAFE, **four}))[1] == "4 systems equal old on every topic."


def test_scores_that_are_no_numbers():
    broken = np.where(np.arange(N_TOPICS) == 3, np.nan, 0.1)
    (said_of_one, *_) = said(assessed({"new": broken}))
    assert said_of_one == "There is nothing to compare with old: some scores are not finite numbers."
    assert said(assessed({"safe": SAFE, "new": broken}))[1] == (
        "new cannot be compared: some scores are not finite numbers."
    )


def test_nothing_but_a_baseline():
    assert said(assessed({})) == ("There is nothing to compare with old: there is no other system.", "", "")


def test_one_topic():
    def on_one_topic(**scores):
        rows = {"old": [0.4], **{name: [score] for name, score in scores.items()}}
        return said(rr.assess(rr.Effectiveness.from_rows(rows), "old"))

    assert on_one_topic(new=0.6) == ("On the only topic new scores 0.600, old 0.400.", "", "")
    assert on_one_topic(a=0.6, b=0.3, c=0.2)[0] == "On the only topic 1 of 3 systems scores above old."


def test_too_few_topics_to_test_say_nothing_of_alphas():
    rows = {"old": [0.4] * 4, "new": [0.5, 0.6, 0.3, 0.5]}
    assert said(rr.assess(rr.Effectiveness.from_rows(rows), "old"))[2] == ""


def test_a_baseline_of_several_systems_is_called_what_it_is():
    rows = {"a": OLD, "b": OLD, "new": OLD + SAFE}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows, measure="AP"), ["a", "b"], combine="max")
    assert said(assessment)[0].startswith("new gains most: +0.0990 AP over the max of a, b (95% interval ")


def test_queries_are_called_queries():
    headline, _, _ = said(assessed({"bold": BOLD}, unit="query"))
    assert headline.endswith("hurts 14 of 40 queries.")


def test_a_gain_that_is_significant_only_at_smaller_alphas_than_asked_for_still_leads():
    assessment = assessed({"bold": BOLD}, alphas=(5,))
    headline, _, live = said(assessment)
    assert headline.startswith("bold gains +0.113 AP")
    assert live == "When losses weigh 6 times (α = 5), the gain is not significant."


def test_names_stay_on_one_line_and_are_not_endless():
    headline, _, _ = said(assessed({"new\n" * 40: SAFE}))
    assert "\n" not in headline
    assert len(headline) < 200
