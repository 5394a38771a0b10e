"""SweepPlan: what a user asks of a sweep, checked before any data are read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.cores import usable_cores
from riskrank.data.baseline_scores import holds_document_scores
from riskrank.data.shards.storage import LEAST_MEMORY
from riskrank.errors import AlignmentError, ParameterError
from riskrank.measures import parse_measure
from riskrank.parameters import whole
from riskrank.rankers.selective.query_predictors import QueryPredictor, parse_predictor
from riskrank.tradeoff.grid import grid, named_rankers, reference_model
from riskrank.tradeoff.sweep_files import sweep_folder

if TYPE_CHECKING:
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.grid import Setting
    from riskrank.typing import BaselineLike, ClusterLike, GridLike, MeasureLike, PathLike, PredictorsLike, RankersLike


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """The models of a sweep, how they are judged, where they are kept, how many are trained at a time, and by whom.

    `measure` judges, `others` are shown beside it; `predictors` are for selective use of the reference model.
    """

    models: Mapping[Setting, Ranker]
    baseline: BaselineLike
    measure: Measure
    others: tuple[Measure, ...]
    predictors: Mapping[str, QueryPredictor]
    folder: Path | None
    n_jobs: int
    n_asked: int | None = None  # of jobs, by the user
    cluster: ClusterLike | None = None
    memory: int | None = None

    @classmethod
    def of(
        cls,
        rankers: RankersLike,
        parameter: str | Mapping[str, str],
        values: GridLike | Mapping[str, GridLike],
        *,
        baseline: BaselineLike,
        measure: MeasureLike | None,
        measures: Sequence[MeasureLike],
        predictors: PredictorsLike,
        folder: PathLike | None,
        n_jobs: int | None,
        cluster: ClusterLike | None = None,
        memory: int | None = None,
    ) -> SweepPlan:
        """From what `riskrank.sweep` is given; what makes no sense is refused."""
        whole("n_jobs", n_jobs, 1, optional=True)
        whole("memory", memory, LEAST_MEMORY, optional=True)
        _check_baseline(baseline)
        named = named_rankers(rankers)
        models = grid(named, parameter, values)
        for ranker in models.values():
            ranker.check_parameters()
        first = next(iter(named.values()))
        judging = first.training_objective.reported_measure if measure is None else parse_measure(measure)
        place = None if folder is None else Path(os.path.abspath(folder))
        if place is not None:
            sweep_folder(place).check()
        return cls(
            models=models,
            baseline=baseline,
            measure=judging,
            others=tuple(each for each in map(parse_measure, measures) if each != judging),
            predictors=named_predictors(predictors),
            folder=place,
            n_jobs=_jobs(models, n_jobs),
            n_asked=n_jobs,
            cluster=cluster,
            memory=memory,
        )

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The models by series and value."""
        return tuple(self.models)

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """The measure that judges, and those shown beside it."""
        return (self.measure, *self.others)

    @property
    def reference_model(self) -> int:
        """The model that all others are seen against, among `settings`."""
        return reference_model(self.settings)

    @property
    def n_steps(self) -> int:
        """How many steps of training all models have, at most."""
        return sum(ranker.n_steps for ranker in self.models.values())

    @property
    def n_threads(self) -> int | None:
        """The threads that all models side by side have: what they agree on, or an equal share of the cores.

        LightGBM keeps one number of threads for the whole process: a call that changes it while another model begins
        can crash the process. None for models one after the other, which have their own numbers.
        """
        if self.n_jobs == 1:
            return None
        given = {ranker.n_threads for ranker in self.models.values()}
        agreed = given.pop() if len(given) == 1 else None
        return max(1, usable_cores() // self.n_jobs) if agreed is None else agreed

    @property
    def is_chosen_by_valid(self) -> bool:
        """Does any model keep the step that is best on validation queries?"""
        return any(ranker.uses_best_step(True) for ranker in self.models.values())


def named_predictors(given: PredictorsLike) -> dict[str, QueryPredictor]:
    """Predictors by name; those given as text are named by it."""
    named = given if isinstance(given, Mapping) else {str(each): each for each in given}
    predictors = {name: parse_predictor(each) if isinstance(each, str) else each for name, each in named.items()}
    for name, predictor in predictors.items():
        if not isinstance(predictor, QueryPredictor):
            raise ParameterError(f"{name} must be a predictor like Aggregate('max', 110), got {predictor!r}.")
    return predictors


def _check_baseline(baseline: BaselineLike) -> None:
    if baseline is None or (isinstance(baseline, list | tuple | Mapping) and not len(baseline)):
        raise ParameterError("a sweep needs a baseline: pass baseline=.")
    if holds_document_scores(baseline):
        raise AlignmentError("a sweep needs a baseline that is known on all its queries: a Feature, a run or a ranker.")


def _jobs(models: Mapping[Setting, Ranker], n_jobs: int | None) -> int:
    """How many models are trained at a time."""
    if not all(ranker.runs_in_threads for ranker in models.values()):
        return 1
    return min(n_jobs or usable_cores(), len(models))
