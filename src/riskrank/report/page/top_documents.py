"""The first documents of each system's rankings, with their grades, for the page to show side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from riskrank.data.judgments import read_if_letor
from riskrank.data.ranking_data import RankingData
from riskrank.measures.rank_scores import ranks_of_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.typing import JudgmentsLike, QrelsLike, RunLike, ScoresLike, SystemLike

DEPTH = 10

Documents: TypeAlias = "list[tuple[str, float | None]]"  # with their grades; None: not judged
Grades: TypeAlias = "dict[tuple[str, str], float]"  # by topic and document


class TopDocuments:
    """What each system ranks first; a system's rankings are read when they are first looked at."""

    def __init__(self, qrels: JudgmentsLike, runs: Mapping[str, SystemLike], topics: Sequence[str]) -> None:
        judgments = read_if_letor(qrels)
        self._judgments = judgments if isinstance(judgments, RankingData) else _grades(judgments)
        self._runs = dict(runs)
        self._topics = tuple(topics)
        self._known: dict[str, dict[str, Documents]] = {}

    def top(self, system: str, topic: str) -> Documents:
        """The first documents of a topic."""
        if system not in self._known:
            self._known[system] = self._read(system)
        return self._known[system].get(topic, [])

    def _read(self, system: str) -> dict[str, Documents]:
        if system not in self._runs:
            return {}
        run = self._runs[system]  # scores go with feature data, runs with qrels
        if isinstance(self._judgments, RankingData):
            return _top_of_scores(cast("ScoresLike", run), self._judgments, name=system)
        return _top_of_run(cast("RunLike", run), self._judgments, self._topics, name=system)


def _grades(qrels: QrelsLike) -> Grades:
    from riskrank.data.trec.qrels import read_qrels

    frame = read_qrels(qrels).frame
    pairs = zip(frame["topic"].to_list(), frame["document"].to_list(), strict=True)
    return dict(zip(pairs, frame["grade"].to_list(), strict=True))


def _top_of_run(run: RunLike, grades: Grades, topics: tuple[str, ...], *, name: str) -> dict[str, Documents]:
    import polars as pl

    from riskrank.data.trec.ranked_documents import ranked_documents
    from riskrank.data.trec.runs import read_runs

    ranked = ranked_documents(read_runs({name: run})[name], topics)
    ranked = ranked.filter(pl.col("rank") <= DEPTH).sort("topic", "rank")
    top: dict[str, Documents] = {}
    for number, document in zip(ranked["topic"].to_list(), ranked["document"].to_list(), strict=True):
        topic = topics[number]
        top.setdefault(topic, []).append((document, grades.get((topic, document))))
    return top


def _top_of_scores(scores: ScoresLike, data: RankingData, *, name: str) -> dict[str, Documents]:
    ranks = ranks_of_scores(scores, data, name=name)
    ids = data.ids
    top: dict[str, Documents] = {}
    for q, topic in enumerate(data.query_ids):
        start, end = data.query_offsets[q : q + 2]
        first = np.argsort(ranks[start:end], kind="stable")[:DEPTH] + start
        top[topic] = [(str(ids[row]), float(data.labels[row])) for row in first]
    return top
