"""How far rankings moved from the baseline's, and what it brought."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_sweep
from riskrank.report.charts.style import HEIGHT, WIDTH, alt, chart_of, colour, named

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep


def distance(source: Assessment | Sweep) -> alt.Chart:
    """How far rankings moved from the baseline's: queries by Kendall distance (Wang et al. 2012, Fig. 5)."""
    sweep = as_sweep(source, "distance")
    return _by_distance(sweep, alt.Y("share:Q", title="share of queries").axis(format=".0%"))


def distance_reward(source: Assessment | Sweep) -> alt.Chart:
    """The mean reward of the queries in each bin of Kendall distance (Wang et al. 2012, §5.9)."""
    sweep = as_sweep(source, "distance-reward")
    return _by_distance(sweep, alt.Y("reward:Q", title="mean reward in the bin").axis(format=".3f"))


def _by_distance(sweep: Sweep, y: alt.Y) -> alt.Chart:
    rows = [
        {
            "system": named(setting.label), "bin": f"{row['bin'] / 10:.1f}–{(row['bin'] + 1) / 10:.1f}",
            "share": row["share"], "reward": row["reward"] if row["queries"] else None, "queries": row["queries"],
        }
        for setting, group in zip(sweep.settings, _per_setting(sweep), strict=True)
        for row in group
    ]  # fmt: skip
    names = [named(setting.label) for setting in sweep.settings]
    bins = list(dict.fromkeys(row["bin"] for row in rows))
    chart: alt.Chart = (
        chart_of(rows)
        .mark_bar()
        .encode(
            alt.X("bin:N", title="Kendall distance to the baseline's ranking", sort=None)
            .axis(labelAngle=-50)
            .scale(domain=bins),
            y,
            alt.XOffset("system:N", sort=names),
            colour(names, "system"),
            tooltip=[
                "system:N",
                "bin:N",
                "queries:Q",
                alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("reward:Q", format=".4f"),
            ],
        )
        .properties(width=WIDTH, height=HEIGHT - 100)
    )
    return chart


def _per_setting(sweep: Sweep) -> list[list[dict[str, Any]]]:
    rows = sweep.distances().to_dicts()
    size = len(rows) // len(sweep.settings)
    return [rows[i * size : (i + 1) * size] for i in range(len(sweep.settings))]


DISTANCE = ChartKind(distance, caption="How far the rankings moved from the baseline's.")
DISTANCE_REWARD = ChartKind(distance_reward, caption="What moving so far brought: the mean reward of those queries.")
