"""Shards by their address: workers in processes of their own open them through fsspec, as the driver does."""

from __future__ import annotations

import os

import fsspec
import pytest

import riskrank as rr
from riskrank.cluster.scoring import score_shards
from riskrank.data.shards.sharded_data import is_sharded
from riskrank.errors import FileError

from .conftest import HERE, fitted, same
from .shelf_files import ShelfFileSystem

ENTRY = "[fsspec.specs]\nshelf = shelf_files:ShelfFileSystem\n"


@pytest.fixture
def shelf(folder, tmp_path, monkeypatch):
    """A kind of address that is known here, and in workers as that of an installed library."""
    installed = tmp_path / "installed" / "shelf-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(ENTRY)
    paths = filter(None, (HERE, str(installed.parent), os.environ.get("PYTHONPATH")))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("SHELF", str(folder))
    fsspec.register_implementation("shelf", ShelfFileSystem, clobber=True)
    return "shelf://"


def test_workers_learn_rank_and_judge_by_address_as_by_path(shelf, valid, tmp_path):
    remote = rr.ShardedData(f"{shelf}valid")
    model = fitted(remote, cluster="local:2")
    same(model, fitted(valid))
    score_shards(model, valid, tmp_path / "here", tag="x")
    for name in score_shards(model, remote, tmp_path / "there", tag="x", cluster="local:2"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    systems = {"text": rr.Feature(1), "new": model}
    assert rr.evaluate(remote, systems, "AP", cluster="local:2") == rr.evaluate(valid, systems, "AP")


def test_what_is_at_an_address_is_told_without_reading_it(shelf, folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(ShelfFileSystem, "_open", lambda *_, **__: pytest.fail("read"))
        assert is_sharded(f"{shelf}train")
        assert not is_sharded(f"{shelf}train.txt")
    with pytest.raises(rr.RiskrankError, match="shelf://none/shards.json: no such file"):
        rr.ShardedData(f"{shelf}none")


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (ConnectionResetError(104, "Connection reset by peer"), r"cannot be read \(Connection reset by peer\)"),
        (RuntimeError("could not connect to the endpoint"), r"cannot be read \(could not connect to the endpoint\)"),
    ],
)
def test_an_address_that_cannot_be_reached_is_not_taken_for_one_without_shards(shelf, monkeypatch, trouble, message):
    def failing(*_, **__):
        raise trouble

    monkeypatch.setattr(ShelfFileSystem, "info", failing)
    with pytest.raises(FileError, match=f"shelf://train: {message}"):
        is_sharded(f"{shelf}train")


def test_a_database_is_no_shards():
    assert not is_sharded("sqlite:///shop.db?table=features")


def test_where_names_may_not_be_listed_there_are_no_shards(shelf, monkeypatch):
    def refusing(*_, **__):
        raise PermissionError(13, "Forbidden")

    monkeypatch.setattr(ShelfFileSystem, "info", refusing)
    assert not is_sharded(f"{shelf}train.txt")


def test_a_shard_that_is_gone_there_is_told_by_a_worker(shelf, tmp_path, monkeypatch, folder):
    rr.write_shards(folder / "valid.txt", tmp_path / "s", n_shards=2)
    monkeypatch.setenv("SHELF", str(tmp_path))
    data = rr.ShardedData(f"{shelf}s")
    (tmp_path / "s" / "00001" / "00000.parquet").unlink()
    with pytest.raises(rr.RiskrankError, match=r"shelf://s/00001/00000.parquet: no such file"):
        rr.evaluate(data, {"text": rr.Feature(1)}, "AP", cluster="local:2")
