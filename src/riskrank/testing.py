"""For test suites: a test that fails when a ranking hurts more queries than it may.

::

    def test_the_new_ranking_may_be_released():
        assert_no_regression("judgments.csv", "candidate.run", "production.run", budget="budget.toml")
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, ParamSpec

from riskrank.assessment.gating.gate import gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.assessment.gating.gate_result import GateResult

__all__ = ["assert_no_regression"]

Parameters = ParamSpec("Parameters")


def _assertion(judge: Callable[Parameters, GateResult]) -> Callable[Parameters, None]:
    """A function that takes what a gate takes, for type checkers, editors and `help`, too."""

    def assert_no_regression(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        """Pass in silence where `riskrank.gate` passes, or else raise an AssertionError with its checklist.

        All parameters are those of `riskrank.gate`: judgments, candidate, baseline, measure; budget and every limit;
        segments, weights and the rest. Input that does not fit raises `riskrank.RiskrankError`, as it does there.

        >>> from riskrank import Effectiveness
        >>> scores = Effectiveness.from_rows({"old": [0.5] * 30, "new": [0.6] * 30})
        >>> assert_no_regression(scores, "new", "old", max_loss=0.05)
        >>> assert_no_regression(scores, "old", "new", max_loss=0.05)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        AssertionError: FAIL  old must not replace new (score, 30 topics)
        ...
        """
        __tracebackhide__ = True  # pytest shows the caller's line
        result = judge(*args, **kwargs)
        if not result.passed:
            raise AssertionError(repr(result))

    signature = inspect.signature(judge).replace(return_annotation="None")
    vars(assert_no_regression)["__signature__"] = signature  # which `help` reads
    assert_no_regression.__qualname__ = assert_no_regression.__name__
    return assert_no_regression


assert_no_regression = _assertion(gate)
