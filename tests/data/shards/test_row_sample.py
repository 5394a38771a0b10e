from __future__ import annotations

import numpy as np

from riskrank.data.shards.row_sample import RowSample


def test_a_sample_is_as_large_as_it_may_be_and_of_all_rows():
    sample = RowSample(100)
    for start in range(0, 5000, 50):
        positions = np.arange(start, start + 50)
        sample.add(positions[:, None].astype(np.float32), positions)
    rows = sample.prune(1)[:, 0]
    assert len(rows) == 100
    assert (np.diff(rows) > 0).all()
    assert 2000 < rows.mean() < 3000


def test_the_largest_value_of_each_feature_is_among_the_rows():
    sample = RowSample(2)
    sample.add(np.array([[1.0], [-3.0], [np.nan]], np.float32), np.arange(3))  # lines without the second feature
    sample.add(np.array([[0.5, -1.0], [0.0, np.nan]], np.float32), np.arange(3, 5))
    sample.add(np.array([[0.25]], np.float32), np.arange(5, 6))
    rows = sample.rows_and_largest(3)
    assert rows.shape == (3, 3)
    np.testing.assert_array_equal(rows[-1], [1.0, 0.0, 0.0])
