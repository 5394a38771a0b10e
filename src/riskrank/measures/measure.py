"""A measure is a value with a text form, as in ir_measures: ``nDCG@10``, ``P(rel=2)@5``, ``RBP(p=0.9)``.

Each measure is a frozen dataclass in a file of its own; its fields are its parameters. Registering it makes it
known to `parse_measure`, to the command line's help and to error messages. Packages outside register theirs
through the entry-point group ``riskrank.measures``.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.tied_ranking import SHUFFLES, TiedRanking
from riskrank.parameters import positive, whole, without_numpy
from riskrank.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.typing import AggregateName, Floats


NEEDED: Any = None  # the default of a cut-off that must be given; None is refused


@dataclass(frozen=True, repr=False, eq=False)
class Measure:
    """Base of all measures: a name, parameters and perhaps a cut-off.

    A kind of measure defines its `name` and `summary`, and how it is computed: `per_topic` to evaluate by it,
    `swap_deltas` to train for it, or both. It may define more: a closed form of its mean over the orders of tied
    documents (`over_ties`; else they are shuffled), what headings say of it (`describe`), a cut-off that must be
    given (`needs_cutoff`), its `largest` value, and for one that only sums up another measure, which (`inner`) and
    how (`aggregate`). Fields of a kind are its parameters; `cutoff` and `rel`, where it has them, are checked here.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    aggregate: ClassVar[AggregateName] = "mean"  # how the values of all topics become one number
    largest: ClassVar[float] = math.inf  # value of a topic, if that is known; the least is 0
    needs_cutoff: ClassVar[bool] = False
    is_smoother_deeper: ClassVar[bool] = False  # graded and discounted: a deeper cut-off has the same aim

    def per_topic(self, ranking: Ranking) -> Floats:
        """The measure's value for each topic of the judgments."""
        raise NotImplementedError

    def over_ties(self, tied: TiedRanking) -> Floats:
        """The mean value of each tied topic over all orders of its tied documents; here by shuffles.

        Measures with a closed form override it.
        """
        total = np.zeros(tied.documents.judgments.n_topics)
        for ranking in tied.shuffles():
            total += self.per_topic(ranking)
        return total / SHUFFLES

    def expected(self, ranking: Ranking) -> Floats:
        """The value for each topic, or where scores of feature data are tied, its mean over the orders of the ties."""
        values = self.per_topic(ranking)
        if ranking.ties is None:
            return values
        is_tied = np.zeros(len(values), bool)
        is_tied[ranking.ties.topics] = True
        return np.where(is_tied, self.over_ties(ranking.ties), values)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """What swapping two documents changes, for training."""
        raise MeasureError(f"{self.name} cannot be optimised; choose one of {', '.join(optimisable())}.")

    @classmethod
    def is_optimisable(cls) -> bool:
        """Does it say what swaps change, so that a ranker can be trained for it?"""
        return cls.swap_deltas is not Measure.swap_deltas

    def deepened(self, depth: int) -> Measure:
        """The same measure with a cut-off of at least `depth`, where that is a smoother form of the same aim."""
        cutoff = self.cutoff_or_none
        is_deeper = self.is_smoother_deeper and cutoff is not None and cutoff < depth
        return type(self)(**{**vars(self), "cutoff": depth}) if is_deeper else self

    def describe(self, judgments: Judgments) -> str:
        """What is computed, in words, for table headings."""
        return self.summary

    @property
    def inner(self) -> Measure:
        """The measure that gives topics their values: another one, for a measure that only aggregates it."""
        return self

    @property
    def cutoff_or_none(self) -> int | None:
        """The cut-off, for measures that have one."""
        return getattr(self.inner, "cutoff", None)

    def __init_subclass__(cls) -> None:
        """Keep measures working that were written when `swap_deltas` was called `swaps`.

        A measure that only overrides the value of another one does not have its closed form over ties.
        """
        super().__init_subclass__()
        own = vars(cls)
        if "per_topic" in own and "over_ties" not in own:
            cls.over_ties = Measure.over_ties  # type: ignore[method-assign]  # as if the class had defined it
        renamed: dict[str, Callable[[Any, RankingData], SwapDeltas]] = {}
        if "swaps" in own and "swap_deltas" not in own:
            message = f"{cls.__name__}.swaps is called swap_deltas now, and Swaps is SwapDeltas."
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            renamed["swap_deltas"] = own["swaps"]
        elif "swap_deltas" in own:
            renamed["swaps"] = _renamed(own["swap_deltas"])
        for name, method in renamed.items():
            setattr(cls, name, method)

    def __post_init__(self) -> None:
        cutoff = self.cutoff_or_none
        if cutoff is None and self.needs_cutoff:
            raise MeasureError(f"{self.name} needs a cut-off, for example {self.name}@10.")
        if cutoff is not None:
            whole(f"the cut-off of {self.name}", cutoff, 1, error=MeasureError)
        rel = getattr(self, "rel", None)
        if rel is not None:
            positive(f"rel of {self.name}", rel, noun="grade", error=MeasureError)
            object.__setattr__(self, "rel", without_numpy(rel))  # not NumPy's, so that the text form can be read again

    def __str__(self) -> str:
        shown = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.name != "cutoff" and getattr(self, f.name) != f.default
        ]
        text = f"{self.name}({','.join(shown)})" if shown else self.name
        return text if self.cutoff_or_none is None else f"{text}@{self.cutoff_or_none}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _renamed(swap_deltas: Callable[[Any, RankingData], SwapDeltas]) -> Callable[[Any, RankingData], SwapDeltas]:
    def swaps(self: Measure, data: RankingData) -> SwapDeltas:
        warnings.warn("Measure.swaps is called swap_deltas now.", DeprecationWarning, stacklevel=2)
        return swap_deltas(self, data)

    return swaps


M = TypeVar("M", bound=type[Measure])

MEASURES: Registry[type[Measure]] = Registry("measure", group="riskrank.measures", own_name="name", exact=True)
_FIXED: dict[str, Mapping[str, Any]] = {}  # the parameters that an alias stands for


def register(*aliases: str, **fixed: Mapping[str, Any]) -> Callable[[M], M]:
    """Make a measure known by its name and by aliases; an alias may fix parameters (WTA is Success@1)."""

    def add(measure: M) -> M:
        MEASURES[measure.name] = measure
        for alias in (*aliases, *fixed):
            MEASURES.add_alias(alias, measure.name)
        _FIXED.update(fixed)
        return measure

    return add


def known_measure(name: str) -> tuple[type[Measure], Mapping[str, Any]] | None:
    """The registered measure that a name or alias stands for, in any case, and the parameters that the alias fixes."""
    spelled = MEASURES.spelled(name)
    return None if spelled is None else (MEASURES.named(spelled), _FIXED.get(spelled, {}))


def optimisable() -> list[str]:
    """The names of the measures that a ranker can be trained for."""
    return sorted((name for name, m in MEASURES.items() if m.is_optimisable()), key=str.lower)
