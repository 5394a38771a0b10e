"""From TREC runs and judgments to rankings with grades."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.trec.ranked_documents import ranked_rows, topic_numbers
from riskrank.measures.ranking import Judgments, Ranking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.data.trec.qrels import Qrels
    from riskrank.data.trec.runs import Run


def judgments_of(qrels: Qrels) -> Judgments:
    """The grades of each topic."""
    topics = qrels.topics
    return Judgments.sorted(
        topics, topic_numbers(qrels.frame["topic"], topics), qrels.frame["grade"].to_numpy(), source="qrels"
    )


def rank_runs(runs: Mapping[str, Run], qrels: Qrels, judgments: Judgments) -> dict[str, Ranking]:
    """Rank the documents of each run and look up their grades."""
    judged = pl.DataFrame(
        {
            "topic": topic_numbers(qrels.frame["topic"], judgments.topics),
            "document": qrels.frame["document"],
            "grade": qrels.frame["grade"],
        }
    ).filter(pl.col("grade") >= 0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rankings = pool.map(lambda run: _rank_run(run, judged, judgments), runs.values())
        return dict(zip(runs, rankings, strict=True))


def _rank_run(run: Run, judged: pl.DataFrame, judgments: Judgments) -> Ranking:
    topic, documents, rank, tied_ranks = ranked_rows(run, judgments.topics)
    rows = pl.DataFrame({"topic": topic, "document": documents}).with_row_index("row")
    found = rows.join(judged, on=["topic", "document"], how="inner").select("row", "grade")
    row, grade = found["row"].to_numpy(), found["grade"].to_numpy()
    order = np.lexsort((rank[row], topic[row]))
    row = row[order]
    retrieved = np.bincount(topic, minlength=judgments.n_topics)
    return Ranking(judgments, topic[row], rank[row], grade[order], retrieved, tied_ranks)
