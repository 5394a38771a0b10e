"""The runs of a track: those of TREC 2012 from the reader's copy, or generated ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.synthetic.synthetic_runs import SystemModel, synthetic_runs
from riskrank.errors import FileError, listing
from riskrank.measures.evaluate import evaluate
from riskrank.papers.data_folders import trec_2012

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats

BASELINE = "indriCASP"
MIDDLING = "baseline"  # of generated runs
REAL = "TREC 2012 Web track, ERR@20 of 48 runs and the organisers' baseline on 50 topics"
GENERATED = "generated runs: 48 and a baseline on 50 topics, ERR@20"
NOT_HERE = "The data folder has other data of the paper and no scores of TREC 2012 runs: generated ones stand in."
NOT_GIVEN = "The scores of TREC 2012 runs were not given: generated ones stand in, and the paper's cannot be compared."
N_RUNS, N_TOPICS, DEPTH = 48, 50, 40


@dataclass(frozen=True)
class Track:
    """Scores of all runs; `shown` are the rows of a paper's table, their names and whose scores they are."""

    scores: Effectiveness
    baseline: str
    shown: Mapping[str, str]
    is_real: bool
    data: str
    departures: tuple[str, ...] = ()

    def of(self, name: str) -> Floats:
        """The scores of a row, topic by topic."""
        return self.scores[self.shown[name]]

    @property
    def against(self) -> Floats:
        """The baseline's scores."""
        return self.scores[self.baseline]


def track_of(work: Workplace, names: Mapping[str, str]) -> Track:
    """The track with the rows of a paper's table, by name and column of the public matrix.

    Without the reader's copy, as many of the best generated runs, and perhaps the baseline, stand in their places.
    """
    if work.data is not None and (work.is_asked_for or holds_track(work.data) or not holds_folds(work.data)):
        scores = trec_2012(work.data)
        lacking = [run for run in names.values() if run not in scores.systems]
        if lacking:
            raise FileError(work.data, f"web2012_err20.csv lacks {listing(lacking)} of {N_RUNS} runs.")
        return Track(scores, BASELINE, names, True, REAL)
    scores = generated_track()
    order = np.argsort(-scores.matrix.mean(axis=1), kind="stable")
    best = [scores.systems[i] for i in order if scores.systems[i] != MIDDLING]
    shown = {run: run for run in best[: len(names) - (BASELINE in names)]}
    if BASELINE in names:
        shown[MIDDLING] = MIDDLING
    departures = (NOT_HERE if work.data is not None else NOT_GIVEN,)
    return Track(scores, MIDDLING, shown, False, GENERATED, departures)


def track_seconds(names: Mapping[str, str], work: Workplace) -> float:
    """Hardly any; the reader's copy is read before other experiments run."""
    track_of(work, names)
    return 0.0


@cache
def generated_track(*, n_runs: int = N_RUNS, n_topics: int = N_TOPICS, random_state: int = 0) -> Effectiveness:
    """ERR@20 of synthetic runs of very different skill, and of a baseline of middling skill."""
    rng = np.random.default_rng(random_state)
    drawn = rng.uniform((-0.2, 0.0, 0.3), (0.8, 0.3, 0.9), size=(n_runs, 3))
    models = [SystemModel(MIDDLING, skill=0.2, drift=0.1, closeness=0.8)]
    models += [SystemModel(f"run{i + 1}", *numbers) for i, numbers in enumerate(drawn.tolist())]
    made = synthetic_runs(models, n_topics=n_topics, depth=DEPTH, random_state=random_state)
    qrels = _by_topic(made.qrels, document=2, number=3)
    runs = {name: _by_topic(lines, document=2, number=4) for name, lines in made.runs.items()}
    return evaluate(qrels, runs, "ERR@20")


def holds_track(folder: Path) -> bool:
    """Has a folder the scores of the track's runs?"""
    return (folder / "web2012_err20.csv").is_file()


def holds_folds(folder: Path) -> bool:
    """Has a folder any fold of data for learning?"""
    return any(folder.glob("Fold*")) or any(folder.glob("S?.txt"))


def _by_topic(lines: Sequence[str], *, document: int, number: int) -> dict[str, dict[str, float]]:
    """Lines of a TREC file as a dict."""
    topics: dict[str, dict[str, float]] = {}
    for line in lines:
        parts = line.split()
        topics.setdefault(parts[0], {})[parts[document]] = float(parts[number])
    return topics
