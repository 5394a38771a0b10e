"""Every system against every other one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.json import without_nan
from riskrank.data.effectiveness import LARGEST_SCORE
from riskrank.errors import ParameterError
from riskrank.parameters import inside
from riskrank.progress import Progress
from riskrank.rendered import Rendered, shown_as
from riskrank.risk.inference.max_t import max_t
from riskrank.risk.inference.mirror_shift import MirrorShift, why_too_few
from riskrank.risk.inference.multiple_testing import holm
from riskrank.risk.paired import checked_alpha, difference, mean, tradeoff
from riskrank.risk.trisk import Verdict, verdict

if TYPE_CHECKING:
    import polars as pl

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.typing import Floats

MANY_PAIRS = 300  # take seconds, and a progress bar


@dataclass(frozen=True)
class Pair:
    """A system against another one: mean change, URisk, p-values, and the verdict by `p_max_t`."""

    system: str
    other: str
    gain: float
    urisk: float
    p_mirror: float
    p_holm: float
    p_max_t: float
    verdict: Verdict


@dataclass(frozen=True, repr=False)
class AllPairs(Rendered):
    """All pairs of systems, by URisk (at α = 0 the gain), largest first; `table` has a row for each."""

    measure: str
    alpha: float
    level: float
    n_topics: int
    pairs: tuple[Pair, ...]
    title: str = ""  # the measure, with its gains where the name leaves them open
    n_effective: float | None = None  # where topics have weights: as how many of equal weight they count

    view = "all_pairs"

    @property
    def table(self) -> pl.DataFrame:
        """One row per pair."""
        import polars as pl

        rows = [{"measure": self.measure, **vars(pair)} for pair in self.pairs]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, NaN as None."""
        content: dict[str, Any] = without_nan(asdict(self))
        if self.n_effective is None:
            del content["n_effective"]
        return content

    def to_latex(self) -> str:
        """A booktabs table of the pairs that differ significantly."""
        return shown_as(self, "latex")


def all_pairs(scores: Effectiveness, *, alpha: float = 0.0, level: float = 0.05) -> AllPairs:
    """Compare all systems with each other, with p-values that are corrected for all comparisons.

    Parameters
    ----------
    scores
        What `evaluate` or `read_scores` gives; if they have weights, means and tests are weighted.
    alpha
        Losses weigh 1 + alpha. At 0 each pair stands once, the better system first; else in both directions.
    level
        Significance level of the verdicts, which follow ``p_max_t``: how likely it is that any pair differs as much
        where none does, by drawing topics for all pairs at once. ``p_holm`` corrects each p-value by itself.

    >>> import riskrank as rr
    >>> rows = {k: np.linspace(0.1, 0.5, 30) + 0.05 * np.sin(np.arange(30) + ord(k)) + 0.04 * ord(k) for k in "abc"}
    >>> [(pair.system, pair.other, pair.verdict) for pair in all_pairs(rr.Effectiveness.from_rows(rows)).pairs][0]
    ('c', 'a', 'significant gain')
    """
    weight = checked_alpha(alpha)
    inside("level", level, 0, 1)
    if len(scores) < 2 or not scores.topics:
        raise ParameterError(
            f"all pairs need at least 2 systems and a topic, got {len(scores)} and {len(scores.topics)}."
        )
    # By effectiveness and then by name, topics by their scores: no result depends on the order of a file.
    matrix = np.where(np.abs(scores.matrix) <= LARGEST_SCORE, scores.matrix, np.nan)
    weights = scores.relative_weights
    worth = np.nan_to_num(mean(matrix, weights), nan=-np.inf)
    order = sorted(range(len(scores)), key=lambda i: (-worth[i], scores.systems[i]))
    topics = np.lexsort(matrix[order])
    matrix = matrix[order][:, topics]
    names = [scores.systems[i] for i in order]
    indices = list((permutations if weight else combinations)(range(len(names)), 2))
    changes = np.array([difference(matrix[i], matrix[j]) for i, j in indices])
    if weights is not None:  # their means are weighted ones, and so are those of trade-offs
        some = weights[topics] > 0
        changes = changes[:, some] * (weights[topics][some] / weights[topics][some].mean())
    p_mirror, p_max_t = _p_values(changes, weight, why_too_few(weights))
    p_holm, gain, urisk = holm(p_mirror), mean(changes), mean(tradeoff(changes, weight))
    pairs = [
        Pair(
            names[i],
            names[j],
            float(gain[k]),
            float(urisk[k]),
            float(p_mirror[k]),
            float(p_holm[k]),
            float(p_max_t[k]),
            verdict(float(p_max_t[k]), float(urisk[k]), level),
        )
        for k, (i, j) in enumerate(indices)
    ]
    pairs.sort(key=lambda pair: np.inf if np.isnan(pair.urisk) else -pair.urisk)
    n_effective = None if weights is None else scores.n_effective
    return AllPairs(scores.measure, weight, level, matrix.shape[1], tuple(pairs), scores.title, n_effective)


def _p_values(changes: Floats, alpha: float, reason: str) -> tuple[Floats, Floats]:
    """Each pair's own p-value, and the one corrected for all pairs; 1 where there is a `reason` for no test."""
    n_pairs = len(changes)
    with Progress("testing pairs", 2 * n_pairs, show=None if n_pairs > MANY_PAIRS else False) as progress:
        p_mirror = np.empty(n_pairs)
        for k, row in enumerate(changes):
            p_mirror[k] = MirrorShift(row, reason).p_value(alpha)
            progress.update(k + 1)
        corrected = max_t(changes, alpha, p_values=p_mirror, done=lambda n_rows: progress.update(n_pairs + n_rows))
    return p_mirror, np.maximum(corrected, p_mirror)
