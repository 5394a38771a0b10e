"""Measures from their text forms: ours, and where ir_measures is installed, all that it knows."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from riskrank.errors import UnknownMeasureError, quoted
from riskrank.measures.measure import MEASURES, Measure, known_measure

if TYPE_CHECKING:
    from riskrank.typing import MeasureLike

INNER = "measure"  # the parameter of a measure around another one, which is written first and without its name: GM(AP)


def parse_measure(text: MeasureLike) -> Measure:
    """A measure from its text form, in any case, or by its trec_eval name.

    >>> parse_measure("ndcg_cut_10"), parse_measure("P(rel=2)@5"), parse_measure("map")
    (nDCG@10, P(rel=2)@5, AP)
    """
    if isinstance(text, Measure):
        return text
    try:
        return _measure_of_ours(str(text))
    except UnknownMeasureError:
        from riskrank.measures.through_ir_measures import from_ir_measures

        theirs = from_ir_measures(str(text))
        if theirs is None:
            raise
        return theirs


def _measure_of_ours(text: str) -> Measure:
    name, parameters = _parts(text)
    known = known_measure(name)
    if known is None:
        raise UnknownMeasureError(f"unknown measure {quoted(text)}.{MEASURES.suggestion(name)}")
    measure, fixed = known
    accepted = {f.name for f in fields(measure)}
    if INNER in parameters and INNER not in accepted:
        raise _unreadable(text)
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
    try:
        node: ast.expr = ast.parse(text.strip(), mode="eval").body
        parameters: dict[str, Any] = {}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            parameters["cutoff"] = ast.literal_eval(node.right)
            node = node.left
        if isinstance(node, ast.Call):
            if len(node.args) > 1:
                raise _unreadable(text)
            if node.args:
                parameters[INNER] = ast.unparse(node.args[0]).replace(" ", "")
            parameters.update({k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg})
            node = node.func
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _unreadable(text) from None
    if not isinstance(node, ast.Name):
        raise _unreadable(text)
    return node.id, parameters


def _unreadable(text: str) -> UnknownMeasureError:
    return UnknownMeasureError(
        f"cannot read the measure {quoted(text)}. Write it like nDCG@10, P(rel=2)@5 or nDCG(dcg='exp-log2')@20."
    )
