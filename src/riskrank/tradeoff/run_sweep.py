"""Training the models of a sweep, each kept as soon as it is finished."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.shards.sharded_data import check_in_shards
from riskrank.errors import ParameterError, counted
from riskrank.progress import Progress
from riskrank.tradeoff.grid import common_parameter
from riskrank.tradeoff.judged_queries import JudgedQueries, joined_folds
from riskrank.tradeoff.query_splits import splits_of, training_data_of
from riskrank.tradeoff.sweep import Sweep
from riskrank.tradeoff.sweep_files import begin_sweep, sweep_folder
from riskrank.tradeoff.sweep_plan import SweepPlan
from riskrank.tradeoff.training.fold import Fold, check_predictors, predict_queries
from riskrank.tradeoff.training.train_model import train_model
from riskrank.tradeoff.training.workers import SharedBar, run_jobs
from riskrank.tradeoff.training.workplace import workplace_of
from riskrank.weights import relative_weights, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.grid import Setting
    from riskrank.tradeoff.query_splits import Split
    from riskrank.tradeoff.training.fold import QueryPredictions
    from riskrank.tradeoff.training.train_model import FinishedModel
    from riskrank.typing import (
        BaselineLike,
        ClusterLike,
        Floats,
        GridLike,
        MeasureLike,
        PathLike,
        PredictorsLike,
        RankersLike,
        SplitsLike,
        SweptDataLike,
        TopicColumnLike,
    )


def sweep(
    data: SplitsLike,
    rankers: RankersLike,
    *,
    baseline: BaselineLike,
    values: GridLike | Mapping[str, GridLike] = (0, 1, 5, 10),
    parameter: str | Mapping[str, str] = "alpha",
    valid: SweptDataLike | None = None,
    test: SweptDataLike | None = None,
    calibration: SweptDataLike | None = None,
    folds: int | None = None,
    weights: TopicColumnLike | None = None,
    measure: MeasureLike | None = None,
    measures: Sequence[MeasureLike] = (),
    predictors: PredictorsLike = (),
    folder: PathLike | None = None,
    n_jobs: int | None = None,
    cluster: ClusterLike | None = None,
    memory: int | None = None,
    random_state: int = 0,
    zero_based: bool = False,
    cache: PathLike | None = None,
    verbose: bool | None = None,
) -> Sweep:
    """Train rankers over a grid of one parameter and judge them all against the baseline.

    Parameters
    ----------
    data, folds, weights
        Training data, with `test`; all data, with `folds`; a folder of folds; or a list of (train, valid, test). And a
        table of query ids and how much each counts in training, means and tests (default: as `RankingData` has it).
    rankers
        One, several, or several by the names of their series; they or their objectives have the `parameter`.
    baseline
        What all are judged against: a `Feature`, a run, a ranker, or several of them.
    values, parameter
        The values that the parameter takes; where series differ in one or the other, dicts by their names.
    valid, test, calibration
        Queries to validate and to test on, and queries kept for a guarantee (default: `valid`, if it chose no model).
    measure, measures
        What judges (default: the measure of the first objective), and what is shown beside it.
    predictors
        Of queries, for selective use of the first model: texts like ``"max feature:1"``, or predictors by name.
    folder
        Gets each model as it is finished; called again with the same data, the sweep goes on where it was.
    n_jobs
        Models trained side by side (default: one per core), with equal shares of the cores; nets never are.
    cluster
        Workers for `ShardedData`, as `fit` takes them. Each model is trained by one of them where that can hold the
        data, side by side (`n_jobs`; default: one per worker), else by all together. The sweep does not depend on them.
    memory
        Bytes that each worker of a cluster may use for a training, as `fit` takes them.
    random_state, zero_based, cache, verbose
        The seed of the folds; whether the features of files count from 0; a folder that keeps what is read of files; a
        progress bar (None: on a terminal).
    """
    plan = SweepPlan.of(
        rankers, parameter, values, baseline=baseline, measure=measure, measures=measures, predictors=predictors,
        folder=folder, n_jobs=n_jobs, cluster=cluster, memory=memory,
    )  # fmt: skip
    for own in training_data_of(data):
        check_in_shards(own, cluster=cluster, memory=memory)
    if memory is not None and cluster is None:
        raise ParameterError("memory= is what workers may use: pass cluster=, local:1 say.", "memory")
    splits = splits_of(
        data, valid=valid, test=test, calibration=calibration, folds=folds, random_state=random_state,
        zero_based=zero_based, cache=cache, weights=weights,
    )  # fmt: skip
    return _run(plan, splits, verbose) if plan.folder is None else _run_and_keep(plan, plan.folder, splits, verbose)


def _run_and_keep(plan: SweepPlan, folder: Path, splits: Sequence[Callable[[], Split]], verbose: bool | None) -> Sweep:
    with sweep_folder(folder).held():
        result = _run(plan, splits, verbose)
        result.save(folder)
    return result


def _run(plan: SweepPlan, splits: Sequence[Callable[[], Split]], verbose: bool | None) -> Sweep:
    """All folds, one after the other."""
    title = f"sweep of {counted(len(plan.models), 'model')}" + (f" × {len(splits)} folds" if len(splits) > 1 else "")
    with Progress(title, len(splits) * plan.n_steps, show=verbose) as bar:
        return _sweep_of(plan, [_run_fold(plan, number, make(), bar) for number, make in enumerate(splits, start=1)])


@dataclass(frozen=True, eq=False)
class FoldResult:
    """What is kept of a fold when its data are gone; the rankers only where there is no folder for them."""

    baseline_names: tuple[str, ...]
    rankers: tuple[Ranker, ...]
    finished: tuple[FinishedModel, ...]
    judged: Mapping[str, JudgedQueries]
    predictions: QueryPredictions


def _run_fold(plan: SweepPlan, number: int, split: Split, bar: Progress) -> FoldResult:
    """Train and judge all models on a split."""
    check_predictors(plan.predictors, split)
    with workplace_of(plan, split) as workplace:
        fold = Fold.of(number, workplace, plan.baseline, plan.measure, plan.others)
        return _swept(plan, fold, bar)


def _swept(plan: SweepPlan, fold: Fold, bar: Progress) -> FoldResult:
    if plan.folder is not None:
        begin_sweep(plan.folder)
    shared = SharedBar(bar, len(plan.models), (fold.number - 1) * plan.n_steps)
    jobs = [partial(_train, plan, fold, setting, shared) for setting in plan.settings]
    rankers, finished = zip(*run_jobs(jobs, fold.workplace.n_jobs), strict=True)
    predictions = predict_queries(fold, rankers[plan.reference_model], plan.predictors)
    return FoldResult(
        baseline_names=fold.baseline_names,
        rankers=rankers if plan.folder is None else (),
        finished=finished,
        judged={name: _judged_part(fold, name, finished, predictions) for name in fold.judged_parts},
        predictions=predictions,
    )


def _train(plan: SweepPlan, fold: Fold, setting: Setting, shared: SharedBar) -> tuple[Ranker, FinishedModel]:
    ranker = plan.models[setting]
    folder = None if plan.folder is None else setting.place(plan.folder, fold.number)
    with shared.counts(ranker.n_steps):
        return train_model(fold, ranker, folder=folder)


def _judged_part(
    fold: Fold, name: str, models: Sequence[FinishedModel], predictions: QueryPredictions
) -> JudgedQueries:
    """All models on one set of queries."""
    part = fold.parts[name]

    def rows(column: str) -> Floats:
        return np.array([model.tables[name][column] for model in models], dtype=np.float64)

    return JudgedQueries(
        queries=part.query_ids,
        fold=np.full(len(part.query_ids), fold.number),
        baseline=part.values,
        values=rows("effectiveness"),
        distance=rows("kendall_distance"),
        is_reranked=rows("is_reranked").astype(bool),
        predictors=predictions.values[name],
        others={
            other: np.append(mean, weighted_mean(rows(other), relative_weights(part.weights)))
            for other, mean in part.other_means.items()
        },
        weights=part.weights,
    )


def _sweep_of(plan: SweepPlan, folds: Sequence[FoldResult]) -> Sweep:
    """All folds as one result; numbers of training queries and thresholds are means over folds."""
    last = folds[-1]
    judged = {name: joined_folds([fold.judged[name] for fold in folds]) for name in last.judged}
    rankers = zip(*(fold.rankers for fold in folds), strict=True)  # by model, not by fold
    return Sweep(
        measure=str(plan.measure),
        parameter=common_parameter(plan.settings),
        baseline=", ".join(last.baseline_names),
        n_baselines=len(last.baseline_names),
        settings=plan.settings,
        test=judged["test"],
        valid=judged.get("valid"),
        calibration=judged.get("calibration"),
        is_valid_fresh=not plan.is_chosen_by_valid,
        train_gain=np.mean([[model.train_gain for model in fold.finished] for fold in folds], axis=0),
        train_risk=np.mean([[model.train_risk for model in fold.finished] for fold in folds], axis=0),
        learning=tuple(tuple(fold.finished[i].learning for fold in folds) for i in range(len(plan.settings))),
        learning_baseline=tuple(
            tuple(fold.finished[i].learning_baseline for fold in folds) for i in range(len(plan.settings))
        ),
        unit=last.finished[0].unit,
        n_folds=len(folds),
        thresholds={
            name: np.mean([fold.predictions.thresholds[name] for fold in folds], axis=0) for name in plan.predictors
        },
        predictors=last.predictions.predictors,
        models=dict(zip(plan.settings, rankers, strict=True)) if plan.folder is None else None,
        folder=plan.folder,
        rankers=plan.models,
    )
