"""What weights of queries and documents do to gradients, and which objectives know them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.typing import Floats


def gradient_weights(data: RankingData) -> Floats | None:
    """What each document's gradient is multiplied by: its query's weight times its own; None where all are 1.

    Weights of queries have a mean of 1 here, and so have those of documents: how large all of them are changes neither
    what engines regularise nor how fast nets learn.
    """
    queries, documents = data.relative_query_weights, data.relative_document_weights
    if queries is None:
        return documents
    of_query = data.own(queries)[data.query_numbers]
    return of_query if documents is None else np.asarray(of_query * documents)


def check_knows_weights(objective: Objective) -> None:
    """Refuse weights where an objective of somebody else would not hear of them."""
    for name in ("prepare", "churn_value" if objective.with_churn else "value"):
        if "weights" not in inspect.signature(getattr(objective, name)).parameters:
            kind = type(objective).__name__
            raise ParameterError(f"{kind} knows no weights: let its {name} take weights=None, or leave weights out.")
