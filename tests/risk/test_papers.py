"""Numbers that the papers print, computed again."""

from __future__ import annotations

import pytest

import riskrank as rr

from . import dincer2016_tables as dincer2016


def printed(value: float, digits: int) -> str:
    return f"{value + 0.0:.{digits}f}".replace("-0." + "0" * digits, "0." + "0" * digits)


def test_row_sums_are_those_of_table_3():
    assert [printed(s, 4) for s in dincer2016.MATRIX.sum(axis=1)] == [printed(s, 4) for s in dincer2016.SUMS]


def test_zrisk_of_two_systems_is_that_of_table_4():
    for k, expected in dincer2016.TWO_SYSTEMS.items():
        values = rr.risk.zrisk(dincer2016.MATRIX[[k - 1, 0]], alpha=0)
        assert [printed(z, 4) for z in values] == [printed(z, 4) for z in expected]


def test_zrisk_and_georisk_of_eight_systems_are_those_of_table_5():
    for alpha, expected in dincer2016.ALL_SYSTEMS.items():
        z = rr.risk.zrisk(dincer2016.MATRIX, alpha=alpha)
        geo = rr.risk.georisk(dincer2016.MATRIX, alpha=alpha)
        assert [(printed(a, 3), printed(b, 3)) for a, b in zip(z, geo, strict=True)] == [
            (printed(a, 3), printed(b, 3)) for a, b in expected
        ]


# Table 6: mean ERR@20 → (URisk, TRisk) at α = 0 and at α = 5, for the runs of the table that are in the public scores.
# Its ZRisk and GeoRisk need the scores of all 49 runs of the paper; some of them are not in the public set.
TABLE_6 = {
    0.3406: ((0.146, 2.822), (-0.130, -0.798)),
    0.2901: ((0.095, 2.130), (-0.189, -1.112)),
    0.2203: ((0.026, 0.561), (-0.388, -2.046)),
}


@pytest.fixture(scope="module")
def trec_2012(shared_data):
    folder = shared_data / "trec_web2012"
    own = rr.evaluate(folder / "qrels.adhoc.txt", {"indriCASP": folder / "indri_rm_cata_filtered.run"}, "ERR@20")
    others = rr.read_scores(folder / "web2012_err20.csv")
    rows = {**dict(zip(others.systems, others.matrix, strict=True)), "indriCASP": own["indriCASP"]}
    return rr.Effectiveness.from_rows(rows, topics=own.topics, measure="ERR@20")


def test_urisk_and_trisk_of_trec_2012_are_those_of_table_6(trec_2012):
    single = rr.assess(trec_2012, baseline="indriCASP", alphas=(0, 5))
    systems = {f"{s.effectiveness:.4f}": s for s in single.systems}
    for effectiveness, expected in TABLE_6.items():
        for at, (urisk, trisk) in zip(systems[f"{effectiveness:.4f}"].at, expected, strict=True):
            assert (printed(at.urisk, 3), printed(at.trisk, 3)) == (printed(urisk, 3), printed(trisk, 3))


@pytest.mark.parametrize(
    ("run", "topics"), [("run24", ["166", "175"]), ("run46", ["166", "172", "175", "191"])], ids=["uogTrA44xi", "qutwb"]
)
def test_figure_2_of_dincer2014_names_the_topics_that_lose(run, topics, trec_2012):
    explored = rr.risk.explore(trec_2012[run], trec_2012["indriCASP"], alpha=0)
    assert [topic for topic, t in zip(trec_2012.topics, explored.t_j, strict=True) if t < -2] == topics


def test_urisk_is_that_of_the_track_organisers_own_tool(shared_data):
    folder = shared_data / "trec_web2012"
    runs = {"base": folder / "indri_rm_cata_filtered.run", "ql": folder / "indri_ql_catb_filtered.run"}
    scores = rr.evaluate(folder / "qrels.adhoc.txt", runs, ["ERR@20", "nDCG(dcg='exp-log2')@20"])
    expected = {
        "ERR@20": {1: -0.05410, 5: -0.20440, 10: -0.39228},
        "nDCG(dcg='exp-log2')@20": {1: -0.02925, 5: -0.12208, 10: -0.23811},
    }
    for measure, values in expected.items():
        for alpha, value in values.items():
            urisk = rr.risk.urisk(scores[measure]["ql"], scores[measure]["base"], alpha=alpha)
            assert printed(urisk, 5) == printed(value, 5)
