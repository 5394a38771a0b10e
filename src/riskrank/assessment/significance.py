"""What stays significant as losses weigh more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.risk.inference.multiple_testing import CORRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.typing import CorrectionName, Floats

GRID = (
    0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0,
    5.0, 6.0, 7.0, 8.0, 9.0, 10.0,
)  # fmt: skip
COARSE_GRID = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
MOST_ON_GRID = 20  # systems; more are tested on the coarse one


def tested_alphas(alphas: Sequence[float], n_systems: int) -> tuple[float, ...]:
    """The alphas that were asked for, and those between 0 and the largest at which significance may end."""
    grid = GRID if n_systems <= MOST_ON_GRID else COARSE_GRID
    return tuple(sorted({*alphas, *grid}))


class Tally(NamedTuple):
    """How many systems gain significantly, lose significantly, and do neither."""

    gains: int
    losses: int
    inconclusive: int


@dataclass(frozen=True, eq=False)
class Significance:
    """Verdicts of all systems at many alphas, after the correction of the assessment.

    `verdicts`, systems × alphas: 1 a significant gain, −1 a significant loss, 0 inconclusive, NaN without a test.
    """

    alphas: tuple[float, ...]
    verdicts: Floats

    def up_to(self, system: int) -> float | None:
        """The largest tested alpha at which a gain is significant, as it is at every smaller one; None: at none."""
        gains = self.verdicts[system] == 1
        n_first = len(gains) if gains.all() else int(np.argmin(gains))
        return self.alphas[n_first - 1] if n_first else None

    def tally(self, alpha: float) -> Tally:
        """At one of the alphas."""
        column = self.verdicts[:, self.alphas.index(alpha)]
        return Tally(int((column == 1).sum()), int((column == -1).sum()), int((column == 0).sum()))


def significance(assessment: Assessment) -> Significance:
    """From the p-values that an assessment holds."""
    return significance_of(
        np.array([system.p_grid for system in assessment.systems]),
        assessment.grid,
        risk=np.array([system.risk for system in assessment.systems]),
        reward=np.array([system.reward for system in assessment.systems]),
        correction=assessment.correction,
        level=assessment.level,
    )


def significance_of(
    p_values: Floats,
    alphas: tuple[float, ...],
    *,
    risk: Floats,
    reward: Floats,
    correction: CorrectionName,
    level: float,
) -> Significance:
    """From p-values, systems × alphas, and what each system risks and wins."""
    correct = CORRECTIONS[correction]
    corrected = np.array([correct(column) for column in p_values.T]).T if p_values.size else p_values
    sides = np.where(reward[:, None] - (1 + np.array(alphas)) * risk[:, None] > 0, 1.0, -1.0)
    verdicts = np.where(corrected <= level, sides, 0.0)
    return Significance(alphas, np.where(np.isnan(p_values), np.nan, verdicts))
