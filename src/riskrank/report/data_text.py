"""What feature data hold, as a terminal shows it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import counted
from riskrank.report.text.formatting import aligned

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData

COLUMNS = ["feature", "missing", "least", "median", "most"]


def data_text(data: RankingData, *, name: str, n_features: int) -> str:
    """Queries, documents and labels, then the first features with the range of their values."""
    sizes = np.diff(data.query_offsets)
    grades, counts = np.unique(data.labels, return_counts=True)
    shares = ", ".join(f"{grade:g}: {count / len(data):.0%}" for grade, count in zip(grades[:8], counts, strict=False))
    more = ", …" if len(grades) > 8 else ""
    n_empty = int((np.maximum.reduceat(data.labels, data.query_offsets[:-1]) <= 0).sum())
    head = [
        f"{name}: {counted(data.n_queries, 'query')}, {counted(len(data), 'document')} "
        f"({sizes.min()} to {sizes.max()} per query), {counted(data.n_features, 'feature')}",
        f"labels {shares}{more}; {counted(n_empty, 'query')} without a relevant document",
    ]
    shown = min(n_features, data.n_features)
    if not shown:
        return "\n".join(head)
    rows = [[data.columns.label(column), *_cells(data, column)] for column in range(shown)]
    rest = data.n_features - shown
    end = f"\n… and {counted(rest, 'feature')} more (--features {data.n_features})" if rest else ""
    return "\n".join(head) + "\n\n" + aligned(COLUMNS, rows) + end


def _cells(data: RankingData, column: int) -> list[str]:
    values = data.features[:, column]
    missing = float(np.isnan(values).mean())
    if column in data.categories:
        return [f"{missing:.1%}" if missing else "", "", "", counted(len(data.categories[column]), "category")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of columns without a value
        numbers = (np.nanmin(values), np.nanmedian(values), np.nanmax(values))
    return [f"{missing:.1%}" if missing else "", *("" if np.isnan(each) else f"{each:.4g}" for each in numbers)]
