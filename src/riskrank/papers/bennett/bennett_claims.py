"""What Bennett et al. 2015 say of Table 2 and the figures (§2.1, §5), as margins of test pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.papers.bennett.bennett_logs import BING, WSCD_12
from riskrank.papers.bennett.bennett_numbers import TABLE_2
from riskrank.papers.outcome import Claim
from riskrank.papers.verdicts import all_of, falling, jackknife_margins, mean_margin, ratio_margin
from riskrank.tradeoff.clicks.click_table import LOWEST, NEAR, PARITY, PREFERENCE, RISK, STANDARD, chosen_models
from riskrank.tradeoff.curves import area, hull

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.papers.bennett.bennett_logs import ClickStudy
    from riskrank.papers.verdicts import Margin, Places
    from riskrank.typing import Floats

OWN = PREFERENCE  # the paper's method
OTHERS = (STANDARD, RISK, PARITY, NEAR, LOWEST)


class Pages(NamedTuple):
    """What a model does on each page: the change, whether it re-ranks, and Kendall's τ to the presented order."""

    change: Floats
    moved: Floats
    tau: Floats

    @property
    def loss(self) -> Floats:
        """What each page loses."""
        return np.maximum(0.0, -self.change)


def pages_of(study: ClickStudy) -> dict[str, Pages]:
    """Of the chosen model of each method."""
    test = study.sweep.test
    tau = np.nan_to_num(1 - 2 * test.distance, nan=1.0)  # a page of one document has none, and cannot move
    return {
        method: Pages(test.changes[i], test.is_reranked[i].astype(np.float64), tau[i])
        for method, i in chosen_models(study.sweep).items()
    }


def table_claims(study: ClickStudy) -> Iterator[Claim]:
    """Of one part of Table 2."""
    of, name = pages_of(study), study.log.name
    yield from _gain_claims(of, name, is_rich=study.log.key == BING.key)
    yield from _selective_claims(of, study)
    if study.log.key == BING.key:
        yield from _bing_claims(of)
    yield from _lowest_claims(of, name)


def _gain_claims(of: Mapping[str, Pages], name: str, *, is_rich: bool) -> Iterator[Claim]:
    gaining = (STANDARD, OWN, RISK, PARITY, NEAR, LOWEST) if is_rich else (STANDARD,)
    gains = {method: mean_margin(of[method].change) for method in gaining}
    yield Claim.estimated(
        f"{name}: {'all models gain' if is_rich else f'{STANDARD} gains'} significantly over the presented order",
        all_of(gains.values()),
        ", ".join(f"{method} {margin.said(3, scale=100)}" for method, margin in gains.items()),
    )


def _selective_claims(of: Mapping[str, Pages], study: ClickStudy) -> Iterator[Claim]:
    """Weight-Initial-Pref re-ranks less than others by the factors that the paper prints, and keeps so much."""
    name, printed, own = study.log.name, TABLE_2[study.log.key], of[OWN]
    for other, who in ((STANDARD, STANDARD), (PARITY, "the risk-sensitive model with its gain")):
        factor = printed[other].reranked / printed[OWN].reranked
        margin = mean_margin(of[other].moved - factor * own.moved)
        ratio = of[other].moved.mean() / own.moved.mean() if own.moved.any() else np.inf
        yield Claim.estimated(
            f"{name}: {OWN} re-ranks {factor:.2f} times fewer queries than {who}, or fewer still",
            margin,
            f"{100 * own.moved.mean():.2f} % and {100 * of[other].moved.mean():.2f} %, {ratio:.2f} times; "
            f"{margin.said(2, scale=100)} % of queries beyond the factor",
        )
    share = printed[OWN].gain_share / 100
    kept = mean_margin(own.change - share * of[STANDARD].change)
    whole = of[STANDARD].change.mean()
    yield Claim.estimated(
        f"{name}: it keeps {100 * share:.1f} % of the gain or more",
        kept,
        f"{100 * own.change.mean() / whole:.1f} %; {kept.said(3, scale=100)} beyond that share",
    )
    rates = {method: _rate(of[method]) for method in (OWN, *OTHERS)}
    most = all_of(_gains_more(own, of[method]) for method in OTHERS)
    yield Claim.estimated(
        f"{name}: it gains more per query re-ranked than all others",
        most,
        ", ".join(f"{method} {_hundredths(rate)}" for method, rate in rates.items()) + f"; {most.counted}",
    )


def _bing_claims(of: Mapping[str, Pages]) -> Iterator[Claim]:
    """What is said of Bing alone."""
    own = of[OWN]
    order = [(of[method], of[STANDARD]) for method in (OWN, RISK, PARITY, NEAR)] + [(of[STANDARD], of[LOWEST])]
    tau = all_of(mean_margin(one.tau - other.tau) for one, other in order)
    yield Claim.estimated(
        f"Bing: the overall K-τ of {STANDARD} is lower than that of all others except {LOWEST}",
        tau,
        ", ".join(f"{method} {100 * of[method].tau.mean():.2f}" for method in of) + f"; {tau.counted}",
    )
    for other, what in ((RISK, "of the largest area"), (NEAR, "with about as much re-ranking")):
        more, fewer = mean_margin(own.change - of[other].change), mean_margin(of[other].moved - own.moved)
        yield Claim.estimated(
            f"Bing: the risk-sensitive model {what} gains less and re-ranks more",
            all_of([more, fewer]),
            f"gain {more.said(3, scale=100)}, re-ranked {fewer.said(2, scale=100)} %",
        )
    risk = mean_margin(own.loss - of[PARITY].loss)
    yield Claim.estimated(
        f"Bing: measurable risk is worse than that of {PARITY}", risk, f"{risk.said(4, scale=100)} more"
    )


def _lowest_claims(of: Mapping[str, Pages], name: str) -> Iterator[Claim]:
    """Lowest-Click-Plus-One re-ranks and moves most, for less."""
    lowest, others = of[LOWEST], [of[method] for method in (STANDARD, OWN, RISK, PARITY, NEAR)]
    most = all_of(mean_margin(lowest.moved - other.moved) for other in others)
    yield Claim.estimated(
        f"{name}: {LOWEST} re-ranks the most queries",
        most,
        f"{100 * lowest.moved.mean():.2f} %; {most.counted}",
    )
    deepest = all_of(_moves_more(lowest, other) for other in others)
    yield Claim.estimated(
        f"{name}: where it re-ranks, it reorders the most of all (K-τ|R)",
        deepest,
        f"{_hundredths(_depth(lowest))}, others {', '.join(_hundredths(_depth(other)) for other in others)}; "
        f"{deepest.counted}",
    )
    worse = _gains_more(of[STANDARD], lowest)
    yield Claim.estimated(
        f"{name}: it never attains a favourable trade-off relative to {STANDARD} (gain per query re-ranked)",
        worse,
        f"{_hundredths(_rate(lowest))} and {_hundredths(_rate(of[STANDARD]))}; {worse.said(1, scale=100)} % of what it "
        "gains",
    )
    own = of[OWN]
    both = [mean_margin(lowest.moved - own.moved), mean_margin(own.change - lowest.change)]
    yield Claim.estimated(
        f"{name}: {OWN} re-ranks less and gains as much or more",
        all_of(both),
        f"{both[0].said(2, scale=100)} % fewer, {both[1].said(3, scale=100)} gained more",
    )


def figure_claims(study: ClickStudy) -> Iterator[Claim]:
    """Of the figure of a log."""
    of, sweep, test = pages_of(study), study.sweep, study.sweep.test
    coin = {method: _gains_more(of[method], of[STANDARD]) for method in (OWN, RISK)}
    yield Claim.estimated(
        f"{OWN} and {RISK} gain more than the coin with as many queries re-ranked",
        all_of(coin.values()),
        ", ".join(f"{method} {margin.said(1, scale=100)} % of the gain" for method, margin in coin.items()),
    )
    yield _whole_range(study)
    members = sorted(sweep.members(OWN), key=lambda i: sweep.settings[i].value)
    moved = [test.is_reranked[i].astype(np.float64) for i in members]
    fewer = falling(moved)
    yield Claim.estimated(
        "each larger β re-ranks less (§2.1: increasingly risk-averse models)",
        fewer,
        f"{', '.join(f'{100 * row.mean():.1f}' for row in moved)} % from the smallest β to the largest; "
        f"{fewer.counted}",
    )


def _whole_range(study: ClickStudy) -> Claim:
    """At each re-ranking of a risk-sensitive model, is the curve of Weight-Initial-Pref at least as high?

    The curve joins the models that are on the hull of validation pages: one chosen on the test pages would be as high
    as chance allows.
    """
    sweep, test = study.sweep, study.sweep.test
    full = sweep.reference_model
    own, risky = sweep.members(OWN), [i for i in sweep.members(RISK) if i != full]
    moved, change = test.is_reranked.astype(np.float64), test.changes
    models, judge = np.array([*own, full]), test if sweep.valid is None else sweep.valid
    best = models[hull(judge.reranked[models], judge.gain[models])]

    def higher(queries: Places) -> Floats:
        cost, gain = moved[:, queries].mean(axis=1), change[:, queries].mean(axis=1)
        order = best[np.argsort(cost[best])]
        height = np.interp(cost[risky], [0.0, *cost[order]], [0.0, *gain[order]])
        return np.asarray(height - gain[risky])

    margins = jackknife_margins(higher, len(test.queries))
    ends = {"reference_cost": float(test.reranked[full]), "reference_gain": float(test.gain[full])}
    areas = [area(test.reranked[members], test.gain[members], **ends) for members in (own, risky)]
    better = "better" if study.log.key == WSCD_12.key else "at least as well"
    return Claim.estimated(
        f"over the whole range {OWN} does {better}: it gains as much as each {RISK} model with its re-ranking",
        all_of(margins),
        f"{all_of(margins).counted}, the least {min(margins, key=lambda each: each.estimate).said(3, scale=100)}; "
        f"areas under the hulls {areas[0]:.3f} and {areas[1]:.3f} (0.5: the coin)",
    )


def _gains_more(one: Pages, other: Pages) -> Margin:
    """Gains per query re-ranked; in shares of what `other` gains."""
    return ratio_margin(one.change, other.change, one.moved, other.moved)


def _moves_more(one: Pages, other: Pages) -> Margin:
    """1 − τ of the pages re-ranked."""
    return ratio_margin((1 - one.tau) * one.moved, (1 - other.tau) * other.moved, one.moved, other.moved)


def _rate(pages: Pages) -> float:
    return float(pages.change.mean() / pages.moved.mean()) if pages.moved.any() else np.nan


def _depth(pages: Pages) -> float:
    return float(pages.tau[pages.moved > 0].mean()) if pages.moved.any() else np.nan


def _hundredths(value: float) -> str:
    return "none (it re-ranks nothing)" if np.isnan(value) else f"{100 * value:.2f}"
