from __future__ import annotations

import pytest


@pytest.fixture
def weights_of_rounds(learner, monkeypatch):
    """The weights after each round of the last training, by the `learner` that a test file names."""
    weights, step = [], learner.step

    def recorded(self, number):
        seen = step(self, number)
        weights[number:] = [self.weights.copy()]
        return seen

    monkeypatch.setattr(learner, "step", recorded)
    return weights
