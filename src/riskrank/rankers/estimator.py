"""scikit-learn's conventions, with or without scikit-learn."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from riskrank import rankers

if TYPE_CHECKING:
    from typing import Self


class _Parameters:
    """Parameters by name, as scikit-learn has them."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters."""
        for name, value in parameters.items():
            if name not in self._parameter_names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}.")
            setattr(self, name, value)
        return self


BaseEstimator = _Parameters
if not TYPE_CHECKING and rankers.are_estimators:
    with suppress(ImportError):
        from sklearn.base import BaseEstimator

__all__ = ["BaseEstimator"]
