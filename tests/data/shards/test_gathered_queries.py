"""Data whose queries do not stand together: shards hold what is read of them in one piece, in the same order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.feature_table import choice_of
from riskrank.data.letor.writer import letor_text
from riskrank.data.shards import gathered_queries, shard_writer
from riskrank.data.shards.manifest import MANIFEST
from riskrank.data.shards.shard_writer import write_shards
from riskrank.data.shards.sharded_data import ShardedData
from riskrank.errors import AlignmentError, DataWarning

TOLD = "the rows of a query do not stand together, and were brought together on disk"


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory):
    """Documents of 60 queries in no order, as text and as they are read in one piece."""
    data = rr.web_search_data(60, documents_per_query=20, n_features=20, random_state=3)
    lines = letor_text(data).splitlines(keepends=True)
    path = tmp_path_factory.mktemp("shuffled") / "train.txt"
    path.write_text("".join(lines[i] for i in np.random.default_rng(0).permutation(len(lines))))
    return path, rr.read_letor(path)


def sharded(source, folder, *arguments, **options):
    with pytest.warns(DataWarning, match=TOLD):
        write_shards(source, folder, *arguments, **options)
    return ShardedData(folder).share()


def same(share, whole):
    for name in ("features", "labels", "query_offsets"):
        np.testing.assert_array_equal(getattr(share, name), getattr(whole, name))
    assert share.query_ids == whole.query_ids
    assert share.ids.tolist() == whole.ids.tolist()
    np.testing.assert_array_equal(share.row_numbers, whole.source_rows)


@pytest.mark.parametrize("bucket_bytes", [1 << 26, 20_000])
def test_queries_come_in_the_order_in_which_they_are_read_in_one_piece(shuffled, tmp_path, monkeypatch, bucket_bytes):
    monkeypatch.setattr(gathered_queries, "BUCKET_BYTES", bucket_bytes)
    path, whole = shuffled
    same(sharded(path, tmp_path / "shards", n_shards=4), whole)
    assert not [name for name in os.listdir(tmp_path / "shards") if ".riskrank-" in name]


def test_there_may_be_more_piles_than_files_that_may_be_open(shuffled, tmp_path, monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(gathered_queries, "BUCKET_BYTES", 7000)
    path, whole = shuffled
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 10, before[1]))
    try:
        share = sharded(path, tmp_path / "shards", n_shards=2)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    same(share, whole)


def test_each_document_is_on_disk_once_when_shards_begin_to_be_written(shuffled, tmp_path, monkeypatch):
    monkeypatch.setattr(gathered_queries, "BUCKET_BYTES", 20_000)
    path, whole = shuffled
    taken, counts = gathered_queries.Pile.taken, []

    def counted(pile):
        if pile.name.startswith("range"):
            piles = [gathered_queries.Pile(pile.scratch, name) for name in os.listdir(pile.scratch.path)]
            counts.append(sum(frame.height for each in piles for frame in each))
        return taken(pile)

    monkeypatch.setattr(gathered_queries.Pile, "taken", counted)
    sharded(path, tmp_path / "shards", n_shards=2)
    assert counts[0] == whole.n_documents
    assert counts == sorted(counts, reverse=True)


def test_wider_lines_and_lines_without_ids_are_read_as_they_are_in_one_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(gathered_queries, "BUCKET_BYTES", 1)
    monkeypatch.setattr(shard_writer, "FILE_BYTES", 8)
    (tmp_path / "train.txt").write_text("1 qid:ä 1:5 # d\n0 qid:b 2:2\n1 qid:ä 1:1 3:7 # e\n")
    same(sharded(tmp_path / "train.txt", tmp_path / "shards"), rr.read_letor(tmp_path / "train.txt"))


def table():
    return pl.DataFrame(
        {
            "query_id": ["b", "a", "b", "c", "a", "b"],
            "grade": [0, 2, 1, 0, 1, 1],
            "url": ["u", "v", "w", "u", "w", "v"],
            "bm25": [1.0, None, 2.0, 0.5, 0.25, 4.0],
            "brand": ["acme", "zeta", None, "acme", "acme", "zeta"],
            "traffic": [3.0, 1.0, 3.0, 2.0, 1.0, 3.0],
            "shown": [1.0, 2.0, 5.0, None, 4.0, 0.0],
        }
    )


def test_tables_keep_all_that_is_known_of_a_document(tmp_path, monkeypatch):
    monkeypatch.setattr(gathered_queries, "BUCKET_BYTES", 100)
    monkeypatch.setattr("riskrank.data.shards.document_batches.ROWS_AT_ONCE", 2)
    choice = choice_of(weight="traffic", categories="brand")
    share = sharded(table(), tmp_path / "shards", choice, n_shards=2, baselines=["column:shown"])
    whole = rr.read_table(table().drop("shown"), weight="traffic", categories="brand")
    same(share, whole)
    assert share.categories == whole.categories
    np.testing.assert_array_equal(share.query_weights, whole.query_weights)
    np.testing.assert_array_equal(share.scores["shown"], [1, 5, 0, 2, 4, -np.inf])


def test_a_document_that_stands_twice_for_a_query_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("riskrank.data.shards.document_batches.ROWS_AT_ONCE", 2)
    twice = table().drop("brand").with_columns(url=pl.Series(["u", "v", "w", "u", "w", "u"]))
    with (
        pytest.warns(DataWarning, match=TOLD),
        pytest.raises(AlignmentError, match="document 'u' stands twice for query 'b'. Keep one of its rows"),
    ):
        write_shards(twice, tmp_path / "shards")
    assert not (tmp_path / "shards").exists()


def test_runs_and_the_sample_go_by_rows_of_the_source(shuffled, tmp_path, monkeypatch):
    monkeypatch.setattr(shard_writer, "SAMPLED_ROWS", 100)
    path, whole = shuffled
    run = "".join(
        f"{whole.query_ids[query]} Q0 {name} 1 {row} text\n"
        for query, name, row in zip(whole.query_numbers, whole.ids, whole.source_rows, strict=True)
    )
    (tmp_path / "text.run").write_text(run)
    share = sharded(path, tmp_path / "shards", n_shards=3, baselines=[str(tmp_path / "text.run")])
    assert (np.concatenate([np.diff(rows) for rows in by_query(share.scores["text"], share)]) > 0).all()
    sampled = ShardedData(tmp_path / "shards").sample()
    from riskrank.data.hashing import hashed
    from riskrank.data.shards.row_sample import SALT

    keys = hashed(whole.source_rows, 0, salt=SALT)
    np.testing.assert_array_equal(sampled[:-1], whole.features[keys < np.sort(keys)[100]])


def by_query(values, data):
    return np.split(values, data.query_offsets[1:-1])


def test_two_queries_whose_hashes_are_the_same_are_told_apart(tmp_path, monkeypatch):
    """The data take the way through the disk, and come out as they went in: nobody is warned."""
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.zeros(len(self), pl.UInt64, eager=True))
    data = rr.web_search_data(10, documents_per_query=5, n_features=20, random_state=3)
    (tmp_path / "train.txt").write_text(letor_text(data))
    write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=2)
    share = ShardedData(tmp_path / "shards").share()
    np.testing.assert_array_equal(share.labels, data.labels)
    assert share.query_ids == data.query_ids


KILLED_AT = """
import os, signal, sys
from riskrank.data.shards import gathered_queries
def dies(*_):
    os.kill(os.getpid(), signal.SIGKILL)
gathered_queries._spread = dies
from riskrank.data.shards.shard_writer import write_shards
write_shards(sys.argv[1], sys.argv[2], n_shards=4)
"""


def test_killed_halfway_the_next_call_removes_what_was_on_disk(shuffled, tmp_path):
    path, whole = shuffled
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", KILLED_AT, path, tmp_path / "shards"], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [name for name in os.listdir(tmp_path / "shards") if name.startswith(".scratch.riskrank-")]
    assert not (tmp_path / "shards" / MANIFEST).exists()
    same(sharded(path, tmp_path / "shards", n_shards=4), whole)
    assert not [name for name in os.listdir(tmp_path / "shards") if ".riskrank-" in name]
