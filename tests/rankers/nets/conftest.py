from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr


def easy_data(n_queries=12, *, documents=9, seed=0):
    """Every feature says how good a document is, the first one (the baseline) least of all."""
    rng = np.random.default_rng(seed)
    labels = rng.choice([0, 0, 1, 2], n_queries * documents)
    labels[::documents] = 2
    features = labels[:, None] + rng.normal(size=(len(labels), 4)) * [3, 1, 1, 1]
    return rr.RankingData.from_arrays(features.astype(np.float32), labels, group=[documents] * n_queries)


@pytest.fixture(scope="module")
def easy():
    return easy_data()


@pytest.fixture(scope="module")
def unseen():
    return easy_data(seed=1)


@pytest.fixture
def epochs(monkeypatch):
    """Of each epoch the scores seen in it, its rate, its last weights, the number of draws so far; and the draws."""
    pytest.importorskip("torch", reason="nets need PyTorch")
    from riskrank.rankers.nets import nets
    from riskrank.rankers.nets.descent import Descent

    from .small_nets import weights

    seen, draws = [], []
    step, draw = Descent.step, nets.draw_weights

    def drawing(net, **options):
        draw(net, **options)
        draws.append(weights(net))

    def stepping(self, number):
        values = step(self, number)
        rate = self._optimiser.param_groups[0]["lr"]
        seen.append({"scores": self._scores.copy(), "rate": rate, "weights": weights(self.net), "draws": len(draws)})
        return values

    monkeypatch.setattr(nets, "draw_weights", drawing)
    monkeypatch.setattr(Descent, "step", stepping)
    return seen, draws
