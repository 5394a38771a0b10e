"""Topics in segments, each with checks of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import plural
from riskrank.risk.budget.check_budget import check_budget

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.risk.budget.budget import Budget
    from riskrank.risk.budget.check import Check
    from riskrank.typing import Booleans, Floats, Integers

WITHOUT = "(no segment)"
POOLED = "(small segments)"


@dataclass(frozen=True)
class Segment:
    """Some topics, by their positions, and their checks; `pooled` are the names of small segments in it.

    With limits of its own (`has_budget`) the value decides. Those of all topics it breaks only where that is sure:
    among many segments some stray by chance. Where it has no checks, `unchecked` says why.
    """

    name: str
    positions: tuple[int, ...]
    checks: tuple[Check, ...]
    has_budget: bool = False
    pooled: tuple[str, ...] = ()
    unchecked: str = ""


@dataclass(frozen=True)
class _Group:
    name: str
    positions: Integers
    pooled: tuple[str, ...] = ()


def group_topics(
    topics: Sequence[str], names: Mapping[str, str], *, fewest: int, own: Sequence[str] = ()
) -> list[_Group]:
    """The topics of each segment, largest first; small ones are one group, unless they have limits of their `own`."""
    labels = np.array([names.get(topic) or WITHOUT for topic in topics], dtype=object)
    groups = [_Group(name, np.flatnonzero(labels == name)) for name in sorted(set(labels))]
    large = [each for each in groups if len(each.positions) >= fewest or each.name in own]
    small = [each for each in groups if len(each.positions) < fewest and each.name not in own]
    large.sort(key=lambda each: (-len(each.positions), each.name))
    if len(small) == 1:
        return [*large, *small]
    if small:
        positions = np.sort(np.concatenate([each.positions for each in small]))
        return [*large, _Group(POOLED, positions, tuple(each.name for each in small))]
    return large


@dataclass(frozen=True)
class CheckedSegments:
    """What all segments have in common, and their checks."""

    system: Floats
    baseline: Floats
    limits: Budget
    by_segment: Mapping[str, Budget]
    weights: Floats | None
    accepted: Booleans
    fewest: int
    unit: str

    def segments(self, groups: Sequence[_Group]) -> tuple[Segment, ...]:
        """Each group, checked; confidence is corrected for their number, after Bonferroni."""
        n_checked = sum(not self._why_unchecked(group) for group in groups)
        return tuple(self._segment(group, n_checked) for group in groups)

    def _limits(self, group: _Group) -> Budget:
        return self.by_segment.get(group.name, _inherited(self.limits))

    def _why_unchecked(self, group: _Group) -> str:
        if group.name not in self.by_segment and len(group.positions) < self.fewest:
            return "too few to check"
        if group.name not in self.by_segment and len(group.positions) == len(self.system):
            return (
                f"{'each too small to check; together ' if group.pooled else ''}all {plural(self.unit)}, checked above"
            )
        if self.weights is not None and not self.weights[group.positions].any():
            return "without weight, not checked"
        return "no limit for segments" if self._limits(group).is_empty else ""

    def _segment(self, group: _Group, n_checked: int) -> Segment:
        at, has_budget, why = group.positions, group.name in self.by_segment, self._why_unchecked(group)
        if why:
            return Segment(group.name, tuple(at.tolist()), (), has_budget, group.pooled, why)
        limits, weights = self._limits(group), None if self.weights is None else self.weights[at]
        checks = check_budget(
            self.system[at], self.baseline[at], replace(limits, level=limits.level / n_checked), weights=weights,
            accepted=self.accepted[at], unit=self.unit,
        )  # fmt: skip
        placed = [replace(check, topics=tuple(at[list(check.topics)].tolist())) for check in checks]
        kept = placed if has_budget else [_if_sure(check) for check in placed]
        return Segment(group.name, tuple(at.tolist()), tuple(kept), has_budget, group.pooled)


def _inherited(limits: Budget) -> Budget:
    """The limits of all topics as far as they say something of a part: shares and means."""
    return replace(limits, max_loss=None, min_trisk=None, max_worse=None, strict=False)


def _if_sure(check: Check) -> Check:
    """Broken only where that is sure."""
    if check.holds or check.sureness in (None, "clearly over"):
        return check
    return replace(check, holds=True, topics=())
