"""Whether guarantees hold, and how much they certify of what an oracle could: on synthetic losses, many times over.

`violations`, `tightness` and `margin` each take a method of `control_risk` and a shape of losses, and draw held-out
queries again and again. Nothing here reads data: the shapes are what ranking losses look like, and the worst that a
test can meet.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

import numpy as np
from interleaved import print_machine

from riskrank.tradeoff import control_risk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from riskrank.tradeoff.risk_control.control import Method

    Floats = NDArray[np.float64]
    Shape = Callable[[Generator, tuple[int, ...], float], Floats]

METHODS: tuple[Method, ...] = ("betting", "mixture", "hoeffding-bentkus")
SHARES = np.arange(1, 21) / 20  # of queries on which a model is used, as `Sweep.guarantee` tests them
BEYOND = 1.5  # the risk of the model in `tightness`, in budgets: an oracle would use it on two thirds of queries


def sparse(rng: Generator, shape: tuple[int, ...], mean: float) -> Floats:
    """Most queries lose nothing, the others up to 0.5, 0.15 on average."""
    return np.where(rng.random(shape) < mean / 0.15, 0.5 * rng.beta(1.2, 2.8, shape), 0.0)


def common(rng: Generator, shape: tuple[int, ...], mean: float) -> Floats:
    """Two queries of five lose, most of them little."""
    return np.where(rng.random(shape) < 0.4, np.minimum(1.0, rng.beta(0.6, 4, shape) * mean / (0.4 * 0.6 / 4.6)), 0.0)


def rare(rng: Generator, shape: tuple[int, ...], mean: float) -> Floats:
    """Few queries lose, 0.3 to 1."""
    return np.where(rng.random(shape) < mean / 0.65, rng.uniform(0.3, 1, shape), 0.0)


def dense(rng: Generator, shape: tuple[int, ...], mean: float) -> Floats:
    """All queries lose something."""
    return np.minimum(1.0, 4 * mean * rng.beta(2, 6, shape))


def whole(rng: Generator, shape: tuple[int, ...], mean: float) -> Floats:
    """All or nothing: the largest variance there is."""
    return (rng.random(shape) < mean).astype(np.float64)


SHAPES: dict[str, Shape] = {each.__name__: each for each in (sparse, common, rare, dense, whole)}


def violations(
    method: Method, shape: Shape, *, budget: float, n: int, redraws: int, delta: float = 0.1, n_sequences: int = 1
) -> float:
    """How often any point is called safe when all of them, three in each sequence, are a little above the budget."""
    risks = budget * np.tile([1.001, 1.002, 1.003], n_sequences)
    sequences = np.arange(3 * n_sequences).reshape(-1, 3).tolist()
    wrong = 0
    for rng, ids in _redrawn(redraws, n):
        losses = np.array([shape(rng, (n,), risk) for risk in risks])
        control = control_risk(
            losses, budget=budget, confidence=1 - delta, sequences=sequences, method=method, query_ids=ids
        )
        wrong += bool(control.is_safe.any())
    return wrong / redraws


def tightness(
    method: Method, shape: Shape, *, budget: float, n: int, redraws: int, delta: float = 0.1
) -> tuple[float, float]:
    """A model of 1.5 times the budget's risk, used on as many queries as is safe: its gain over that of an oracle.

    And how often it is used too often. The gain is in proportion to the use; the oracle knows the risk, and has the
    same shares to choose from.
    """
    risk = shape(np.random.default_rng(99), (1_000_000,), BEYOND * budget).mean()
    oracle = SHARES[SHARES * risk <= budget].max()
    used = []
    for rng, ids in _redrawn(redraws, n):
        losses = SHARES[:, None] * shape(rng, (n,), BEYOND * budget)
        control = control_risk(
            losses, budget=budget, confidence=1 - delta, largest=SHARES, method=method, query_ids=ids
        )
        used.append(max(SHARES[control.is_safe], default=0.0))
    return float(np.mean(used) / oracle), float(np.mean(np.array(used) > oracle + 1e-9))


def margin(
    method: Method, shape: Shape, *, risk: float, n: int, redraws: int, delta: float = 0.1, share: float = 0.5
) -> float:
    """How far above a model's true risk the budget must be for it to be called safe in this share of all cases."""
    drawn = [(shape(rng, (n,), risk), ids) for rng, ids in _redrawn(redraws, n)]

    def share_safe(budget: float) -> float:
        controls = [
            control_risk(losses, budget=budget, confidence=1 - delta, method=method, query_ids=ids)
            for losses, ids in drawn
        ]
        return float(np.mean([control.is_safe[0] for control in controls]))

    low, high = 1e-4, 1 - 2 * risk
    while high > 1.01 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if share_safe(risk + middle) >= share else (middle, high)
    return high


def _redrawn(redraws: int, n: int) -> Iterator[tuple[Generator, Sequence[str]]]:
    """For each redraw a generator, the same for all methods, and the ids of its queries."""
    for draw in range(redraws):
        yield np.random.default_rng((2024, draw)), [f"{draw}/{i}" for i in range(n)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redraws", type=int, default=1000, help="of the held-out queries (default 1,000)")
    redraws = parser.parse_args().redraws
    print_machine("numpy")

    print("\nAny point safe, when all are just above the budget of 0.05 (500 queries, at most 10 %)")
    for n_sequences in (1, 2):
        for name, shape in SHAPES.items():
            rates = [
                violations(method, shape, budget=0.05, n=500, redraws=redraws, n_sequences=n_sequences)
                for method in METHODS
            ]
            print(f"{n_sequences} sequences  {name:8}", *(f"{m} {r:6.1%}" for m, r in zip(METHODS, rates, strict=True)))

    print("\nShare of the oracle's gain (and how often the budget is exceeded)")
    for budget in (0.01, 0.05):
        for n in (200, 500, 2000):
            for name, shape in SHAPES.items():
                cells = []
                for method in METHODS:
                    share, wrong = tightness(method, shape, budget=budget, n=n, redraws=max(1, redraws // 5))
                    cells.append(f"{method} {share:.2f} ({wrong:5.1%})")
                print(f"budget {budget:.2f}, {n:5,} queries  {name:8}", *cells)

    print("\nBudget that is needed above the true risk, to be called safe in 50 % and in 90 % of cases")
    for n in (400, 4000):
        for risk in (0.01, 0.02):
            for name in ("sparse", "common"):
                cells = []
                for method in METHODS:
                    half, most = (
                        margin(method, SHAPES[name], risk=risk, n=n, redraws=max(1, redraws // 5), share=share)
                        for share in (0.5, 0.9)
                    )
                    cells.append(f"{method} {half:.4f}, {most:.4f}")
                print(f"{n:5,} queries, risk {risk:.2f}  {name:8}", *cells)


if __name__ == "__main__":
    main()
