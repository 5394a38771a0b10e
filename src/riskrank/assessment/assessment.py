"""Assessment: every risk number of every system against a baseline, as plain values."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from riskrank.assessment.cautions import cautions
from riskrank.assessment.columns import summary_rows, topic_columns
from riskrank.assessment.json import assessments_in, assessments_to_json, without_nan
from riskrank.assessment.significance import Significance, significance
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.json_numbers import from_json_numbers
from riskrank.errors import AlignmentError, ParameterError, listing, nearest, quoted
from riskrank.parameters import inside, one_of
from riskrank.rendered import Charted, shown_as, written
from riskrank.risk.exploratory import Exploration, explore
from riskrank.risk.helped_hurt import HelpedHurt, helped_hurt
from riskrank.risk.inference.multiple_testing import CORRECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from riskrank.risk.trisk import Verdict
    from riskrank.typing import Booleans, CorrectionName, Floats, JudgmentsLike, PathLike, SystemLike

TestName = Literal["mirror-shift", "t"]
FORMER_VERDICTS = {"real reward": "significant gain", "real risk": "significant loss"}  # files may hold these words


@dataclass(frozen=True)
class AtAlpha:
    """A system's risk at one weight of losses.

    `p_value` is that of the paper, by Student's t. `p_mirror` holds with few topics (in files of former versions it is
    the other one); `p_holm` and `p_bh` correct it for the systems compared, and the verdict goes by the correction of
    the assessment.
    """

    alpha: float
    urisk: float
    standard_error: float
    trisk: float
    p_value: float
    p_holm: float
    p_bh: float
    verdict: Verdict
    reason: str
    zrisk: float
    georisk: float
    p_mirror: float

    def p_corrected(self, correction: CorrectionName) -> float:
        """The p-value that a verdict goes by."""
        return {"holm": self.p_holm, "bh": self.p_bh, "none": self.p_mirror}[correction]

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> AtAlpha:
        """From plain values, None for NaN."""
        values: dict[str, Any] = {name: math.nan if value is None else value for name, value in content.items()}
        values.setdefault("p_mirror", values["p_value"])
        return cls(**{**values, "verdict": FORMER_VERDICTS.get(content["verdict"], content["verdict"])})


@dataclass(frozen=True)
class SystemSummary:
    """One system against the baseline; `intervals` by column name, if asked for.

    `gain_interval` belongs to the test of the gain: it excludes 0 where p ≤ the level, not corrected. `p_grid` has p at
    each alpha of the assessment's grid.
    """

    system: str
    is_baseline: bool
    effectiveness: float
    geometric_mean: float
    gain: float
    risk: float
    reward: float
    wins: int
    losses: int
    ties: int
    large_losses: int
    cvar: float
    worst_loss: float
    worst_topic: str | None
    at: tuple[AtAlpha, ...]
    kendall_tau: float | None = None
    reranked: float | None = None
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    gain_interval: tuple[float, float] = (math.nan, math.nan)
    p_grid: tuple[float, ...] = ()

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> SystemSummary:
        """From plain values, None for NaN where nothing else is meant by it."""
        optional = ("kendall_tau", "reranked", "worst_topic")
        values: dict[str, Any] = {
            name: math.nan if value is None and name not in optional else value for name, value in content.items()
        }
        values["at"] = tuple(AtAlpha.from_dict(at) for at in content["at"])
        values["intervals"] = {
            name: tuple(from_json_numbers(pair).tolist()) for name, pair in content["intervals"].items()
        }
        for name in ("gain_interval", "p_grid"):
            if name in content:
                values[name] = tuple(from_json_numbers(content[name]).tolist())
        values.setdefault("p_grid", tuple(at.p_mirror for at in values["at"]))
        return cls(**values)

    def at_alpha(self, alpha: float) -> AtAlpha:
        """The risk at one of the alphas of the assessment."""
        for at in self.at:
            if at.alpha == alpha:
                return at
        raise ParameterError(f"alpha {alpha:g} was not assessed, only {listing(f'{at.alpha:g}' for at in self.at)}.")


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
                "description": scores.description,
                "aggregate": scores.aggregate,
                "unit": scores.unit,
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
                "topics_without_relevant": scores.without_relevant,
                "missing_topics": dict(scores.missing),
                "ties_at_cutoff": dict(scores.ties_at_cutoff),
                "dropped_topics": scores.dropped,
                "left_out_without_relevant": scores.left_out,
                "unjudged": dict(scores.unjudged),
                "scores": dict(zip(scores.systems, scores.matrix.tolist(), strict=True)),
                "baseline_scores": self.baseline_scores.tolist(),
            }
        )
        return content

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Assessment:
        """From what `to_dict` gives."""
        one_of("correction", content.get("correction", "none"), tuple(CORRECTIONS))
        inside("level", content["level"], 0, 1)
        scores = Effectiveness(
            measure=content["measure"],
            systems=tuple(content["scores"]),
            topics=tuple(content["topics"]),
            matrix=np.array([from_json_numbers(row) for row in content["scores"].values()]),
            description=content["description"],
            aggregate=content["aggregate"],
            without_relevant=tuple(content["topics_without_relevant"]),
            missing={name: tuple(topics) for name, topics in content["missing_topics"].items()},
            ties_at_cutoff=content["ties_at_cutoff"],
            dropped=tuple(content["dropped_topics"]),
            unjudged=content.get("unjudged", {}),
            left_out=tuple(content.get("left_out_without_relevant", ())),
            unit=content.get("unit", "topic"),
        )
        return cls(
            scores=scores,
            baseline=content["baseline"],
            baseline_scores=from_json_numbers(content["baseline_scores"]),
            alphas=tuple(content["alphas"]),
            level=content["level"],
            cvar_share=content["cvar_share"],
            confidence=content["confidence"],
            systems=tuple(SystemSummary.from_dict(system) for system in content["systems"]),
            correction=content.get("correction", "none"),
            population=tuple(content["population"]) if content.get("population") else None,
            test=content.get("test", "t"),
            grid=tuple(content.get("grid", content["alphas"])),
            baseline_systems=tuple(content.get("baseline_systems", [content["baseline"]])),
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
    with assessments_in(source) as contents:
        return {content["measure"]: Assessment.from_dict(content) for content in contents}
