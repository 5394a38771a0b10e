"""Logs as files: which layouts there are, which one a file has, and reading and writing in any of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from riskrank.clicks.logs.log_report import LogReport
from riskrank.data.files import HEAD, UTF8_BOM, opened
from riskrank.errors import FileError, ParameterError, one_line
from riskrank.files.writing import check_writable, new_file
from riskrank.parameters import one_of
from riskrank.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.logs.log_layout import LogLayout
    from riskrank.typing import PathLike

LAYOUTS: Registry[LogLayout] = Registry(
    "log layout",
    group="riskrank.log_layouts",
    own_name="name",
    homes={
        "2011": "riskrank.clicks.logs.yandex_layouts:YANDEX_2011",
        "2013": "riskrank.clicks.logs.yandex_layouts:YANDEX_2013",
        "table": "riskrank.clicks.logs.table_layout:TABLE",
    },
)


def read_log(
    paths: PathLike | Sequence[PathLike],
    *,
    layout: str | None = None,
    strict: bool = False,
    report: LogReport | None = None,
) -> Iterator[Impressions]:
    """Batches of a log, each of whole sessions, in memory that does not grow with it.

    Parameters
    ----------
    paths
        The log, in one or several files.
    layout
        A name in `LAYOUTS`, whose modules say what lies where (``"table"``: `riskrank.clicks.logs.table_layout`); by
        default that of each file.
    strict
        Stop at the first line that makes no sense.
    report
        Where lines, pages, clicks, and lines that make no sense are counted.
    """
    chosen = None if layout is None else _layout_named(layout)
    counted = LogReport() if report is None else report
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        yield from (chosen or detect_layout(path)).read(path, strict=strict, report=counted)


def write_log(batches: Iterable[Impressions], path: PathLike, *, layout: str | None = None) -> int:
    """Write a log, batch by batch, beside its place and then into it; returns how many pages it holds.

    Parameters
    ----------
    batches
        Result pages, whole sessions in each.
    path
        The file.
    layout
        A name in `LAYOUTS`; by default the one that the file's name ends like (.parquet or .csv: a table), else
        ``"2013"``. Where it is not known when documents were clicked, they are written down the page, the click that
        ends the session last, and dwell times are kept.
    """
    name = os.fspath(path)
    owner = _layout_of_name(name)
    chosen = (owner or LAYOUTS["2013"]) if layout is None else _layout_named(layout)
    if chosen.writable_endings and not name.endswith(chosen.writable_endings):
        raise FileError(path, f"must end in {' or '.join(chosen.writable_endings)} for a {chosen.name}.")
    if owner is not None and owner is not chosen:
        raise FileError(path, f"must not end like a {owner.name} in the layout {chosen.name}.")
    check_writable(path)
    with new_file(path) as file:
        written = chosen.write((batch for batch in batches if len(batch)), file, name=name)
        if not written:
            raise ParameterError("a log needs at least one result page.")
    return written


def detect_layout(path: PathLike) -> LogLayout:
    """The layout of a file: told by its name, else by its first bytes."""
    layout = _layout_of_name(os.fspath(path))
    if layout is not None:
        return layout
    with opened(path) as file:
        head = file.read(HEAD).removeprefix(UTF8_BOM)
    if not head.strip():
        raise FileError(path, "is empty.")
    for layout in LAYOUTS.values():
        if layout.detect(head):
            return layout
    shown = one_line(head[:60].decode(errors="replace"))
    raise FileError(path, f"is not a search log: {shown!r}. Known layouts: {', '.join(LAYOUTS)}.")


def _layout_of_name(name: str) -> LogLayout | None:
    for _ in range(2):  # other packages' only where none of ours is meant
        for layout in LAYOUTS.values():
            if name.endswith(layout.endings):
                return layout
        LAYOUTS.load_entry_points()
    return None


def _layout_named(name: str) -> LogLayout:
    if LAYOUTS.spelled(name) is None:
        one_of("layout", name, list(LAYOUTS))
    return LAYOUTS.named(name)
