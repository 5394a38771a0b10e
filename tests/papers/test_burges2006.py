"""Burges et al. 2006: λ-functions, V1 and V2, and LambdaRank against RankNet."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.letor.writer import write_letor
from riskrank.errors import RiskrankError

pytest.importorskip("torch", reason="nets need PyTorch")

from riskrank.papers import burges2006
from riskrank.papers.burges.burges_cubic import cubic_draws, cubic_split
from riskrank.papers.burges.burges_nets import NDCG, NetSettings, judged_nets
from riskrank.papers.burges.burges_speed import SpeedSizes, slope, speed_outcome
from riskrank.papers.paper import Workplace
from riskrank.rankers.nets.lambdanet import LambdaNet

TINY = NetSettings(n_epochs=2, rates=(1e-12, 1e-1))
N_MODELS = 2 * 2 * 2  # layers × objectives × rates


def searches(n_queries, seed=0):
    return rr.web_search_data(n_queries, documents_per_query=8, n_features=20, random_state=seed)


@pytest.fixture
def five_parts(tmp_path, monkeypatch):
    """LETOR's layout, six queries each; and the full protocol with little training."""
    monkeypatch.setattr(burges2006, "FULL", TINY)
    monkeypatch.setattr(burges2006, "FULL_INTRANET", TINY)
    data, folder = searches(30), tmp_path / "letor"
    folder.mkdir()
    for i in range(5):
        write_letor(data.take(slice(6 * i, 6 * i + 6)), folder / f"S{i + 1}.txt")
    return folder


@pytest.fixture
def trainings(monkeypatch):
    """How many were begun."""
    begun, learner = [], LambdaNet.learner

    def counting(self, plan, checkpoint):
        begun.append(self.learning_rate)
        if len(begun) in stops:
            raise KeyboardInterrupt
        return learner(self, plan, checkpoint)

    stops = set()
    monkeypatch.setattr(LambdaNet, "learner", counting)
    return begun, stops


def test_the_family_of_lambda_functions_is_examined():
    outcome = rr.reproduce("burges2006", "section-4", verbose=False).outcomes["section-4"]
    assert (outcome.state, outcome.count) == ("direction only", "3 of 3 claims hold")
    work = {row.label: abs(row.cells[3].ours) for row in outcome.tables[0].rows}
    assert work["RankNet"] < 1e-3
    assert work["LambdaRank"] > 0.01


def test_both_ways_of_training_are_timed_and_learn_the_same():
    outcome = speed_outcome(searches(8), SpeedSizes(4, 2, (30, 60), (40, 80)), "some searches")
    assert outcome.claims[0].verdict == "holds", outcome.claims[0].evidence
    printed = [number.printed for table in outcome.tables for number in table.numbers()]
    assert printed == [5.1, 8.0, None, None, 1.943, 1.185]
    left, right = outcome.figures
    assert [len(series.x) for series in (*left.series, *right.series)] == [2, 2, 2, 2]
    assert all(a <= b for a, b in zip(left.series[0].y, left.series[0].y[1:], strict=False))
    assert "4 training queries (the paper: 1,000)" in outcome.departures[-1]


def test_slopes_are_those_of_logarithms():
    assert slope([10, 100, 1000], [3 * n**1.5 for n in (10, 100, 1000)]) == pytest.approx(1.5)


def test_validation_chooses_the_rate_and_test_queries_judge(tmp_path):
    splits = [(searches(10), searches(6, 1), searches(7, 2)), (searches(10, 3), searches(6, 4), searches(5, 5))]
    nets = judged_nets(splits, TINY, folder=tmp_path / "nets", verbose=False)
    assert [net.values.shape for net in nets.values()] == [(10, 12)] * 4
    assert nets["LambdaRank, linear"].rates == (1e-1, 1e-1)  # the other one hardly moves
    assert NDCG[-1] == "nDCG(gains={0:0,1:3,2:7,3:15,4:31})@10"
    model = LambdaNet.burges2006(
        rr.Gain(NDCG[-1], truncation=1_000_000, normalise=False), layers=1, learning_rate=1e-1, n_epochs=2,
        valid_measure=NDCG[-1], n_threads=1,
    ).fit(splits[1][0], valid=splits[1][1])  # fmt: skip
    scores = {"net": model.predict(splits[1][2])}
    for row in (0, 9):
        expected = rr.evaluate(splits[1][2], scores, NDCG[row])["net"]
        np.testing.assert_allclose(nets["LambdaRank, linear"].values[row, 7:], expected)


@pytest.mark.parametrize("key", ["figure-2-left", "figure-2-right", "figure-3"])
def test_small_versions_run_without_data(key, monkeypatch):
    monkeypatch.setattr(burges2006, "SMALL", TINY)
    monkeypatch.setattr(burges2006, "SMALL_INTRANET", TINY)
    monkeypatch.setattr(burges2006, "SMALL_CUBIC_SIZES", (10, 5, 10))
    monkeypatch.setattr(burges2006, "SMALL_INTRANET_QUERIES", 20)
    monkeypatch.setattr(burges2006, "web_search_data", lambda *_, **__: searches(20))
    outcome = rr.reproduce("burges2006", key, verbose=False).outcomes[key]
    assert not any(claim.on_paper_data for claim in outcome.claims)
    assert len(outcome.claims) == (4 if key == "figure-2-left" else 3)
    assert any(each.startswith("small: ") for each in outcome.departures)
    test, train = ([row.label for row in table.rows] for table in outcome.tables[:2])
    assert test[:4] == train
    assert train[:2] == ["RankNet, linear", "LambdaRank, linear"]
    for figure in outcome.figures:
        assert (figure.x_title, figure.y_title) == ("truncation level", "nDCG")
        assert all(series.x == tuple(range(1, 11)) for series in figure.series)
        assert all(low <= y for series in figure.series for low, y in zip(series.low, series.y, strict=True))


def test_two_parts_train_two_validate_and_one_tests():
    data = searches(10)
    parts = [data.take(slice(i, i + 2)) for i in range(0, 10, 2)]
    turns = burges2006.turns(parts)
    assert [tuple(part.n_queries for part in turn) for turn in turns] == [(4, 4, 2)] * 5
    np.testing.assert_array_equal(turns[3][0].labels, np.concatenate([parts[3].labels, parts[4].labels]))
    np.testing.assert_array_equal(turns[3][2].labels, parts[2].labels)


def test_the_full_protocol_goes_on_where_it_was_interrupted(five_parts, tmp_path, trainings):
    begun, stops = trainings
    work = Workplace(five_parts, tmp_path / "out", False)
    stops.add(4)
    with pytest.raises(KeyboardInterrupt):
        burges2006.figure_3(work)
    outcome = burges2006.figure_3(work)
    assert len(begun) == N_MODELS + 1  # the fourth began twice, and no other
    assert outcome.data == "12 / 6 / 12 queries of letor"
    assert not any(each.startswith("small") for each in outcome.departures)
    again = burges2006.figure_3(work)
    assert len(begun) == N_MODELS + 1
    assert again.tables == outcome.tables


def test_all_folds_of_the_full_protocol_are_judged(five_parts, tmp_path):
    outcome = burges2006.figure_2_right(Workplace(five_parts, tmp_path / "out", False))
    assert outcome.data == "30 queries of letor, five folds of 2 + 2 + 1 parts"


def test_cubic_data_may_come_from_the_command_line(tmp_path):
    rr.write_synthetic("cubic", tmp_path / "cubic", n_queries=[4, 2, 3], random_state=5)
    (folder,) = cubic_draws(Workplace(tmp_path / "cubic", tmp_path))
    train, _, test = cubic_split(folder, (1, 1, 1))
    assert (train.n_queries, test.n_queries) == (4, 3)
    (tmp_path / "empty").mkdir()
    assert cubic_draws(Workplace(tmp_path / "empty", tmp_path)) == [None]
    assert [part.n_queries for part in cubic_split(None, (3, 2, 2))] == [3, 2, 2]


def test_several_draws_are_judged_together(tmp_path, monkeypatch):
    monkeypatch.setattr(burges2006, "FULL", TINY)
    for seed in (1, 2, 3):
        rr.write_synthetic("cubic", tmp_path / "draws" / str(seed), n_queries=[4, 2, 3], random_state=seed)
    work = Workplace(tmp_path / "draws", tmp_path / "out", False)
    outcome = burges2006.figure_2_left(work)
    assert outcome.data == "3 draws of 4 / 2 / 3 queries of generated data"
    linear = outcome.claims[0]
    assert linear.text == "LambdaRank clearly outperforms RankNet (linear)"
    leads = []
    for seed in ("1", "2", "3"):
        alone = Workplace(tmp_path / "draws" / seed, tmp_path / "out" / "figure-2-left" / seed, False)
        nets = judged_nets([cubic_split(alone.data, ())], TINY, folder=alone.folder, verbose=False)
        leads.append(np.mean(nets["LambdaRank, linear"].values - nets["RankNet, linear"].values))
    assert linear.judged.values == pytest.approx(leads)
    assert ", ".join(f"{each:+.4f}" for each in leads) in linear.evidence


def test_a_draw_that_lacks_a_file_is_told_in_one_line(tmp_path):
    rr.write_synthetic("cubic", tmp_path / "cubic", n_queries=[4, 2, 3], random_state=5)
    (tmp_path / "cubic" / "valid.txt").unlink()
    with pytest.raises(
        RiskrankError, match=r"cubic: lacks valid\.txt of 3 files\. Needed: a folder that `riskrank synth"
    ):
        rr.reproduce("burges2006", "figure-2-left", data=tmp_path / "cubic", folder=tmp_path / "out", verbose=False)
    assert not (tmp_path / "out").exists()


def test_several_draws_are_all_there_before_the_first_is_trained_on(tmp_path):
    for seed in (1, 2):
        rr.write_synthetic("cubic", tmp_path / "draws" / str(seed), n_queries=[4, 2, 3], random_state=seed)
    work = Workplace(tmp_path / "draws", tmp_path / "out", False)
    assert [folder.name for folder in cubic_draws(work)] == ["1", "2"]
    rr.write_synthetic("cubic", tmp_path / "draws" / "3", n_queries=[4, 2, 3], random_state=1)
    with pytest.raises(RiskrankError, match=r"3: holds the same data as 1: draws need a --seed of their own each"):
        cubic_draws(work)
    (tmp_path / "draws" / "3" / "train.txt").unlink()
    with pytest.raises(RiskrankError, match=r"3: lacks train\.txt of 3 files\. Needed: a folder that"):
        cubic_draws(work)
    assert not work.folder.exists()


def test_estimates_count_all_trainings(five_parts):
    """8 models × 2 epochs × 12 queries × 20 µs, and five folds of them."""
    work = Workplace(five_parts, five_parts)
    seconds = {each.key: each.estimate(work) for each in burges2006.PAPER.experiments if each.estimate}
    assert seconds["figure-3"] == pytest.approx(N_MODELS * 2 * 12 * 2e-5)
    assert seconds["figure-2-right"] == pytest.approx(5 * seconds["figure-3"])


def lacking(folder):
    (folder / "S4.txt").unlink()
    return r"lacks S4\.txt of 5 files\. Needed: in place of the paper's data"


def other_features(folder):
    write_letor(rr.web_search_data(6, documents_per_query=8, n_features=24), folder / "S3.txt")
    return r"S3\.txt:1: has 24 features; S1\.txt has 20\."


def truncated(folder):
    path = folder / "S2.txt"
    path.write_bytes(path.read_bytes()[:-7].rstrip(b"0123456789.e+-").rpartition(b" ")[0])
    return r"S2\.txt: is cut off: its last line has 19 of 20 features\. Needed: "


def malformed(folder):
    path = folder / "S2.txt"
    path.write_bytes(path.read_bytes().replace(b" 3:", b" three:", 1))
    return r"S2\.txt:1: .* Needed: in place of the paper's data LETOR"


@pytest.mark.parametrize("damage", [lacking, other_features, truncated, malformed])
def test_data_that_lack_something_are_told_in_one_line(damage, five_parts, tmp_path):
    message = damage(five_parts)
    with pytest.raises(RiskrankError, match=message) as told:
        rr.reproduce("burges2006", "figure-3", data=five_parts, folder=tmp_path / "out", verbose=False)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "out").exists()
