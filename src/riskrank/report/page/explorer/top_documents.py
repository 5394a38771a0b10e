"""The first documents of each system's rankings beside the baseline's, with their grades and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import polars as pl

from riskrank.data.judgments import read_if_letor
from riskrank.data.ranking_data import RankingData
from riskrank.measures.rank_scores import ranks_of_scores
from riskrank.report.page.explorer.shared_beginning import shared_beginning
from riskrank.report.page.system_names import whole_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.typing import JudgmentsLike, QrelsLike, RunLike, ScoresLike, SystemLike

DEPTH = 10

Grades: TypeAlias = "dict[tuple[str, str], float]"  # by topic and document


class Listed(NamedTuple):
    """A document of a ranking: its grade (None: not judged), and its rank in the other ranking (None: not there)."""

    document: str
    grade: float | None
    elsewhere: int | None


class SideBySide(NamedTuple):
    """The heads of two rankings of a topic."""

    baseline: list[Listed]
    system: list[Listed]

    @property
    def beginning(self) -> str:
        """What the names of all their documents begin with."""
        return shared_beginning({whole_name(each.document) for each in (*self.baseline, *self.system)})


class TopDocuments:
    """What systems rank first; the baseline's rankings are kept, those of others are read when they are asked for."""

    def __init__(self, qrels: JudgmentsLike, runs: Mapping[str, SystemLike], topics: Sequence[str]) -> None:
        judgments = read_if_letor(qrels)
        self._judgments = judgments if isinstance(judgments, RankingData) else _grades(judgments)
        self._ids = judgments.ids.tolist() if isinstance(judgments, RankingData) else []
        self._runs = dict(runs)
        self._topics = tuple(topics)
        self._numbers = {topic: number for number, topic in enumerate(self._topics)}
        self._kept: dict[str, pl.DataFrame] = {}  # of one system: the baseline

    def __contains__(self, system: object) -> bool:
        return system in self._runs

    def beside(self, system: str, baseline: str, topics: Sequence[str]) -> dict[str, SideBySide]:
        """The rankings of a system and the baseline on some topics."""
        if baseline not in self._kept:
            self._kept = {baseline: self._ranked(baseline)}
        wanted = pl.Series([self._numbers[topic] for topic in topics], dtype=pl.Int64)
        own, theirs = (
            frame.filter(pl.col("topic").is_in(wanted.implode()))
            for frame in (self._kept[baseline], self._ranked(system))
        )
        old, new = self._heads(own, theirs), self._heads(theirs, own)
        return {topic: SideBySide(old.get(topic, []), new.get(topic, [])) for topic in topics}

    def _ranked(self, system: str) -> pl.DataFrame:
        """Topic (its position), document and rank."""
        run = self._runs[system]  # scores go with feature data, runs with qrels
        if isinstance(self._judgments, RankingData):
            return _ranked_scores(cast("ScoresLike", run), self._judgments, self._topics, name=system)
        return _ranked_run(cast("RunLike", run), self._topics, name=system)

    def _heads(self, ranked: pl.DataFrame, other: pl.DataFrame) -> dict[str, list[Listed]]:
        """The first documents of each topic, with their ranks in another ranking."""
        head = ranked.filter(pl.col("rank") <= DEPTH)
        joined = head.join(other, on=["topic", "document"], how="left", suffix="_other").sort("topic", "rank")
        heads: dict[str, list[Listed]] = {}
        columns = (joined[name].to_list() for name in ("topic", "document", "rank_other"))
        for number, document, elsewhere in zip(*columns, strict=True):
            topic = self._topics[number]
            name, grade = self._named(topic, document)
            heads.setdefault(topic, []).append(Listed(name, grade, elsewhere))
        return heads

    def _named(self, topic: str, document: str | int) -> tuple[str, float | None]:
        if isinstance(self._judgments, RankingData):
            row = int(document)
            return str(self._ids[row]), float(self._judgments.labels[row])
        return str(document), self._judgments.get((topic, str(document)))


def _grades(qrels: QrelsLike) -> Grades:
    from riskrank.data.trec.qrels import read_qrels

    frame = read_qrels(qrels).frame
    pairs = zip(frame["topic"].to_list(), frame["document"].to_list(), strict=True)
    return dict(zip(pairs, frame["grade"].to_list(), strict=True))


def _ranked_run(run: RunLike, topics: tuple[str, ...], *, name: str) -> pl.DataFrame:
    from riskrank.data.trec.ranked_documents import ranked_documents
    from riskrank.data.trec.runs import read_run

    return ranked_documents(read_run(run, name=name), topics)


def _ranked_scores(scores: ScoresLike, data: RankingData, topics: tuple[str, ...], *, name: str) -> pl.DataFrame:
    """Documents of feature data are known by their rows: ids may stand for several."""
    ranks = ranks_of_scores(scores, data, name=name)
    numbers = {topic: i for i, topic in enumerate(topics)}
    topic = pl.Series([numbers.get(query, -1) for query in data.query_ids], dtype=pl.Int64).gather(data.query_numbers)
    frame = pl.DataFrame({"topic": topic, "document": range(data.n_documents), "rank": ranks})
    return frame.filter(pl.col("topic") >= 0)
