"""How experiments of a paper are shown: ours beside the paper's, curves, claims and departures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.papers.reproduction_text import reproduction_text

if TYPE_CHECKING:
    from riskrank.papers.reproduction import Reproduction

__all__ = ["notebook", "page", "text"]

text = reproduction_text


def notebook(reproduction: Reproduction) -> str:
    """The text, in its own letters."""
    from riskrank.report.page.document import render

    return render("text_lines.html", {"lines": reproduction_text(reproduction).splitlines()})


def page(reproduction: Reproduction) -> str:
    """A self-contained page."""
    from riskrank.report.papers.reproduction_page import reproduction_page

    return reproduction_page(reproduction)
