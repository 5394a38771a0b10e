"""Pages hurt, and how far pages move, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.page.clicks.moved_pages import moved_pages

from ....tradeoff.synthetic_clicks import PREFERENCE, RISK, points, synthetic_click_sweep
from ....tradeoff.synthetic_sweeps import judged
from .hand_worked import hand_worked, methods_of


def part_of(sweep):
    return moved_pages(sweep, methods_of(sweep))


def own(bars):
    return [bar.own for bar in bars]


def test_headings_say_what_the_pictures_show():
    standard, preference, lowest = part_of(hand_worked()).methods
    assert standard.hurt_heading == "Standard Gain hurts 10 of 100 pages"
    assert standard.moved_heading == "Where Standard Gain re-ranks, 20% of the pairs swap on average"
    assert preference.hurt_heading == "Weight-Initial-Pref hurts 2 of 100 pages, Standard Gain 10"
    assert preference.moved_heading == (
        "Where Weight-Initial-Pref re-ranks, 10% of the pairs swap on average, 20% with Standard Gain"
    )
    assert lowest.hurt_heading.endswith("hurts 50 of 100 pages, Standard Gain 10")


def test_pages_are_counted_by_relative_change_with_standard_gain_as_an_outline():
    standard, preference, _ = part_of(hand_worked()).methods
    # 0.2 and −0.2 of 0.5 are ±40 %, −0.1 is −20 %; bars go from −100 % in fifths, unchanged pages are left out.
    assert own(standard.changes) == [0, 0, 0, 10, 0, 0, 0, 40, 0, 0, 0]
    assert [bar.outline for bar in standard.changes] == [0] * 11
    assert own(preference.changes) == [0, 0, 0, 0, 2, 0, 0, 18, 0, 0, 0]
    assert [bar.outline for bar in preference.changes] == own(standard.changes)


def test_pages_that_are_reranked_are_counted_by_the_pairs_that_swap():
    part = part_of(hand_worked())
    # 95 % of all distances lie at 0.3 or below: bars of 5 % of the pairs.
    assert part.distance_edges == [(0, "0%"), (2, "10%"), (4, "20%"), (6, "30%"), (8, "40%")]
    assert [own(method.distances) for method in part.methods] == [
        [0, 0, 0, 0, 50, 0, 0, 0, 0, 0],
        [0, 0, 20, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 100, 0, 0, 0],
    ]


@pytest.mark.parametrize(("distance", "last"), [(0.02, "20%"), (0.3, "40%"), (0.9, "80%")])
def test_bars_are_as_fine_as_the_distances(distance, last):
    pages = judged([[0.1] * 10], distance=[[distance] * 10], is_reranked=[[True] * 10])
    assert part_of(synthetic_click_sweep([(RISK, 0)], pages)).distance_edges[-1] == (8, last)


def test_what_is_farther_than_the_last_bar_is_in_it():
    pages = judged([[0.1] * 100], distance=[[0.02] * 99 + [1.0]], is_reranked=[[True] * 100])
    assert own(part_of(synthetic_click_sweep([(RISK, 0)], pages)).methods[0].distances) == [99, *[0] * 8, 1]


def test_pages_with_one_document_have_no_distance():
    pages = judged([[0.1, 0.1]], distance=[[np.nan, 0.2]], is_reranked=[[True, True]])
    assert sum(own(part_of(synthetic_click_sweep([(RISK, 0)], pages)).methods[0].distances)) == 1


def test_where_nothing_moves_the_heading_says_so():
    nothing = part_of(synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((0.0, 0.0), (0.0, 0.0))))
    assert nothing.methods[1].hurt_heading == "Weight-Initial-Pref hurts no page, Standard Gain 0"
    assert nothing.methods[1].moved_heading == "Weight-Initial-Pref re-ranks no page"
