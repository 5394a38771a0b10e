"""What the pair kernels see: the ranking, the measure, and the state that a target weighs a swap by.

Named tuples of arrays and numbers, so that a kernel takes a handful of arguments and reads each by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from riskrank.typing import Floats, Integers


class KernelCall(NamedTuple):
    """A loop over queries: it takes their numbers and the scores of all documents, then these arguments."""

    kernel: Callable[..., None]
    arguments: tuple[Any, ...]

    def __call__(self, queries: Integers, scores: Floats) -> None:
        """Run it for some queries."""
        self.kernel(queries, scores, *self.arguments)


class Query(NamedTuple):
    """A query under the current scores: its effectiveness, the baseline's, and a number of the target's own."""

    effectiveness: float
    baseline: float
    state: float


class TrainingState(NamedTuple):
    """All queries under the current scores; d is effectiveness minus the baseline's."""

    alpha: float
    n_queries: float
    mean_difference: float  # of d
    deviation: float  # the sample standard deviation of d


class RankedOrder(NamedTuple):
    """Queries in the order of their scores: query q holds the documents ``offsets[q]:offsets[q + 1]``.

    Its ranks are ``starts[q]:starts[q + 1]`` (perhaps only the first ones); `positions` tells which document stands
    there, counted within the query.
    """

    offsets: Integers
    starts: Integers
    positions: NDArray[np.int32]


class MeasureArrays(NamedTuple):
    """A measure on data: a gain per document, a discount per rank, a norm per query, and rows of scratch space."""

    gains: Floats
    discounts: Floats
    norm: Floats
    work_rows: int


class Slots(NamedTuple):
    """A slot for every document, such that each query's documents of equal gain stand together, best first.

    Query q has the slots ``begins[q]:begins[q + 1]``; `slot` is each document's, counted within its query. Better
    documents have slots below ``better``, worse ones from ``worse`` on. `gains` has a number per slot: some are
    padding that no document has.
    """

    begins: Integers
    slot: NDArray[np.int32]
    better: NDArray[np.int32]
    worse: NDArray[np.int32]
    gains: Floats


class TargetState(NamedTuple):
    """What a target needs to know: of each query its effectiveness, baseline and own state; and of all together."""

    effectiveness: Floats
    baseline: Floats
    state: Floats
    training: Any  # a named tuple of numbers: TrainingState, or an objective's own


class PairOptions(NamedTuple):
    """How pairs count: the slope of the logistic, whether sums are normalised, and down to which rank."""

    sigma: float
    is_normalised: bool
    depth: int


class GradientArrays(NamedTuple):
    """Where the results go: a number per document each."""

    gradient: NDArray[Any]
    hessian: NDArray[Any]
