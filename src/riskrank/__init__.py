"""Risk-sensitive ranking: measure, learn and choose rankers that do not hurt anyone's query.

Names are loaded when first used, so that ``import riskrank`` costs nothing; ``__init__.pyi`` says where each one lives.
"""

from __future__ import annotations

from functools import cache
from typing import Any

__version__ = "0.1.0"


@cache
def _homes() -> dict[str, str]:
    """The module of every public name, from the stub."""
    import ast
    from importlib.resources import files

    stub = ast.parse((files("riskrank") / "__init__.pyi").read_text(encoding="utf-8"))
    return {
        alias.name: str(statement.module)
        for statement in stub.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__all__":
        return sorted(_homes())
    if name.startswith("_") or name not in _homes():
        raise AttributeError(f"module 'riskrank' has no attribute {name!r}")
    home = _homes()[name]
    value = import_module(f"riskrank.{name}") if home == "riskrank" else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*sorted(_homes()), "__version__"]
