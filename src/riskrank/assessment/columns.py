"""The tables of an assessment: a row per system, and a row per system, topic and alpha."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.risk.intervals import at_alpha
from riskrank.risk.outcomes import per_unit
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from riskrank.assessment.assessment import Assessment


NOT_FLAT = ("at", "intervals", "gain_interval", "p_grid")
RANKED = ("urisk", "trisk", "zrisk", "georisk")


def summary_rows(assessment: Assessment) -> list[dict[str, Any]]:
    """All fields of a system in one flat row, its ratios and its rank by each measure; those of an alpha end in it.

    The baseline has neither ratios nor a rank by what is measured against it.
    """
    rows = []
    ranks = _ranks(assessment)
    for i, system in enumerate(assessment.systems):
        fields = {name: value for name, value in vars(system).items() if name not in NOT_FLAT}
        fields["reward_per_risk"] = per_unit(system.reward, system.risk)
        fields["wins_per_loss"] = per_unit(system.wins, system.losses)
        fields["significant_up_to"] = assessment.significance.up_to(i)
        fields["gain_low"], fields["gain_high"] = system.gain_interval
        for at in system.at:
            fields |= {at_alpha(name, at.alpha): value for name, value in vars(at).items() if name != "alpha"}
        for name, (low, high) in system.intervals.items():
            fields |= {f"{name}_low": low, f"{name}_high": high}
        fields |= {name: values[i] for name, values in ranks.items()}
        if assessment.scores.relative_weights is not None:
            fields["n_effective"] = assessment.scores.n_effective
        rows.append({"measure": assessment.scores.measure, **fields})
    return rows


def _ranks(assessment: Assessment) -> dict[str, list[int | None]]:
    """The rank of every system by effectiveness, and by each measure of risk at each alpha."""
    systems = assessment.systems
    ranks = {"rank": standings([system.effectiveness for system in systems])}
    for i, alpha in enumerate(assessment.alphas):
        for name in RANKED:
            is_paired = name in ("urisk", "trisk")
            values = [np.nan if is_paired and system.is_baseline else getattr(system.at[i], name) for system in systems]
            ranks[at_alpha(f"{name}_rank", alpha)] = standings(values)
    return ranks


def standings(values: ArrayLike) -> list[int | None]:
    """The rank of each number, 1 for the largest; equal numbers share the better rank, NaN has none.

    >>> standings([0.3, float("nan"), 0.5, 0.3])
    [2, None, 1, 2]
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = numbers[~np.isnan(numbers)]
    return [None if np.isnan(number) else 1 + int((known > number).sum()) for number in numbers]


def topic_columns(assessment: Assessment) -> Iterator[dict[str, Any]]:
    """For each system but the baseline and each alpha, columns with an entry per topic."""
    scores = assessment.scores
    count = len(scores.topics)
    for system in (each.system for each in assessment.systems if not each.is_baseline):
        delta = difference(scores[system], assessment.baseline_scores)
        for alpha in assessment.alphas:
            explored = assessment.explore(system, alpha=alpha)
            columns: dict[str, Any] = {
                "measure": [scores.measure] * count,
                "system": [system] * count,
                "topic": list(scores.topics),
                "alpha": np.full(count, alpha),
                "score": scores[system],
                "baseline": assessment.baseline_scores,
                "difference": delta,
                "tradeoff": explored.tradeoff,
                "t_r": explored.t_r,
                "t_j": explored.t_j,
                "p_value": explored.p_value,
                "p_holm": explored.p_holm,
                "p_bh": explored.p_bh,
                **({} if scores.weights is None else {"weight": scores.weights}),
            }
            yield columns
