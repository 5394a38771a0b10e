from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.data.fingerprints import array_digest, json_digest, sampled_fingerprint, whole_fingerprint

DATA = RankingData.from_arrays(np.arange(12.0).reshape(6, 2), [0, 1, 2, 0, 1, 0], qid=list("aabbbc"))


def changed(**fields):
    return replace(DATA, **fields)


@pytest.mark.parametrize("digest", [sampled_fingerprint, whole_fingerprint])
def test_the_same_data_have_the_same_digest_and_others_another(digest):
    features = np.array(DATA.features)
    features[3, 1] += 1
    others = [
        changed(features=features),
        changed(labels=[0, 1, 2, 0, 1, 1]),
        changed(query_offsets=[0, 3, 5, 6]),
        changed(first_feature=0),
    ]
    assert digest(DATA) == digest(changed()) == digest(changed(features=DATA.features.copy()))
    assert len({digest(DATA), *map(digest, others)}) == 5


def test_only_the_whole_digest_looks_at_every_row_and_at_names():
    large = RankingData.from_arrays(np.zeros((5000, 1)), np.zeros(5000), group=[5000])
    features = np.zeros((5000, 1), np.float32)
    features[1] = 1
    other = replace(large, features=features)
    assert sampled_fingerprint(large) == sampled_fingerprint(other)
    assert whole_fingerprint(large) != whole_fingerprint(other)
    assert sampled_fingerprint(DATA) == sampled_fingerprint(changed(query_ids=("x", "y", "z")))
    assert whole_fingerprint(DATA) != whole_fingerprint(changed(query_ids=("x", "y", "z")))


def test_clicks_that_did_not_satisfy_are_part_of_what_training_sees():
    clicks = [changed(is_clicked=[True, *[False] * 5]), changed(is_clicked=[False, True, *[False] * 4])]
    assert len({whole_fingerprint(each) for each in (DATA, *clicks)}) == 3


def test_arrays_are_digested_by_their_numbers_not_by_how_they_lie():
    matrix = np.arange(6.0).reshape(2, 3)
    assert array_digest(matrix) == array_digest(np.asfortranarray(matrix))
    assert array_digest(matrix) != array_digest(matrix + 1)


def test_json_is_digested_by_what_it_says_not_by_the_order_of_names():
    assert json_digest({"a": 1, "b": [2.5, None]}) == json_digest({"b": [2.5, None], "a": 1})
    assert json_digest({"a": 1}) != json_digest({"a": 2})
    assert json_digest([Path("x")]) == json_digest(["x"])  # what JSON does not know counts by its text
