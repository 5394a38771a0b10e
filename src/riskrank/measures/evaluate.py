"""Effectiveness of systems: judgments and runs in, systems × topics out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from riskrank.data.effectiveness import Effectiveness
from riskrank.data.files import read_head
from riskrank.data.letor.reader import read_letor
from riskrank.data.missing import check_missing
from riskrank.data.names import looks_like_letor, system_name
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, MeasureError, ParameterError, listing, quoted
from riskrank.measures.parse import parse_measure
from riskrank.measures.standard.geometric_mean import GM
from riskrank.measures.through_ir_measures import IrMeasure

if TYPE_CHECKING:
    from riskrank.measures.measure import Measure
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.typing import Floats, Integers, Missing


class EffectivenessByMeasure(dict[str, Effectiveness]):
    """Several measures of the same systems, by name; any spelling of a measure finds it."""

    def __missing__(self, key: str) -> Effectiveness:
        name = self._name(key)
        if name is None:
            raise KeyError(key)
        return self[name]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, str) and self._name(key) is not None)

    def get(self, key: str, default: Any = None) -> Any:
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
def evaluate(qrels: Any, runs: Any, measures: str | Measure, *, missing: Missing = ...) -> Effectiveness: ...
@overload
def evaluate(
    qrels: Any, runs: Any, measures: Sequence[str | Measure], *, missing: Missing = ...
) -> EffectivenessByMeasure: ...


def evaluate(
    qrels: Any, runs: Any, measures: str | Measure | Sequence[str | Measure], *, missing: Missing = "zero"
) -> Effectiveness | EffectivenessByMeasure:
    """Score systems on every judged topic.

    `qrels`: TREC judgments (a path, frame or dict), or labelled feature data (a LETOR path or `RankingData`). `runs`:
    ``{name: run}``, a list of runs, or one run; a run is a path, frame or dict, or with feature data an array of
    scores, a file with a score per line, or ``"feature:110"``.
    `measures`: one measure gives an `Effectiveness`, a list gives a dict of them.

    Topics are matched by id. Topics that a run lacks score ``"zero"`` (as trec_eval -c), are dropped for all
    systems (``"intersect"``) or are an ``"error"``. Topics without judgments are not evaluated.

    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
    >>> evaluate(qrels, {"new": {"1": {"a": 0.2, "b": 0.9}}}, "RR").matrix
    array([[0.5, 0. ]])
    """
    check_missing(missing)
    several = measures if isinstance(measures, Iterable) and not isinstance(measures, str) else None
    wanted = [parse_measure(m) for m in several] if several is not None else [parse_measure(measures)]  # type: ignore[arg-type]
    if not wanted:
        raise ParameterError("at least one measure is needed.")
    if isinstance(qrels, str | os.PathLike) and looks_like_letor(read_head(qrels)):
        qrels = read_letor(qrels)
    if isinstance(qrels, RankingData):
        judgments, rankings, through = _rank_feature_data(qrels, runs)
    else:
        judgments, rankings, through = _rank_trec(qrels, runs)
    if not rankings:
        raise AlignmentError("at least one run is needed.")
    topics = _topics_kept(judgments, rankings, missing)
    results = EffectivenessByMeasure()
    for measure in wanted:
        results[str(measure)] = _effectiveness(measure, judgments, rankings, through, topics)
    return results if several is not None else results[str(wanted[0])]


def _rank_trec(qrels: Any, runs: Any) -> tuple[Judgments, dict[str, Ranking], Any]:
    from riskrank.data.trec.qrels import read_qrels
    from riskrank.data.trec.runs import read_runs
    from riskrank.measures.rank_runs import judgments_of, rank_runs

    judged = read_qrels(qrels)
    judgments = judgments_of(judged)
    loaded = read_runs(_as_collection(runs))
    rankings = rank_runs(loaded, judged, judgments)
    for name, ranking in rankings.items():
        if not ranking.retrieved.any():
            raise AlignmentError(
                f"run {quoted(name)} and the qrels have no topic in common: "
                f"run {listing(loaded[name].frame['topic'].unique(maintain_order=True), limit=3)}; "
                f"qrels {listing(judgments.topics, limit=3)}."
            )

    def through_ir_measures(measure: IrMeasure, name: str) -> Floats:
        grades = _nested(judged.frame, "grade", int)
        return measure.per_topic_of(judgments.topics, grades, _nested(loaded[name].frame, "score", float))

    return judgments, rankings, through_ir_measures


def _rank_feature_data(data: RankingData, runs: Any) -> tuple[Judgments, dict[str, Ranking], Any]:
    from riskrank.data.scores.document_scores import checked_scores, scores_of
    from riskrank.measures.rank_scores import judgments_of_labels, rank_scores, ranks_of_scores

    judgments = judgments_of_labels(data)
    named = {
        name: scores_of(scores, data)
        if isinstance(scores, str | os.PathLike)
        else checked_scores(scores, data, name=name, lowest=-np.inf)
        for name, scores in _named_scores(runs).items()
    }
    rankings = {name: rank_scores(scores, data, judgments, name=name) for name, scores in named.items()}

    def through_ir_measures(measure: IrMeasure, name: str) -> Floats:
        if (data.labels != np.floor(data.labels)).any():
            raise MeasureError(f"{measure} is computed by ir_measures, which needs whole labels.")
        ranks = ranks_of_scores(named[name], data, name=name)
        grades: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for i, query in enumerate(data.query_ids):
            rows = range(data.query_offsets[i], data.query_offsets[i + 1])
            grades[query] = {str(row): int(data.labels[row]) for row in rows}
            run[query] = {str(row): -float(ranks[row]) for row in rows}
        return measure.per_topic_of(judgments.topics, grades, run)

    return judgments, rankings, through_ir_measures


def _named_scores(runs: Any) -> dict[str, Any]:
    if isinstance(runs, Mapping):
        return dict(runs)
    if isinstance(runs, str | os.PathLike):
        return {system_name(runs): runs}
    if isinstance(runs, Sequence) and runs and all(isinstance(run, str | os.PathLike) for run in runs):
        return {system_name(run): run for run in runs}
    if isinstance(runs, Sequence) and len(runs) and np.ndim(runs[0]) == 1:
        return {f"system{i}": scores for i, scores in enumerate(runs, start=1)}
    return {"system": runs}


def _topics_kept(judgments: Judgments, rankings: Mapping[str, Ranking], missing: Missing) -> Integers:
    answered = np.array([ranking.retrieved > 0 for ranking in rankings.values()])
    if missing == "error" and not answered.all():
        system = int(np.flatnonzero(~answered.all(axis=1))[0])
        lacking = np.flatnonzero(~answered[system])
        raise AlignmentError(
            f"run {quoted(list(rankings)[system])} must cover all {judgments.n_topics} topics of the qrels, "
            f"got {judgments.n_topics - len(lacking)}; first missing: {quoted(judgments.topics[lacking[0]])}. "
            "Pass missing='zero' (--missing zero) to score them 0."
        )
    if missing == "intersect":
        kept = np.flatnonzero(answered.all(axis=0))
        if not len(kept):
            raise AlignmentError("no topic is answered by every run.")
        return kept
    return np.arange(judgments.n_topics)


def _effectiveness(
    measure: Measure,
    judgments: Judgments,
    rankings: Mapping[str, Ranking],
    through: Any,
    kept: Integers,
) -> Effectiveness:
    computed = measure.inner if isinstance(measure, GM) else measure
    if isinstance(computed, IrMeasure):
        rows = [through(computed, name) for name in rankings]
    else:
        rows = [computed.per_topic(ranking) for ranking in rankings.values()]
    cutoff = computed.cutoff_or_none
    rel = getattr(computed, "rel", None) or np.nextafter(0, 1)
    names = [judgments.topics[i] for i in kept]
    lacking = {
        name: tuple(judgments.topics[i] for i in kept[ranking.retrieved[kept] == 0])
        for name, ranking in rankings.items()
    }
    return Effectiveness(
        measure=str(measure),
        systems=tuple(rankings),
        topics=tuple(names),
        matrix=np.array(rows)[:, kept],
        description=measure.describe(judgments),
        aggregate="geometric" if isinstance(measure, GM) else "mean",
        without_relevant=tuple(judgments.topics[i] for i in kept[judgments.count(rel)[kept] == 0]),
        missing={name: topics for name, topics in lacking.items() if topics},
        ties_at_cutoff={}
        if cutoff is None
        else {name: ties for name, ranking in rankings.items() if (ties := ranking.ties_at(cutoff))},
        dropped=tuple(judgments.topics[i] for i in np.setdiff1d(np.arange(judgments.n_topics), kept)),
    )


def _as_collection(runs: Any) -> Any:
    from riskrank.data.frames import is_frame
    from riskrank.data.trec.runs import Run

    if isinstance(runs, str | os.PathLike | Run) or is_frame(runs):
        return [runs]
    if isinstance(runs, Mapping):
        inner = next(iter(runs.values()), None)
        is_one_run = isinstance(inner, Mapping) and not any(isinstance(v, Mapping) for v in inner.values())
        return [runs] if is_one_run else runs
    if hasattr(runs, "read"):
        raise ParameterError("a run is given by its path, not as an open file.")
    return list(runs)


def _nested(frame: Any, column: str, kind: type) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for topic, document, value in frame.select("topic", "document", column).iter_rows():
        nested.setdefault(topic, {})[document] = kind(value)
    return nested
