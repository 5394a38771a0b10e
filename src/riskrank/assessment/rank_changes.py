"""How far each system's rankings moved from the baseline's, where rankings are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import AlignmentError, listing, quoted
from riskrank.measures.rank_scores import ranks_of_scores
from riskrank.risk.churn import kendall_taus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from numpy.typing import ArrayLike

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Booleans, Floats, RunLike


@dataclass(frozen=True)
class RankChange:
    """Mean Kendall τ with the baseline's rankings, and the share of topics whose ranking differs at all.

    τ is taken over the documents that both retrieved; topics with fewer than two such documents are left out.
    """

    kendall_tau: float
    reranked: float
    tau_per_topic: Floats
    is_reranked: Booleans


def rank_changes(
    runs: Mapping[str, RunLike | ArrayLike],
    baseline: str,
    *,
    topics: Sequence[str] | None = None,
    data: RankingData | None = None,
) -> dict[str, RankChange]:
    """Compare the rankings of runs with the baseline's.

    Parameters
    ----------
    runs
        TREC runs by name (paths, frames, dicts); with `data`, arrays of scores, one per document.
    baseline
        The name of the run that the others are compared with.
    topics
        Which topics to compare; by default those that the baseline answered.
    data
        The feature data whose documents the scores are for.

    >>> runs = {"old": {"1": {"a": 2.0, "b": 1.0}}, "new": {"1": {"a": 1.0, "b": 2.0}}}
    >>> rank_changes(runs, "old")["new"].kendall_tau
    -1.0
    """
    if baseline not in runs:
        raise AlignmentError(f"baseline {quoted(baseline)} is not among the runs: {listing(runs)}.")
    if data is not None:
        return _of_scores(runs, baseline, data)
    return _of_runs(runs, baseline, topics)


def _of_scores(runs: Mapping[str, Any], baseline: str, data: RankingData) -> dict[str, RankChange]:
    topic = data.query_numbers
    ranks = {name: ranks_of_scores(scores, data, name=name) for name, scores in runs.items()}
    changes = {}
    for name, rank in ranks.items():
        differs = np.bincount(topic, weights=rank != ranks[baseline], minlength=data.n_queries) > 0
        changes[name] = _change(kendall_taus(topic, rank, ranks[baseline], n_topics=data.n_queries), differs)
    return changes


def _of_runs(runs: Mapping[str, Any], baseline: str, topics: Sequence[str] | None) -> dict[str, RankChange]:
    from riskrank.data.trec.ranked_documents import ranked_documents
    from riskrank.data.trec.runs import read_run, runs_one_by_one

    old = read_run(runs[baseline], name=baseline)
    wanted = tuple(old.frame["topic"].unique(maintain_order=True)) if topics is None else tuple(topics)
    own = ranked_documents(old, wanted)
    own_sizes = np.bincount(own["topic"].to_numpy(), minlength=len(wanted))
    changes = {}
    for run in runs_one_by_one(runs):
        theirs = ranked_documents(run, wanted)
        both: pl.DataFrame = theirs.join(own, on=["topic", "document"], how="inner", suffix="_baseline")
        topic, rank, own_rank = (both[c].to_numpy() for c in ("topic", "rank", "rank_baseline"))
        sizes = np.bincount(theirs["topic"].to_numpy(), minlength=len(wanted))
        at_same_rank = np.bincount(topic, weights=rank == own_rank, minlength=len(wanted))
        differs = (at_same_rank < own_sizes) | (sizes != own_sizes)
        changes[run.name] = _change(kendall_taus(topic, rank, own_rank, n_topics=len(wanted)), differs)
    return changes


def _change(tau: Floats, differs: Booleans) -> RankChange:
    known = tau[~np.isnan(tau)]
    return RankChange(
        kendall_tau=float(known.mean()) if len(known) else float("nan"),
        reranked=float(differs.mean()) if len(differs) else float("nan"),
        tau_per_topic=tau,
        is_reranked=differs,
    )
