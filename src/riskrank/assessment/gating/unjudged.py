"""Losses that may be none: documents that nobody judged, in the candidate only."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import polars as pl

from riskrank.data.trec.qrels import Qrels
from riskrank.data.trec.ranked_documents import ranked_documents
from riskrank.data.trec.runs import read_run
from riskrank.errors import MeasureError
from riskrank.measures.measured_system import JUDGED_DEPTH
from riskrank.measures.parse import parse_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.typing import RunLike


def unjudged_only_in(
    scored: ScoredSystems, candidate: str, baseline: str, topics: Sequence[str], *, measure: str
) -> dict[str, int]:
    """How many of the candidate's first documents nobody judged, for topics where all of the baseline's were.

    First documents are those down to the measure's cut-off, or to rank 10.
    """
    judged, runs = scored.judgments, scored.systems
    if not isinstance(judged, Qrels) or not topics:
        return {}
    depth, wanted = _depth(measure), tuple(topics)
    grades = judged.frame.filter(pl.col("topic").is_in(list(wanted)) & (pl.col("grade") >= 0))
    counts = []
    for name in (candidate, baseline):
        if name not in runs:
            return {}
        first = ranked_documents(read_run(cast("RunLike", runs[name]), name=name), wanted).filter(
            pl.col("rank") <= depth
        )
        named = first.with_columns(pl.Series("topic", [wanted[i] for i in first["topic"].to_list()], dtype=pl.String))
        unknown = named.join(grades, on=["topic", "document"], how="anti")
        counts.append(dict(unknown["topic"].value_counts().iter_rows()))
    new, old = counts
    return {topic: new[topic] for topic in wanted if topic in new and topic not in old}


def _depth(measure: str) -> int:
    try:
        return parse_measure(measure).inner.cutoff_or_none or JUDGED_DEPTH
    except MeasureError:  # scores of a measure of the user's own
        return JUDGED_DEPTH
