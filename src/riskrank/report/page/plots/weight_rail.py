"""What holds as losses weigh more: a lane per system, or how many systems there are of each verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, rivals, system_numbers
from riskrank.report.page.plots.scale import Tick, svg_points
from riskrank.report.page.plots.verdict_marks import CLASSES, verdict_codes

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment

NAMED = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0)
NEAREST = 7.0  # percent between two ticks


class VerdictSpan(NamedTuple):
    """Where a verdict holds, in percent."""

    verdict: str
    start: float
    width: float


class Lane(NamedTuple):
    """A system from the smallest weight to the largest."""

    number: int
    system: str
    spans: list[VerdictSpan]
    up_to: float | None


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


def stop_place(stop: int, n_stops: int) -> float:
    """Of a stop of the slider, in percent."""
    return round(100 * stop / max(1, n_stops - 1), 2)


def weight_rail(assessment: Assessment) -> WeightRail:
    """The rail of an assessment."""
    significance, compared = assessment.significance, rivals(assessment)
    lanes: list[Lane] = []
    areas = ("", "")
    if len(compared) <= FEW_SYSTEMS:
        numbers = system_numbers(assessment)
        for each in compared:
            number = numbers[each.system]
            codes = verdict_codes(significance.verdicts[number].tolist())
            lanes.append(Lane(number, each.system, _spans(codes), significance.up_to(number)))
    else:
        areas = _areas(assessment)
    return WeightRail(significance.alphas, _ticks(assessment), lanes, *areas)


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


def _areas(assessment: Assessment) -> tuple[str, str]:
    """Of significant gains, from the top, and of losses, from the bottom; in percent."""
    verdicts = assessment.significance.verdicts
    n_systems = max(1, len(rivals(assessment)))
    places = [stop_place(i, verdicts.shape[1]) for i in range(verdicts.shape[1])]
    gains = np.round(100 * (verdicts == 1).sum(axis=0) / n_systems, 2).tolist()
    losses = np.round(100 - 100 * (verdicts == -1).sum(axis=0) / n_systems, 2).tolist()
    top = [(0.0, 0.0), *zip(places, gains, strict=True), (100.0, 0.0)]
    bottom = [(0.0, 100.0), *zip(places, losses, strict=True), (100.0, 100.0)]
    return svg_points(top), svg_points(bottom)


def _ticks(assessment: Assessment) -> list[Tick]:
    """The weights that were asked for, then others, as far as there is room."""
    alphas = assessment.significance.alphas
    ticks: list[Tick] = []
    for alpha in (*assessment.alphas, *NAMED):
        if alpha not in alphas:
            continue
        place = stop_place(alphas.index(alpha), len(alphas))
        if all(abs(place - other.place) >= NEAREST for other in ticks):
            ticks.append(Tick(place, f"{alpha:g}"))
    return sorted(ticks)
