"""How far rankings moved from the baseline's, and what it brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_sweep
from riskrank.report.charts.style import HEIGHT, alt, bars, named, tip

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
    bins = sweep.distances().to_dicts()
    labels = [setting.label for setting in sweep.settings for _ in range(len(bins) // len(sweep))]
    rows = [
        {
            "system": named(label), "bin": f"{row['bin'] / 10:.1f}–{(row['bin'] + 1) / 10:.1f}",
            "share": row["share"], "reward": row["reward"] if row["queries"] else None, "queries": row["queries"],
        }
        for label, row in zip(labels, bins, strict=True)
    ]  # fmt: skip
    x = alt.X("bin:N", title="Kendall distance to the baseline's ranking", sort=None).axis(labelAngle=-50)
    x = x.scale(domain=list(dict.fromkeys(row["bin"] for row in rows)))
    tooltip = ["system:N", "bin:N", "queries:Q", tip("share", ".1%"), tip("reward", ".4f")]
    return bars(rows, x, y, tooltip, height=HEIGHT - 100)


DISTANCE = ChartKind(distance)
DISTANCE_REWARD = ChartKind(distance_reward)
