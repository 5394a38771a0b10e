"""Where names stand beside dots: near them, on no other dot and no other name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHARACTER, STRONG_CHARACTER, LINE = 6.5, 7.1, 15  # px of text of 12 px
DOT, RING = 6, 3  # px that a dot keeps free around its centre, and what more the chosen one needs
REACHES = (26, 40, 56, 72)  # px of the lines that lead to names


class Box(NamedTuple):
    """A rectangle, in px."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Do they overlap?"""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_inside(self, other: Box) -> bool:
        """Does the other one hold it?"""
        return (
            self.left >= other.left and self.right <= other.right
            and self.top >= other.top and self.bottom <= other.bottom
        )  # fmt: skip


class LabelPlace(NamedTuple):
    """Where a name stands: its anchor, in px from its dot, and whether a line leads to it."""

    number: int
    x: float
    y: float
    is_left: bool  # the text ends at its anchor
    has_leader: bool


def text_width(text: str, *, is_strong: bool = False) -> float:
    """About how wide a name is, in px."""
    return len(text) * (STRONG_CHARACTER if is_strong else CHARACTER)


def placed_labels(
    dots: Sequence[tuple[float, float]], names: dict[int, float], frame: Box, taken: Sequence[Box] = ()
) -> list[LabelPlace]:
    """A place for each name, those that come first before others; what finds no free place has none.

    `names` has the width of each name, by the dot's index, the one with a ring first; `taken` is what else must stay
    free.
    """
    occupied = [*taken, *map(_around, dots)]
    places: list[LabelPlace] = []
    for index, width in names.items():
        near = _candidates(index, 0 if places else RING, width)
        place = next((each for each in near if _is_free(box_of(each, dots[index], width), frame, occupied)), None)
        if place is not None:
            places.append(place)
            occupied.append(box_of(place, dots[index], width))
    return places


def placed_below(origin: tuple[float, float], width: float, frame: Box, taken: Sequence[Box]) -> LabelPlace:
    """A place for a name that belongs below its point, and stays there where no other is free."""
    below = LabelPlace(0, 8, 17, is_left=False, has_leader=False)
    near = (below, *_candidates(0, 0, width))
    return next((each for each in near if _is_free(box_of(each, origin, width), frame, taken)), below)


def box_of(place: LabelPlace, dot: tuple[float, float], width: float) -> Box:
    """What a name covers."""
    left = dot[0] + place.x - (width if place.is_left else 0)
    return Box(left, dot[1] + place.y - LINE + 4, left + width, dot[1] + place.y + 4)


def _around(dot: tuple[float, float]) -> Box:
    return Box(dot[0] - DOT, dot[1] - DOT, dot[0] + DOT, dot[1] + DOT)


def _is_free(box: Box, frame: Box, occupied: Sequence[Box]) -> bool:
    return box.is_inside(frame) and not any(box.meets(other) for other in occupied)


def _candidates(number: int, more: int, width: float) -> Iterator[LabelPlace]:
    """Beside the dot, above and below it, then farther away at the end of a line."""
    for x, y in ((10, 4), (-10, 4), (8, -9), (8, 17), (-8, -9), (-8, 17)):
        yield LabelPlace(number, x + (more if x > 0 else -more), y, x < 0, has_leader=False)
    for y in (-12 - more, 21 + more):  # in the middle above, and below
        yield LabelPlace(number, -round(width / 2, 1), y, is_left=False, has_leader=False)
    for reach in REACHES:
        for across, down in ((0.8, -0.6), (0.8, 0.6), (-0.8, -0.6), (-0.8, 0.6), (0.3, -0.95), (1.0, 0.0), (-1.0, 0.0)):
            yield LabelPlace(number, round(across * reach, 1), round(down * reach + 4, 1), across < 0, has_leader=True)
