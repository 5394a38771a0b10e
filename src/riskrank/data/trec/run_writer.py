"""Runs as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError, first_duplicate, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats


def check_finite_scores(data: RankingData, scores: Floats, *, may_lack: bool = False) -> None:
    """Refuse scores that nobody can read again; −inf is a document that was not retrieved, where it `may_lack`."""
    wrong = np.flatnonzero(~np.isfinite(scores) & ~(may_lack & (scores == -np.inf)))
    if len(wrong):
        row = int(wrong[0])
        query = data.query_ids[int(np.searchsorted(data.query_offsets, row, side="right")) - 1]
        where = f"query {quoted(query)}, document {quoted(str(data.ids[row]))}"
        raise AlignmentError(f"{where}: the score must be a finite number, got {scores[row]}.")


def run_lines(data: RankingData, scores: Floats, *, tag: str, depth: int | None = None) -> Iterator[str]:
    """The lines of a TREC run: ``query Q0 document rank score tag``, best first.

    Equal scores would be reordered by whoever reads the run, so ranks follow trec_eval's rule: score descending, then
    document id descending, both as trec_eval holds them (scores in single precision). Where ids hold blanks, as queries
    that are known by their words do, tabs stand between the fields.
    """
    check_finite_scores(data, scores, may_lack=True)
    ids = list(map(str, data.ids.tolist()))
    with np.errstate(over="ignore"):  # what is too large is infinite there
        held = scores.astype(np.float32).tolist()
    label = "_".join(tag.split()) or "riskrank"
    odd = [name for name in map(str, (*data.query_ids, *ids)) if name.split() != [name]]
    broken = next((name for name in odd if not name.strip() == name != "" or re.search(r"[^\S ]", name)), None)
    if broken is not None:
        reason = "is empty, or has a tab, a line break or blanks around it; a run cannot hold it."
        raise AlignmentError(f"the name {quoted(broken)} {reason}")
    has_blanks, *_ = data.largest(np.array([bool(odd), not odd], float))  # elsewhere, if the data are a share
    gap = "\t" if has_blanks else " "
    for q, query in enumerate(data.query_ids):
        rows = slice(data.query_offsets[q], data.query_offsets[q + 1])
        twice = first_duplicate(ids[rows])
        if twice is not None:
            raise AlignmentError(
                f"document {quoted(twice)} stands twice for query {quoted(query)}; a run cannot hold it."
            )
        known = zip(held[rows], ids[rows], scores[rows].astype(np.float64).tolist(), strict=True)
        best_first = sorted((each for each in known if each[2] > -np.inf), reverse=True)
        for rank, (_, name, score) in enumerate(best_first[:depth], start=1):
            yield gap.join((query, "Q0", name, str(rank), repr(score), label))
