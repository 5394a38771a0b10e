"""Assessing: every risk number of every system, collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
from riskrank.data.effectiveness import Effectiveness
from riskrank.errors import AlignmentError, ParameterError, listing, nearest, quoted
from riskrank.parameters import inside, whole
from riskrank.risk.baselines import COMBINATIONS, within_topic
from riskrank.risk.cvar import DEFAULT_SHARE, worst_losses
from riskrank.risk.georisk import combined
from riskrank.risk.inference.bootstrap import bootstrap_intervals, bootstrap_means
from riskrank.risk.inference.multiple_testing import benjamini_hochberg, holm
from riskrank.risk.outcomes import count_outcomes
from riskrank.risk.paired import checked_alpha, difference, mean, tradeoff
from riskrank.risk.trisk import TRisk, standard_error, statistics
from riskrank.risk.zrisk import deviations

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.assessment.rank_changes import RankChange
    from riskrank.typing import Booleans, Floats, MatrixLike

ROWS_AT_ONCE = 64  # keeps temporaries small, whatever the number of systems


def assess(
    scores: MatrixLike,
    baseline: str | Sequence[str] | ArrayLike,
    *,
    alphas: float | Sequence[float] = (0, 1, 5, 10),
    combine: str = "mean",
    level: float = 0.05,
    cvar_share: float = DEFAULT_SHARE,
    n_resamples: int = 0,
    confidence: float = 0.95,
    random_state: int = 0,
    rank_changes: Mapping[str, RankChange] | None = None,
) -> Assessment:
    """Risk and reward of every system against a baseline, with tests.

    Parameters
    ----------
    scores
        An `Effectiveness`, or what `read_scores` takes (a CSV or Parquet file, a frame). ZRisk and GeoRisk take all
        its systems as the population.
    baseline
        The name of a system; ``"mean"``, ``"median"`` or ``"max"`` of all systems on each topic; several names; or an
        array of scores, one per topic.
    alphas
        Losses weigh 1 + alpha, for each of them.
    combine
        How several baselines become one: ``"mean"``, ``"median"`` or ``"max"`` on each topic.
    level
        Significance level of the verdicts.
    cvar_share
        The share of topics that CVaR looks at.
    n_resamples, confidence, random_state
        With resamples, every number gets a bootstrap interval of this confidence, drawn with this seed.
    rank_changes
        What `riskrank.rank_changes` gives, to add Kendall's τ and the share of topics re-ranked.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.3, 0.9]})
    >>> assess(scores, "old", alphas=[1])["new"].at[0].urisk.__round__(4)
    0.1667
    """
    inside("level", level, 0, 1)
    whole("n_resamples", n_resamples, 0)
    effectiveness, weights = _effectiveness(scores), _weights(alphas)
    reference = _resolve_baseline(effectiveness, baseline, combine)
    plan = _Plan(effectiveness, reference, weights, level, cvar_share, rank_changes or {})
    resampling = _Resampling(n_resamples=n_resamples, confidence=confidence, random_state=random_state)
    return Assessment(
        scores=effectiveness,
        baseline=reference.name,
        baseline_scores=reference.scores,
        alphas=weights,
        level=level,
        cvar_share=cvar_share,
        confidence=confidence if n_resamples else None,
        systems=_summaries(plan, _at_alphas(plan), _intervals(plan, resampling) if n_resamples else {}),
    )


class _Baseline(NamedTuple):
    """What a baseline is called, its score on each topic, and the system that it is, if it is one of them."""

    name: str
    scores: Floats
    system: str | None = None


class _Plan(NamedTuple):
    """What is compared with what, and how."""

    scores: Effectiveness
    baseline: _Baseline
    alphas: tuple[float, ...]
    level: float
    cvar_share: float
    rank_changes: Mapping[str, RankChange]

    @property
    def is_baseline(self) -> Booleans:
        """For each system."""
        return np.array([system == self.baseline.system for system in self.scores.systems])


class _Resampling(TypedDict):
    """How bootstrap intervals are drawn."""

    n_resamples: int
    confidence: float
    random_state: int


def _effectiveness(scores: MatrixLike) -> Effectiveness:
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


def _resolve_baseline(scores: Effectiveness, baseline: str | Sequence[str] | ArrayLike, combine: str) -> _Baseline:
    if isinstance(baseline, str):
        return _named_baseline(scores, baseline)
    if isinstance(baseline, Sequence) and baseline and all(isinstance(item, str) for item in baseline):
        names = [str(item) for item in baseline]
        if len(names) == 1:
            return _named_baseline(scores, names[0])
        rows = np.array([scores[name] for name in names])
        return _Baseline(f"{combine} of {listing(names)}", within_topic(rows, combine))
    try:
        values = np.asarray(baseline, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("baseline must be the name of a system, several of them, or a score per topic.") from None
    if values.shape != (len(scores.topics),):
        raise AlignmentError(
            f"baseline must hold a score for each of the {len(scores.topics)} topics, got shape {values.shape}."
        )
    return _Baseline("given scores", values)


def _named_baseline(scores: Effectiveness, name: str) -> _Baseline:
    if name in scores:
        return _Baseline(name, scores[name], name)
    if name in COMBINATIONS:
        return _Baseline(f"{name} of {len(scores)} systems", within_topic(scores.matrix, name))
    raise AlignmentError(
        f"baseline {quoted(name)} is not among the systems: {listing(scores.systems)}. "
        f"Or take one of {', '.join(COMBINATIONS)}.{nearest(name, [*scores.systems, *COMBINATIONS])}"
    )


def _at_alphas(plan: _Plan) -> list[list[AtAlpha]]:
    """For each alpha, the risk of each system."""
    matrix, is_baseline = plan.scores.matrix, plan.is_baseline
    z = geo = np.full(len(matrix), np.nan)
    z_parts = deviations(matrix) if (np.isfinite(matrix) & (matrix >= 0)).all() else None
    results = []
    for alpha, tests in zip(plan.alphas, _tests(matrix, plan.baseline.scores, plan.alphas, plan.level), strict=True):
        p = np.where(is_baseline, np.nan, [test.p_value for test in tests])
        p_holm, p_bh = holm(p), benjamini_hochberg(p)
        if z_parts is not None:
            z = z_parts[0] + (1 + alpha) * z_parts[1]
            geo = combined(matrix.sum(axis=1), z, matrix.shape[1])
        results.append(
            [
                AtAlpha(
                    alpha=alpha,
                    urisk=test.urisk,
                    standard_error=test.standard_error,
                    trisk=test.statistic,
                    p_value=test.p_value,
                    p_holm=float(p_holm[i]),
                    p_bh=float(p_bh[i]),
                    verdict=test.verdict,
                    reason="it is the baseline" if is_baseline[i] else test.reason,
                    zrisk=float(z[i]),
                    georisk=float(geo[i]),
                )
                for i, test in enumerate(tests)
            ]
        )
    return results


def _tests(matrix: Floats, baseline: Floats, alphas: Sequence[float], level: float) -> list[list[TRisk]]:
    """For each alpha, a test of each system."""
    results: list[list[TRisk]] = [[] for _ in alphas]
    largest = float(np.abs(baseline).max(initial=0.0))
    for start in range(0, len(matrix), ROWS_AT_ONCE):
        rows = matrix[start : start + ROWS_AT_ONCE]
        delta = difference(rows, baseline)
        scales = np.maximum(np.abs(rows).max(axis=1, initial=0.0), largest)
        for alpha, tests in zip(alphas, results, strict=True):
            x = tradeoff(delta, alpha)
            tests.extend(statistics(x, standard_error(x), scales * (1 + alpha), level=level))
    return results


def _intervals(plan: _Plan, resampling: _Resampling) -> dict[str, Floats]:
    """Bootstrap intervals by column name, a pair for each system."""
    scores, changes = plan.scores, plan.rank_changes
    intervals = bootstrap_intervals(
        scores.matrix,
        plan.baseline.scores,
        alphas=plan.alphas,
        share=plan.cvar_share,
        aggregate=scores.aggregate,
        **resampling,
    )
    if not changes:
        return intervals
    unknown = np.full(len(scores.topics), np.nan)
    taus = [changes[s].tau_per_topic if s in changes else unknown for s in scores.systems]
    reranked = [changes[s].is_reranked if s in changes else unknown for s in scores.systems]
    for name, rows in (("kendall_tau", taus), ("reranked", reranked)):
        intervals[name] = bootstrap_means(np.array(rows, dtype=np.float64), **resampling)
    return intervals


def _summaries(
    plan: _Plan, at_alphas: list[list[AtAlpha]], intervals: Mapping[str, Floats]
) -> tuple[SystemSummary, ...]:
    scores, baseline, is_baseline = plan.scores, plan.baseline.scores, plan.is_baseline
    summaries: list[SystemSummary] = []
    means, geometric = scores.means(), scores.geometric_means()
    for start in range(0, len(scores), ROWS_AT_ONCE):
        rows = scores.matrix[start : start + ROWS_AT_ONCE]
        delta = difference(rows, baseline)
        wins, losses, ties, large = count_outcomes(delta, baseline)
        risk = mean(np.maximum(0.0, -delta))
        reward = mean(np.maximum(0.0, delta))
        worst = worst_losses(delta, plan.cvar_share)
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
                    gain=float(mean(delta[k : k + 1])[0]),
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
                    intervals={n: (float(v[i, 0]), float(v[i, 1])) for n, v in intervals.items()},
                )
            )
    return tuple(summaries)
