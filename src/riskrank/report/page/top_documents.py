"""The first documents of each system's rankings, with their grades, for the page to show side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.measures.rank_scores import ranks_of_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEPTH = 10


class Rankings:
    """The documents of runs by topic; `top` gives the first ones with their grades (None: not judged)."""

    def __init__(self, qrels: Any, runs: Mapping[str, Any], topics: Sequence[str]) -> None:
        self._runs = dict(runs)
        self._known: dict[str, dict[str, list[str]]] = {}
        self._topics = tuple(topics)
        self._data = qrels if isinstance(qrels, RankingData) else None
        self._grades: dict[tuple[str, str], float] = {}
        if self._data is None:
            from riskrank.data.trec.qrels import read_qrels

            frame = read_qrels(qrels).frame
            pairs = zip(frame["topic"].to_list(), frame["document"].to_list(), strict=True)
            self._grades = dict(zip(pairs, frame["grade"].to_list(), strict=True))

    def top(self, system: str, topic: str) -> list[tuple[str, float | None]]:
        """The first documents of a topic."""
        if system not in self._known:
            self._known[system] = self._rank(system)
        return [(name, self._grades.get((topic, name))) for name in self._known[system].get(topic, [])]

    def _rank(self, system: str) -> dict[str, list[str]]:
        if system not in self._runs:
            return {}
        return self._of_scores(system) if self._data is not None else self._of_run(system)

    def _of_run(self, system: str) -> dict[str, list[str]]:
        import polars as pl

        from riskrank.data.trec.ranked_documents import ranked_documents
        from riskrank.data.trec.runs import read_runs

        run = read_runs({system: self._runs[system]})[system]
        ranked = ranked_documents(run, self._topics).filter(pl.col("rank") <= DEPTH).sort("topic", "rank")
        found: dict[str, list[str]] = {}
        for topic, document in zip(ranked["topic"].to_list(), ranked["document"].to_list(), strict=True):
            found.setdefault(self._topics[topic], []).append(document)
        return found

    def _of_scores(self, system: str) -> dict[str, list[str]]:
        data = self._data
        assert data is not None  # noqa: S101 (known to the caller)
        ranks = ranks_of_scores(self._runs[system], data, name=system)
        ids = data.ids
        found = {}
        for q, topic in enumerate(data.query_ids):
            rows = slice(data.query_offsets[q], data.query_offsets[q + 1])
            order = np.argsort(ranks[rows], kind="stable")[:DEPTH] + data.query_offsets[q]
            found[topic] = [str(ids[row]) for row in order]
            self._grades.update({(topic, str(ids[row])): float(data.labels[row]) for row in order})
        return found
