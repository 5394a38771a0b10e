from __future__ import annotations

import numpy as np
import pytest

from riskrank.measures.ranking import Judgments, Ranking, add_up, ratio

# Two topics, and a third that nobody judged.
JUDGMENTS = Judgments.sorted(
    ("1", "2", "3"), np.array([1, 0, 0, 1, 0]), np.array([1.0, 0.0, 2.0, -1.0, 1.0]), source="qrels"
)
# Topic 1 has grades 2, 0, 1 at ranks 1, 3, 4; topic 2 has grade 1 at rank 2.
RANKING = Ranking(
    JUDGMENTS, np.array([0, 0, 0, 1]), np.array([1, 3, 4, 2]), np.array([2.0, 0.0, 1.0, 1.0]), np.array([4, 2, 0])
)


def test_judgments_stand_by_topic_best_first_without_those_below_0():
    assert JUDGMENTS.topic.tolist() == [0, 0, 0, 1]
    assert JUDGMENTS.grade.tolist() == [2, 1, 0, 1]
    assert JUDGMENTS.rank.tolist() == [1, 2, 3, 1]
    assert (JUDGMENTS.n_topics, JUDGMENTS.highest) == (3, 2)


def test_documents_are_counted_from_a_grade_on():
    assert JUDGMENTS.count(1).tolist() == [2, 1, 0]
    assert JUDGMENTS.count(0).tolist() == [3, 1, 0]


def test_what_depends_on_judgments_alone_is_computed_once():
    judgments = Judgments.sorted(("1",), np.array([0]), np.array([1.0]), source="labels")
    calls = []

    def compute():
        calls.append(1)
        return np.array([7.0])

    assert judgments.once("best", compute) is judgments.once("best", compute)
    assert judgments.once("other", compute).tolist() == [7]
    assert len(calls) == 2


def test_a_ranking_may_be_cut_and_left_with_relevant_documents():
    assert RANKING.up_to(3).rank.tolist() == [1, 3, 2]
    assert RANKING.up_to(None) is RANKING
    relevant = RANKING.relevant(1)
    assert relevant.rank.tolist() == [1, 4, 2]
    assert relevant.count().tolist() == [2, 1, 0]
    assert relevant.retrieved.tolist() == [4, 2, 0]  # all of them, as before


def test_values_are_added_up_and_flags_counted_above_each_document_within_its_topic():
    assert RANKING.sum(np.array([1.0, 2.0, 4.0, 8.0])).tolist() == [7, 8, 0]
    assert add_up(np.array([2, 2]), np.array([1.0, 0.5]), 3).tolist() == [0, 0, 1.5]
    assert RANKING.starts.tolist() == [0, 3, 4]
    assert RANKING.before(RANKING.grade > 0).tolist() == [0, 1, 1, 0]
    assert RANKING.up_to(0).before(np.zeros(0, bool)).tolist() == []


def test_topics_with_equal_scores_on_both_sides_of_a_cut_off_are_counted():
    tied = Ranking(JUDGMENTS, *(np.zeros(0, int),) * 4, tied_ranks=(np.array([0, 1, 1]), np.array([2, 2, 3])))
    assert [tied.ties_at(cutoff) for cutoff in (1, 2, 3)] == [0, 2, 1]
    assert RANKING.ties_at(2) == 0


@pytest.mark.parametrize(("denominator", "expected"), [([2, 4], [0.5, 0.5]), ([0, 4], [0, 0.5])])
def test_a_ratio_is_0_where_there_is_nothing_to_divide_by(denominator, expected):
    assert ratio(np.array([1, 2]), np.array(denominator)).tolist() == expected
