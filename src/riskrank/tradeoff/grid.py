"""The models of a sweep: each a ranker with one parameter set to one value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import is_number
from riskrank.rankers.ranker import Ranker

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.typing import GridLike, RankersLike

SEVERAL = "value"  # the name of the column where series vary parameters of their own


@dataclass(frozen=True)
class Setting:
    """One model of a sweep, by the name of its series and the value of the parameter."""

    series: str
    parameter: str
    value: float

    @property
    def label(self) -> str:
        """For tables and charts."""
        return f"{self.series}, {self.value_label}"

    @property
    def value_label(self) -> str:
        """Only the value: ``α = 0.5``."""
        return f"{symbol(self.parameter)} = {all_digits(self.value)}"

    def place(self, folder: Path, fold: int) -> Path:
        """Where the model of a fold lies."""
        return folder / "models" / slug(self.series) / f"{self.parameter}={all_digits(self.value)}" / f"fold-{fold}"


def all_digits(value: float) -> str:
    """All digits of a value, and no more.

    >>> all_digits(5.0), all_digits(0.1), all_digits(1234567)
    ('5', '0.1', '1234567')
    """
    return repr(float(value)).removesuffix(".0")


def symbol(parameter: str) -> str:
    """A parameter as people write it: α for alpha."""
    return {"alpha": "α", "beta": "β"}.get(parameter, parameter)


def slug(name: str) -> str:
    """A name for a folder, from a user's words.

    >>> slug("URisk / my baseline")
    'urisk-my-baseline'
    """
    return re.sub(r"[^\w.=]+", "-", name.lower()).strip("-.") or "series"


def named_rankers(rankers: RankersLike) -> dict[str, Ranker]:
    """Rankers by the name of their series: the one given, else that of the objective or of the ranker."""
    named: dict[str, Any] = {}
    if isinstance(rankers, Mapping):
        named = {str(name): ranker for name, ranker in rankers.items()}
    else:
        for ranker in rankers if isinstance(rankers, list | tuple) else [rankers]:
            name = type(getattr(ranker, "own_objective", None) or ranker).__name__
            if name in named:
                raise ParameterError(f"two rankers would be called {name}: pass them as a dict, by names of your own.")
            named[name] = ranker
    if not named:
        raise ParameterError("a sweep needs at least one ranker.")
    for name, given in named.items():
        if not isinstance(given, Ranker):
            kind = given if isinstance(given, type | str) else type(given)
            raise ParameterError(f"{name} must be a ranker like LambdaMART(URisk('nDCG@10')), got {kind!r}.")
    if len({slug(name) for name in named}) < len(named):
        raise ParameterError("the names of the series are too much alike for folders of their own.")
    return named


def grid(
    rankers: Mapping[str, Ranker], parameter: str | Mapping[str, str], values: GridLike | Mapping[str, GridLike]
) -> dict[Setting, Ranker]:
    """A ranker for each series and value; `parameter` and `values` are the same for all series, or by their names."""
    parameters = parameter if isinstance(parameter, Mapping) else dict.fromkeys(rankers, parameter)
    grids = values if isinstance(values, Mapping) else dict.fromkeys(rankers, values)
    models = {}
    for name, ranker in rankers.items():
        for what, given in (("parameter", parameters), ("values", grids)):
            if name not in given:
                raise ParameterError(f"{what} must be given for every series; there is none for {name}.")
        for value in _values(parameters[name], grids[name]):
            models[Setting(name, parameters[name], value)] = with_value(ranker, parameters[name], value, name)
    return models


def _values(parameter: str, values: GridLike) -> list[float]:
    given = list(values) if isinstance(values, Iterable) else [values]
    if not given:
        raise ParameterError(f"a sweep needs at least one value of {parameter}.")
    for value in given:
        if not is_number(value):
            raise ParameterError(f"values of {parameter} must be numbers, got {value!r}.", parameter)
    return sorted({float(value) for value in given})


def common_parameter(settings: Iterable[Setting]) -> str:
    """The parameter that all series vary, or "value" if each has its own."""
    names = {setting.parameter for setting in settings}
    return names.pop() if len(names) == 1 else SEVERAL


def with_value(ranker: Ranker, parameter: str, value: float, name: str) -> Ranker:
    """A ranker like this one, with a parameter of its objective, or of its own, set to a value."""
    own = ranker.get_params(deep=False)
    objective: Any = ranker.own_objective
    of_objective = [] if objective is None else [field.name for field in fields(objective)]
    if parameter not in (*of_objective, *own):
        known = sorted({*of_objective, *own} - {"objective", "verbose"})
        raise ParameterError(f"{name} has no parameter {parameter!r}; it has {', '.join(known)}.")
    usual = getattr(objective, parameter) if parameter in of_objective else own[parameter]
    number = float(value) if isinstance(usual, float) or not float(value).is_integer() else int(value)
    if parameter in of_objective:
        return type(ranker)(**{**own, "objective": replace(objective, **{parameter: number})})
    return type(ranker)(**{**own, parameter: number})


def reference_model(settings: Sequence[Setting]) -> int:
    """The model that all others are seen against: of the first series, the one with the value nearest to 0."""
    first = [i for i, setting in enumerate(settings) if setting.series == settings[0].series]
    return first[int(np.argmin([abs(settings[i].value) for i in first]))]
