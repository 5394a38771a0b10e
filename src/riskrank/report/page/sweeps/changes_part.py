"""What a model of a sweep does to each query, beside the reference model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from riskrank.report.findings.sweeps.model_words import model_name, point_name
from riskrank.report.findings.sweeps.shown_gains import expected_changes, leading_model
from riskrank.report.findings.sweeps.sweep_headings import hurt_heading, large_losses_heading
from riskrank.report.page.plots.change_bars import EDGES, change_bars, outlined
from riskrank.report.page.plots.scale import scale, svg_points
from riskrank.report.page.plots.topic_strip import StripScale, strip_paths
from riskrank.report.thinned import thinned
from riskrank.risk.helped_hurt import helped_hurt
from riskrank.risk.outcomes import count_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.plots.change_bars import OutlinedBar
    from riskrank.report.page.plots.scale import Tick
    from riskrank.report.page.plots.topic_strip import StripPaths
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

WORST = 5  # queries that are listed
MOST_PLACES = 600  # of a sorted curve


@dataclass(frozen=True)
class ShownModel:
    """What the page looks at query by query: the chosen model, or the one that leads."""

    name: str
    index: int
    changes: Floats
    is_reference: bool
    drawn: str = ""  # said where a coin decides which queries have the model


class WorstQuery(NamedTuple):
    """A query that loses: the baseline's score, and the changes of the reference model and of the one shown."""

    query: str
    baseline: str
    full: str
    change: str


@dataclass(frozen=True)
class ChangesPart:
    """The two facts: large losses, and how many queries are hurt."""

    large_heading: str
    hurt_heading: str
    name: str
    full: str  # empty where the reference model is the one shown
    drawn: str  # why not the point, but its model is shown
    bars: list[OutlinedBar]
    strip: StripPaths
    outline: str
    ticks: Sequence[Tick]
    n_queries: int
    worst: list[WorstQuery]
    edges: ClassVar = EDGES


def shown_model(sweep: Sweep, point: OperatingPoint | None) -> ShownModel:
    """The point's; without one, of the model that leads. Where a coin decides, the model on all queries."""
    full, everywhere, drawn = sweep.reference_model, "", ""
    if point is not None and point.index is not None:
        if point.predictor is not None:
            return ShownModel(point_name(point), point.index, expected_changes(point), is_reference=False)
        index = point.index
        if not point.is_used_always:
            everywhere = " on all queries"
            drawn = f"Which {1 - point.probability:.0%} of queries keep the baseline is drawn anew each time."
    else:
        index = leading_model(sweep)
    return ShownModel(f"{model_name(sweep, index)}{everywhere}", index, sweep.test.changes[index], index == full, drawn)


def changes_part(sweep: Sweep, shown: ShownModel, digits: Digits) -> ChangesPart:
    """Of the model that is shown."""
    test, full = sweep.test, sweep.reference_model
    deltas = np.vstack([shown.changes, test.changes[full]])
    wins, losses, _, large = (each.tolist() for each in count_outcomes(deltas, test.baseline))
    bars, outline = (change_bars(helped_hurt(test.baseline + each, test.baseline)) for each in deltas)
    has_full = not shown.is_reference
    name, n_queries = model_name(sweep, full), len(test.queries)
    is_less = bool(np.maximum(0, -deltas[0]).sum() < np.maximum(0, -deltas[1]).sum())
    strip = StripScale(n_queries, scale(float(deltas.min(initial=0.0)), float(deltas.max(initial=0.0)), n_ticks=4))
    places = thinned(n_queries, MOST_PLACES)
    ordered = np.sort(deltas, axis=1)[:, places]
    return ChangesPart(
        large_heading=large_losses_heading(shown.name, large[0], n_queries, name, large[1] if has_full else None),
        hurt_heading=hurt_heading(
            shown.name, losses[0], n_queries, name, losses[1] if has_full else None, is_less=is_less
        ),
        name=shown.name,
        full=name if has_full else "",
        drawn=shown.drawn,
        bars=outlined(bars, outline if has_full else None),
        strip=strip_paths(ordered[0].tolist(), places.tolist(), n_hurt=losses[0], n_helped=wins[0], scale=strip),
        outline=_outline(ordered[1].tolist(), places.tolist(), strip) if has_full else "",
        ticks=strip.ticks,
        n_queries=n_queries,
        worst=_worst(sweep, shown, digits),
    )


def _outline(changes: Sequence[float], places: Sequence[int], strip: StripScale) -> str:
    """The sorted changes of another model as a line."""
    return svg_points((place + 0.5, strip.y.height(change)) for change, place in zip(changes, places, strict=True))


def _worst(sweep: Sweep, shown: ShownModel, digits: Digits) -> list[WorstQuery]:
    test, queries = sweep.test, sweep.effectiveness().topics
    full = test.changes[sweep.reference_model]
    order = [q for q in np.argsort(shown.changes, kind="stable")[:WORST].tolist() if shown.changes[q] < 0]
    return [
        WorstQuery(
            queries[q],
            digits.score(float(test.baseline[q])),
            digits.gain(float(full[q])),
            digits.gain(float(shown.changes[q])),
        )
        for q in order
    ]
