"""Where systems and models stand in charts of the trade-off, and the lines that they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.assessment.assessment import Assessment
from riskrank.report.charts.style import named
from riskrank.report.findings.assessment_findings import compared_systems
from riskrank.tradeoff.curves import hull, near_optimal_hull

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

BREAK_EVEN = "break-even (URisk = 0)"
COIN = "proportional reduction (coin)"
NEAR_OPTIMAL = "near-optimal hull"
CONVEX = "convex hull"
MOST_TAGS = 9  # systems whose names stand beside their points, with the baseline


def tradeoff_rows(source: Assessment | Sweep) -> list[dict[str, Any]]:
    """A row per system, model and threshold of a predictor."""
    if isinstance(source, Assessment):
        return [
            {
                "series": named(system.system), "label": system.system,
                "tag": system.system if len(source) <= MOST_TAGS else "",
                "risk": system.risk, "gain": system.gain, "reward": system.reward, "reranked": system.reranked,
                "order": 0,
            }
            for system in compared_systems(source)
        ]  # fmt: skip
    return [*_model_rows(source), *_selective_rows(source)]


def _model_rows(sweep: Sweep) -> list[dict[str, Any]]:
    test = sweep.test
    return [
        {
            "series": named(setting.series), "label": setting.label, "tag": f"{setting.value:g}",
            "risk": float(test.risk[i]), "gain": float(test.gain[i]), "reward": float(test.reward[i]),
            "reranked": float(test.reranked[i]), "order": setting.value,
        }
        for i, setting in enumerate(sweep.settings)
    ]  # fmt: skip


def _selective_rows(sweep: Sweep) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name in sweep.thresholds:
        curve = sweep.selective(name)
        rows += [
            {
                "series": named(f"selective: {name}"), "label": f"{name} {curve['apply']} {limit:.4g}", "tag": "",
                "risk": float(curve["risk"][k]), "gain": float(curve["gain"][k]),
                "reward": float(curve["gain"][k] + curve["risk"][k]), "reranked": float(curve["reranked"][k]),
                "order": float(curve["share"][k]),
            }
            for k, limit in enumerate(curve["threshold"].tolist())
        ]  # fmt: skip
    return rows


def line_rows(sweep: Sweep, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The corners of what a coin gives, of the near-optimal hull, and of the convex hull of all rows."""
    test, reference = sweep.test, sweep.reference_model
    coin = [(0.0, 0.0), (float(test.risk[reference]), float(test.gain[reference]))]
    first = sweep.members(sweep.series[0])
    values = [sweep.settings[i].value for i in first]
    near = near_optimal_hull(values, test.risk[first], test.gain[first], sweep.alpha_of_interest)
    points = [(float(row["risk"]), float(row["gain"])) for row in rows]
    best = hull([risk for risk, _ in points], [gain for _, gain in points])
    return [
        *_line(COIN, coin),
        *_line(NEAR_OPTIMAL, zip(*(part.tolist() for part in near), strict=True)),
        *_line(CONVEX, [(0.0, 0.0), *(points[i] for i in best.tolist())]),
    ]


def _line(name: str, corners: Iterable[tuple[float, float]]) -> list[dict[str, Any]]:
    return [{"line": name, "risk": risk, "gain": gain, "order": k} for k, (risk, gain) in enumerate(corners)]


def chosen_rows(point: OperatingPoint | None) -> list[dict[str, Any]]:
    """The operating point; none where it is the baseline."""
    if point is None or point.index is None:
        return []
    used = point.sweep.test.reranked[point.index] * point.probability
    return [
        {
            "label": point.label, "risk": point.risk, "gain": point.gain, "reward": point.gain + point.risk,
            "reranked": float(used) if point.predictor is None else None,
        }
    ]  # fmt: skip
