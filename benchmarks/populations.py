"""Populations of per-topic changes in which the truth is known: real pairs of systems, and made distributions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import riskrank as rr
from riskrank.risk.paired import tradeoff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DATA = Path(os.environ.get("RISKRANK_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
N_VALUES = 4000  # of a made distribution, at equal quantiles


@dataclass(frozen=True, eq=False)
class Population:
    """Changes that a topic may have, and how likely each is."""

    family: str
    changes: Floats
    weights: Floats

    def draw(self, rng: np.random.Generator, n_samples: int, n_topics: int) -> Floats:
        """Samples × topics."""
        return rng.choice(self.changes, size=(n_samples, n_topics), p=self.weights)

    def mean(self, values: Floats) -> float:
        """The true mean of a number per topic."""
        return float(values @ self.weights)


def real_matrices() -> dict[str, Floats]:
    """Systems × topics of the collections that RISKRANK_DATA has."""
    matrices = {}
    for measure in ("err20", "ndcg20"):
        path = DATA / "trec_web2012" / f"web2012_{measure}.csv"
        if path.exists():
            matrices[f"Web 2012 {measure}"] = rr.read_scores(path).matrix
    runs = sorted((DATA / "trec_dl2019" / "runs").glob("*"))
    for measure in ("nDCG@10", "AP") if runs else ():
        matrices[f"DL 2019 {measure}"] = rr.evaluate(
            DATA / "trec_dl2019" / "qrels.dl19-passage.txt", runs, measure
        ).matrix
    for name, files, features in (
        ("MQ2008", "mq2008/*.txt", range(1, 47)),
        ("MSLR", "mslr_sample/*.txt", range(1, 137, 5)),
    ):
        parts = [
            rr.evaluate(path, {f"feature:{i}": f"feature:{i}" for i in features}, "nDCG@10").matrix
            for path in sorted(DATA.glob(files))
        ]
        if parts:
            matrices[name] = np.concatenate(parts, axis=1)
    return matrices


def real_pairs(
    matrices: dict[str, Floats], alpha: float, *, per_collection: int, seed: int = 1
) -> Iterator[Population]:
    """Pairs of systems between which there is little, weighted so that the mean trade-off is exactly 0."""
    rng = np.random.default_rng(seed)
    for name, matrix in matrices.items():
        pairs = rng.permutation(list(permutations(range(len(matrix)), 2)))
        limit = np.sqrt(matrix.shape[1] / 50)  # as far from 0 as 50 topics leave open
        n_taken = 0
        for system, baseline in pairs:
            changes = rr.risk.paired.difference(matrix[system], matrix[baseline])
            x = tradeoff(changes, alpha)
            if np.count_nonzero(changes) < 15 or not x.min() < 0 < x.max():
                continue
            if abs(x.mean()) < 2 * limit * x.std(ddof=1) / np.sqrt(len(x)):
                yield Population(name, changes, tilted(x, 0.0))
                n_taken += 1
            if n_taken == per_collection:
                break


def made(alpha: float) -> Iterator[Population]:
    """Distributions whose mean trade-off is 0: symmetric, skewed, with many ties, of about equal sizes."""
    u = (np.arange(N_VALUES) + 0.5) / N_VALUES
    laplace = np.where(u < 0.5, np.log(2 * u), -np.log(2 - 2 * u))
    shapes = {
        "Laplace": laplace,
        "uniform": u - 0.5,
        "long losses": np.log(1 - u)[::-1],
        "long gains": -np.log(1 - u),
        "half tied": laplace * (np.arange(N_VALUES) % 2),
    }
    for name, shape in shapes.items():
        yield Population(name, shifted(shape, alpha), np.full(N_VALUES, 1 / N_VALUES))
    sizes = np.linspace(0.9, 1.1, N_VALUES // 2)
    weights = np.repeat([(1 + alpha) / (2 + alpha), 1 / (2 + alpha)], len(sizes)) / len(sizes)
    yield Population("equal sizes", np.concatenate([sizes, -sizes]), weights)


def few_losses() -> Iterator[Population]:
    """Systems that hardly ever lose, as good ones do: losses have the sizes of wins."""
    sizes = np.linspace(0.02, 0.15, 200)
    for one_in in (50, 20, 10):
        changes = np.concatenate([np.tile(sizes, one_in - 1), -sizes])
        yield Population(f"{1 / one_in:.0%} lose", changes, np.full(len(changes), 1 / len(changes)))


def shifted(changes: Floats, alpha: float, mean: float = 0.0) -> Floats:
    """Changes moved, ties left alone, until their mean trade-off is `mean`."""
    low, high = -20.0, 20.0
    for _ in range(60):
        shift = (low + high) / 2
        moved = np.where(changes == 0, 0.0, changes + shift)
        low, high = (low, shift) if tradeoff(moved, alpha).mean() > mean else (shift, high)
    return moved


def tilted(x: Floats, mean: float) -> Floats:
    """Weights proportional to exp(k x) that give x this mean."""
    scaled = x / np.abs(x).max()
    low, high = -500.0, 500.0
    for _ in range(80):
        k = (low + high) / 2
        weights = np.exp(k * scaled - np.max(k * scaled))
        weights /= weights.sum()
        low, high = (low, k) if weights @ x > mean else (k, high)
    return np.asarray(weights)
