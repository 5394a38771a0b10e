"""Small nets, and what is known of them."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

import riskrank as rr

RANKNET = rr.RankNet(truncation=None, normalise=False)
STILL = {"learning_rate": 1e-30, "weight_decay": 0.0}  # too little to change a weight


def net_of(objective=None, **parameters):
    small = {} if parameters.get("net", "mlp") != "mlp" else {"hidden": (8,)}
    return rr.LambdaNet(objective, **{"n_epochs": 3, "n_threads": 1, **small, **parameters})


def weights(module):
    return {name: value.numpy().copy() for name, value in module.state_dict().items()}


class Own(nn.Module):
    def __init__(self, hidden=6, *, is_flat=False):
        super().__init__()
        self.first, self.second = nn.Linear(20, hidden), nn.Linear(hidden, 1)
        self.is_flat = is_flat

    def forward(self, x):
        scores = self.second(torch.tanh(self.first(x)))
        return scores[:, 0] if self.is_flat else scores


def own(*arguments, **options):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return Own(*arguments, **options)


def effectiveness(data, scores, measure):
    return rr.evaluate(data, {"x": scores}, measure)["x"]


def column(data):
    return data.feature(1).astype(np.float64)
