"""What is kept of a system once it was ranked: numbers per topic, so that any number of large runs can be evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.through_ir_measures import IrMeasure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.measures.measure import Measure
    from riskrank.measures.ranking import RankedSystem
    from riskrank.typing import Floats, Integers

JUDGED_DEPTH = 10  # how far judgments are looked for where a measure has no cut-off


@dataclass(frozen=True, eq=False)
class MeasuredSystem:
    """A system's values by measure, and how many of its documents are tied and judged at their cut-offs.

    `retrieved` counts documents by topic, `judged` those with a grade down to a depth; `ties` counts topics.
    """

    name: str
    retrieved: Integers
    values: Mapping[str, Floats]
    ties: Mapping[int, int]
    judged: Mapping[int, Integers]

    @classmethod
    def of(cls, system: RankedSystem, measures: Sequence[Measure]) -> MeasuredSystem:
        """Measure a ranking."""
        ranking = system.ranking
        cutoffs = [measure.cutoff_or_none for measure in measures]
        return cls(
            system.name,
            ranking.retrieved,
            {str(measure): _values(measure.inner, system) for measure in measures},
            {cutoff: ranking.ties_at(cutoff) for cutoff in cutoffs if cutoff is not None},
            {depth: ranking.up_to(depth).count() for depth in (cutoff or JUDGED_DEPTH for cutoff in cutoffs)},
        )


def _values(measure: Measure, system: RankedSystem) -> Floats:
    ranking = system.ranking
    if isinstance(measure, IrMeasure) and system.as_dicts is not None:
        return measure.per_topic_of(ranking.judgments, *system.as_dicts())
    return measure.expected(ranking)
