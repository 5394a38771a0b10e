"""The page of an assessment, for one or several measures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.charts.catalogue import has_charts
from riskrank.report.page.document import document, in_frame
from riskrank.report.page.plain_page import plain_page, plain_part
from riskrank.report.page.section import LARGEST_ALPHA, assessed_section, figure
from riskrank.report.text.wording import heading, rivals, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.page.section import Figure
    from riskrank.report.page.top_documents import TopDocuments
    from riskrank.report.table import TitledTable

MOST_LINES = 40  # systems in the chart of GeoRisk


def assessment_page(
    assessments: Sequence[Assessment],
    *,
    rankings: TopDocuments | None = None,
    title: str = "",
    tables: Sequence[Sequence[TitledTable]] = (),
) -> str:
    """A self-contained page: verdict, systems, charts, every topic; tables and words where charts cannot be had.

    `tables` has further ones for each assessment.
    """
    more = tables or [()] * len(assessments)
    if not has_charts():
        return plain_page(assessments, tables=[titled for part in more for titled in part])
    first, *others = assessments
    sections = [
        assessed_section(
            each,
            cautions=each.cautions,
            words=[verdict(each)],
            heading=heading(each) if others else "",
            tables=part,
            first_figures=_figures(each),
            rankings=rankings,
        )
        for each, part in zip(assessments, more, strict=True)
    ]
    usual = f"{first.scores.measure} against {first.baseline}" if others else heading(first)
    return document(title or usual, sections)


def assessment_frame(assessment: Assessment) -> str:
    """An assessment as a notebook shows it."""
    return in_frame(assessment_page([assessment])) if has_charts() else plain_part(assessment)


def _figures(assessment: Assessment) -> list[Figure]:
    figures = []
    if rivals(assessment):
        figures.append(figure("risk-gain", assessment))
    has_georisk = not any(math.isnan(at.georisk) for system in assessment.systems for at in system.at)
    if has_georisk and 1 < len(assessment) <= MOST_LINES:
        figures.append(figure("georisk", assessment, largest_alpha=LARGEST_ALPHA))
    return figures
