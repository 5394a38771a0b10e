"""For test suites: a test that fails when a ranking hurts more queries than it may.

::

    def test_the_new_ranking_may_be_released():
        assert_no_regression("judgments.csv", "candidate.run", "production.run", budget="budget.toml")
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ParamSpec, cast

from riskrank.assessment.gating.gate import gate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["assert_no_regression"]

Options = ParamSpec("Options")


def _with_parameters_of(
    model: Callable[Options, object],
) -> Callable[[Callable[..., None]], Callable[Options, None]]:
    """Let a function take what another one takes, for type checkers, editors and `help`."""

    def signed(function: Callable[..., None]) -> Callable[Options, None]:
        signature = inspect.signature(model).replace(return_annotation="None")
        cast("Any", function).__signature__ = signature
        return function

    return signed


@_with_parameters_of(gate)
def assert_no_regression(*systems: Any, **options: Any) -> None:
    """Pass in silence where `riskrank.gate` passes, or else raise an AssertionError with its checklist.

    All parameters are those of `riskrank.gate`: judgments, candidate, baseline, measure; budget and every limit;
    segments, weights and the rest. Input that does not fit raises `riskrank.RiskrankError`, as it does there.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.4, 0.9]})
    >>> assert_no_regression(scores, "new", "old", max_loss=0.1)
    >>> assert_no_regression(scores, "old", "new", max_loss=0.1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: FAIL  old may not replace new (score, 3 topics)
    ...
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    result = gate(*systems, **options)
    if not result.passed:
        raise AssertionError(repr(result))
