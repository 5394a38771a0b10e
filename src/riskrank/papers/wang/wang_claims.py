"""What Wang et al. 2012 say of their tables and figures, as margins of test queries (§1, §5.5–5.9)."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.outcome import Claim
from riskrank.papers.verdicts import (
    AtLeast,
    Margin,
    RareMargin,
    all_of,
    exactly,
    falling,
    fold_margin,
    jackknife_margins,
    mean_margin,
    ratio_margin,
)
from riskrank.risk.outcomes import is_large_loss
from riskrank.tradeoff.curves import N_BINS, area, distance_bins, near_optimal_hull
from riskrank.tradeoff.selective_use import uses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.papers.verdicts import Places
    from riskrank.papers.wang.wang_protocol import Study
    from riskrank.typing import Booleans, Floats, Integers

ALMOST_ALL = 0.9  # of the points of a curve
ALMOST_NONE = 0.01  # of the large losses at α = 0; the paper: 14 of 2,539
VERY_SIMILAR = 0.01  # nDCG@10; as far apart as the paper's models of α = 0 and 5 are in its Table 1
FEWEST_IN_BIN = 10  # queries


# Tables 1 and 2 (§5.5).


def summary_claims(study: Study, effectiveness: str) -> Iterator[Claim]:
    """A clear trade-off: less risk and fewer losses for a small decline in effectiveness."""
    test = study.sweep.test
    losses = np.maximum(0.0, -test.changes)
    is_lost = (test.changes < 0).astype(np.float64)
    of = test.changes if effectiveness == "ΔMRR" else test.values
    for text, rows, digits, scale in (
        ("Risk falls with each larger α", losses, 3, 100.0),
        (f"{effectiveness} declines with each larger α", of, 3, 100.0),
        ("Fewer queries lose with each larger α", is_lost, 1, 100.0),
    ):
        part = falling(rows)
        means = listed(scale * rows.mean(axis=1), digits)
        unit = " % of queries" if rows is is_lost else ""
        evidence = f"{means}{unit} at α = {_alphas(study)}; falls by {part.said(digits, scale=scale)}"
        yield Claim.estimated(text, part, evidence)

    smaller = ratio_margin(of[-1], of[0], losses[-1], losses[0])
    first = mean_margin(of[0])  # of what is not above 0 there are no shares
    yield Claim.estimated(
        f"The decline of {effectiveness} is small: a smaller share than that of risk",
        all_of([first, smaller]),
        f"{_decline(of)} and {_decline(losses)} from the first α to the last, {smaller.said(1, scale=100)} points "
        f"apart, of {first.said(3, scale=100)} in hundredths",
    )


def _decline(rows: Floats) -> str:
    first, last = rows[0].mean(), rows[-1].mean()
    return f"{1 - last / first:.1%}" if first > 0 else "no share"


def location_claims(study: Study) -> Iterator[Claim]:
    """§5.5: large losses vanish almost to zero, while gains stay significant."""
    test = study.sweep.test
    large = is_large_loss(test.changes, test.baseline).sum(axis=1)
    rare = RareMargin(int(large[-1]), int(large[0]), len(test.queries), ALMOST_NONE)
    yield Claim.estimated(
        f"Losses beyond 20 % vanish almost to zero: to {ALMOST_NONE:.0%} of their number or less (in the paper to 14 "
        "of 2,539)",
        rare,
        f"at the largest α and at α = 0 {rare.said()}",
    )
    gain = mean_margin(test.changes[-1])
    yield Claim.estimated(
        "Significant gains are retained at the largest α", gain, f"ΔMRR {gain.said(3, scale=100)} in hundredths"
    )


# Figures 1 and 3.


def helped_and_hurt(study: Study) -> Claim:
    """§1: some queries are improved at the expense of others."""
    delta = study.sweep.test.changes[0]
    return Claim(
        "Queries are improved at the expense of others that are degraded",
        exactly(bool((delta > 0).any() and (delta < 0).any())),
        f"{int((delta > 0).sum())} of {len(delta)} improved, {int((delta < 0).sum())} degraded",
    )


def variance_claim(study: Study, name: str) -> Claim:
    """The caption of Figure 3."""
    squares = np.square(study.sweep.test.changes)
    part = falling(squares)
    return Claim.estimated(
        f"{name}: the variance around the baseline shrinks as α is increased",
        part,
        f"mean squares of changes {listed(1e4 * squares.mean(axis=1), 2)} at α = {_alphas(study)}, in squared "
        f"hundredths; fall by {part.said(2, scale=1e4)}",
    )


# Figure 2 (§5.6).


def tradeoff_claims(study: Study, name: str) -> Iterator[Claim]:
    """What dominates what, at the risk of each threshold that uses the model on some queries."""
    of = _Curves(study)
    everywhere = jackknife_margins(of.higher, of.n_queries)
    completely = " completely" if name == "Location" else ""  # of MSLR the paper says it without the word
    yield Claim.estimated(
        f"{name}: risk-sensitive ranking{completely} dominates selective re-ranking: more gain at any risk",
        all_of(everywhere),
        _at_thresholds(everywhere),
    )
    if name == "Location":
        safer = jackknife_margins(of.safer, of.n_queries)
        yield Claim.estimated(
            f"{name}: conversely, less risk at any gain", all_of(safer), _at_thresholds(safer)
        )  # fmt: skip
    below_hull = jackknife_margins(of.below_hull, of.n_queries)
    areas = of.areas()
    yield Claim.estimated(
        f"{name}: the near-optimal hull dominates selective re-ranking",
        all_of(below_hull),
        f"{_at_thresholds(below_hull)}; areas under both {areas[0]:.2f} and {areas[1]:.2f}, where a coin has 0.5",
    )
    even = [mean_margin(used * (of.delta - of.loss)) for used in of.used]
    yield Claim.estimated(
        f"{name}: selective re-ranking does significantly better than break-even (T = 0, α = 1)",
        all_of(even),
        _at_thresholds(even),
    )
    proportional = [ratio_margin(used * of.delta, of.delta, used * of.loss, of.loss) for used in of.used]
    yield Claim.estimated(
        f"{name}: selective re-ranking lies above proportional reduction at almost all points "
        f"({ALMOST_ALL:.0%} or more)",
        AtLeast(ceil(ALMOST_ALL * len(proportional)), tuple(proportional)),
        _at_thresholds(proportional),
    )


class _Curves:
    """Risk and gain of all models, and of selective re-ranking at its thresholds, on any of the queries."""

    def __init__(self, study: Study) -> None:
        sweep = study.sweep
        test, reference = sweep.test, sweep.reference_model
        self.n_queries = len(test.queries)
        self.deltas, self.losses = test.changes, np.maximum(0.0, -test.changes)
        self.delta, self.loss = self.deltas[reference], self.losses[reference]
        self.alphas = [setting.value for setting in sweep.settings]
        self.last = hull_end(study)
        used = uses(test.predictors[study.predictor], sweep.thresholds[study.predictor], "below")
        _, first = np.unique(used.mean(axis=1), return_index=True)  # a predictor may be the same for many queries
        self.used: Booleans = used[[i for i in first if 0 < used[i].mean() < 1]]
        risk, gain = self._selective(np.arange(self.n_queries))
        models_risk, models_gain = self._models(np.arange(self.n_queries))
        self._covered = risk >= models_risk.min()
        self._reached = (gain >= models_gain.min()) & (gain <= models_gain.max())

    def higher(self, queries: Places) -> Floats:
        """How much more the models gain at the risks of selective re-ranking."""
        risk, gain = self._selective(queries)
        return np.asarray((_height(risk, *self._models(queries)) - gain)[self._covered])

    def safer(self, queries: Places) -> Floats:
        """How much less the models risk at the gains of selective re-ranking."""
        risk, gain = self._selective(queries)
        models_risk, models_gain = self._models(queries)
        return np.asarray((risk - _height(gain, models_gain, models_risk))[self._reached])

    def below_hull(self, queries: Places) -> Floats:
        """How much more the near-optimal hull gains."""
        risk, gain = self._selective(queries)
        return np.asarray(_height(risk, *self._hull(queries)) - gain)

    def areas(self) -> list[float]:
        """Under the hull and under selective re-ranking."""
        queries = np.arange(self.n_queries)
        whole = {"reference_cost": float(self.loss.mean()), "reference_gain": float(self.delta.mean())}
        return [area(*curve, **whole) for curve in (self._hull(queries), self._selective(queries))]

    def _selective(self, queries: Places) -> tuple[Floats, Floats]:
        used = self.used[:, queries]
        return used @ self.loss[queries] / len(queries), used @ self.delta[queries] / len(queries)

    def _models(self, queries: Places) -> tuple[Floats, Floats]:
        return self.losses[:, queries].mean(axis=1), self.deltas[:, queries].mean(axis=1)

    def _hull(self, queries: Places) -> tuple[Floats, Floats]:
        return near_optimal_hull(self.alphas, *self._models(queries), self.last)


def hull_end(study: Study) -> float:
    """The α nearest to the end of the segment of interest, as the paper takes 30 for 27.9 (§5.7)."""
    segment = float(np.mean([fold.alpha_of_interest for fold in study.folds]))
    return min((setting.value for setting in study.sweep.settings), key=lambda alpha: abs(alpha - segment))


def _height(places: Floats, x: Floats, y: Floats) -> Floats:
    """Of a curve that straight lines join."""
    order = np.argsort(x)
    return np.asarray(np.interp(places, x[order], y[order]))


def _at_thresholds(margins: Sequence[Margin]) -> str:
    if not margins:
        return "no threshold lies between models, to be compared"
    above = sum(margin.estimate >= 0 for margin in margins)
    return f"at {above} of {len(margins)} thresholds; {AtLeast(len(margins), tuple(margins)).said(3, scale=100)}"


# Figure 4 (§5.8).


def convergence_claims(study: Study, name: str, bold: Sequence[int], careful: Sequence[int]) -> Iterator[Claim]:
    """Trees of α = 0 and 5 in each fold, and where both end."""
    faster = sum(many > few for many, few in zip(bold, careful, strict=True))
    margin = fold_margin([many - few for many, few in zip(bold, careful, strict=True)])
    yield Claim.estimated(
        f"{name}: α = 5 converges faster than α = 0, on average over folds",
        margin,
        f"{np.mean(careful):.1f} against {np.mean(bold):.1f} trees, {margin.said(1)} fewer, by folds",
    )
    yield Claim(
        f"{name}: it does so in all folds", exactly(faster == len(bold)), f"faster in {faster} of {len(bold)} folds"
    )
    ends = np.array([[float(fold.learning[i][0][-1]) for fold in study.folds] for i in range(2)])
    apart = ends[0] - ends[1]
    near = all_of([fold_margin((VERY_SIMILAR - apart).tolist()), fold_margin((VERY_SIMILAR + apart).tolist())])
    yield Claim.estimated(
        f"{name}: both end very near each other (within {VERY_SIMILAR} of {study.sweep.measure})",
        near,
        f"α = 0 ends {fold_margin(apart.tolist()).said()} higher, by folds",
    )


# Figure 5 (§5.9).


def distance_claims(study: Study, alphas: Sequence[float], safe: float) -> Iterator[Claim]:
    """How far rankings move from the baseline's; `safe` is the α that the paper calls the safe model."""
    test, sweep = study.sweep.test, study.sweep
    bins = {alpha: distance_bins(test.distance[sweep.find(alpha)]) for alpha in alphas}
    stays = {alpha: (own == 0).astype(np.float64) for alpha, own in bins.items()}
    closer = falling([stays[alpha] for alpha in reversed(alphas)])
    yield Claim.estimated(
        "As α falls, more and more queries deviate from the baseline (leave bin 0)",
        closer,
        f"{listed([100 * own.mean() for own in stays.values()], 1)} % in bin 0 at α = {listed(alphas, 0)}; "
        f"steps from the largest {closer.said(1, scale=100)}",
    )
    half = mean_margin(stays[safe] - 0.5)
    yield Claim.estimated(
        f"At α = {safe:g} a majority of the queries is in bin 0", half, f"{half.said(1, scale=100)} % over a half"
    )
    losses = {setting.value: np.maximum(0.0, -test.changes[i]) for i, setting in enumerate(sweep.settings)}
    lowest = all_of(mean_margin(other - losses[safe]) for alpha, other in losses.items() if alpha != safe)
    yield Claim.estimated(
        f"At α = {safe:g} risk is the lowest of all models",
        lowest,
        f"{listed([100 * own.mean() for own in losses.values()], 3)} at α = {listed(list(losses), 0)}; "
        f"higher by {lowest.said(3, scale=100)}",
    )
    yield from _reward_claims(study, bins, safe)


def _reward_claims(study: Study, bins: dict[float, Integers], safe: float) -> Iterator[Claim]:
    test, sweep = study.sweep.test, study.sweep
    rewards = {alpha: np.maximum(0.0, test.changes[sweep.find(alpha)]) for alpha in bins}
    others = [alpha for alpha in bins if alpha != safe]
    known = [k for k in range(1, N_BINS) if all((own == k).sum() >= FEWEST_IN_BIN for own in bins.values())]
    first = {k: all_of(_more_reward(rewards, bins, safe, other, k) for other in others) for k in known}
    led = sum(part.estimate > 0 for part in first.values())
    yield Claim.estimated(
        "Of queries equally far from the baseline, the safe model tends to have the largest reward (in most bins)",
        AtLeast(len(known) // 2 + 1, tuple(first.values())),
        f"in {led} of {len(known)} bins beyond bin 0 that have {FEWEST_IN_BIN} queries at each α",
    )
    means = [float(rewards[alpha][bins[alpha] == 2].mean()) if (bins[alpha] == 2).any() else np.nan for alpha in bins]
    yield Claim.estimated(
        "It has the largest reward in bin 2",
        first.get(2, AtLeast(1, ())),
        f"mean reward {listed([100 * mean for mean in means], 2)} at α = {listed(list(bins), 0)}",
    )


def _more_reward(
    rewards: dict[float, Floats], bins: dict[float, Integers], one: float, other: float, number: int
) -> Margin:
    """Mean rewards within a bin."""
    inside = [(bins[alpha] == number).astype(np.float64) for alpha in (one, other)]
    total = [rewards[alpha] * within for alpha, within in zip((one, other), inside, strict=True)]
    return ratio_margin(*total, *inside)


def listed(values: Sequence[float] | Floats, digits: int) -> str:
    """With so many digits."""
    return ", ".join(f"{value:.{digits}f}" for value in values)


def _alphas(study: Study) -> str:
    return listed([setting.value for setting in study.sweep.settings], 0)
