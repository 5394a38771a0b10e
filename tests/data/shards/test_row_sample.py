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
