"""Rankers and baselines as the commands' options describe them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any


def ranker_from(
    name: str,
    objective: str | None,
    measure: str,
    options: dict[str, Any],
    flags: dict[str, tuple[str, Any]],
    others: dict[str, Any],
) -> Any:
    """The ranker that the options ask for; an option that it does not have is refused."""
    import inspect

    from riskrank.errors import ParameterError
    from riskrank.objectives import objective_named
    from riskrank.rankers import RANKERS

    kind = RANKERS.named(name)
    accepted = inspect.signature(kind).parameters
    parameters: dict[str, Any] = {}
    if "objective" in accepted:
        parameters["objective"] = objective_named(objective or "gain", measure=measure, **options)
    elif objective is not None or options:
        raise ParameterError(f"{kind.__name__} goes by the measure alone: leave --objective, --alpha and --with out.")
    else:
        parameters["measure"] = measure
    for parameter, (flag, value) in flags.items():
        if value is not None and parameter not in accepted:
            raise ParameterError(f"{kind.__name__} has no {flag}.")
        if value is not None:
            parameters[parameter] = value
    for parameter, value in others.items():
        if parameter not in accepted or parameter in ("objective", "measure", "verbose"):
            known = ", ".join(each for each in accepted if each not in ("objective", "measure", "verbose"))
            raise ParameterError(f"{kind.__name__} has no parameter {parameter!r}; it has {known}.")
        parameters[parameter] = value
    if "engine" in accepted:
        from riskrank.rankers.trees.engine import engine_named

        engine_named(parameters.get("engine", "lightgbm")).quiet()
    return kind(**parameters)


def baselines_from(given: list[str] | None) -> Any:
    """Models are loaded; everything else is read where the data are known."""
    if not given:
        return None
    from riskrank.data.names import system_name
    from riskrank.errors import ParameterError, quoted
    from riskrank.rankers import load

    named: dict[str, Any] = {}
    for text in given:
        name = system_name(text)
        if name in named:
            raise ParameterError(f"two baselines are named {quoted(name)}.")
        named[name] = load(text) if Path(text).is_dir() else text
    return named


def named_values(given: list[str], option: str) -> dict[str, Any]:
    """NAME=VALUE with numbers, True and None read as such."""
    from riskrank.errors import ParameterError, quoted

    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{option} takes NAME=VALUE, got {quoted(text)}.")
        try:
            values[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            values[name.strip()] = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    return values
