"""Effectiveness of systems: judgments and runs in, systems × topics out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, cast, get_args, overload

import numpy as np

from riskrank.data.effectiveness import NOT_ANSWERED, Effectiveness, not_covered
from riskrank.data.feature import Feature, feature_of
from riskrank.data.judgments import read_if_letor
from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.joined_effectiveness import joined_effectiveness
from riskrank.data.shards.sharded_data import check_in_shards, shards_of
from riskrank.errors import AlignmentError, MeasureError, ParameterError
from riskrank.measures.measured_system import JUDGED_DEPTH, MeasuredSystem
from riskrank.measures.parse import parse_measure
from riskrank.parameters import one_of
from riskrank.progress import Progress
from riskrank.typing import Missing

if TYPE_CHECKING:
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.data.shards.streamed_table import StreamedTable
    from riskrank.measures.measure import Measure
    from riskrank.measures.ranking import Judgments, RankedSystems
    from riskrank.typing import BaselineLike, ClusterLike, Integers, JudgmentsLike, MeasureLike, SystemsLike

D = TypeVar("D")
MANY_SYSTEMS, MANY_DOCUMENTS = 50, 5_000_000  # take seconds, and a progress bar


class EffectivenessByMeasure(dict[str, Effectiveness]):
    """Several measures of the same systems, by name; any spelling of a measure finds it."""

    def __missing__(self, key: str) -> Effectiveness:
        name = self._name(key)
        if name is None:
            raise KeyError(key)
        return self[name]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, str) and self._name(key) is not None)

    @overload
    def get(self, key: str, default: None = None, /) -> Effectiveness | None: ...
    @overload
    def get(self, key: str, default: D, /) -> Effectiveness | D: ...

    def get(self, key: str, default: D | None = None, /) -> Effectiveness | D | None:
        """The measure of this name, in any spelling, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def _name(self, key: str) -> str | None:
        try:
            name = str(parse_measure(key))
        except MeasureError:
            return None
        return name if super().__contains__(name) else None


@overload
def evaluate(  # type: ignore[overload-overlap]  # a str is a sequence of str, but the first signature has it
    qrels: JudgmentsLike,
    runs: SystemsLike,
    measures: MeasureLike,
    *,
    missing: Missing = ...,
    cluster: ClusterLike | None = ...,
) -> Effectiveness: ...
@overload
def evaluate(
    qrels: JudgmentsLike,
    runs: SystemsLike,
    measures: Sequence[MeasureLike],
    *,
    missing: Missing = ...,
    cluster: ClusterLike | None = ...,
) -> EffectivenessByMeasure: ...
@overload
def evaluate(  # type: ignore[overload-overlap]
    qrels: ShardedData,
    runs: BaselineLike,
    measures: MeasureLike,
    *,
    missing: Missing = ...,
    cluster: ClusterLike | None = ...,
) -> Effectiveness: ...
@overload
def evaluate(
    qrels: ShardedData,
    runs: BaselineLike,
    measures: Sequence[MeasureLike],
    *,
    missing: Missing = ...,
    cluster: ClusterLike | None = ...,
) -> EffectivenessByMeasure: ...


def evaluate(
    qrels: JudgmentsLike | ShardedData,
    runs: SystemsLike | BaselineLike,
    measures: MeasureLike | Sequence[MeasureLike],
    *,
    missing: Missing = "zero",
    cluster: ClusterLike | None = None,
) -> Effectiveness | EffectivenessByMeasure:
    """Score systems on every judged topic.

    Topics are matched by id. Topics without judgments are not evaluated.

    Parameters
    ----------
    qrels
        TREC judgments (a path, frame or dict), or labelled feature data (a LETOR path, `RankingData` or `ShardedData`,
        whose weights the scores then have). A table by its path, whose columns the runs are, is read a part at a time.
    runs
        ``{name: run}``, a list of runs, or one run. A run is a path, frame or dict, or with feature data an array of
        scores, a file with a score per line, a `Feature` or ``"feature:110"``; with data in shards a `Feature`, a
        column of scores there (``"column:bm25"``), or a ranker.
    measures
        One measure, or a list of them: text like ``"nDCG@10"`` or a `Measure`.
    missing
        What becomes of topics that a run lacks: they score ``"zero"`` (as trec_eval -c), are dropped for all systems
        (``"intersect"``) or are an ``"error"``.
    cluster
        Workers that judge `ShardedData` where they are, as `fit` takes them.

    Returns
    -------
    An `Effectiveness` for one measure; for a list, a dict of them that is looked up by any spelling of a measure.

    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
    >>> evaluate(qrels, {"new": {"1": {"a": 0.2, "b": 0.9}}}, "RR").matrix
    array([[0.5, 0. ]])
    """
    one_of("missing", missing, get_args(Missing))
    if isinstance(measures, Iterable) and not isinstance(measures, str):
        return _evaluate_all(qrels, runs, [parse_measure(measure) for measure in measures], missing, cluster)
    (scores,) = _evaluate_all(qrels, runs, [parse_measure(measures)], missing, cluster).values()
    return scores


def _evaluate_all(
    qrels: JudgmentsLike | ShardedData,
    runs: SystemsLike | BaselineLike,
    measures: list[Measure],
    missing: Missing,
    cluster: ClusterLike | None,
) -> EffectivenessByMeasure:
    if not measures:
        raise ParameterError("at least one measure is needed.")
    shards = shards_of(qrels)
    if shards is not None:
        shards.check_weights_of_queries("data to evaluate on")
        judged = import_module("riskrank.cluster.scoring").evaluate_shards(shards, runs, measures, cluster=cluster)
        return EffectivenessByMeasure({name: scores.answered(missing) for name, scores in judged.items()})
    check_in_shards(qrels, cluster=cluster)
    judged_table = _evaluated_table(qrels, runs, measures, missing)
    if judged_table is not None:
        return judged_table
    ranked = _ranked_systems(cast("JudgmentsLike", qrels), cast("SystemsLike", runs))
    if not ranked.names:
        raise AlignmentError("at least one run is needed.")
    n_systems = len(ranked.names)
    systems = []
    with Progress("scoring systems", n_systems, show=None if n_systems > MANY_SYSTEMS else False) as progress:
        for system in ranked.in_turn:
            systems.append(MeasuredSystem.of(system, measures))
            progress.update(len(systems))
    topics = _topics_kept(ranked.judgments, systems, missing)
    scores = {str(measure): _effectiveness(measure, ranked.judgments, systems, topics) for measure in measures}
    if isinstance(qrels, RankingData) and qrels.query_weights is not None:
        scores = {name: replace(each, weights=qrels.query_weights[topics]) for name, each in scores.items()}
    return EffectivenessByMeasure(scores)


def _evaluated_table(
    source: object, runs: object, measures: Sequence[Measure], missing: Missing
) -> EffectivenessByMeasure | None:
    """On a table by its path, if its own columns are the systems."""
    if not isinstance(source, str | os.PathLike) or not isinstance(runs, Mapping) or not runs:
        return None
    features = {str(name): each if isinstance(each, Feature) else feature_of(str(each)) for name, each in runs.items()}
    known = {name: feature for name, feature in features.items() if feature is not None}
    if len(known) < len(runs):
        return None
    from riskrank.data.feature_tables.ranking_files import is_feature_table, read_ranking_data

    if not is_feature_table(source):
        return None
    from riskrank.data.feature_tables.column_roles import ColumnChoice
    from riskrank.data.shards.seen_queries import ScatteredQueriesError
    from riskrank.data.shards.streamed_table import StreamedTable

    try:
        return evaluate_streamed(StreamedTable(source, ColumnChoice()), known, measures, missing=missing)
    except ScatteredQueriesError:
        return _evaluate_all(read_ranking_data(source), known, list(measures), missing, None)


def evaluate_streamed(
    table: StreamedTable, systems: Mapping[str, Feature], measures: Sequence[Measure], *, missing: Missing = "zero"
) -> EffectivenessByMeasure:
    """Score features of a table, as `evaluate` does on all of it, in memory that grows by a few numbers a query."""
    named = {name: table.named(feature) for name, feature in systems.items()}
    n_documents = table.n_documents
    with Progress("scoring documents", n_documents, show=None if n_documents > MANY_DOCUMENTS else False) as progress:
        parts = [evaluate(part, named, measures) for part in progress.counted(table.parts(named.values()))]
    joined = {str(measure): joined_effectiveness([part[str(measure)] for part in parts]) for measure in measures}
    return EffectivenessByMeasure({name: scores.answered(missing) for name, scores in joined.items()})


def _ranked_systems(qrels: JudgmentsLike, runs: SystemsLike) -> RankedSystems:
    judgments = read_if_letor(qrels)
    if isinstance(judgments, RankingData):
        from riskrank.measures.rank_scores import rank_feature_data

        return rank_feature_data(judgments, runs)
    from riskrank.measures.rank_runs import rank_runs

    return rank_runs(judgments, runs)


def _topics_kept(judgments: Judgments, systems: Sequence[MeasuredSystem], missing: Missing) -> Integers:
    answered = np.array([system.retrieved > 0 for system in systems])
    if missing == "error" and not answered.all():
        system = int(np.flatnonzero(~answered.all(axis=1))[0])
        lacking = np.flatnonzero(~answered[system])
        raise not_covered(systems[system].name, judgments.n_topics, len(lacking), judgments.topics[lacking[0]])
    if missing == "intersect":
        kept = np.flatnonzero(answered.all(axis=0))
        if not len(kept):
            raise AlignmentError(NOT_ANSWERED)
        return kept
    return np.arange(judgments.n_topics)


def _effectiveness(
    measure: Measure, judgments: Judgments, systems: Sequence[MeasuredSystem], kept: Integers
) -> Effectiveness:
    cutoff = measure.cutoff_or_none
    rel = getattr(measure.inner, "rel", None) or np.nextafter(0, 1)
    lacking = {system.name: tuple(judgments.topics[i] for i in kept[system.retrieved[kept] == 0]) for system in systems}
    ties = {} if cutoff is None else {system.name: system.ties[cutoff] for system in systems}
    return Effectiveness(
        measure=str(measure),
        systems=tuple(system.name for system in systems),
        topics=tuple(judgments.topics[i] for i in kept),
        matrix=np.array([system.values[str(measure)] for system in systems])[:, kept],
        description=measure.describe(judgments),
        aggregate=measure.aggregate,
        without_relevant=tuple(judgments.topics[i] for i in kept[judgments.count(rel)[kept] == 0]),
        missing={name: topics for name, topics in lacking.items() if topics},
        ties_at_cutoff={name: count for name, count in ties.items() if count},
        dropped=tuple(judgments.topics[i] for i in np.setdiff1d(np.arange(judgments.n_topics), kept)),
        unjudged={} if judgments.source == "labels" else _unjudged(systems, kept, cutoff or JUDGED_DEPTH),
        unit="query" if judgments.source == "labels" else "topic",
    )


def _unjudged(systems: Sequence[MeasuredSystem], kept: Integers, depth: int) -> dict[str, float]:
    """The share of each system's first documents that nobody judged."""
    shares = {}
    for system in systems:
        shown = int(np.minimum(system.retrieved[kept], depth).sum())
        judged = int(system.judged[depth][kept].sum())
        if judged < shown:
            shares[system.name] = 1 - judged / shown
    return shares
