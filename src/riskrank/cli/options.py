"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum


class Missing(StrEnum):
    """What becomes of topics that a system did not answer."""

    zero = "zero"
    intersect = "intersect"
    error = "error"


class Rows(StrEnum):
    """What the rows of a score matrix are."""

    auto = "auto"
    topics = "topics"
    systems = "systems"


JUDGMENTS_HELP = (
    "Relevance judgments: TREC qrels, or a LETOR file with labels; "
    "or a .csv, .tsv or .parquet matrix of per-topic scores."
)
