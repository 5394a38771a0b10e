"""How a history of gates is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.gate_formats.gate_history_text import gate_history_text

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_history import GateHistory

__all__ = ["notebook", "page", "text"]

text = gate_history_text


def notebook(history: GateHistory) -> str:
    """The finding, the limits of which most is used, and the last releases."""
    from riskrank.report.page.gate.gate_history_page import gate_history_notebook

    return gate_history_notebook(history)


def page(history: GateHistory) -> str:
    """A self-contained page: the use of every limit, and every release."""
    from riskrank.report.page.gate.gate_history_page import gate_history_page

    return gate_history_page(history)
