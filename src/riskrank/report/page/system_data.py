"""What the report's script knows of systems: every number that it may show, at every stop of the slider."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.report.findings.headings import changes_heading, topics_heading
from riskrank.report.page.plots.change_bars import change_bars
from riskrank.report.page.plots.verdict_marks import verdict_codes
from riskrank.report.page.rounded import rounded
from riskrank.report.page.system_names import whole_name
from riskrank.report.page.systems_table import up_to
from riskrank.risk.georisk import combined
from riskrank.risk.inference.multiple_testing import benjamini_hochberg, holm
from riskrank.risk.paired import difference, mean, scale_of, tradeoff
from riskrank.risk.trisk import error_of, standard_error
from riskrank.risk.zrisk import deviations, row_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.findings.digits import Digits
    from riskrank.typing import Floats

RISK_DECIMALS, STATISTIC_DECIMALS = 4, 3
SMALLEST_P = 1e-4  # smaller ones are written as less than it

COLUMNS = (  # that can be added to the table: key, title, kind of number
    ("urisk", "URisk", "signed4"),
    ("trisk", "TRisk", "signed3"),
    ("p", "p", "p"),
    ("holm", "p Holm", "p"),
    ("bh", "p BH", "p"),
    ("large", "> 20% worse", "count"),
    ("reward", "Mean win", "plain4"),
    ("cvar", "CVaR", "plain4"),
    ("georisk", "GeoRisk", "plain4"),
    ("zrisk", "ZRisk", "signed3"),
    ("gm", "Geometric mean", "plain4"),
    ("tau", "Kendall’s τ", "plain3"),
    ("reranked", "Re-ranked", "share"),
)


FIELDS = {  # what files call them
    "score": "effectiveness", "gain": "gain", "low": "gain_low", "high": "gain_high", "risk": "risk",
    "reward": "reward", "hurt": "losses", "helped": "wins", "large": "large_losses", "cvar": "cvar",
    "gm": "geometric_mean", "tau": "kendall_tau", "reranked": "reranked", "lasting": "significant_up_to",
    "urisk": "urisk", "trisk": "trisk", "p": "p_mirror", "holm": "p_holm", "bh": "p_bh", "zrisk": "zrisk",
    "georisk": "georisk",
}  # fmt: skip

StopValues: TypeAlias = "dict[str, list[list[float | None]]]"  # by column: systems × alphas


def system_data(
    assessment: Assessment, digits: Digits, losing: Sequence[int], at_stops: StopValues
) -> list[dict[str, Any] | None]:
    """Of each system; None is the baseline."""
    return [
        None
        if system.is_baseline
        else {
            **_alone(assessment, system, i, digits),
            "heading": topics_heading(assessment, system, losing),
            "changes": changes_heading(assessment, system),
            "bars": change_bars(assessment.helped_hurt(system.system)) if not math.isnan(system.gain) else None,
            "at": {name: values[i] for name, values in at_stops.items()},
        }
        for i, system in enumerate(assessment.systems)
    ]


def _alone(assessment: Assessment, system: SystemSummary, i: int, digits: Digits) -> dict[str, Any]:
    """What does not depend on the slider, rounded as it is written."""
    significance = assessment.significance
    written = digits.n_decimals
    low, high = system.gain_interval
    last = up_to(significance.up_to(i), significance.alphas)
    values = {
        "score": rounded(system.effectiveness, written),
        "gain": rounded(system.gain, written),
        "low": rounded(low, written),
        "high": rounded(high, written),
        "risk": rounded(system.risk, RISK_DECIMALS),
        "reward": rounded(system.reward, RISK_DECIMALS),
        "cvar": rounded(system.cvar, RISK_DECIMALS),
        "gm": rounded(system.geometric_mean, RISK_DECIMALS),
        "tau": None if system.kendall_tau is None else rounded(system.kendall_tau, STATISTIC_DECIMALS),
        "reranked": None if system.reranked is None else rounded(system.reranked, RISK_DECIMALS),
    }
    return {
        "name": whole_name(system.system),
        **values,
        "hurt": system.losses,
        "helped": system.wins,
        "large": system.large_losses,
        "upTo": last.text,
        "lasting": significance.up_to(i),
        "upToPlace": last.place if last.text != "never" else -1,
        "verdicts": verdict_codes(significance.verdicts[i].tolist()),
    }


def stop_values(assessment: Assessment) -> StopValues:
    """URisk, TRisk, p-values, ZRisk and GeoRisk: of each system at each alpha of the grid, as they are written."""
    alphas, matrix = assessment.grid, assessment.scores.matrix
    p_values = np.array([system.p_grid for system in assessment.systems]).reshape(len(matrix), len(alphas))
    columns = {"p": p_values, "holm": _by_column(holm, p_values), "bh": _by_column(benjamini_hochberg, p_values)}
    columns["urisk"], columns["trisk"] = _tests(assessment)
    is_whole = matrix.size > 0 and bool(((matrix >= 0) & (matrix <= LARGEST_SCORE)).all())
    if is_whole:
        weights = assessment.scores.relative_weights
        above, below = deviations(matrix, assessment.is_member, weights)
        columns["zrisk"] = above[:, None] + (1 + np.array(alphas)) * below[:, None]
        totals = row_sums(matrix, weights)
        columns["georisk"] = np.array([combined(totals, z, matrix.shape[1]) for z in columns["zrisk"].T]).T
    decimals = {"trisk": STATISTIC_DECIMALS, "zrisk": STATISTIC_DECIMALS}
    return {
        name: [[_written(name, value, decimals.get(name, RISK_DECIMALS)) for value in row] for row in values.tolist()]
        for name, values in columns.items()
    }


def _tests(assessment: Assessment) -> tuple[Floats, Floats]:
    """URisk and TRisk, systems × alphas."""
    baseline, shape = assessment.baseline_scores, (len(assessment), len(assessment.grid))
    urisk, trisk = np.full(shape, np.nan), np.full(shape, np.nan)
    weights = assessment.scores.relative_weights
    for i, row in enumerate(assessment.scores.matrix):
        delta, scale = difference(row, baseline), float(scale_of(row, baseline))
        for k, alpha in enumerate(assessment.grid):
            x = tradeoff(delta, alpha)
            urisk[i, k] = float(mean(x, weights))
            error = error_of(x, scale * (1 + alpha), partial(standard_error, weights=weights))
            trisk[i, k] = urisk[i, k] / error if error > 0 else np.nan
    return urisk, trisk


def _by_column(correct: Callable[[Floats], Floats], p_values: Floats) -> Floats:
    return np.array([correct(column) for column in p_values.T]).T.reshape(p_values.shape)


def _written(name: str, value: float, decimals: int) -> float | None:
    if name in ("p", "holm", "bh") and value < SMALLEST_P:
        return 0.0
    return rounded(value, decimals)
