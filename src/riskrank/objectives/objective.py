"""An objective: a measure, and a target that says what a change of the measure on one query is worth.

Each objective is a frozen dataclass in a file of its own. Its `target` is one small function that is compiled into the
pair loop. Registering it makes it known to the command line and to saved models; packages outside register theirs
through the entry-point group ``riskrank.objectives``.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from riskrank.data.scores.document_scores import checked_scores
from riskrank.errors import ParameterError, quoted
from riskrank.kernels.state import Query, TrainingState
from riskrank.measures import Measure, parse_measure
from riskrank.parameters import HEAVIEST, is_number, one_of, positive, whole, within, without_numpy, written_value
from riskrank.registry import Registry
from riskrank.risk.paired import difference, tradeoff
from riskrank.weights import weighted_deviation, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import BaselineLike, Floats, ParameterValue

KEEP: Any = object()  # an option that stays as the objective has it
DEFAULT_TRUNCATION = 30
PARAMETER_END = re.compile(r",(?=\s*\w+=)(?![^(]*\))")  # a comma between parameters, not within a measure's brackets
NORMALISATIONS = ("gain", "all", "none")
DEFAULT_NORMALISATION = "gain"


@dataclass(frozen=True)
class Objective:
    """Base of all objectives.

    A kind of objective defines its `name`, `summary` and `target`, and its parameters as fields. It may define what
    the target gets to know of each query and of all of them (`prepare`). Where validation should stop by the objective
    itself (`valid_measure="objective"`), it must say what it gives a whole model (`value`), unless that is URisk. An
    objective needs a baseline unless it sets `needs_baseline` to False.

    Parameters
    ----------
    measure
        What is optimised, as text or a `Measure`.
    truncation
        How many ranks count: pairs without a document among them are left out, and a graded measure with a shallower
        cut-off is trained at this depth (nDCG@10 through nDCG@30, which generalises better). None trains exactly the
        measure, with every pair whose swap changes it.
    sigma
        The slope of the pairwise logistic.
    normalise
        ``"all"`` divides each pair by 0.01 + the difference of its scores and scales each query by the logarithm of its
        sum of lambdas, as LightGBM does; ``"gain"`` (or True) takes the sum that the bare measure would have given, so
        that a query at risk keeps its weight; ``"none"`` (or False, or None) leaves the raw sums.
    """

    measure: Measure | str = "nDCG@10"
    _: KW_ONLY
    truncation: int | None = DEFAULT_TRUNCATION
    sigma: float = 1.0
    normalise: bool | str | None = True

    name: ClassVar[str]
    summary: ClassVar[str]
    alpha = 0.0  # how much more losses weigh; a parameter of the objectives that have one
    needs_baseline: ClassVar[bool] = True
    with_churn: ClassVar[bool] = False  # is it `churn_target` and `churn_value` that it defines?

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", parse_measure(self.measure))
        mode = self.normalise
        if mode is None or isinstance(mode, bool):
            mode = DEFAULT_NORMALISATION if mode else "none"
        one_of("normalise", mode, NORMALISATIONS)
        object.__setattr__(self, "normalise", mode)
        whole("truncation", self.truncation, 1, optional=True, alternative=" or None")
        positive("sigma", self.sigma)
        if not (is_number(self.alpha) and self.alpha > -1):
            raise ParameterError(
                f"alpha must be a number above −1 (losses weigh 1 + alpha), got {self.alpha!r}.", "alpha"
            )
        within("alpha", self.alpha, -1, HEAVIEST)

    @property
    def reported_measure(self) -> Measure:
        """The measure that is reported and that chooses the best step: `measure`, which may be given as text."""
        return parse_measure(self.measure)

    @property
    def trained_measure(self) -> Measure:
        """The measure whose changes are the gradients: `measure`, perhaps with a deeper cut-off."""
        measure = self.reported_measure
        return measure if self.truncation is None else measure.deepened(self.truncation)

    @property
    def counts_pairs(self) -> bool:
        """Is every pair of different labels worth the same, and does nothing else count?"""
        return False

    @staticmethod
    def target(delta: float, query: Query, training: Any) -> float:  # the named tuple that `prepare` gives
        """What a change `delta` of the measure on a query is worth; compiled."""
        raise NotImplementedError

    @staticmethod
    def churn_target(delta: float, distance: float, query: Query, training: TrainingState) -> float:
        """The same for a swap that also changes the Kendall distance to the baseline's ranking by `distance`."""
        raise NotImplementedError

    def target_for(self, n_queries: int) -> Callable[..., float]:
        """The function to compile for data of this many queries."""
        return type(self).churn_target if self.with_churn else type(self).target

    def prepare(
        self, values: Floats, baselines: Floats, memory: dict[str, Any], weights: Floats | None = None
    ) -> tuple[Floats, Floats | None, Any]:
        """The baseline of each query, a state of each query (or None) and the state of all of them.

        Called before each step with the effectiveness of the model and of the baselines (baselines ×
        queries). `memory` is kept from one step to the next and saved with checkpoints: plain values only. `weights`
        are how much queries count, with a mean of 1; they are passed where queries have different ones.
        """
        return self.single_baseline(baselines, values), None, self.training_state(values, baselines, weights)

    def value(self, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        """What the objective gives a model with this effectiveness; unless a target says otherwise, its URisk."""
        return float(weighted_mean(tradeoff(self.difference(values, baselines), self.alpha), weights))

    def churn_value(self, values: Floats, baselines: Floats, distances: Floats, weights: Floats | None = None) -> float:
        """The same where each query's Kendall distance to the baseline's ranking counts too."""
        raise NotImplementedError

    def single_baseline(self, baselines: Floats, values: Floats) -> Floats:
        """The within-query mean where there are several baselines; 0 where there is none."""
        return baselines.mean(axis=0) if len(baselines) else np.zeros(len(values))

    def difference(self, values: Floats, baselines: Floats) -> Floats:
        """d of each query; within rounding error, 0."""
        return difference(values, self.single_baseline(baselines, values))

    def training_state(self, values: Floats, baselines: Floats, weights: Floats | None = None) -> TrainingState:
        """The state of all queries."""
        difference = self.difference(values, baselines)
        mean, deviation = float(weighted_mean(difference, weights)), weighted_deviation(difference, weights)
        return TrainingState(float(self.alpha), float(len(values)), mean, deviation)

    def gradients(
        self,
        scores: ArrayLike,
        data: RankingData,
        baseline: BaselineLike | None = None,
        *,
        truncation: int | None = KEEP,
        normalise: bool | str = KEEP,
    ) -> tuple[Floats, Floats]:
        """Gradient and hessian of each document under some scores, as an engine would get them.

        A negative gradient pushes a document up. `baseline`: as for a ranker's fit. `truncation` and `normalise`
        replace the objective's own.
        """
        from riskrank.data.baseline_scores import baseline_scores
        from riskrank.objectives.on_data.bound_objective import BoundObjective

        objective = self.changed(truncation=truncation, normalise=normalise)
        bound = BoundObjective(objective, data, baseline_scores(baseline, data))
        gradient, hessian, _ = bound.gradients(checked_scores(scores, data, name="model"))
        return gradient, hessian

    def changed(self, *, truncation: int | None = KEEP, normalise: bool | str = KEEP) -> Objective:
        """The same objective with other options."""
        changes: dict[str, Any] = {"truncation": truncation, "normalise": normalise}
        return replace(self, **{name: value for name, value in changes.items() if value is not KEEP})

    def with_parameters(self, **parameters: ParameterValue) -> Objective:
        """The same objective with other parameters, by their names.

        >>> objective_named("urisk").with_parameters(alpha=5)
        URisk('nDCG@10', alpha=5)
        """
        _check_known(type(self), parameters)
        changes: dict[str, Any] = parameters
        return replace(self, **changes)

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return {f.name: without_numpy(getattr(self, f.name)) for f in fields(self)} | {"measure": str(self.measure)}

    def to_dict(self) -> dict[str, Any]:
        """For a saved model's card."""
        return {"objective": self.name, **self.parameters()}

    def __repr__(self) -> str:
        usual = {f.name: f.default for f in fields(self)} | {"normalise": DEFAULT_NORMALISATION}
        named = {name: getattr(self, name) for name in usual if name != "measure"}
        shown = [repr(str(self.measure)), *(f"{name}={v!r}" for name, v in named.items() if v != usual[name])]
        return f"{type(self).__name__}({', '.join(shown)})"


T = TypeVar("T", bound=type[Objective])

OBJECTIVES: Registry[type[Objective]] = Registry("objective", group="riskrank.objectives", own_name="name")


def register(objective: T) -> T:
    """Make an objective known by its name."""
    OBJECTIVES[objective.name] = objective
    return objective


def objective_named(name: str, **parameters: ParameterValue) -> Objective:
    """An objective by its name, for the command line and saved models.

    >>> objective_named("urisk", measure="AP", alpha=5)
    URisk('AP', alpha=5)
    """
    kind: Any = OBJECTIVES.named(name)
    _check_known(kind, parameters)
    objective: Objective = kind(**parameters)
    return objective


def parse_objective(text: str, *, measure: Measure | str = "nDCG@10") -> Objective:
    """An objective from its text: a name and, after a colon, parameters; `measure` where these have none.

    >>> parse_objective("urisk"), parse_objective("urisk:alpha=5,measure=AP")
    (URisk('nDCG@10'), URisk('AP', alpha=5))
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, Any] = {"measure": measure}
    for part in PARAMETER_END.split(rest) if rest else ():
        parameter, equals, value = part.partition("=")
        if not equals:
            raise ParameterError(f"an objective is written like urisk:alpha=5,measure=AP, got {quoted(text)}.")
        is_measure = parameter.strip() == "measure"
        parameters[parameter.strip()] = value.strip() if is_measure else written_value(value)
    return objective_named(name.strip(), **parameters)


def _check_known(kind: type[Objective], parameters: Mapping[str, Any]) -> None:
    accepted = [f.name for f in fields(kind)]
    for parameter in parameters:
        if parameter not in accepted:
            raise ParameterError(f"{kind.name} has no parameter {quoted(parameter)}; it takes {', '.join(accepted)}.")


@dataclass(frozen=True, repr=False)
class OwnObjective(Objective):
    """Base of the objectives that `own_target` makes."""

    alpha: float = 0.0


def own_target(target: Callable[[float, Query, TrainingState], float]) -> type[OwnObjective]:
    """An objective of your own from its target: what a change `delta` of the measure on a query is worth.

    The function is compiled into the training loop, so it may use numbers, branches, `math` and other such
    functions. It sees `query.effectiveness` and `query.baseline`, and `training.alpha`, `training.n_queries`,
    `training.mean_difference` and `training.deviation`. It must have the sign of `delta`, else training stops.
    """
    words = target.__doc__ or "a target of one's own"
    own = {
        "__doc__": target.__doc__,
        "name": target.__name__,
        "summary": words.strip().split("\n")[0],
        "target": staticmethod(target),
    }
    return dataclass(frozen=True, repr=False)(type(target.__name__, (OwnObjective,), own))
