from __future__ import annotations

import numpy as np

from riskrank import RankingData, read_letor
from riskrank.data.letor.writer import letor_text, write_letor


def test_lines_look_like_letors():
    data = RankingData.from_arrays([[0.5, np.nan], [0.0, 2.0]], [2, 0], qid=["a", "b"], document_ids=["x", "y"])
    assert letor_text(data) == "2 qid:a 1:0.5 2:nan # x\n0 qid:b 1:0 2:2 # y\n"


def test_nine_digits_bring_every_float32_back(tmp_path):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 400, dtype=np.uint32).view(np.float32)
    features = bits[np.isfinite(bits)][:300].reshape(100, 3)
    data = RankingData.from_arrays(features, rng.integers(0, 5, 100), group=[40, 60])
    write_letor(data, tmp_path / "data.txt")
    again = read_letor(tmp_path / "data.txt")
    np.testing.assert_array_equal(again.features, data.features)
    np.testing.assert_array_equal(again.labels, data.labels)
    assert again.query_ids == data.query_ids
