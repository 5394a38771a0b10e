"""Tables in files of every format, alone and together."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import uuid

import fsspec
import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.ranking_files import is_feature_table
from riskrank.errors import FileError

TABLE = pl.DataFrame(
    {
        "qid": ["007", "007", "8"],
        "grade": [0, 2, 1],
        "url": ["a", "b", "a"],
        "bm25": [1.5, None, 0.25],
        "length": [3, 4, 5],
        "is_new": [True, False, None],
    }
)
FEATURES = [[1.5, 3, 1], [np.nan, 4, 0], [0.25, 5, np.nan]]
WRITERS = {
    "a.parquet": pl.DataFrame.write_parquet,
    "a.pq": pl.DataFrame.write_parquet,
    "a.csv": pl.DataFrame.write_csv,
    "a.tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "semicolons.csv": lambda frame, path: frame.write_csv(path, separator=";"),
    "a.arrow": pl.DataFrame.write_ipc,
    "packed.arrow": lambda frame, path: frame.write_ipc(path, compression="zstd"),
    "a.feather": pl.DataFrame.write_ipc,
    "a.jsonl": pl.DataFrame.write_ndjson,
    "a.ndjson": pl.DataFrame.write_ndjson,
}


def is_the_table(data):
    assert data.query_ids == ("007", "8")
    assert data.labels.tolist() == [0, 2, 1]
    assert data.document_ids.tolist() == ["a", "b", "a"]
    assert data.feature_names == ("bm25", "length", "is_new")
    np.testing.assert_array_equal(data.features, np.array(FEATURES, np.float32))


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_the_same_data(tmp_path, name):
    WRITERS[name](TABLE, tmp_path / name)
    assert is_feature_table(tmp_path / name)
    is_the_table(rr.read_table(tmp_path / name))


@pytest.mark.parametrize("name", WRITERS)
def test_a_format_is_told_by_content_where_the_name_does_not_say(tmp_path, name):
    WRITERS[name](TABLE, tmp_path / name)
    os.rename(tmp_path / name, tmp_path / "features.data")
    assert is_feature_table(tmp_path / "features.data")
    is_the_table(rr.read_table(tmp_path / "features.data"))


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.jsonl", "a.arrow"])
@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_packed_tables_are_read_too(tmp_path, name, ending, pack):
    WRITERS[name](TABLE, tmp_path / name)
    (tmp_path / f"{name}{ending}").write_bytes(pack((tmp_path / name).read_bytes()))
    is_the_table(rr.read_table(tmp_path / f"{name}{ending}"))


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.jsonl", "a.arrow"])
def test_several_files_are_one_table(tmp_path, name):
    ending = name.rpartition(".")[2]
    folder = tmp_path / "features"
    (folder / "more").mkdir(parents=True)
    WRITERS[name](TABLE[:1], folder / f"part-0.{ending}")
    WRITERS[name](TABLE[1:], folder / "more" / f"part-1.{ending}")
    (folder / "_SUCCESS").touch()
    (folder / ".part-9.parquet.crc").write_bytes(b"x")
    parts = [folder / f"part-0.{ending}", folder / "more" / f"part-1.{ending}"]
    for source in (str(folder), parts, [str(part) for part in parts]):
        data = rr.read_table(source)
        assert data.query_ids == ("007", "8")
        assert data.features[:, 1].tolist() == [4, 3, 5] if source == str(folder) else [3, 4, 5]


def test_a_pattern_stands_for_files(tmp_path):
    for number in range(3):
        TABLE[number : number + 1].write_parquet(tmp_path / f"part-{number}.parquet")
    (tmp_path / "other.parquet").write_bytes(b"none of it")
    pattern = str(tmp_path / "part-*.parquet")
    assert is_feature_table(pattern)
    is_the_table(rr.read_table(pattern))


def test_a_name_that_looks_like_a_pattern_is_a_name_where_there_is_such_a_file(tmp_path):
    TABLE.write_parquet(tmp_path / "part[1].parquet")
    is_the_table(rr.read_table(tmp_path / "part[1].parquet"))


def test_tables_are_read_by_address():
    place = f"memory://{uuid.uuid4()}"
    for number in range(3):
        with fsspec.open(f"{place}/part-{number}.parquet", "wb") as file:
            TABLE[number : number + 1].write_parquet(file)
    is_the_table(rr.read_table([f"{place}/part-{number}.parquet" for number in range(3)]))
    is_the_table(rr.read_table(f"{place}/part-*.parquet"))


def test_numbers_of_other_types_in_other_files_are_numbers(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    TABLE.with_columns(pl.col("length").cast(pl.Float64) + 0.5, pl.col("url") + "2", is_new=None).write_parquet(
        tmp_path / "b.parquet"
    )
    data = rr.read_table([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert data.feature("length").tolist() == [3, 4, 3.5, 4.5, 5, 5.5]
    np.testing.assert_array_equal(data.feature("is_new"), [1, 0, *[np.nan] * 4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop("bm25"), r"b.parquet: has no column 'bm25', which .*a.parquet has"),
        (lambda t: t.with_columns(x=1), r"b.parquet: has a column 'x', which .*a.parquet has not"),
        (
            lambda t: t.with_columns(length=pl.lit("long")),
            r"b.parquet: column 'length' is of another type \(String here",
        ),
    ],
)
def test_files_that_do_not_belong_together_are_named(tmp_path, change, message):
    TABLE.write_parquet(tmp_path / "a.parquet")
    change(TABLE).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(FileError, match=message):
        rr.read_table(tmp_path)


def test_files_of_two_formats_are_refused(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    TABLE.write_csv(tmp_path / "b.csv")
    with pytest.raises(FileError, match=r"b.csv: is CSV, but .*a.parquet is Parquet. Tables that belong together"):
        rr.read_table(tmp_path)


def test_what_is_not_there_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="no file matches"):
        rr.read_table(str(tmp_path / "*.parquet"))
    with pytest.raises(FileError, match="is a folder without tables"):
        rr.read_table(tmp_path / "empty")
    with pytest.raises(FileError, match="no such file"):
        rr.read_table(tmp_path / "a.parquet")
    with pytest.raises(FileError, match="no file is given"):
        rr.read_table([])


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "packed.arrow"])
def test_a_file_that_was_cut_or_changed_is_one_message(tmp_path, name, capfd):
    WRITERS[name](TABLE, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    refused = 0
    for damaged in (
        whole[: len(whole) // 2],
        whole[:4],
        *(whole[:k] + b"\xff" * 8 + whole[k + 8 :] for k in range(8, len(whole), 24)),
    ):
        (tmp_path / name).write_bytes(damaged)
        try:
            rr.read_table(tmp_path / name)
        except rr.RiskrankError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 2
    assert capfd.readouterr().err == ""


def test_a_feather_file_of_the_first_version_is_refused(tmp_path):
    (tmp_path / "a.feather").write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(FileError, match="is a Feather file of the first version. Write it anew, as Parquet"):
        rr.read_table(tmp_path / "a.feather")
    TABLE.write_ipc_stream(tmp_path / "a.arrow")
    with pytest.raises(FileError, match="is a stream of Arrow, which has no end. Write it anew, as Parquet"):
        rr.read_table(tmp_path / "a.arrow")


@pytest.mark.parametrize("name", ["a.parquet", "packed.arrow"])
def test_a_file_that_becomes_far_larger_than_it_is_is_refused(tmp_path, name):
    WRITERS[name](pl.select(qid=pl.repeat(1, 30_000_000), label=pl.repeat(0, 30_000_000)), tmp_path / name)
    with pytest.raises(FileError, match="unpacks to more than files of data do"):
        rr.read_table(tmp_path / name)


@pytest.mark.parametrize("name", ["a.xlsx", "a.pkl", "A.ORC"])
def test_tables_of_other_programs_are_refused_by_their_name(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\3\4")
    assert is_feature_table(tmp_path / name)
    with pytest.raises(FileError, match="which is not read here. Write it anew, as Parquet or CSV"):
        rr.read_table(tmp_path / name)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.txt"])
def test_an_array_of_json_is_told_whatever_its_name(tmp_path, name):
    (tmp_path / name).write_text(' [\n {"qid": 1}]')
    assert is_feature_table(tmp_path / name)
    with pytest.raises(FileError, match="is a JSON array; JSON lines are needed"):
        rr.read_table(tmp_path / name)


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "a.parquet")
    with pytest.raises(FileError, match="is a pipe or device"):
        rr.read_table(tmp_path / "a.parquet")


def test_what_is_no_table_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("nothing but words\nand more\n")
    with pytest.raises(FileError, match="is no table that is read here"):
        rr.read_table(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("0 qid:1 1:2\n")
    assert not is_feature_table(tmp_path / "b.txt")


def test_json_lines_may_lack_entries_and_have_blank_lines_between(tmp_path):
    lines = [{"qid": 7, "grade": 1, "bm25": 2}, {"qid": 7, "grade": 0}, {"qid": 8, "grade": 0, "bm25": 1.5}]
    (tmp_path / "a.jsonl").write_text("\n\n".join(map(json.dumps, lines)))
    data = rr.read_table(tmp_path / "a.jsonl")
    assert data.query_ids == ("7", "8")
    np.testing.assert_array_equal(data.feature("bm25"), [2, np.nan, 1.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"qid": 1}\n{"qid": \n', "a.jsonl:2: must be a JSON object, got"),
        ('{"qid": 1}\n[1]\n', r"a.jsonl:2: must be a JSON object, got '\[1\]'"),
        ('[{"qid": 1}]', "is a JSON array; JSON lines are needed"),
        (
            '{"qid": 1, "label": 1, "a": 1}\n\n{"qid": 1, "label": 1, "a": "x"}\n',
            r"a.jsonl:3: column 'a' holds text \('x'\)",
        ),
    ],
)
def test_json_that_is_no_table_is_told_with_its_line(tmp_path, text, message):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(FileError, match=message):
        rr.read_table(tmp_path / "a.jsonl")


def test_entries_of_json_lines_keep_the_order_of_the_first_line(tmp_path):
    names = [f"f{(7 * i) % 40}" for i in range(40)]
    lines = [{"qid": 1, "grade": row, **{name: row + i for i, name in enumerate(names)}} for row in range(3)]
    lines[2] |= {"z": 1, "y": 2}
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert rr.read_table(tmp_path / "a.jsonl").feature_names == (*names, "y", "z")
