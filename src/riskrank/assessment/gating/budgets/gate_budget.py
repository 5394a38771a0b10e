"""All that a gate goes by: limits for everything, for a measure, for a segment, and what is known of single topics."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
from riskrank.data.tables.topic_columns import path_and_column
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.measures import parse_measure
from riskrank.parameters import one_of, whole
from riskrank.risk.budget.budget import Budget
from riskrank.typing import WithoutRelevant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.assessment.gating.budgets.key_lines import KeyLines
    from riskrank.typing import PathLike, TopicColumnLike

FEWEST_IN_SEGMENT = 20
INHERITED = ("alpha", "level", "strict")  # how limits of measures and segments are checked, unless they say otherwise


@dataclass(frozen=True, kw_only=True)
class GateBudget:
    """What a budget file says.

    Parameters
    ----------
    limits
        For all topics, by every measure.
    measures
        The measures that count; by default nDCG@10.
    by_measure
        Limits in place of `limits`, by measure.
    segments
        A segment for each topic, as `{topic: segment}`, a frame or a file. Each has checks of its own.
    by_segment
        Limits of a segment; the others keep `limits`, as far as is sure.
    fewest_in_segment
        Segments of fewer topics are pooled.
    weights
        How much each topic counts in shares and means, in the same forms.
    must_not_break
        Topics that must not lose anything, or the path of a file that lists them, one a line.
    without_relevant
        Whether topics without a relevant document score ``"zero"`` or are left out (``"drop"``).
    accepted
        Losses that are known.
    lines
        Where all of it stands in a file, for messages.
    """

    limits: Budget = field(default_factory=Budget)
    measures: tuple[str, ...] = ()
    by_measure: Mapping[str, Budget] = field(default_factory=dict)
    segments: TopicColumnLike | None = None
    by_segment: Mapping[str, Budget] = field(default_factory=dict)
    fewest_in_segment: int = FEWEST_IN_SEGMENT
    weights: TopicColumnLike | None = None
    must_not_break: tuple[str, ...] | PathLike = ()
    without_relevant: WithoutRelevant = "zero"
    accepted: tuple[AcceptedLoss, ...] = ()
    lines: KeyLines | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole("fewest_in_segment", self.fewest_in_segment, 1)
        one_of("without_relevant", self.without_relevant, get_args(WithoutRelevant))
        accepted = _listed("accepted", self.accepted)
        if not all(isinstance(each, AcceptedLoss) for each in accepted):
            raise ParameterError("accepted must be a list of AcceptedLoss.", "accepted")
        object.__setattr__(self, "accepted", accepted)
        if not isinstance(self.must_not_break, str | os.PathLike):
            topics = _listed("must_not_break", self.must_not_break)
            object.__setattr__(self, "must_not_break", tuple(map(str, topics)))

        by_measure = {_known_name(name): limits for name, limits in self.by_measure.items()}
        if len(by_measure) < len(self.by_measure):
            raise ParameterError("by_measure has two limits for one measure.", "by_measure")
        object.__setattr__(self, "by_measure", by_measure)

    def own_limits(self, measure: str) -> Budget:
        """The limits by a measure that were set."""
        return self.by_measure.get(measure, self.limits)

    def limits_for(self, measure: str) -> Budget:
        """The limits by a measure, the default ones where none are set."""
        return self.own_limits(measure).or_default()

    def check_files(self, names: Iterable[str]) -> None:
        """Refuse paths of files that are not there, at the line that names them."""
        for name in names:
            given = getattr(self, name)
            if isinstance(given, str | os.PathLike):
                path, _ = path_and_column(os.fspath(given))
                if not os.path.exists(path):
                    raise self.located(FileError(path, "no such file."), name)

    def located(self, error: RiskrankError, *key: str | int) -> RiskrankError:
        """An error, with the line of the file that it is about."""
        return error if self.lines is None else self.lines.error(str(error), *key)


def _known_name(measure: str) -> str:
    """As a measure calls itself; given scores may have any name."""
    try:
        return str(parse_measure(measure))
    except RiskrankError:
        return measure


def _listed(name: str, given: object) -> tuple[object, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"{name} must be a list, got {type(given).__name__}.", name)
    return tuple(given)
