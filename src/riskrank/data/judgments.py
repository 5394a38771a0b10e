"""Judgments in the forms that users have them: qrels, or feature data, whose labels judge systems just as well."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from riskrank.data.files import read_head
from riskrank.data.letor.reader import read_letor
from riskrank.data.names import looks_like_letor

if TYPE_CHECKING:
    from riskrank.typing import JudgmentsLike


def read_if_letor(judgments: JudgmentsLike, *, zero_based: bool = False) -> JudgmentsLike:
    """The feature data of a LETOR file (`zero_based`: its features count from 0); anything else as it is.

    >>> read_if_letor({"7": {"a": 2, "b": 0}})
    {'7': {'a': 2, 'b': 0}}
    """
    if isinstance(judgments, str | os.PathLike) and looks_like_letor(read_head(judgments)):
        return read_letor(judgments, zero_based=zero_based)
    return judgments
