"""What holds as losses weigh more: a lane per system or model, or how many there are of each verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS
from riskrank.report.page.plots.scale import Tick, svg_points
from riskrank.report.page.plots.verdict_marks import CLASSES, verdict_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.assessment.significance import Significance

NAMED = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0)
NAMED_WEIGHTS = (0.0, 1.0, 2.0, 4.0, 6.0, 10.0)  # whole ones, from 1 to 11
NEAREST = 7.0  # percent between two ticks


class VerdictSpan(NamedTuple):
    """Where a verdict holds, in percent."""

    verdict: str
    start: float
    width: float


class Lane(NamedTuple):
    """A system or model from the smallest weight to the largest, and how long its gain is significant."""

    number: int
    name: str
    spans: list[VerdictSpan]
    note: str


@dataclass(frozen=True)
class WeightRail:
    """The stops of the slider, evenly spaced, and what is drawn above it."""

    alphas: tuple[float, ...]
    ticks: list[Tick]
    lanes: list[Lane]  # of few systems
    gains: str  # of many: the points of areas
    losses: str

    def place(self, alpha: float) -> float:
        """Of a stop, in percent."""
        return stop_place(self.alphas.index(alpha), len(self.alphas))


def stops_json(alphas: Sequence[float]) -> dict[str, Any]:
    """What the page's script knows of the stops."""
    return {
        "alphas": list(alphas),
        "weights": [f"{1 + alpha:g}" for alpha in alphas],
        "places": [stop_place(i, len(alphas)) for i in range(len(alphas))],
    }


def stop_place(stop: int, n_stops: int) -> float:
    """Of a stop of the slider, in percent."""
    return round(100 * stop / max(1, n_stops - 1), 2)


def weight_rail(
    significance: Significance, names: Mapping[int, str], *, asked: Sequence[float] = (), by_weight: bool = False
) -> WeightRail:
    """The rail of some systems, by their places in `significance`.

    Ticks name the alphas that were `asked` for and others, or with `by_weight` what losses weigh: alpha is the model's
    where models were trained with it.
    """
    lanes: list[Lane] = []
    areas = ("", "")
    if len(names) <= FEW_SYSTEMS:
        for number, name in names.items():
            codes = verdict_codes(significance.verdicts[number].tolist())
            lanes.append(Lane(number, name, _spans(codes), _note(significance, number, by_weight=by_weight)))
    else:
        areas = _areas(significance, len(names))
    ticks = _ticks(significance.alphas, NAMED_WEIGHTS if by_weight else (*asked, *NAMED), by_weight=by_weight)
    return WeightRail(significance.alphas, ticks, lanes, *areas)


def _note(significance: Significance, number: int, *, by_weight: bool) -> str:
    alpha = significance.up_to(number)
    if alpha is None:
        return "never significant"
    is_open = alpha == significance.alphas[-1]
    if by_weight:
        return f"significant up to {'at least ' if is_open else ''}{1 + alpha:g}×"
    return f"significant at every α to {alpha:g}" if is_open else f"significant up to α = {alpha:g}"


def _spans(codes: str) -> list[VerdictSpan]:
    """What is known at a stop is drawn half-way to its neighbours."""
    edges = [0.0, *(stop_place(2 * i + 1, 2 * len(codes) - 1) for i in range(len(codes) - 1)), 100.0]
    spans: list[VerdictSpan] = []
    for i, code in enumerate(codes):
        verdict, width = CLASSES[code], edges[i + 1] - edges[i]
        if spans and spans[-1].verdict == verdict:
            spans[-1] = spans[-1]._replace(width=round(spans[-1].width + width, 2))
        else:
            spans.append(VerdictSpan(verdict, edges[i], round(width, 2)))
    return spans


def _areas(significance: Significance, n_systems: int) -> tuple[str, str]:
    """Of significant gains, from the top, and of losses, from the bottom; in percent."""
    verdicts = significance.verdicts
    places = [stop_place(i, verdicts.shape[1]) for i in range(verdicts.shape[1])]
    gains = np.round(100 * (verdicts == 1).sum(axis=0) / n_systems, 2).tolist()
    losses = np.round(100 - 100 * (verdicts == -1).sum(axis=0) / n_systems, 2).tolist()
    top = [(0.0, 0.0), *zip(places, gains, strict=True), (100.0, 0.0)]
    bottom = [(0.0, 100.0), *zip(places, losses, strict=True), (100.0, 100.0)]
    return svg_points(top), svg_points(bottom)


def _ticks(alphas: tuple[float, ...], named: Sequence[float], *, by_weight: bool) -> list[Tick]:
    """The first to be named before others, as far as there is room."""
    ticks: list[Tick] = []
    for alpha in named:
        if alpha not in alphas:
            continue
        place = stop_place(alphas.index(alpha), len(alphas))
        if all(abs(place - other.place) >= NEAREST for other in ticks):
            ticks.append(Tick(place, f"{1 + alpha:g}×" if by_weight else f"{alpha:g}"))
    return sorted(ticks)
