"""The explorer before anybody touches it."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.headings import losers_of
from riskrank.report.page.explorer.explorer_part import came_text, explorer_part, leaving_text, left_text, shade
from riskrank.report.page.explorer.top_documents import Listed, TopDocuments
from riskrank.report.page.explorer.topic_data import topic_data


def explored(assessment, chosen, *, rankings=None, **options):
    digits, losing = digits_of(assessment), losers_of(assessment)
    data = topic_data(assessment, chosen, losing=losing, decimals=digits.n_decimals, rankings=rankings)
    return explorer_part(assessment, data, chosen, digits, losing=losing, **{"alpha": 0.0, **options})


def assessed(n_systems, n_topics=20):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, n_topics)
    rows = {"base": base, **{f"s{i}": np.clip(base + rng.normal(0, 0.1, n_topics), 0, 1) for i in range(n_systems)}}
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1))


def test_it_begins_with_the_worst_topic_and_both_of_its_rankings():
    qrels, runs = example_files()
    assessment = rr.assess(rr.evaluate(qrels, runs, "nDCG@10"), "bm25")
    number = [each.system for each in assessment].index("neural")
    part = explored(assessment, number, rankings=TopDocuments(qrels, runs, assessment.scores.topics))
    assert part.topics[0][1:3] == ("133", "−0.753")
    assert part.scores == ("0.984", "0.231")
    assert part.names == ("bm25", "neural")
    assert (len(part.baseline), len(part.system), part.has_rankings) == (10, 10, True)
    assert part.left == "9 of the bm25 top 10 leave it, all of them relevant."
    assert len(part.lines) + len(part.heavy) == 1  # the one that stays


@pytest.mark.parametrize(
    ("n_systems", "n_tabs", "is_compared"), [(1, 0, False), (3, 3, False), (4, 4, True), (9, 0, True)]
)
def test_few_systems_are_tabs_and_from_four_on_losers_are_counted(n_systems, n_tabs, is_compared):
    part = explored(assessed(n_systems), 1)
    assert (len(part.tabs), part.is_compared, bool(part.losing)) == (n_tabs, is_compared, is_compared)


def test_of_very_many_topics_the_first_are_listed():
    part = explored(assessed(1, n_topics=150), 1)
    assert (len(part.topics), part.n_kept, part.n_topics) == (100, 150, 150)


def test_a_limit_below_all_losses_is_not_drawn():
    assessment = assessed(1)
    assert explored(assessment, 1, largest_loss=0.05).limit.text == "−0.05"
    assert explored(assessment, 1, largest_loss=0.9).limit is None


def test_where_documents_went_and_came_from():
    assert [left_text(Listed("d", 1, place)) for place in (None, 3, 11)] == ["not retrieved", "", "to 11"]
    assert [came_text(3, Listed("d", 1, place)) for place in (None, 3, 1, 9, 11)] == [
        "new", "=", "down 2", "up 6", "from 11",
    ]  # fmt: skip


def test_what_leaves_is_counted_with_its_grades():
    stays, gone, bad = Listed("a", 2, 4), Listed("b", 1, None), Listed("c", 0, 50)
    assert leaving_text([stays], "old") == "None of the old top 1 leaves it."
    assert leaving_text([stays, bad], "old") == "1 of the old top 2 leaves it."
    assert leaving_text([gone, bad], "old") == "2 of the old top 2 leave it, 1 of them relevant."
    assert leaving_text([gone, gone], "old") == "2 of the old top 2 leave it, all of them relevant."


def test_grades_have_four_shades():
    assert [shade(grade) for grade in (-2, 0, 0.5, 1, 3, 12)] == [0, 0, 0, 1, 3, 3]


def test_topics_beyond_two_deviations_stand_out():
    assessment = assessed(1, n_topics=60)
    explored = assessment.explore("s0", alpha=1)
    part = explored_at(assessment, 1.0)
    by_name = dict(zip(assessment.scores.topics, explored.t_j, strict=True))
    assert {each.name for each in part.topics if each.stands_out} == {q for q, t in by_name.items() if abs(t) > 2}
    low, high = ((explored.t_j < -2).mean(), (explored.t_j > 2).mean())
    assert part.stand_out == pytest.approx((100 * low, 100 * high))
    assert 0 < low < 0.2
    for each in part.topics:
        assert float(each.t_j.replace("−", "-")) == pytest.approx(by_name[each.name], abs=0.00501)


def explored_at(assessment, alpha):
    return explored(assessment, 1, alpha=alpha)


def test_figure_2_of_dincer2014(shared_data):
    """Topics 166 and 175 stand out among the losses of uogTrA44xi, the matrix's run24."""
    folder = shared_data / "trec_web2012"
    own = rr.evaluate(folder / "qrels.adhoc.txt", {"indriCASP": folder / "indri_rm_cata_filtered.run"}, "ERR@20")
    others = rr.read_scores(folder / "web2012_err20.csv")
    rows = {"indriCASP": own["indriCASP"], "run24": others["run24"]}
    scores = rr.Effectiveness.from_rows(rows, topics=own.topics, measure="ERR@20")
    part = explored(rr.assess(scores, "indriCASP", alphas=[0]), 1)
    assert {each.name for each in part.topics if each.stands_out and each.change.startswith("−")} == {"166", "175"}
    assert part.stand_out[0] == 100 * 2 / 50
