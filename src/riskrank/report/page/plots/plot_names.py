"""Where names stand beside dots: near them, on no other dot, line or name."""

from __future__ import annotations

import math
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_NAME = 28
CHARACTER, STRONG_CHARACTER, LINE = 6.5, 7.1, 15  # px of text of 12 px
DOT, RING = 6, 3  # px that a dot keeps free around its centre, and what more the chosen one needs
REACHES = (26, 40, 56, 72, 96, 120)  # px of the lines that lead to names
NEAR, FAR_STEP = 16, 12  # px: what is as near needs no line; between the places that are tried far away
DIRECTIONS = (
    (0.8, -0.6), (0.8, 0.6), (-0.8, -0.6), (-0.8, 0.6), (0.3, -0.95), (1.0, 0.0), (-1.0, 0.0), (0.3, 0.95),
    (-0.3, -0.95), (-0.3, 0.95), (0.95, 0.3), (0.95, -0.3), (-0.95, 0.3), (-0.95, -0.3),
)  # fmt: skip
OFF_WIDTH = 120  # px of "12 off the chart" with its corner
APART = 1.5  # times as far from a name as its own dot are others, where there is such a place
CLEARANCE = 3  # px that names keep from a curve
STEP = 6  # px between the places that are tried along an axis, and of a curve that names keep free
STRONG = ("chosen", "method")  # kinds of names that have a ring and wide letters, or may get them


class Size(NamedTuple):
    """Of a plot, in px."""

    width: int
    height: int

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A place in percent, in px."""
        return x * self.width / 100, y * self.height / 100


class Box(NamedTuple):
    """A rectangle, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, point: tuple[float, float], reach: float = DOT) -> Box:
        """A square that has its centre there."""
        x, y = point
        return cls(x - reach, y - reach, x + reach, y + reach)

    def meets(self, other: Box) -> bool:
        """Do they overlap?"""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def distance(self, x: float, y: float) -> float:
        """Of a point outside, in px."""
        return math.hypot(max(self.left - x, 0, x - self.right), max(self.top - y, 0, y - self.bottom))

    def is_inside(self, other: Box) -> bool:
        """Does the other one hold it?"""
        return (
            self.left >= other.left and self.right <= other.right
            and self.top >= other.top and self.bottom <= other.bottom
        )  # fmt: skip


class Spot(NamedTuple):
    """A dot, in px: where it is, and how far around its centre no line of another one may pass."""

    x: float
    y: float
    reach: float = DOT


class PlotName(NamedTuple):
    """What is written beside a place, in percent; `kind` is its class; what can be chosen has its number."""

    text: str
    kind: str
    x: float
    y: float
    number: int | None = None

    @property
    def width(self) -> float:
        """In px, about."""
        return text_width(self.text, is_strong=self.kind in STRONG)


class NamePlace(NamedTuple):
    """Where a name stands: its anchor, in px from what it names, and whether a line leads to it."""

    x: float
    y: float
    is_left: bool = False  # the text ends at its anchor
    has_leader: bool = False


BELOW = NamePlace(8, 17)


class PlacedName(NamedTuple):
    """A name, and where it stands."""

    name: PlotName
    place: NamePlace


class PlotNames(NamedTuple):
    """The names on a plot of one width, and where the baseline's stands."""

    names: list[PlacedName]
    baseline: NamePlace

    def boxes(self, size: Size, *, baseline: str, zero: float) -> list[Box]:
        """What they cover."""
        own = box_of(self.baseline, size.point(0, zero), text_width(baseline))
        return [own, *(box_of(place, size.point(name.x, name.y), name.width) for name, place in self.names)]


def baseline_name(name: str) -> str:
    """The baseline's, with what it is where its name does not say so.

    >>> baseline_name("bm25"), baseline_name("baseline")
    ('bm25, the baseline', 'baseline')
    """
    return plot_name(name) if "baseline" in name.lower() else f"{plot_name(name)}, the baseline"


def plot_name(name: str, limit: int = LONGEST_NAME) -> str:
    """A name in one line, cut where it is too long to stand beside a dot."""
    return one_line(name, limit=limit)


def text_width(text: str, *, is_strong: bool = False) -> float:
    """About how wide a text is, in px."""
    return len(text) * (STRONG_CHARACTER if is_strong else CHARACTER)


def placed_names(
    names: Sequence[PlotName],
    size: Size,
    taken: Sequence[Box],
    *,
    baseline: str,
    zero: float,
    top: int = 2,
    is_above: bool = False,
    avoided: Sequence[Sequence[Box]] = (),
    spots: Sequence[Spot] = (),
) -> PlotNames:
    """A place for the baseline's name and for all others, as far as there is room; the most important come first.

    `zero` is the baseline's height in percent, `top` what stays free above names in px; `is_above`: its name stands
    above the axis rather than below it. `taken` is what else must stay free, `avoided` are groups of what a name lies
    on only where it would have no place at all, the last group first; the baseline's always has a place. `spots` are
    dots that no name may seem to belong to, but its own.
    """
    frame = frame_of(size, top)
    origin, width = size.point(0, zero), text_width(baseline)
    own_place = placed_above if is_above else placed_below
    kept_free = ([*taken, *chain(*avoided[:n_avoided])] for n_avoided in range(len(avoided), -1, -1))
    placed = next(filter(None, (own_place(origin, width, frame, boxes, spots) for boxes in kept_free)), BELOW)
    covered = [*taken, box_of(placed, origin, width), *_leader_boxes(placed, origin)]
    free: list[PlacedName] = []
    for n_avoided in range(len(avoided), -1, -1):
        left = [name for name in names if name not in {each.name for each in free}]
        now = free_places(left, size, frame, [*covered, *chain(*avoided[:n_avoided])], spots)
        covered += [box_of(place, size.point(name.x, name.y), name.width) for name, place in now]
        free += now
    return PlotNames(free, placed)


def off_box(size: Size) -> Box:
    """What the count of things off the chart covers, in the lower right corner."""
    return Box(size.width - OFF_WIDTH, size.height - 2 * LINE, size.width, size.height)


def frame_of(size: Size, top: int) -> Box:
    """Where names may stand; `top` stays free."""
    return Box(2, top, size.width - 2, size.height - 4)


def free_places(
    names: Sequence[PlotName], size: Size, frame: Box, taken: Sequence[Box] = (), spots: Sequence[Spot] = ()
) -> list[PlacedName]:
    """A place for each name, those that come first before others; what finds no free place is left out."""
    points = [size.point(name.x, name.y) for name in names]
    occupied = [*taken, *map(Box.around, points)]
    placed: list[PlacedName] = []
    written: list[Box] = []
    for name, point in zip(names, points, strict=True):
        near = _candidates(RING if name.kind in STRONG else 0, name.width)
        free = (each for each in near if _is_free(box_of(each, point, name.width), frame, occupied))
        own = [each for each in free if _belongs(each, point, name.width, spots, written)]
        if own:
            place = next((each for each in own if _is_apart(each, point, name.width, spots)), own[0])
            placed.append(PlacedName(name, place))
            written.append(box_of(place, point, name.width))
            occupied += [written[-1], *_leader_boxes(place, point)]
    return placed


def _belongs(
    place: NamePlace,
    point: tuple[float, float],
    width: float,
    spots: Sequence[Spot],
    written: Sequence[Box] = (),
) -> bool:
    """Can a name be taken for that of no other dot? Its line passes none, nor a name that is `written`; without a line,
    no other dot is as near to it.
    """
    others = [spot for spot in spots if (spot.x, spot.y) != point]
    if place.has_leader:
        if any(box.meets(name) for box in _leader_boxes(place, point) for name in written):
            return False
        end = point[0] + place.x, point[1] + place.y - 4
        return all(_distance(spot, point, end) > spot.reach for spot in others if not _covers(spot, point))
    box = box_of(place, point, width)
    return _nearest(box, others) > box.distance(*point)


def _is_apart(place: NamePlace, point: tuple[float, float], width: float, spots: Sequence[Spot]) -> bool:
    """Is a name clearly nearer to its own dot than to others, or not just beside them?"""
    box = box_of(place, point, width)
    others = [spot for spot in spots if (spot.x, spot.y) != point]
    return _nearest(box, others) > min(APART * box.distance(*point), NEAR)


def _nearest(box: Box, spots: Sequence[Spot]) -> float:
    """How far the nearest dot is from a name; a ring makes it nearer."""
    return min((box.distance(spot.x, spot.y) - (spot.reach - DOT) for spot in spots), default=math.inf)


def _leader_boxes(place: NamePlace, point: tuple[float, float]) -> list[Box]:
    """What the line to a name covers."""
    end = point[0] + place.x, point[1] + place.y - 4
    return list(_along([point, end])) if place.has_leader else []


def _covers(spot: Spot, point: tuple[float, float]) -> bool:
    """Do two small dots overlap? No line could leave either of them beside the other."""
    return spot.reach <= DOT and math.dist((spot.x, spot.y), point) <= spot.reach


def _distance(spot: Spot, start: tuple[float, float], end: tuple[float, float]) -> float:
    """From a straight line, in px."""
    across, down = end[0] - start[0], end[1] - start[1]
    share = ((spot.x - start[0]) * across + (spot.y - start[1]) * down) / (across**2 + down**2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(start[0] + share * across - spot.x, start[1] + share * down - spot.y)


def placed_below(
    point: tuple[float, float], width: float, frame: Box, taken: Sequence[Box], spots: Sequence[Spot] = ()
) -> NamePlace | None:
    """A place for a name that belongs below its point; else the nearest that is free, at the end of a line."""
    near = chain((BELOW, *_candidates(0, width)), _far_places(point, frame))
    free = (each for each in near if _is_free(box_of(each, point, width), frame, taken))
    return next((each for each in free if _belongs(each, point, width, spots)), None)


def placed_above(
    point: tuple[float, float], width: float, frame: Box, taken: Sequence[Box], spots: Sequence[Spot] = ()
) -> NamePlace | None:
    """A place for a name that belongs above an axis; else just below it, or above it at the end of a line."""
    along = (NamePlace(x, -8, has_leader=True) for x in range(NEAR, int(frame.right), STEP))
    near = chain((NamePlace(10, -8), BELOW), along)
    free = (each for each in near if _is_free(box_of(each, point, width), frame, taken))
    return next((each for each in free if _belongs(each, point, width, spots)), None) or placed_below(
        point, width, frame, taken, spots
    )


def _far_places(point: tuple[float, float], frame: Box) -> list[NamePlace]:
    """All over the frame on the right of a point, the nearest first."""
    across = range(NEAR, int(frame.right - point[0]), FAR_STEP)
    down = range(int(frame.top - point[1]), int(frame.bottom - point[1]), FAR_STEP)
    places = [NamePlace(x, y, has_leader=True) for x in across for y in down]
    return sorted(places, key=lambda place: math.hypot(place.x, place.y))


def box_of(place: NamePlace, point: tuple[float, float], width: float) -> Box:
    """What a name covers."""
    left = point[0] + place.x - (width if place.is_left else 0)
    return Box(left, point[1] + place.y - LINE + 4, left + width, point[1] + place.y + 4)


def along(places: Sequence[tuple[float, float]], size: Size) -> Iterator[Box]:
    """Small boxes on a curve through places in percent."""
    return _along([size.point(*place) for place in places])


def _along(points: Sequence[tuple[float, float]]) -> Iterator[Box]:
    for (x1, y1), (x2, y2) in pairwise(points):
        n_steps = max(1, round(math.hypot(x2 - x1, y2 - y1) / STEP))
        for k in range(n_steps + 1):
            yield Box.around((x1 + (x2 - x1) * k / n_steps, y1 + (y2 - y1) * k / n_steps), CLEARANCE)


def _is_free(box: Box, frame: Box, occupied: Sequence[Box]) -> bool:
    return box.is_inside(frame) and not any(box.meets(other) for other in occupied)


def _candidates(more: int, width: float) -> Iterator[NamePlace]:
    """Beside the dot, above and below it, then farther away at the end of a line."""
    for x, y in ((10, 4), (-10, 4), (8, -9), (8, 17), (-8, -9), (-8, 17)):
        yield NamePlace(x + (more if x > 0 else -more), y, is_left=x < 0)
    for y in (-12 - more, 21 + more):  # in the middle above, and below
        yield NamePlace(-round(width / 2, 1), y)
    for reach in REACHES:
        for across, down in DIRECTIONS:
            yield NamePlace(round(across * reach, 1), round(down * reach + 4, 1), across < 0, has_leader=True)
