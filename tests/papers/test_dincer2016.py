"""The worked example of dincer2016: Tables 3 to 5 to every printed digit."""

from __future__ import annotations

import pytest

from riskrank.papers.dincer2016 import MATRIX, PAPER, SUMS, TABLE_4, TABLE_5
from riskrank.papers.paper import Workplace
from riskrank.risk.georisk import georisk
from riskrank.risk.zrisk import z_scores, zrisk


def printed(value, digits):
    return f"{value + 0.0:.{digits}f}".replace("-0." + "0" * digits, "0." + "0" * digits)


def test_row_sums_are_those_of_table_3():
    assert [printed(total, 4) for total in MATRIX.sum(axis=1)] == [printed(total, 4) for total in SUMS]


def test_z_and_zrisk_of_two_systems_are_those_of_table_4():
    for k, rows in TABLE_4.items():
        pair = MATRIX[[k - 1, 0]]
        for z, risk, row in zip(z_scores(pair), zrisk(pair, alpha=0), rows, strict=True):
            assert [printed(x, 4) for x in (*z, risk)] == [printed(x, 4) for x in row]


def test_zrisk_and_georisk_of_eight_systems_are_those_of_table_5():
    for alpha, expected in TABLE_5.items():
        pairs = zip(zrisk(MATRIX, alpha=alpha), georisk(MATRIX, alpha=alpha), strict=True)
        assert [(printed(a, 3), printed(b, 3)) for a, b in pairs] == [
            (printed(a, 3), printed(b, 3)) for a, b in expected
        ]


@pytest.mark.parametrize(
    ("key", "n_numbers", "n_claims"),
    [("table-3", 27, 0), ("figure-1", 8, 4), ("table-4", 84, 2), ("table-5", 64, 3), ("figure-2", 32, 1)],
)
def test_the_example_is_reproduced(key, n_numbers, n_claims, tmp_path):
    outcome = PAPER.experiment(key).run(Workplace(None, tmp_path))
    assert outcome.state == "reproduced"
    assert len(outcome.compared) == n_numbers
    assert len(outcome.claims) == n_claims


def test_all_tables_and_figures_with_results_are_there():
    assert [experiment.key for experiment in PAPER.experiments] == [
        "table-3", "figure-1", "table-4", "table-5", "figure-2", "table-6", "figure-3", "table-7",
    ]  # fmt: skip
    assert {equation.number for equation in PAPER.equations} >= {str(i) for i in range(1, 11)}
