"""Candidates against baselines, by what a budget says of topics."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.gating.budgets.topic_lists import read_topic_list
from riskrank.assessment.gating.comparison import Comparison
from riskrank.assessment.gating.segments import CheckedSegments, group_topics
from riskrank.assessment.gating.unjudged import unjudged_only_in
from riskrank.data.tables.topic_columns import read_topic_texts, topic_column_error, weights_of_topics
from riskrank.errors import AlignmentError, FileError, ParameterError, counted, listing, nearest, quoted
from riskrank.risk.budget.check import Check
from riskrank.risk.budget.check_budget import check_budget
from riskrank.risk.budget.weighted_changes import WeightedChanges
from riskrank.risk.inference.mirror_shift import GAIN
from riskrank.risk.intervals import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
    from riskrank.assessment.gating.budgets.gate_budget import GateBudget
    from riskrank.assessment.gating.segments import Segment
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats


@dataclass(frozen=True)
class Comparing:
    """What all comparisons share; `refuses_gaps`: runs must answer all topics, and `paths` are where they came from."""

    scored: ScoredSystems
    terms: GateBudget
    segment_of: Mapping[str, str]
    weight_of: Mapping[str, float]
    protected: tuple[str, ...]
    refuses_gaps: bool
    paths: Mapping[str, str]

    @classmethod
    def by(cls, terms: GateBudget, scored: ScoredSystems, *, refuses_gaps: bool, paths: Mapping[str, str]) -> Comparing:
        """What a budget says of topics, read and checked."""
        topics = scored.first.topics
        known = {*topics, *scored.first.left_out, *scored.first.dropped}
        for position, loss in enumerate(terms.accepted):
            if loss.topic not in known:
                problem = AlignmentError(f"accepted: no topic {quoted(loss.topic)}.{nearest(loss.topic, known)}")
                raise terms.located(problem, "accepted", position, "topic")
        if terms.by_segment and terms.segments is None:
            name = next(iter(terms.by_segment))
            raise terms.located(ParameterError("limits of a segment need segments=.", "segments"), "segment", name)
        segment_of = {} if terms.segments is None else read_topic_texts(terms.segments)
        weight_of: dict[str, float] = {}
        if terms.weights is not None:
            weight_of = dict(zip(topics, weights_of_topics(terms.weights, topics).tolist(), strict=True))
        if terms.segments is not None and not any(segment_of.get(topic) for topic in topics):
            what = f"topics are {listing(topics, limit=3)}, segments are of {listing(segment_of, limit=3)}"
            raise topic_column_error(terms.segments, "segments", f"no topic has a segment: {what}.")
        return cls(scored, terms, segment_of, weight_of, _protected(terms, known), refuses_gaps, paths)

    def all(self, candidates: Sequence[str], baselines: Sequence[str]) -> tuple[Comparison, ...]:
        """Each candidate against each baseline by each measure."""
        scores = self.scored.scores.values()
        return tuple(self.compare(each, new, old) for new in candidates for old in baselines for each in scores)

    def compare(self, scores: Effectiveness, candidate: str, baseline: str) -> Comparison:
        """One candidate against one baseline by one measure."""
        scores = scores.only(dict.fromkeys((baseline, candidate)))
        _check_comparable(scores, baseline, candidate)
        if self.refuses_gaps:
            _check_complete(scores, baseline, self.paths.get(baseline, ""))
        system, base, limits = scores[candidate], scores[baseline], self.terms.limits_for(scores.measure)
        weights = np.array([self.weight_of[topic] for topic in scores.topics]) if self.weight_of else scores.weights
        changes = WeightedChanges.of(system, base, weights)
        accepted, not_accepted = self._accepted(scores, changes.delta)
        is_accepted = np.isin(scores.topics, [each.topic for each in accepted])
        checks = [
            *(_missing_check(scores, candidate) if self.refuses_gaps else ()),
            *check_budget(system, base, limits, weights=weights, accepted=is_accepted, unit=scores.unit),
            *self._protected_check(scores, changes.delta),
        ]
        segments: tuple[Segment, ...] = ()
        if self.segment_of:
            fewest, own = self.terms.fewest_in_segment, self.terms.by_segment
            self._check_segments(scores)
            groups = group_topics(scores.topics, self.segment_of, fewest=fewest, own=list(own))
            checking = CheckedSegments(system, base, limits, own, weights, is_accepted, fewest, scores.unit)
            segments = checking.segments(groups)
        comparison = Comparison(
            scores, candidate, baseline, limits, tuple(checks), segments, accepted, not_accepted,
            has_default_limits=self.terms.own_limits(scores.measure).is_empty, gain=float(changes.weighted.mean()),
            gain_interval=changes.interval(GAIN, USUAL_CONFIDENCE),
            n_effective=None if weights is None else changes.n_effective,
            without_segment=tuple(t for t in scores.topics if self.segment_of and not self.segment_of.get(t)),
        )  # fmt: skip
        broken = [topic.topic for topic in comparison.broken_topics]
        unjudged = unjudged_only_in(self.scored, candidate, baseline, broken, measure=scores.measure)
        return replace(comparison, unjudged=unjudged)

    def _check_segments(self, scores: Effectiveness) -> None:
        """Refuse limits of a segment that no topic is in."""
        known = {self.segment_of.get(topic, "") for topic in scores.topics} - {""}
        for name in self.terms.by_segment:
            if name not in known:
                problem = AlignmentError(f"segment {quoted(name)} has no {scores.unit}.{nearest(name, known)}")
                raise self.terms.located(problem, "segment", name)

    def _accepted(
        self, scores: Effectiveness, delta: Floats
    ) -> tuple[tuple[AcceptedLoss, ...], tuple[AcceptedLoss, ...]]:
        """The losses that are there and were accepted; and those that are larger, or of topics that must not break."""
        change = dict(zip(scores.topics, delta.tolist(), strict=True))
        there = [each for each in self.terms.accepted if change.get(each.topic, 0.0) < 0]
        is_covered = [each.covers(change[each.topic]) and each.topic not in self.protected for each in there]
        covered = tuple(each for each, is_so in zip(there, is_covered, strict=True) if is_so)
        return covered, tuple(each for each in there if each not in covered)

    def _protected_check(self, scores: Effectiveness, delta: Floats) -> list[Check]:
        """Topics that must not lose anything, accepted or not."""
        if not self.protected:
            return []
        is_protected = np.isin(scores.topics, self.protected)
        positions = np.flatnonzero(is_protected & (delta < 0))
        worst_first = positions[np.argsort(delta[positions], kind="stable")]
        topics = tuple(worst_first.tolist())
        many = f"{len(topics) or 'none'} of {counted(int(is_protected.sum()), scores.unit)} that must not break"
        words = f"{many} {'loses' if len(topics) == 1 else 'lose'} something"
        return [Check("protected", 0.0, float(len(topics)), not topics, words, topics)]


def _protected(terms: GateBudget, known: Collection[str]) -> tuple[str, ...]:
    """The topics that must not break, which must be there; those of a file are named with their line."""
    given = terms.must_not_break
    line_of = read_topic_list(given) if isinstance(given, str | os.PathLike) else dict.fromkeys(given, 0)
    for topic, line in line_of.items():
        if topic not in known:
            message = f"no topic {quoted(topic)}.{nearest(topic, known)}"
            if isinstance(given, str | os.PathLike):
                raise FileError(given, message, line=line)
            raise terms.located(AlignmentError(f"must_not_break: {message}"), "must_not_break")
    return tuple(line_of)


def _missing_check(scores: Effectiveness, candidate: str) -> list[Check]:
    """A candidate that lacks topics fails."""
    lacking = scores.missing.get(candidate, ())
    if not lacking:
        return []
    words = f"no results for {len(lacking)} of {counted(len(scores.topics), scores.unit)}: {listing(lacking, limit=5)}"
    positions = np.flatnonzero(np.isin(scores.topics, lacking))
    return [Check("missing", 0.0, float(len(lacking)), False, words, tuple(positions.tolist()))]


def _check_complete(scores: Effectiveness, baseline: str, path: str) -> None:
    """Refuse a baseline that lacks topics."""
    lacking = scores.missing.get(baseline, ())
    if lacking:
        message = (
            f"baseline {quoted(baseline)} lacks {len(lacking)} of {len(scores.topics)} topics "
            f"(first: {quoted(lacking[0])}), on which any candidate passes. "
            "Complete it, or pass missing='zero' or missing='intersect'."
        )
        raise FileError(path, message) if path else AlignmentError(message)


def _check_comparable(scores: Effectiveness, baseline: str, candidate: str) -> None:
    """Refuse input on which a gate would say nothing."""
    if not scores[baseline].any() and not scores[candidate].any():
        raise AlignmentError("both systems score 0 on every topic. Do their document ids match the judgments?")
