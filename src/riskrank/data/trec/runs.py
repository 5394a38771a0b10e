"""Runs: what a system retrieved for each topic, with its scores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.cores import in_order, usable_cores
from riskrank.data.files import check_is_there
from riskrank.data.frames import topic_table
from riskrank.data.names import system_name
from riskrank.data.opening.remote_files import is_remote
from riskrank.data.tables.document_tables import check_no_table, is_document_table, read_document_table
from riskrank.data.trec.trec_lines import RUN, read_trec_table
from riskrank.errors import AlignmentError, counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from riskrank.typing import BaselineLike, RunLike, SystemsLike


@dataclass(frozen=True, repr=False, eq=False)
class Run:
    """One system's results as a frame (topic, document, score)."""

    name: str
    frame: pl.DataFrame

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"Run {self.name}: {counted(self.frame['topic'].n_unique(), 'topic')}, {counted(len(self), 'document')}"


def is_run_dict(source: SystemsLike | BaselineLike) -> bool:
    """Is it one run as ``{topic: {document: score}}``, rather than several things by name?

    >>> is_run_dict({"7": {"a": 2.5}}), is_run_dict({"bm25": {"7": {"a": 2.5}}}), is_run_dict({"bm25": "bm25.run"})
    (True, False, False)
    """
    inner = next(iter(source.values()), None) if isinstance(source, Mapping) else None
    return isinstance(inner, Mapping) and not any(isinstance(value, Mapping) for value in inner.values())


def read_run(source: RunLike, *, name: str | None = None) -> Run:
    """A run from a TREC or CSV file, a pandas or Polars frame, or ``{topic: {document: score}}``.

    >>> read_run({"7": {"a": 2.5, "b": 0.1}}, name="bm25")
    Run bm25: 1 topic, 2 documents
    """
    ((name, source),) = named_runs({name: source} if name is not None else [source]).items()
    if isinstance(source, Run):
        return Run(name, source.frame)
    if not isinstance(source, str | os.PathLike):
        return Run(name, topic_table(source, "score", what=f"run {quoted(name)}"))
    if is_document_table(source):
        return Run(name, read_document_table(source, "score"))
    check_no_table(source, "score")
    return Run(name, read_trec_table(source, RUN))


def read_runs(sources: Mapping[str, RunLike] | Sequence[RunLike]) -> dict[str, Run]:
    """Several runs by name."""
    return {run.name: run for run in runs_one_by_one(named_runs(sources))}


def runs_one_by_one(named: Mapping[str, RunLike]) -> Iterator[Run]:
    """Runs in their order; threads read ahead, by as many runs as there are cores."""
    return in_order(lambda name: read_run(named[name], name=name), named, usable_cores())


def named_runs(sources: Mapping[str, RunLike] | Sequence[RunLike]) -> dict[str, RunLike]:
    """Runs by name, before they are read; files that should be here are."""
    named = dict(sources) if isinstance(sources, Mapping) else _named_runs(sources)
    for source in named.values():
        if isinstance(source, str | os.PathLike) and not is_remote(source):
            check_is_there(source)
    return named


def _named_runs(sources: Sequence[RunLike]) -> dict[str, RunLike]:
    named: dict[str, RunLike] = {}
    for position, source in enumerate(sources, start=1):
        if isinstance(source, Run):
            name = source.name
        elif isinstance(source, str | os.PathLike):
            name = system_name(source)
        else:
            name = f"run{position}"
        if name in named:
            raise AlignmentError(f"two runs are named {quoted(name)}. Give names: {{'a': …, 'b': …}}.")
        named[name] = source
    return named
