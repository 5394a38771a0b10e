"""Nets that map a document's features to its score, and the standardisation in front of them."""

from __future__ import annotations

import copy
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import FileError, ParameterError, TrainingError, one_line
from riskrank.rankers.nets.net_sizes import check_size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from riskrank.typing import Floats, PathLike, Singles

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait take the cores from our loops

try:
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load as load_tensors
    from safetensors.torch import save as save_tensors
    from torch import nn
except ImportError as missing:
    raise ParameterError("nets need PyTorch and safetensors: pip install 'riskrank[nets]'.") from missing

VERSION = torch.__version__
SAMPLED_ROWS = 200_000
FARTHEST = 8.0  # standard deviations; what is farther out is taken for this far
ROWS_AT_ONCE = 65_536
LONG_TAIL = 9.0  # the kurtosis of an exponential distribution; a normal one has 3
EXPLODED = "the net gives scores that are not finite. Lower the learning rate."


class Standardise(nn.Module):
    """Features with mean 0 and spread 1 in the training data; those with long tails on a logarithmic scale.

    Missing values become 0, the mean; constant features become 0 too.
    """

    shift: torch.Tensor
    scale: torch.Tensor
    is_log: torch.Tensor

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.register_buffer("shift", torch.zeros(n_features, dtype=torch.float64))
        self.register_buffer("scale", torch.ones(n_features, dtype=torch.float64))
        self.register_buffer("is_log", torch.zeros(n_features, dtype=torch.uint8))

    def learn(self, features: Singles) -> None:
        """Measure the features; from rows spread over the data if there are very many."""
        step = max(1, len(features) // SAMPLED_ROWS)
        for f in range(features.shape[1]):
            plain = features[::step, f].astype(np.float64)
            plain = plain[~np.isnan(plain)]
            if not len(plain) or plain.min() == plain.max():
                self.shift[f], self.scale[f], self.is_log[f] = 0.0, 0.0, 0
                continue
            logs = np.sign(plain) * np.log1p(np.abs(plain))
            self.is_log[f] = int(_tail(plain) > max(LONG_TAIL, _tail(logs)))
            chosen = logs if self.is_log[f] else plain
            self.shift[f], self.scale[f] = float(chosen.mean()), float(1 / max(chosen.std(), 1e-300))

    def usual_values(self) -> Floats:
        """The value of each feature that becomes 0, as a missing one does; NaN for constant features."""
        shift, is_log = self.shift.numpy(), self.is_log.numpy().astype(bool)
        with np.errstate(over="ignore"):
            values = np.where(is_log, np.sign(shift) * np.expm1(np.abs(shift)), shift)
        return np.where(self.scale.numpy() == 0, np.nan, values)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Standardise in double precision: large numbers that lie near each other stay apart."""
        exact = features.double()
        logs = torch.sign(exact) * torch.log1p(torch.abs(exact))
        standard = (torch.where(self.is_log.bool(), logs, exact) - self.shift) * self.scale
        return torch.nan_to_num(standard, nan=0.0).clamp(-FARTHEST, FARTHEST).to(features.dtype)


def _tail(values: Floats) -> float:
    """The kurtosis."""
    centred = values - values.mean()
    variance = float(np.square(centred).mean())
    return float((centred**4).mean()) / max(variance**2, 1e-300)


class Net(nn.Sequential):
    """A net of a known kind."""


def is_module(net: object) -> bool:
    """Is it a net of the user's own?"""
    return isinstance(net, nn.Module)


def new_net(kind: str | nn.Module, n_features: int, hidden: tuple[int, ...], dropout: float) -> nn.Module:
    """A net of a known kind, or a copy of a user's module."""
    if isinstance(kind, nn.Module):
        return copy.deepcopy(kind)
    check_size(n_features, hidden)
    sizes = (n_features, *hidden)
    layers: list[nn.Module] = []
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.Tanh() if kind == "two-layer" else nn.ReLU()]
        if kind == "mlp" and dropout > 0:
            layers.append(nn.Dropout(dropout))
    return Net(*layers, nn.Linear(sizes[-1], 1))


def draw_weights(net: nn.Module, *, silent: bool) -> None:
    """New random weights; `silent`: the output layer begins at 0, so that the net says nothing yet."""
    for part in net.modules():
        reset: Any = getattr(part, "reset_parameters", None)
        if callable(reset):
            reset()
    if silent and isinstance(net, Net):
        for parameter in net[-1].parameters():
            nn.init.zeros_(parameter)


def scored(net: nn.Module, features: torch.Tensor) -> torch.Tensor:
    """One score per row, from a net that gives a column or a flat vector."""
    try:
        scores = net(features)
    except RuntimeError as error:  # PyTorch's own, as for layers of another width
        raise ParameterError(
            f"the net fails on rows of {features.shape[1]} features: {one_line(str(error))}"
        ) from error
    if not isinstance(scores, torch.Tensor):
        raise ParameterError(f"the net must give a tensor with one score per document, not a {type(scores).__name__}.")
    if scores.shape == (len(features), 1):
        scores = scores[:, 0]
    if scores.shape != (len(features),):
        raise ParameterError(
            f"the net must give one score per document: {len(features)} rows of features "
            f"gave a tensor of shape {tuple(scores.shape)}."
        )
    return scores


@torch.no_grad()
def all_scores(net: nn.Module, standardise: Standardise | None, features: Singles) -> Floats:
    """The scores of all documents.

    Known nets are computed in double precision and rounded, so that a document's score does not depend on which
    others are scored with it.
    """
    if standardise is None and np.isnan(features).any():
        raise ParameterError("a net without standardise needs all features; some are missing (NaN).")
    is_own = not isinstance(net, Net)
    exact = copy.deepcopy(net).eval() if is_own else copy.deepcopy(net).double().eval()
    dtype = torch.float32 if is_own else torch.float64
    parts = []
    for begin in range(0, len(features), ROWS_AT_ONCE):
        rows = torch.tensor(features[begin : begin + ROWS_AT_ONCE], dtype=torch.float64)
        if standardise is not None:
            rows = standardise(rows)
        parts.append(scored(exact, rows.to(dtype)).float().numpy())
    scores = np.concatenate(parts).astype(np.float64) if parts else np.zeros(0)
    if not np.isfinite(scores).all():
        raise TrainingError(EXPLODED)
    return scores


def together(net: nn.Module, standardise: Standardise | None) -> nn.Module:
    """A net and what stands in front of it, as they are saved."""
    return nn.ModuleDict({"net": net} if standardise is None else {"net": net, "standardise": standardise})


def weights_of(module: nn.Module) -> dict[str, NDArray[Any]]:
    """All that a module has learned, as arrays."""
    return {name: value.detach().numpy().copy() for name, value in module.state_dict().items()}


def set_weights(module: nn.Module, weights: Mapping[str, NDArray[Any]]) -> None:
    """What `weights_of` gave."""
    module.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})


def to_bytes(weights: Mapping[str, NDArray[Any]]) -> bytes:
    """Weights as a safetensors file."""
    return bytes(save_tensors({name: torch.from_numpy(np.array(value)) for name, value in weights.items()}))


def from_bytes(content: bytes, path: PathLike) -> dict[str, NDArray[Any]]:
    """Weights from a safetensors file."""
    try:
        weights = {name: value.numpy() for name, value in load_tensors(content).items()}
    except (SafetensorError, TypeError, ValueError, RuntimeError) as error:
        raise FileError(path, f"is not a file of weights ({one_line(str(error))}).") from None
    for name, values in weights.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise FileError(path, f"{one_line(name)}: must be finite.")
    return weights
