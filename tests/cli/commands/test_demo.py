from __future__ import annotations


def test_demo_prints_the_example(riskrank):
    done = riskrank("demo", "evaluate")
    assert done.status == 0
    assert "hybrid" in done.out
