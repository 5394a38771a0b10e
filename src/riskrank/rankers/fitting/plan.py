"""What a training is to do, checked before any of it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.fingerprints import array_digest, sampled_fingerprint, scores_digest, whole_fingerprint
from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.data_share import DataShare
from riskrank.errors import ParameterError
from riskrank.parameters import whole
from riskrank.rankers.fitting.checkpoint import WHOLE_DATA, CheckpointFolder, checkpoint_folder
from riskrank.rankers.fitting.inputs import check_categories, check_finite, learned_columns, training_data
from riskrank.rankers.fitting.start import start_scale
from riskrank.rankers.fitting.validation import ValidMeasure, validation_data

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.bound_objective import BoundObjective
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, DataLike, Floats, Ids, LabelledLike, Numbers, PathLike, WeightsLike


@dataclass(frozen=True, eq=False)
class FitQueries:
    """The queries to learn from, or those to validate by: the objective on them, and the scores that the model begins
    with there (None: zero).
    """

    bound: BoundObjective
    start: Floats | None

    @classmethod
    def started(cls, bound: BoundObjective, baselines: list[BaselineScores], scale: float | None) -> FitQueries:
        """From the first baseline's scores times a scale, or from zero."""
        return cls(bound, None if scale is None else scale * baselines[0].finite_among(bound.data))

    def scores(self, learned: Floats) -> Floats:
        """The scores of the whole model: where it began, and what it has learned."""
        return learned if self.start is None else learned + self.start


@dataclass(frozen=True, eq=False)
class FitPlan:
    """Queries to learn from and to validate by, how many steps to make, when to stop, and where to keep checkpoints."""

    title: str
    unit: str
    objective: Objective
    baselines: tuple[str, ...]
    train: FitQueries
    valid: FitQueries | None
    start_scale: float | None  # of the baseline's scores; None to start from zero
    n_steps: int
    uses_best_step: bool  # rather than the last
    valid_measure: ValidMeasure | None  # where the best step is that of the validation queries
    patience: int | None
    checkpoints: CheckpointFolder | None
    is_shown: bool | None
    is_interruptible: bool = True  # by signals, after a step; a worker among others just ends


def plan_fit(
    ranker: Ranker,
    X: DataLike,
    y: Numbers | None = None,
    *,
    qid: Ids | None = None,
    group: Numbers | None = None,
    weights: WeightsLike | None = None,
    baseline: BaselineLike | None = None,
    valid: LabelledLike | None = None,
    valid_baseline: BaselineLike | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_every: int | None = None,
    keep_checkpoint: bool = False,
) -> FitPlan:
    """A plan for what a ranker's `fit` was asked to do; options are checked before data are read."""
    every = ranker.checkpoint_every if checkpoint_every is None else checkpoint_every
    whole("checkpoint_every", every, 1)
    _check_valid(ranker, valid, valid_baseline)
    objective = ranker.training_objective
    given = training_data(X, y, qid=qid, group=group, weights=weights)
    check_finite(given.features, given.columns)
    check_categories(ranker, given.columns)
    is_file_order = not isinstance(X, RankingData)
    data, baselines = ranker.training_view(given, baseline_scores(baseline, given, in_source_order=is_file_order))
    bound = ranker.bind(objective, data, baselines)
    scale = None if ranker.start == "zero" else start_scale(baselines, data, ranker.start_spread)
    train_queries, valid_queries, valid_measure = FitQueries.started(bound, baselines, scale), None, None
    uses_best_step = ranker.uses_best_step(valid is not None)
    if valid is not None:
        given_valid = validation_data(valid, learned_columns(data), baseline, valid_baseline)
        valid_data, valid_baselines = ranker.training_view(*given_valid)
        valid_bound = ranker.bind(objective, valid_data, valid_baselines)
        valid_queries = FitQueries.started(valid_bound, valid_baselines, scale)
        valid_measure = ValidMeasure(ranker.valid_measure, valid_bound) if uses_best_step else None
    checkpoints = None
    if checkpoint is not None:
        checkpoint_folder(checkpoint).check()
        identity = _identity(ranker, objective, train_queries, valid_queries, baselines)
        checkpoints = CheckpointFolder(
            Path(checkpoint), int(every), identity, keep_checkpoint, is_written=data.is_first_share
        )
    return FitPlan(
        title=f"{type(ranker).__name__} {objective!r}",
        unit=ranker.unit,
        objective=objective,
        baselines=tuple(baseline.name for baseline in baselines),
        train=train_queries,
        valid=valid_queries,
        start_scale=scale,
        n_steps=ranker.n_steps,
        uses_best_step=uses_best_step,
        valid_measure=valid_measure,
        patience=ranker.early_stopping,
        checkpoints=checkpoints,
        is_shown=ranker.verbose,
        is_interruptible=not isinstance(data, DataShare) or data.is_alone,
    )


def _check_valid(ranker: Ranker, valid: LabelledLike | None, valid_baseline: BaselineLike | None) -> None:
    asked = {
        "valid_measure": ranker.valid_measure,
        "valid_baseline": valid_baseline,
        "early_stopping": ranker.early_stopping,
    }
    for name, value in asked.items():
        if value is not None and valid is None:
            raise ParameterError(f"{name} needs validation data: pass valid=.", name)


def _identity(
    ranker: Ranker, objective: Objective, train: FitQueries, valid: FitQueries | None, baselines: list[BaselineScores]
) -> dict[str, Any]:
    """What must be the same for training to go on from a checkpoint."""
    data = [train.bound.data, *([] if valid is None else [valid.bound.data])]
    return {
        "ranker": type(ranker).__name__,
        "objective": objective.to_dict(),
        "training data": sampled_fingerprint(train.bound.data),
        "validation data": None if valid is None else sampled_fingerprint(valid.bound.data),
        WHOLE_DATA: [whole_fingerprint(each) for each in data],
        "baselines": {baseline.name: scores_digest(baseline.scores, train.bound.data) for baseline in baselines},
        "validation baselines": None if valid is None else array_digest(valid.bound.baselines_in_order),
        **ranker.identity(),
        "versions": ranker.engine_versions(),
    }
