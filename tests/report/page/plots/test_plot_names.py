"""Names beside dots: never on another dot or name, and left out rather than put there."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from riskrank.report.page.plots.plot_names import (
    BELOW,
    Box,
    PlotName,
    Size,
    Spot,
    along,
    box_of,
    free_places,
    placed_above,
    placed_below,
    placed_names,
)

SIZE = Size(600, 350)
FRAME = Box(0, 0, 600, 350)
POINTS = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=30)


def names_at(points, lengths=(), kind="model"):
    """Names of so many characters, at places in percent."""
    pairs = itertools.zip_longest(points, lengths[: len(points)], fillvalue=8)
    return [PlotName("x" * length, kind, *point) for point, length in pairs]


def at(x, y):
    """A place in px, in percent."""
    return 100 * x / SIZE.width, 100 * y / SIZE.height


@given(POINTS, st.lists(st.integers(2, 24), min_size=30, max_size=30))
def test_names_meet_neither_dots_nor_each_other_and_stay_inside(points, lengths):
    names = names_at(points, lengths)
    placed = free_places(names, SIZE, FRAME)
    boxes = [box_of(place, SIZE.point(name.x, name.y), name.width) for name, place in placed]
    assert all(box.is_inside(FRAME) for box in boxes)
    assert not any(one.meets(other) for one, other in itertools.combinations(boxes, 2))
    dots = [SIZE.point(*point) for point in points]
    assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes for x, y in dots)
    assert len(placed) <= len(names)


def test_a_dot_by_itself_has_its_name_beside_it():
    ((_, place),) = free_places(names_at([at(100, 100)]), SIZE, FRAME)
    assert (place.is_left, place.has_leader) == (False, False)
    assert place.x == 10


def test_the_chosen_one_has_a_ring_and_its_name_stands_farther_away():
    ((_, place),) = free_places(names_at([at(100, 100)], kind="chosen"), SIZE, FRAME)
    assert place.x == 13


def test_near_the_right_edge_the_name_stands_to_the_left():
    ((_, place),) = free_places(names_at([at(580, 100)]), SIZE, FRAME)
    assert place.is_left


def spots_at(*points, reach=6):
    return [Spot(*point, reach=reach) for point in points]


def test_no_other_dot_is_as_near_to_a_name_without_a_line():
    # On the right, the other dot is nearer to the end of the name than its own dot to the beginning.
    own, width = (100, 100), names_at([at(100, 100)])[0].width
    spots = spots_at(own, (100 + 10 + width + 8, 100))
    ((_, place),) = free_places(names_at([at(*own)]), SIZE, FRAME, (), spots)
    assert place.is_left
    assert not place.has_leader
    ((_, place),) = free_places(names_at([at(*own)]), SIZE, FRAME, (), spots_at(own, (100 + 10 + width + 16, 100)))
    assert (place.x, place.is_left) == (10, False)


def test_no_other_dot_is_just_beside_a_name_at_the_end_of_a_line():
    own, taken = (300, 175), [Box.around((300, 175), 24)]  # no place beside the dot
    ((_, first),) = free_places(names_at([at(*own)]), SIZE, FRAME, taken, spots_at(own))
    assert first.has_leader
    beside = (own[0] + first.x - 8, own[1] + first.y + 8)
    ((_, place),) = free_places(names_at([at(*own)]), SIZE, FRAME, taken, spots_at(own, beside))
    assert place != first


def test_a_line_passes_no_dot_and_no_ring():
    own = (300, 175)
    # Names find no place beside their dot; the first line, up and to the right, would pass through the other dot.
    beside = [Box(own[0] - 80, own[1] - 20, own[0] + 80, own[1] + 22)]
    ((_, free),) = free_places(names_at([at(*own)]), SIZE, FRAME, beside, spots_at(own))
    assert free.has_leader
    middle = own[0] + free.x / 2, own[1] + (free.y - 4) / 2
    ((_, moved),) = free_places(names_at([at(*own)]), SIZE, FRAME, beside, spots_at(own, middle))
    assert moved.has_leader
    assert moved != free
    ring = [*spots_at(own), *spots_at((own[0] + 1, own[1]), reach=12)]  # around its own dot: no line leaves it
    assert free_places(names_at([at(*own)]), SIZE, FRAME, beside, ring) == []


def test_a_line_passes_no_name():
    # By itself, the second name stands at the end of a line through the first one.
    first, second = names_at([at(220, 140), at(300, 175)], [12, 8])
    beside = [Box(240, 155, 360, 195)]
    both = dict(free_places([first, second], SIZE, FRAME, beside))
    written = box_of(both[first], (220, 140), first.width)

    def crosses(place):
        line = along([at(300, 175), at(300 + place.x, 175 + place.y - 4)], SIZE)
        return place.has_leader and any(box.meets(written) for box in line)

    ((_, alone),) = free_places([second], SIZE, FRAME, beside)
    assert crosses(alone)
    assert not box_of(alone, (300, 175), second.width).meets(written)
    assert both[second].has_leader
    assert not crosses(both[second])


def test_the_first_name_comes_first_where_there_is_place_for_one():
    tight = Box(0, 90, 160, 110)
    left, right = names_at([at(5, 100), at(150, 100)], [18, 18])
    assert [name for name, _ in free_places([right, left], SIZE, tight)] == [right]
    assert [name for name, _ in free_places([left, right], SIZE, tight)] == [left]


def test_what_is_taken_stays_free():
    ((_, place),) = free_places(names_at([at(100, 100)]), SIZE, FRAME, [Box(105, 80, 170, 120)])
    assert place.is_left


def test_a_name_that_belongs_below_goes_elsewhere_where_something_is_there():
    free = placed_below((0, 200), 80, FRAME, [])
    assert (free.x, free.y) == (8, 17)
    moved = placed_below((0, 200), 80, FRAME, [Box(30, 205, 40, 215)])
    assert (moved.x, moved.y) != (8, 17)
    far = placed_below((0, 200), 80, FRAME, [Box(0, 0, 250, 330)])
    assert far.has_leader
    assert not box_of(far, (0, 200), 80).meets(Box(0, 0, 250, 330))
    assert placed_below((0, 200), 80, FRAME, [FRAME]) is None


def test_a_name_that_belongs_above_moves_right_until_it_is_free():
    assert placed_above((0, 200), 80, FRAME, []) == (10, -8, False, False)
    assert placed_above((0, 200), 80, FRAME, [Box(0, 180, 100, 199)]) == (8, 17, False, False)
    moved = placed_above((0, 200), 80, FRAME, [Box(0, 180, 100, 220)])
    assert moved.x >= 100
    assert moved.has_leader
    assert placed_above((0, 200), 80, FRAME, [Box(0, 150, 600, 199)]) == (8, 17, False, False)


def test_the_name_of_the_baseline_comes_before_all_others():
    (name,) = names_at([at(4, 175)], [12])
    placed = placed_names([name], SIZE, [], baseline="the baseline", zero=50, is_above=True)
    own = box_of(placed.baseline, SIZE.point(0, 50), 6.5 * len("the baseline"))
    ((_, place),) = placed.names
    assert not box_of(place, SIZE.point(name.x, name.y), name.width).meets(own)


def test_the_name_of_the_baseline_lies_on_a_line_rather_than_on_the_numbers_of_an_axis_at_the_bottom():
    lines = [Box(x, 0, x + 2, SIZE.height) for x in range(40, SIZE.width, 40)]  # no name is as narrow
    placed = placed_names([], SIZE, [], baseline="the baseline", zero=100, is_above=True, avoided=[lines])
    assert placed.baseline == (10, -8, False, False)
    nowhere = placed_names([], SIZE, [FRAME], baseline="the baseline", zero=100, is_above=True)
    assert nowhere.baseline == BELOW


def covered(placed):
    return [box_of(place, SIZE.point(name.x, name.y), name.width) for name, place in placed.names]


def beside(*names, **options):
    return placed_names(names, SIZE, **{"taken": [], "baseline": "old", "zero": 100, **options})


def test_a_name_lies_on_what_it_avoids_rather_than_nowhere():
    (name,) = names_at([at(300, 175)])
    assert beside(name, taken=[FRAME]).names == []
    assert len(beside(name, avoided=[[FRAME]]).names) == 1
    line = Box(300, 170, 400, 180)
    assert not covered(beside(name, avoided=[[line]]))[0].meets(line)


def test_what_is_avoided_last_is_given_up_first():
    (name,), right = names_at([at(300, 175)]), Box(300, 170, 400, 180)
    assert not covered(beside(name, avoided=[[right], [FRAME]]))[0].meets(right)
    assert covered(beside(name, avoided=[[FRAME], [right]]))[0].meets(right)


def test_names_that_lie_on_what_they_avoid_do_not_lie_on_each_other():
    placed = beside(*names_at([at(300, 175 + 3 * k) for k in range(6)]), avoided=[[FRAME]])
    assert len(placed.names) > 1
    assert not any(one.meets(other) for one, other in itertools.combinations(covered(placed), 2))


def test_a_curve_is_covered_from_end_to_end_without_a_gap():
    boxes = list(along([(0, 0), (50, 100)], SIZE))
    assert boxes[0] == Box(-3, -3, 3, 3)
    assert (boxes[-1].right, boxes[-1].bottom) == (303, 353)
    assert all(after.left - before.left <= 7 for before, after in itertools.pairwise(boxes))
