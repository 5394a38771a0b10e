"""Rankers and baselines as the commands' options describe them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.cli.options import named_values

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import OneBaseline

FLAGS = {
    "n_trees": "--trees",
    "n_leaves": "--leaves",
    "min_docs_in_leaf": "--min-docs",
    "n_epochs": "--epochs",
    "n_rounds": "--rounds",
    "learning_rate": "--rate",
    "early_stopping": "--early-stopping",
    "valid_measure": "--valid-measure",
    "start": "--start",
    "fast": "--fast",
    "engine": "--engine",
    "engine_params": "--param",
    "n_threads": "--threads",
    "random_state": "--seed",
}  # parameters of rankers that have an option of their own
NOT_SET = ("objective", "measure", "verbose")  # parameters that --set does not reach


@dataclass(frozen=True, kw_only=True)
class RankerOptions:
    """What options say of a ranker; where they say nothing (None), its own defaults hold.

    `objective_parameters`, `ranker_parameters` and `engine_params` are texts, NAME=VALUE; the fields in `FLAGS` have
    the names of the ranker's parameters.
    """

    ranker: str
    objective: str | None
    measure: str
    alpha: float | None = None
    objective_parameters: Sequence[str] | None = None
    ranker_parameters: Sequence[str] | None = None
    n_trees: int | None = None
    n_leaves: int | None = None
    min_docs_in_leaf: int | None = None
    n_epochs: int | None = None
    n_rounds: int | None = None
    learning_rate: float | None = None
    early_stopping: int | None = None
    valid_measure: str | None = None
    start: str | None = None
    fast: bool | None = None
    engine: str | None = None
    engine_params: Sequence[str] | None = None
    n_threads: int | None = None
    random_state: int | None = None


def ranker_from(options: RankerOptions) -> Ranker:
    """The ranker that the options ask for; an option that it does not have is refused."""
    from riskrank.rankers import RANKERS

    flags = {parameter: getattr(options, parameter) for parameter in FLAGS}
    flags["engine_params"] = named_values(options.engine_params, "--param") or None
    of_objective = named_values(options.objective_parameters, "--with")
    if options.alpha is not None:
        of_objective["alpha"] = options.alpha
    of_ranker = named_values(options.ranker_parameters, "--set")

    kind = RANKERS.named(options.ranker)
    parameters = _goal(kind, options.objective, options.measure, of_objective)
    parameters.update(_known_flags(kind, flags))
    parameters.update(_known_parameters(kind, of_ranker))
    if "engine" in _accepted(kind):
        from riskrank.rankers.trees.engine import engine_named

        engine_named(parameters.get("engine", "lightgbm")).quiet()
    return kind(**parameters)


def _accepted(kind: type[Ranker]) -> list[str]:
    return list(inspect.signature(kind).parameters)


def _goal(kind: type[Ranker], objective: str | None, measure: str, of_objective: Mapping[str, Any]) -> dict[str, Any]:
    """What is optimised: an objective or, for rankers that take none, the measure."""
    from riskrank.errors import ParameterError
    from riskrank.objectives import objective_named

    if "objective" in _accepted(kind):
        return {"objective": objective_named(objective or "gain", measure=measure, **of_objective)}
    if objective is not None or of_objective:
        raise ParameterError(f"{kind.__name__} goes by the measure alone: leave --objective, --alpha and --with out.")
    return {"measure": measure}


def _known_flags(kind: type[Ranker], flags: Mapping[str, Any]) -> dict[str, Any]:
    from riskrank.errors import ParameterError

    accepted = _accepted(kind)
    given = {parameter: value for parameter, value in flags.items() if value is not None}
    for parameter in given:
        if parameter not in accepted:
            raise ParameterError(f"{kind.__name__} has no {FLAGS[parameter]}.")
    return given


def _known_parameters(kind: type[Ranker], given: Mapping[str, Any]) -> Mapping[str, Any]:
    from riskrank.errors import ParameterError

    known = [parameter for parameter in _accepted(kind) if parameter not in NOT_SET]
    for parameter in given:
        if parameter not in known:
            raise ParameterError(f"{kind.__name__} has no parameter {parameter!r}; it has {', '.join(known)}.")
    return given


def baselines_from(texts: Sequence[str] | None) -> dict[str, OneBaseline]:
    """Baselines by name."""
    from riskrank.data.names import system_name
    from riskrank.errors import ParameterError, quoted

    named: dict[str, OneBaseline] = {}
    for text in texts or ():
        name = system_name(text)
        if name in named:
            raise ParameterError(f"two baselines are named {quoted(name)}.")
        named[name] = baseline_from(text)
    return named


def baseline_from(text: str) -> OneBaseline:
    """A model is loaded; everything else is read where the data are known."""
    from riskrank.rankers import load

    baseline: OneBaseline = load(text) if Path(text).is_dir() else text
    return baseline
