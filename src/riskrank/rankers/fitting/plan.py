"""What a training is to do, checked before any of it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.fingerprints import array_digest, fingerprint
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.parameters import whole
from riskrank.rankers.fitting.checkpoint import CheckpointFolder
from riskrank.rankers.fitting.inputs import check_features, training_data
from riskrank.rankers.fitting.sides import FitSide, WatchedValue, validation_data
from riskrank.rankers.fitting.start import start_scale

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, DataLike, Ids, LabelledLike, Numbers, PathLike


@dataclass(frozen=True, eq=False)
class FitPlan:
    """Queries to learn from and to validate by, how many steps to make, when to stop, and where to keep checkpoints."""

    title: str
    unit: str
    objective: Objective
    baselines: tuple[str, ...]
    train: FitSide
    valid: FitSide | None
    start_scale: float | None
    n_steps: int
    uses_best_step: bool  # rather than the last
    watched: WatchedValue | None  # on validation queries, where the best step is used
    patience: int | None
    checkpoints: CheckpointFolder | None
    is_shown: bool | None

    @property
    def alpha(self) -> float:
        """How much more losses weigh, in the history."""
        return float(getattr(self.objective, "alpha", 0.0))


def plan_fit(
    ranker: Ranker,
    X: DataLike,
    y: Numbers | None = None,
    *,
    qid: Ids | None = None,
    group: Numbers | None = None,
    baseline: BaselineLike | None = None,
    valid: LabelledLike | None = None,
    valid_baseline: BaselineLike | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_every: int | None = None,
) -> FitPlan:
    """A plan for what a ranker's `fit` was asked to do; options are checked before data are read."""
    objective = ranker.training_objective
    every = ranker.checkpoint_every if checkpoint_every is None else checkpoint_every
    whole("checkpoint_every", every, 1)
    _check_valid(ranker, valid, valid_baseline)
    given = training_data(X, y, qid=qid, group=group)
    check_features(given)
    data, baselines = ranker.training_view(given, baseline_scores(baseline, given, in_source_order=X is not given))
    bound = ranker.bind(objective, data, baselines)
    scale = _start_scale(ranker, data, baselines)
    train, other = FitSide.started(bound, baselines, scale), None
    if valid is not None:
        valid_data, valid_baselines = validation_data(valid, given, baseline, valid_baseline)
        if len(valid_baselines) != len(baselines):
            raise AlignmentError(
                f"training has {len(baselines)} baseline(s), validation has {len(valid_baselines)}; "
                "they must be the same."
            )
        valid_data, valid_baselines = ranker.training_view(valid_data, valid_baselines)
        other = FitSide.started(ranker.bind(objective, valid_data, valid_baselines), valid_baselines, scale)
    folder = None if checkpoint is None else Path(checkpoint)
    if folder is not None and folder.exists() and not folder.is_dir():
        raise FileError(folder, "is a file; checkpoints need a folder.")
    identity = _identity(ranker, objective, train, other, baselines)
    uses_best_step = ranker.uses_best_step(other is not None)
    return FitPlan(
        title=f"{type(ranker).__name__} {objective!r}",
        unit=ranker.unit,
        objective=objective,
        baselines=tuple(baseline.name for baseline in baselines),
        train=train,
        valid=other,
        start_scale=scale,
        n_steps=ranker.n_steps,
        uses_best_step=uses_best_step,
        watched=WatchedValue(ranker.valid_measure, other.bound) if uses_best_step and other is not None else None,
        patience=ranker.early_stopping,
        checkpoints=None if folder is None else CheckpointFolder(folder, int(every), identity),
        is_shown=ranker.verbose,
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


def _start_scale(ranker: Ranker, data: RankingData, baselines: list[BaselineScores]) -> float | None:
    """The factor of the baseline's scores that the model starts from; None to start from nothing."""
    if ranker.start == "zero":
        return None
    if len(baselines) != 1:
        raise ParameterError(f"start='baseline' needs exactly one baseline, got {len(baselines)}.")
    return start_scale(baselines[0], data, ranker.start_spread)


def _identity(
    ranker: Ranker, objective: Objective, train: FitSide, valid: FitSide | None, baselines: list[BaselineScores]
) -> dict[str, Any]:
    """What must be the same for training to go on from a checkpoint."""
    return {
        "ranker": type(ranker).__name__,
        "objective": objective.to_dict(),
        "training data": fingerprint(train.bound.data),
        "validation data": None if valid is None else fingerprint(valid.bound.data),
        "baselines": {baseline.name: array_digest(baseline.scores) for baseline in baselines},
        "validation baselines": None if valid is None else array_digest(valid.bound.baseline_values),
        **ranker.identity(),
        "versions": ranker.engine_versions(),
    }
