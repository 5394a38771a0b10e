"""How all pairs of systems are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.page.document import render
from riskrank.report.text.latex import plain_latex
from riskrank.report.text.pairs_text import pairs_table, pairs_text

if TYPE_CHECKING:
    from riskrank.assessment.all_pairs import AllPairs

__all__ = ["latex", "notebook", "page", "text"]

text = pairs_text


def latex(result: AllPairs) -> str:
    """A booktabs table of the pairs that differ significantly."""
    return plain_latex(pairs_table(result).table)


def notebook(result: AllPairs) -> str:
    """The text, as it is printed."""
    return render("text_lines.html", {"lines": pairs_text(result).splitlines()})


def page(result: AllPairs) -> str:
    """The text on a page of its own."""
    return render("text_page.html", {"lines": pairs_text(result).splitlines(), "title": "all pairs"}) + "\n"
