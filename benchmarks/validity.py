"""Do the tests and intervals hold? Nominal against measured, on resampled real pairs and on made distributions.

Real data: TREC Web 2012, TREC Deep Learning 2019, MQ2008 and a sample of MSLR-WEB10K where RISKRANK_DATA has them. The
truth of every population is known: real changes are weighted, made ones shifted, until the mean trade-off is 0.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

import numpy as np
from guarantee import METHODS, SHAPES, violations
from interleaved import print_machine
from populations import Population, few_losses, made, real_matrices, real_pairs, shifted, tilted

import riskrank as rr
from riskrank.assessment.all_pairs import all_pairs
from riskrank.risk.inference.cvar_interval import cvar_interval
from riskrank.risk.inference.mirror_shift import GAIN, REWARD, MirrorShift, tradeoff_slopes
from riskrank.risk.inference.null_values import Slopes
from riskrank.risk.inference.shares import wilson
from riskrank.risk.inference.student_t import mean_interval, two_sided_p
from riskrank.risk.paired import tradeoff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ALPHAS = (0, 1, 5, 10)
SIZES = (25, 50, 200)
VERY_MANY = 600  # of which nothing is drawn
TAIL = 0.025


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1000, help="samples for each family and size (default 1,000)")
    parser.add_argument("--pairs", type=int, default=25, help="real pairs of each collection (default 25)")
    parser.add_argument("--only", default="", help=f"tables whose name holds this text: {', '.join(TABLES)}")
    options = parser.parse_args()
    print_machine("at the start")
    matrices = real_matrices()
    if not matrices:
        print("RISKRANK_DATA has none of the real data: made distributions only")
    for name, table in TABLES.items():
        if options.only in name:
            print(f"\n## {name}\n")
            table(matrices, options)


def populations(matrices: dict[str, Floats], alpha: float, n_pairs: int) -> list[Population]:
    return [*real_pairs(matrices, alpha, per_collection=n_pairs), *made(alpha)]


def by_family(
    all_of_them: Iterable[Population], n_draws: int, n_topics: int, measure: Callable[[Population, Floats], list[float]]
) -> dict[str, Floats]:
    """The mean of what `measure` gives for samples, by family."""
    rng = np.random.default_rng(n_topics)
    families: dict[str, list[Population]] = {}
    for population in all_of_them:
        families.setdefault(population.family, []).append(population)
    results = {}
    for family, members in families.items():
        each = max(1, n_draws // len(members))
        rows = [measure(one, sample) for one in members for sample in one.draw(rng, each, n_topics)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of quantities that have no number at all
            results[family] = np.nanmean(rows, axis=0)
    return results


def split(results: dict[str, Floats], matrices: dict[str, Floats]) -> tuple[Floats | None, Floats]:
    """Rows of real collections and of made distributions."""
    real = [row for family, row in results.items() if family in matrices]
    return (np.array(real) if real else None), np.array(
        [row for family, row in results.items() if family not in matrices]
    )


def level(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    """How often nothing is called a gain, and a loss."""
    print("False gains / false losses in % where there is nothing (nominal 2.5 / 2.5); in brackets both, worst family")
    print("| α | topics | real: t | real: mirror | made: t | made: mirror | 1 % nominal, mirror |")
    print("|---|---|---|---|---|---|---|")

    def flags(alpha: float) -> Callable[[Population, Floats], list[float]]:
        def measure(_: Population, sample: Floats) -> list[float]:
            tails = MirrorShift(sample).test(alpha)
            x = tradeoff(sample, alpha)
            error = x.std(ddof=1) / np.sqrt(len(x))
            t = x.mean() / error if error > 0 else 0.0
            is_t = float(two_sided_p(t, len(x) - 1)) <= 2 * TAIL
            strict = tails.p_value <= 0.01
            return [is_t and t > 0, is_t and t < 0, tails.gain <= TAIL, tails.loss <= TAIL, strict]

        return measure

    for alpha in ALPHAS:
        pool = populations(matrices, alpha, options.pairs)
        for n_topics in (*SIZES, VERY_MANY):
            n_draws = options.draws // 4 if n_topics == 200 else options.draws  # what is drawn from takes time there
            real, synthetic = split(by_family(pool, n_draws, n_topics, flags(alpha)), matrices)
            cells = [two_tails(rows, k) for rows in (real, synthetic) for k in (0, 2)]
            strict = "–" if real is None else f"{100 * real[:, 4].mean():.1f}"
            print(f"| {alpha} | {n_topics} | {' | '.join(cells)} | {strict} |", flush=True)


def two_tails(rows: Floats | None, k: int) -> str:
    if rows is None:
        return "–"
    both = 100 * rows[:, k : k + 2]
    return f"{both[:, 0].mean():.1f} / {both[:, 1].mean():.1f} ({both.sum(axis=1).max():.1f})"


def power(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    """How often an effect is seen, and whether `rr.risk.power` foretells it."""
    print(
        "Share in % of samples in which a mean trade-off of 0.2 and 0.4 standard deviations is significant, mirror (t)"
    )
    print("| α | topics | gain 0.2 | gain 0.4 | loss 0.2 | loss 0.4 |")
    print("|---|---|---|---|---|---|")
    for alpha in ALPHAS:
        null = populations(matrices, alpha, options.pairs) if matrices else list(made(alpha))
        null = [one for one in null if one.family in matrices] or null
        for n_topics in SIZES:
            cells = []
            for effect in (0.2, 0.4, -0.2, -0.4):
                moved = [with_effect(one, alpha, effect) for one in null]

                def seen(_: Population, sample: Floats, sign: float = effect, alpha: float = alpha) -> list[float]:
                    result = rr.risk.trisk(sample, np.zeros(len(sample)), alpha=alpha)
                    toward = "significant gain" if sign > 0 else "significant loss"
                    return [result.verdict == toward, result.p_value <= 0.05 and result.urisk * sign > 0]

                n_draws = options.draws // 4 if n_topics == 200 else options.draws
                rates = 100 * np.mean(list(by_family(moved, n_draws, n_topics, seen).values()), axis=0)
                cells.append(f"{rates[0]:.0f} ({rates[1]:.0f})")
            print(f"| {alpha} | {n_topics} | {' | '.join(cells)} |", flush=True)
    print("\nTopics that rr.risk.power asks for to see a gain in 80 %, and how often it is then seen")
    print("| α | effect | topics | seen % |")
    print("|---|---|---|---|")
    rng = np.random.default_rng(5)
    sample = rng.laplace(0, 0.1, 60)
    for alpha, effect in ((0, 0.03), (0, 0.02), (1, 0.04), (5, 0.1)):
        needed = rr.risk.power(sample, np.zeros(60), effect=effect, alpha=alpha).n_topics
        residuals = sample - sample.mean()
        both = shifted(np.concatenate([residuals, -residuals]), alpha, effect)
        drawn = rng.choice(both, size=(options.draws, needed or 0))
        seen_in = np.mean([MirrorShift(each).test(alpha).gain <= TAIL for each in drawn])
        print(f"| {alpha} | {effect} | {needed} | {100 * seen_in:.0f} |", flush=True)


def with_effect(null: Population, alpha: float, effect: float) -> Population:
    """The same changes, weighted for a mean trade-off of so many standard deviations."""
    x = tradeoff(null.changes, alpha)
    deviation = np.sqrt(null.mean(x**2))
    return Population(null.family, null.changes, tilted(x, effect * deviation))


def disasters(_: dict[str, Floats], options: argparse.Namespace) -> None:
    """What no test can see: losses rarer than the sample shows."""
    print("False gains in % where 2.4 % of topics lose 0.6 and the others gain up to 0.06, losses weigh double")
    print("| topics | t | mirror |")
    print("|---|---|---|")
    gains = np.linspace(0, 1, 4000) ** 2
    gains *= 0.024 * 1.2 / (0.976 * gains.mean())
    weights = np.append(np.full(len(gains), 0.976 / len(gains)), 0.024)
    rare = Population("rare", np.append(gains, -0.6), weights)
    rng = np.random.default_rng(2)
    for n_topics in SIZES:
        results = [rr.risk.trisk(each, np.zeros(n_topics), alpha=1) for each in rare.draw(rng, options.draws, n_topics)]
        by_t = np.mean([result.p_value <= 0.05 and result.urisk > 0 for result in results])
        by_mirror = np.mean([result.verdict == "significant gain" for result in results])
        print(f"| {n_topics} | {100 * by_t:.0f} | {100 * by_mirror:.0f} |", flush=True)


def coverage(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    """How often 95 % intervals hold the truth, and how long they are."""
    names = ("gain", "risk", "reward", "URisk(1)", "URisk(5)", "CVaR", "share hurt")
    print("Coverage in % of 95 % intervals, mean over families (worst); length in parts of 2 · 1.96 standard errors")
    print(f"| topics | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    slopes = (GAIN, Slopes(-1.0, 0.0), REWARD, tradeoff_slopes(1), tradeoff_slopes(5))

    def measure(one: Population, sample: Floats) -> list[float]:
        known = rr.risk.intervals(sample, np.zeros(len(sample)), alphas=[1, 5])
        mirror, held, lengths = MirrorShift(sample), [], []
        for name, slope in zip(("gain", "risk", "reward", "urisk_1", "urisk_5"), slopes, strict=True):
            low, high = known[name]
            truth, error = one.mean(slope(one.changes)), slope(sample).std() / np.sqrt(len(sample))
            held.append(np.nan if np.isnan(low) else float(low <= truth <= high))
            lengths.append((high - low) / (2 * 1.96 * error) if error else np.nan)
        low, high = cvar_interval(mirror, 0.1, 0.95)
        truth = rr.risk.cvar(one.changes, np.zeros(len(one.changes)))
        held.append(np.nan if np.isnan(low) else float(low <= truth <= high))
        low, high = wilson(int((sample < 0).sum()), len(sample), 0.95)
        held.append(float(low <= one.mean((one.changes < 0).astype(float)) <= high))
        return held + lengths

    pool = [
        Population(one.family, one.changes, np.full(len(one.changes), 1 / len(one.changes)))
        for one in populations(matrices, 1, options.pairs)
    ]
    pool += list(few_losses())
    for n_topics in (25, 50, 100, 200):
        n_draws = options.draws // (4 if n_topics == 200 else 2)
        rows = np.array(list(by_family(pool, n_draws, n_topics, measure).values()))
        cells = []
        for k, column in enumerate(100 * rows[:, : len(names)].T):
            text = "none" if np.isnan(column).all() else f"{np.nanmean(column):.1f} ({np.nanmin(column):.1f})"
            cells.append(f"{text}, {np.nanmedian(rows[:, len(names) + k]):.2f}" if k < len(slopes) else text)
        print(f"| {n_topics} | {' | '.join(cells)} |", flush=True)
    if matrices:
        _coverage_by_system(matrices, options)


def _coverage_by_system(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    print(
        "\nCoverage in % of 95 % intervals for GeoRisk (16 systems of each collection) and effectiveness: mean (worst)"
    )
    print("| topics | GeoRisk α = 0 | α = 1 | α = 5 | effectiveness |")
    print("|---|---|---|---|---|")
    rng = np.random.default_rng(3)
    chosen = {name: matrix[rng.permutation(len(matrix))[:16]] for name, matrix in matrices.items()}
    for n_topics in SIZES:
        rows = []
        for matrix in chosen.values():
            truths = [rr.risk.georisk(matrix, alpha=alpha) for alpha in (0, 1, 5)]
            held = np.zeros(4)
            n_samples = max(10, options.draws // 10)
            for _ in range(n_samples):
                sample = matrix[:, rng.integers(matrix.shape[1], size=n_topics)]
                for k, alpha in enumerate((0, 1, 5)):
                    low, high = rr.risk.georisk_intervals(sample, alpha=alpha).T
                    held[k] += np.mean((low <= truths[k]) & (truths[k] <= high))
                limits = np.array([mean_interval(row, 0.95) for row in sample])
                held[3] += np.mean((limits[:, 0] <= matrix.mean(axis=1)) & (matrix.mean(axis=1) <= limits[:, 1]))
            rows.append(100 * held / n_samples)
        cells = [f"{np.mean(column):.1f} ({np.min(column):.1f})" for column in np.transpose(rows)]
        print(f"| {n_topics} | {' | '.join(cells)} |", flush=True)


def families(_: dict[str, Floats], options: argparse.Namespace) -> None:
    """Any false verdict among many systems, none of which differs."""
    print("Tables of systems that do not differ in which any verdict is significant, in % (nominal 5)")
    print("| systems | topics | α | no correction | Holm | all pairs: max-t | all pairs: Holm |")
    print("|---|---|---|---|---|---|---|")
    rng = np.random.default_rng(4)
    for n_systems, with_pairs in ((60, False), (10, True)):
        for n_topics in SIZES:
            for alpha in (0, 5):
                any_of = np.zeros(4)
                n_tables = max(20, options.draws // (40 if n_topics == 200 else 10))
                for _table in range(n_tables):
                    scores = null_table(rng, n_systems, n_topics, alpha)
                    at = [each.at[0] for each in rr.assess(scores, "s0", alphas=[alpha]) if not each.is_baseline]
                    any_of[0] += any(each.p_mirror <= 0.05 for each in at)
                    any_of[1] += any(each.p_holm <= 0.05 for each in at)
                    if with_pairs and not alpha:
                        pairs = all_pairs(scores, alpha=alpha).pairs
                        any_of[2] += any(pair.p_max_t <= 0.05 for pair in pairs)
                        any_of[3] += any(pair.p_holm <= 0.05 for pair in pairs)
                cells = [f"{100 * count / n_tables:.0f}" for count in any_of]
                if not with_pairs or alpha:
                    cells[2:] = ["–", "–"]
                print(f"| {n_systems} | {n_topics} | {alpha} | {' | '.join(cells)} |", flush=True)


def null_table(rng: np.random.Generator, n_systems: int, n_topics: int, alpha: float) -> rr.Effectiveness:
    """A baseline and systems whose changes have a mean trade-off of 0."""
    changes = shifted(np.concatenate([-np.sort(rng.exponential(0.1, 500)), np.sort(rng.exponential(0.1, 500))]), alpha)
    baseline = rng.uniform(0.3, 0.6, n_topics)
    if alpha == 0:  # all alike: no pair differs either
        rows = {f"s{i}": baseline + rng.choice(changes, size=n_topics) for i in range(n_systems)}
    else:
        rows = {f"s{i}": baseline + (rng.choice(changes, size=n_topics) if i else 0.0) for i in range(n_systems)}
    return rr.Effectiveness.from_rows(rows)


def topics(matrices: dict[str, Floats], options: argparse.Namespace) -> None:
    """How many topics of a comparison stand out where none does."""
    print("Topics in %: beyond T_J = ±2, p ≤ 0.05 for a single topic; comparisons in % with any topic at p Holm ≤ 0.05")
    print("| changes | topics | |T_J| > 2 | p ≤ 0.05 | any Holm |")
    print("|---|---|---|---|---|")
    rng = np.random.default_rng(6)
    u = np.random.default_rng(0).normal(0, 0.1, N_NORMAL)
    pools = [Population("normal", u, np.full(N_NORMAL, 1 / N_NORMAL)), *populations(matrices, 0, 5)]
    for n_topics in SIZES:
        rows: dict[str, list[list[float]]] = {}
        for one in pools:
            for sample in one.draw(rng, max(10, options.draws // 10), n_topics):
                explored = rr.risk.explore(sample, np.zeros(n_topics), alpha=0)
                flags = [float(np.mean(np.abs(explored.t_j) > 2)), float(np.mean(explored.p_value <= 0.05))]
                family = one.family if one.family == "normal" else "real" if one.family in matrices else "made"
                rows.setdefault(family, []).append([*flags, float(np.any(explored.p_holm <= 0.05))])
        for family, values in rows.items():
            cells = " | ".join(f"{100 * value:.1f}" for value in np.nanmean(values, axis=0))
            print(f"| {family} | {n_topics} | {cells} |", flush=True)


def guarantee(_: dict[str, Floats], options: argparse.Namespace) -> None:
    """How often a guarantee is broken; `guarantee.py` has more."""
    print("Guarantees in % by which any of three points just above the budget of 0.05 is called safe (at most 10)")
    print("| queries | losses | betting | mixture | Hoeffding–Bentkus |")
    print("|---|---|---|---|---|")
    for n_queries in (200, 500):
        for name, shape in SHAPES.items():
            rates = [violations(method, shape, budget=0.05, n=n_queries, redraws=options.draws) for method in METHODS]
            print(f"| {n_queries} | {name} | {' | '.join(f'{100 * rate:.1f}' for rate in rates)} |", flush=True)


N_NORMAL = 4000
TABLES = {
    "level": level,
    "power": power,
    "disasters": disasters,
    "coverage": coverage,
    "families": families,
    "topics": topics,
    "guarantee": guarantee,
}

if __name__ == "__main__":
    main()
