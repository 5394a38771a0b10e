"""From TREC runs and judgments to rankings with grades."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from riskrank.cores import in_order, usable_cores
from riskrank.data.frames import is_frame
from riskrank.data.trec.qrels import read_qrels
from riskrank.data.trec.ranked_documents import RankedRows, ranked_rows, topic_numbers
from riskrank.data.trec.runs import Run, is_run_dict, named_runs, read_run
from riskrank.data.trec.trec_lines import PAIR_HASH
from riskrank.errors import AlignmentError, ParameterError, listing, quoted
from riskrank.measures.ranking import Judgments, RankedSystem, RankedSystems, Ranking

if TYPE_CHECKING:
    from riskrank.typing import Floats, Integers, QrelsLike, SystemsLike


def rank_runs(qrels: QrelsLike, runs: SystemsLike) -> RankedSystems:
    """Rank the documents of each run, given as `evaluate` takes them, and look up their grades."""
    judged = read_qrels(qrels)
    topics = judged.topics
    topic = topic_numbers(judged.frame["topic"], topics)
    judgments = Judgments.sorted(topics, topic, judged.frame["grade"].to_numpy(), source="qrels")
    grades = judged.frame.select(
        PAIR_HASH, "grade", pl.Series("judged_topic", topic), judged_document="document"
    ).filter(pl.col("grade") >= 0)
    nested_grades = cache(lambda: _nested(judged.frame, "grade", int))
    named = named_runs(_by_name_or_listed(runs))

    def ranked(name: str) -> RankedSystem:
        run = read_run(named[name], name=name)
        ranking = _rank_run(run, grades, judgments)
        return RankedSystem(name, ranking, lambda: (nested_grades(), _nested(run.frame, "score", float)))

    return RankedSystems(judgments, tuple(named), in_order(ranked, named, usable_cores()))


def _rank_run(run: Run, grades: pl.DataFrame, judgments: Judgments) -> Ranking:
    ranked = ranked_rows(run, judgments.topics)
    if not len(ranked.topic):
        raise _nothing_in_common(run, judgments.topics)
    retrieved = np.bincount(ranked.topic, minlength=judgments.n_topics)
    row, grade = _judged_rows(ranked, grades)
    topic, rank = ranked.topic[row], ranked.rank[row]
    order = np.argsort(topic * len(ranked.topic) + rank)  # faster than by two keys
    return Ranking(judgments, topic[order], rank[order], grade[order], retrieved, ranked.tied)


def _judged_rows(ranked: RankedRows, grades: pl.DataFrame) -> tuple[Integers, Floats]:
    """The rows with a grade, and these."""
    # Hashes are joined several times faster than texts, which are compared afterwards: most documents are not judged.
    rows = ranked.frame.select(PAIR_HASH, "document", pl.Series("topic", ranked.topic)).with_row_index("row")
    same = (pl.col("document") == pl.col("judged_document")) & (pl.col("topic") == pl.col("judged_topic"))
    judged = rows.join(grades, on="pair").filter(same)
    return judged["row"].to_numpy(), judged["grade"].to_numpy()


def _nothing_in_common(run: Run, topics: tuple[str, ...]) -> AlignmentError:
    theirs = run.frame["topic"].unique(maintain_order=True)
    lowered = {topic.lower() for topic in topics}
    is_case = any(topic.lower() in lowered for topic in theirs)
    hint = " They differ in capital letters: write both alike." if is_case else ""
    return AlignmentError(
        f"run {quoted(run.name)} and the qrels have no topic in common: "
        f"run {listing(theirs, limit=3)}; qrels {listing(topics, limit=3)}.{hint}"
    )


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
