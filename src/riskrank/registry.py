"""Registries: things of one kind by their names, ours and those of other packages.

A package outside adds its own through the entry-point group of the kind, in its ``pyproject.toml``::

    [project.entry-points."riskrank.objectives"]
    mine = "my_package:MyObjective"
"""

from __future__ import annotations

import warnings
from collections import UserDict
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from riskrank.errors import ParameterError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


class _Home(str):
    """Where a thing is that was not loaded yet: ``"module"``, or ``"module:attribute"`` where its name is another."""


class Registry(UserDict[str, T]):
    """Things of one kind by name; those whose module is given (`homes`) are loaded when they are asked for.

    `kind` is what messages call them, `group` the entry-point group of other packages (None: they cannot add any),
    `own_name` the attribute that names such a package's thing (what the entry point calls it is an alias then). Names
    and aliases are matched in any case, and unless they are `exact`, with or without dashes and underscores.

    >>> planets: Registry[float] = Registry("planet", group="riskrank.planets")
    >>> planets["Mars"] = 0.11
    >>> planets.add_alias("red_planet", "Mars")
    >>> planets.named("mars"), planets.named("Red-planet")
    (0.11, 0.11)
    """

    data: dict[str, Any]  # a thing, or its home

    def __init__(
        self,
        kind: str,
        *,
        group: str | None = None,
        homes: Mapping[str, str] | None = None,
        own_name: str | None = None,
        exact: bool = False,
    ) -> None:
        super().__init__()
        self.data = {name: _Home(home) for name, home in (homes or {}).items()}
        self.kind = kind
        self.group = group
        self._own_name = own_name
        self._is_exact = exact
        self._aliases: dict[str, str] = {}

    def __getitem__(self, name: str) -> T:
        if isinstance(self.data[name], _Home):
            module, _, attribute = self.data[name].partition(":")
            self.data[name] = getattr(import_module(module), attribute or name)
        thing: T = self.data[name]
        return thing

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._aliases = {alias: of for alias, of in self._aliases.items() if of != name}

    def add_alias(self, alias: str, name: str) -> None:
        """Another name for what is known as `name`."""
        self._aliases[alias] = name

    def aliases(self, name: str) -> list[str]:
        """The other names of what is known as `name`."""
        return sorted(alias for alias, of in self._aliases.items() if of == name)

    def named(self, name: str) -> T:
        """By its name or alias as a user may spell it; other packages' are looked up last."""
        spelled = self.spelled(name)
        if spelled is None:
            raise ParameterError(f"unknown {self.kind} {quoted(name)}.{self.suggestion(name)}")
        return self[self._aliases.get(spelled, spelled)]

    def spelled(self, name: str) -> str | None:
        """The name or alias that a user means, as it was registered, or None."""
        spelled = self._spelled(name)
        if spelled is None:
            self.load_entry_points()
            spelled = self._spelled(name)
        return spelled

    def suggestion(self, name: str) -> str:
        """What to say to a user whose name is not known."""
        known = ", ".join(sorted(self, key=str.lower))
        return f"{nearest(name, [*self._aliases, *self])} Known: {known}."

    def load_entry_points(self) -> None:
        """Add what other packages offer: names that are known stay as they are, what is broken is told and left out."""
        from importlib.metadata import entry_points  # slow to load, and only needed for names that are not ours

        for entry in entry_points(group=self.group) if self.group else ():
            if self._spelled(entry.name) is None:
                try:
                    value = entry.load()
                    name = getattr(value, self._own_name) if self._own_name else entry.name
                except Exception as error:
                    message = f"the {self.kind} {quoted(entry.name)} of another package cannot be used ({error!r})."
                    warnings.warn(message, stacklevel=3)
                    continue
                if name not in self:
                    self[name] = value
                    if self._spelled(entry.name) is None:
                        self._aliases[entry.name] = name

    def _spelled(self, name: str) -> str | None:
        return {self._folded(known): known for known in (*self._aliases, *self)}.get(self._folded(name))

    def _folded(self, name: str) -> str:
        lowered = str(name).lower()
        return lowered if self._is_exact else lowered.replace("-", "").replace("_", "")
