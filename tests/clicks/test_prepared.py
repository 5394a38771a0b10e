"""Reading what was prepared."""

from __future__ import annotations

import json
import os
import shutil

import numpy as np
import polars as pl
import pytest

from riskrank.clicks import Prepared, prepare
from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.prepared import CARD
from riskrank.errors import FileError, ParameterError

from .prepared_pages import frames


@pytest.fixture
def prepared(logs, tmp_path, monkeypatch):
    """Prepared clicks in several files per part."""
    monkeypatch.setattr("riskrank.clicks.page_writer.DOCUMENTS_IN_FILE", 300)
    monkeypatch.setattr("riskrank.clicks.spill.PAGES_AT_ONCE", 20)
    prepared = prepare(logs / "2013.txt", tmp_path / "out", grades=(50, 400))
    assert len(os.listdir(tmp_path / "out" / "train")) > 2
    return prepared


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_its_batches_one_after_the_other(prepared, part):
    whole = prepared.read(part)
    batches = list(prepared.batches(part))
    np.testing.assert_array_equal(whole.features, np.concatenate([each.features for each in batches]))
    np.testing.assert_array_equal(whole.labels, np.concatenate([each.labels for each in batches]))
    assert whole.query_ids == tuple(name for each in batches for name in each.query_ids)
    sizes = [np.diff(each.query_offsets) for each in batches]
    assert np.diff(whole.query_offsets).tolist() == np.concatenate(sizes).tolist()


def test_the_old_name_of_batches_still_works_with_a_warning(prepared):
    with pytest.warns(DeprecationWarning, match="now called batches"):
        batches = prepared.stretches("test")
    assert sum(each.n_queries for each in batches) == prepared.parts["test"]


def test_a_part_in_several_files_is_the_part_in_one(prepared, logs, tmp_path, monkeypatch):
    monkeypatch.undo()
    one = prepare(logs / "2013.txt", tmp_path / "one", grades=(50, 400))
    assert os.listdir(tmp_path / "one" / "train") == ["00000.parquet"]
    for part in PARTS:
        assert frames(one)[part].equals(frames(prepared)[part], null_equal=True)


def test_a_part_is_read_as_it_was_written(prepared):
    data, frame = prepared.read("valid"), frames(prepared)["valid"]
    assert data.n_queries == prepared.parts["valid"] == frame["page"].max()
    assert data.query_ids == tuple(str(number + 1) for number in range(data.n_queries))
    assert data.labels.tolist() == frame["grade"].to_list()
    assert data.is_clicked.tolist() == frame["dwell"].is_not_nan().to_list()
    assert (data.is_clicked & (data.labels == 0)).any()  # clicks that did not satisfy
    np.testing.assert_array_equal(data.features, frame.select(prepared.features).to_numpy())
    for name in prepared.features:
        np.testing.assert_array_equal(data.feature(prepared.number(name)), frame[name].to_numpy())
    assert prepared.number("presented") == 1


def test_what_prepared_clicks_do_not_have_is_refused_by_name(prepared):
    with pytest.raises(ParameterError, match="no feature original_score"):
        prepared.number("original_score")
    for read in (prepared.read, lambda part: list(prepared.batches(part))):
        with pytest.raises(FileError, match="no part future. It has: train, valid, test"):
            read("future")


def test_prepared_clicks_say_how_large_they_are(prepared):
    sizes = ", ".join(f"{prepared.parts[part]} {part}" for part in PARTS)
    assert repr(prepared) == f"Prepared: pages {sizes}; 31 features"


CARD_AS_WRITTEN = {
    "format": "riskrank clicks", "version": 1, "features": ["presented"], "limits": [30.0], "parts": {"train": 9},
    "files": {"train": 1},
}  # fmt: skip


def test_a_card_with_all_that_is_read_from_it_is_taken(tmp_path):
    (tmp_path / CARD).write_text(json.dumps(CARD_AS_WRITTEN))
    assert Prepared.open(tmp_path).parts == {"train": 9}


@pytest.mark.parametrize(
    "card",
    [None, "", "{", "[]", "7", '{"format": "other"}', '{"format": "riskrank clicks"}', b"\xff\xfe",
     '{"format": "riskrank clicks", "version": "new", "features": [], "parts": {}}',
     '{"format": "riskrank clicks", "version": 1, "features": 3, "parts": {}}',
     '{"format": "riskrank clicks", "version": 1, "features": [], "parts": []}', "[" * 100_000,
     *(json.dumps({**CARD_AS_WRITTEN, **wrong}) for wrong in (
         {"features": [1]}, {"features": "presented"}, {"limits": 30}, {"limits": ["30"]}, {"parts": {"train": "9"}},
         {"parts": ["train"]}, {"files": {"train": None}}, {"files": {}}, {"files": 1}, {"version": None}))],
)  # fmt: skip
def test_a_folder_without_a_good_card_is_refused_in_one_line(tmp_path, card):
    if card is not None:
        (tmp_path / CARD).write_bytes(card if isinstance(card, bytes) else card.encode())
    with pytest.raises(FileError, match=f"is not a folder of prepared clicks .no readable {CARD}.") as told:
        Prepared.open(tmp_path)
    assert "\n" not in str(told.value)


def test_clicks_prepared_by_a_newer_program_are_refused(prepared):
    (prepared.folder / CARD).write_text(json.dumps(prepared.card | {"version": 99}))
    with pytest.raises(FileError, match="this riskrank reads up to 1. Update riskrank"):
        Prepared.open(prepared.folder)


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "columns", "words", "no rows", "no grades"])
def test_a_damaged_file_is_told_by_name_in_one_line(prepared, damage):
    file = prepared.folder / "train" / "00001.parquet"
    changes = {
        "columns": lambda frame: frame.drop("user_pages"),
        "words": lambda frame: frame.with_columns(user_pages=pl.lit("many")),
        "no rows": lambda frame: frame.head(0),
        "no grades": lambda frame: frame.with_columns(grade=pl.lit(None)),
    }
    if damage in changes:
        changes[damage](pl.read_parquet(file)).write_parquet(file)
    else:
        file.write_bytes({"empty": b"", "cut": file.read_bytes()[:-100], "text": b"not at all\n" * 99}[damage])
    for read in (prepared.read, lambda part: list(prepared.batches(part))):
        with pytest.raises(FileError, match=r"00001.parquet: is.* damaged \(.*Prepare the log again") as told:
            read("train")
        assert "\n" not in str(told.value)
    prepared.read("test")


def test_a_missing_file_is_noticed(prepared):
    (prepared.folder / "train" / "00001.parquet").unlink()
    with pytest.raises(FileError):
        prepared.read("train")


def test_a_missing_part_is_not_said_to_be_there(prepared):
    shutil.rmtree(prepared.folder / "train")
    with pytest.raises(FileError) as told:
        prepared.read("train")
    assert "has: train" not in str(told.value)
