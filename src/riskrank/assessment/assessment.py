"""Assessment: every risk number of every system against a baseline, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.assessment_record import (
    AssessmentRecord,
    AtAlpha,
    SystemSummary,
    TestName,
    assessment_of_today,
)
from riskrank.assessment.cautions import cautions
from riskrank.assessment.columns import summary_rows, topic_columns
from riskrank.assessment.json import (
    assessments_in,
    assessments_to_json,
    data_facts,
    data_facts_in,
    weight_facts,
    without_nan,
)
from riskrank.assessment.significance import Significance, significance
from riskrank.data.effectiveness import Effectiveness
from riskrank.errors import AlignmentError, ParameterError, listing, nearest, quoted
from riskrank.files.records import decode
from riskrank.rendered import Charted, shown_as, written
from riskrank.risk.exploratory import Exploration, explore
from riskrank.risk.helped_hurt import HelpedHurt, helped_hurt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from riskrank.typing import Booleans, CorrectionName, Floats, JudgmentsLike, PathLike, SystemLike

__all__ = ["Assessment", "AtAlpha", "SystemSummary", "TestName", "read_assessments"]


@dataclass(frozen=True, repr=False, eq=False)
class Assessment(Charted):
    """All systems of an `Effectiveness` against one baseline.

    `summary` is a table with a row per system, `per_topic` one with a row per system, topic and alpha. `test` is what
    verdicts come from: Student's t in files of former versions. `baseline_systems` are those that the baseline is made
    of: none where it is scores of its own. `grid` are the alphas at which `significance` is known.
    """

    scores: Effectiveness
    baseline: str
    baseline_scores: Floats
    alphas: tuple[float, ...]
    level: float
    cvar_share: float
    confidence: float | None
    systems: tuple[SystemSummary, ...]
    correction: CorrectionName = "none"
    population: tuple[str, ...] | None = None
    test: TestName = "mirror-shift"
    baseline_systems: tuple[str, ...] = ()
    grid: tuple[float, ...] = ()

    view = "assessment"

    def __iter__(self) -> Iterator[SystemSummary]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def __getitem__(self, system: str) -> SystemSummary:
        for row in self.systems:
            if row.system == system:
                return row
        names = [row.system for row in self.systems]
        raise AlignmentError(f"no system {quoted(system)}. There are: {listing(names)}.{nearest(system, names)}")

    @property
    def is_member(self) -> Booleans:
        """Which systems are the population of ZRisk and GeoRisk."""
        members = self.scores.systems if self.population is None else self.population
        return np.array([system in members for system in self.scores.systems], dtype=bool)

    @cached_property
    def significance(self) -> Significance:
        """Verdicts as losses weigh more, at all alphas of the grid."""
        return significance(self)

    @property
    def cautions(self) -> list[str]:
        """What spoils the comparison, and must be read before any number."""
        return cautions(self.scores, self.baseline_systems)

    @property
    def summary(self) -> pl.DataFrame:
        """One row per system; columns of an alpha end in it (``trisk_5``)."""
        import polars as pl

        return pl.DataFrame(summary_rows(self), infer_schema_length=None)

    @property
    def per_topic(self) -> pl.DataFrame:
        """One row per system, topic and alpha: scores, difference, trade-off, T_R, T_J and p-values."""
        import polars as pl

        return pl.concat([pl.DataFrame(part) for part in topic_columns(self)] or [pl.DataFrame()])

    def explore(self, system: str, *, alpha: float) -> Exploration:
        """The part of each topic in a system's risk (see `riskrank.risk.explore`)."""
        return explore(self.scores[system], self.baseline_scores, alpha=alpha)

    def helped_hurt(self, system: str) -> HelpedHurt:
        """The histogram of a system's relative changes."""
        return helped_hurt(self.scores[system], self.baseline_scores)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, NaN as None."""
        scores = self.scores
        content: dict[str, Any] = without_nan(
            {
                "measure": scores.measure,
                **data_facts(scores),
                "baseline": self.baseline,
                "baseline_systems": self.baseline_systems,
                "grid": self.grid,
                "alphas": self.alphas,
                "level": self.level,
                "cvar_share": self.cvar_share,
                "confidence": self.confidence,
                "correction": self.correction,
                "population": self.population,
                "test": self.test,
                "cautions": self.cautions,
                "systems": [asdict(system) for system in self.systems],
                "topics": scores.topics,
                **weight_facts(scores),
                "scores": dict(zip(scores.systems, scores.matrix.tolist(), strict=True)),
                "baseline_scores": self.baseline_scores.tolist(),
            }
        )
        return content

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Assessment:
        """From what `to_dict` gives."""
        return cls.from_record(decode(AssessmentRecord, assessment_of_today(content), "assessment"))

    @classmethod
    def from_record(cls, record: AssessmentRecord) -> Assessment:
        """From what a file says."""
        scores = Effectiveness(
            measure=record.measure,
            systems=tuple(record.scores),
            topics=record.topics,
            matrix=np.array(list(record.scores.values())).reshape(len(record.scores), -1),
            **data_facts_in(record),
            weights=None if record.weights is None else np.array(record.weights),
            without_weight=record.topics_without_weight,
        )
        return cls(
            scores=scores,
            baseline=record.baseline,
            baseline_scores=np.array(record.baseline_scores),
            alphas=record.alphas,
            level=record.level,
            cvar_share=record.cvar_share,
            confidence=record.confidence,
            systems=record.systems,
            correction=record.correction,
            population=record.population or None,
            test=record.test,
            grid=record.alphas if record.grid is None else record.grid,
            baseline_systems=(record.baseline,) if record.baseline_systems is None else record.baseline_systems,
        )

    def to_json(self, path: PathLike | None = None) -> str | None:
        """Write JSON to `path`, or return it without one; `Assessment.from_json` reads it back."""
        return written(assessments_to_json([self]), path)

    @classmethod
    def from_json(cls, source: PathLike) -> Assessment:
        """An assessment from a JSON file, or from JSON text."""
        assessments = read_assessments(source)
        if len(assessments) != 1:
            raise AlignmentError(f"holds {len(assessments)} assessments. Use read_assessments to get them all.")
        return next(iter(assessments.values()))

    def to_html(
        self,
        path: PathLike | None = None,
        *,
        qrels: JudgmentsLike | None = None,
        runs: Mapping[str, SystemLike] | None = None,
    ) -> str | None:
        """Write a self-contained page to `path`, or return it without one.

        With `qrels` and `runs` (what `evaluate` was given), the page shows rankings side by side.
        """
        if (qrels is None) != (runs is None):
            raise ParameterError("rankings need both qrels= and runs=.")
        return written(shown_as(self, "page", qrels=qrels, runs=runs), path)

    def to_latex(self) -> str:
        """A booktabs table."""
        return shown_as(self, "latex")

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Assessment) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # holds an array


def read_assessments(source: PathLike) -> dict[str, Assessment]:
    """All assessments of a JSON file or text (as `riskrank evaluate --json` writes), by measure."""
    return {record.measure: Assessment.from_record(record) for record in assessments_in(source)}
