"""Logs written by hand, and prepared pages as frames."""

from __future__ import annotations

import polars as pl

from riskrank.clicks.features import FEATURES
from riskrank.clicks.log_splits import PARTS

NAMES = [feature.name for feature in FEATURES]
ALL = {"keep_unsatisfied": True, "history": 0}  # every page is written


def frames(prepared):
    return {
        part: pl.concat([pl.read_parquet(file) for file in sorted((prepared.folder / part).glob("*.parquet"))])
        for part, pages in prepared.parts.items()
        if pages
    }


def together(parts):
    """Train, valid and test one after the other; pages are numbered within their part."""
    return pl.concat([parts[part] for part in PARTS]).drop("page")


def contents(folder):
    """All files below a folder with their bytes."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def text_log(path, *sessions):
    """A log of 2013/14: sessions of (day, user, events), a query being (time, kind, page, query, documents)."""
    lines = []
    for number, (day, user, *events) in enumerate(sessions):
        lines.append(f"{number}\tM\t{day}\t{user}")
        for time, kind, page, *rest in events:
            if kind == "C":
                lines.append(f"{number}\t{time}\tC\t{page}\t{rest[0]}")
            else:
                query, documents = rest
                shown = "\t".join(f"{document},{document}" for document in documents)
                lines.append(f"{number}\t{time}\t{kind}\t{page}\t{query}\t{query}\t{shown}")
    path.write_text("\n".join(lines) + "\n")
    return path


def one_page(day, user, query, documents, clicked):
    """A session with a page and a click that satisfies."""
    return day, user, (0, "Q", 0, query, documents), (5, "C", 0, clicked)


def rows_of(frame, **wanted):
    return frame.filter(**wanted).rows(named=True)


def withheld_log(path):
    days = [one_page(day, user, 5, (1, 2), 1) for day in range(5) for user in (1, 2)]
    withheld = [(4, 1, (0, "Q", 0, 7, (1, 2)), (9, "C", 0, 2), (60, "T", 1, 7, (2, 3)))]
    early = [(3, 1, (0, "T", 0, 7, (2, 3)))]
    return text_log(path, *days[:8], *early, *days[8:], *withheld)
