"""The findings of an assessment: which system leads, what it gains, and what holds as losses weigh more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.digits import Digits, digits_of, percent, times_text, weight_text
from riskrank.report.findings.words import (
    Word,
    Words,
    all_of,
    counted,
    joined,
    listed,
    listed_first,
    plain,
    plural,
    short_name,
    words,
)
from riskrank.risk.inference.mirror_shift import FEWEST_CHANGED, weighted_mirror
from riskrank.risk.inference.multiple_testing import CORRECTIONS
from riskrank.risk.paired import difference
from riskrank.risk.trisk import trisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary

FEW_SYSTEMS = 8  # are all named, labelled and listed
MOST_TOLD_APART = 1000  # systems; each costs a test
MOST_NAMED = 3  # of systems that are told in passing
LONGEST_LIST = 80  # letters of names that a sentence can take


@dataclass(frozen=True)
class Findings:
    """What is said first: the finding, what must be known beside it, and what holds at one alpha."""

    headline: Words
    beside: Words
    live: str  # at the alpha that a report starts with

    @property
    def lede(self) -> Words:
        """All but the headline."""
        return joined(self.beside, words(self.live))

    @property
    def whole(self) -> Words:
        """All that is said before any table."""
        return joined(self.headline, self.lede)


def compared_systems(assessment: Assessment) -> list[SystemSummary]:
    """The systems that can be compared with the baseline, in the order in which they were given."""
    return [each for each in assessment.systems if not each.is_baseline and not math.isnan(each.gain)]


def rivals(assessment: Assessment) -> list[SystemSummary]:
    """The systems that can be compared with the baseline, largest gain first."""
    return sorted(compared_systems(assessment), key=lambda each: -each.gain)


def system_numbers(assessment: Assessment) -> dict[str, int]:
    """Where each system stands in the assessment."""
    return {each.system: i for i, each in enumerate(assessment.systems)}


def noun(assessment: Assessment) -> str:
    """What is counted: topics of TREC files, queries of feature data, pages of click logs."""
    return assessment.scores.unit


def leader(assessment: Assessment) -> SystemSummary | None:
    """Of the systems whose gain is significant at the largest alpha at which any is, the one with the largest URisk at
    the alpha that a report starts with.

    But a significant gain that is larger, at no more risk, leads before it: where nobody loses, a test knows less about
    losses than where a few do, and may end at a smaller alpha.
    """
    weight = start_alpha(assessment)
    for alpha in sorted({assessment.grid[0], *assessment.alphas}, reverse=True):
        proven = _with_verdict(assessment, alpha, 1)
        if proven:
            best = max(proven, key=lambda each: each.gain - weight * each.risk)
            gaining = _with_verdict(assessment, assessment.grid[0], 1)
            return next((each for each in gaining if each.risk <= best.risk), best)
    return None


def start_alpha(assessment: Assessment) -> float:
    """The alpha that a report starts with: the first asked for from 1, or the largest."""
    return next((alpha for alpha in sorted(assessment.alphas) if alpha >= 1), max(assessment.alphas))


def is_told_apart(assessment: Assessment, bolder: SystemSummary, best: SystemSummary) -> bool:
    """Is a larger gain shown to be larger, by a paired test?"""
    scores = assessment.scores
    pair = scores[bolder.system], scores[best.system]
    paired = trisk(*pair, alpha=0, level=assessment.level, weights=scores.weights)
    return paired.verdict == "significant gain"


def findings(assessment: Assessment) -> Findings:
    """What is said before any table."""
    compared = rivals(assessment)
    say = _AssessmentSentences(assessment, compared, digits_of(assessment))
    if not compared:
        return Findings(say.nothing_to_compare(), (), "")
    if len(assessment.scores.topics) == 1:
        return Findings(say.one_topic(), (), "")
    if all(_is_equal(each) for each in compared):
        return Findings(say.all_equal(), say.not_compared(), "")
    best = leader(assessment)
    headline = say.nothing_leads() if best is None else say.leads(best)
    beside = say.beside_nothing() if best is None else joined(say.beside_leader(best), say.ties(best), say.picked(best))
    live = "" if best is None and say.all_lose else live_sentence(assessment, start_alpha(assessment))
    return Findings(headline, joined(beside, say.equals(), say.not_compared()), live)


def other_leaders(assessment: Assessment, others: Sequence[Assessment]) -> str:
    """Which system leads by other measures, in a line."""
    names = [None if best is None else best.system for best in map(leader, (assessment, *others))]
    said = []
    for other, name in zip(others, names[1:], strict=True):
        told, also = ("no system leads", "either") if name is None else (f"{short_name(name)} leads", "too")
        said.append(f"{one_line(other.scores.measure)}: {told}{f', {also}' if name == names[0] else ''}.")
    return " ".join(said)


def live_sentence(assessment: Assessment, alpha: float) -> str:
    """What holds at an alpha above 0: counts of many systems, names of few."""
    compared = rivals(assessment)
    if not alpha or len(assessment.scores.topics) < FEWEST_CHANGED or not compared:
        return ""
    gains, losses = ([short_name(s.system) for s in _with_verdict(assessment, alpha, side)] for side in (1, -1))
    if len(compared) > FEW_SYSTEMS or sum(map(len, gains + losses)) > LONGEST_LIST:
        said = _tally(len(gains), len(losses), len(compared))
    elif len(compared) > 1:
        said = _few_gains(gains, len(compared)) + _few_losses(losses, len(compared))
    else:
        name, change = short_name(compared[0].system), "gain" if compared[0].gain > 0 else "loss"
        said = f"the {change} is not significant"
        if gains or losses:
            said = f"{name} {'still gains' if gains else 'loses'} significantly"
    return f"When losses weigh {weight_text(alpha)} (α = {alpha:g}), {said}."


def _with_verdict(assessment: Assessment, alpha: float, side: int) -> list[SystemSummary]:
    """Systems that gain (1) or lose (−1) significantly, largest gain first."""
    known = assessment.significance
    verdicts = known.verdicts[:, known.alphas.index(alpha)]
    proven = {each.system for each, verdict in zip(assessment.systems, verdicts, strict=True) if verdict == side}
    return [each for each in rivals(assessment) if each.system in proven]


def _tally(n_gains: int, n_losses: int, n_systems: int) -> str:
    """Counts of many systems; what is 0 is left out."""
    if not n_gains and not n_losses:
        return f"none of {n_systems} systems gains or loses significantly"
    if n_systems in (n_gains, n_losses):
        return f"all {n_systems} systems {'gain' if n_gains else 'lose'} significantly"
    n_open = n_systems - n_gains - n_losses
    said = {
        f"{_verb('gain', n_gains)} significantly": n_gains,
        f"{_verb('lose', n_losses)} significantly": n_losses,
        f"{'is' if n_open == 1 else 'are'} inconclusive": n_open,
    }
    (first, count), *others = [(what, count) for what, count in said.items() if count]
    return listed([f"{count} of {n_systems} systems {first}", *(f"{count} {what}" for what, count in others)])


def _few_gains(gains: list[str], n_systems: int) -> str:
    if not gains:
        return "no gain is significant"
    if len(gains) == n_systems:
        return f"{all_of(n_systems)} systems gain significantly"
    return f"only {gains[0]} gains significantly" if len(gains) == 1 else f"{listed(gains)} gain significantly"


def _few_losses(losses: list[str], n_systems: int) -> str:
    if not losses:
        return ""
    who = f"{all_of(n_systems)} systems" if len(losses) == n_systems else listed(losses)
    return f"; {who} {_verb('lose', len(losses))} significantly"


def _verb(verb: str, n_subjects: int) -> str:
    return f"{verb}s" if n_subjects == 1 else verb


def _is_equal(system: SystemSummary) -> bool:
    return not system.wins + system.losses


@dataclass(frozen=True)
class _AssessmentSentences:
    """The parts of findings about an assessment."""

    assessment: Assessment
    compared: list[SystemSummary]
    digits: Digits

    @property
    def all_lose(self) -> bool:
        """Do all systems lose significantly?"""
        return len(self._losing()) == len(self.compared)

    def nothing_to_compare(self) -> Words:
        """That there is no system to judge, and why."""
        reasons = {each.at[0].reason for each in self.assessment.systems if not each.is_baseline}
        why = reasons.pop() if len(reasons) == 1 else "" if reasons else "there is no other system"
        return words(f"There is nothing to compare with {self._baseline}{f': {why}' if why else ''}.")

    def one_topic(self) -> Words:
        """Scores, where nothing can be tested."""
        unit, first = noun(self.assessment), self.compared[0]
        if len(self.compared) > 1:
            above = sum(each.gain > 0 for each in self.compared)
            score = _verb("score", above)
            return words(f"On the only {unit} {above} of {len(self.compared)} systems {score} above {self._baseline}.")
        score, baseline = (
            self.digits.score(each) for each in (first.effectiveness, float(self.assessment.baseline_scores[0]))
        )
        return words(f"On the only {unit} ", self._strong(first), f" scores {score}, {self._baseline} {baseline}.")

    def all_equal(self) -> Words:
        """That nothing was changed at all."""
        who = words(self._strong(self.compared[0]), " equals")
        if len(self.compared) > 1:
            who = words(self._all_systems, " equal")
        return words(who, f" {self._baseline} on every {noun(self.assessment)}: are they the same run?")

    def equals(self) -> Words:
        """Which of the systems change nothing."""
        same = [short_name(each.system) for each in self.compared if _is_equal(each)]
        return words(self._told(same, "equal", f" {self._baseline} on every {noun(self.assessment)}."))

    def not_compared(self) -> Words:
        """Which systems cannot be judged, and why."""
        unknown = [each for each in self.assessment.systems if not each.is_baseline and math.isnan(each.gain)]
        names = [short_name(each.system) for each in unknown]
        return words(self._told(names, "cannot be compared", f": {unknown[0].at[0].reason}." if unknown else ""))

    def leads(self, best: SystemSummary) -> Words:
        """The system to look at."""
        gained = words(Word(self.digits.gain(best.gain), "gain"), f" {self._measure} over {self._baseline}")
        if self._is_constant(best):
            return words(self._strong(best), " gains exactly ", gained, f" on every {noun(self.assessment)}.")
        is_boldest = len(self.compared) > 1 and best.gain >= self.compared[0].gain
        gains, comma = (" gains most: ", ",") if is_boldest else (" gains ", "")
        return words(self._strong(best), gains, gained, self._interval(best), f"{comma} and ", self._hurt(best), ".")

    def picked(self, best: SystemSummary) -> Words:
        """What the interval of the best of many leaves out."""
        if len(self.compared) <= FEW_SYSTEMS or self._is_constant(best) or not self._interval(best):
            return ()
        return words(f"The interval is not corrected for picking one of {len(self.compared):,}.")

    def beside_leader(self, best: SystemSummary) -> Words:
        """The system that gains most, and its price."""
        bolder = self.compared[0]
        if bolder is best or bolder.gain <= best.gain:
            return ()
        name, gain = short_name(bolder.system), self.digits.gain(bolder.gain)
        price = times_text(bolder.risk / best.risk, "risk") if best.risk > 0 else f"a risk of {bolder.risk:.4f}"
        if len(self.compared) > FEW_SYSTEMS:  # who can be told apart is said of all
            return words(f"{name} gains most ({gain}), at {price}{self._weighed(best, bolder)}.")
        if is_told_apart(self.assessment, bolder, best):
            return words(f"{name} gains more ({gain}), at {price}.")
        return words(f"{name}'s gain ({gain}) cannot be told apart from {short_name(best.system)}'s, at {price}.")

    def _weighed(self, best: SystemSummary, bolder: SystemSummary) -> str:
        """Why it does not lead: what both gain at the alpha that a report starts with."""
        alpha = start_alpha(self.assessment)
        ahead, behind = (self.digits.gain(each.gain - alpha * each.risk) for each in (best, bolder))
        if not best.gain - alpha * best.risk > bolder.gain - alpha * bolder.risk or ahead == behind:
            return ""
        return f": with losses counted {weight_text(alpha)}, {behind} against {ahead}"

    def ties(self, best: SystemSummary) -> Words:
        """Which of many systems may gain as much as the first, by paired tests, corrected as all are."""
        others = [each.system for each in self.compared if each is not best]
        if not FEW_SYSTEMS < len(self.compared) <= MOST_TOLD_APART:
            return ()
        scores = self.assessment.scores
        weights, changes = scores.relative_weights, [difference(scores[best.system], scores[each]) for each in others]
        tests = [weighted_mirror(each, weights).p_value(0.0) for each in changes]
        p_values = CORRECTIONS[self.assessment.correction](np.nan_to_num(np.array(tests), nan=1.0))
        tied = [short_name(other) for other, p in zip(others, p_values, strict=True) if p > self.assessment.level]
        if not tied:
            is_boldest = best is self.compared[0]
            return words("By corrected paired tests it gains more than every other system." if is_boldest else "")
        who = tied[0] if len(tied) == 1 else counted(len(tied), "system")
        names = f": {listed_first(tied, LONGEST_LIST)}" if len(tied) > 1 else ""
        return words(f"By corrected paired tests, {who} cannot be told apart from {short_name(best.system)}{names}.")

    def nothing_leads(self) -> Words:
        """That no system is shown to be better."""
        best = self.compared[0]
        lost = Word(self.digits.size(best.gain), "loss")
        if self.all_lose and len(self.compared) > 1:
            start = f"{self._all_systems} lose significantly against {self._baseline}; "
            return words(start, self._strong(best), " loses least, ", lost, self._interval(best), ".")
        against = f" {self._measure} against {self._baseline}"
        if self.all_lose and self._is_constant(best):
            return words(self._strong(best), " loses exactly ", lost, against, f" on every {noun(self.assessment)}.")
        if self.all_lose:
            hurts = words(" and ", self._hurt(best), ".")
            return words(self._strong(best), " loses ", lost, against, self._interval(best), hurts)
        beaten = f"shown to beat {self._baseline} on {self._counted_topics}."
        return words(*(["No system is "] if len(self.compared) > 1 else [self._strong(best), " is not "]), beaten)

    def beside_nothing(self) -> Words:
        """What could be chance, and who loses."""
        best, losing = self.compared[0], self._losing()
        if self.all_lose:
            return ()
        also = self._is_one and not math.isnan(best.gain_interval[0])
        chance = words(self._could_be_chance(best), f", and it {plain(self._hurt(best))}." if also else ".")
        if not losing:
            return chance
        worst = min(losing, key=lambda each: each.gain)
        size = f"{self.digits.gain(worst.gain)}{self._interval(worst)}"
        if len(losing) == 1:
            return joined(chance, words(f"{short_name(worst.system)} loses significantly: {size}."))
        n_losing = counted(len(losing), "system")
        return joined(chance, words(f"{n_losing} lose significantly, {short_name(worst.system)} most: {size}."))

    def _could_be_chance(self, best: SystemSummary) -> str:
        """The sentence about the largest gain, without its end."""
        gain, size, name = self.digits.gain(best.gain), self.digits.size(best.gain), short_name(best.system)
        is_loss = gain.startswith("−")
        if self._is_one and size == gain:
            said = f"On average it changes nothing, {size}"
        elif self._is_one:
            said = f"Its loss of {size} could be chance" if is_loss else f"Its gain of {gain} could be chance"
        elif is_loss:
            said = f"{name} loses least, {size}, which could be chance"
        else:
            said = f"The largest gain, {name}'s {gain}, could be chance"
        low, high = best.gain_interval
        if low > 0:  # it would be significant if it were the only system
            return f"{said}{self._uncorrected(best)}"
        if not math.isnan(low):
            least = self.digits.size((high - low) / 2)
            return f"{said}{self._interval(best)}; with this spread only gains above {least} would show"
        n_changed = best.wins + best.losses
        if len(self.assessment.scores.topics) < FEWEST_CHANGED or n_changed >= FEWEST_CHANGED:
            return said
        return f"{said}: {'it' if self._is_one else name} changes {n_changed} of {self._counted_topics}"

    def _losing(self) -> list[SystemSummary]:
        return _with_verdict(self.assessment, self.assessment.grid[0], -1)

    @property
    def _is_one(self) -> bool:
        return len(self.compared) == 1

    @property
    def _baseline(self) -> str:
        made_of_several = len(self.assessment.baseline_systems) > 1
        return f"{'the ' if made_of_several else ''}{short_name(self.assessment.baseline)}"

    @property
    def _measure(self) -> str:
        return one_line(self.assessment.scores.measure)

    @property
    def _counted_topics(self) -> str:
        return counted(len(self.assessment.scores.topics), noun(self.assessment))

    def _told(self, names: list[str], verb: str, end: str) -> str:
        """A sentence about some systems: by name if they are few."""
        if not names:
            return ""
        who = listed(names) if len(names) <= MOST_NAMED else counted(len(names), "system")
        return f"{who} {verb if len(names) > 1 or verb.startswith('cannot') else f'{verb}s'}{end}"

    def _strong(self, system: SystemSummary) -> Word:
        return Word(short_name(system.system), "strong")

    def _is_constant(self, system: SystemSummary) -> bool:
        """Is the change the same on every topic?"""
        return system.at[0].standard_error == 0 and not _is_equal(system)

    def _interval(self, system: SystemSummary, beside: str = "") -> str:
        """In brackets; `beside`: what is to be known of it."""
        limits = self.digits.interval(system.gain_interval)
        return f" ({percent(1 - self.assessment.level)} interval{beside} {limits})" if limits else ""

    def _uncorrected(self, system: SystemSummary) -> str:
        """The interval of what was picked because it is the best."""
        return self._interval(system, f", not corrected for picking the best of {len(self.compared):,},")

    def _hurt(self, system: SystemSummary) -> Words:
        if not system.losses:
            return words(f"hurts no {noun(self.assessment)}")
        n_topics = len(self.assessment.scores.topics)
        unit = plural(noun(self.assessment))
        return words("hurts ", Word(f"{system.losses:,} of {n_topics:,}", "loss"), f" {unit}")

    @property
    def _all_systems(self) -> str:
        return f"{all_of(len(self.compared))} systems".capitalize()
