"""What is printed adds up, and limits are applied."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.papers.outcome import PaperNumber
from riskrank.papers.wang.wang_numbers import BM25_NDCG, LEVEL_SHARE, TABLE_1, TABLE_2


def test_what_is_printed_adds_up():
    for table, effectiveness, baseline in ((TABLE_1, "NDCG@10", BM25_NDCG), (TABLE_2, "ΔMRR", 0.0)):
        values, risk, reward = (np.array(table[name][0]) for name in (effectiveness, "Risk", "Reward"))
        misfit = np.abs(values - baseline - (reward - risk))
        # All but the last column of Table 1, where the paper is at odds with itself.
        assert misfit[:3].max() <= 0.0011
        assert misfit[3] == pytest.approx(0.071 if table is TABLE_1 else 0.0, abs=1e-9)
    assert pytest.approx(0.6786, abs=1e-4) == LEVEL_SHARE


def test_numbers_within_the_limits_agree():
    numbers = [PaperNumber(each + 0.9 * limit, each, limit=limit) for row, limit in TABLE_1.values() for each in row]
    assert all(number.agrees for number in numbers)
    assert not PaperNumber(TABLE_1["Risk"][0][0] + 0.26, TABLE_1["Risk"][0][0], limit=TABLE_1["Risk"][1]).agrees
