"""objectives: what can be optimised."""

from __future__ import annotations

import riskrank as rr


def test_objectives_are_listed(riskrank):
    done = riskrank("objectives")
    assert done.status == 0
    assert all(name in done.out for name in rr.objectives.OBJECTIVES)
    assert "share=0.1" in done.out
    shared = "All take measure=nDCG@10, truncation=30, sigma=1.0, normalise=gain; normalise is gain, all or none.\n"
    assert shared in done.out
