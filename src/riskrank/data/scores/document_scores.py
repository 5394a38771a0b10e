"""Scores of feature data's documents from outside: a feature, a file of scores, or a TREC run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.feature import Feature
from riskrank.data.scores.score_files import read_score_file
from riskrank.errors import AlignmentError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.data.trec.runs import Run
    from riskrank.typing import Floats, Integers, PathLike, ScoresLike


def scores_of(source: PathLike | Feature, data: RankingData) -> Floats:
    """The scores that a feature, a file of scores or a run's file stand for; −inf: the run lacks the document."""
    if isinstance(source, Feature):
        return source.scores(data)
    feature = Feature.meant_by(os.fspath(source))
    if feature is not None:
        return feature.scores(data)
    if is_run_file(source):
        from riskrank.data.trec.runs import read_run

        return run_scores(read_run(source), data)
    return read_score_file(source, data)


def system_scores(system: ScoresLike, data: RankingData, *, name: str) -> Floats:
    """The scores of a system in any of the forms that go with feature data; −inf: it did not retrieve the document."""
    if isinstance(system, str | os.PathLike | Feature):
        return scores_of(system, data)
    return checked_scores(system, data, name=name, may_lack=True)


def run_scores(run: Run, data: RankingData) -> Floats:
    """A run's ranks, by trec_eval's rules, as scores; documents that it lacks get −inf."""
    scores = ranks_as_scores(run, data.query_ids, data.query_numbers, data.ids)
    if not np.isfinite(scores).any():
        known = "" if data.document_ids is not None else " (without ids in the data, they are numbered from 1)"
        raise AlignmentError(f"run {quoted(run.name)} and the data have no document in common{known}.")
    return scores


def ranks_as_scores(
    run: Run, query_ids: Sequence[str], query_numbers: Integers, document_ids: NDArray[np.object_]
) -> Floats:
    """The same for documents of queries by number, of which the run may have none."""
    import polars as pl

    from riskrank.data.trec.ranked_documents import ranked_documents

    documents = pl.DataFrame({"topic": query_numbers, "document": pl.Series(document_ids.tolist(), dtype=pl.String)})
    ranked = ranked_documents(run, tuple(query_ids))
    rank = documents.join(ranked, on=["topic", "document"], how="left", maintain_order="left")["rank"]
    scores: Floats = -rank.cast(pl.Float64).fill_null(np.inf).to_numpy()
    return scores


def is_run_file(path: PathLike) -> bool:
    """A run has five or six fields on a line, or is a table of documents; a file of scores has one or three fields."""
    from riskrank.data.files import read_head
    from riskrank.data.tables.document_tables import is_document_table

    if is_document_table(path):
        return True
    for line in read_head(path).split(b"\n"):
        if line.strip():
            return len(line.split()) > 3
    return False


def checked_scores(scores: ArrayLike, data: RankingData, *, name: str, may_lack: bool = False) -> Floats:
    """A finite number for each document; or −inf, where a source may lack documents."""
    try:
        score = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError(f"scores of system {quoted(name)} must be numbers, one per document.") from None
    if score.shape != (data.n_documents,):
        raise AlignmentError(
            f"system {quoted(name)} needs a score for each of the {data.n_documents} documents, "
            f"got shape {score.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(score) & ~(may_lack & (score == -np.inf)))
    if len(bad):
        raise AlignmentError(
            f"scores of system {quoted(name)} must be finite, got {score[bad[0]]} for document {bad[0] + 1}."
        )
    return score
