"""A measure bound to data: the effectiveness of every query under changing scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from riskrank.kernels.state import KernelCall, MeasureArrays, RankedOrder

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures import Measure
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.typing import Floats


@dataclass(frozen=True, eq=False)
class BoundMeasure:
    """A measure on some data: its swap deltas, and its values.

    Values are means over the orders of documents with tied scores, as in an evaluation; or, unless it `averages_ties`,
    those of the order of the data. Measures whose mean over ties is not known have only the latter.
    """

    measure: Measure
    deltas: SwapDeltas
    averages_ties: bool = True

    @classmethod
    def of(cls, measure: Measure, data: RankingData) -> BoundMeasure:
        """A measure that averages ties, unless documents were presented in the order of the data."""
        return cls(measure, measure.swap_deltas(data), averages_ties=not data.is_presented)

    def in_order(self) -> BoundMeasure:
        """The same with tied documents in the order of the data."""
        return replace(self, averages_ties=False) if self.averages_ties else self

    @property
    def knows_ties(self) -> bool:
        """Can kernels tell the mean over ties?"""
        return self.deltas.is_positional or self.deltas.tied_value is not None

    def filling(self, order: RankedOrder, values: Floats) -> KernelCall:
        """What puts the values of queries that were ordered into an array."""
        from riskrank.kernels.positional import positional_values
        from riskrank.kernels.ranked import ranked_values

        arrays = measure_arrays(self.deltas)
        if self.deltas.is_positional:
            return KernelCall(positional_values, (order, arrays, self.averages_ties, values))
        kernel = ranked_values(self.deltas.value, self.deltas.tied_value if self.averages_ties else None)
        return KernelCall(kernel, (order, arrays, values))


def measure_arrays(deltas: SwapDeltas) -> MeasureArrays:
    """A measure as kernels take it."""
    return MeasureArrays(deltas.gains, deltas.discounts, deltas.norm, deltas.work_rows)
