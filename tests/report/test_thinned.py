"""Which of very many things are shown."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from riskrank.report.thinned import thinned


@given(st.integers(0, 2000), st.integers(4, 300))
def test_thinning_keeps_the_worst_and_the_best_and_spreads_the_rest(count, most):
    kept = thinned(count, most).tolist()
    assert len(kept) == min(count, most)
    assert kept == sorted(set(kept))
    if count > most:
        assert kept[: most // 2] == list(range(most // 2))
        assert kept[-(most // 4) :] == list(range(count - most // 4, count))
        # between the ends no gap is much larger than another
        gaps = np.diff(kept[most // 2 - 1 : most - most // 4 + 1])
        assert gaps.max() <= gaps.min() + 1
