"""How much more of a gain is kept than at random, in points of a hundred."""

from __future__ import annotations

import math

from riskrank.report.findings.words import counted


def points_between(kept: float, at_random: float) -> int | None:
    """Of two shares as they are written, so that readers who subtract them find the same; None where one is NaN.

    >>> points_between(0.7351, 0.1949), points_between(0.1, 0.104)  # 74% and 19%, though they differ by 54.02 points
    (55, 0)
    """
    if math.isnan(kept) or math.isnan(at_random):
        return None
    return int(f"{100 * kept:.0f}") - int(f"{100 * at_random:.0f}")


def points_text(points: int | None) -> str:
    """Against Standard Gain on as many pages, drawn at random; empty where it does not re-rank as many.

    >>> points_text(56), points_text(-1), points_text(0)
    ('56 points more than at random', '1 point less than at random', 'as much as at random')
    """
    if points is None:
        return ""
    more = f"{counted(abs(points), 'point')} {'more' if points > 0 else 'less'} than"
    return f"{more if points else 'as much as'} at random"
