"""What `riskrank evaluate` prints: assessments, and what else was asked for, in each format."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.all_pairs import AllPairs
    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.topics_needed import TopicsNeeded
    from riskrank.report.table import TitledTable
    from riskrank.report.text.system_table import TextOptions


class Evaluation:
    """The assessments, one per measure; with all pairs, the topics needed, and every topic if asked for."""

    def __init__(self, assessments: Sequence[Assessment], *, all_pairs: bool, power: bool, per_topic: bool) -> None:
        self.assessments = assessments
        self._wants_pairs, self._wants_power, self._wants_topics = all_pairs, power, per_topic

    @cached_property
    def _pairs(self) -> list[AllPairs]:
        from riskrank.assessment.all_pairs import all_pairs

        return [all_pairs(each.scores, level=each.level) for each in self.assessments]

    @cached_property
    def _needed(self) -> list[list[TopicsNeeded]]:
        from riskrank.assessment.topics_needed import topics_needed

        return [topics_needed(each) for each in self.assessments]

    def data(self, form: str) -> str:
        """As json, csv or latex."""
        return {"json": self._json, "csv": self._csv, "latex": self._latex}[form]()

    def _json(self) -> str:
        """Assessments that riskrank reads back."""
        from riskrank.assessment.json import assessments_to_json, without_nan

        more: list[dict[str, Any]] = [{} for _ in self.assessments]
        for i, entries in enumerate(more):
            if self._wants_topics:
                entries["per_topic"] = without_nan(self.assessments[i].per_topic.to_dict(as_series=False))
            if self._wants_pairs:
                entries["all_pairs"] = self._pairs[i].to_dict()
            if self._wants_power:
                entries["topics_needed"] = [each.row() for each in self._needed[i]]
        return assessments_to_json(self.assessments, more=more)

    @property
    def cautions(self) -> list[str]:
        """What a reader of CSV would not see."""
        return list(dict.fromkeys(caution for each in self.assessments for caution in each.cautions))

    def _csv(self) -> str:
        """One table: of systems, topics, pairs, or the topics needed."""
        import polars as pl

        if self._wants_pairs:
            frames = [each.table for each in self._pairs]
        elif self._wants_power:
            names = [each.scores.measure for each in self.assessments]
            rows = [
                {"measure": measure, **each.row()}
                for measure, part in zip(names, self._needed, strict=True)
                for each in part
            ]
            frames = [pl.DataFrame(rows, infer_schema_length=None)]
        else:
            frames = [each.per_topic if self._wants_topics else each.summary for each in self.assessments]
        return pl.concat(frames, how="diagonal_relaxed").write_csv()

    def _latex(self) -> str:
        """The table of systems of each measure, then the others."""
        from riskrank.report.text.latex import plain_latex

        parts = [each.to_latex() for each in self.assessments]
        return "\n".join(parts + [plain_latex(titled.table) for part in self.tables for titled in part])

    def text(self, options: TextOptions, *, tables: bool, t_test: bool) -> str:
        """What a terminal shows: the first screen, or all numbers (also for p-values by Student's t)."""
        from riskrank.report.text.assessment_tables import assessment_tables, topics_table
        from riskrank.report.text.assessment_text import assessment_text, more_options
        from riskrank.report.text.power_text import power_text

        parts = []
        tables = tables or t_test
        for i, assessment in enumerate(self.assessments):
            if tables:
                parts.append(assessment_tables(assessment, bold=options.styled, t_test=t_test))
            else:
                parts.append(assessment_text(assessment, options, legend=i == len(self.assessments) - 1))
            if self._wants_power:
                parts.append(power_text(assessment, self._needed[i]))
            if self._wants_topics:
                parts += [topics_table(assessment, alpha=alpha) for alpha in assessment.alphas]
        if self._wants_pairs:
            parts += [str(each) for each in self._pairs]
        is_more = tables or self._wants_power or self._wants_topics or self._wants_pairs
        return "\n\n".join(parts if is_more else [*parts, more_options(self.assessments, options)])

    @property
    def tables(self) -> list[list[TitledTable]]:
        """All pairs and the topics needed, for each assessment."""
        from riskrank.report.text.pairs_text import pairs_table
        from riskrank.report.text.power_text import power_table

        tables: list[list[TitledTable]] = [[] for _ in self.assessments]
        for i, assessment in enumerate(self.assessments):
            if self._wants_pairs:
                tables[i].append(pairs_table(self._pairs[i]))
            if self._wants_power:
                tables[i].append(power_table(assessment, self._needed[i]))
        return tables


def text_options(*, all_systems: bool, sort: str, columns: str, styled: bool) -> TextOptions:
    """How the first screen is written, from what the options of a command say."""
    from riskrank.report.text.system_table import USUAL_COLUMNS, TextOptions

    names = tuple(name.strip() for name in columns.split(",") if name.strip()) or USUAL_COLUMNS
    return TextOptions(all_systems=all_systems, sort=sort, columns=names, styled=styled)
