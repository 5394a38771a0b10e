"""scikit-learn's conventions, with or without scikit-learn."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from riskrank import errors, rankers
from riskrank.errors import ParameterError, nearest
from riskrank.objectives.objective import Objective

if TYPE_CHECKING:
    from typing import Self


class _Parameters:
    """Parameters by name, as scikit-learn has them.

    Those of an objective, or of a ranker within, are called `objective__alpha`. Objectives are values: one with another
    parameter is another one.
    """

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls).parameters)

    def part(self, name: str) -> Any:
        """What a parameter stands for, where that may have parameters of its own."""
        return getattr(self, name)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor and, if `deep`, those of their values."""
        own = {name: getattr(self, name) for name in self._parameter_names()}
        within: dict[str, Any] = {}
        for name in own if deep else ():
            within |= {f"{name}__{inner}": value for inner, value in _parameters_of(self.part(name)).items()}
        return own | within

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; `objective__alpha=5` is the alpha of the objective."""
        known = self._parameter_names()
        within: dict[str, dict[str, Any]] = {}
        for given, value in parameters.items():
            name, nested, inner = given.partition("__")
            if name not in known:
                raise ParameterError(f"{type(self).__name__} has no parameter {given!r}.{nearest(name, known)}")
            if nested:
                within.setdefault(name, {})[inner] = value
        for name in known:
            if name in parameters:
                setattr(self, name, parameters[name])
        for name, inner_values in within.items():
            part = self.part(name)
            if isinstance(part, Objective):
                setattr(self, name, part.with_parameters(**inner_values))
            elif hasattr(part, "set_params"):
                part.set_params(**inner_values)
            else:
                raise ParameterError(f"{name} of this {type(self).__name__} has no parameters: it is {part!r}.")
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "card_")


def _parameters_of(part: Any) -> dict[str, Any]:
    if isinstance(part, Objective):
        return {name: getattr(part, name) for name in part.parameters()}
    if hasattr(part, "get_params") and not isinstance(part, type):
        inner: dict[str, Any] = part.get_params()
        return inner
    return {}


BaseEstimator = _Parameters
NotFittedError = errors.NotFittedError
if not TYPE_CHECKING and rankers.are_estimators:
    with suppress(ImportError):
        import sklearn.base
        import sklearn.exceptions

        class BaseEstimator(_Parameters, sklearn.base.BaseEstimator):
            """An estimator of scikit-learn, which may tell its tools what to hand on: query ids and baselines."""

            __metadata_request__fit: ClassVar = {"qid": True, "baseline": True}
            __metadata_request__score: ClassVar = {"qid": True, "baseline": True}

            def __sklearn_tags__(self) -> sklearn.utils.Tags:
                tags = super().__sklearn_tags__()
                tags.estimator_type = "ranker"
                tags.target_tags.required = True
                tags.input_tags.allow_nan = True
                tags.input_tags.sparse = True
                return tags

        class NotFittedError(errors.NotFittedError, sklearn.exceptions.NotFittedError):
            """scikit-learn's error and ours."""


__all__ = ["BaseEstimator", "NotFittedError"]
