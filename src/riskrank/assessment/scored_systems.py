"""Systems scored on every topic, whatever form the judgments have: the beginning of every evaluation from files."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank.data.effectiveness import Effectiveness
from riskrank.data.feature import Feature
from riskrank.data.judgments import read_if_letor
from riskrank.data.names import is_score_matrix
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.trec.qrels import Qrels
    from riskrank.measures.measure import Measure
    from riskrank.typing import JudgmentsLike, MatrixRows, MeasureLike, Missing, Numbers, PathLike, RunLike, SystemLike

DEFAULT_MEASURE = "nDCG@10"
NEEDED_NEXT = "riskrank.assessment.assess"  # loaded while files are read


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """Scores by measure, and the judgments and systems that they were computed from, where these are at hand.

    Scores that `are_given` do not say which topics have relevant documents.
    """

    scores: Mapping[str, Effectiveness]
    judgments: Qrels | RankingData | None = None
    systems: Mapping[str, RunLike | Numbers] = field(default_factory=dict)
    are_given: bool = False

    @property
    def first(self) -> Effectiveness:
        """The scores of the first measure; systems and topics are those of all measures."""
        return next(iter(self.scores.values()))

    @property
    def data(self) -> RankingData | None:
        """The feature data, where the systems are scores of it."""
        return self.judgments if isinstance(self.judgments, RankingData) else None

    def with_relevant(self) -> ScoredSystems:
        """The same, on topics that have a relevant document."""
        if self.are_given:
            raise ParameterError(
                "a score matrix does not say which topics have relevant documents.", "without_relevant"
            )
        return replace(self, scores={name: each.with_relevant() for name, each in self.scores.items()})


def score_systems(
    judgments: JudgmentsLike | Effectiveness,
    systems: Mapping[str, SystemLike],
    measures: Sequence[MeasureLike] = (),
    *,
    missing: Missing = "zero",
    rows: MatrixRows = "auto",
    zero_based: bool = False,
) -> ScoredSystems:
    """Score systems, by name, on every topic, as `evaluate` takes both; by default by nDCG@10.

    An `Effectiveness`, or a CSV, TSV or Parquet file of systems × topics, holds scores already: then no systems are
    given. `rows` says how such a file is read, `zero_based` how a LETOR file is.
    """
    if isinstance(judgments, Effectiveness):
        _check_measures(judgments, measures)
        return ScoredSystems({judgments.measure: judgments}, are_given=True)
    if isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments):
        return _given_scores(judgments, systems, measures, missing, rows)
    if not systems:
        raise ParameterError("pass at least one run.")
    from riskrank.measures import parse_measure

    wanted = [parse_measure(measure) for measure in measures or [DEFAULT_MEASURE]]
    import_module("riskrank.measures.evaluate")  # here, so that the thread only reads
    pool = ThreadPoolExecutor(1)  # files are read outside Python's lock, while the rest of the program is loaded
    scoring = pool.submit(_score, judgments, systems, wanted, missing, zero_based)
    pool.shutdown(wait=False)
    import_module(NEEDED_NEXT)
    return scoring.result()


def _check_measures(scores: Effectiveness, measures: Sequence[MeasureLike]) -> None:
    from riskrank.measures import parse_measure

    for measure in measures:
        if scores.measure not in (str(measure), str(parse_measure(measure))):
            raise ParameterError(f"the scores are of {scores.measure}, not of {measure}: leave measure= out.")


def _given_scores(
    path: PathLike,
    systems: Mapping[str, SystemLike],
    measures: Sequence[MeasureLike],
    missing: Missing,
    rows: MatrixRows,
) -> ScoredSystems:
    if systems:
        first = next(iter(systems.values()))
        without = "has no columns query, doc_id and rating, so that it already holds the scores of all systems"
        raise ParameterError(f"{path} {without}: leave {first} out, or name the columns.")
    if len(measures) > 1:
        raise ParameterError(f"a score matrix holds one measure, got {len(measures)}: name it by one of them.")
    from riskrank.data.scores.score_matrix import read_scores

    scores = read_scores(path, measure=str(measures[0]) if measures else None, missing=missing, rows=rows)
    return ScoredSystems({scores.measure: scores}, are_given=True)


def _score(
    judgments: JudgmentsLike,
    systems: Mapping[str, Any],
    measures: Sequence[Measure],
    missing: Missing,
    zero_based: bool,
) -> ScoredSystems:
    from riskrank.measures.evaluate import evaluate

    judged, systems = _judged(judgments, systems, zero_based)
    return ScoredSystems(evaluate(judged, systems, measures, missing=missing), judged, systems)


def _judged(
    judgments: JudgmentsLike, systems: Mapping[str, Any], zero_based: bool
) -> tuple[Qrels | RankingData, Mapping[str, RunLike | Numbers]]:
    """Judgments with systems that go with them: scores of feature data, or runs, each read when it is ranked."""
    judged = read_if_letor(judgments, zero_based=zero_based)
    if isinstance(judged, RankingData):
        from riskrank.data.scores.document_scores import system_scores

        judged.check_weights_of_queries("data to evaluate on")
        return judged, {name: system_scores(system, judged, name=name) for name, system in systems.items()}
    from riskrank.data.trec.qrels import read_qrels
    from riskrank.data.trec.runs import named_runs

    for name, system in systems.items():
        if isinstance(system, Feature) or (isinstance(system, str) and Feature.meant_by(system)):
            lack = f"{judged} has none" if isinstance(judged, str | os.PathLike) else "qrels have none"
            raise AlignmentError(f"{name} needs a LETOR file with features as judgments, {lack}.")
    runs = named_runs(systems)  # before the qrels: that is where most mistakes are
    return read_qrels(judged), runs
