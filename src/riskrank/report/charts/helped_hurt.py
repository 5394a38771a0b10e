"""Queries helped and hurt, by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, listing, nearest, plural, quoted
from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.style import HEIGHT, alt, bars, named
from riskrank.report.findings.assessment_findings import compared_systems
from riskrank.tradeoff.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment


def helped_hurt(source: Assessment | Sweep, *, systems: Sequence[str] | None = None) -> alt.Chart:
    """Queries or topics helped and hurt by relative change, in steps of 10 % (Wang et al. 2012, Fig. 3).

    Unchanged queries are left out, as there; those that rise from 0 have a bar of their own.
    """
    rows = helped_hurt_rows(source)
    known = list(dict.fromkeys(row["system"] for row in rows))
    wanted = known if systems is None else [named(system) for system in systems]
    for system in wanted:
        if system not in known:
            raise ParameterError(f"no system {quoted(system)}. There are: {listing(known)}.{nearest(system, known)}")
    rows = [row for row in rows if row["system"] in wanted]
    unit = "query" if isinstance(source, Sweep) else source.scores.unit
    x = alt.X("bucket:N", sort=list(dict.fromkeys(row["bucket"] for row in rows)), title=f"relative change of a {unit}")
    y = alt.Y("queries:Q", title=plural(unit)).axis(tickMinStep=1)
    tooltip = ["system:N", "bucket:N", alt.Tooltip("queries:Q", title=plural(unit))]
    return bars(rows, x.axis(labelAngle=-50), y, tooltip, height=HEIGHT - 60)


def helped_hurt_rows(source: Assessment | Sweep) -> list[dict[str, Any]]:
    """A row per system and bucket."""
    if isinstance(source, Sweep):
        histograms = [(setting.label, source.helped_hurt(i)) for i, setting in enumerate(source.settings)]
    else:
        histograms = [(s.system, source.helped_hurt(s.system)) for s in compared_systems(source)]
    rows = []
    for system, histogram in histograms:
        name = named(system)
        for low, high, count in zip(histogram.lower, histogram.upper, histogram.count, strict=True):
            bucket = "+100% or more" if math.isinf(high) else f"{100 * low:+.0f} to {100 * high:+.0f}%"
            rows.append({"system": name, "bucket": bucket.replace("+0", "0").replace("-", "−"), "queries": count})
        rows.append({"system": name, "bucket": "from zero", "queries": histogram.from_zero})
    return rows


HELPED_HURT = ChartKind(helped_hurt)
