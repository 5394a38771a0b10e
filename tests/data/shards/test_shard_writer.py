from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.feature_table import choice_of
from riskrank.data.letor.writer import write_letor
from riskrank.data.shards import shard_writer
from riskrank.data.shards.manifest import MANIFEST
from riskrank.data.shards.shard_writer import write_shards
from riskrank.data.shards.sharded_data import ShardedData
from riskrank.errors import AlignmentError, FileError, ParameterError


@pytest.fixture(scope="module")
def data():
    return rr.web_search_data(40, documents_per_query=30, n_features=20, random_state=3)


def same(one, other):
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_array_equal(one.query_offsets, other.query_offsets)
    assert one.query_ids == other.query_ids
    assert one.ids.tolist() == other.ids.tolist()


@pytest.mark.parametrize("n_shards", [1, 3, 7])
def test_shards_of_letor_text_hold_the_same_documents_in_the_same_order(data, tmp_path, n_shards):
    write_letor(data, tmp_path / "train.txt")
    manifest = write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=n_shards)
    assert len(manifest.shards) == n_shards
    same(ShardedData(tmp_path / "shards").share(), rr.read_letor(tmp_path / "train.txt"))


def test_shards_have_whole_queries_and_about_as_many_documents_each(data, tmp_path):
    write_letor(data, tmp_path / "train.txt")
    sizes = write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=4).documents_of_shards
    longest = int(np.diff(data.query_offsets).max())
    assert sum(sizes) == data.n_documents
    assert max(sizes) - min(sizes) <= 2 * longest


def test_a_shard_of_several_files_is_read_as_one(data, tmp_path, monkeypatch):
    monkeypatch.setattr(shard_writer, "FILE_BYTES", 4 * 20 * 100)
    write_letor(data, tmp_path / "train.txt")
    manifest = write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=2)
    assert min(map(len, manifest.shards)) > 2
    same(ShardedData(tmp_path / "shards").share(), rr.read_letor(tmp_path / "train.txt"))


def test_features_that_only_later_lines_name_are_0_before(tmp_path, monkeypatch):
    monkeypatch.setattr(shard_writer, "FILE_BYTES", 8)
    (tmp_path / "train.txt").write_text("1 qid:a 1:5\n0 qid:a 1:2\n1 qid:b 1:1 3:7\n")
    write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=2)
    features = ShardedData(tmp_path / "shards").share().features
    np.testing.assert_array_equal(features, [[5, 0, 0], [2, 0, 0], [1, 0, 7]])


def table():
    return pl.DataFrame(
        {
            "query_id": ["b", "b", "a", "c", "c"],
            "grade": [0, 2, 1, 0, 1],
            "url": ["u", "v", "u", "u", "w"],
            "bm25": [1.0, None, 2.0, 0.5, 0.25],
            "brand": ["acme", "zeta", None, "acme", "acme"],
            "traffic": [3.0, 3.0, 1.0, 2.0, 2.0],
            "shown": [1.0, 2.0, 5.0, None, 4.0],
        }
    )


def test_tables_keep_names_categories_weights_and_scores_of_systems(tmp_path):
    choice = choice_of(weight="traffic", categories="brand")
    write_shards(table(), tmp_path / "shards", choice, n_shards=2, baselines=["column:shown"])
    share = ShardedData(tmp_path / "shards").share()
    known = rr.read_table(table().drop("shown"), weight="traffic", categories="brand")
    same(share, known)
    assert share.feature_names == ("bm25", "brand")
    assert share.categories == known.categories
    np.testing.assert_array_equal(share.query_weights, known.query_weights)
    np.testing.assert_array_equal(rr.Feature("shown").scores(share), [1, 2, 5, -np.inf, 4])


def test_weights_that_differ_within_a_query_are_of_documents(tmp_path):
    uneven = table().drop("shown", "brand").with_columns(traffic=pl.Series([3.0, 1.0, 1.0, 2.0, 2.0]))
    write_shards(uneven, tmp_path / "shards", choice_of(weight="traffic"), n_shards=1)
    share = ShardedData(tmp_path / "shards").share()
    np.testing.assert_array_equal(share.document_weights, [3, 1, 1, 2, 2])
    np.testing.assert_allclose(share.relative_document_weights, np.array([3, 1, 1, 2, 2]) / 1.8)


def test_runs_go_with_the_documents(data, tmp_path):
    scores = np.random.default_rng(0).random(data.n_documents)
    lines = [
        f"{data.query_ids[q]} Q0 {data.ids[row]} 1 {scores[row]:.6f} text\n"
        for q, row in zip(data.query_numbers, range(data.n_documents), strict=True)
        if row % 3
    ]
    (tmp_path / "text.run").write_text("".join(lines))
    write_letor(data, tmp_path / "train.txt")
    write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=3, baselines=[str(tmp_path / "text.run")])
    share = ShardedData(tmp_path / "shards").share()
    whole = rr.read_letor(tmp_path / "train.txt")
    from riskrank.data.scores.document_scores import run_scores

    np.testing.assert_array_equal(share.scores["text"], run_scores(rr.read_run(tmp_path / "text.run"), whole))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:5\n", "has no 'qid:' on its lines"),
        ("1 qid:a\n0 qid:b\n", "train.txt: has no features"),
        ("1 qid:a 60000:5\n", "train.txt: has 60,000 features; shards hold up to 50,000"),
        ("1 qid:a 1:5\n1 qid:b 1:x\n", r"train.txt:2: feature value must be a number"),
    ],
)
def test_bad_text_is_one_line_and_nothing_is_left(tmp_path, text, message):
    (tmp_path / "train.txt").write_text(text)
    with pytest.raises(FileError, match=message):
        write_shards(tmp_path / "train.txt", tmp_path / "shards")
    assert not (tmp_path / "shards").exists()


@pytest.mark.parametrize("name", ["row", "score:shown"])
def test_a_feature_that_is_called_as_a_column_of_shards_is_refused(tmp_path, name):
    odd = table().drop("brand").with_columns(pl.Series(name, [1.0] * 5))
    with pytest.raises(FileError, match=f"feature '{name}' is called as a column of shards is. Rename it"):
        write_shards(odd, tmp_path / "shards", baselines=["column:shown"])


def test_weights_whose_sum_no_number_holds_leave_nothing(tmp_path):
    heavy = table().drop("brand").with_columns(traffic=pl.Series([1e308, 1e308, 1.0, 1e308, 1e308]))
    with pytest.raises(ParameterError, match="weights are too large to be added"):
        write_shards(heavy, tmp_path / "shards", choice_of(weight="traffic"))
    assert not (tmp_path / "shards").exists()


def test_a_bad_cell_is_told_by_its_row_in_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr("riskrank.data.shards.document_batches.ROWS_AT_ONCE", 2)
    odd = table().drop("shown", "brand").with_columns(grade=pl.Series([0.0, 1.0, 0.0, None, 1.0]))
    with pytest.raises(AlignmentError, match="row 4: column 'grade'"):
        write_shards(odd, tmp_path / "shards")


def test_a_folder_of_something_else_is_not_touched(tmp_path):
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match="is not a folder of shards of riskrank"):
        write_shards(table().drop("brand"), tmp_path / "shards")
    with pytest.raises(ParameterError, match="n_shards"):
        write_shards(table().drop("brand"), tmp_path / "other", n_shards=0)


def test_the_sample_depends_on_the_documents_alone(data, tmp_path, monkeypatch):
    monkeypatch.setattr(shard_writer, "SAMPLED_ROWS", 200)
    write_letor(data, tmp_path / "train.txt")
    samples = []
    for n_shards in (1, 5):
        write_shards(tmp_path / "train.txt", tmp_path / f"{n_shards}", n_shards=n_shards)
        samples.append(ShardedData(tmp_path / f"{n_shards}").sample())
    assert len(samples[0]) == 200 + 1  # the largest values
    np.testing.assert_array_equal(*samples)


KILLED_AT = """
import os, signal, sys
from riskrank.data.shards import shard_writer
shard_writer.FILE_BYTES = 4 * 20 * 100
real, left = shard_writer.as_parquet, [3]
def dies(frame, **options):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(frame, **options)
shard_writer.as_parquet = dies
shard_writer.write_shards(sys.argv[1], sys.argv[2], n_shards=4)
"""


def test_killed_halfway_the_same_call_completes_the_folder(data, tmp_path):
    write_letor(data, tmp_path / "train.txt")
    place = tmp_path / "shards"
    ended = subprocess.run([sys.executable, "-c", KILLED_AT, tmp_path / "train.txt", place], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert not (place / MANIFEST).exists()
    write_shards(tmp_path / "train.txt", place, n_shards=4)
    same(ShardedData(place).share(), rr.read_letor(tmp_path / "train.txt"))
    left = [name for name in os.listdir(place) if ".riskrank-" in name]
    assert left == []


def test_the_manifest_says_what_the_files_hold(data, tmp_path):
    write_letor(data, tmp_path / "train.txt")
    write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=3)
    known = json.loads((tmp_path / "shards" / MANIFEST).read_text())
    assert known["n_queries"] == data.n_queries
    assert known["highest_label"] == data.labels.max()
    assert known["longest_query"] == np.diff(data.query_offsets).max()
    rows = [sum(file["documents"] for file in shard) for shard in known["shards"]]
    assert rows == [
        sum(pl.read_parquet(tmp_path / "shards" / file["name"]).height for file in shard) for shard in known["shards"]
    ]
