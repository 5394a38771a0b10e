"""Feature data among the forms that judgments have: its labels judge systems as qrels do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from riskrank.data.files import read_head
from riskrank.data.names import looks_like_letor

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import JudgmentsLike


def read_feature_data(judgments: JudgmentsLike, *, zero_based: bool = False) -> RankingData | None:
    """Feature data, or that of a LETOR file (`zero_based`: its features count from 0); None for qrels.

    >>> read_feature_data({"7": {"a": 2, "b": 0}}) is None
    True
    """
    if isinstance(judgments, str | os.PathLike):
        if not looks_like_letor(read_head(judgments)):
            return None
        from riskrank.data.letor.reader import read_letor

        return read_letor(judgments, zero_based=zero_based)
    from riskrank.data.ranking_data import RankingData

    return judgments if isinstance(judgments, RankingData) else None
