"""From TREC runs and judgments to rankings with grades."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from riskrank.cores import usable_cores
from riskrank.data.frames import is_frame
from riskrank.data.trec.qrels import read_qrels
from riskrank.data.trec.ranked_documents import ranked_rows, topic_numbers
from riskrank.data.trec.runs import Run, is_run_dict, read_runs
from riskrank.errors import AlignmentError, ParameterError, listing, quoted
from riskrank.measures.ranking import Judgments, RankedSystems, Ranking

if TYPE_CHECKING:
    from riskrank.typing import QrelsLike, SystemsLike


def rank_runs(qrels: QrelsLike, runs: SystemsLike) -> RankedSystems:
    """Rank the documents of each run, given as `evaluate` takes them, and look up their grades."""
    judged = read_qrels(qrels)
    topics = judged.topics
    topic = topic_numbers(judged.frame["topic"], topics)
    judgments = Judgments.sorted(topics, topic, judged.frame["grade"].to_numpy(), source="qrels")
    loaded = read_runs(_by_name_or_listed(runs))
    grades = pl.DataFrame({"topic": topic, "document": judged.frame["document"], "grade": judged.frame["grade"]})
    grades = grades.filter(pl.col("grade") >= 0)
    with ThreadPoolExecutor(usable_cores()) as pool:
        ranked = pool.map(lambda run: _rank_run(run, grades, judgments), loaded.values())
        rankings = dict(zip(loaded, ranked, strict=True))
    for name, ranking in rankings.items():
        if not ranking.retrieved.any():
            theirs = loaded[name].frame["topic"].unique(maintain_order=True)
            lowered = {topic.lower() for topic in topics}
            is_case = any(topic.lower() in lowered for topic in theirs)
            hint = " They differ in capital letters: write both alike." if is_case else ""
            raise AlignmentError(
                f"run {quoted(name)} and the qrels have no topic in common: "
                f"run {listing(theirs, limit=3)}; qrels {listing(topics, limit=3)}.{hint}"
            )
    nested_grades = cache(lambda: _nested(judged.frame, "grade", int))
    return RankedSystems(
        judgments, rankings, lambda name: (nested_grades(), _nested(loaded[name].frame, "score", float))
    )


def _rank_run(run: Run, grades: pl.DataFrame, judgments: Judgments) -> Ranking:
    topic, documents, rank, tied_ranks = ranked_rows(run, judgments.topics)
    rows = pl.DataFrame({"topic": topic, "document": documents}).with_row_index("row")
    judged = rows.join(grades, on=["topic", "document"], how="inner").select("row", "grade")
    row, grade = judged["row"].to_numpy(), judged["grade"].to_numpy()
    order = np.lexsort((rank[row], topic[row]))
    row = row[order]
    retrieved = np.bincount(topic, minlength=judgments.n_topics)
    return Ranking(judgments, topic[row], rank[row], grade[order], retrieved, tied_ranks)


def _by_name_or_listed(runs: Any) -> Mapping[str, Any] | Sequence[Any]:
    """Runs by name or in a list, also where there is only one."""
    if isinstance(runs, str | os.PathLike | Run) or is_frame(runs) or is_run_dict(runs):
        return [runs]
    if isinstance(runs, Mapping):
        return runs
    if hasattr(runs, "read"):
        raise ParameterError("a run is given by its path, not as an open file.")
    return list(runs)


def _nested(frame: pl.DataFrame, column: str, kind: type) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for topic, document, value in frame.select("topic", "document", column).iter_rows():
        nested.setdefault(topic, {})[document] = kind(value)
    return nested
