"""From a log to prepared impressions: read once, then gone through in the order of time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.click_memory import BYTES, MEMORY, SMALLEST, SMOOTHING, ClickMemory
from riskrank.clicks.features import FEATURES, chosen_features
from riskrank.clicks.impressions import SATISFIED
from riskrank.clicks.log_splits import HISTORY, PARTS, LogSplits, check_split
from riskrank.clicks.logs.log_files import read_log
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.page_writer import WITHHELD, PageWriter
from riskrank.clicks.prepared import CARD, FORMAT, VERSION, Prepared
from riskrank.clicks.prepared_folder import prepared_folder
from riskrank.clicks.spill import NO_DAY, Spill
from riskrank.errors import FileError, ParameterError
from riskrank.files.outputs import check_no_input
from riskrank.files.scratch import scratch_folder
from riskrank.parameters import is_number, positive_share, whole
from riskrank.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.files.scratch import Scratch
    from riskrank.typing import PathLike, SplitKind


def prepare(
    log: PathLike | Sequence[PathLike],
    folder: PathLike,
    *,
    layout: str | None = None,
    satisfied: float = SATISFIED,
    grades: Sequence[float] | None = None,
    split: SplitKind = "time",
    shares: Sequence[float] = (2, 1, 1),
    boundary: int | None = None,
    history: float = 0.25,
    features: Sequence[str] | None = None,
    keep_unsatisfied: bool = False,
    sample: float = 1.0,
    sizes: Sequence[float] | None = None,
    smoothing: float = SMOOTHING,
    memory: int = MEMORY,
    strict: bool = False,
    random_state: int = 0,
    report: LogReport | None = None,
    verbose: bool | None = None,
) -> Prepared:
    """Turn a log into pages with features and grades, for training, validation and testing.

    Parameters
    ----------
    log, layout, strict, report
        See `riskrank.clicks.read_log`.
    folder
        An existing folder of prepared clicks is replaced when everything is done.
    satisfied, grades
        Units of time from which a click satisfies, as one that ends the session does; or several limits instead, as
        (50, 400) for the 2013/14 challenge.
    split, shares, boundary, history, random_state
        See `riskrank.clicks.log_splits.LogSplits`. Pages whose clicks are withheld go to a part of their own.
    features, smoothing
        Groups or names (default: all that the log can have), and how strongly their rates are smoothed.
    keep_unsatisfied, sample, sizes
        Pages without a satisfied click are left out, unless they are kept; of the others, those of a share of users (or
        sessions) are written, while all are remembered. `sizes` chooses the shares so that training, validation and
        test have about this many pages each, or all where there are fewer.
    memory, verbose
        Bytes for what is remembered, and whether progress is shown (default: on a terminal).
    """
    limits = _limits(satisfied if grades is None else grades)
    check_split(split, shares, history, boundary)
    _check(features, sample, sizes, random_state, memory)
    remembered = ClickMemory(smoothing=smoothing, most_bytes=memory)
    options: dict[str, Any] = {
        "limits": limits, "split": split, "shares": [*map(float, shares)], "boundary": boundary,
        "history": float(history), "sample": float(sample), "keep_unsatisfied": bool(keep_unsatisfied),
        "smoothing": float(smoothing), "random_state": int(random_state),
    }  # fmt: skip
    counted = LogReport() if report is None else report
    check_no_input(folder, [log] if isinstance(log, str | os.PathLike) else log)
    with prepared_folder(folder).changed() as change:
        with scratch_folder(Path(folder)) as scratch:
            spill = _spilled(log, layout, strict, scratch, counted, verbose)
            chosen = chosen_features(features, without=spill.lacking)
            writer = PageWriter(change, chosen, limits, keep_unsatisfied, _samples(sample), random_state)
            splits = LogSplits(spill, split, shares, history, random_state, boundary)
            options |= _sample_by_sizes(spill, splits, writer, sizes)
            _write_pages(spill, splits, remembered, writer, verbose)
        card = _card(spill, remembered, writer, counted) | options
        change.write(CARD, json.dumps(card, indent=1) + "\n")
    return Prepared(Path(os.path.realpath(folder)), card)


def _check(
    features: Sequence[str] | None, sample: float, sizes: Sequence[float] | None, random_state: int, memory: int
) -> None:
    """Refuse what cannot be, before anything is read."""
    chosen_features(features)
    positive_share("sample", sample)
    if sizes is not None:
        several = list(sizes) if isinstance(sizes, Iterable) else [sizes]
        if len(several) != len(PARTS) or not all(is_number(size) and size >= 1 for size in several):
            raise ParameterError(f"sizes must be three numbers of pages from 1, got {sizes!r}.", "sizes")
        if sample != 1:
            raise ParameterError("pass either a sample or sizes: both say how many pages are written.", "sizes")
    whole("random_state", random_state, 0)
    whole("memory", memory, SMALLEST * BYTES)


def _card(spill: Spill, memory: ClickMemory, writer: PageWriter, report: LogReport) -> dict[str, Any]:
    """What came of the log."""
    return {
        "format": FORMAT, "version": VERSION, "features": [FEATURES[column].name for column in writer.columns],
        "parts": writer.pages, "files": writer.files,
        "log": vars(report) | {"bad_lines": report.bad_lines[:20], "bad_files": report.bad_files[:20]},
        "days": len(spill.days) if spill.has_days else None, "without_day": spill.n_without_day,
        "remembered": memory.n_keys, "not_remembered": memory.n_lost,
    }  # fmt: skip


def _limits(given: float | Sequence[float]) -> list[float]:
    several = np.atleast_1d(np.asarray(given, dtype=object)).tolist()
    if not several or not all(is_number(limit) and limit >= 0 for limit in several) or (np.diff(several) <= 0).any():
        raise ParameterError(
            f"satisfied and grades must be numbers from 0 that rise, got {given!r}.", "satisfied", "grades"
        )
    return [float(limit) for limit in several]


def _spilled(
    log: PathLike | Sequence[PathLike], layout: str | None, strict: bool, scratch: Scratch, report: LogReport,
    verbose: bool | None,
) -> Spill:  # fmt: skip
    spill = Spill(scratch)
    with Progress("reading the log", 1, show=verbose) as bar:
        for batch in read_log(log, layout=layout, strict=strict, report=report):
            if len(batch):
                spill.add(batch)
            bar.say(f"{report.pages:,} pages")
    if not spill.pages:
        name = log if isinstance(log, str | os.PathLike) else next(iter(log), "the log")
        raise FileError(name, f"holds no result page ({report}).")
    return spill


def _samples(sample: float) -> dict[str, float]:
    return dict.fromkeys((*PARTS, WITHHELD), float(sample))


def _sample_by_sizes(
    spill: Spill, splits: LogSplits, writer: PageWriter, sizes: Sequence[float] | None
) -> dict[str, Any]:
    """Let the writer take so many pages of each part, if sizes are given; for the card, how many there are."""
    if sizes is None:
        return {}
    n_pages = _count_pages(spill, splits, writer)
    writer.samples |= {name: min(1.0, n / max(n_pages[name], 1)) for name, n in zip(PARTS, sizes, strict=True)}
    return {"before_sampling": n_pages}


def _count_pages(spill: Spill, splits: LogSplits, writer: PageWriter) -> dict[str, int]:
    """How many pages of each part could be written."""
    counts, n_done = np.zeros(len(PARTS), np.int64), 0
    for day in spill.days:
        for batch in spill.starting(day):
            parts = splits.parts(batch, n_done)
            counts += np.bincount(parts[writer.is_wanted(batch) & (parts != HISTORY)], minlength=len(PARTS))
            n_done += len(batch)
    return dict(zip(PARTS, counts.tolist(), strict=True))


def _write_pages(
    spill: Spill, splits: LogSplits, memory: ClickMemory, writer: PageWriter, verbose: bool | None
) -> None:
    """All pages in the order of time: features from what was remembered, then remembered themselves."""
    n_done, total = 0, sum(spill.pages[day] for day in spill.days)
    last_remembered = NO_DAY
    with Progress("features of pages", total, show=verbose) as bar:
        for day in spill.days:
            if spill.has_days:
                for batch in spill.ending(last_remembered, day - 1):
                    memory.remember(batch, batch.satisfied(writer.limits[0]))
                last_remembered = day - 1
            for batch in spill.starting(day):
                satisfied = batch.satisfied(writer.limits[0])
                parts = splits.parts(batch, n_done)
                if not spill.has_days:
                    writer.add(batch, memory.features_in_order(batch, satisfied), parts)
                elif (parts != HISTORY).any() or batch.is_withheld.any():
                    writer.add(batch, memory.features(batch, satisfied), parts)
                n_done += len(batch)
                bar.update(n_done)
    writer.close()
    empty = next((name for name in PARTS if not writer.pages[name]), None)
    if empty is not None:
        share = writer.samples[empty]
        less = "" if share == 1 else f", or the sample of {share:g} too small"
        raise ParameterError(f"no page is left for {empty}: the log is too small, or few clicks satisfy{less}.")
