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


def numbers_from(texts: list[str], option: str) -> list[float]:
    """Numbers between commas, of an option that may be repeated."""
    from riskrank.errors import ParameterError, quoted

    found = []
    for text in texts:
        for part in text.split(","):
            try:
                found.append(float(part))
            except ValueError:
                raise ParameterError(f"{option} takes numbers like 0,1,5,10, got {quoted(text)}.") from None
    return found
