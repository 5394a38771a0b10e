"""Registries: things of one kind by their names, ours and those of other packages.

A package outside adds its own through the entry-point group of the kind, in its ``pyproject.toml``::

    [project.entry-points."riskrank.objectives"]
    mine = "my_package:MyObjective"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from riskrank.errors import ParameterError, nearest, quoted

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name; those given by their module's name are loaded when they are asked for.

    Names are matched in any case, with or without dashes and underscores.

    >>> planets: Registry[float] = Registry("planet", group="riskrank.planets")
    >>> planets["Mars"] = 0.11
    >>> planets.named("mars")
    0.11
    """

    def __init__(self, kind: str, *, group: str, homes: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.group = group
        self._known: dict[str, T] = {}
        self._homes = dict(homes or {})  # name → its module, or "module:attribute" where it has another name there

    def __setitem__(self, name: str, value: T) -> None:
        self._known[name] = value

    def __getitem__(self, name: str) -> T:
        if name not in self._known and name in self._homes:
            module, _, attribute = self._homes[name].partition(":")
            self._known[name] = getattr(import_module(module), attribute or name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in self._homes  # nothing is loaded to know

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._homes, *self._known]))

    def __len__(self) -> int:
        return len({*self._homes, *self._known})

    def named(self, name: str) -> T:
        """By its name as a user may spell it; other packages' are looked up last."""
        spelled = self._spelled(name)
        if spelled is None:
            self.load_entry_points()
            spelled = self._spelled(name)
        if spelled is None:
            known = ", ".join(sorted(self, key=str.lower))
            raise ParameterError(f"unknown {self.kind} {quoted(name)}.{nearest(name, list(self))} Known: {known}.")
        return self[spelled]

    def load_entry_points(self) -> None:
        """Add what other packages offer; names that are known stay as they are."""
        for entry in entry_points(group=self.group):
            if self._spelled(entry.name) is None:
                self._known[entry.name] = entry.load()

    def _spelled(self, name: str) -> str | None:
        return {_folded(known): known for known in self}.get(_folded(name))


def _folded(name: str) -> str:
    return str(name).lower().replace("-", "").replace("_", "")
