"""Experiments of a paper run again: `reproduce`, and what it gives."""

from __future__ import annotations

import csv
import io
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from riskrank.errors import FileError, ParameterError
from riskrank.files.outputs import check_no_input, check_replaced
from riskrank.files.own_folder import check_unlisted
from riskrank.files.scratch import scratch_folder
from riskrank.files.writing import as_bytes, make_folders, written_together
from riskrank.papers.catalogue import PAPERS
from riskrank.papers.outcome import PaperNumber
from riskrank.papers.paper import Workplace
from riskrank.rendered import Rendered, shown_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from riskrank.papers.outcome import Outcome
    from riskrank.papers.paper import Experiment, Paper
    from riskrank.typing import PathLike

WORK = "work"  # what experiments keep, in the folder of a reproduction
SMALL = "-small"  # of files' names, so that a small version replaces nothing that took days


@dataclass(frozen=True, repr=False)
class Reproduction(Rendered):
    """A paper, and what came out of its experiments, by their keys."""

    view: ClassVar[str] = "reproduction"
    paper: Paper
    outcomes: Mapping[str, Outcome]
    small: frozenset[str] = frozenset()  # those that ran a small version, without the data that they need

    @property
    def page_name(self) -> str:
        """Of the file that holds the page: by its experiments, where they are not all of the paper's."""
        return page_name(self.paper, list(self.outcomes), is_small=bool(self.small))

    def save(self, folder: PathLike, *, overwrite: bool = False) -> list[Path]:
        """Write the page, and a CSV file of each experiment's numbers and curves; the page comes first.

        Files of another kind are only replaced by `overwrite`.
        """
        place = Path(folder)
        contents = {place / self.page_name: shown_as(self, "page")}
        for key, outcome in self.outcomes.items():
            contents[place / f"{self.paper.key}-{key}{SMALL * (key in self.small)}.csv"] = outcome_csv(outcome)
        for path, content in contents.items():
            check_unlisted(path)
            if not overwrite:
                check_replaced(path, as_bytes(content))
        make_folders(place)
        with written_together(contents):
            return list(contents)


def reproduce(
    paper: str,
    experiment: str | Sequence[str] | None = None,
    *,
    data: PathLike | None = None,
    folder: PathLike | None = None,
    verbose: bool | None = None,
    told: Callable[[Experiment, float], None] | None = None,
) -> Reproduction:
    """Run experiments of a paper again: all of them, or those that are named (``"table-3"``).

    Without `data` each runs a small version on embedded or generated data; with the reader's copy of the paper's data,
    its full protocol, which keeps what is finished in `folder` and goes on from there when called again. Data
    that an experiment cannot use are told before the first one runs; then `told` is called for each of them, with about
    how many seconds it takes (0: hardly any).

    >>> reproduce("dincer2016", "table-5", verbose=False).outcomes["table-5"].state
    'reproduced'
    """
    known = PAPERS.named(paper)
    keys = [experiment] if isinstance(experiment, str) else experiment
    chosen = known.experiments if keys is None else tuple(known.experiment(key) for key in keys)
    source = None if data is None else Path(data)
    if source is not None and not source.is_dir():
        raise FileError(source, "the data of a paper are a folder; none is here.")
    if source is not None and folder is not None:
        check_no_input(folder, [source])
    check_folder(folder)
    if source is not None and folder is None:
        raise ParameterError("the paper's full protocol takes long: give a folder for what is finished.", "folder")
    outcomes = {}
    with _work_folder(folder if source is not None else None) as place:
        work = Workplace(source, place, verbose, is_asked_for=keys is not None)
        seconds = {}
        for each in chosen:
            with _needs_told(each, source):
                seconds[each.key] = each.seconds(work)
        if told is not None:
            for each in chosen:
                told(each, seconds[each.key])
        for each in chosen:
            with _needs_told(each, source):
                outcomes[each.key] = each.run(work)
    small = frozenset(each.key for each in chosen if source is None and each.needs)
    return Reproduction(known, outcomes, small)


def check_folder(folder: PathLike | None) -> None:
    """Refuse a place for results that is no folder, before any work."""
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        raise FileError(folder, "is a file; results need a folder. Choose another place.")


@contextmanager
def _work_folder(folder: PathLike | None) -> Iterator[Path]:
    """For what experiments keep: in the folder that was given, or else in one that is gone afterwards."""
    if folder is not None:
        yield Path(folder) / WORK
        return
    with scratch_folder(Path(tempfile.gettempdir()) / "papers") as scratch:
        yield scratch.path


@contextmanager
def _needs_told(experiment: Experiment, source: Path | None) -> Iterator[None]:
    """What is wrong with a file of the reader's copy is told with what is needed, and where that is from."""
    try:
        yield
    except FileError as error:
        is_theirs = source is not None and source in (Path(error.path), *Path(error.path).parents)
        if not is_theirs or not experiment.needs or "Needed: " in error.reason:
            raise
        reason = f"{error.reason} Needed: {experiment.needs}."
        raise FileError(error.path, reason, line=error.line, is_newer=error.is_newer) from None


def page_name(paper: Paper, keys: Sequence[str], *, is_small: bool) -> str:
    """Of the page of some experiments."""
    is_whole = len(keys) == len(paper.experiments)
    return f"{'-'.join([paper.key, *([] if is_whole else keys)])}{SMALL * is_small}.html"


def outcome_csv(outcome: Outcome) -> str:
    """All numbers, points of curves and claims, a line each; of claims, `agrees` is the verdict."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["part", "row", "column", "ours", "printed", "agrees"])
    for table in outcome.tables:
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                if isinstance(cell, PaperNumber):
                    agrees = "" if cell.agrees is None else str(cell.agrees).lower()
                    printed = "" if cell.printed is None else cell.printed
                    lines.writerow([table.title, row.label, column, cell.ours, printed, agrees])
    for figure in outcome.figures:
        for series in figure.series:
            for x, y in zip(series.x, series.y, strict=True):
                lines.writerow([figure.title, series.name, x, y, "", ""])
    for claim in outcome.claims:
        lines.writerow(["claim", claim.text, "", claim.evidence, "", claim.verdict])
    return text.getvalue()
