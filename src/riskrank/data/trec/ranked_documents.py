"""The documents of a run in order, by trec_eval's rules.

Documents are ordered by score descending, then by document id descending. Scores are compared as
float32, which is what trec_eval holds them in: two scores that differ only beyond that are tied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from riskrank.data.trec.runs import Run
    from riskrank.typing import Integers, Singles


def ranked_documents(run: Run, topics: tuple[str, ...]) -> pl.DataFrame:
    """The documents of some topics with their ranks: topic (its position in `topics`), document, rank."""
    topic, documents, rank, _ = ranked_rows(run, topics)
    return pl.DataFrame({"topic": topic, "document": documents, "rank": rank})


def ranked_rows(run: Run, topics: tuple[str, ...]) -> tuple[Integers, pl.Series, Integers, tuple[Integers, Integers]]:
    """Topic, document and rank of each row that belongs to the topics, and the (topic, rank) of ties."""
    topic = topic_numbers(run.frame["topic"], topics)
    is_wanted = topic >= 0
    documents = run.frame["document"]
    with np.errstate(over="ignore"):
        score = run.frame["score"].to_numpy().astype(np.float32)
    if not is_wanted.all():
        topic, score = topic[is_wanted], score[is_wanted]
        documents = documents.filter(pl.Series(is_wanted))
    rank, tied_ranks = _ranks(topic, score, documents)
    return topic, documents, rank, tied_ranks


def topic_numbers(column: pl.Series, topics: tuple[str, ...]) -> Integers:
    """Each row's topic as its position in `topics`, −1 for others."""
    number = {topic: i for i, topic in enumerate(topics)}
    runs = column.rle().struct.unnest()  # files keep a topic's lines together, so there are few runs
    of_run = [number.get(topic, -1) for topic in runs["value"].to_list()]
    return np.repeat(np.array(of_run, np.int64), runs["len"].to_numpy())


def _ranks(topic: Integers, score: Singles, documents: pl.Series) -> tuple[Integers, tuple[Integers, Integers]]:
    """Each row's rank in its topic, and the (topic, rank) whose score equals the next one's."""
    n = len(topic)
    order = _order(topic, score)
    sorted_topic, sorted_score = topic[order], score[order]
    same_topic = sorted_topic[1:] == sorted_topic[:-1]
    equals_next = same_topic & (sorted_score[1:] == sorted_score[:-1])
    if equals_next.any():
        in_group = np.zeros(n, bool)
        in_group[:-1] = equals_next
        in_group[1:] |= equals_next
        positions = np.flatnonzero(in_group)
        group = np.cumsum(~np.concatenate([[False], equals_next]))[positions]
        rows = order[positions]
        tied = pl.DataFrame({"group": group, "document": documents.gather(rows), "row": rows})
        order[positions] = tied.sort("group", "document", descending=[False, True])["row"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], ~same_topic])) if n else np.empty(0, np.int64)
    sizes = np.diff(np.append(starts, n))
    sorted_rank = np.arange(n) - np.repeat(starts, sizes) + 1
    rank = np.empty(n, np.int64)
    rank[order] = sorted_rank
    return rank, (sorted_topic[:-1][equals_next], sorted_rank[:-1][equals_next])


def _order(topic: Integers, score: Singles) -> Integers:
    """Rows by topic, best score first; most runs are written that way."""
    starts = np.flatnonzero(topic[1:] != topic[:-1]) + 1
    falls = score[1:] <= score[:-1]
    falls[starts - 1] = True
    topics_together = len(np.unique(topic)) == len(starts) + 1
    return np.arange(len(topic)) if topics_together and falls.all() else np.lexsort((-score, topic))
