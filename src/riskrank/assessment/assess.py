"""Assessing: every risk number of every system, collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary
from riskrank.data.effectiveness import Effectiveness
from riskrank.errors import AlignmentError, ParameterError, listing, nearest, quoted
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
    from numpy.typing import ArrayLike, NDArray

    from riskrank.assessment.rank_changes import RankChange
    from riskrank.typing import Floats


ROWS_AT_ONCE = 64  # keeps temporaries small, whatever the number of systems


def assess(
    scores: Effectiveness | Any,
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

    `scores`: an `Effectiveness`, or what `read_scores` takes (a CSV or Parquet file, a frame). `baseline`: the name
    of a system; ``"mean"``, ``"median"`` or ``"max"`` of all systems on each topic; a list of
    names, combined by `combine`; or an array of scores, one per topic. ZRisk and GeoRisk take all systems of
    `scores` as the population. `n_resamples` > 0 adds bootstrap intervals.

    >>> from riskrank import Effectiveness
    >>> scores = Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.3, 0.9]})
    >>> assess(scores, "old", alphas=[1])["new"].at[0].urisk.__round__(4)
    0.1667
    """
    if not isinstance(scores, Effectiveness):
        if isinstance(scores, Mapping):
            raise ParameterError("assess takes the scores of one measure. Pick one: scores['nDCG@10'].")
        from riskrank.data.scores.score_matrix import read_scores

        scores = read_scores(scores)
    weights = tuple(dict.fromkeys(checked_alpha(a) for a in np.atleast_1d(alphas).tolist()))
    if not weights:
        raise ParameterError("at least one alpha is needed.")
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, got {level!r}.")
    name, values, members = resolve_baseline(scores, baseline, combine)
    matrix = scores.matrix
    is_member = np.array([system in members for system in scores.systems])
    tests = _tests(matrix, values, weights, level)
    z_parts = deviations(matrix) if (np.isfinite(matrix) & (matrix >= 0)).all() else None
    intervals: dict[str, Floats] = {}
    if n_resamples:
        intervals = bootstrap_intervals(
            matrix,
            values,
            alphas=weights,
            share=cvar_share,
            aggregate=scores.aggregate,
            n_resamples=n_resamples,
            confidence=confidence,
            random_state=random_state,
        )
        if rank_changes:
            intervals |= _change_intervals(scores, rank_changes, n_resamples, confidence, random_state)
    at_alphas = [
        _at_alpha(alpha, tested, matrix, z_parts, is_member) for alpha, tested in zip(weights, tests, strict=True)
    ]
    return Assessment(
        scores=scores,
        baseline=name,
        baseline_scores=values,
        alphas=weights,
        level=level,
        cvar_share=cvar_share,
        confidence=confidence if n_resamples else None,
        systems=_summaries(scores, values, is_member, at_alphas, cvar_share, intervals, rank_changes or {}),
    )


def resolve_baseline(scores: Effectiveness, baseline: Any, combine: str = "mean") -> tuple[str, Floats, frozenset[str]]:
    """A baseline's label, its score on each topic, and the system that it is (if it is one of them)."""
    if isinstance(baseline, str):
        if baseline in scores:
            return baseline, scores[baseline], frozenset([baseline])
        if baseline in COMBINATIONS:
            label = f"{baseline} of {len(scores)} systems"
            return label, within_topic(scores.matrix, baseline), frozenset()
        raise AlignmentError(
            f"baseline {quoted(baseline)} is not among the systems: {listing(scores.systems)}. "
            f"Or take one of {', '.join(COMBINATIONS)}.{nearest(baseline, [*scores.systems, *COMBINATIONS])}"
        )
    if isinstance(baseline, Sequence) and baseline and all(isinstance(item, str) for item in baseline):
        if len(baseline) == 1:
            return resolve_baseline(scores, baseline[0], combine)
        rows = np.array([scores[item] for item in baseline])
        return f"{combine} of {listing(baseline)}", within_topic(rows, combine), frozenset()
    try:
        values = np.asarray(baseline, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("baseline must be the name of a system, several of them, or a score per topic.") from None
    if values.shape != (len(scores.topics),):
        raise AlignmentError(
            f"baseline must hold a score for each of the {len(scores.topics)} topics, got shape {values.shape}."
        )
    return "given scores", values, frozenset()


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


def _at_alpha(
    alpha: float,
    tests: list[TRisk],
    matrix: Floats,
    z_parts: tuple[Floats, Floats] | None,
    is_baseline: NDArray[np.bool_],
) -> list[AtAlpha]:
    p = np.where(is_baseline, np.nan, [test.p_value for test in tests])
    p_holm, p_bh = holm(p), benjamini_hochberg(p)
    if z_parts is None:
        z = geo = np.full(len(matrix), np.nan)
    else:
        z = z_parts[0] + (1 + alpha) * z_parts[1]
        geo = combined(matrix.sum(axis=1), z, matrix.shape[1])
    return [
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


def _change_intervals(
    scores: Effectiveness, changes: Mapping[str, RankChange], n_resamples: int, confidence: float, random_state: int
) -> dict[str, Floats]:
    intervals = {}
    nothing = np.full(len(scores.topics), np.nan)
    for name, attribute in (("kendall_tau", "tau_per_topic"), ("reranked", "is_reranked")):
        rows = [getattr(changes[s], attribute) if s in changes else nothing for s in scores.systems]
        intervals[name] = bootstrap_means(
            np.array(rows, dtype=np.float64),
            n_resamples=n_resamples,
            confidence=confidence,
            random_state=random_state,
        )
    return intervals


def _summaries(
    scores: Effectiveness,
    baseline: Floats,
    is_baseline: NDArray[np.bool_],
    at_alphas: list[list[AtAlpha]],
    share: float,
    intervals: Mapping[str, Floats],
    rank_changes: Mapping[str, RankChange],
) -> tuple[SystemSummary, ...]:
    summaries: list[SystemSummary] = []
    means, geometric = scores.means(), scores.geometric_means()
    for start in range(0, len(scores), ROWS_AT_ONCE):
        rows = scores.matrix[start : start + ROWS_AT_ONCE]
        delta = difference(rows, baseline)
        wins, losses, ties, large = count_outcomes(delta, baseline)
        risk = mean(np.maximum(0.0, -delta))
        reward = mean(np.maximum(0.0, delta))
        worst = worst_losses(delta, share)
        for k in range(len(rows)):
            i = start + k
            system = scores.systems[i]
            lowest = int(np.argmin(delta[k])) if len(scores.topics) else 0
            loses = bool(losses[k])
            change = rank_changes.get(system)
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
