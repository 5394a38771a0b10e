"""The findings of an assessment: which system leads, what it gains, and what holds as losses weigh more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.findings.numbers import Digits, digits_of, weight_text
from riskrank.report.findings.words import Word, Words, counted, listed, plural, words
from riskrank.risk.trisk import trisk

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment, SystemSummary

FEW_SYSTEMS = 8  # are all named, labelled and listed
LONGEST_NAME = 60


@dataclass(frozen=True)
class Findings:
    """What is said first: the finding, what must be known beside it, and what holds at one alpha."""

    headline: Words
    beside: Words
    live: str  # at the alpha that a report starts with

    @property
    def lede(self) -> Words:
        """All but the headline."""
        return words(self.beside, " " if self.beside and self.live else "", self.live)


def rivals(assessment: Assessment) -> list[SystemSummary]:
    """The systems that can be compared with the baseline, largest gain first."""
    compared = [each for each in assessment.systems if not each.is_baseline and not math.isnan(each.gain)]
    return sorted(compared, key=lambda each: -each.gain)


def noun(assessment: Assessment) -> str:
    """What is counted: topics of TREC files, queries of feature data, pages of click logs."""
    return assessment.scores.unit


def leader(assessment: Assessment) -> SystemSummary | None:
    """Of the systems whose gain is significant at the largest alpha at which any is, the one that gains most."""
    compared = rivals(assessment)
    for alpha in sorted(assessment.alphas, reverse=True):
        proven = [each for each in compared if each.at_alpha(alpha).verdict == "significant gain"]
        if proven:
            return proven[0]
    return None


def start_alpha(assessment: Assessment) -> float:
    """The alpha that a report starts with: the first asked for from 1, or the largest."""
    return next((alpha for alpha in sorted(assessment.alphas) if alpha >= 1), max(assessment.alphas))


def gains_as_much(assessment: Assessment, bolder: SystemSummary, best: SystemSummary) -> bool:
    """Is a larger gain not shown to be larger, by a paired test?"""
    scores = assessment.scores
    paired = trisk(scores[bolder.system], scores[best.system], alpha=0, level=assessment.level)
    return paired.verdict != "significant gain"


def findings(assessment: Assessment) -> Findings:
    """What is said before any table."""
    compared = rivals(assessment)
    if not compared:
        reasons = {each.at[0].reason for each in assessment.systems if not each.is_baseline}
        why = f": {reasons.pop()}" if len(reasons) == 1 else ""
        return Findings(words(f"There is nothing to compare with {_name(assessment.baseline)}{why}."), (), "")
    if len(assessment.scores.topics) == 1:
        return Findings(_one_topic(assessment, compared), (), "")
    if len(compared) == 1 and not compared[0].wins + compared[0].losses:
        same = f"{_name(compared[0].system)} equals {_name(assessment.baseline)} on every {noun(assessment)}"
        return Findings(words(same, ": are they the same run?"), (), "")
    say = _Sentences(assessment, compared, digits_of(assessment))
    best = leader(assessment)
    live = live_sentence(assessment, start_alpha(assessment)) if len(assessment.alphas) > 1 else ""
    if best is not None:
        return Findings(say.leads(best), say.beside_leader(best), live)
    return Findings(say.nothing_leads(), say.beside_nothing(), live)


def live_sentence(assessment: Assessment, alpha: float) -> str:
    """What holds at an alpha: counts of many systems, names of few."""
    verdicts = assessment.significance.verdicts[:, assessment.significance.alphas.index(alpha)]
    names = [_name(each.system) for each in assessment.systems]
    gains = [name for name, verdict in zip(names, verdicts, strict=True) if verdict == 1]
    losses = [name for name, verdict in zip(names, verdicts, strict=True) if verdict == -1]
    n_systems = len(rivals(assessment))
    start = (
        f"When losses weigh {weight_text(alpha)} (α = {alpha:g}), " if alpha else "When losses weigh as gains (α = 0), "
    )
    if n_systems > FEW_SYSTEMS:
        n_open = n_systems - len(gains) - len(losses)
        return (
            f"{start}{len(gains)} of {n_systems} systems {_verb('gain', gains)} significantly, {len(losses)} "
            f"{_verb('lose', losses)} significantly and {n_open} {'is' if n_open == 1 else 'are'} inconclusive."
        )
    return f"{start}{_few_gains(gains, n_systems)}{_few_losses(losses)}."


def _few_gains(gains: list[str], n_systems: int) -> str:
    if not gains:
        return "no gain is significant" if n_systems > 1 else "the gain is not significant"
    if n_systems == 1:
        return f"{gains[0]} still gains significantly"
    if len(gains) == n_systems:
        return f"{'both' if n_systems == 2 else f'all {n_systems}'} gain significantly"
    return f"only {gains[0]} gains significantly" if len(gains) == 1 else f"{listed(gains)} gain significantly"


def _few_losses(losses: list[str]) -> str:
    return f"; {listed(losses)} {_verb('lose', losses)} significantly" if losses else ""


def _verb(verb: str, subjects: list[str]) -> str:
    return f"{verb}s" if len(subjects) == 1 else verb


def _name(name: str) -> str:
    return one_line(name, limit=LONGEST_NAME)


def _one_topic(assessment: Assessment, compared: list[SystemSummary]) -> Words:
    unit, digits = noun(assessment), digits_of(assessment)
    last = f" One {unit} shows no significance."
    baseline = digits.score(float(assessment.baseline_scores[0]))
    if len(compared) == 1:
        (only,) = compared
        score = digits.score(only.effectiveness)
        return words(
            f"On the only {unit} {_name(only.system)} scores {score}, {_name(assessment.baseline)} {baseline}.", last
        )
    above = sum(each.gain > 0 for each in compared)
    return words(
        f"On the only {unit} {above} of {len(compared)} systems score above {_name(assessment.baseline)}.", last
    )


@dataclass(frozen=True)
class _Sentences:
    """The parts of findings about an assessment."""

    assessment: Assessment
    compared: list[SystemSummary]
    digits: Digits

    def leads(self, best: SystemSummary) -> Words:
        """The system to look at."""
        is_boldest = len(self.compared) > 1 and best.gain >= self.compared[0].gain
        gains, comma = (" gains most: ", ",") if is_boldest else (" gains ", "")
        return words(
            self._strong(best), gains, self._gained(best), self._interval(best), f"{comma} and ", self._hurt(best), "."
        )

    def beside_leader(self, best: SystemSummary) -> Words:
        """A bolder system, and its price."""
        bolder = self.compared[0]
        if bolder is best or bolder.gain <= best.gain:
            return ()
        amount = "as much" if gains_as_much(self.assessment, bolder, best) else "more"
        gain = self.digits.gain(bolder.gain)
        price = f"{bolder.risk / best.risk:.1f} times the risk" if best.risk > 0 else f"a risk of {bolder.risk:.4f}"
        return words(f"{_name(bolder.system)} gains {amount} ({gain}) at {price}.")

    def nothing_leads(self) -> Words:
        """That no system is shown to be better."""
        baseline, n_topics = _name(self.assessment.baseline), len(self.assessment.scores.topics)
        best, losing = self.compared[0], self._losing()
        if len(self.compared) == 1 and losing:
            return words(
                self._strong(best), " loses ", self._lost(best), self._interval(best), " and ", self._hurt(best), "."
            )
        if len(losing) == len(self.compared):
            return words(
                f"All {len(losing)} systems lose significantly against {baseline}; {_name(best.system)} loses least, ",
                Word(self.digits.gain(best.gain), "loss"), self._interval(best), ".",
            )  # fmt: skip
        counted_topics = counted(n_topics, noun(self.assessment))
        if len(self.compared) > 1:
            return words(f"No system is shown to beat {baseline} on {counted_topics}.")
        return words(self._strong(best), f" is not shown to beat {baseline} on {counted_topics}.")

    def beside_nothing(self) -> Words:
        """What could be chance, and who loses."""
        best, losing = self.compared[0], self._losing()
        if len(losing) == len(self.compared):
            return ()
        low, high = best.gain_interval
        change = "gain" if best.gain >= 0 else "loss"
        whose = f"Its {change} of" if len(self.compared) == 1 else f"The largest gain, {_name(best.system)}'s"
        is_alone = low > 0  # it would be significant if it were the only system
        among = f" among {len(self.compared)} systems" if is_alone else ""
        interval = (
            self._interval(best).replace("interval", "interval for it alone") if is_alone else self._interval(best)
        )
        comma = "," if len(self.compared) > 1 else ""
        said = words(f"{whose} {self.digits.gain(best.gain)}{comma} could be chance{among}{interval}")
        if not math.isnan(low) and not is_alone:
            said = words(said, f"; with this spread only gains above {self.digits.size((high - low) / 2)} would show")
        said = words(said, f", and it {self._hurt_text(best)}." if len(self.compared) == 1 else ".")
        if losing:
            worst = min(losing, key=lambda each: each.gain)
            most = f", {_name(worst.system)} most: {self.digits.gain(worst.gain)}" if len(losing) > 1 else ""
            who = counted(len(losing), "system") if len(losing) > 1 else _name(worst.system)
            said = words(said, f" {who} {'lose' if len(losing) > 1 else 'loses'} significantly{most}.")
        return said

    def _losing(self) -> list[SystemSummary]:
        first = min(self.assessment.alphas)
        return [each for each in self.compared if each.at_alpha(first).verdict == "significant loss"]

    def _strong(self, system: SystemSummary) -> Word:
        return Word(_name(system.system), "strong")

    def _gained(self, system: SystemSummary) -> Words:
        measure, baseline = self.assessment.scores.measure, _name(self.assessment.baseline)
        return words(Word(self.digits.gain(system.gain), "gain"), f" {measure} over {baseline}")

    def _lost(self, system: SystemSummary) -> Words:
        measure, baseline = self.assessment.scores.measure, _name(self.assessment.baseline)
        return words(Word(self.digits.size(system.gain), "loss"), f" {measure} against {baseline}")

    def _interval(self, system: SystemSummary) -> str:
        limits = self.digits.interval(system.gain_interval)
        return f" ({1 - self.assessment.level:.0%} interval {limits})" if limits else ""

    def _hurt(self, system: SystemSummary) -> Words:
        if not system.losses:
            return words(f"hurts no {noun(self.assessment)}")
        n_topics = len(self.assessment.scores.topics)
        unit = plural(noun(self.assessment))
        return words("hurts ", Word(f"{system.losses:,} of {n_topics:,}", "loss"), f" {unit}")

    def _hurt_text(self, system: SystemSummary) -> str:
        return "".join(part.text for part in self._hurt(system))
