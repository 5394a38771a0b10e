"""Former names of keywords, which work for one release after they changed."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


def renamed(**keywords: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function take keywords by their former names too, with a warning: ``@renamed(old="new")``."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> T:
            for former in keywords.keys() & options.keys():
                name = keywords[former]
                if name in options:
                    raise TypeError(f"{function.__qualname__} got {name} and {former}, its former name.")
                message = f"{former}= of {function.__qualname__} is called {name}= now."
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                options[name] = options.pop(former)
            return function(*arguments, **options)

        return call

    return decorate
