"""Judgments and gzip runs of any number of systems, topics and documents, sized and named like those of TREC."""

from __future__ import annotations

import gzip
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

N_JUDGED = 150  # documents of each topic, a third of them relevant
POOL = 3  # times as many documents of each topic can be retrieved as are


def write_trec_files(folder: Path, *, n_runs: int, n_topics: int, depth: int) -> tuple[Path, list[Path]]:
    """Qrels and runs; documents are named like those of ClueWeb09, in 25 characters."""
    qrels = folder / "judgments.qrels"
    with qrels.open("w") as file:
        for topic in range(n_topics):
            names, grades = _documents(topic, depth)
            lines = (f"{topic + 1} 0 {names[i]} {grades[i]}\n" for i in range(N_JUDGED))
            file.writelines(sorted(lines))
    write = partial(_write_run, folder, n_topics, depth)
    with ProcessPoolExecutor() as pool:
        return qrels, list(pool.map(write, range(n_runs)))


def _documents(topic: int, depth: int) -> tuple[list[str], np.ndarray]:
    """What can be retrieved for a topic; the judged documents come first."""
    rng = np.random.default_rng((1, topic))
    numbers = rng.choice(10**9, size=max(POOL * depth, 2 * N_JUDGED), replace=False).tolist()
    names = [f"clueweb09-en{n // 10**7:04d}-{n // 10**5 % 100:02d}-{n % 10**5:05d}" for n in numbers]
    grades = np.zeros(len(names), np.int64)
    grades[: N_JUDGED // 3] = rng.choice([1, 2, 3], p=[0.6, 0.28, 0.12], size=N_JUDGED // 3)
    return names, grades


def _write_run(folder: Path, n_topics: int, depth: int, system: int) -> Path:
    rng = np.random.default_rng((2, system))
    name = f"system{system:04d}"
    path = folder / f"{name}.run.gz"
    with gzip.open(path, "wt", compresslevel=6) as file:
        for topic in range(n_topics):
            names, grades = _documents(topic, depth)
            score = rng.normal(size=len(names)) + rng.gamma(4.0, 0.25) * grades
            score[:N_JUDGED] += 1.5  # judgments are made of what systems retrieve
            best = np.argsort(-score)[:depth]
            shown = np.round(20 + 4 * score[best], 5).tolist()
            lines = zip(range(1, depth + 1), best.tolist(), shown, strict=True)
            file.writelines(f"{topic + 1} Q0 {names[i]} {rank} {value} {name}\n" for rank, i, value in lines)
    return path
