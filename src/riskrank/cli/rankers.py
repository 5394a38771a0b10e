"""Rankers and baselines as the commands' options describe them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.cli.command import flags
from riskrank.cli.options import OF_RANKER, named_values
from riskrank.errors import ParameterError, quoted

if TYPE_CHECKING:
    import typer

    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import OneBaseline

NOT_SET = ("objective", "measure", "verbose")  # parameters that --set does not reach


def takes_objective(ranker: str) -> bool:
    """Does the ranker of this name optimise an objective, rather than a measure alone?"""
    from riskrank.rankers import RANKERS

    return "objective" in inspect.signature(RANKERS.named(ranker)).parameters


def ranker_from(
    context: typer.Context,
    ranker: str,
    *,
    objective: str | None,
    measure: str,
    alpha: float | None = None,
    with_: Sequence[str] | None = None,
    set_: Sequence[str] | None = None,
) -> Ranker:
    """A ranker by its name, with what --with and --set name, and the command's options that are `of_ranker`.

    Where they say nothing, the ranker's own defaults hold; what it does not have is refused.
    """
    from riskrank.rankers import RANKERS
    from riskrank.rankers.trees.engine import quiet_engines

    of_objective = named_values(with_, "--with") | ({} if alpha is None else {"alpha": alpha})
    of_ranker = named_values(set_, "--set")
    kind = RANKERS.named(ranker)
    accepted = list(inspect.signature(kind).parameters)
    parameters = _goal(kind, objective, measure, of_objective) | ranker_parameters(context)
    for name in parameters:
        if name not in accepted:
            raise ParameterError(f"{kind.__name__} has no {flags(context)[name]}.")
    settable = [name for name in accepted if name not in NOT_SET]
    for name in of_ranker:
        if name not in settable:
            raise ParameterError(f"{kind.__name__} has no parameter {name!r}; it has {', '.join(settable)}.")
    quiet_engines()
    made = kind(**(parameters | of_ranker))
    made.check_parameters()  # before anything is read
    return made


def ranker_parameters(context: typer.Context) -> dict[str, Any]:
    """What the options of a command that are `of_ranker` give; texts of NAME=VALUE become a dict."""
    given = context.meta.get(OF_RANKER, {}).items()
    return {name: named_values(v, flags(context)[name]) if isinstance(v, list) else v for name, v in given if v != []}


def _goal(kind: type[Ranker], objective: str | None, measure: str, of_objective: dict[str, Any]) -> dict[str, Any]:
    """What is optimised: an objective or, for rankers that take none, the measure."""
    from riskrank.objectives import objective_named

    if "measure" in of_objective:
        raise ParameterError("--with does not reach the measure: pass --measure.")
    if "objective" in inspect.signature(kind).parameters:
        return {"objective": objective_named(objective or "gain", measure=measure, **of_objective)}
    if objective is not None or of_objective:
        raise ParameterError(f"{kind.__name__} goes by the measure alone: leave --objective, --alpha and --with out.")
    return {"measure": measure}


def baselines_from(texts: Sequence[str] | None) -> dict[str, OneBaseline]:
    """Baselines by name."""
    from riskrank.data.names import system_name

    named: dict[str, OneBaseline] = {}
    for text in texts or ():
        name = system_name(text)
        if name in named:
            raise ParameterError(f"two baselines are named {quoted(name)}.")
        named[name] = baseline_from(text)
    return named


def baseline_from(text: str) -> OneBaseline:
    """A model from its folder; a feature, run or file of scores stays text until `baseline_scores` has the data."""
    from riskrank.rankers import load

    baseline: OneBaseline = load(text) if Path(text).is_dir() else text
    return baseline
