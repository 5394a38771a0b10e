"""How an assessment is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.text.assessment_text import assessment_text
from riskrank.report.text.latex import latex_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.assessment.assessment import Assessment
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import QrelsLike, SystemLike

__all__ = ["latex", "notebook", "page", "text"]

text = assessment_text
latex = latex_table


def notebook(assessment: Assessment) -> str:
    """The finding, a small picture, and the first systems."""
    from riskrank.report.page.notebook_view import notebook_view

    return notebook_view(assessment)


def page(
    assessment: Assessment,
    *,
    qrels: QrelsLike | RankingData | None = None,
    runs: Mapping[str, SystemLike] | None = None,
) -> str:
    """A page; with judgments and runs, rankings stand side by side."""
    from riskrank.report.page.assessment_page import assessment_page
    from riskrank.report.page.explorer.top_documents import TopDocuments

    rankings = None if qrels is None or runs is None else TopDocuments(qrels, runs, assessment.scores.topics)
    return assessment_page([assessment], rankings=rankings)
