"""Names beside dots: never on another dot or name, and left out rather than put there."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from riskrank.report.page.plots.label_places import Box, box_of, placed_below, placed_labels

FRAME = Box(0, 0, 600, 350)
POINTS = st.lists(st.tuples(st.floats(0, 600), st.floats(0, 350)), min_size=1, max_size=30)


@given(POINTS, st.lists(st.floats(10, 150), min_size=30, max_size=30))
def test_names_meet_neither_dots_nor_each_other_and_stay_inside(dots, widths):
    names = dict(enumerate(widths[: len(dots)]))
    places = placed_labels(dots, names, FRAME)
    boxes = [box_of(place, dots[place.number], names[place.number]) for place in places]
    assert all(box.is_inside(FRAME) for box in boxes)
    assert not any(one.meets(other) for one, other in itertools.combinations(boxes, 2))
    assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes for x, y in dots)
    assert len({place.number for place in places}) == len(places)


def test_a_dot_by_itself_has_its_name_beside_it():
    (place,) = placed_labels([(100, 100)], {0: 50}, FRAME)
    assert (place.is_left, place.has_leader) == (False, False)
    assert 10 <= place.x <= 15


def test_near_the_right_edge_the_name_stands_to_the_left():
    (place,) = placed_labels([(580, 100)], {0: 50}, FRAME)
    assert place.is_left


def test_the_first_name_comes_first_where_there_is_place_for_one():
    tight = Box(0, 90, 160, 110)
    dots = [(5.0, 100.0), (150.0, 100.0)]
    assert [place.number for place in placed_labels(dots, {1: 120, 0: 120}, tight)] == [1]
    assert [place.number for place in placed_labels(dots, {0: 120, 1: 120}, tight)] == [0]


def test_what_is_taken_stays_free():
    (place,) = placed_labels([(100, 100)], {0: 50}, FRAME, [Box(105, 80, 170, 120)])
    assert place.is_left


def test_a_name_that_belongs_below_goes_elsewhere_where_something_is_there():
    free = placed_below((0, 200), 80, FRAME, [])
    assert (free.x, free.y) == (8, 17)
    moved = placed_below((0, 200), 80, FRAME, [Box(30, 205, 40, 215)])
    assert (moved.x, moved.y) != (8, 17)
    everywhere = placed_below((0, 200), 80, FRAME, [FRAME])
    assert (everywhere.x, everywhere.y) == (8, 17)
