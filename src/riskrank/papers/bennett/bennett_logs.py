"""The three logs of Bennett et al. 2015: what is done with each, in a reader's folder or on a synthetic log."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from riskrank.clicks.impressions import GRADES_2014
from riskrank.clicks.logs.log_files import detect_layout, write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.prepared import CARD, Prepared
from riskrank.clicks.simulator import PER_SESSION, World
from riskrank.cores import usable_cores
from riskrank.data.files import is_packed, opened
from riskrank.data.fingerprints import json_digest
from riskrank.errors import FileError, ParameterError, listing
from riskrank.files.writing import make_folders
from riskrank.tradeoff.clicks.careful_use import careful_rows
from riskrank.tradeoff.clicks.click_sweep import MOST_IN_LEAF, PAPER, ClickSweep, click_sweep
from riskrank.tradeoff.clicks.click_table import click_table
from riskrank.tradeoff.training.train_model import FINISHED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from riskrank.papers.paper import Workplace
    from riskrank.tradeoff.clicks.click_table import ClickRow

NEEDS = (
    "the click log of Yandex's Relevance Prediction Challenge 2011/12 (imat-relpred.yandex.ru) or the file train of "
    "its Personalized Web Search Challenge 2013/14 (kaggle.com), or both, unpacked or gzipped, in one folder"
)
NO_SCORES = "the log has no scores of the search engine, which are a feature in the paper: its order alone is one"
SESSION, USER = ("presented", "session", "similarity"), ("presented", "session", "similarity", "user")


@dataclass(frozen=True)
class ClickScale:
    """How much is done: pages of a synthetic log (None: the reader's log), grids, and parameters of the trees."""

    pages: int | None
    grids: Mapping[str, Any]
    trees: Mapping[str, Any]

    @property
    def n_models(self) -> int:
        """Of all series."""
        return sum(map(len, self.grids.values()))


# §3: α = 1, and the values of β and α_risk; §3.2: 500 trees of 10 leaves with 2,000 documents, pruned by validation.
FULL = ClickScale(None, {**PAPER, "both_alphas": ()}, {"n_trees": 500, "early_stopping": 500, "min_docs_in_leaf": 2000})
SMALL = ClickScale(
    20_000,  # by the rule of docs/papers.md
    {
        "alphas": (0, 0.2, 0.5, 1, 2, 5, 10), "betas": (0.01, 0.05, 0.1, 0.2, 0.4, 0.7, 1),
        "lowest_betas": (0.5, 1, 1.5, 2), "both_alphas": (),
    },
    {"n_trees": 40, "early_stopping": 40},
)  # fmt: skip


@dataclass(frozen=True)
class PaperLog:
    """One of the logs: how it is split, sampled and judged (§3.1, §4).

    `layout`: of the reader's file, None for a log that is not public. `n_lines`: of the whole log, where they are
    published. A synthetic log in its place is written in `synthetic_layout`, so that it has what the log has.
    """

    key: str
    name: str
    measure: str
    layout: str | None
    options: Mapping[str, Any]
    sizes: tuple[int, int, int]
    boundary: int | None = None
    n_lines: int | None = None
    departures: tuple[str, ...] = ()
    synthetic_layout: str = "table"


BING = PaperLog(
    "bing", "Bing", "AP", None, {"split": "time", "shares": (1, 1, 1)}, (449_000, 444_000, 443_000),
)  # fmt: skip
WSCD_12 = PaperLog(
    "wscd12", "WSCD ’12", "AP", "2011",
    {"split": "session", "shares": (1, 1, 1), "history": 0.0, "features": SESSION}, (593_000, 591_000, 592_000),
    boundary=30_000_000, n_lines=340_796_067, synthetic_layout="2011",
    departures=(
        NO_SCORES,
        "a click satisfies from 30 of the log's units of time on; how long a unit is was never disclosed",
        "sessions below the boundary are drawn at random for training or validation, half of them each: §4 does not "
        "say how they were",
    ),
)  # fmt: skip
WSCD_14 = PaperLog(
    "wscd14", "WSCD ’14", "nDCG@10", "2013",
    {"split": "user", "shares": (2, 1, 1), "history": 0.0, "features": USER, "grades": GRADES_2014},
    (1_310_000, 654_000, 654_000), synthetic_layout="2013",
    departures=(
        NO_SCORES,
        "users are drawn at random for training, validation or test: §4 does not say where they were divided",
        "gains have three grades, and a higher one is always preferred: the paper's preferences know two",
    ),
)  # fmt: skip
ON_ALL = (
    "features are riskrank's own for refinding, personal navigation and similar queries (riskrank clicks features): "
    "those of the papers that §4 cites are not all described",
    "the trees kept are those up to the best of the validation queries, and lambdas of a query are scaled as LightGBM "
    "does: the paper does not say how it pruned",
)
GRID = "§3.2 has no α between 1 and 2, but Table 2 prints 1.6 and 1.7; the grid of §3.2 is used"


@dataclass(frozen=True)
class ClickStudy:
    """What came of a log: the models, the rows of Table 2 with two more, and what differs from the paper."""

    log: PaperLog
    sweep: ClickSweep
    rows: Mapping[str, ClickRow]
    data: str
    is_full: bool
    departures: tuple[str, ...]


def log_files(folder: Path) -> dict[str, list[Path]]:
    """The logs in a reader's folder, by layout; at least one is there, and none ends within a line."""
    by_layout: dict[str, list[Path]] = {}
    others = []
    for file in sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")):
        with opened(file) as content:  # what is packed badly is told, not passed over
            content.read(1)
        try:
            layout = detect_layout(file).name
        except FileError:
            layout = ""
        if layout not in ("2011", "2013"):
            others.append(f"{file.name} (a {layout})" if layout else file.name)
        elif not file.name.startswith("test"):  # sessions of the second challenge whose clicks are withheld
            by_layout.setdefault(layout, []).append(file)
    if not by_layout:
        held = f"it holds {listing(others, limit=4)}" if others else "it is empty"
        raise FileError(folder, f"has no search log of either challenge; {held}. Needed: {NEEDS}.")
    for file in (file for files in by_layout.values() for file in files):
        _check_end(file)
    return by_layout


def click_study(log: PaperLog, work: Workplace) -> ClickStudy:
    """The paper's protocol on the reader's log, or a small version on a synthetic one; goes on where it stopped."""
    own = _own_files(log, work)
    scale = FULL if own else SMALL
    place = _place(log, scale, own, work)
    prepared = _prepared(log, scale, own, place, work.verbose)
    if own:
        _check_whole(log, own[0], prepared)
    sweep = click_sweep(
        prepared, **scale.grids, risk_measure=log.measure, measure=log.measure, measures=[log.measure],
        folder=place / "models", verbose=work.verbose, **scale.trees,
    )  # fmt: skip
    rows = [*click_table(sweep), *careful_rows(sweep, prepared.read("valid"), prepared.read("test"))]
    pages = " / ".join(f"{prepared.parts[part]:,}" for part in ("train", "valid", "test"))
    data = f"{log.name}, {pages} pages" if own else f"a synthetic log in place of {log.name}’s, {pages} pages"
    departures = (*log.departures, *ON_ALL, GRID) if own else _small_departures(log, scale, work)
    n_lost = prepared.card["not_remembered"]
    if n_lost:
        departures += (f"{n_lost:,} counts of earlier sessions did not fit into memory",)
    return ClickStudy(log, sweep, {row.method: row for row in rows}, data, bool(own), departures)


def _own_files(log: PaperLog, work: Workplace, *, is_needed: bool = True) -> list[Path]:
    """Those of the reader's files that are of a log; none may be there where others may stand in for it."""
    files = {} if work.data is None else log_files(work.data)
    own = files.get(log.layout or "", [])
    if work.data is not None and is_needed and work.is_asked_for and log.layout is not None and not own:
        held = listing([file.name for each in files.values() for file in each], limit=4)
        raise FileError(work.data, f"lacks the log of {log.name}; it holds {held}. Needed: {NEEDS}.")
    return own


def estimated_seconds(logs: Sequence[PaperLog], work: Workplace) -> float:
    """About how long the full protocol takes on this machine, without the models that are finished."""
    seconds = 0.0
    for log in logs:
        own = _own_files(log, work, is_needed=len(logs) == 1)  # a table of several logs takes those that are there
        if not own:
            continue
        place = _place(log, FULL, own, work)
        n_done = sum(1 for _ in place.glob(f"models/models/*/*/*/{FINISHED}"))
        documents = 10 * log.sizes[0]
        training = max(0, FULL.n_models - n_done) * FULL.trees["n_trees"] * documents * 1.5e-7  # per tree and document
        n_bytes = sum(file.stat().st_size * (4 if is_packed(file) else 1) for file in own)
        reading = 0.0 if (place / "prepared" / CARD).is_file() else 2.5e-7 * n_bytes
        seconds += training / usable_cores() + reading
    return seconds


def _place(log: PaperLog, scale: ClickScale, files: Sequence[Path], work: Workplace) -> Path:
    """A folder that other settings, and other files, do not share."""
    sizes = [(file.name, file.stat().st_size) for file in files]
    return work.place(f"{log.key}-{json_digest([asdict(log), asdict(scale), sizes])[:8]}")


def _prepared(log: PaperLog, scale: ClickScale, files: Sequence[Path], place: Path, verbose: bool | None) -> Prepared:
    """The log with features and satisfied clicks, as before where it was prepared already."""
    folder = place / "prepared"
    if (folder / CARD).is_file():
        return Prepared.open(folder)
    if scale.pages is not None:
        make_folders(place)
        source = place / ("log.parquet" if log.synthetic_layout == "table" else "log.txt")
        write_log(World().log(scale.pages), source, layout=log.synthetic_layout)
        boundary = None if log.boundary is None else round(scale.pages / PER_SESSION * 2 / 3)
        return prepare(source, folder, **log.options, boundary=boundary, verbose=verbose)
    try:
        return prepare(
            list(files), folder, **log.options, boundary=log.boundary, sizes=log.sizes, layout=log.layout,
            verbose=verbose,
        )  # fmt: skip
    except ParameterError as error:
        raise FileError(files[0], f"is cut short ({str(error).rstrip('.')}). Needed: {NEEDS}.") from None


def _check_whole(log: PaperLog, file: Path, prepared: Prepared) -> None:
    """Refuse a log from which the paper's samples cannot be drawn."""
    lines = prepared.card["log"]["lines"]
    if log.n_lines is not None and lines < log.n_lines:
        raise FileError(file, f"is cut short: it has {lines:,} of {log.n_lines:,} lines. Needed: {NEEDS}.")
    for (part, n_pages), n_wanted in zip(prepared.card["before_sampling"].items(), log.sizes, strict=True):
        if n_pages < n_wanted:
            raise FileError(
                file, f"is cut short: it has {n_pages:,} pages for {part}, the paper {n_wanted:,}. Needed: {NEEDS}."
            )


def _check_end(file: Path) -> None:
    """A text that ends within a line was cut; gzip tells by itself."""
    if is_packed(file):
        return
    with open(file, "rb") as text:
        text.seek(-1, 2)
        if text.read(1) != b"\n":
            raise FileError(file, f"is cut short: it ends in the middle of a line. Needed: {NEEDS}.")


def _small_departures(log: PaperLog, scale: ClickScale, work: Workplace) -> tuple[str, ...]:
    lacking = "is not public" if log.layout is None else "is not in the folder" if work.data else "was not given"
    return (
        f"the log of {log.name} {lacking}: this is a small version on a synthetic log of {scale.pages:,} pages "
        "(riskrank simulate-clicks)",
        f"{scale.trees['n_trees']} trees instead of 500, leaves of fewer than {MOST_IN_LEAF:,} documents where a 500th "
        f"of all is less, {scale.n_models} models instead of {FULL.n_models}",
        *log.departures,
        *ON_ALL,
    )
