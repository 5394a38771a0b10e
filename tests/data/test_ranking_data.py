from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.errors import AlignmentError, ParameterError


def make(**changes):
    content = {
        "features": np.ones((3, 2)),
        "labels": [0, 1, 2],
        "query_offsets": [0, 2, 3],
        "query_ids": ["a", "b"],
    }
    return RankingData(**{**content, **changes})


def test_it_prints_what_it_holds():
    assert repr(make()) == (
        "RankingData: 2 queries, 3 documents, 2 features, labels 0 to 2, 0 queries without a relevant document"
    )


def test_it_cannot_be_changed_and_leaves_the_callers_arrays_alone():
    features = np.ones((3, 2), np.float32)
    data = make(features=features)
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 5
    features[0, 0] = 5
    with pytest.raises(AttributeError):
        data.labels = []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": np.ones((2, 2))}, "3 documents × features"),
        ({"query_offsets": [0, 3]}, "from 0 to 3 in 3 steps"),
        ({"query_offsets": [0, 0, 3]}, "at least one document"),
        ({"labels": [0, np.nan, 1]}, "finite"),
        ({"document_ids": ["x"]}, "need as many ids"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(AlignmentError, match=message):
        make(**changes)


def test_arrays_come_with_ids_or_group_sizes():
    by_id = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], qid=[7, 8, 7])
    assert by_id.query_ids == ("7", "8")
    assert by_id.features[:, 0].tolist() == [1, 3, 2]
    by_group = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], group=[2, 1])
    assert by_group.query_offsets.tolist() == [0, 2, 3]
    with pytest.raises(AlignmentError, match="add up to the 3 documents, got 4"):
        RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], group=[2, 2])
    with pytest.raises(ParameterError, match="either qid= .* or group="):
        RankingData.from_arrays([[1.0]], [0])


def test_features_go_by_their_number():
    with pytest.raises(ParameterError, match="from 1 to 2, got 3"):
        make().feature(3)
