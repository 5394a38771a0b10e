"""The checks of a budget."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError, counted, p_text
from riskrank.risk.budget.check import SLACK, Check, keeps, sureness_of
from riskrank.risk.budget.weighted_changes import WeightedChanges
from riskrank.risk.inference.mirror_shift import GAIN
from riskrank.risk.inference.shares import wilson
from riskrank.risk.inference.unseen_losses import risk_interval, urisk_interval
from riskrank.risk.paired import tradeoff
from riskrank.risk.trisk import trisks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.risk.budget.budget import Budget
    from riskrank.risk.budget.check import CheckName
    from riskrank.risk.intervals import Interval
    from riskrank.risk.trisk import TRisk
    from riskrank.typing import Booleans

MOST_TOPICS = 1_000_000


def check_budget(
    system: ArrayLike,
    baseline: ArrayLike,
    budget: Budget,
    *,
    weights: ArrayLike | None = None,
    accepted: ArrayLike | None = None,
    unit: str = "topic",
) -> list[Check]:
    """Check each limit of a budget; without any, those of `DEFAULT_BUDGET`.

    Parameters
    ----------
    system, baseline
        Effectiveness on each topic, in the same order.
    budget
        The limits.
    weights
        How much each topic counts in shares and means, its traffic, say; a single topic's loss is not weighed.
    accepted
        Topics whose loss is known and accepted, as truth values: it counts in the mean change only.
    unit
        What a topic is called.

    >>> from riskrank.risk import Budget
    >>> checks = check_budget([0.6, 0.1], [0.5, 0.4], Budget(max_risk=0.1))
    >>> checks[0].holds, round(checks[0].value, 3), checks[0].topics
    (False, 0.15, (1,))
    """
    changes = all_changes = WeightedChanges.of(system, baseline, weights)
    if accepted is not None:
        changes = all_changes.without(np.asarray(accepted, dtype=bool))
    return _Checks(changes, all_changes, budget.or_default(), unit).all()


@dataclass(frozen=True)
class _Checks:
    """Checks of losses see `changes`, where accepted losses are ties; those of gains see `all_changes`."""

    changes: WeightedChanges
    all_changes: WeightedChanges
    budget: Budget
    unit: str

    def all(self) -> list[Check]:
        """In the order in which budgets name them."""
        limits = self.budget
        wanted: list[tuple[float | None, Callable[[float], Check]]] = [
            (limits.max_hurt, lambda limit: self._share("hurt", limit, limits.tolerance)),
            (limits.max_severe, lambda limit: self._share("severe", limit, limits.severe_loss)),
            (limits.max_loss, self._loss),
            (limits.max_risk, self._risk),
            (limits.min_urisk, self._urisk),
            (limits.min_trisk, self._trisk),
            (math.nan if limits.no_significant_loss else None, self._significance),
            (limits.min_gain, self._gain),
            (limits.max_worse, self._worse),
        ]
        return [check(limit) for limit, check in wanted if limit is not None]

    @property
    def confidence(self) -> float:
        return 1 - self.budget.level

    @property
    def _weighted(self) -> str:
        return "weighted " if self.changes.is_weighted else ""

    @property
    def _by_weight(self) -> str:
        return " by weight" if self.changes.is_weighted else ""

    def _hurt_beyond(self, loss: float, *, weighed: bool = True) -> tuple[int, ...]:
        """The topics that lose more than this, worst first; where they are weighed, without those of no weight."""
        is_hurt = self._is_hurt(loss) if weighed else self._loses_over(loss)
        worst_first = np.argsort(self.changes.delta, kind="stable")
        return tuple(worst_first[is_hurt[worst_first]].tolist())

    def _is_hurt(self, loss: float) -> Booleans:
        return self._loses_over(loss) & (self.changes.weights > 0)

    def _loses_over(self, loss: float) -> Booleans:
        return -self.changes.delta > loss + SLACK

    def _share(self, name: CheckName, limit: float, beyond: float) -> Check:
        is_hurt = self._is_hurt(beyond)
        value, count, changes = self.changes.share(is_hurt), int(is_hurt.sum()), self.changes
        lose = f"{'loses' if count == 1 else 'lose'} more than {beyond:g}" if beyond else "hurt"
        share, most = _percents(value, limit)
        words = f"{count:,} of {counted(changes.n_topics, self.unit)} {lose} ({share}{self._by_weight}), at most {most}"
        interval = changes.share_interval(value, self.confidence)
        return replace(self._checked(name, limit, value, words, beyond=beyond, interval=interval), count=count)

    def _loss(self, limit: float) -> Check:
        loss = max(0.0, -float(self.changes.delta.min()))
        words = f"largest loss of a {self.unit} {loss:.4f}, at most {limit:g}"
        return self._checked("loss", limit, loss, words, beyond=limit)

    def _risk(self, limit: float) -> Check:
        value = float(np.maximum(-self.changes.weighted, 0.0).mean())
        words = f"{self._weighted}mean loss {value:.4f}, at most {limit:g}"
        return self._checked("risk", limit, value, words, interval=risk_interval(self.changes.mirror, self.confidence))

    def _urisk(self, limit: float) -> Check:
        alpha = self.budget.alpha
        value = float(tradeoff(self.changes.weighted, alpha).mean())
        words = f"{self._weighted}URisk {value:.4f} at α = {alpha:g}, at least {limit:g}"
        interval = urisk_interval(self.changes.mirror, alpha, self.confidence)
        return self._checked("urisk", limit, value, words, alpha=alpha, interval=interval)

    def _gain(self, limit: float) -> Check:
        value = float(self.all_changes.weighted.mean())
        words = f"{self._weighted}mean change {value:+.4f}, at least {limit:g}"
        interval = self.all_changes.mirror.interval(GAIN, self.confidence)
        return self._checked("gain", limit, value, words, interval=interval)

    def _worse(self, margin: float) -> Check:
        """Not inferior by more than a margin; the bound, not the mean, is the value that decides."""
        level, changes = self.budget.level, self.all_changes
        mean, least = float(changes.weighted.mean()), changes.least_gain(level)
        known = f"with {1 - level:.0%} confidence at least {least:+.4f}, must be at least {-margin:g}"
        words = f"{self._weighted}mean change {mean:+.4f}, {known}"
        check = self._checked("worse", -margin, least, words)
        allowance = mean + margin
        needed = None if check.holds or allowance <= 0 else changes.n_topics * ((mean - least) / allowance) ** 2
        return replace(check, confidence=1 - level, n_needed=_whole_topics(needed))

    def _trisk(self, limit: float) -> Check:
        tested = self._tested()
        if math.isnan(tested.critical_value):
            raise ParameterError(f"TRisk cannot be checked: {tested.reason}.")
        value, shown = tested.statistic, f"{tested.statistic:.3f}"
        if math.isnan(value):  # without variation the test has no statistic, but the direction is certain
            value = math.copysign(math.inf, tested.urisk) if tested.urisk else 0.0
            shown = f"undefined ({tested.reason})"
        words = f"{self._weighted}TRisk {shown} at α = {self.budget.alpha:g}, at least {limit:.3f}"
        check = self._checked("trisk", limit, value, words, alpha=self.budget.alpha)
        return replace(check, value=tested.statistic)

    def _significance(self, limit: float) -> Check:
        """A test decides: there is no limit."""
        tested = self._tested()
        holds = tested.verdict != "significant loss"
        known = tested.reason if tested.reason and holds else p_text(tested.p_mirror, named=True)
        words = f"{'no' if holds else 'a'} significant {self._weighted}loss at α = {self.budget.alpha:g}: {known}"
        topics = () if holds else self._hurt_beyond(0.0)
        return Check(
            "significance", limit, tested.urisk, holds, words, topics, alpha=self.budget.alpha,
            p_value=tested.p_mirror,
        )  # fmt: skip

    def _tested(self) -> TRisk:
        changes, budget = self.changes, self.budget
        (tested,) = trisks(
            changes.mirror, changes.delta, changes.scale, [budget.alpha], level=budget.level,
            weights=changes.own_weights,
        )  # fmt: skip
        return tested

    def _checked(
        self, name: CheckName, limit: float, value: float, words: str, *, interval: Interval | None = None,
        alpha: float = 0.0, beyond: float = 0.0,
    ) -> Check:  # fmt: skip
        """A check of a value against its limit; with an interval, how sure it is."""
        changes = self.all_changes if name == "gain" else self.changes
        check = Check(name, limit, value, False, words, (), alpha=alpha, beyond=beyond)
        holds = keeps(value, limit, is_upper=check.is_upper)
        if interval is not None:
            if not changes.mirror.n_changed:  # nothing is lost or gained: nothing is left open
                interval = (value, value)
            sureness = sureness_of(value, limit, interval, is_upper=check.is_upper)
            check = replace(check, interval=interval, confidence=self.confidence, sureness=sureness)
            check = replace(check, n_needed=None if check.is_sure else self._needed(check))
            if holds and self.budget.strict and not check.is_sure:
                holds, check = False, replace(check, words=f"{words}, but not surely")
        return replace(check, holds=holds, topics=() if holds else self._hurt_beyond(beyond, weighed=name != "loss"))

    def _needed(self, check: Check) -> int | None:
        """Topics that would make an interval end at the limit, if the value stayed what it is."""
        distance, n_topics = abs(check.value - check.limit), self.changes.n_topics
        if check.sureness == "not known" or distance <= SLACK:
            return None
        if check.name in ("hurt", "severe"):
            return _needed_for_share(check.value, check.limit, self.confidence, n_topics / self.changes.n_effective)
        end = check.interval[int(check.limit > check.value)]
        return _whole_topics(n_topics * (abs(end - check.value) / distance) ** 2)


def _needed_for_share(value: float, limit: float, confidence: float, design: float) -> int | None:
    """By bisection; `design` topics tell as much as one of equal weight."""
    side = int(limit > value)

    def is_enough(n: float) -> bool:
        end = wilson(value * n, n, confidence)[side]
        return end <= limit if side else end > limit

    low, high = 1.0, float(MOST_TOPICS)
    if not is_enough(high):
        return None
    while high > low * 1.01 + 0.5:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return _whole_topics(high * design)


def _whole_topics(needed: float | None) -> int | None:
    return None if needed is None or not needed <= MOST_TOPICS else math.ceil(needed)


def _percents(value: float, limit: float) -> tuple[str, str]:
    """Both in percent, as exactly as it takes to tell them apart.

    >>> _percents(0.25, 0.2), _percents(0.0502, 0.05)
    (('25.0%', '20.0%'), ('5.02%', '5.00%'))
    """
    pairs = ((f"{value:.{n}%}", f"{limit:.{n}%}") for n in range(1, 6))
    return next((pair for pair in pairs if pair[0] != pair[1]), (f"{value:.1%}", f"{limit:.1%}"))
