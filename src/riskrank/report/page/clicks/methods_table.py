"""The one table of a page of clicks: a row per method, what it keeps and what it moves for that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.click_findings import gain_interval
from riskrank.report.findings.digits import share_text
from riskrank.report.page.plots.interval_glyph import interval_glyph
from riskrank.report.page.plots.scale import scale_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.clicks.methods import Method
    from riskrank.report.page.plots.interval_glyph import IntervalGlyph


class ShareBar(NamedTuple):
    """A share, as text and as the width of a bar, in percent of the column."""

    text: str
    width: float


class MethodRow(NamedTuple):
    """What is written and drawn of a method."""

    number: int
    name: str
    parameter: str
    verdict: str
    gain: str
    interval: str
    glyph: IntervalGlyph
    gain_kept: ShareBar
    reranked: ShareBar
    risk_kept: ShareBar
    gain_per_reranked: str
    hurt: str


@dataclass(frozen=True)
class MethodsTable:
    """Rows, where 0 stands in the glyphs, and the score of the order shown."""

    rows: list[MethodRow]
    zero: float
    score: str


def methods_table(methods: Sequence[Method], digits: Digits) -> MethodsTable:
    """Of the methods in their order."""
    rows = [method.row for method in methods]
    intervals = [gain_interval(row) for row in rows]
    gains = scale_around([0.0, *(row.gain for row in rows), *(limit for pair in intervals for limit in pair)])
    kept, moved, risked = (
        _bars(shares)
        for shares in (
            [row.gain_share for row in rows],
            [row.reranked for row in rows],
            [row.risk_share for row in rows],
        )
    )
    return MethodsTable(
        rows=[
            MethodRow(
                number=method.number,
                name=method.name,
                parameter=row.parameter,
                verdict=method.verdict,
                gain=digits.gain(row.gain),
                interval=digits.interval(interval),
                glyph=interval_glyph(gains, row.gain, interval),
                gain_kept=kept[i],
                reranked=moved[i],
                risk_kept=risked[i],
                gain_per_reranked=digits.gain(row.gain_per_reranked),
                hurt=f"{method.n_hurt:,} ({method.n_hurt / row.n:.1%}) · {method.n_helped:,}",
            )
            for i, (method, row, interval) in enumerate(zip(methods, rows, intervals, strict=True))
        ],
        zero=gains.place(0),
        score=digits.score(rows[0].effectiveness - rows[0].gain),
    )


def _bars(shares: Sequence[float]) -> list[ShareBar]:
    """As wide as the largest, or as the whole where none exceeds it; what is negative has no bar."""
    widest = max([1.0, *_known(shares)])
    return [
        ShareBar(share_text(share), 0.0 if math.isnan(share) else round(100 * max(share, 0.0) / widest, 1))
        for share in shares
    ]


def _known(shares: Iterable[float]) -> list[float]:
    return [share for share in shares if not math.isnan(share)]
