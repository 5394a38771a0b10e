"""How often are verdicts of claims wrong? Claims that are exactly at their edge, on made changes of queries.

Each tail should be about 2.5 % or less: a claim at its edge is called sure of itself, or surely false, that seldom.
With --power, curves lie above their point: how often is that told? --most-bias tries another limit of the jackknife's.
"""

from __future__ import annotations

import argparse
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from interleaved import print_machine

from riskrank.papers import verdicts
from riskrank.papers.verdicts import (
    AtLeast,
    RareMargin,
    all_of,
    any_of,
    fold_margin,
    jackknife_margin,
    mean_margin,
    ratio_margin,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riskrank.papers.verdicts import Judged

    Floats = NDArray[np.float64]

SIZES = (200, 2000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="of margins, by parts of their names (default: all)")
    parser.add_argument("--draws", type=int, default=1000, help="samples of each kind and size (default 1,000)")
    parser.add_argument("--power", action="store_true", help="curves above their point instead of claims at their edge")
    parser.add_argument(
        "--most-bias", type=float, help="of a jackknife, in standard errors", default=verdicts.MOST_BIAS
    )
    options = parser.parse_args()
    verdicts.MOST_BIAS = options.most_bias
    print_machine("at the start")
    print("\n% of samples called: holds / does not hold\n")
    print(f"| kind of margin | {' | '.join(f'{n:,} queries' for n in SIZES)} |")
    print(f"|---|{'---|' * len(SIZES)}")
    for name, claim in (CURVES if options.power else KINDS).items():
        if options.kinds and not any(part in name for part in options.kinds):
            continue
        cells = []
        for n in SIZES:
            rng = np.random.default_rng(n)
            lead = {"lead": LEAD / np.sqrt(n)} if options.power else {}
            found = [verdict(claim(rng, n, **lead)) for _ in range(options.draws)]
            wrong = (100 * found.count(each) / options.draws for each in ("holds", "does not hold"))
            cells.append(" / ".join(f"{share:.1f}" for share in wrong))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def changes(rng: np.random.Generator, n: int) -> Floats:
    """Of a model: 60 % of the queries stay, the others win more often than they lose."""
    sizes = rng.exponential(0.1, n) * (rng.random(n) < 0.4)
    return np.where(rng.random(n) < 0.7, sizes, -sizes)


def mean_of_differences(rng: np.random.Generator, n: int) -> Judged:
    """Two models alike."""
    return mean_margin(changes(rng, n) - changes(rng, n))


def mean_beside_a_share(rng: np.random.Generator, n: int) -> Judged:
    """One keeps exactly 85 % of the other's gain: all of it on 85 % of the queries."""
    whole = changes(rng, n)
    return mean_margin(np.where(rng.random(n) < 0.85, whole, 0.0) - 0.85 * whole)


def product(rng: np.random.Generator, n: int) -> Judged:
    """Gains per loss of two models alike."""
    one, other = changes(rng, n), changes(rng, n)
    losses = [np.maximum(0.0, -each) for each in (one, other)]
    return ratio_margin(one, other, *losses)


def logarithm(rng: np.random.Generator, n: int) -> Judged:
    """The same by logarithms of rewards over risks."""
    one, other = changes(rng, n), changes(rng, n)

    def ratio(each: Floats, q: NDArray[np.intp]) -> float:
        return float(np.log(np.maximum(0, each[q]).mean() / np.maximum(0, -each[q]).mean()))

    return jackknife_margin(lambda q: ratio(one, q) - ratio(other, q), n)


def height(rng: np.random.Generator, n: int, lead: float = 0.0) -> Judged:
    """A curve of two models, and a point on it: a coin between them; or below it."""
    bold = changes(rng, n)
    careful = np.where(rng.random(n) < 0.5, bold, np.where(bold > 0, 0.8 * bold, 0.3 * bold))
    between = np.where(rng.random(n) < 0.5, bold, careful)

    def above(q: NDArray[np.intp]) -> float:
        risk, gain = (
            [float(values[q].mean()) for values in of]
            for of in ([np.maximum(0.0, -each) for each in (careful, bold, between)], (careful, bold, between))
        )
        return float(np.interp(risk[2], [0.0, risk[0], risk[1]], [0.0, gain[0], gain[1]]) - gain[2] + lead / 5)

    return jackknife_margin(above, n)


def jagged(rng: np.random.Generator, n: int, step: float, lead: float = 0.0) -> Judged:
    """A curve of six models that re-rank nearly as many queries as each other, and a point on it, or below.

    Every other model gains more: which of them are the point's neighbours is chance.
    """
    moved_shares, rates = 0.3 + step * np.arange(6), np.where(np.arange(6) % 2, 0.08, 0.05)
    share = moved_shares[2] + step / 2
    rate = np.interp(share, moved_shares, rates * moved_shares) / share
    own = rng.random((7, n)) < 0.1  # where models do not follow the query
    moved = np.where(own, rng.random((7, n)), rng.random(n)) < np.append(moved_shares, share)[:, None]
    noise = rng.normal(0, 0.15, n) + rng.normal(0, 0.05, (7, n))
    change = moved * (np.append(rates, rate)[:, None] + noise)

    def above(q: NDArray[np.intp]) -> float:
        cost, gain = moved[:, q].mean(axis=1), change[:, q].mean(axis=1)
        order = np.argsort(cost[:-1])
        height = np.interp(cost[-1], [0.0, *cost[:-1][order]], [0.0, *gain[:-1][order]])
        return float(height - gain[-1] + lead)

    return jackknife_margin(above, n)


def conjunction(rng: np.random.Generator, n: int) -> Judged:
    """Three steps, none of which is one."""
    rows = [changes(rng, n) for _ in range(4)]
    return all_of(mean_margin(one - other) for one, other in pairwise(rows))


def one_false_step(rng: np.random.Generator, n: int) -> Judged:
    """Two sure steps, and one that is none: whether all are steps hangs on it."""
    first = changes(rng, n)
    rows = [first + 2.0, first + 1.0, changes(rng, n) + 1.0, first - 1.0]
    return all_of(mean_margin(one - other) for one, other in pairwise(rows))


def most(rng: np.random.Generator, n: int) -> Judged:
    """At least 9 of 10, where 8 surely hold and 2 are at the edge."""
    sure = mean_margin(changes(rng, n) + 1.0)
    return AtLeast(9, (*[sure] * 8, *(mean_margin(changes(rng, n) - changes(rng, n)) for _ in range(2))))


def correlated(rng: np.random.Generator, n: int) -> Judged:
    """Gains per loss of two models, one of which is the other on four queries of five."""
    one = changes(rng, n)
    other = np.where(rng.random(n) < 0.8, one, changes(rng, n))
    losses = [np.maximum(0.0, -each) for each in (one, other)]
    return ratio_margin(one, other, *losses)


def rare(rng: np.random.Generator, n: int) -> Judged:
    """Of queries with a large loss, a fifth of all, one of a hundred keeps it; others may have one, too."""
    before, left = rng.random(n) < 0.2, rng.random(n) < 0.002
    return RareMargin(int(left.sum()), int(before.sum()), n, 0.01)


def closer(rng: np.random.Generator, n: int) -> Judged:
    """Two leads of the same size: none is nearer to 0."""
    a, b = (changes(rng, n) - changes(rng, n) + 0.05 for _ in range(2))
    return any_of(all_of([mean_margin(sign * (a - b)), mean_margin(sign * (a + b))]) for sign in (1, -1))


def folds(rng: np.random.Generator, n: int) -> Judged:
    """Five rotated folds of n queries: what is trained on three parts, and judged by one, has no lead in truth."""
    train, test = (rng.normal(size=(5, n // 5)).mean(axis=1) for _ in range(2))
    return fold_margin([float(np.mean([train[(k + i) % 5] for i in range(3)]) + test[k]) for k in range(5)])


LEAD = 0.42  # with 200 queries 0.03, with 2,000 less: as far beyond chance
CURVES: dict[str, Callable[..., Judged]] = {
    "a curve above a point on it": height,
    "a curve of models 3 % of the queries apart": partial(jagged, step=0.03),
    "a curve of models 1 % of the queries apart": partial(jagged, step=0.01),
    "a curve of models 0.2 % of the queries apart": partial(jagged, step=0.002),
}
KINDS: dict[str, Callable[..., Judged]] = {
    "a mean of differences": mean_of_differences,
    "a mean beside a share of another": mean_beside_a_share,
    "ratios, as products": product,
    "ratios, by logarithms": logarithm,
    **CURVES,
    "all of three steps, none true": conjunction,
    "all of three steps, one at its edge": one_false_step,
    "nine of ten, two at their edge": most,
    "ratios of two models that agree on most queries": correlated,
    "rare counts at their share": rare,
    "two leads alike, one nearer to 0": closer,
    "five rotated folds": folds,
}

if __name__ == "__main__":
    main()
