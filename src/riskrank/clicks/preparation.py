"""From a log to prepared impressions: read once, then gone through in the order of time."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.click_memory import BYTES, MEMORY, SMALLEST, SMOOTHING, ClickMemory
from riskrank.clicks.features import FEATURES, chosen_features
from riskrank.clicks.hashing import hashed
from riskrank.clicks.impressions import SATISFIED, Impressions, joined
from riskrank.clicks.log_splits import HISTORY, PARTS, Splits, check_split
from riskrank.clicks.logs.log_files import read_log
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.prepared import CARD, FORMAT, VERSION, Prepared
from riskrank.clicks.spill import NO_DAY, Spill
from riskrank.data.files import umask, write_atomically
from riskrank.errors import FileError, ParameterError
from riskrank.parameters import is_number, whole
from riskrank.progress import Progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

WITHHELD = "withheld"
DOCUMENTS_IN_FILE = 500_000


def prepare(
    log: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    layout: str | None = None,
    satisfied: float = SATISFIED,
    grades: Sequence[float] | None = None,
    split: str = "time",
    shares: Sequence[float] = (2, 1, 1),
    history: float = 0.25,
    features: Sequence[str] | None = None,
    keep_unsatisfied: bool = False,
    sample: float = 1.0,
    smoothing: float = SMOOTHING,
    memory: int = MEMORY,
    strict: bool = False,
    random_state: int = 0,
    report: LogReport | None = None,
    verbose: bool | None = None,
) -> Prepared:
    """Turn a log into pages with features and grades, for training, validation and testing.

    `satisfied`: units of time from which a click satisfies, as one that ends the session does; `grades`: several
    limits instead, as (50, 400) for the 2013/14 challenge. `split`, `shares`, `history`: see
    `riskrank.clicks.log_splits.Splits`. `features`: groups or names (default: all that the log can have). Pages without
    a satisfied click are left out unless `keep_unsatisfied`; `sample`: the share of users (or sessions) whose pages are
    written, while all are remembered. `memory`: bytes for what is remembered. Pages whose clicks are withheld go to a
    part of their own. An existing folder of prepared clicks is replaced when everything is done.
    """
    limits = _limits(satisfied if grades is None else grades)
    if not (is_number(sample) and 0 < sample <= 1):
        raise ParameterError(f"sample must be a number above 0, up to 1, got {sample!r}.")
    whole("random_state", random_state, 0)
    whole("memory", memory, SMALLEST * BYTES)
    check_split(split, shares, history)
    wanted = [features] if isinstance(features, str) else features
    chosen_features(wanted)
    past = ClickMemory(smoothing=smoothing, most_bytes=memory)
    found = LogReport() if report is None else report
    target = Path(os.path.realpath(folder))
    check_target(target, folder)
    made = [each for each in (target.parent, *target.parent.parents) if not each.exists()]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be written ({error.strerror or error}).") from None
    work = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        (work / "log").mkdir()
        spill = _spilled(log, layout, strict, found, Spill(work / "log"), verbose)
        if not spill.pages:
            raise FileError(_name(log), f"holds no result page ({found}).")
        parts = Splits(spill, split, shares, history, random_state)
        columns = chosen_features(wanted, without=spill.lacking)
        writer = _Writer(work, columns, limits, keep_unsatisfied, sample, random_state)
        _go_through(spill, parts, past, writer, verbose)
        writer.close()
        if not all(writer.pages[name] for name in PARTS):
            empty = next(name for name in PARTS if not writer.pages[name])
            less = "" if sample == 1 else f", or the sample of {sample:g} too small"
            raise ParameterError(f"no page is left for {empty}: the log is too small, or few clicks satisfy{less}.")
        card = {
            "format": FORMAT, "version": VERSION, "features": [FEATURES[column].name for column in columns],
            "parts": writer.pages, "files": writer.files, "log": _plain(found),
            "days": len(spill.days) if spill.has_days else None, "without_day": spill.n_without_day,
            "limits": limits, "split": split,
            "shares": [float(share) for share in shares], "history": float(history), "sample": float(sample),
            "keep_unsatisfied": bool(keep_unsatisfied), "smoothing": past.smoothing, "random_state": int(random_state),
            "remembered": past.n_keys, "not_remembered": past.n_lost,
        }  # fmt: skip
        write_atomically(work / CARD, json.dumps(card, indent=1) + "\n")
        shutil.rmtree(work / "log")
        work.chmod(0o777 & ~umask())
        _replace(target, work)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        for each in made:  # the deepest first
            if each.is_dir() and not any(each.iterdir()):
                each.rmdir()
        raise
    return Prepared(target, card)


def check_target(target: Path, given: str | os.PathLike[str]) -> None:
    """Refuse a place that holds something else."""
    if target.exists() and not target.is_dir():
        raise FileError(given, "is a file; prepared clicks are a folder.")
    if target.is_dir():
        content = {each.name for each in target.iterdir()}
        if content and (CARD not in content or not content <= {CARD, *PARTS, WITHHELD}):
            raise FileError(given, "exists and holds something else than prepared clicks. Choose another place.")
        if content:
            Prepared.open(target)


def _replace(target: Path, new: Path) -> None:
    """Put a folder into its place; what was there goes only when the new one stands."""
    old = new.with_name(new.name + ".old")
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _plain(report: LogReport) -> dict[str, Any]:
    return vars(report) | {"bad_lines": report.bad_lines[:20], "bad_files": report.bad_files[:20]}


def _limits(given: Any) -> list[float]:
    several = list(given) if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) else [given]
    if not several or not all(is_number(limit) and limit >= 0 for limit in several) or (np.diff(several) <= 0).any():
        raise ParameterError(f"satisfied and grades must be numbers from 0 that rise, got {given!r}.")
    return [float(limit) for limit in several]


def _name(log: Any) -> Any:
    return log if isinstance(log, str | os.PathLike) else next(iter(log), "the log")


def _spilled(
    log: Any, layout: str | None, strict: bool, report: LogReport, spill: Spill, verbose: bool | None
) -> Spill:
    with Progress("reading the log", 1, show=verbose) as bar:
        for part in read_log(log, layout=layout, strict=strict, report=report):
            if len(part):
                spill.add(part)
            bar.say(f"{report.pages:,} pages")
    return spill


def _go_through(spill: Spill, parts: Splits, past: ClickMemory, writer: _Writer, verbose: bool | None) -> None:
    """All pages in the order of time: features from what was remembered, then remembered themselves."""
    first, total = 0, sum(spill.pages[day] for day in spill.days)
    remembered = NO_DAY  # the last day whose sessions are
    with Progress("features of pages", total, show=verbose) as bar:
        for day in spill.days:
            if spill.has_days:
                for part in spill.ended(remembered, day - 1):
                    past.remember(part, part.satisfied(writer.limits[0]))
                remembered = day - 1
            for part in spill.begun(day):
                graded = part.satisfied(writer.limits[0])
                where = parts.parts(part, first)
                if not spill.has_days:
                    writer.add(part, past.features_in_order(part, graded), where)
                elif (where != HISTORY).any() or part.is_test.any():
                    writer.add(part, past.features(part, graded), where)
                first += len(part)
                bar.update(first)


@dataclass
class _Writer:
    """Pages of each part, gathered into files of a good size."""

    folder: Path
    columns: list[int]
    limits: list[float]
    keep_unsatisfied: bool
    sample: float
    random_state: int
    pages: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))

    def __post_init__(self) -> None:
        self._waiting: dict[str, list[tuple[Impressions, NDArray[np.float32]]]] = {}
        self.files: dict[str, int] = {}

    def add(self, part: Impressions, features: NDArray[np.float32], where: NDArray[np.int64]) -> None:
        """Sort the pages of a stretch into their parts."""
        grade = part.grades(self.limits)
        best = np.maximum.reduceat(grade, part.document_offset[:-1])
        owner = np.where(part.user >= 0, part.user, part.session)
        kept = hashed(owner, 0, salt=211 + self.random_state) < self.sample
        good = kept & ((best > 0) | self.keep_unsatisfied)
        for number, name in enumerate(PARTS):
            self._take(name, part, features, good & ~part.is_test & (where == number))
        self._take(WITHHELD, part, features, kept & part.is_test)

    def _take(self, name: str, part: Impressions, features: NDArray[np.float32], chosen: NDArray[np.bool_]) -> None:
        if not chosen.any():
            return
        rows = np.repeat(chosen, np.diff(part.document_offset))
        self._waiting.setdefault(name, []).append((part.take(chosen), features[rows][:, self.columns]))
        if sum(len(matrix) for _, matrix in self._waiting[name]) >= DOCUMENTS_IN_FILE:
            self._write(name)

    def close(self) -> None:
        """Write what is waiting."""
        for name in list(self._waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        import polars as pl

        waiting = self._waiting.pop(name, [])
        part, features = joined([pages for pages, _ in waiting]), np.concatenate([matrix for _, matrix in waiting])
        page = part.page
        first = self.pages.get(name, 0)
        frame = pl.DataFrame(
            {
                "page": first + 1 + page, "session": part.session[page], "user": part.user[page],
                "day": part.day[page], "query": part.query[page], "document": part.document,
                "position": part.position.astype(np.int32), "dwell": part.dwell,
                "grade": part.grades(self.limits).astype(np.int8),
                **{FEATURES[column].name: features[:, k] for k, column in enumerate(self.columns)},
            }
        )  # fmt: skip
        (self.folder / name).mkdir(exist_ok=True)
        frame.write_parquet(self.folder / name / f"{self.files.get(name, 0):05d}.parquet")
        self.files[name] = self.files.get(name, 0) + 1
        self.pages[name] = first + len(part)
