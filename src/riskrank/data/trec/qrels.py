"""Relevance judgments: which document got which grade for which topic."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from riskrank.data.frames import topic_table
from riskrank.data.tables.document_tables import check_no_table, is_document_table, read_document_table
from riskrank.data.trec.trec_lines import QRELS, read_trec_table
from riskrank.errors import counted

if TYPE_CHECKING:
    from riskrank.typing import QrelsLike


@dataclass(frozen=True, repr=False, eq=False)
class Qrels:
    """Judgments as a frame (topic, document, grade). Grades below 0 mean "not judged", as in trec_eval."""

    frame: pl.DataFrame

    @property
    def topics(self) -> tuple[str, ...]:
        """All judged topics, in natural order (2 before 10)."""
        return natural_order(self.frame["topic"].unique().to_list())

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        grades = self.frame["grade"].to_numpy()
        return (
            f"Qrels: {counted(self.frame['topic'].n_unique(), 'topic')}, {counted(len(self), 'judgment')}, "
            f"grades {grades.min():g} to {grades.max():g}"
        )


def read_qrels(source: QrelsLike) -> Qrels:
    """Judgments from a TREC or CSV file, a pandas or Polars frame, or ``{topic: {document: grade}}``.

    >>> read_qrels({"7": {"a": 2, "b": 0}})
    Qrels: 1 topic, 2 judgments, grades 0 to 2
    """
    if isinstance(source, Qrels):
        return source
    if isinstance(source, str | os.PathLike):
        if is_document_table(source):
            return Qrels(read_document_table(source, "grade"))
        check_no_table(source, "grade")
        frame = read_trec_table(source, QRELS)
        return Qrels(frame.with_columns(pl.col("grade").cast(pl.Float64)))
    return Qrels(topic_table(source, "grade", what="qrels"))


def natural_order(topics: list[str]) -> tuple[str, ...]:
    """Topics in the order people expect: whole numbers by value, then the rest by text.

    >>> natural_order(["10", "9", "b", "a"])
    ('9', '10', 'a', 'b')
    """

    def key(topic: str) -> tuple[int, int, str]:
        is_number = topic.isascii() and topic.isdigit() and len(topic) < 4000
        return (0, int(topic), topic) if is_number else (1, 0, topic)

    return tuple(sorted(topics, key=key))
