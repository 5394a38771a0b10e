"""The models of a click sweep that are worth a look, as in Table 2 of Bennett et al. 2015."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.prepared import BASELINE, read_prepared_card
from riskrank.errors import FileError, ParameterError, listing
from riskrank.parameters import one_of
from riskrank.tradeoff.choice import best_by_area, gain_parity, nearest_reranking
from riskrank.tradeoff.clicks.click_tally import ClickTally, tallies
from riskrank.tradeoff.sweep_files import CLICKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.clicks.prepared import Prepared
    from riskrank.tradeoff.grid import Setting
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.sweep import Sweep

RISK, PREFERENCE, LOWEST = "Risk Sensitive", "Weight-Initial-Pref", "Lowest-Click-Plus-One"  # series
BOTH = "Preference and Risk"  # the beginning of the names of its series, one for each alpha
STANDARD = "Standard Gain"
HIDDEN = ("other_gains", "standard_error", "hurt", "risk")  # fields that have no column in files
PARITY, NEAR = "RS (min risk, gain parity)", "RS (max gain, near re-rank)"
VALIDATION, TRAINING, JUDGED = "validation pages", "the test pages of training", "the pages it is judged on"


@dataclass(frozen=True)
class ClickRow:
    """A model of the table: shares and effectiveness from 0 to 1, over `n` pages.

    `gain_share` and `risk_share` are against Standard Gain, `other_gains` by further measures. `p_value`: two-sided, of
    a paired t-test against the presented order. `standard_error` is that of the gain, `hurt` the share of pages
    that lose, `risk` the mean loss.
    """

    method: str
    parameter: str
    n: int
    effectiveness: float
    gain: float
    gain_per_reranked: float
    reranked: float
    risk_share: float
    gain_share: float
    kendall_tau: float
    kendall_tau_reranked: float
    p_value: float
    other_gains: Mapping[str, float] = field(default_factory=dict)
    standard_error: float = math.nan
    hurt: float = math.nan
    risk: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for a table: further measures have columns of their own."""
        plain = {name: value for name, value in vars(self).items() if name not in HIDDEN}
        return plain | {f"gain_{name}": value for name, value in self.other_gains.items()}


def chosen_models(sweep: Sweep) -> dict[str, int]:
    """The models of each method, chosen on validation queries.

    Standard Gain is alpha 0. Of each series, the model with the largest area under gain against share re-ranked (with
    the presented order and Standard Gain as its ends); of Lowest-Click-Plus-One the one with the largest gain, as in
    the paper. The RS models are the risk-sensitive ones nearest in gain, and in re-ranking, to Weight-Initial-Pref.
    """
    if RISK not in sweep.series or sweep.settings[sweep.reference_model].value != 0:
        raise ParameterError(f"this is not a sweep over clicks: it has no {RISK} with alpha = 0.")
    judge = sweep.test if sweep.valid is None else sweep.valid
    chosen = {STANDARD: sweep.reference_model}
    if PREFERENCE in sweep.series:
        chosen[PREFERENCE] = _best(sweep, judge, sweep.members(PREFERENCE))
    risky = sweep.members(RISK)
    if len(risky) > 1:
        chosen[RISK] = _best(sweep, judge, [i for i in risky if i != sweep.reference_model])
        if PREFERENCE in chosen:
            own, gains = chosen[PREFERENCE], judge.gain[risky]
            chosen[PARITY] = risky[gain_parity(gains, judge.risk[risky], near=judge.gain[own])]
            chosen[NEAR] = risky[nearest_reranking(gains, judge.reranked[risky], near=judge.reranked[own])]
    if LOWEST in sweep.series:
        chosen[LOWEST] = max(sweep.members(LOWEST), key=lambda i: judge.gain[i])
    both = [i for name in sweep.series if name.startswith(BOTH) for i in sweep.members(name)]
    if both:
        chosen[BOTH] = _best(sweep, judge, both)
    return chosen


def _best(sweep: Sweep, judge: JudgedQueries, models: Sequence[int]) -> int:
    """The model with the largest area, or with the largest gain where Standard Gain gains nothing."""
    best = best_by_area(judge.gain, judge.reranked, models, sweep.reference_model)
    return max(models, key=lambda i: judge.gain[i]) if best is None else best


class Standing(NamedTuple):
    """A method where methods are chosen: its model, what that keeps of Standard Gain's gain, the pages that it
    re-ranks, and what Standard Gain keeps on as many pages, drawn at random (NaN where it does not re-rank as many).
    """

    model: int
    gain_kept: float
    reranked: float
    at_random: float

    @property
    def above(self) -> float:
        """What is kept beyond that."""
        return self.gain_kept - self.at_random


def kept_at_random(reranked: float, full: float) -> float:
    """What Standard Gain keeps of its gain if a coin lets it re-rank so many pages instead of all `full` of them.

    NaN where it re-ranks fewer, or none: no coin lets it re-rank more.

    >>> kept_at_random(0.2, 0.5), kept_at_random(1.0, 0.5)
    (0.4, nan)
    """
    return reranked / full if full > 0 and reranked <= full else math.nan


@dataclass(frozen=True)
class Standings:
    """The methods where they are chosen, all but Standard Gain; `pages` says where that is.

    There are none where Standard Gain gains nothing, or moves nothing.
    """

    by_method: Mapping[str, Standing]
    pages: str

    @property
    def is_fresh(self) -> bool:
        """Are those other pages than methods are judged on?"""
        return self.pages != JUDGED

    @property
    def leader(self) -> str | None:
        """The method that keeps most of the gain beyond what a coin would that re-ranks as many pages; None where none
        keeps more than a coin.
        """
        beyond = {method: each.above for method, each in self.by_method.items() if each.above > 0}
        return max(beyond, key=beyond.__getitem__, default=None)


def method_standings(sweep: Sweep, *, is_judged_elsewhere: bool = False) -> Standings:
    """On validation pages, or else on the sweep's test pages; `is_judged_elsewhere`: these judge no method."""
    judge, chosen = sweep.test if sweep.valid is None else sweep.valid, chosen_models(sweep)
    pages = VALIDATION
    if sweep.valid is None:
        pages = TRAINING if is_judged_elsewhere else JUDGED
    full = chosen.pop(STANDARD)
    if not judge.gain[full] > 0 or not judge.reranked[full] > 0:
        return Standings({}, pages)
    kept, moved = (judge.gain / judge.gain[full]).tolist(), judge.reranked.tolist()
    known = {
        method: Standing(i, kept[i], moved[i], kept_at_random(moved[i], moved[full])) for method, i in chosen.items()
    }
    return Standings(known, pages)


def click_table(sweep: Sweep) -> list[ClickRow]:
    """The chosen models on the test queries, Standard Gain first."""
    test = sweep.test
    chosen = chosen_models(sweep)
    counted = {
        method: ClickTally.of(test.values[i], test.baseline, 1 - 2 * test.distance[i], test.is_reranked[i])
        for method, i in chosen.items()
    }
    others = {
        method: {name: float(means[1 + i] - means[0]) for name, means in test.others.items()}
        for method, i in chosen.items()
    }
    return rows_of(counted, {method: sweep.settings[i] for method, i in chosen.items()}, others)


def click_table_on(sweep: Sweep, prepared: Prepared, part: str = "test") -> list[ClickRow]:
    """The same models on other prepared clicks, in one pass over them."""
    one_of("part", part, PARTS)
    known = sweep_features(sweep)
    if known != list(prepared.features):
        odd = sorted(set(known) ^ set(prepared.features))
        raise ParameterError(
            f"the models were trained on other features than {prepared.folder.name} has"
            + (f" (differing: {listing(odd)})." if odd else " (their order differs).")
            + " Prepare the log with the same features."
        )
    chosen = chosen_models(sweep)
    models = {i: sweep.model(i) for i in dict.fromkeys(chosen.values())}
    by_model = tallies(
        {str(i): model for i, model in models.items()}, prepared.batches(part), measure=sweep.measure,
        measures=list(sweep.test.others), baseline=BASELINE,
    )  # fmt: skip
    by_method = {method: by_model[str(i)] for method, i in chosen.items()}
    others = {
        method: {name: moments.mean for name, moments in tally.others.items()} for method, tally in by_method.items()
    }
    return rows_of(by_method, {method: sweep.settings[i] for method, i in chosen.items()}, others)


def sweep_features(sweep: Sweep) -> list[str]:
    """The names of the features that the models of a click sweep were trained on."""
    if sweep.folder is None:
        raise ParameterError("this sweep has no folder with its models.")
    try:
        return list(read_prepared_card(sweep.folder / CLICKS)["features"])
    except FileError as error:
        reason = f"it has no readable {CLICKS}: {error.reason.rstrip('.')}"
        raise FileError(sweep.folder, f"is not a sweep over clicks ({reason}).") from None


def rows_of(
    counted: Mapping[str, ClickTally], settings: Mapping[str, Setting], others: Mapping[str, Mapping[str, float]]
) -> list[ClickRow]:
    """Rows from what was counted; the first is what the others are seen against."""
    first = next(iter(counted.values()))
    return [
        ClickRow(
            method=method,
            parameter=_parameter(settings[method]),
            n=tally.n,
            effectiveness=tally.effectiveness.mean,
            gain=tally.change.mean,
            gain_per_reranked=_share(tally.change.mean * tally.n, tally.n_reranked),
            reranked=tally.reranked,
            risk_share=_share(tally.risk, first.risk),
            gain_share=_share(tally.change.mean, first.change.mean),
            kendall_tau=tally.tau.mean if tally.tau.n else math.nan,
            kendall_tau_reranked=tally.tau_reranked.mean if tally.tau_reranked.n else math.nan,
            p_value=tally.change.p_value,
            other_gains=others[method],
            standard_error=tally.change.standard_error,
            hurt=tally.hurt,
            risk=tally.risk,
        )
        for method, tally in counted.items()
    ]


def _parameter(setting: Setting) -> str:
    own = setting.value_label
    return f"{own}, {setting.series.removeprefix(BOTH + ', ')}" if setting.series.startswith(BOTH) else own


def _share(part: float, whole: float) -> float:
    return float(part) / float(whole) if whole > 0 else math.nan
