"""A model's folder: its card, its files, and what is left alone there."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.feature_table import choice_of
from riskrank.errors import FileError, ParameterError
from riskrank.rankers.card import data_summary, read_card, saved_model, versions, with_card
from riskrank.rankers.card import write_model as write_files


def write_model(folder, card, files):
    write_files(folder, with_card(card, files))


@pytest.fixture
def former(folder):
    """The same, as a former version left it."""
    (folder / ".riskrank.json").unlink()
    return folder


@pytest.fixture
def folder(tmp_path):
    """With a model of two files, and a file of the user's."""
    write_model(tmp_path / "model", {"kind": "Old"}, {"weights.bin": b"old weights", "extra.bin": b"old extra"})
    (tmp_path / "model" / "notes.txt").write_text("keep")
    return tmp_path / "model"


def contents(folder):
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ("card.json", ".riskrank.json")
    }


def change_card(folder, **changes):
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps({**card, **changes}))


class Others:
    """Peers that have a document of weight 2."""

    rank = 1

    def total(self, values):
        return values + 2.0

    def largest(self, values):
        return np.maximum(values, 2.0)


def test_a_worker_without_documents_says_how_many_they_count_as(tmp_path):
    frame = pl.DataFrame({"qid": ["a", "a"], "label": [0, 1], "f": [1.0, 2.0], "trust": [1.0, 2.0]})
    rr.write_shards(frame, tmp_path, choice_of(weight="trust"), n_shards=1)
    share = rr.ShardedData(tmp_path).share([], peers=Others())
    assert data_summary(share)["effective_documents"] == 2.0  # 2² / 2, as the others answer


def test_a_model_is_read_as_it_was_written(folder):
    saved = saved_model(folder)
    assert saved.card["kind"] == "Old"
    assert saved.card["format"] == 1
    assert saved.file("weights.bin") == b"old weights"
    assert sorted(saved.card["files"]) == ["extra.bin", "weights.bin"]


def test_another_model_replaces_the_files_of_the_former_one_and_no_others(folder):
    write_model(folder, {"kind": "New"}, {"weights.bin": b"new weights", "trees.txt": b"new trees"})
    assert contents(folder) == {"weights.bin": b"new weights", "trees.txt": b"new trees", "notes.txt": b"keep"}
    assert read_card(folder)["kind"] == "New"


def test_a_file_of_the_former_model_that_somebody_changed_is_kept(folder):
    (folder / "extra.bin").write_bytes(b"of the user's now")
    write_model(folder, {"kind": "New"}, {"weights.bin": b"new weights"})
    assert contents(folder) == {
        "weights.bin": b"new weights",
        "extra.bin": b"of the user's now",
        "notes.txt": b"keep",
    }


@pytest.mark.parametrize("digests", [None, [], "extra.bin", {"notes.txt": "0" * 64}, {"notes.txt": None}, {"": ""}])
def test_a_card_that_does_not_say_what_its_files_were_removes_none(former, digests):
    folder = former
    change_card(folder, files=digests)
    write_model(folder, {"kind": "New"}, {"trees.txt": b"new trees"})
    assert {"extra.bin", "notes.txt", "trees.txt", "weights.bin"} == set(contents(folder))


@pytest.mark.parametrize(
    "damage", [lambda text: text[:-2], lambda text: text.replace(":", "", 1), lambda text: text[3:]]
)
def test_the_files_that_a_damaged_card_still_names_are_replaced(folder, damage):
    card = folder / "card.json"
    card.write_text(damage(card.read_text()))
    write_model(folder, {"kind": "New"}, {"trees.txt": b"new trees"})
    assert contents(folder) == {"trees.txt": b"new trees", "notes.txt": b"keep"}


def test_a_card_that_was_cut_short_still_names_its_files(tmp_path):
    write_model(tmp_path, {"kind": "Old", "parameters": dict.fromkeys("abcdefgh", 1)}, {"old.bin": b"old"})
    card = tmp_path / "card.json"
    card.write_text(card.read_text()[: len(card.read_text()) // 2])
    write_model(tmp_path, {"kind": "New"}, {"new.bin": b"new"})
    assert contents(tmp_path) == {"new.bin": b"new"}


def test_a_card_that_json_does_not_keep_writes_nothing(folder, tmp_path):
    for place in (folder, tmp_path / "new"):
        with pytest.raises(ParameterError, match="cannot be written: its card must be JSON .*set"):
            write_model(place, {"kind": "New", "parameters": {"seen": {1, 2}}}, {"weights.bin": b"new weights"})
    assert contents(folder)["weights.bin"] == b"old weights"
    assert read_card(folder)["kind"] == "Old"
    assert not (tmp_path / "new").exists()


def test_a_card_of_which_nothing_is_left_removes_nothing(former):
    folder = former
    (folder / "card.json").write_text("{")
    write_model(folder, {"kind": "New"}, {"trees.txt": b"new trees"})
    assert {"extra.bin", "notes.txt", "trees.txt", "weights.bin"} == set(contents(folder))
    assert read_card(folder)["kind"] == "New"


def test_a_card_reaches_no_file_outside_its_folder(former):
    folder = former
    outside = folder.parent / "thesis.txt"
    outside.write_bytes(b"all of it")
    digest = sha256(b"all of it").hexdigest()
    change_card(folder, files={"../thesis.txt": digest, str(outside): digest})
    write_model(folder, {"kind": "New"}, {"trees.txt": b"new trees"})
    assert outside.read_bytes() == b"all of it"


def test_an_empty_folder_becomes_a_model_and_parents_are_made(tmp_path):
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "empty", tmp_path / "a" / "b" / "model"):
        write_model(place, {"kind": "New"}, {"trees.txt": b"trees"})
        assert saved_model(place).file("trees.txt") == b"trees"


def test_what_is_not_a_model_is_not_written_over(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    (tmp_path / "file").write_text("text")
    for name in ("mine", "file"):
        with pytest.raises(FileError, match=f"{name}: exists and is not a model of riskrank. Choose another place"):
            write_model(tmp_path / name, {}, {"trees.txt": b"trees"})
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "mine", "thesis.txt"]


@pytest.mark.parametrize("card", ["[]", "{}", '{"format": "A4", "suit": "hearts"}', "my cards\n", "{suit: hearts}"])
def test_a_card_of_something_else_does_not_make_a_folder_a_model(tmp_path, card):
    (tmp_path / "card.json").write_text(card)
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(FileError, match="exists and is not a model of riskrank"):
        write_model(tmp_path, {}, {"thesis.txt": b"trees"})
    assert (tmp_path / "thesis.txt").read_text() == "all of it"


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(FileError, match="file/model: cannot be written"):
        write_model(tmp_path / "file" / "model", {}, {"trees.txt": b"trees"})


def test_a_file_must_be_the_one_that_the_card_was_written_with(folder):
    saved = saved_model(folder)
    (folder / "weights.bin").write_bytes(b"others")
    (folder / "extra.bin").unlink()
    with pytest.raises(FileError, match="weights.bin: is damaged, or not the file that the card belongs to"):
        saved.file("weights.bin")
    with pytest.raises(FileError, match="extra.bin: no such file"):
        saved.file("extra.bin")
    with pytest.raises(FileError, match="notes.txt: is damaged"):
        saved.file("notes.txt")


def test_a_card_says_what_data_and_versions_a_model_is_of(train):
    data = data_summary(train)
    assert (data["queries"], data["documents"], data["features"]) == (train.n_queries, len(train), 20)
    assert data["fingerprint"] != data_summary(train.take(slice(0, 20)))["fingerprint"]
    assert versions(lightgbm="4")["lightgbm"] == "4"
    assert versions()["riskrank"] == rr.__version__
    assert versions()["numpy"] == np.__version__
