"""What a method does to pages: how many it hurts, and how far it moves those that it re-ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from riskrank.report.findings.click_headings import moved_heading, pages_hurt_heading
from riskrank.report.page.clicks.methods import standard_of
from riskrank.report.page.plots.change_bars import EDGES, change_bars, outlined
from riskrank.risk.helped_hurt import helped_hurt

if TYPE_CHECKING:
    from riskrank.report.page.clicks.methods import Method
    from riskrank.report.page.plots.change_bars import OutlinedBar
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

N_BARS = 10
WIDTHS = (0.025, 0.05, 0.1)  # of a bar, in shares of the pairs of a page
MOST = 0.95  # of the pages that are re-ranked are below the end of the last bar


class PageChanges(NamedTuple):
    """Of one method, with Standard Gain as an outline."""

    number: int
    name: str
    is_standard: bool
    hurt_heading: str
    changes: list[OutlinedBar]
    moved_heading: str
    distances: list[OutlinedBar]


@dataclass(frozen=True)
class MovedPages:
    """All methods on the same scales; `distance_edges` are places among the bars, and what is written there."""

    methods: list[PageChanges]
    distance_edges: list[tuple[int, str]]
    change_edges: ClassVar = EDGES


def moved_pages(sweep: Sweep, methods: list[Method]) -> MovedPages:
    """Of all methods."""
    test = sweep.test
    distances = {method.number: _distances(test, method.index) for method in methods}
    width = _bar_width(np.concatenate(list(distances.values())))
    changes = {method.number: change_bars(helped_hurt(test.values[method.index], test.baseline)) for method in methods}
    bars = {number: _bars(each, width) for number, each in distances.items()}
    full = standard_of(methods)
    shown = []
    for method in methods:
        number, own = method.number, method.is_standard
        shown.append(
            PageChanges(
                number=number,
                name=method.name,
                is_standard=own,
                hurt_heading=pages_hurt_heading(method.name, method.n_hurt, method.row.n, None if own else full.n_hurt),
                changes=outlined(changes[number], None if own else changes[full.number]),
                moved_heading=moved_heading(method.name, _swapped(method), None if own else _swapped(full)),
                distances=outlined(bars[number], None if own else bars[full.number]),
            )
        )
    edges = [(k, f"{100 * k * width:g}%") for k in range(0, N_BARS, 2)]
    return MovedPages(shown, edges)


def _distances(test: JudgedQueries, index: int) -> Floats:
    """Of the pages that are re-ranked; those with one document have none."""
    distance = test.distance[index][test.is_reranked[index]]
    return np.asarray(distance[~np.isnan(distance)])


def _swapped(method: Method) -> float:
    """The mean share of pairs that swap, of the pages that are re-ranked: τ is 1 − 2 of it."""
    return (1 - method.row.kendall_tau_reranked) / 2


def _bar_width(distances: Floats) -> float:
    most = float(np.quantile(distances, MOST)) if len(distances) else 0.0
    return next((width for width in WIDTHS if most < N_BARS * width), WIDTHS[-1])


def _bars(distances: Floats, width: float) -> list[int]:
    """Counts; the last bar has all that is farther, too."""
    # Rounded so that a distance of exactly 0.3 falls into its bar whatever the last bit says.
    places = np.minimum(np.floor(np.round(distances / width, 9)), N_BARS - 1).astype(np.int64)
    counts: list[int] = np.bincount(places, minlength=N_BARS).tolist()
    return counts
