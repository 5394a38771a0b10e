from __future__ import annotations

import hashlib
import json

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.letor.writer import write_letor
from riskrank.data.shards.manifest import MANIFEST, manifest_digest
from riskrank.data.shards.shard_writer import write_shards
from riskrank.data.shards.sharded_data import ShardedData, is_sharded
from riskrank.errors import FileError, RiskrankError


@pytest.fixture
def shards(tmp_path):
    data = rr.web_search_data(30, documents_per_query=30, n_features=20, random_state=3)
    write_letor(data, tmp_path / "train.txt")
    write_shards(tmp_path / "train.txt", tmp_path / "shards", n_shards=5)
    return tmp_path / "shards"


def test_a_share_has_the_queries_of_its_shards(shards):
    data = ShardedData(shards)
    whole, share = data.share(), data.share([1, 4])
    assert [whole.query_ids[i] for i in share.places] == list(share.query_ids)
    assert repr(data).startswith("ShardedData: 30 queries, ")
    assert is_sharded(shards)
    assert not is_sharded(shards.parent)


def test_numbers_of_queries_go_to_their_places_among_all(shards):
    data = ShardedData(shards)
    shares = [data.share([0, 3]), data.share([1, 2, 4])]
    values = [np.arange(share.n_queries) + 1.0 for share in shares]
    together = sum(share.everywhere(own) for share, own in zip(shares, values, strict=True))
    assert together.all()
    for share, own in zip(shares, values, strict=True):
        np.testing.assert_array_equal(share.own(together), own)


def test_a_share_without_shards_has_no_queries(shards):
    share = ShardedData(shards).share([])
    assert (share.n_queries, share.n_documents, share.n_features) == (0, 0, 20)
    assert share.everywhere(np.empty(0)).tolist() == [0.0] * 30


def changed(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


def test_a_manifest_that_somebody_changed_is_refused(shards):
    known = json.loads((shards / MANIFEST).read_text())
    highest = known["highest_label"]
    changed(shards / MANIFEST, f'"highest_label": {highest}'.encode(), b'"highest_label": 9.0')
    with pytest.raises(FileError, match=r"shards.json: was changed since it was written.* Shard the data again."):
        ShardedData(shards)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"version": 1', b'"version": 2', "has version 2, this riskrank reads up to 1"),
        (b'"riskrank shards"', b'"another"', "is not the manifest of shards"),
        (b'"n_queries": 30', b'"n_queries": 31', "n_queries: must be those of all files"),
        (b'"has_document_ids": ', b'"has_document_ids": 7', "has_document_ids: must be true or false|not JSON"),
        (b"00000/00000.parquet", b"../../secret.parquet", "must be the name of a file within the folder"),
    ],
)
def test_a_manifest_of_another_form_is_refused(shards, old, new, message):
    changed(shards / MANIFEST, old, new)
    with pytest.raises(FileError, match=message):
        ShardedData(shards)


def test_a_shard_that_somebody_changed_or_took_away_is_refused(shards):
    data, file = ShardedData(shards), shards / "00001" / "00000.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(FileError, match=r"00000.parquet: is damaged, or not the file that the manifest belongs to"):
        data.share([1])
    data.share([0])
    file.unlink()
    with pytest.raises(FileError, match=r"00000.parquet: no such file"):
        data.share([1])


def rewritten(folder, change, file="00001/00000.parquet", **entries):
    """Another writer's shards: a file is changed, and the manifest agrees with its bytes."""
    path = folder / file
    change(pl.read_parquet(path)).write_parquet(path)
    content = json.loads((folder / MANIFEST).read_text())
    for each in [*(file for shard in content["shards"] for file in shard), content["sample"]]:
        if each["name"] == file:
            each["digest"] = hashlib.sha256(path.read_bytes()).hexdigest()
    content |= entries
    content["digest"] = manifest_digest({name: value for name, value in content.items() if name != "digest"})
    (folder / MANIFEST).write_text(json.dumps(content))
    return ShardedData(folder)


def same(frame):
    return frame


@pytest.mark.parametrize(
    ("change", "entries", "message"),
    [
        (lambda frame: frame.drop("label"), {}, r"00001/00000.parquet: has no column 'label'. Shard the data again"),
        (lambda frame: frame.drop("qid"), {}, "has no column 'qid'"),
        (lambda frame: frame.with_columns(label=pl.lit("x")), {}, "column 'label' holds String"),
        (lambda frame: frame.with_columns(row=pl.lit([1])), {}, r"column 'row' holds List"),
        (lambda frame: frame.with_columns(pl.lit("x").alias("1")), {}, "column '1' holds String"),
        (lambda frame: frame.with_columns(row=pl.lit(None, pl.Int64)), {}, "column 'row' has gaps"),
        (lambda frame: pl.concat([frame, frame[-1:]]), {}, r"has \d+ rows, its manifest says \d+"),
        (same, {"weights": "queries", "mean_weight": 1.0}, "has no column 'weight'"),
        (same, {"scores": ["bm25"]}, "has no column 'score:bm25'"),
        (same, {"longest_query": 3}, "files hold other queries than the manifest says"),
    ],
)
def test_what_another_writer_made_is_told_by_its_file(shards, change, entries, message):
    with pytest.raises(RiskrankError, match=message):
        rewritten(shards, change, **entries).share()


def test_a_sample_without_rows_is_refused(shards):
    data = rewritten(shards, lambda frame: frame[:0], "sample.parquet")
    with pytest.raises(FileError, match="sample.parquet: has 0 rows"):
        data.sample()
