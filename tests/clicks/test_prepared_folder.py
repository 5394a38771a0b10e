"""The folder of prepared clicks: what is refused, what stays when something goes wrong, what is replaced."""

from __future__ import annotations

import json
import os

import pytest

from riskrank.clicks import Prepared, prepare
from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.page_writer import PageWriter
from riskrank.clicks.prepared import CARD
from riskrank.errors import FileError, ParameterError, RiskrankError

from .prepared_pages import contents, withheld_log


def failing(kind, logs, tmp_path, monkeypatch):
    """Options of a `prepare` that fails at some point."""
    if kind == "no log":
        return {"log": tmp_path / "missing.txt"}
    if kind == "no pages":
        (tmp_path / "log.txt").write_text("0\tM\t1\t1\n")
        return {"log": tmp_path / "log.txt"}
    if kind == "second log":
        (tmp_path / "log.txt").write_text("neither\tthis\nnor that\n")
        return {"log": [logs / "2013.txt", tmp_path / "log.txt"]}
    if kind == "damaged log":
        (tmp_path / "log.parquet").write_bytes((logs / "table.parquet").read_bytes()[:-500])
        return {"log": tmp_path / "log.parquet"}
    if kind == "split":
        return {"log": logs / "2013.txt", "split": "session"}
    if kind == "empty part":
        return {"log": logs / "2013.txt", "sample": 1e-9}
    place = {"interrupted": (PageWriter, "add"), "interrupted at the end": (json, "dumps")}[kind]

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(*place, interrupt)
    return {"log": logs / "2013.txt"}


FAILURES = ["no log", "no pages", "second log", "damaged log", "split", "empty part", "interrupted",
            "interrupted at the end"]  # fmt: skip


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_leaves_nothing_behind(logs, tmp_path, monkeypatch, kind):
    options = failing(kind, logs, tmp_path, monkeypatch)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises((RiskrankError, KeyboardInterrupt)) as told:
        prepare(folder=tmp_path / "new" / "out", **options)
    assert "\n" not in str(told.value)
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_leaves_earlier_prepared_clicks_as_they_are(logs, tmp_path, monkeypatch, kind):
    prepare(logs / "2011.txt", tmp_path / "out")
    options = failing(kind, logs, tmp_path, monkeypatch)
    before = contents(tmp_path)
    with pytest.raises((RiskrankError, KeyboardInterrupt)):
        prepare(folder=tmp_path / "out", **options)
    assert contents(tmp_path) == before
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_failure_leaves_none_of_several_new_folders_behind(logs, tmp_path):
    with pytest.raises(ParameterError, match="no page is left for train"):
        prepare(logs / "2013.txt", tmp_path / "new" / "folder" / "out", sample=1e-9)
    assert os.listdir(tmp_path) == []


def test_an_interruption_at_the_very_end_leaves_the_earlier_clicks(logs, tmp_path, monkeypatch):
    prepare(logs / "2013.txt", tmp_path / "out")
    before = contents(tmp_path / "out")

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_earlier_prepared_clicks_are_replaced_as_a_whole(logs, tmp_path):
    prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "out")
    assert (tmp_path / "out" / "withheld").is_dir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert sorted(os.listdir(tmp_path / "out")) == sorted([".riskrank.json", CARD, *PARTS])


def test_an_empty_folder_is_filled(logs, tmp_path):
    (tmp_path / "out").mkdir()
    prepare(logs / "2013.txt", tmp_path / "out")
    assert Prepared.open(tmp_path / "out").parts["train"] > 0


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("all of it")
    with pytest.raises(FileError, match="exists and is not a folder of prepared clicks"):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path) == {"out/thesis.txt": b"all of it"}


def test_a_file_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").write_text("all of it")
    with pytest.raises(FileError, match="out: exists and is not a folder of prepared clicks"):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path) == {"out": b"all of it"}


def test_a_folder_with_a_card_of_something_else_is_refused_and_left_alone(logs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / CARD).write_text('{"format": "my own"}')
    before = contents(tmp_path)
    with pytest.raises(FileError, match="is not a folder of prepared clicks"):
        prepare(logs / "2013.txt", tmp_path / "out")
    assert contents(tmp_path) == before


def test_what_users_put_into_the_folder_is_left_alone(logs, tmp_path):
    prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "out")
    (tmp_path / "out" / "models").mkdir()
    mine = [tmp_path / "out" / "models" / "best.json", tmp_path / "out" / "withheld" / "notes.txt"]
    for path in mine:
        path.write_text("all of it")
    prepare(logs / "2013.txt", tmp_path / "out")
    assert [path.read_text() for path in mine] == ["all of it"] * 2
    assert os.listdir(tmp_path / "out" / "withheld") == ["notes.txt"]


def test_a_log_in_the_folder_is_not_replaced_by_what_comes_of_it(logs, tmp_path):
    prepare(logs / "2013.txt", tmp_path / "out")
    log = tmp_path / "out" / "train" / "log.txt"
    log.write_bytes((logs / "2013.txt").read_bytes())
    before = contents(tmp_path)
    with pytest.raises(FileError, match="out: holds the input .*log.txt"):
        prepare(log, tmp_path / "out")
    assert contents(tmp_path) == before


def test_through_a_link_prepared_clicks_are_replaced_where_they_lie(logs, tmp_path):
    prepare(withheld_log(tmp_path / "log.txt"), tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    prepare(logs / "2013.txt", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert sorted(os.listdir(tmp_path / "real")) == sorted([".riskrank.json", CARD, *PARTS])


def test_a_place_below_a_file_is_refused(logs, tmp_path):
    (tmp_path / "file").write_text("all of it")
    with pytest.raises(FileError):
        prepare(logs / "2013.txt", tmp_path / "file" / "out")
