"""What predictors of queries are, in words that a reader of a page knows."""

from __future__ import annotations

from riskrank.data.feature import feature_number
from riskrank.errors import one_line

OF_A_FEATURE = {
    "max": "largest",
    "min": "smallest",
    "mean": "mean",
    "deviation": "spread of",
    "entropy": "entropy of",
}
OTHERS = {
    "margin": "the margin of its first document",
    "agreement": "its agreement with the baseline",
    "gain": "its predicted gain",
}


def predictor_words(name: str) -> str:
    """A predictor of `riskrank sweep --select`; others by their names.

    >>> predictor_words("max feature:1"), predictor_words("margin"), predictor_words("mine")
    ("the query's largest feature 1", 'the margin of its first document', 'mine')
    """
    how, _, rest = name.partition(" ")
    number = feature_number(rest)
    if how in OF_A_FEATURE and number is not None:
        return f"the query's {OF_A_FEATURE[how]} feature {number}"
    return OTHERS.get(name, one_line(name))
