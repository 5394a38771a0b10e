from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk

from .examples import pairs, shuffled


def test_helped_and_hurt_topics_fall_into_buckets_of_ten_percent():
    histogram = risk.helped_hurt([0.5, 0.25, 0.0, 0.3, 0.55, 1.5, 0.45], [0.5, 0.5, 0.5, 0.0, 0.5, 0.5, 0.5])
    count = dict(zip(histogram.lower, histogram.count, strict=True))
    assert (histogram.unchanged, histogram.from_zero) == (1, 1)
    # −50 %, −100 %, +10 %, +200 %, −10 %
    assert {k: v for k, v in count.items() if v} == {-0.5: 1, -1.0: 1, 0.1: 1, 1.0: 1, -0.1: 1}
    assert sum(histogram.count) + histogram.unchanged + histogram.from_zero == 7
    assert histogram.upper[-1] == math.inf


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(pair, random):
    assert risk.helped_hurt(*shuffled(pair, random)) == risk.helped_hurt(*pair)
