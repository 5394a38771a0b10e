"""The report of an assessment, for one or several measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.page.document import report
from riskrank.report.page.measure_part import measure_part
from riskrank.report.page.method_notes import CORRECTIONS, TESTS
from riskrank.report.page.table_exports import EXPORTS
from riskrank.report.text.wording import heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.page.explorer.top_documents import TopDocuments
    from riskrank.report.table import TitledTable


def assessment_page(
    assessments: Sequence[Assessment],
    *,
    rankings: TopDocuments | None = None,
    title: str = "",
    source: str = "",
    tables: Sequence[Sequence[TitledTable]] = (),
) -> str:
    """A self-contained page: one finding, one picture, one table, every topic; the rest on demand.

    `source` names the file with the judgments or scores; `tables` has further ones for each assessment.
    """
    more = tables or [()] * len(assessments)
    parts = [
        measure_part(each, i, rankings=rankings, tables=part, others=[*assessments[:i], *assessments[i + 1 :]])
        for i, (each, part) in enumerate(zip(assessments, more, strict=True))
    ]
    first = assessments[0]
    usual = f"{first.scores.measure} against {first.baseline}" if len(assessments) > 1 else heading(first)
    footer = f"Intervals and tests: {TESTS[first.test]}; {CORRECTIONS[first.correction]}"
    context = parts[0].context if len(parts) == 1 else parts[0].context[1:]
    return report(
        "assessment_report.html",
        title=title or usual,
        context=[*context, source],
        footer=footer,
        parts=parts,
        exports=EXPORTS,
    )
