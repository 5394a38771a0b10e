"""Systems scored on every topic, whatever form the judgments have: the beginning of every evaluation from files."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from riskrank.data.judgments import read_if_letor
from riskrank.data.names import is_score_matrix
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Future

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.trec.qrels import Qrels
    from riskrank.data.trec.runs import Run
    from riskrank.typing import JudgmentsLike, MatrixRows, MeasureLike, Missing, Numbers, QrelsLike, SystemLike

    Loaded = tuple[Qrels | RankingData, Mapping[str, Run | Numbers]]

DEFAULT_MEASURE = "nDCG@10"
NEEDED_NEXT = ("riskrank.measures.evaluate", "riskrank.assessment.assess")


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """Scores by measure, and the judgments and systems that they were computed from (none: the scores were given)."""

    scores: Mapping[str, Effectiveness]
    judgments: Qrels | RankingData | None = None
    systems: Mapping[str, Run | Numbers] = field(default_factory=dict)

    @property
    def first(self) -> Effectiveness:
        """The scores of the first measure; systems and topics are those of all measures."""
        return next(iter(self.scores.values()))

    @property
    def data(self) -> RankingData | None:
        """The feature data, where the systems are scores of it."""
        return self.judgments if isinstance(self.judgments, RankingData) else None


def score_systems(
    judgments: JudgmentsLike,
    systems: Mapping[str, SystemLike],
    measures: Sequence[MeasureLike] = (),
    *,
    missing: Missing = "zero",
    rows: MatrixRows = "auto",
    zero_based: bool = False,
) -> ScoredSystems:
    """Score systems on every topic.

    Parameters
    ----------
    judgments
        What `evaluate` takes; or a CSV, TSV or Parquet file that already holds scores, systems × topics.
    systems
        Systems by name, as `evaluate` takes them; none where the scores are there already.
    measures
        By default nDCG@10. A file of scores holds one measure, which may be named.
    missing
        What becomes of topics that a system lacks, as for `evaluate`.
    rows
        What the rows of a file of scores are, as for `read_scores`.
    zero_based
        Do features of a LETOR file count from 0?
    """
    if systems and isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments):
        first = next(iter(systems.values()))
        raise ParameterError(f"{judgments} already holds the scores of all systems; {first} is too much.")
    given = given_scores(judgments, measures, missing=missing, rows=rows)
    if given is not None:
        return ScoredSystems({given.measure: given})
    if not systems:
        raise ParameterError("at least one run is needed: riskrank evaluate QRELS RUN…")
    reading = _start_reading(judgments, systems, zero_based)
    for module in NEEDED_NEXT:
        import_module(module)
    from riskrank.measures import parse_measure
    from riskrank.measures.evaluate import evaluate

    wanted = [parse_measure(measure) for measure in measures or [DEFAULT_MEASURE]]
    judged, loaded = reading.result()
    return ScoredSystems(evaluate(judged, loaded, wanted, missing=missing), judged, loaded)


def given_scores(
    judgments: JudgmentsLike, measures: Sequence[MeasureLike], *, missing: Missing, rows: MatrixRows
) -> Effectiveness | None:
    """The scores of a CSV, TSV or Parquet file; None for anything else, by which systems are to be scored."""
    if not (isinstance(judgments, str | os.PathLike) and is_score_matrix(judgments)):
        return None
    if len(measures) > 1:
        raise ParameterError("a score matrix holds one measure; name it with one --measure.")
    from riskrank.data.scores.score_matrix import read_scores

    measure = str(measures[0]) if measures else None
    return read_scores(judgments, measure=measure, missing=missing, rows=rows)


def _start_reading(judgments: JudgmentsLike, systems: Mapping[str, SystemLike], zero_based: bool) -> Future[Loaded]:
    """Read in a thread of its own: Polars does so outside Python's lock, while the rest of the program is loaded."""
    import_module("riskrank.data.trec.runs")  # here, so that the thread only reads
    pool = ThreadPoolExecutor(1)
    reading = pool.submit(_read, judgments, systems, zero_based)
    pool.shutdown(wait=False)
    return reading


def _read(judgments: JudgmentsLike, systems: Mapping[str, SystemLike], zero_based: bool) -> Loaded:
    judged = read_if_letor(judgments, zero_based=zero_based)
    return _read_scores(judged, systems) if isinstance(judged, RankingData) else _read_runs(judged, systems)


def _read_runs(source: QrelsLike, systems: Mapping[str, SystemLike]) -> Loaded:
    from riskrank.data.trec.qrels import read_qrels
    from riskrank.data.trec.runs import read_runs

    for name, system in systems.items():
        if isinstance(system, str) and system.startswith("feature:"):
            lack = f"{source} has none" if isinstance(source, str | os.PathLike) else "qrels have none"
            raise AlignmentError(f"{name} needs a LETOR file with features as judgments, {lack}.")
    runs = read_runs(cast("Mapping[str, Any]", systems))
    return read_qrels(source), runs


def _read_scores(data: RankingData, systems: Mapping[str, SystemLike]) -> Loaded:
    from riskrank.data.scores.document_scores import system_scores

    given: dict[str, Any] = dict(systems)  # a run makes no sense here, and is refused
    return data, {name: system_scores(system, data, name=name) for name, system in given.items()}
