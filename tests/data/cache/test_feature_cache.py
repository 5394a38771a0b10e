"""Features that are kept: the same as those that are read, and never those of files that have changed."""

from __future__ import annotations

import gzip
import os

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.cache import cache_record, feature_cache
from riskrank.data.cache.feature_cache import RECORD, FeatureCache
from riskrank.data.feature_tables import feature_table
from riskrank.data.letor import reader
from riskrank.data.letor.letor_lines import parse_lines
from riskrank.errors import FileError, InUseError, ParameterError
from riskrank.files.own_folder import OwnFolder

LINES = "2 qid:b 1:0.5 2:nan # d1\n0 qid:a 1:1 2:7 # d2\n1 qid:b 1:3 2:-2 # d3\n"
TOGETHER = "2 qid:b 1:0.5 2:nan\n1 qid:b 1:3 2:-2\n0 qid:a 1:1 2:7\n"


@pytest.fixture
def unread(monkeypatch):
    """`unread()`: from now on nothing can be parsed."""

    def forbid():
        monkeypatch.setattr(reader, "parse_lines", lambda *_, **__: pytest.fail("was read"))
        monkeypatch.setattr(feature_table, "FeatureMatrix", lambda *_, **__: pytest.fail("was read"))

    return forbid


def same(one, other):
    for name in ("features", "labels", "query_offsets", "document_ids", "source_rows"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.query_ids, one.columns) == (other.query_ids, other.columns)


@pytest.mark.parametrize("text", [LINES, TOGETHER], ids=["mixed queries", "queries together"])
@pytest.mark.parametrize(
    "options", [{}, {"zero_based": True}, {"n_features": 3, "sparse": True}], ids=["", "zero-based", "wider"]
)
def test_what_is_kept_of_letor_text_is_what_is_read(text, options, tmp_path, unread):
    path = tmp_path / "train.txt"
    path.write_text(text, encoding="ascii")
    plain = rr.read_letor(path, **options)
    same(rr.read_letor(path, **options, cache=tmp_path / "cache"), plain)
    unread()
    same(rr.read_letor(path, **options, cache=tmp_path / "cache"), plain)


def test_blocks_of_lines_may_name_more_and_more_features(tmp_path, monkeypatch):
    texts = [b"1 qid:1 1:5\n", b"0 qid:1 1:2 3:4\n2 qid:2 2:1\n", b"0 qid:3 1:9\n"]
    monkeypatch.setattr(
        reader, "read_blocks", lambda path, **options: (parse_lines(text, path, zero_based=False) for text in texts)
    )
    (tmp_path / "train.txt").write_bytes(b"".join(texts))
    plain = rr.read_letor(tmp_path / "train.txt")
    assert plain.features.tolist() == [[5, 0, 0], [2, 0, 4], [0, 1, 0], [9, 0, 0]]
    for _ in range(2):
        same(rr.read_letor(tmp_path / "train.txt", cache=tmp_path / "cache"), plain)


def test_files_of_group_sizes_belong_to_the_text(tmp_path, unread):
    (tmp_path / "train.txt").write_text("1 1:5\n0 1:2\n2 1:3\n", encoding="ascii")
    (tmp_path / "train.txt.query").write_text("1\n2\n", encoding="ascii")
    assert rr.read_letor(tmp_path / "train.txt", cache=tmp_path / "cache").query_offsets.tolist() == [0, 1, 3]
    (tmp_path / "train.txt.query").write_text("2\n1\n", encoding="ascii")
    assert rr.read_letor(tmp_path / "train.txt", cache=tmp_path / "cache").query_offsets.tolist() == [0, 2, 3]
    unread()
    assert rr.read_letor(tmp_path / "train.txt", cache=tmp_path / "cache").query_offsets.tolist() == [0, 2, 3]


def test_packed_text_is_kept_unpacked(tmp_path, unread):
    (tmp_path / "train.txt.gz").write_bytes(gzip.compress(LINES.encode()))
    plain = rr.read_letor(tmp_path / "train.txt.gz", cache=tmp_path / "cache")
    unread()
    same(rr.read_letor(tmp_path / "train.txt.gz", cache=tmp_path / "cache"), plain)


def shop():
    return pl.DataFrame(
        {
            "qid": ["a", "b", "a", "c"],
            "label": [0, 2, 1, 1],
            "bm25": [1.0, 2.0, None, 4.0],
            "brand": ["x", None, "y", "x"],
            "same": [7, 7, 7, 7],
            "set": ["train", "valid", "train", "test"],
        }
    )


def test_what_is_kept_of_a_table_is_what_is_read(tmp_path, unread):
    shop().write_parquet(tmp_path / "shop.parquet")
    options = {"drop": "set", "categories": "brand"}
    with pytest.warns(UserWarning, match="same is constant"):
        plain = rr.read_table(tmp_path / "shop.parquet", **options)
    for _ in range(2):
        with pytest.warns(UserWarning, match="same is constant"):
            same(rr.read_table(tmp_path / "shop.parquet", **options, cache=tmp_path / "cache"), plain)
        unread()


def test_parts_of_a_table_are_those_that_are_read(tmp_path, unread):
    shop().drop("same").write_csv(tmp_path / "shop.csv")
    plain = rr.read_table_parts(tmp_path / "shop.csv", "set", drop="brand")
    for _ in range(2):
        parts = rr.read_table_parts(tmp_path / "shop.csv", "set", drop="brand", cache=tmp_path / "cache")
        assert list(parts) == ["train", "valid", "test"]
        for name, part in parts.items():
            same(part, plain[name])
        unread()


@pytest.mark.parametrize(
    "other", [{"features": ["same", "bm25"]}, {"categories": "brand"}, {"query": "set", "drop": ["brand", "qid"]}]
)
@pytest.mark.filterwarnings("ignore:.*constant")
def test_features_in_another_way_are_kept_apart(other, tmp_path):
    shop().write_parquet(tmp_path / "shop.parquet")
    one, two = {"drop": ["brand", "set"]}, {"drop": ["set"] if "brand" in str(other) else ["brand", "set"], **other}
    for options in (one, two, one, two):
        plain = rr.read_table(tmp_path / "shop.parquet", **options)
        same(rr.read_table(tmp_path / "shop.parquet", **options, cache=tmp_path / "cache"), plain)


def change_nothing_but_a_number(path):
    status = os.stat(path)
    path.write_text(LINES.replace("1:3", "1:4"), encoding="ascii")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def add_a_line(path):
    path.write_text(LINES + "0 qid:c 1:8 2:8 # d4\n", encoding="ascii")


@pytest.mark.parametrize("change", [change_nothing_but_a_number, add_a_line])
def test_a_file_that_changed_is_read_again(change, tmp_path):
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    before = rr.read_letor(path, cache=tmp_path / "cache")
    change(path)
    after = rr.read_letor(path, cache=tmp_path / "cache")
    same(after, rr.read_letor(path))
    assert before.features.tolist() != after.features.tolist()
    assert len(list((tmp_path / "cache").glob("*/features"))) == 1  # the former ones are gone


def test_a_change_that_no_sample_and_no_time_of_the_content_tells_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_record, "PIECE", 1)  # bytes
    monkeypatch.setattr(cache_record, "PIECES", 2)
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    rr.read_letor(path, cache=tmp_path / "cache")
    change_nothing_but_a_number(path)
    same(rr.read_letor(path, cache=tmp_path / "cache"), rr.read_letor(path))


def test_whoever_finds_a_cache_being_filled_waits_for_it(tmp_path, monkeypatch):
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    real, tries = OwnFolder.changed, []

    def changed(self, **options):
        tries.append(self)
        if len(tries) < 3:
            raise InUseError(self.path, "is being written by process 1.")
        return real(self, **options)

    monkeypatch.setattr(OwnFolder, "changed", changed)
    monkeypatch.setattr(feature_cache, "LOOK", 0.0)
    same(rr.read_letor(path, cache=tmp_path / "cache"), rr.read_letor(path))
    assert len(tries) == 3


def test_a_cache_that_is_complete_need_not_be_writable(tmp_path, monkeypatch, unread):
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    rr.read_letor(path, cache=tmp_path / "cache")
    monkeypatch.setattr(os, "access", lambda *_: False)
    unread()
    FeatureCache(tmp_path / "cache").check()
    rr.read_letor(path, cache=tmp_path / "cache")


@pytest.mark.parametrize("output", ["cache", "cache/model", "."])
def test_an_output_in_the_place_of_a_cache_is_refused_beforehand(output, tmp_path):
    with pytest.raises(FileError, match="or one is in the other. Choose another.$"):
        FeatureCache(tmp_path / "cache").check(tmp_path / output)


@pytest.mark.parametrize("name", [RECORD, "features", "documents.table"])
@pytest.mark.parametrize("damage", ["cut", "changed", "removed"])
def test_what_is_damaged_in_a_cache_is_read_again(name, damage, tmp_path):
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    plain = rr.read_letor(path, cache=tmp_path / "cache")
    (file,) = (tmp_path / "cache").glob(f"*/{name}")
    content = file.read_bytes()
    file.unlink()
    if damage != "removed":
        file.write_bytes(content[:-3] if damage == "cut" else content[:-3] + b"???")
    same(rr.read_letor(path, cache=tmp_path / "cache"), plain)


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path, monkeypatch):
    path = tmp_path / "train.txt"
    path.write_text(LINES, encoding="ascii")
    real = reader.parse_lines

    def parse(*arguments, **options):
        add_a_line(path)
        return real(*arguments, **options)

    monkeypatch.setattr(reader, "parse_lines", parse)
    with pytest.raises(FileError, match=r"train.txt: changed while it was read. Try again.$"):
        rr.read_letor(path, cache=tmp_path / "cache")


@pytest.mark.parametrize(
    "read",
    [
        lambda **cache: rr.read_table(shop(), drop=["brand", "set"], **cache),
        lambda **cache: rr.read_letor("s3://bucket/train.txt", **cache),
        lambda **cache: rr.read_table(["s3://bucket/shop.csv"], **cache),
        lambda **cache: rr.read_table("sqlite:///shop.db?table=shop", **cache),
    ],
)
def test_only_what_is_in_files_here_is_kept(read, tmp_path):
    with pytest.raises(ParameterError, match="leave it out"):
        read(cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_folder_of_others_is_not_written_to(tmp_path):
    (tmp_path / "train.txt").write_text(LINES, encoding="ascii")
    with pytest.raises(FileError, match="exists and is not a cache of features of riskrank"):
        rr.read_letor(tmp_path / "train.txt", cache=tmp_path)


def test_a_cache_within_a_folder_of_tables_is_no_part_of_them(tmp_path):
    for number, rows in enumerate((slice(0, 2), slice(2, 4))):
        shop()[rows].drop("brand", "set", "same").write_parquet(tmp_path / f"{number}.parquet")
    first, second = (rr.read_table(tmp_path, cache=tmp_path / "cache") for _ in range(2))
    same(first, second)
    assert first.n_documents == 4


def test_features_that_are_kept_cannot_be_written_over(tmp_path):
    (tmp_path / "train.txt").write_text(TOGETHER, encoding="ascii")
    data = rr.read_letor(tmp_path / "train.txt", cache=tmp_path / "cache")
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 1.0
