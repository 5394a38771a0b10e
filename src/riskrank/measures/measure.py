"""A measure is a value with a text form, as in ir_measures: ``nDCG@10``, ``P(rel=2)@5``, ``RBP(p=0.9)``.

Each measure is a frozen dataclass in a file of its own; its fields are its parameters. Registering it makes it
known to `parse_measure`, to the command line's help and to error messages. Packages outside register theirs
through the entry-point group ``riskrank.measures``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from riskrank.errors import MeasureError, UnknownMeasureError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.swaps import Swaps
    from riskrank.typing import Floats


@dataclass(frozen=True, repr=False, eq=False)
class Measure:
    """Base of all measures: a name, parameters and perhaps a cut-off."""

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_cutoff: ClassVar[bool] = False

    def per_topic(self, ranking: Ranking) -> Floats:
        """The measure's value for each topic of the judgments."""
        raise NotImplementedError

    def swaps(self, data: RankingData) -> Swaps:  # noqa: ARG002 (for those that can be optimised)
        """What swapping two documents changes, for training."""
        raise MeasureError(f"{self.name} cannot be optimised; choose one of {', '.join(optimisable())}.")

    def deepened(self, depth: int) -> Measure:  # noqa: ARG002 (for graded, discounted measures)
        """The same measure with a cut-off of at least `depth`, where that is a smoother form of the same aim."""
        return self

    def describe(self, judgments: Judgments) -> str:  # noqa: ARG002 (some measures depend on the source)
        """What is computed, in words, for table headings."""
        return self.summary

    @property
    def cutoff_or_none(self) -> int | None:
        """The cut-off, for measures that have one."""
        return getattr(self, "cutoff", None)

    def __post_init__(self) -> None:
        cutoff = self.cutoff_or_none
        if cutoff is None:
            if self.needs_cutoff:
                raise MeasureError(f"{self.name} needs a cut-off, for example {self.name}@10.")
        elif not isinstance(cutoff, int) or isinstance(cutoff, bool) or cutoff < 1:
            raise MeasureError(f"the cut-off of {self.name} must be a whole number from 1, got {cutoff!r}.")
        rel = getattr(self, "rel", None)
        if rel is not None and (not isinstance(rel, int | float) or rel <= 0):
            raise MeasureError(f"rel of {self.name} must be a grade above 0, got {rel!r}.")

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


M = TypeVar("M", bound=type[Measure])

MEASURES: dict[str, type[Measure]] = {}
_ALIASES: dict[str, tuple[str, Mapping[str, Any]]] = {}


def register(*aliases: str, **fixed: Any) -> Callable[[M], M]:
    """Make a measure known by its name and by aliases; an alias may fix parameters (WTA is Success@1)."""

    def add(measure: M) -> M:
        MEASURES[measure.name] = measure
        _ALIASES[measure.name.lower()] = (measure.name, {})
        for alias in aliases:
            _ALIASES[alias.lower()] = (measure.name, fixed.get(alias, {}))
        return measure

    return add


def optimisable() -> list[str]:
    """The names of the measures that a ranker can be trained for."""
    return sorted((name for name, m in MEASURES.items() if m.swaps is not Measure.swaps), key=str.lower)


def other_names(name: str) -> list[str]:
    """The aliases of a measure."""
    return sorted(alias for alias, (of, _) in _ALIASES.items() if of == name and alias != name.lower())


def parse_measure(text: str | Measure) -> Measure:
    """A measure from its text form, in any case, or by its trec_eval name.

    >>> parse_measure("ndcg_cut_10"), parse_measure("P(rel=2)@5"), parse_measure("map")
    (nDCG@10, P(rel=2)@5, AP)
    """
    if isinstance(text, Measure):
        return text
    try:
        name, parameters = _parts(str(text))
        return _known(str(text), name, parameters)
    except UnknownMeasureError:
        from riskrank.measures.through_ir_measures import from_ir_measures

        elsewhere = from_ir_measures(str(text))
        if elsewhere is None:
            raise
        return elsewhere


def _known(text: str, name: str, parameters: dict[str, Any]) -> Measure:
    """A measure of ours."""
    if name.lower() not in _ALIASES:
        _load_outside_measures()
    if name.lower() not in _ALIASES:
        raise UnknownMeasureError(
            f"unknown measure {quoted(text)}.{nearest(name, [*_ALIASES, *MEASURES])} "
            f"Known: {', '.join(sorted(MEASURES, key=str.lower))}."
        )
    canonical, fixed = _ALIASES[name.lower()]
    measure = MEASURES[canonical]
    accepted = {f.name for f in fields(measure)}
    if not set(parameters) <= accepted:
        raise UnknownMeasureError(
            f"{measure.name} has no parameter {quoted(min(set(parameters) - accepted))}; "
            f"it takes {', '.join(sorted(accepted)) or 'none'}."
        )
    return measure(**{**fixed, **parameters})


_TREC_FORM = re.compile(r"([A-Za-z][A-Za-z_]*?)[._]([0-9]+)")


def _parts(text: str) -> tuple[str, dict[str, Any]]:
    """The name and parameters in a measure's text form."""
    trec = _TREC_FORM.fullmatch(text.strip())
    if trec and len(trec[2]) < 10:
        return trec[1], {"cutoff": int(trec[2])}
    problem = UnknownMeasureError(
        f"cannot read the measure {quoted(text)}. Write it like nDCG@10, P(rel=2)@5 or nDCG(dcg='exp-log2')@20."
    )
    try:
        node: ast.expr = ast.parse(text.strip(), mode="eval").body
        parameters: dict[str, Any] = {}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            parameters["cutoff"] = ast.literal_eval(node.right)
            node = node.left
        if isinstance(node, ast.Call):
            if len(node.args) == 1 and not node.keywords and isinstance(node.func, ast.Name) and node.func.id == "GM":
                parameters["measure"] = ast.unparse(node.args[0]).replace(" ", "")
            elif node.args:
                raise problem
            parameters.update({k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg})
            node = node.func
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise problem from None
    if not isinstance(node, ast.Name):
        raise problem
    return node.id, parameters


def _load_outside_measures() -> None:
    from importlib.metadata import entry_points

    for entry in entry_points(group="riskrank.measures"):
        if entry.name.lower() not in _ALIASES:
            register(entry.name)(entry.load())
