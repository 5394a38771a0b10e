"""What the commands read: qrels and runs, a LETOR file and scores, or a matrix of scores."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.errors import AlignmentError, ParameterError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.ranking_data import RankingData

DEFAULT_MEASURE = "nDCG@10"


@dataclass(frozen=True)
class Inputs:
    """Scores of all systems by measure, and what they were computed from."""

    scores: list[Effectiveness]
    runs: dict[str, Any] = field(default_factory=dict)
    data: RankingData | None = None
    judgments: Any = None


def read_inputs(
    judgments: str,
    systems: Sequence[str],
    measures: Sequence[str],
    *,
    missing: Any,
    rows: Any,
    zero_based: bool = False,
) -> Inputs:
    """Score the systems, whatever form the judgments have."""
    from riskrank.data.names import is_score_matrix, looks_like_letor

    if is_score_matrix(judgments):
        from riskrank.data.scores.score_matrix import read_scores

        if systems:
            raise ParameterError(f"{judgments} already holds the scores of all systems; {systems[0]} is too much.")
        if len(measures) > 1:
            raise ParameterError("a score matrix holds one measure; name it with one --measure.")
        label = measures[0] if measures else None
        return Inputs([read_scores(judgments, measure=label, missing=missing, rows=rows)])
    if not systems:
        raise ParameterError("at least one run is needed: riskrank evaluate QRELS RUN…")

    from riskrank.data.files import read_head

    with tempfile.TemporaryDirectory(prefix="riskrank-") as folder:
        named = {name: local_file(source, folder) for name, source in named_systems(systems).items()}
        source = local_file(judgments, folder)
        if looks_like_letor(read_head(source)):
            return _score_features(source, named, measures or [DEFAULT_MEASURE], missing, zero_based=zero_based)
        return _score_runs(source, named, measures or [DEFAULT_MEASURE], missing)


def _score_features(
    path: str, named: dict[str, str], measures: Sequence[str], missing: Any, *, zero_based: bool
) -> Inputs:
    from riskrank.data.letor.reader import read_letor
    from riskrank.data.scores.document_scores import scores_of
    from riskrank.measures.evaluate import evaluate
    from riskrank.measures.parse import parse_measure

    wanted = [parse_measure(measure) for measure in measures]
    data = read_letor(path, zero_based=zero_based)
    runs = {name: scores_of(source, data) for name, source in named.items()}
    scores = evaluate(data, runs, wanted, missing=missing)
    return Inputs(list(scores.values()), runs, data, data)


def _score_runs(qrels: str, named: dict[str, str], measures: Sequence[str], missing: Any) -> Inputs:
    from concurrent.futures import ThreadPoolExecutor

    from riskrank.data.trec.qrels import read_qrels
    from riskrank.data.trec.runs import read_runs

    for name, source in named.items():
        if source.startswith("feature:"):
            raise AlignmentError(f"{name} needs a LETOR file with features as judgments, {qrels} has none.")
    # Polars reads outside Python's lock: meanwhile the rest of the program loads, and a wrong measure stops it.
    pool = ThreadPoolExecutor(1)
    reading = pool.submit(read_runs, named)
    pool.shutdown(wait=False)
    import riskrank.assessment.assess  # noqa: F401
    from riskrank.measures import rank_runs  # noqa: F401
    from riskrank.measures.evaluate import evaluate
    from riskrank.measures.parse import parse_measure

    wanted = [parse_measure(measure) for measure in measures]
    runs = reading.result()
    judged = read_qrels(qrels)
    scores = evaluate(judged, runs, wanted, missing=missing)
    return Inputs(list(scores.values()), dict(runs), None, judged)


def named_systems(systems: Sequence[str]) -> dict[str, str]:
    """Systems by name: ``name=path``, or the name in the file's name; equal names get their folder's too."""
    from riskrank.data.names import system_name

    def name_of(text: str) -> tuple[str, str]:
        name, equals, path = text.partition("=")
        if equals and name and "/" not in name and not Path(text).exists():
            return name, path
        return system_name(text), text

    pairs = [name_of(text) for text in systems]
    names = [name for name, _ in pairs]
    named: dict[str, str] = {}
    for name, path in pairs:
        label = name if names.count(name) == 1 else f"{Path(path).resolve().parent.name}/{name}"
        if label in named:
            raise AlignmentError(f"two systems are named {quoted(label)}. Name them: name=path.")
        named[label] = path
    return named


def baseline_name(wanted: str, named: dict[str, str]) -> str:
    """The name of a baseline given by its name or by its path."""
    if wanted in named:
        return wanted
    for name, path in named.items():
        if path == wanted or (Path(wanted).exists() and Path(path).exists() and Path(path).samefile(wanted)):
            return name
    return wanted


def local_file(path: str, folder: str) -> str:
    """A path that can be read twice: what comes through a pipe (``-``: standard input) is copied to `folder`."""
    source = "/dev/stdin" if path == "-" else path
    try:
        mode = os.stat(source).st_mode
    except OSError:
        return path
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return source
    copy = Path(folder) / f"{len(os.listdir(folder))}-{Path(source).name}"
    with open(source, "rb") as pipe, open(copy, "wb") as file:
        shutil.copyfileobj(pipe, file)
    return str(copy)
