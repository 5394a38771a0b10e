"""Assessing: every risk number of every system, collected."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
from riskrank.assessment.reference import Reference, resolve_baseline
from riskrank.assessment.significance import tested_alphas
from riskrank.assessment.system_intervals import system_intervals
from riskrank.data.effectiveness import LARGEST_SCORE, Effectiveness
from riskrank.errors import ParameterError, listing, quoted
from riskrank.parameters import inside, one_of
from riskrank.progress import Progress
from riskrank.risk.cvar import DEFAULT_SHARE, worst_losses
from riskrank.risk.georisk import combined, georisk_intervals
from riskrank.risk.inference.mirror_shift import GAIN, weighted_mirror
from riskrank.risk.inference.multiple_testing import CORRECTIONS
from riskrank.risk.intervals import at_alpha, change_intervals
from riskrank.risk.outcomes import count_outcomes
from riskrank.risk.paired import checked_alpha, difference, mean, scale_of
from riskrank.risk.trisk import TRisk, trisks, verdict
from riskrank.risk.zrisk import deviations, row_sums

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.assessment.rank_changes import RankChange
    from riskrank.risk.intervals import Interval
    from riskrank.typing import Booleans, Combination, CorrectionName, MatrixLike, WeightsLike

ROWS_AT_ONCE = 64  # keeps temporaries small, whatever the number of systems
MANY_SYSTEMS = 100  # take seconds, and a progress bar


def assess(
    scores: MatrixLike,
    baseline: str | Sequence[str] | ArrayLike,
    *,
    alphas: float | Sequence[float] = (0, 1, 5, 10),
    combine: Combination = "mean",
    level: float = 0.05,
    correction: CorrectionName = "holm",
    population: Sequence[str] | None = None,
    cvar_share: float = DEFAULT_SHARE,
    intervals: bool = False,
    confidence: float = 0.95,
    rank_changes: Mapping[str, RankChange] | None = None,
    weights: WeightsLike | None = None,
    n_resamples: int | None = None,
) -> Assessment:
    """Risk and reward of every system against a baseline, with tests.

    Parameters
    ----------
    scores
        An `Effectiveness`, or what `read_scores` takes (a CSV or Parquet file, a frame).
    baseline
        The name of a system; ``"mean"``, ``"median"`` or ``"max"`` of all systems on each topic (``["mean"]`` is a
        system that is called so); several names; or an array of scores, one per topic.
    alphas
        Losses weigh 1 + alpha, for each of them.
    combine
        How several baselines become one: ``"mean"``, ``"median"`` or ``"max"`` on each topic.
    level, correction
        Of verdicts, and how they allow for several systems at each alpha: ``"holm"`` (any false verdict is
        unlikely), ``"bh"`` (few of the verdicts are false) or ``"none"``.
    population
        Systems that ZRisk and GeoRisk take expectations from (default: all); others are compared with them as well.
    cvar_share
        The share of topics that CVaR looks at.
    intervals, confidence
        Add an interval of this confidence to every number that has one (see `riskrank.risk.intervals`).
    rank_changes
        What `riskrank.rank_changes` gives, to add Kendall's τ and the share of topics re-ranked.
    weights
        How much each topic counts, as in `Effectiveness.weighted` (default: what the scores say).
    n_resamples
        Deprecated: intervals are no longer drawn with a seed; any number above 0 means ``intervals=True``.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.3, 0.9]})
    >>> assess(scores, "old", alphas=[1])["new"].at[0].urisk.__round__(4)
    0.1667
    """
    if n_resamples is not None:
        warnings.warn("n_resamples is deprecated: use intervals=True", DeprecationWarning, stacklevel=2)
    inside("confidence", confidence, 0, 1)
    known = _as_effectiveness(scores, weights)
    plan = _Plan(
        scores=known.with_weight(), baseline=_baseline(known, baseline, combine), alphas=_weights(alphas),
        level=level, correction=correction, population=population, cvar_share=cvar_share,
        confidence=confidence if intervals or n_resamples else None, rank_changes=rank_changes or {},
    )  # fmt: skip
    return _assessment(plan)


def _baseline(scores: Effectiveness, baseline: str | Sequence[str] | ArrayLike, combine: Combination) -> Reference:
    """On the topics that have weight; given scores are of all topics."""
    reference = resolve_baseline(scores, baseline, combine)
    if scores.weights is None:
        return reference
    return Reference(reference.name, reference.scores[scores.weights > 0], reference.parts)


class _Plan(NamedTuple):
    """What is compared with what, and how."""

    scores: Effectiveness
    baseline: Reference
    alphas: tuple[float, ...]
    level: float
    correction: CorrectionName
    population: Sequence[str] | None
    cvar_share: float
    confidence: float | None
    rank_changes: Mapping[str, RankChange]

    @property
    def grid(self) -> tuple[float, ...]:
        """The alphas at which systems are tested."""
        return tested_alphas(self.alphas, len(self.scores))

    @property
    def is_baseline(self) -> Booleans:
        """For each system."""
        return np.array([system == self.baseline.system for system in self.scores.systems], dtype=bool)

    @property
    def members(self) -> Booleans:
        """Which systems are the population."""
        return np.array([self.population is None or each in self.population for each in self.scores.systems])


def _assessment(plan: _Plan) -> Assessment:
    _check_plan(plan)
    return Assessment(
        scores=plan.scores,
        baseline=plan.baseline.name,
        baseline_scores=plan.baseline.scores,
        alphas=plan.alphas,
        level=plan.level,
        cvar_share=plan.cvar_share,
        confidence=plan.confidence,
        systems=_summaries(plan, _tested(plan)),
        correction=plan.correction,
        population=None if plan.population is None else tuple(plan.population),
        baseline_systems=plan.baseline.parts,
        grid=plan.grid,
    )


class _Tested(NamedTuple):
    """The tests of a system at each alpha, its intervals by column name, and what else its draws tell."""

    tests: list[TRisk]
    intervals: dict[str, Interval]
    gain_interval: Interval
    p_grid: tuple[float, ...]


def _as_effectiveness(scores: MatrixLike, weights: WeightsLike | None) -> Effectiveness:
    effectiveness = _scores_of(scores)
    return effectiveness if weights is None else effectiveness.weighted(weights)


def _scores_of(scores: MatrixLike) -> Effectiveness:
    if isinstance(scores, Effectiveness):
        return scores
    if isinstance(scores, Mapping):
        raise ParameterError("assess takes the scores of one measure. Pick one: scores['nDCG@10'].")
    from riskrank.data.scores.score_matrix import read_scores

    return read_scores(scores)


def _weights(alphas: float | Sequence[float]) -> tuple[float, ...]:
    weights = tuple(dict.fromkeys(checked_alpha(alpha) for alpha in np.atleast_1d(alphas).tolist()))
    if not weights:
        raise ParameterError("at least one alpha is needed.")
    return weights


def _check_plan(plan: _Plan) -> None:
    inside("level", plan.level, 0, 1)
    one_of("correction", plan.correction, tuple(CORRECTIONS))
    unknown = [name for name in plan.population or () if name not in plan.scores]
    if unknown or (plan.population is not None and not plan.population):
        named = f"{quoted(unknown[0])}, which is no system" if unknown else "no system"
        raise ParameterError(f"population names {named}. There are: {listing(plan.scores.systems)}.", "population")


def _tested(plan: _Plan) -> list[_Tested]:
    """Test every system, one after the other: a test is many short steps, which threads would only hold up."""
    count = len(plan.scores)
    tested = []
    with Progress("testing systems", count, show=None if count > MANY_SYSTEMS else False) as progress:
        for i in range(count):
            tested.append(_tested_system(plan, i))
            progress.update(len(tested))
    return tested


def _tested_system(plan: _Plan, i: int) -> _Tested:
    scores, baseline = plan.scores, plan.baseline.scores
    row = scores.matrix[i]
    delta, weights = difference(row, baseline), scores.relative_weights
    mirror = weighted_mirror(delta, weights)
    tests = trisks(mirror, delta, float(scale_of(row, baseline)), plan.alphas, level=plan.level, weights=weights)
    is_baseline = scores.systems[i] == plan.baseline.system
    p_grid = tuple(np.nan if is_baseline else mirror.p_value(alpha) for alpha in plan.grid)
    intervals = {}
    if plan.confidence is not None:
        change = plan.rank_changes.get(scores.systems[i])
        intervals = system_intervals(row, scores.aggregate, plan.confidence, change, weights)
        share = plan.cvar_share if weights is None else None
        intervals |= change_intervals(
            mirror, delta, baseline, plan.alphas, confidence=plan.confidence, cvar_share=share
        )
    gain_interval = (np.nan, np.nan) if is_baseline else mirror.interval(GAIN, 1 - plan.level)
    return _Tested(tests, intervals, gain_interval, p_grid)


def _at_alphas(plan: _Plan, tested: list[_Tested]) -> list[list[AtAlpha]]:
    """For each alpha, the risk of each system."""
    matrix, is_baseline, weights = plan.scores.matrix, plan.is_baseline, plan.scores.relative_weights
    has_z = bool(((matrix >= 0) & (matrix <= LARGEST_SCORE)).all())
    above, below = deviations(matrix, plan.members, weights) if has_z else (np.full(len(matrix), np.nan),) * 2
    columns = []
    for k, alpha in enumerate(plan.alphas):
        tests = [system.tests[k] for system in tested]
        p = np.where(is_baseline, np.nan, [test.p_mirror for test in tests])
        corrected = {name: correct(p) for name, correct in CORRECTIONS.items()}
        z = above + (1 + alpha) * below
        geo = combined(row_sums(matrix, weights), z, matrix.shape[1]) if has_z else z
        if has_z and plan.confidence is not None:
            limits = georisk_intervals(
                matrix, alpha=alpha, confidence=plan.confidence, population=plan.members, weights=weights
            )
            for system, pair in zip(tested, limits.tolist(), strict=True):
                system.intervals[at_alpha("georisk", alpha)] = (pair[0], pair[1])
        columns.append(
            [
                AtAlpha(
                    alpha=alpha,
                    urisk=test.urisk,
                    standard_error=test.standard_error,
                    trisk=test.statistic,
                    p_value=test.p_value,
                    p_mirror=test.p_mirror,
                    p_holm=float(corrected["holm"][i]),
                    p_bh=float(corrected["bh"][i]),
                    verdict=verdict(float(corrected[plan.correction][i]), test.urisk, plan.level),
                    reason="it is the baseline" if is_baseline[i] else test.reason,
                    zrisk=float(z[i]),
                    georisk=float(geo[i]),
                )
                for i, test in enumerate(tests)
            ]
        )
    return columns


def _summaries(plan: _Plan, tested: list[_Tested]) -> tuple[SystemSummary, ...]:
    at_alphas = _at_alphas(plan, tested)
    scores, baseline, is_baseline = plan.scores, plan.baseline.scores, plan.is_baseline
    summaries: list[SystemSummary] = []
    means, geometric, weights = scores.means(), scores.geometric_means(), scores.relative_weights
    for start in range(0, len(scores), ROWS_AT_ONCE):
        rows = scores.matrix[start : start + ROWS_AT_ONCE]
        delta = difference(rows, baseline)
        wins, losses, ties, large = count_outcomes(delta, baseline)
        risk = mean(np.maximum(0.0, -delta), weights)
        reward = mean(np.maximum(0.0, delta), weights)
        worst = worst_losses(delta, plan.cvar_share, weights)
        for k in range(len(rows)):
            i = start + k
            system = scores.systems[i]
            lowest = int(np.argmin(delta[k])) if len(scores.topics) else 0
            loses = bool(losses[k])
            change = plan.rank_changes.get(system)
            summaries.append(
                SystemSummary(
                    system=system,
                    is_baseline=bool(is_baseline[i]),
                    effectiveness=float(means[i]),
                    geometric_mean=float(geometric[i]),
                    gain=float(mean(delta[k : k + 1], weights)[0]),
                    risk=float(risk[k]),
                    reward=float(reward[k]),
                    wins=int(wins[k]),
                    losses=int(losses[k]),
                    ties=int(ties[k]),
                    large_losses=int(large[k]),
                    cvar=float(worst[k]),
                    worst_loss=float(-delta[k, lowest]) if loses else 0.0,
                    worst_topic=scores.topics[lowest] if loses else None,
                    at=tuple(column[i] for column in at_alphas),
                    kendall_tau=None if change is None else change.kendall_tau,
                    reranked=None if change is None else change.reranked,
                    intervals=tested[i].intervals,
                    gain_interval=tested[i].gain_interval,
                    p_grid=tested[i].p_grid,
                )
            )
    return tuple(summaries)
