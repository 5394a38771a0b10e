"""The documents of a run in order, by trec_eval's rules.

Documents are ordered by score descending, then by document id descending. Scores are compared as
float32, which is what trec_eval holds them in: two scores that differ only beyond that are tied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from riskrank.data.trec.runs import Run
    from riskrank.typing import Integers, Singles


class RankedRows(NamedTuple):
    """The rows of a run (topic, document, score) that belong to some topics, with the topic's position and the rank.

    `tied` are the (topic, rank) of rows whose score is the next one's, too.
    """

    frame: pl.DataFrame
    topic: Integers
    rank: Integers
    tied: tuple[Integers, Integers]


def ranked_documents(run: Run, topics: tuple[str, ...]) -> pl.DataFrame:
    """The documents of some topics with their ranks: topic (its position in `topics`), document, rank."""
    ranked = ranked_rows(run, topics)
    return pl.DataFrame({"topic": ranked.topic, "document": ranked.frame["document"], "rank": ranked.rank})


def ranked_rows(run: Run, topics: tuple[str, ...]) -> RankedRows:
    """The rows that belong to the topics, by topic, best score first; tied ones as they come."""
    frame, topic = run.frame, topic_numbers(run.frame["topic"], topics)
    is_wanted = topic >= 0
    if not is_wanted.all():
        frame, topic = frame.filter(pl.Series(is_wanted)), topic[is_wanted]
    with np.errstate(over="ignore"):
        score = frame["score"].to_numpy().astype(np.float32)
    if not _is_in_order(topic, score):
        order = np.lexsort((-score, topic))
        frame, topic, score = frame[order], topic[order], score[order]
    rank, tied = _ranks(topic, score, frame["document"])
    return RankedRows(frame, topic, rank, tied)


def topic_numbers(column: pl.Series, topics: tuple[str, ...]) -> Integers:
    """Each row's topic as its position in `topics`, −1 for others."""
    number = {topic: i for i, topic in enumerate(topics)}
    runs = column.rle().struct.unnest()  # files keep a topic's lines together, so there are few runs
    of_run = [number.get(topic, -1) for topic in runs["value"].to_list()]
    return np.repeat(np.array(of_run, np.int64), runs["len"].to_numpy())


def _is_in_order(topic: Integers, score: Singles) -> bool:
    """Most runs are written that way."""
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    falls = score[1:] <= score[:-1]
    falls[starts[1:] - 1] = True
    return bool(falls.all()) and len(np.unique(topic[starts])) == len(starts)


def _ranks(topic: Integers, score: Singles, documents: pl.Series) -> tuple[Integers, tuple[Integers, Integers]]:
    """Ranks of rows in order, and the (topic, rank) of those whose score equals the next one's."""
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    rank = np.arange(1, len(topic) + 1) - np.repeat(starts, np.diff(starts, append=len(topic)))
    equals_next = score[1:] == score[:-1]
    equals_next[starts[1:] - 1] = False
    first = np.flatnonzero(equals_next)
    tied = topic[first], rank[first]
    if len(first):
        rows = np.union1d(first, first + 1)
        group = np.cumsum(~np.isin(rows - 1, first, assume_unique=True))
        by_document = pl.DataFrame({"group": group, "document": documents.gather(rows), "row": rows}).sort(
            "group", "document", descending=[False, True]
        )
        rank[by_document["row"].to_numpy()] = rank[rows]
    return rank, tied
