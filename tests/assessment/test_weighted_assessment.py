"""Weights in an assessment: scores that know them, every number, tables, JSON, text and pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import riskrank as rr
from riskrank import risk
from riskrank.assessment.topics_needed import topics_needed
from riskrank.errors import AlignmentError, FileError, ParameterError

N_TOPICS = 60


@pytest.fixture(scope="module")
def weights():
    return np.random.default_rng(1).lognormal(0, 1, N_TOPICS)


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    old = rng.uniform(0.2, 0.6, N_TOPICS)
    rows = {"old": old, **{f"new{k}": np.clip(old + rng.laplace(0.02 * k, 0.08, N_TOPICS), 0, 1) for k in range(3)}}
    return rr.Effectiveness.from_rows(rows, topics=[f"t{i}" for i in range(N_TOPICS)])


@pytest.fixture(scope="module")
def assessed(scores, weights):
    return rr.assess(scores, "old", alphas=[0, 2], weights=weights, intervals=True)


def test_every_number_is_weighted(scores, assessed, weights):
    for name in ("new0", "new1", "new2"):
        pair, summary = (scores[name], scores["old"]), assessed[name]
        assert summary.effectiveness == pytest.approx(np.average(scores[name], weights=weights))
        assert summary.geometric_mean == pytest.approx(
            np.exp(np.average(np.log(np.maximum(scores[name], 1e-5)), weights=weights))
        )
        assert summary.gain == pytest.approx(risk.gain(*pair, weights=weights))
        assert summary.risk == pytest.approx(risk.risk(*pair, weights=weights))
        assert summary.reward == pytest.approx(risk.reward(*pair, weights=weights))
        assert summary.cvar == pytest.approx(risk.cvar(*pair, weights=weights))
        assert (summary.wins, summary.losses) == ((pair[0] > pair[1]).sum(), (pair[0] < pair[1]).sum())
        for at in summary.at:
            tested = risk.trisk(*pair, alpha=at.alpha, weights=weights)
            assert (at.urisk, at.standard_error) == pytest.approx((tested.urisk, tested.standard_error))
            assert (at.trisk, at.p_value, at.p_mirror) == pytest.approx(
                (tested.statistic, tested.p_value, tested.p_mirror)
            )
        known = risk.intervals(*pair, alphas=[0, 2], weights=weights)
        for column in ("gain", "risk", "urisk_2"):
            assert summary.intervals[column] == pytest.approx(known[column])
    i = scores.systems.index("new1")
    assert assessed["new1"].at[1].georisk == pytest.approx(risk.georisk(scores, alpha=2, weights=weights)[i])
    assert assessed["new1"].at[1].zrisk == pytest.approx(risk.zrisk(scores, alpha=2, weights=weights)[i])


def test_scores_that_know_weights_need_no_more(scores, weights, assessed):
    by_topic = dict(zip(scores.topics, weights.tolist(), strict=True))
    for source in (by_topic, list(weights)):
        assert rr.assess(scores.weighted(source), "old", alphas=[0, 2], intervals=True) == assessed
    assert scores.weighted(by_topic).only(["new1"]).weights.tolist() == weights.tolist()
    assert scores.weighted(weights) != scores
    assert scores.weighted(weights) == scores.weighted(by_topic)


def test_whole_weights_are_repeated_topics(scores):
    times = np.random.default_rng(2).integers(0, 4, N_TOPICS)
    many = rr.Effectiveness.from_rows({name: np.repeat(scores[name], times) for name in scores})
    one, other = rr.assess(scores, "old", weights=times), rr.assess(many, "old")
    for a, b in zip(one, other, strict=True):
        for name in ("effectiveness", "geometric_mean", "gain", "risk", "reward", "cvar"):
            assert getattr(a, name) == pytest.approx(getattr(b, name), abs=1e-12)
        assert [at.urisk for at in a.at] == pytest.approx([at.urisk for at in b.at], abs=1e-12)
        assert [at.georisk for at in a.at] == pytest.approx([at.georisk for at in b.at], abs=1e-12)


def test_equal_weights_change_no_number(scores):
    plain, equal = (rr.assess(scores, "old", weights=w, intervals=True) for w in (None, np.full(N_TOPICS, 2.5)))
    assert [repr(each) for each in equal] == [repr(each) for each in plain]
    assert str(equal) == str(plain)


def test_json_and_tables_have_the_weights(assessed, weights):
    content = assessed.to_dict()
    effective = weights.sum() ** 2 / np.square(weights).sum()
    assert content["weights"] == weights.tolist()
    assert content["n_effective"] == pytest.approx(effective)
    assert rr.Assessment.from_json(assessed.to_json()) == assessed
    assert assessed.summary["n_effective"].to_list() == pytest.approx([effective] * 4)
    assert assessed.per_topic["weight"].head(N_TOPICS).to_list() == weights.tolist()


def test_without_weights_nothing_speaks_of_them(scores):
    plain = rr.assess(scores, "old")
    assert "weights" not in plain.to_dict()
    assert "n_effective" not in plain.summary.columns
    assert "weight" not in plain.per_topic.columns
    assert "weighted" not in str(plain)


def test_weights_in_a_file_must_fit_its_topics(assessed):
    content = assessed.to_dict()
    for weights in ([1.0], [-1.0] * 60, [0.0] * 60, [None] * 60):
        with pytest.raises(FileError, match="weights"):
            rr.Assessment.from_dict({**content, "weights": weights})


def test_the_first_screen_and_the_page_say_so(assessed, weights):
    effective = f"{weights.sum() ** 2 / np.square(weights).sum():,.1f}"
    said = f"60 topics, weighted: they count as {effective}"
    assert said in str(assessed)
    assert said in assessed.to_html()
    mean = f"{np.average(assessed.baseline_scores, weights=weights):.3f}"
    assert f"old ({mean})" in str(assessed)


def test_a_handful_that_decides_all_is_a_caution(scores):
    heavy = np.ones(N_TOPICS)
    heavy[0] = 1000
    cautions = rr.assess(scores, "old", weights=heavy).cautions
    assert any("60 topics count as 1.1 by their weights, which is few" in each for each in cautions)


def test_all_pairs_and_topics_needed_are_weighted(scores, weights, assessed):
    pairs = {(each.system, each.other): each for each in rr.all_pairs(scores.weighted(weights)).pairs}
    (pair,) = [each for key, each in pairs.items() if set(key) == {"new2", "old"}]
    tested = risk.trisk(scores[pair.system], scores[pair.other], alpha=0, weights=weights)
    assert pair.gain == pytest.approx(tested.urisk)
    assert pair.p_mirror == pytest.approx(tested.p_mirror)
    said = " ".join(str(rr.all_pairs(scores.weighted(weights))).split())
    assert "on 60 topics, weighted (they count as" in said
    heavy = np.append(1000.0, np.ones(N_TOPICS - 1))
    assert {each.p_max_t for each in rr.all_pairs(scores.weighted(heavy)).pairs} == {1.0}
    (needed,) = [each for each in topics_needed(assessed) if each.system == "new1"]
    power = risk.power(scores["new1"], scores["old"], effect=0.02, weights=weights)
    assert needed.n_topics[0.02] == power.n_topics


def test_feature_data_pass_their_weights_on():
    data = rr.RankingData.from_arrays(np.eye(6), [1, 0, 0, 1, 1, 0], group=[2, 2, 2], weights=[5, 1, 2])
    values = rr.evaluate(data, {"x": [0.0, 1.0, 2.0, 1.0, 1.0, 0.0]}, "RR")
    assert values.weights.tolist() == [5, 1, 2]
    assert values.means()[0] == pytest.approx(np.average(values["x"], weights=[5, 1, 2]))
    assert rr.evaluate(data.take([0, 2]), {"x": [0.0, 1.0, 1.0, 0.0]}, "RR").weights.tolist() == [5, 2]


def test_topics_left_out_take_their_weights_along():
    data = rr.RankingData.from_arrays(np.eye(6), [1, 0, 0, 0, 1, 0], group=[2, 2, 2], weights=[5, 1, 2])
    values = rr.evaluate(data, {"x": np.arange(6.0)}, "RR").with_relevant()
    assert values.weights.tolist() == [5, 2]


def test_bad_weights_are_refused_in_a_line(scores, tmp_path):
    table = tmp_path / "traffic.csv"
    lines = [f"t{i},{i + 1}" for i in range(N_TOPICS)]
    table.write_text("\n".join(["topic,views", *lines]))
    assert rr.assess(scores, "old", weights=table).scores.weights.tolist() == list(range(1, N_TOPICS + 1))
    table.write_text("\n".join(["topic,views", *lines[:-2]]))
    with pytest.raises(FileError, match="2 of 60 topics have no weight: t58, t59. Give them one, 0 for none."):
        rr.assess(scores, "old", weights=table)
    table.write_text("\n".join(["topic,views", "t0,-3", *lines[1:]]))
    with pytest.raises(FileError, match="traffic.csv:2: topic 't0' needs a number from 0, got '-3'"):
        rr.assess(scores, "old", weights=table)
    with pytest.raises(AlignmentError, match="all 60 topics have the weight 0"):
        rr.assess(scores, "old", weights=dict.fromkeys(scores.topics, 0))
    with pytest.raises(ParameterError, match="60 topics need as many weights, got 2"):
        rr.assess(scores, "old", weights=[1, 2])


def test_changes_that_go_with_weights_are_a_caution():
    rng = np.random.default_rng(3)
    weights, old = rng.lognormal(0, 1, 300), rng.uniform(0.3, 0.6, 300)
    noise = rng.normal(0, 0.05, 300)
    rows = {"old": old, "unrelated": old + noise, "heavy": old + noise + 0.02 * np.log(weights)}
    assessed = rr.assess(rr.Effectiveness.from_rows(rows), "old", weights=weights)
    stats = pytest.importorskip("scipy.stats")
    expected = stats.spearmanr(weights, rows["heavy"] - old).statistic
    (said,) = assessed.cautions
    assert said.startswith(
        f"heavy topics gain more or less than others: heavy more (rank correlation {expected:+.2f})."
    )
    assert rr.assess(rr.Effectiveness.from_rows(rows), "old").cautions == []


def test_equal_weights_and_changes_share_ranks():
    weights = np.repeat([1.0, 2.0], 30)
    rows = {"old": np.full(60, 0.5), "new": 0.5 + np.tile([0.0, 0.0, 0.1], 20) + 0.1 * (weights > 1)}
    stats = pytest.importorskip("scipy.stats")
    expected = stats.spearmanr(weights, rows["new"] - rows["old"]).statistic
    (said,) = rr.assess(rr.Effectiveness.from_rows(rows), "old", weights=weights).cautions
    assert f"rank correlation {expected:+.2f}" in said


@pytest.mark.parametrize("heavy", [np.random.default_rng(5).lognormal(0, 1, 40), np.ones(40)], ids=["skewed", "equal"])
def test_topics_of_weight_0_are_not_there(scores, heavy):
    """40 topics with weights, and the same with 20 more of weight 0, of which some would be wins, losses and ties."""
    more = replace(scores, without_relevant=("t3", "t50"), missing={"new1": ("t4", "t51"), "new2": ("t52",)})
    only = replace(
        scores, topics=scores.topics[:40], matrix=scores.matrix[:, :40], without_relevant=("t3",),
        missing={"new1": ("t4",)},
    )  # fmt: skip
    weights = np.append(heavy, np.zeros(20))
    for baseline in ("old", "mean"):
        one = rr.assess(more, baseline, weights=weights, intervals=True)
        other = rr.assess(only, baseline, weights=heavy, intervals=True)
        content = one.to_dict()
        assert content.pop("topics_without_weight") == list(scores.topics[40:])
        content["cautions"].remove("20 topics of weight 0 left out.")
        assert content == other.to_dict()
        assert one.per_topic.equals(other.per_topic)
        assert rr.Assessment.from_json(one.to_json()) == one
    given = rr.assess(more, scores["old"], weights=weights)
    assert given["new1"].gain == rr.assess(only, "old", weights=heavy)["new1"].gain
