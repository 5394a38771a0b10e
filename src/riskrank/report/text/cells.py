"""The cells of an assessment's tables by name, whatever table they stand in; the baseline lacks most of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import p_text
from riskrank.report.text.formatting import decimals, optional, signed
from riskrank.report.text.wording import significance_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from riskrank.assessment.assessment import Assessment, AtAlpha, SystemSummary


def picked(names: Iterable[str], cells: Mapping[str, str]) -> list[str]:
    """The cells of some columns; those that are not known are empty."""
    return [cells.get(name, "") for name in names]


def change_titles(assessment: Assessment) -> dict[str, str]:
    """The columns of how far rankings moved, where that is known."""
    is_known = any(system.kendall_tau is not None for system in assessment.systems)
    return {"tau": "τ", "reranked": "re-ranked"} if is_known else {}


def change_cells(system: SystemSummary) -> dict[str, str]:
    """How far rankings moved."""
    return {"tau": optional(system.kendall_tau, "{:.3f}"), "reranked": optional(system.reranked, "{:.0%}")}


def effect_cells(system: SystemSummary) -> dict[str, str]:
    """Effectiveness and outcomes."""
    means = {"effectiveness": decimals(system.effectiveness), "geometric_mean": decimals(system.geometric_mean)}
    if system.is_baseline:
        return means
    return {
        **means, "gain": signed(system.gain), "risk": decimals(system.risk), "reward": decimals(system.reward),
        "wins": str(system.wins), "losses": str(system.losses), "ties": str(system.ties),
        "outcomes": f"{system.wins}/{system.losses}/{system.ties}", "large": str(system.large_losses),
        "cvar": decimals(system.cvar), **change_cells(system),
    }  # fmt: skip


def risk_cells(assessment: Assessment, system: SystemSummary, at: AtAlpha) -> dict[str, str]:
    """Risk at one alpha."""
    cells = {"alpha": f"{at.alpha:g}", "zrisk": decimals(at.zrisk, 3), "georisk": decimals(at.georisk)}
    if system.is_baseline:
        return {**cells, "verdict": "baseline"}
    return {
        **cells, "urisk": signed(at.urisk), "se": decimals(at.standard_error), "trisk": signed(at.trisk, 3),
        "t": p_text(at.p_value), "p": p_text(at.p_mirror), "holm": p_text(at.p_holm), "bh": p_text(at.p_bh),
        "mark": significance_mark(at, assessment), "verdict": at.verdict,
    }  # fmt: skip
