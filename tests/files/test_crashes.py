"""Wherever a process dies or a disk fails: the old state or the new one, and nobody's files are changed."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import polars as pl
import pytest

import riskrank as rr
from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.prepared import Prepared
from riskrank.clicks.simulator import World
from riskrank.data.example import save_example
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import RiskrankError
from riskrank.files.appending import append_line
from riskrank.files.file_list import LIST
from riskrank.files.own_folder import settle
from riskrank.files.writing import write_atomically
from riskrank.rankers.card import read_card, saved_model, with_card, write_model
from riskrank.rankers.fitting.checkpoint import Checkpoint, CheckpointFolder, remove_checkpoint
from riskrank.rankers.fitting.history import History

from ..hostile.formats import command
from .crashing import ERRORS, crashing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DATA = web_search_data(30, documents_per_query=6, n_features=20, random_state=1)
TRAIN, TEST = DATA.take(slice(0, 20)), DATA.take(slice(20, 30))
NOTES = "all of it"


def model(name: str) -> dict[str, bytes]:
    return with_card({"kind": name}, {"trees.txt": name.encode() * 9, f"{name}.bin": b"only here"})


def model_state(folder: Path) -> Any:
    if not (folder / "model" / "card.json").exists() and not (folder / "model" / LIST).exists():
        return None
    card = read_card(folder / "model")
    return card["kind"], {name: saved_model(folder / "model").file(name) for name in card["files"]}


def checkpoint(folder: Path, steps: int) -> None:
    place = CheckpointFolder(folder / "c", 5, {"ranker": "this one"})
    history = History("trees", {"trees": [float(step) for step in range(1, steps + 1)]})
    place.write(Checkpoint(steps, steps, None, history, {}, {}))


def checkpoint_state(folder: Path) -> Any:
    found = CheckpointFolder(folder / "c", 5, {"ranker": "this one"}).read()
    return None if found is None else found.n_steps


def swept(folder: Path, alpha: float) -> None:
    ranker = rr.LambdaMART(rr.URisk("nDCG@5"), n_trees=2, n_leaves=3, min_docs_in_leaf=2, n_threads=1)
    rr.sweep(TRAIN, ranker, baseline=rr.Feature(1), values=[alpha], test=TEST, folder=folder / "sweep", n_jobs=1)


def sweep_state(folder: Path) -> Any:
    try:
        done = rr.Sweep.load(folder / "sweep")
    except RiskrankError as error:
        assert "interrupted" in str(error) or "not a finished sweep" in str(error), error
        return None
    return [(each.series, each.value) for each in done.settings], done.test.values.tolist()


def prepared(folder: Path, pages: int) -> None:
    if not (folder / f"{pages}.csv").exists():
        write_log(World(random_state=pages).log(pages), folder / f"{pages}.csv")
    prepare(folder / f"{pages}.csv", folder / "prepared")


def prepared_state(folder: Path) -> Any:
    if not (folder / "prepared" / "prepared.json").exists() and not (folder / "prepared" / LIST).exists():
        return None
    found = Prepared.open(folder / "prepared")
    return found.parts, {part: found.read(part).features.tolist() for part in ("train", "valid", "test")}


def small_example(folder: Path) -> None:
    """The example with a few queries: those that it has take a while to write as text."""
    with patch("riskrank.data.example.example_features", lambda **_: {"train": TRAIN, "test": TEST}):
        save_example(folder / "example", overwrite=True)


def table(folder: Path) -> None:
    """A user's own table of features, and a model of them."""
    columns = [f"feature_{number}" for number in range(1, 21)]
    frame = pl.DataFrame(TRAIN.features, schema=columns, orient="row")
    frame.with_columns(qid=TRAIN.query_numbers, label=TRAIN.labels).write_csv(folder / "table.csv")
    rr.LambdaMART(n_trees=1, n_leaves=2, min_docs_in_leaf=2, n_threads=1).fit(TRAIN).save(folder / "model")


def scored(folder: Path, column: str) -> None:
    command(folder, f"rank model table.csv -o scores.parquet --force --score-column {column}")


def scores_state(folder: Path) -> Any:
    return pl.read_parquet(folder / "scores.parquet").columns[-2:] if (folder / "scores.parquet").exists() else None


def population(folder: Path) -> None:
    """Baselines; once they are there, the command cleans up and refuses to replace them."""
    try:
        command(folder, "baselines table.csv -o population --ranker AFS --share 0.5")
    except RiskrankError as error:
        if "holds baselines already" not in str(error):
            raise


def population_state(folder: Path) -> Any:
    place = folder / "population"
    settle(place)
    if not (place / "rest.parquet").exists():
        return None
    return pl.read_parquet(place / "rest.parquet").height, rr.load(place / "AFS").card_["kind"]


def text_of(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def paper_state(folder: Path) -> Any:
    """The numbers; the page beside them has the time."""
    files = sorted(path.name for path in folder.glob("paper/[!.]*"))
    return (files, text_of(folder / "paper" / "dincer2016-table-5.csv")) if files else None


def example_state(folder: Path) -> Any:
    """Files that are no folder of ours appear one by one."""
    return sorted(path.name for path in folder.glob("example/[!.]*")) or None


def text_state(folder: Path) -> Any:
    return (folder / "page.html").read_text() if (folder / "page.html").exists() else None


@dataclass
class Case:
    """Something that is written; how it is before (None: nothing), how to do it, and what a reader finds."""

    before: Callable[[Path], object] | None
    change: Callable[[Path], object]
    state: Callable[[Path], Any]

    def set_up(self, folder: Path) -> None:
        folder.mkdir()
        if self.before is not None:
            self.before(folder)
        (folder / "notes.txt").write_text(NOTES)
        for own in ("model", "c", "sweep", "prepared"):
            if (folder / own).is_dir():
                (folder / own / "notes.txt").write_text(NOTES)


CASES = {
    "a file": Case(None, lambda f: write_atomically(f / "page.html", "new"), text_state),
    "a file again": Case(
        lambda f: write_atomically(f / "page.html", "old"),
        lambda f: write_atomically(f / "page.html", "new"),
        text_state,
    ),
    "a model": Case(None, lambda f: write_model(f / "model", model("new")), model_state),
    "a model in another's place": Case(
        lambda f: write_model(f / "model", model("old")), lambda f: write_model(f / "model", model("new")), model_state
    ),
    "a checkpoint": Case(None, lambda f: checkpoint(f, 5), checkpoint_state),
    "the next checkpoint": Case(lambda f: checkpoint(f, 5), lambda f: checkpoint(f, 10), checkpoint_state),
    "the end of a checkpoint": Case(lambda f: checkpoint(f, 5), lambda f: remove_checkpoint(f / "c"), checkpoint_state),
    "a sweep": Case(None, lambda f: swept(f, 1.0), sweep_state),
    "a larger sweep": Case(lambda f: swept(f, 0.0), lambda f: swept(f, 1.0), sweep_state),
    "prepared clicks": Case(None, lambda f: prepared(f, 300), prepared_state),
    "other prepared clicks": Case(lambda f: prepared(f, 250), lambda f: prepared(f, 300), prepared_state),
    "the example": Case(None, small_example, example_state),
    "a table with scores": Case(table, lambda f: scored(f, "score"), scores_state),
    "another table with scores": Case(
        lambda f: (table(f), scored(f, "score")), lambda f: scored(f, "points"), scores_state
    ),
    "baselines of a table": Case(table, population, population_state),
    "a paper": Case(None, lambda f: command(f, "reproduce dincer2016 table-5 -o paper -q"), paper_state),
}  # fmt: skip
ONE_BY_ONE = {"the example", "a paper"}  # files that are in no folder of ours
LONG = {
    "baselines of a table",
    "a paper",
    "a sweep",
    "a larger sweep",
    "prepared clicks",
    "other prepared clicks",
    "the example",
}


def others(folder: Path) -> list[str]:
    """Files that somebody put there."""
    return [path.read_text() for path in sorted(folder.rglob("notes.txt"))]


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if ".riskrank-" in path.name or path.name.endswith(".lock")]


def begun(case: Case, folder: Path) -> tuple[Any, list[str], Any, int]:
    """The state before, other people's files, the state after the whole change, and how many steps that took."""
    case.set_up(folder / "start")
    old, mine = case.state(folder / "start"), others(folder / "start")
    shutil.copytree(folder / "start", folder / "whole")
    with crashing() as steps:
        case.change(folder / "whole")
    return old, mine, case.state(folder / "whole"), steps.count


@pytest.mark.parametrize("name", CASES)
def test_a_crash_at_any_step_leaves_the_old_state_or_the_new_one(name, tmp_path, record_property):
    case = CASES[name]
    old, mine, new, n_steps = begun(case, tmp_path)
    assert new != old
    every = max(1, n_steps // 20) if name in LONG else 1
    record_property("tried", len(range(1, n_steps + 1, every)))
    for n in range(1, n_steps + 1, every):
        folder = tmp_path / f"{n}"
        shutil.copytree(tmp_path / "start", folder)
        with crashing(n):
            case.change(folder)
        assert name in ONE_BY_ONE or case.state(folder) in (old, new), n
        assert others(folder) == mine, n
        case.change(folder)
        assert case.state(folder) == new, n
        assert others(folder) == mine, n
        assert leftovers(folder) == [], n
        shutil.rmtree(folder)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", CASES)
def test_a_disk_that_fails_at_any_step_is_told(name, error, tmp_path, record_property):
    case = CASES[name]
    old, mine, new, n_steps = begun(case, tmp_path)
    every = max(1, n_steps // 5) if name in LONG else 1
    record_property("tried", len(range(1, n_steps + 1, every)))
    for n in range(1, n_steps + 1, every):
        folder = tmp_path / f"{n}"
        shutil.copytree(tmp_path / "start", folder)
        with crashing(n, error):
            try:
                case.change(folder)
            except RiskrankError as told:
                assert "\n" not in str(told)
                assert "cannot be" in str(told), (n, told)
        assert name in ONE_BY_ONE or case.state(folder) in (old, new), n
        assert others(folder) == mine, n
        case.change(folder)
        assert case.state(folder) == new, n
        assert leftovers(folder) == [], n
        shutil.rmtree(folder)


def test_a_line_of_a_process_that_died_harms_no_other(tmp_path):
    append_line(tmp_path / "log", b"one")
    with crashing() as steps:
        append_line(tmp_path / "log", b"two")
    for n in range(1, steps.count + 1):
        with crashing(n):
            append_line(tmp_path / "log", b"three")
        append_line(tmp_path / "log", b"four")
    lines = (tmp_path / "log").read_text().splitlines()
    assert set(lines) <= {"one", "two", "three", "four"}
    assert lines.count("four") == steps.count
