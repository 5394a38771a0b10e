"""LambdaNet: neural nets for any objective, on PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, Unpack, get_args

import numpy as np

from riskrank.errors import FileError, ParameterError
from riskrank.objectives.gain import Gain
from riskrank.parameters import between, boolean, one_of, positive, whole
from riskrank.rankers.fitting.checkpoint import LAYERS
from riskrank.rankers.nets.net_parameters import Backprop, NetParameters, Optimiser, Schedule
from riskrank.rankers.nets.net_sizes import KINDS, check_size, n_weights
from riskrank.rankers.ranker import Ranker
from riskrank.weights import relative_weights

if TYPE_CHECKING:
    from torch.nn import Module

    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.rankers.nets.descent import Descent
    from riskrank.typing import Floats, MeasureLike, ObjectiveLike, PathLike, Singles, StartName

FILE = "model.safetensors"
LARGEST_NET = 1 << 32  # bytes
ALL_RANKS = 1_000_000  # as a truncation: every pair counts


class LambdaNet(Ranker):
    """A neural net that ranks documents, trained for an objective.

    With validation data, the weights of the best epoch are used.

    Parameters
    ----------
    objective
        As in `LambdaMART`.
    net
        ``"mlp"``, ``"linear"``, ``"two-layer"`` (Burges et al. 2006), or a `torch.nn.Module` that maps rows of features
        to a score each.
    hidden
        Units of the hidden layers (default 128 and 64; 10 for two-layer).
    dropout
        The share of units that an mlp leaves out at random while it learns.
    standardise
        Features get mean 0 and spread 1, those with long tails on a logarithmic scale.
    n_epochs, batch_queries
        How often training goes through all queries at most, and how many whole queries make a batch.
    optimiser, learning_rate, weight_decay
        ``"adamw"`` or ``"sgd"``, and what PyTorch's optimiser of that name is told.
    schedule
        Of the learning rate: ``"cosine"`` down to 0, ``"constant"``, or ``"drop"``: times 0.8 whenever the training
        cost rises.
    restart_after
        New weights after this many epochs without progress.
    backprop
        What goes back through the net: ``"documents"``, or for RankNet as published also ``"pairs"``, one by one. That
        gives the same weights and takes longer, to compare (Burges et al. 2006, §5: V2 and V1).
    early_stopping, valid_measure, start, start_spread, n_threads, random_state, verbose
        As in `LambdaMART`.
    """

    unit = "epochs"
    runs_in_threads = False  # PyTorch's random numbers and its count of threads belong to the process

    def __init__(
        self,
        objective: ObjectiveLike | None = None,
        *,
        net: str | Module = "mlp",
        hidden: int | tuple[int, ...] | None = None,
        dropout: float = 0.1,
        standardise: bool = True,
        n_epochs: int = 50,
        batch_queries: int = 16,
        optimiser: Optimiser = "adamw",
        learning_rate: float = 1e-3,
        weight_decay: float = 1e-2,
        schedule: Schedule = "cosine",
        restart_after: int | None = None,
        backprop: Backprop = "documents",
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        start: StartName = "zero",
        start_spread: float = 1.0,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.objective = objective
        self.net = net
        self.hidden = hidden
        self.dropout = dropout
        self.standardise = standardise
        self.n_epochs = n_epochs
        self.batch_queries = batch_queries
        self.optimiser = optimiser
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.schedule = schedule
        self.restart_after = restart_after
        self.backprop = backprop
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.start = start
        self.start_spread = start_spread
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def burges2006(
        cls, objective: ObjectiveLike | None = None, *, layers: int = 2, **parameters: Unpack[NetParameters]
    ) -> LambdaNet:
        """The regime of the LambdaRank paper: LambdaRank on all pairs (its Eq. 9), or another objective.

        One or two layers, a step of plain gradient descent per query, the rate times 0.8 when the training cost rises
        (nDCG@10 falls, or RankNet's cross entropy rises), new weights after 50 epochs without progress, and the epoch
        that has the best nDCG@10 on validation queries, which `fit` needs unless ``valid_measure=None``. RankNet as
        published is ``RankNet(truncation=None, normalise=False)``.
        """
        if layers not in (1, 2):
            raise ParameterError(f"layers must be one of 1, 2, got {layers!r}.")
        usual: NetParameters = {
            "net": "linear" if layers == 1 else "two-layer",
            "batch_queries": 1,
            "optimiser": "sgd",
            "learning_rate": 1e-2,
            "weight_decay": 0.0,
            "schedule": "drop",
            "restart_after": 50,
            "n_epochs": 300,
            "valid_measure": "nDCG@10",
        }
        raw = Gain("nDCG@10", truncation=ALL_RANKS, normalise=False) if objective is None else objective
        return cls(raw, **(usual | parameters))

    @classmethod
    def load(cls, folder: PathLike, *, net: Module | None = None) -> Self:
        """A model that `save` wrote; one with a module of your own needs that module, as `net`."""
        ranker = super().load(folder)
        if net is not None:
            ranker.net = net
            ranker.build_net()
        return ranker

    def load_trained(self, folder: PathLike) -> Self:
        return type(self).load(folder, net=None if isinstance(self.net, str) else self.net)

    def check_parameters(self) -> None:
        is_known = isinstance(self.net, str) and self.net in KINDS
        if not is_known and not _is_module(self.net):
            known = ", ".join(KINDS)
            raise ParameterError(f"net must be one of {known}, or a torch.nn.Module (an instance), got {self.net!r}.")
        if not is_known and self.hidden is not None:
            raise ParameterError("hidden= is for the nets known here; a module of your own has its own layers.")
        self.check_loaded()
        self.engine_versions()  # PyTorch may be missing; last, since it takes seconds to load

    def check_loaded(self) -> None:
        super().check_parameters()
        for units in self.hidden_units:
            whole("hidden", units, 1)
        check_size(1, self.hidden_units)  # features of the data make it larger
        between("dropout", self.dropout, 0, 1)
        boolean("standardise", self.standardise)
        whole("n_epochs", self.n_epochs, 1)
        whole("batch_queries", self.batch_queries, 1)
        one_of("optimiser", self.optimiser, get_args(Optimiser))
        positive("learning_rate", self.learning_rate)
        between("weight_decay", self.weight_decay, 0, np.inf)
        one_of("schedule", self.schedule, get_args(Schedule))
        whole("restart_after", self.restart_after, 1, optional=True)
        one_of("backprop", self.backprop, get_args(Backprop))

    @property
    def hidden_units(self) -> tuple[int, ...]:
        """Of each hidden layer; none for a module of the user's own."""
        if self.hidden is None:
            return KINDS.get(self.net, ()) if isinstance(self.net, str) else ()
        if self.net == "linear":
            raise ParameterError("a linear net has no hidden units: leave hidden= out, or choose another net.")
        units: tuple[Any, ...] = tuple(self.hidden) if isinstance(self.hidden, list | tuple) else (self.hidden,)
        if self.net == "two-layer" and len(units) != 1:
            raise ParameterError(f"a two-layer net has one hidden layer, got hidden={self.hidden!r}.")
        return units

    @property
    def n_steps(self) -> int:
        return int(self.n_epochs)

    @property
    def checkpoint_every(self) -> int:
        return 5

    def uses_best_step(self, has_valid: bool) -> bool:
        return has_valid

    def engine_versions(self) -> dict[str, str]:
        from riskrank.rankers.nets import nets

        return {"torch": nets.VERSION}

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Descent:
        from riskrank.rankers.nets.compiled_descent import CompiledDescent
        from riskrank.rankers.nets.descent import Descent
        from riskrank.rankers.nets.pairwise_descent import PairwiseDescent

        if self.backprop == "documents":
            return (CompiledDescent if CompiledDescent.suits(self) else Descent)(plan, self, checkpoint)
        if not plan.objective.counts_pairs:
            rule = "backprop='pairs' is for RankNet(truncation=None, normalise=False): its pairs need no ranking."
            raise ParameterError(rule, "backprop")
        if relative_weights(plan.train.bound.data.document_weights) is not None:
            raise ParameterError("backprop='pairs' has no use for weights of documents: weigh queries.", "backprop")
        return PairwiseDescent(plan, self, checkpoint)

    def adopt(self, learner: Descent, result: FitResult) -> None:
        from riskrank.rankers.nets import nets

        if result.best_steps != result.n_steps:
            nets.set_weights(learner.net, learner.best)
        self.net_, self.standardise_ = learner.net, learner.standardise

    def score_documents(self, features: Singles) -> Floats:
        from riskrank.rankers.nets import descent, nets

        if not hasattr(self, "net_"):
            raise ParameterError(
                f"this model's net is a module of your own, {self.net}: load it with LambdaNet.load(folder, net=...)."
            )
        with descent.threads(self.usable_threads):
            return nets.all_scores(self.net_, self.standardise_, features)

    def imputed_values(self) -> Floats | None:
        standardise = getattr(self, "standardise_", None)
        return None if standardise is None else standardise.usual_values()

    def plain_parameters(self) -> dict[str, Any]:
        parameters = super().plain_parameters()
        if not isinstance(self.net, str):
            parameters["net"] = f"{type(self.net).__module__}.{type(self.net).__qualname__}"
        return parameters

    def identity(self) -> dict[str, Any]:
        layers = {} if isinstance(self.net, str) else {LAYERS: " ".join(repr(self.net).split())}
        known = super().identity()
        if self.backprop == "documents":  # as it was before there was a choice
            del known["backprop"]
        return {**known, **layers}

    def model_files(self) -> dict[str, bytes]:
        from riskrank.rankers.nets import nets

        if not hasattr(self, "net_"):  # loaded without its module
            return {FILE: nets.to_bytes(self._saved)}
        return {FILE: nets.to_bytes(nets.weights_of(nets.together(self.net_, self.standardise_)))}

    def restore(self, saved: SavedModel) -> None:
        from riskrank.rankers.nets import nets

        path = saved.folder / FILE
        self._saved = nets.from_bytes(saved.file(FILE, largest=LARGEST_NET), path)
        if self.net not in KINDS:
            return
        sizes = {name: value.size for name, value in self._saved.items()}
        n_shifts = sizes.get("standardise.shift", self.n_features_in_)
        n_saved = sum(size for name, size in sizes.items() if name.startswith("net."))
        if n_saved != n_weights(self.n_features_in_, self.hidden_units) or n_shifts != self.n_features_in_:
            raise FileError(path, "does not have the weights of the net that the card describes.")
        try:
            self.build_net()
        except ParameterError as error:
            raise FileError(path, str(error)) from None

    def build_net(self) -> None:
        """The net of a saved model."""
        from riskrank.rankers.nets import nets

        net = nets.new_net(self.net, self.n_features_in_, self.hidden_units, float(self.dropout))
        is_standardised = any(name.startswith("standardise.") for name in self._saved)
        standardise = nets.Standardise(self.n_features_in_) if is_standardised else None
        try:
            nets.set_weights(nets.together(net, standardise), self._saved)
        except RuntimeError as error:
            problem = str(error).splitlines()[-1].strip()
            raise ParameterError(f"the saved weights do not fit this net: {problem}") from None
        self.net_, self.standardise_ = net, standardise


def _is_module(net: object) -> bool:
    """Is it a net of the user's own? A text never is, which nobody needs PyTorch for."""
    if isinstance(net, str):
        return False
    from riskrank.rankers.nets import nets

    return nets.is_module(net)
