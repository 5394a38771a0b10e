"""Synthetic judgments and runs that behave like real ones: some topics are hard, and systems fail differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Integers

POOL_DEPTH = 20  # documents of each system that are judged


@dataclass(frozen=True)
class SystemModel:
    """How a synthetic system differs from the first one.

    `skill` is added to how well it sees relevance; on a share `drift` of topics it loses most of its sight
    (a query expansion that went astray, say); `closeness` is how much of the first system's noise it shares.
    """

    name: str
    skill: float = 0.0
    drift: float = 0.0
    closeness: float = 0.8


EXAMPLE_SYSTEMS = (
    SystemModel("bm25"),
    SystemModel("expansion", skill=0.35, drift=0.22, closeness=0.8),
    SystemModel("neural", skill=0.60, drift=0.16, closeness=0.5),
    SystemModel("hybrid", skill=0.25, drift=0.0, closeness=0.97),
)


@dataclass(frozen=True)
class SyntheticRuns:
    """Judgments and runs as lines of TREC files."""

    qrels: list[str]
    runs: dict[str, list[str]]


def synthetic_runs(
    systems: Sequence[SystemModel] = EXAMPLE_SYSTEMS,
    *,
    n_topics: int = 50,
    n_judged_topics: int | None = None,
    depth: int = 100,
    random_state: int = 0,
) -> SyntheticRuns:
    """Runs of several systems over one collection, judged by pooling their top documents."""
    if not systems or n_topics < 1 or depth < 1:
        raise ParameterError("at least one system, one topic and one document are needed.")
    rng = np.random.default_rng(random_state)
    qrels: list[str] = []
    runs: dict[str, list[str]] = {system.name: [] for system in systems}
    for topic in range(101, 101 + n_topics):
        n_documents = 3 * depth
        grade = _drawn_grades(rng, n_documents)
        ids = rng.permutation(1_000_000)[:n_documents]
        common_noise = rng.normal(size=n_documents)
        ease = rng.gamma(4.0, 0.22)
        pooled = np.zeros(n_documents, bool)
        for system in systems:
            sight = ease + system.skill * rng.gamma(4.0, 0.25)
            if rng.random() < system.drift:
                sight *= 0.25
            own_noise = rng.normal(size=n_documents)
            noise = system.closeness * common_noise + np.sqrt(1 - system.closeness**2) * own_noise
            score = np.round(20 + 4 * (sight * grade + noise), 4)
            top = np.lexsort((-ids, -score))[:depth]
            pooled[top[:POOL_DEPTH]] = True
            lines = runs[system.name]
            for rank, i in enumerate(top.tolist(), start=1):
                lines.append(f"{topic} Q0 doc-{ids[i]:06d} {rank} {score[i]:.4f} {system.name}")
        if n_judged_topics is None or topic < 101 + n_judged_topics:
            qrels += [f"{topic} 0 doc-{ids[i]:06d} {grade[i]}" for i in np.flatnonzero(pooled).tolist()]
    return SyntheticRuns(qrels, runs)


def _drawn_grades(rng: np.random.Generator, n_documents: int) -> Integers:
    n_relevant = min(int(rng.gamma(2.0, 12.0)) + 3, n_documents)
    grade = np.zeros(n_documents, np.int64)
    grade[:n_relevant] = rng.choice([1, 2, 3], size=n_relevant, p=[0.6, 0.28, 0.12])
    return grade
