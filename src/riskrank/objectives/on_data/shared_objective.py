"""An objective bound to a share of data: each worker ranks its own queries, and all know what all queries are like."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.kernels.state import TargetState
from riskrank.objectives.on_data.bound_objective import BoundObjective, Gradients, QueryValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.shards.data_share import DataShare
    from riskrank.kernels.state import GradientArrays
    from riskrank.objectives.on_data.bound_measure import BoundMeasure
    from riskrank.typing import Floats

DOUBLE_BITS = 53  # whole numbers up to 2 to this power are exact as doubles, and so are their sums


class SharedObjective(BoundObjective):
    """As `BoundObjective`, where `data` are a `DataShare`: values, baselines' values and weights are of all queries,
    gradients of the documents here.

    All workers have the same vectors, so they come to the same means, quantiles and states, to the last bit. Gradients
    are rounded to a grid that all have in common, on which their sums are exact: in any order, over any workers.
    """

    data: DataShare

    def gradients(self, scores: Floats) -> Gradients:
        values = self.query_values(scores)
        effectiveness, baseline, state, training = self.target_state(values)
        own = self.data.own
        here = TargetState(own(effectiveness), own(baseline), own(state), training)
        self._pairs.fill(scores, here, self._out)
        round_to_common_grid(self._out, self.data)
        return Gradients(*self._out, values)

    def query_values(self, scores: Floats) -> QueryValues:
        here = super().query_values(scores)
        if here.reported is here.trained:
            return self.values_as_kept(*[self.data.everywhere(here.reported)] * 2)
        return QueryValues(*self.data.everywhere(np.stack(here)))

    def values(self, scores: Floats) -> Floats:
        return self.data.everywhere(super().values(scores))

    def _baseline_values(self, baselines: Sequence[BaselineScores], bound: BoundMeasure) -> Floats:
        return self.data.everywhere(super()._baseline_values(baselines, bound))


def round_to_common_grid(arrays: GradientArrays, data: DataShare) -> None:
    """Make numbers multiples of a power of two, so coarse that the sum of all documents' is exact as a double.

    A power of two above the largest number, over 2 to as many bits as 53 leave when the number of documents has taken
    its own: 33 for a million documents. Single floats have 24, so only numbers far below the largest are changed.
    """
    n_bits = DOUBLE_BITS - math.ceil(math.log2(max(data.n_documents_in_all, 2)))
    peaks = np.array([np.abs(array).max(initial=0.0) for array in arrays], np.float64)
    for array, peak in zip(arrays, data.largest(peaks).tolist(), strict=True):
        if 0 < peak < math.inf:
            grid = math.ldexp(1.0, math.frexp(peak)[1] - n_bits)
            array[:] = np.rint(array.astype(np.float64) / grid) * grid
