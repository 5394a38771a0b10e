"""Who was helped, who was hurt, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.paired import difference, paired

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class HelpedHurt:
    """Topics by relative change d/b: `lower[i]` ≤ change < `upper[i]` in `count[i]` of them.

    Buckets are 10 % wide from −100 % to +100 %; changes of +100 % and more share the last bucket. Topics that did not
    change, and topics where the baseline had 0 and the system has more, are counted apart.
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]
    count: tuple[int, ...]
    unchanged: int
    from_zero: int


def helped_hurt(system: ArrayLike, baseline: ArrayLike) -> HelpedHurt:
    """The histogram of relative changes in steps of 10 % (Wang et al. 2012, Fig. 3).

    >>> helped_hurt([0.5, 0.2, 0.3, 0.7], [0.5, 0.4, 0.0, 0.5]).from_zero
    1
    """
    m, b = paired(system, baseline)
    delta = difference(m, b)
    rises_from_zero = (b <= 0) & (delta > 0)
    changed = (delta != 0) & (b > 0) & ~np.isnan(delta)
    # Rounded so that a change of exactly −50 % falls into its bucket whatever the last bit says.
    relative = np.round(delta[changed] / b[changed], 12)
    edges = np.round(np.arange(-10, 11) / 10, 1)
    bucket = np.clip(np.searchsorted(edges, relative, side="right") - 1, 0, len(edges) - 1)
    count = np.bincount(bucket, minlength=len(edges))
    return HelpedHurt(
        lower=tuple(edges.tolist()),
        upper=(*edges[1:].tolist(), float("inf")),
        count=tuple(count.tolist()),
        unchanged=int((delta == 0).sum()),
        from_zero=int(rises_from_zero.sum()),
    )
