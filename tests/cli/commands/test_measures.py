from __future__ import annotations


def test_measures_are_listed(riskrank):
    done = riskrank("measures")
    assert "nDCG@k" in done.out
    assert "ndcg_cut" in done.out
