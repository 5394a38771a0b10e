"""Do tests and intervals hold where topics have weights? Skewed traffic, related to the changes or not."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from interleaved import print_machine
from populations import Population, made, real_matrices, real_pairs

import riskrank as rr
from riskrank.risk.inference.mirror_shift import GAIN, REWARD, tradeoff_slopes, weighted_mirror
from riskrank.risk.inference.null_values import Slopes
from riskrank.weights import effective_number, relative_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIZES = (50, 200, 1000)
TRAFFIC = ("Zipf", "log-normal")
RELATIONS = {"unrelated": 0.0, "heavy topics gain more": 0.25, "heavy topics gain less": -0.25}
TAIL = 0.025
N_POINTS = 400


@dataclass(frozen=True, eq=False)
class Traffic:
    """Weights of topics, and what they do to changes: so many standard deviations for each one of log weight."""

    name: str
    n_topics: int
    slope: float

    def points(self) -> Floats:
        """Log weights, all of which are equally likely."""
        if self.name == "Zipf":
            return -np.log(np.arange(1, self.n_topics + 1))
        quantiles = (np.arange(N_POINTS) + 0.5) / N_POINTS
        return np.array([NormalDist().inv_cdf(share) for share in quantiles.tolist()])

    def draw(self, rng: np.random.Generator) -> Floats:
        """Of all topics: Zipf's are those of the most frequent queries, others are drawn."""
        return self.points() if self.name == "Zipf" else rng.normal(size=self.n_topics)

    def moved(self, changes: Floats, log_weights: Floats, scale: float) -> Floats:
        """Changes as they are at these weights; ties stay ties."""
        points = self.points()
        aside = self.slope * scale * (log_weights - points.mean()) / points.std()
        return np.where(changes == 0, 0.0, changes + aside)


@dataclass(frozen=True, eq=False)
class Weighed:
    """A population whose weighted mean trade-off at `alpha` is `effect` standard deviations, by a shift."""

    base: Population
    traffic: Traffic
    scale: float
    shift: float

    @classmethod
    def at(cls, base: Population, traffic: Traffic, alpha: float, effect: float = 0.0) -> Weighed:
        scale = float(np.sqrt(base.mean(base.changes**2)))
        low, high = -6 * scale, 6 * scale
        for _ in range(40):
            one = cls(base, traffic, scale, (low + high) / 2)
            is_over = one.mean(tradeoff_slopes(alpha)) > effect * scale
            low, high = (low, one.shift) if is_over else (one.shift, high)
        return one

    def _changes(self, changes: Floats, log_weights: Floats) -> Floats:
        moved = self.traffic.moved(changes, log_weights, self.scale)
        return np.where(changes == 0, 0.0, moved + self.shift)

    def mean(self, slopes: Slopes) -> float:
        """The true weighted mean of a number that rises with the change, by sums over sorted changes."""
        points = self.traffic.points()
        weights, aside = np.exp(points), self.shift + self.traffic.moved(np.ones(1), points, self.scale) - 1
        is_changed = self.base.changes != 0
        order = np.argsort(self.base.changes[is_changed])
        changes, chances = self.base.changes[is_changed][order], self.base.weights[is_changed][order]
        shares, totals = (np.concatenate([[0.0], np.cumsum(each)]) for each in (chances, chances * changes))
        edge = np.searchsorted(changes, -aside)
        below = totals[edge] + aside * shares[edge]
        above = totals[-1] - totals[edge] + aside * (shares[-1] - shares[edge])
        return float(weights @ (slopes.below * below + slopes.above * above) / weights.sum())

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Changes and weights of a sample."""
        log_weights = self.traffic.draw(rng)
        changes = rng.choice(self.base.changes, size=self.traffic.n_topics, p=self.base.weights)
        return self._changes(changes, log_weights), np.exp(log_weights)


def populations(matrices: dict[str, Floats], alpha: float, n_pairs: int) -> list[Population]:
    return [*real_pairs(matrices, alpha, per_collection=n_pairs), *made(alpha)]


def level(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    print("False gains / false losses in % where there is nothing (nominal 2.5 / 2.5); in brackets both, worst family")
    print("| traffic | topics | count as | changes and weights | α | t | mirror |")
    print("|---|---|---|---|---|---|---|")
    for name in TRAFFIC:
        for n_topics in options.sizes:
            for relation, slope in RELATIONS.items():
                for alpha in (0, 1, 5):
                    rates, effective = _level(matrices, options, Traffic(name, n_topics, slope), alpha)
                    cells = [_tails(rates[:, k : k + 2]) for k in (0, 2)]
                    row = f"| {name} | {n_topics} | {effective:.0f} | {relation} | {alpha} | {' | '.join(cells)} |"
                    print(row, flush=True)


def _level(
    matrices: dict[str, Floats], options: argparse.Namespace, traffic: Traffic, alpha: float
) -> tuple[Floats, float]:
    """For each family how often t and the mirror-shift test see a gain, and a loss; and as how many topics count."""
    rng, effective = np.random.default_rng(traffic.n_topics), []
    families: dict[str, list[list[bool]]] = {}
    for base in populations(matrices, alpha, options.pairs):
        one = Weighed.at(base, traffic, alpha)
        for _ in range(max(1, options.draws // (options.pairs if base.family in matrices else 1))):
            changes, weights = one.draw(rng)
            tested = rr.risk.trisk(changes, np.zeros(len(changes)), alpha=alpha, weights=weights)
            tails = weighted_mirror(changes, relative_weights(weights)).test(alpha)
            is_t = tested.p_value <= 2 * TAIL
            flags = [is_t and tested.urisk > 0, is_t and tested.urisk < 0, tails.gain <= TAIL, tails.loss <= TAIL]
            families.setdefault(base.family, []).append(flags)
            effective.append(effective_number(weights))
    return np.array([np.mean(rows, axis=0) for rows in families.values()]), float(np.mean(effective))


def _tails(rates: Floats) -> str:
    both = 100 * rates
    return f"{both[:, 0].mean():.1f} / {both[:, 1].mean():.1f} ({both.sum(axis=1).max():.1f})"


def coverage(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    print(
        "Coverage in % of 95 % intervals where the mean change is 0.3 standard deviations: mean over families (worst)"
    )
    names = ("gain", "risk", "reward", "urisk_1", "urisk_5")
    print(f"| traffic | topics | changes and weights | {' | '.join(names)} |")
    print(f"|---|---|---|{'---|' * len(names)}")
    numbers = (GAIN, Slopes(-1.0, 0.0), REWARD, tradeoff_slopes(1), tradeoff_slopes(5))
    for name in TRAFFIC:
        for n_topics in options.sizes:
            for relation, slope in RELATIONS.items():
                rng = np.random.default_rng(n_topics)
                families: dict[str, list[list[bool]]] = {}
                for base in populations(matrices, 0, options.pairs):
                    one = Weighed.at(base, Traffic(name, n_topics, slope), 0, effect=0.3)
                    truths = [one.mean(number) for number in numbers]
                    of_family = options.pairs if base.family in matrices else 1
                    for _ in range(max(1, options.draws // (2 * of_family))):
                        changes, weights = one.draw(rng)
                        zeros = np.zeros(len(changes))
                        known = rr.risk.intervals(changes, zeros, alphas=[1, 5], weights=weights)
                        held = [
                            known[column][0] <= truth <= known[column][1]
                            for column, truth in zip(names, truths, strict=True)
                        ]
                        families.setdefault(base.family, []).append(held)
                rates = 100 * np.array([np.mean(rows, axis=0) for rows in families.values()])
                cells = [f"{column.mean():.1f} ({column.min():.1f})" for column in rates.T]
                print(f"| {name} | {n_topics} | {relation} | {' | '.join(cells)} |", flush=True)


TABLES = {"level": level, "coverage": coverage}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=400, help="samples for each family (default 400)")
    parser.add_argument("--pairs", type=int, default=5, help="real pairs of each collection (default 5)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of topics")
    parser.add_argument("--only", default="", help=f"tables whose name holds this text: {', '.join(TABLES)}")
    options = parser.parse_args()
    print_machine("at the start")
    matrices = real_matrices()
    for name, table in TABLES.items():
        if options.only in name:
            print(f"\n## {name}\n")
            table(matrices, options)


if __name__ == "__main__":
    main()
