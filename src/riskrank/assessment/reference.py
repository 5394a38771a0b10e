"""What systems are compared with: a baseline as scores per topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.errors import AlignmentError, listing, nearest, quoted
from riskrank.risk.combined_baseline import COMBINATIONS, within_topic

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Combination, Floats


class Reference(NamedTuple):
    """What a baseline is called, its score on each topic, and the systems that it is made of."""

    name: str
    scores: Floats
    parts: tuple[str, ...] = ()

    @property
    def system(self) -> str | None:
        """The system that it is, if it is one."""
        return self.name if self.parts == (self.name,) else None


def resolve_baseline(
    scores: Effectiveness, baseline: str | Sequence[str] | ArrayLike, combine: Combination
) -> Reference:
    """The baseline that `assess` was given, as scores."""
    if isinstance(baseline, str):
        if baseline in scores and baseline in COMBINATIONS:
            raise AlignmentError(
                f"baseline {quoted(baseline)} could be the system of that name or the {baseline} of all systems. Give "
                f"the system another name; or take it by its file (in Python: [{quoted(baseline)}])."
            )
        return _named_baseline(scores, baseline)
    if isinstance(baseline, Sequence) and baseline and all(isinstance(item, str) for item in baseline):
        names = [str(item) for item in baseline]
        if len(names) == 1:
            return _named_baseline(scores, names[0])
        rows = np.array([scores[name] for name in names])
        return Reference(f"{combine} of {listing(names)}", within_topic(rows, combine), tuple(names))
    try:
        values = np.asarray(baseline, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("baseline must be the name of a system, several of them, or a score per topic.") from None
    if values.shape != (len(scores.topics),):
        raise AlignmentError(
            f"baseline must hold a score for each of the {len(scores.topics)} topics, got shape {values.shape}."
        )
    return Reference("given scores", values)


def _named_baseline(scores: Effectiveness, name: str) -> Reference:
    if name in scores:
        return Reference(name, scores[name], (name,))
    if name in COMBINATIONS:
        return Reference(f"{name} of {len(scores)} systems", within_topic(scores.matrix, name), scores.systems)
    raise AlignmentError(
        f"baseline {quoted(name)} is not among the systems: {listing(scores.systems)}. "
        f"Or take one of {', '.join(COMBINATIONS)}.{nearest(name, [*scores.systems, *COMBINATIONS])}"
    )
