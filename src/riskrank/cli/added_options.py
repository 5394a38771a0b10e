"""Options that a command has without naming each in its signature: they reach it as one value, or not at all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

Command = Callable[..., None]


def added_options(
    options: Mapping[str, Any], passed: Callable[[dict[str, Any]], dict[str, Any]]
) -> Callable[[Command], Command]:
    """Give a command options by their names and annotations; what it gets of their values is `passed` on by name."""

    def with_options(command: Command) -> Command:
        @wraps(command)
        def given(**arguments: Any) -> None:
            values = {name: arguments.pop(name) for name in options}
            command(**arguments, **passed(values))

        own = inspect.signature(command, eval_str=True).parameters.values()
        known = [each for each in own if each.name not in passed(dict.fromkeys(options))]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in options.items()
        ]
        given.__signature__ = inspect.Signature([*known, *added])  # type: ignore[attr-defined]
        given.__annotations__ = {each.name: each.annotation for each in [*known, *added]}
        return given

    return with_options
