from __future__ import annotations

import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.6], "same": [0.5, 0.4, 0.3, 0.6]},
    topics=["t1", "t2", "t3", "t4"],
    measure="AP",
)


def test_every_number_is_that_of_the_risk_functions():
    result = rr.assess(SCORES, baseline="old", alphas=(0, 5))
    new, old = SCORES["new"], SCORES["old"]
    row = result["new"]
    assert (row.gain, row.risk, row.reward) == pytest.approx(
        (rr.risk.gain(new, old), rr.risk.risk(new, old), rr.risk.reward(new, old))
    )
    assert (row.wins, row.losses, row.ties, row.large_losses) == (2, 1, 1, 1)
    assert (row.worst_topic, row.worst_loss) == ("t2", pytest.approx(0.3))
    assert row.cvar == pytest.approx(rr.risk.cvar(new, old))
    for at in row.at:
        tested = rr.risk.trisk(new, old, alpha=at.alpha)
        assert (at.urisk, at.trisk, at.p_value) == (tested.urisk, tested.statistic, tested.p_value)
        assert at.zrisk == pytest.approx(rr.risk.zrisk(SCORES.matrix, alpha=at.alpha)[1])
        assert at.georisk == pytest.approx(rr.risk.georisk(SCORES.matrix, alpha=at.alpha)[1])


def test_the_baseline_and_its_equals_have_no_test_and_say_why():
    result = rr.assess(SCORES, baseline="old")
    assert result["old"].is_baseline
    assert result["old"].at[0].reason == "it is the baseline"
    assert result["same"].at[0].reason == "the system equals the baseline on every topic"
    assert math.isnan(result["same"].at[0].trisk)
    # only `new` was tested, so there is nothing to correct for
    assert result["new"].at[0].p_holm == result["new"].at[0].p_value


def test_corrections_count_the_systems_compared():
    rng = np.random.default_rng(0)
    rows = {f"s{i}": rng.random(30) for i in range(5)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="s0", alphas=[1])
    p = [s.at[0].p_value for s in result.systems[1:]]
    assert [s.at[0].p_holm for s in result.systems[1:]] == pytest.approx(rr.risk.holm(p).tolist())
    assert [s.at[0].p_bh for s in result.systems[1:]] == pytest.approx(rr.risk.benjamini_hochberg(p).tolist())


def test_baselines_of_every_kind():
    mean = SCORES.matrix.mean(axis=0)
    assert rr.assess(SCORES, baseline="mean").baseline_scores == pytest.approx(mean)
    assert rr.assess(SCORES, baseline="max").baseline == "max of 3 systems"
    assert rr.assess(SCORES, baseline=["old", "new"]).baseline_scores == pytest.approx(SCORES.matrix[:2].mean(axis=0))
    assert rr.assess(SCORES, baseline=["old", "new"], combine="max").baseline == "max of old, new"
    assert rr.assess(SCORES, baseline=mean).baseline == "given scores"
    assert rr.assess(SCORES, baseline=["old"]).baseline == "old"
    with pytest.raises(
        AlignmentError, match="baseline 'odl' is not among the systems: old, new, same. .* Did you mean 'old'"
    ):
        rr.assess(SCORES, baseline="odl")
    with pytest.raises(AlignmentError, match="each of the 4 topics, got shape"):
        rr.assess(SCORES, baseline=[0.1, 0.2])


def test_tables_have_a_row_per_system_and_per_topic():
    result = rr.assess(SCORES, baseline="old", alphas=(0, 5))
    summary = result.summary
    assert summary["system"].to_list() == ["old", "new", "same"]
    assert {"urisk_0", "trisk_5", "p_holm_5", "georisk_0", "large_losses"} <= set(summary.columns)
    topics = result.per_topic
    assert topics.height == 2 * 2 * 4
    explored = rr.risk.explore(SCORES["new"], SCORES["old"], alpha=5)
    chosen = topics.filter((topics["system"] == "new") & (topics["alpha"] == 5))
    assert chosen["t_j"].to_list() == pytest.approx(explored.t_j.statistic.tolist())
    assert chosen["t_r_p_holm"].to_list() == pytest.approx(explored.t_r.p_holm.tolist())


@pytest.mark.parametrize("n_resamples", [0, 50])
def test_json_loads_back_into_the_same_object(tmp_path, n_resamples):
    scores = rr.evaluate(
        {"1": {"a": 1}, "2": {"b": 1, "c": 0}, "3": {"a": 0}},
        {
            "old": {"1": {"a": 1.0}, "2": {"c": 2.0, "b": 1.0}},
            "new": {"1": {"a": 1.0, "b": 1.0}, "2": {"b": 3.0}},
        },
        "P@1",
    )
    result = rr.assess(scores, baseline="old", n_resamples=n_resamples)
    result.to_json(tmp_path / "r.json")
    back = rr.Assessment.from_json(tmp_path / "r.json")
    assert back == result
    assert back.scores == result.scores
    assert repr(back) == repr(result)
    assert rr.Assessment.from_json(result.to_json()) == result
    text = (tmp_path / "r.json").read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert set(rr.read_assessments(tmp_path / "r.json")) == {"P@1"}


def test_json_with_the_former_words_for_verdicts_is_read():
    rng = np.random.default_rng(0)
    old = rng.random(30) / 2 + 0.25
    rows = {"old": old, "better": old + 0.1 + 0.1 * rng.random(30), "worse": old - 0.1 - 0.1 * rng.random(30)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="old")
    text = result.to_json()
    assert (text.count("significant gain"), text.count("significant loss")) == (4, 4)
    former = text.replace("significant gain", "real reward").replace("significant loss", "real risk")
    assert rr.Assessment.from_json(former) == result


def test_json_of_another_kind_or_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "r.json"
    for text in ("[]", "{}", "nonsense", '{"format": "other"}', '{"format": "riskrank assessments"}'):
        path.write_text(text)
        with pytest.raises(FileError, match="is not a riskrank assessment"):
            rr.Assessment.from_json(path)
    path.write_text('{"format": "riskrank assessments", "version": 99, "assessments": []}')
    with pytest.raises(FileError, match="format version 99, newer"):
        rr.Assessment.from_json(path)


def test_bootstrap_intervals_contain_the_estimates():
    rng = np.random.default_rng(0)
    rows = {"old": rng.random(60), "new": rng.random(60)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="old", alphas=[5], n_resamples=500)
    row = result["new"]
    for name in ("effectiveness", "gain", "risk", "reward", "wins", "losses", "cvar"):
        low, high = row.intervals[name]
        assert low <= getattr(row, name) <= high
    for name in ("urisk", "trisk", "georisk"):
        low, high = row.intervals[f"{name}_5"]
        assert low <= getattr(row.at[0], name) <= high
    assert "[" in repr(result)


def test_user_text_is_escaped_in_html_and_latex():
    evil = '<script>alert(1)</script>"&_%'
    scores = rr.Effectiveness.from_rows({evil: [0.1, 0.2], "b": [0.3, 0.1]}, topics=['"><img src=x>', "2"])
    result = rr.assess(scores, baseline="b")
    for html in (result.to_html(), result._repr_html_()):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert r"\&\_\%" in result.to_latex()


def test_latex_has_as_many_cells_as_columns():
    lines = rr.assess(SCORES, baseline="old", alphas=(0, 5)).to_latex().splitlines()
    columns = lines[1].count("r") - "\\begin{tabular}".count("r") + 1
    rows = [line for line in lines if line.endswith(r"\\")]
    assert all(row.count(" & ") + 1 + (2 * row.count("multicolumn")) == columns for row in rows)


def test_degenerate_scores_are_assessed_without_warnings():
    for matrix in (np.zeros((2, 3)), np.ones((2, 1)), np.full((2, 2), np.nan), np.empty((2, 0))):
        scores = rr.Effectiveness("x", ("a", "b"), tuple(map(str, range(matrix.shape[1]))), matrix)
        result = rr.assess(scores, baseline="a", n_resamples=10)
        assert result["b"].at[0].verdict == "undefined"
        assert result["b"].at[0].reason
        assert "b" in repr(result)
        assert rr.Assessment.from_json(result.to_json()) == result
    negative = rr.Effectiveness.from_rows({"a": [-1.0, 2.0], "b": [1.0, 1.0]})
    assert math.isnan(rr.assess(negative, baseline="a")["b"].at[0].georisk)


def test_senseless_options_are_refused():
    for options in ({"alphas": []}, {"alphas": [-1]}, {"level": 2}, {"cvar_share": 0}):
        with pytest.raises(ParameterError):
            rr.assess(SCORES, baseline="old", **options)


def test_wide_and_combining_characters_keep_columns_aligned():
    from riskrank.report.text.assessment_text import aligned

    lines = aligned(["system", "x"], [["検索", "1"], ["e\u0301", "2"], ["abcd", "3"]]).splitlines()
    assert lines[1].endswith("  1")
    assert lines[1] == "検索    1"
    assert lines[2] == "e\u0301       2"


def test_lookups_that_people_try(tmp_path):
    result = rr.assess(SCORES, baseline="old", alphas=5)
    assert result["new"].at_alpha(5).alpha == 5
    with pytest.raises(ParameterError, match="alpha 1 was not assessed, only 5"):
        result["new"].at_alpha(1)
    assert [s.system for s in result] == ["old", "new", "same"]
    with pytest.raises(AlignmentError, match="no system '0'"):
        _ = result[0]
    with pytest.raises(ParameterError, match=r"Pick one: scores\['nDCG@10'\]"):
        rr.assess({"AP": SCORES}, baseline="old")
    SCORES.to_polars().write_csv(tmp_path / "m.csv")
    assert rr.assess(tmp_path / "m.csv", baseline="old").systems[1].gain == pytest.approx(result["new"].gain)


def test_geometric_means_keep_their_interval():
    scores = rr.evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}, "2": {"a": 1.0, "b": 2.0}}}, "GM(RR)")
    row = rr.assess(scores, baseline="mean", n_resamples=200)["x"]
    assert row.intervals["effectiveness"] == row.intervals["geometric_mean"]


def test_close_alphas_have_columns_of_their_own():
    summary = rr.assess(SCORES, baseline="old", alphas=[0.1234567, 0.1234568]).summary
    assert {"urisk_0.1234567", "urisk_0.1234568"} <= set(summary.columns)


def test_rank_changes_have_intervals():
    same, turned = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = {"old": {"1": same, "2": turned}, "new": {"1": turned, "2": turned}}
    scores = rr.evaluate({"1": {"a": 1}, "2": {"a": 1}}, runs, "RR")
    changes = rr.rank_changes(runs, "old", topics=scores.topics)
    row = rr.assess(scores, baseline="old", n_resamples=200, rank_changes=changes)["new"]
    assert (row.kendall_tau, row.reranked) == (0.0, 0.5)
    assert row.intervals["kendall_tau"] == (-1.0, 1.0)
