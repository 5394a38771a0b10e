from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.letor.writer import write_letor
from riskrank.data.shards.manifest import MANIFEST
from riskrank.data.shards.shard_writer import write_shards
from riskrank.data.shards.sharded_data import ShardedData, is_sharded
from riskrank.errors import FileError


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
