"""The headings of a sweep's page: each says what the picture or table below it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.sweeps.model_words import model_name, point_name
from riskrank.report.findings.sweeps.shown_gains import beats_random_use, has_gain, is_gain, leading_model
from riskrank.report.findings.words import counted, short_name

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep


def curve_heading(sweep: Sweep, point: OperatingPoint | None) -> str:
    """What the curve shows."""
    if point is not None and point.control is not None:
        if point.index is None:
            shown = "No gain" if point.control.is_safe.any() else "No model"
            return f"{shown} is shown to fit the budget"
        if is_gain(point):
            return f"Of what is shown to fit the budget, {point_name(point)} gains most"
        return f"{point_name(point)} is shown to fit the budget, but not to gain"
    reference = model_name(sweep, sweep.reference_model)
    gain = sweep.test.gain
    if not gain.max() > 0:
        return f"{reference} has no gain to trade" if len(sweep) == 1 else "No model has a gain to trade"
    if not gain[sweep.reference_model] > 0:
        return f"{model_name(sweep, int(gain.argmax()))} gains most, {reference} nothing"
    if not has_gain(sweep):
        return f"The gain of {reference} could be chance"
    if len(sweep) == 1:
        return f"{reference} against {short_name(sweep.baseline)}"
    leading = leading_model(sweep)
    if leading == sweep.reference_model:
        return f"No model is shown to risk less than {reference}"
    does = "gains" if beats_random_use(sweep, leading) else "is not shown to gain"
    return f"At its risk, {model_name(sweep, leading)} {does} more than {reference} used less often"


def large_losses_heading(name: str, n_large: int, n_queries: int, reference: str, n_reference: int | None) -> str:
    """How many queries lose much, with the reference model's beside them.

    >>> large_losses_heading("α = 10", 34, 1000, "α = 0", 71)
    'α = 10 cuts the queries that lose more than a fifth from 71 to 34'
    """
    if not n_large and not n_reference:
        return "No query loses more than a fifth"
    lose = f"{counted(n_large, 'query')} {'loses' if n_large == 1 else 'lose'} more than a fifth"
    if n_reference is None:
        return f"{n_large:,} of {n_queries:,} queries {'loses' if n_large == 1 else 'lose'} more than a fifth"
    if not n_large:
        return f"No query loses more than a fifth with {name} ({n_reference:,} with {reference})"
    if 2 * n_large <= n_reference:
        return f"{name} cuts the queries that lose more than a fifth from {n_reference:,} to {n_large:,}"
    return f"{lose} with {name} ({n_reference:,} with {reference})"


def hurt_heading(
    name: str, n_hurt: int, n_queries: int, reference: str, n_reference: int | None, *, is_less: bool
) -> str:
    """How many queries are hurt; `is_less`: by less in all.

    >>> hurt_heading("α = 10", 378, 1000, "α = 0", 370, is_less=True)
    'α = 10 hurts 378 of 1,000 queries, α = 0 hurts 370, but by more in all'
    """
    hurts = f"{name} hurts {n_hurt:,} of {n_queries:,} queries" if n_hurt else f"{name} hurts no query"
    if n_reference is None:
        return hurts
    less = ", but by more in all" if is_less and n_reference <= n_hurt else ""
    return f"{hurts}, {reference} hurts {n_reference:,}{less}"
