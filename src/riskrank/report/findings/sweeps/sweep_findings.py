"""The findings of a sweep: which model to use how often, what that keeps of the gain, and what each step costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from riskrank.report.findings.digits import RISK_DIGITS, Digits, digits_for, risk_text
from riskrank.report.findings.sweeps.budget_fit import (
    budget_states,
    controlled,
    model_losses,
    not_shown_to_fit,
    tested_queries,
)
from riskrank.report.findings.sweeps.model_words import (
    if_losses_weigh_double,
    kept_text,
    model_name,
    point_name,
    risked_text,
)
from riskrank.report.findings.sweeps.shown_gains import (
    LEVEL,
    expected_changes,
    gains_less,
    has_gain,
    is_gain,
    is_significant,
    leading_model,
    risks_less,
)
from riskrank.report.findings.words import Word, Words, counted, joined, short_name, words
from riskrank.risk.inference.mirror_shift import GAIN
from riskrank.risk.inference.multiple_testing import CORRECTIONS
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from riskrank.risk.intervals import Interval
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

ASK_FOR_A_BUDGET = "For a guarantee, give a budget (--budget)."


@dataclass(frozen=True)
class ModelFinding:
    """A model of a sweep, or a point between it and the baseline; shares are of the reference model's."""

    name: str
    label: str  # the name where a column's title says the parameter
    gain: float
    interval: Interval
    gain_kept: float
    risk: float
    risk_kept: float
    hurt: float  # queries, by expectation
    large_losses: int | None  # not counted where a coin decides
    budget: str  # fits, unclear, over, chosen; empty without a guarantee


@dataclass(frozen=True)
class SweepFindings:
    """What is said first, beside it, of the steps and of the guarantee, and the models in numbers."""

    headline: Words
    beside: Words
    step: str
    guarantee: str
    digits: Digits
    models: tuple[ModelFinding, ...]


def sweep_findings(sweep: Sweep, point: OperatingPoint | None = None) -> SweepFindings:
    """What is said of a sweep, and of the point that was chosen."""
    say, gains = _SweepSentences(sweep, point), has_gain(sweep)
    if point is not None and point.index is None:
        headline, beside = say.keep_baseline(point), words(point.why)
    elif point is not None:
        headline, beside = say.use(point), say.beside_point(point)
    else:
        headline, beside = (say.kept(), say.beside_kept()) if gains else (say.without_gain(), say.beside_no_gain())
    step = say.step() if gains else ""
    return SweepFindings(headline, beside, step, say.guarantee(), say.digits, tuple(say.models()))


@dataclass(frozen=True)
class _SweepSentences:
    sweep: Sweep
    point: OperatingPoint | None

    @cached_property
    def digits(self) -> Digits:
        """By the usual standard error of a gain."""
        delta = self.sweep.test.weighted_changes
        return digits_for(delta.std(axis=1) / math.sqrt(max(delta.shape[1], 1)))

    @property
    def _reference(self) -> int:
        return self.sweep.reference_model

    @property
    def _chosen(self) -> OperatingPoint | None:
        return self.point if self.point is not None and self.point.index is not None else None

    def label(self, index: int) -> str:
        """A model in a sentence."""
        return model_name(self.sweep, index)

    def use(self, point: OperatingPoint) -> Words:
        """The point to use, what it gains, and what is promised of it."""
        changes = expected_changes(point)
        gained = self._gain(point.gain, changes)
        drawn = "" if point.predictor is not None or point.probability == 1 else ", drawn at random"
        name = Word(point_name(point), "strong")
        if is_gain(point):
            return words("Use ", name, f"{drawn}: it gains ", gained, f", {self._promise(point)}.")
        does = "loses" if point.gain < 0 and is_significant(self.sweep.test, changes) else "is not shown to gain"
        changed = f"It changes {self.sweep.measure} by {self.digits.gain(point.gain)}{self._changes_interval(changes)}"
        what = words(f"Keep {self._baseline}: ", name, drawn, "," if drawn else "", f" {does}.")
        return joined(what, words(f"{changed}, {self._promise(point)}."))

    def beside_point(self, point: OperatingPoint) -> Words:
        """What the point keeps of the reference model, and how many queries it hurts."""
        beyond = "" if point.hurt_beyond is None else f" by more than {point.hurt_beyond:g}"
        hurts = f"hurts {point.hurt:.0%} of queries{beyond}"
        why = joined(self._not_shown_to_fit(point), words(point.why if point.control is None else ""))
        if is_gain(point):
            why = joined(self._if_losses_weigh_double(point.gain, point.risk), why)
        is_reference = point.index == self._reference and point.is_used_always
        if is_reference or not has_gain(self.sweep):
            return joined(words(f"It {hurts}."), why)
        kept = self._beside_reference(point.gain, point.risk, expected_changes(point))
        return joined(words(f"It {kept}, and {hurts}."), why)

    def _if_losses_weigh_double(self, gain: float, risk: float) -> Words:
        test = self.sweep.test
        is_every = len(self.sweep) > 1 and bool((test.risk > test.gain).all())
        most = int((test.gain - test.risk).argmax())
        best = self.label(most), float(test.gain[most] - test.risk[most])
        return if_losses_weigh_double(gain, risk, self.digits, is_every=is_every, best=best)

    def _not_shown_to_fit(self, point: OperatingPoint) -> Words:
        """Why what gains more within the budget, of these queries, was not chosen."""
        gain = self.sweep.test.gain
        others = [i for i in not_shown_to_fit(self.sweep, point) if i != point.index or point.predictor is not None]
        more = [i for i in others if gain[i] > point.gain]
        if not more:
            return words()
        best = max(more, key=gain.__getitem__)
        start = f"{self.label(best)} gains more on the test queries, but"
        is_over = budget_states(point)[best] == "over"
        if not is_over and best not in point.tested:
            return words(f"{start} was not tested: {self._why_not_tested(point, best)}.")
        lost, queries = model_losses(point)[best], tested_queries(point)
        if point.hurt_beyond is None:
            why = f"its mean loss on the {queries} is {risk_text(lost)}"
        else:
            why = f"{lost:.1%} of the {queries} lose more than {point.hurt_beyond:g} by it"
        why += ", over the budget" if is_over else ", but more than the budget cannot be ruled out"
        return words(f"{start} is not shown to fit the budget: {why}.")

    def _why_not_tested(self, point: OperatingPoint, model: int) -> str:
        """Tests end with the first point that is not shown to fit: another model, or this one on fewer queries."""
        if point.predictor is not None:
            return f"only uses of {self.label(self._reference)} by {self.sweep.words_of(point.predictor)} were"
        more_careful = [i for i in self.sweep.members(self.sweep.settings[model].series) if i > model]
        is_reached = all(i in point.safe for i in more_careful)
        return f"{'on fewer queries it' if is_reached else 'a more careful model'} was not shown to fit"

    def kept(self) -> Words:
        """What the model that leads keeps; of one model, what it gains."""
        leading, reference, test = leading_model(self.sweep), self._reference, self.sweep.test
        if leading == reference:
            gained = self._model_gain(reference)
            return words(Word(self.label(reference), "strong"), " gains ", gained, f" and {self._hurt(reference)}.")
        kept = self._beside_reference(float(test.gain[leading]), float(test.risk[leading]), test.changes[leading])
        return words(Word(self.label(leading), "strong"), f" {kept} and {self._hurt(leading)}.")

    def beside_kept(self) -> Words:
        """What that model gains, and the reference model."""
        leading, reference, test = leading_model(self.sweep), self.label(self._reference), self.sweep.test
        end = joined(self._if_losses_weigh_double(test.gain[leading], test.risk[leading]), words(ASK_FOR_A_BUDGET))
        if leading == self._reference:
            return end
        other = self._named_gain(self._reference, f"; {reference} gains ")
        apart = "" if gains_less(test, leading, self._reference) else "These gains cannot be told apart."
        return joined(words("It gains ", self._model_gain(leading), *other, "."), words(apart), end)

    def without_gain(self) -> Words:
        """Where the reference model is not shown to gain: the model that gains most, or that none does."""
        best = self._best
        name = Word(self.label(best), "strong")
        if self._proven[best]:
            return words(name, " gains most: ", self._model_gain(best), f", and {self._hurt(best)}.")
        if self.sweep.test.gain[best] > 0:
            who = ["No model is "] if len(self.sweep) > 1 else [name, " is not "]
            n_queries = counted(len(self.sweep.test.queries), "test query")
            return words(*who, f"shown to gain {self.sweep.measure} over {self._baseline} on {n_queries}.")
        end = f"{self._interval_text(best)}: there is nothing to trade."
        if len(self.sweep) == 1:
            return words(name, f" {self._lost(best)} {self.sweep.measure} against {self._baseline}{end}")
        none = f"No model gains {self.sweep.measure} over {self._baseline}; "
        lost = self.digits.size(float(self.sweep.test.gain[best]))
        return words(none, name, f" loses least, {lost}{end}")

    def beside_no_gain(self) -> Words:
        """What the reference model does beside a model that gains; what could be chance."""
        reference, best, test = self._reference, self._best, self.sweep.test
        if not test.gain[best] > 0:
            return ()
        if not self._proven[best]:
            which = "Its gain" if len(self.sweep) == 1 else f"The largest gain, {self.label(best)}'s"
            return words(f"{which}, ", *self._named_gain(best, ""), f", could be chance; it {self._hurt(best)}.")
        if test.gain[reference] > 0:
            other = words(f"{self.label(reference)}'s gain, ", *self._named_gain(reference, ""), ", could be chance.")
        else:
            other = words(f"{self.label(reference)} {self._lost(reference)}{self._interval_text(reference)}.")
        return joined(other, words(ASK_FOR_A_BUDGET))

    def keep_baseline(self, point: OperatingPoint) -> Words:
        """That no model is worth its risk."""
        start = f"Keep {self._baseline}"
        if point.control is None:
            return words(f"{start}.")
        if point.control.is_safe.any():
            return words(f"{start}: what is shown to stay within {point.control.budget:g} gains nothing.")
        return words(f"{start}: no model is shown to stay within {point.control.budget:g}.")

    def step(self) -> str:
        """The first step along the first series without a cost that shows, or the dearest."""
        models = self.sweep.members(self.sweep.series[0])
        test, dearest = self.sweep.test, None
        for i, j in pairwise(models):
            change = difference(test.values[j], test.values[i])
            mean_change, is_shown = float(test.weigh(change).mean()), is_significant(test, change)
            if not is_shown and risks_less(test, j, i):
                share = float(test.risk[j] / test.risk[i])
                which = "The first step" if i == models[0] else f"The step to {self.label(j)}"
                said = f"{self.label(j)} has {share:.0%} of the risk of {self.label(i)}"
                return f"{which} costs no gain that shows: {said}."
            if is_shown and mean_change < 0 and (dearest is None or mean_change < dearest[0]):
                dearest = mean_change, i, j
        if dearest is None:
            return ""
        _, i, j = dearest
        cost = self.digits.size(self.digits.difference(test.gain[j], test.gain[i]))
        less = RISK_DIGITS.difference(test.risk[i], test.risk[j])
        return f"{self.label(j)} costs {cost} of gain for {RISK_DIGITS.size(less) if less > 0 else 'no'} less risk."

    def guarantee(self) -> str:
        """What was tested, and how."""
        point = self._chosen
        if point is None or point.control is None:
            return ""
        control = point.control
        tested = f"{control.method} test on {tested_queries(point)}"
        return f"Guarantee: {controlled(point)} at most {control.budget:g} ({tested}).{self._why_not_always(point)}"

    def _why_not_always(self, point: OperatingPoint) -> str:
        """Said of a coin: what its model does on all queries that test the budget."""
        if point.control is None or point.index is None or point.predictor is not None or point.is_used_always:
            return ""
        lost, name = model_losses(point)[point.index], self.label(point.index)
        budget = point.control.budget
        over = "over it" if lost > budget else f"but more than {budget:g} cannot be ruled out"
        if point.hurt_beyond is None:
            return f" On all of them {name} loses {risk_text(lost)}, {over}."
        return f" On all of them {name} makes {lost:.1%} lose as much, {over}."

    def models(self) -> list[ModelFinding]:
        """All of them, and the point if it is none of them."""
        test, point = self.sweep.test, self._chosen
        _, losses, _, large = test.outcomes
        states = [""] * len(self.sweep) if self.point is None else budget_states(self.point)
        is_model = point is not None and point.is_used_always
        rows = []
        for i in range(len(self.sweep)):
            kept, risked = self._shares(float(test.gain[i]), float(test.risk[i]))
            is_chosen = is_model and point is not None and point.index == i
            budget = "chosen" if is_chosen else states[i]
            name = self.label(i)
            label = name.removeprefix(f"{self.sweep.settings[i].value_label.partition(' = ')[0]} = ")
            rows.append(
                ModelFinding(name, label, float(test.gain[i]), self._interval(test.changes[i]), kept,
                             float(test.risk[i]), risked, float(losses[i]), int(large[i]), budget)
            )  # fmt: skip
        if point is not None and not is_model:
            kept, risked = self._shares(point.gain, point.risk)
            name = point_name(point).removesuffix(" of queries")
            n_hurt = point.hurt * len(test.queries)
            interval = self._interval(expected_changes(point))
            label = name.removeprefix("α = ")
            rows.append(
                ModelFinding(name, label, point.gain, interval, kept, point.risk, risked, n_hurt, None, "chosen")
            )
        return rows

    @cached_property
    def _proven(self) -> list[bool]:
        """Which models are shown to gain, corrected for their number (Holm)."""
        test = self.sweep.test
        p_values = np.array([test.mirror(each).p_value(0.0) for each in test.changes])
        corrected = CORRECTIONS["holm"](np.nan_to_num(p_values, nan=1.0))
        return [bool(p <= LEVEL and gain > 0) for p, gain in zip(corrected, test.gain, strict=True)]

    @cached_property
    def _best(self) -> int:
        """The largest gain that is shown, or else the largest."""
        return max(range(len(self.sweep)), key=lambda i: (self._proven[i], self.sweep.test.gain[i]))

    def _beside_reference(self, gain: float, risk: float, changes: Floats) -> str:
        """What is kept of the reference model's gain, and of its risk."""
        kept, risked = self._shares(gain, risk)
        test = self.sweep.test
        is_more = is_significant(test, difference(changes, test.changes[self._reference]))
        return f"{kept_text(kept, self.label(self._reference), is_more=is_more)}{risked_text(risked)}"

    def _lost(self, index: int) -> str:
        gain = self.digits.gain(float(self.sweep.test.gain[index]))
        return f"loses {gain.removeprefix('−')}" if gain.startswith("−") else "gains nothing"

    def _hurt(self, index: int) -> str:
        by_weight = "" if self.sweep.test.relative_weights is None else " by weight"
        return f"hurts {float(self.sweep.test.losses(0.0)[index].mean()):.0%} of queries{by_weight}"

    def _shares(self, gain: float, risk: float) -> tuple[float, float]:
        test, reference = self.sweep.test, self._reference
        return (
            gain / float(test.gain[reference]) if has_gain(self.sweep) else math.nan,
            risk / float(test.risk[reference]) if test.risk[reference] > 0 else math.nan,
        )

    def _promise(self, point: OperatingPoint) -> str:
        if point.control is None:
            return f"with a mean loss of {point.risk:.4f}, measured and not guaranteed"
        control = point.control
        what = "its mean loss stays"
        if point.hurt_beyond is not None:
            what = f"the share of queries that lose more than {point.hurt_beyond:g} stays"
        return f"and {what} within {control.budget:g} with {control.confidence:.0%} confidence"

    def _interval_text(self, index: int) -> str:
        return self._changes_interval(self.sweep.test.changes[index])

    def _changes_interval(self, changes: Floats) -> str:
        return self.digits.bracketed(self._interval(changes), 1 - LEVEL)

    def _gain(self, gain: float, changes: Floats) -> Words:
        over = f" {self.sweep.measure} over {self._baseline}"
        return words(self._marked(gain, changes), over, self._changes_interval(changes))

    def _marked(self, gain: float, changes: Floats) -> Word:
        """A gain, in the colour of gains only where it is shown to be one."""
        return Word(self.digits.gain(gain), "gain" if gain > 0 and is_significant(self.sweep.test, changes) else "")

    def _named_gain(self, index: int, start: str) -> Words:
        """A gain of the same measure over the same baseline as one before it."""
        test = self.sweep.test
        return words(start, self._marked(float(test.gain[index]), test.changes[index]), self._interval_text(index))

    def _model_gain(self, index: int) -> Words:
        test = self.sweep.test
        return self._gain(float(test.gain[index]), test.changes[index])

    def _interval(self, changes: Floats) -> Interval:
        return self.sweep.test.mirror(changes).interval(GAIN, 1 - LEVEL)

    @property
    def _baseline(self) -> str:
        return short_name(self.sweep.baseline)
