"""The gate in Python; tests/cli/commands/test_gate.py has the same rules through the command."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError, UnknownMeasureError

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.4]}, topics=["t1", "t2", "t3", "t4"], measure="AP"
)
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}}
OLD = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0, "b": 2.0}}
NEW = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}  # the second topic falls from 1 to 1/2


def test_a_broken_budget_names_the_topics_worst_first():
    result = rr.gate(SCORES, "new", "old", max_loss=0.1)
    assert not result.passed
    assert [(t.topic, round(t.change, 3)) for t in result.broken_topics] == [("t2", -0.3), ("t4", -0.2)]
    assert result.topics_of(result.checks[0]) == result.broken_topics
    assert (result.broken_topics[0].score, result.broken_topics[0].baseline) == (0.1, 0.4)


def test_a_budget_that_holds_names_none():
    result = rr.gate(SCORES, "new", "old", max_loss=0.5, max_hurt=0.5)
    assert result.passed
    assert [check.name for check in result.checks] == ["hurt", "loss"]
    assert result.broken_topics == ()


def test_without_a_budget_the_default_limits_decide():
    rng = np.random.default_rng(0)
    old = rng.random(30) / 2 + 0.5
    scores = rr.Effectiveness.from_rows({"old": old, "worse": old - 0.1 - 0.1 * rng.random(30)})
    assert [check.name for check in rr.gate(scores, "worse", "old").checks if not check.holds] == [
        "hurt", "urisk", "significance",
    ]  # fmt: skip
    assert rr.gate(scores, "old", "worse").passed
    assert {check.alpha for check in rr.gate(scores, "old", "worse", alpha=5).checks[2:]} == {5}


def test_a_mean_that_gains_does_not_hide_severe_losses():
    old = np.full(50, 0.5)
    new = old + 0.2
    new[:3] -= 0.7  # 3 of 50 lose 0.5
    scores = rr.Effectiveness.from_rows({"old": old, "new": new})
    result = rr.gate(scores, "new", "old")
    assert [check.name for check in result.checks if not check.holds] == ["severe"]
    assert [topic.topic for topic in result.broken_topics] == ["1", "2", "3"]


def test_a_system_against_itself_passes_however_strict_the_gate():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3, 0.9]})
    result = rr.gate(scores, "old", "old", strict=True)
    assert result.passed
    assert rr.gate(QRELS, {"a": OLD}, {"b": OLD}, strict=True).passed


def test_several_candidates_baselines_and_measures_are_all_compared():
    result = rr.gate(QRELS, {"new": NEW, "copy": OLD}, {"old": OLD, "older": OLD}, ["RR", "AP"], max_loss=0.1)
    names = [(each.candidate, each.baseline, each.measure) for each in result.comparisons]
    assert names == [(c, b, m) for c in ("new", "copy") for b in ("old", "older") for m in ("RR", "AP")]
    assert [each.passed for each in result.comparisons] == [False] * 4 + [True] * 4
    assert (result.passed, result.candidate, result.scores.measure) == (False, "new", "RR")
    assert len(result.checks) == 8


def test_a_candidate_that_lacks_topics_fails_and_they_are_named():
    result = rr.gate(QRELS, {"1": OLD["1"]}, OLD, "RR", max_loss=1.0)
    (check, loss) = result.checks
    assert (check.name, check.holds, loss.holds) == ("missing", False, True)
    assert check.words == "no results for 1 of 2 topics: 2"
    assert [topic.topic for topic in result.topics_of(check)] == ["2"]
    assert rr.gate(QRELS, {"1": OLD["1"]}, OLD, "RR", max_loss=1.0, missing="zero").passed


def test_weights_decide_shares_and_means_but_not_single_losses():
    weights = {"t1": 97, "t2": 1, "t3": 1, "t4": 1}
    hurt, loss = rr.gate(SCORES, "new", "old", max_hurt=0.1, max_loss=0.1, weights=weights).checks
    assert (hurt.value, hurt.holds) == (pytest.approx(0.02), True)
    assert not loss.holds
    with pytest.raises(AlignmentError, match="weights: 3 of 4 topics have no weight: t2, t3, t4"):
        rr.gate(SCORES, "new", "old", weights={"t1": 1})


def test_topics_that_must_not_break():
    result = rr.gate(SCORES, "new", "old", max_loss=0.9, must_not_break=["t1", "t2"])
    assert [(check.name, check.holds) for check in result.checks] == [("loss", True), ("protected", False)]
    assert [topic.topic for topic in result.broken_topics] == ["t2"]
    with pytest.raises(AlignmentError, match=r"must_not_break: no topic 't9'\."):
        rr.gate(SCORES, "new", "old", must_not_break=["t9"])


def test_what_is_given_comes_before_the_budget():
    budget = rr.GateBudget(
        limits=rr.risk.Budget(max_loss=0.1, max_hurt=0.9), by_measure={"AP": rr.risk.Budget(max_hurt=0.6)}
    )
    assert [check.limit for check in rr.gate(SCORES, "new", "old", budget=budget).checks] == [0.6]
    assert [check.limit for check in rr.gate(SCORES, "new", "old", budget=budget, max_hurt=0.7).checks] == [0.7]
    assert [check.name for check in rr.gate(SCORES, "new", "old", budget=rr.risk.Budget(max_risk=1)).checks] == ["risk"]


def test_runs_are_named_by_mappings_by_themselves_or_by_their_part(tmp_path):
    (tmp_path / "bm25.run").write_text("1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    for candidate, baseline, names in (
        (NEW, OLD, ("candidate", "baseline")),
        ({"neural": NEW}, {"bm25": OLD}, ("neural", "bm25")),
        (rr.read_run(NEW, name="neural"), tmp_path / "bm25.run", ("neural", "bm25")),
    ):
        result = rr.gate(QRELS, candidate, baseline, "RR", max_risk=0.1)
        assert (result.candidate, result.baseline) == names
        assert [t.topic for t in result.broken_topics] == ["2"]
        assert result.scores[result.candidate].tolist() == [1.0, 0.5]


def test_a_run_of_one_topic_is_no_name():
    result = rr.gate({"1": {"a": 1}}, {"1": {"a": 1.0}}, {"1": {"a": 1.0}}, max_risk=0.1)
    assert (result.candidate, result.baseline) == ("candidate", "baseline")


def test_scores_of_feature_data_are_gated_as_runs_are():
    data = rr.RankingData.from_arrays([[1.0], [2.0], [2.0], [1.0]], [1, 0, 1, 0], group=[2, 2])
    result = rr.gate(data, "feature:1", {"best": [1.0, 0.0, 1.0, 0.0]}, "RR", max_loss=0.6)
    assert (result.candidate, result.baseline) == ("feature:1", "best")
    assert result.scores.matrix.tolist() == [[1.0, 1.0], [0.5, 1.0]]
    assert result.passed


def test_given_scores_are_of_the_measure_that_is_asked_for():
    for measure in ("AP", "map", rr.parse_measure("AP")):
        assert rr.gate(SCORES, "new", "old", measure, max_loss=0.5).scores == SCORES
    with pytest.raises(ParameterError, match=r"^the scores are of AP, not of RR: leave measure= out\.$"):
        rr.gate(SCORES, "new", "old", "RR", max_loss=0.5)
    with pytest.raises(UnknownMeasureError, match="nonsense"):
        rr.gate(SCORES, "new", "old", "nonsense", max_loss=0.5)


def test_systems_of_a_file_of_scores_go_by_their_names(tmp_path):
    SCORES.to_polars().write_csv(tmp_path / "m.csv")
    result = rr.gate(tmp_path / "m.csv", "new", "old", "AP", max_loss=0.1)
    assert result.scores.measure == "AP"
    assert [t.topic for t in result.broken_topics] == ["t2", "t4"]
    with pytest.raises(AlignmentError, match="no system 'nwe'. There are: old, new. Did you mean 'new'"):
        rr.gate(tmp_path / "m.csv", "nwe", "old")
    with pytest.raises(ParameterError, match="names of systems"):
        rr.gate(SCORES, NEW, "old")


def test_two_runs_of_one_name_are_refused(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_text("1 Q0 a 1 2 t\n")
    with pytest.raises(AlignmentError, match="both named 'bm25'. Name them"):
        rr.gate(QRELS, tmp_path / "a" / "bm25.run", tmp_path / "b" / "bm25.run")


def test_a_baseline_that_lacks_topics_is_refused_unless_told_otherwise():
    short = {"1": OLD["1"]}
    with pytest.raises(AlignmentError, match="baseline 'baseline' lacks 1 of 2 topics .first: '2'.*missing='zero'"):
        rr.gate(QRELS, NEW, short, "RR", max_risk=0.1)
    assert rr.gate(QRELS, NEW, short, "RR", max_risk=0.1, missing="zero").passed
    assert rr.gate(QRELS, NEW, short, "RR", max_risk=0.1, missing="intersect").scores.topics == ("1",)


def test_nothing_to_compare_is_refused():
    nothing = {"1": {"x": 1.0}, "2": {"x": 1.0}}
    with pytest.raises(AlignmentError, match="both systems score 0 on every topic"):
        rr.gate(QRELS, nothing, dict(nothing), "RR")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0.1}, "tolerance needs max_hurt"),
        ({"max_loss": 0.9, "alpha": 5}, "alpha has no effect on these limits"),
        ({"max_loss": 0.9, "alpha": 0}, "alpha has no effect on these limits"),
        ({"max_hurt": 7}, "max_hurt must be a number from 0 to 1, got 7"),
        ({"max_risk": -1}, "max_risk must be a number from 0, got -1"),
        ({"level": 2}, "level must lie between 0 and 1, got 2"),
        ({"no_significant_loss": False}, "no_significant_loss = False sets no limit, so the default ones"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        rr.gate(SCORES, "new", "old", **options)


def test_systems_of_one_name_are_refused_whatever_they_are(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.run").write_text("1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    with pytest.raises(AlignmentError, match="two systems are named 'x'"):
        rr.gate(QRELS, [tmp_path / "a" / "x.run", tmp_path / "b" / "x.run"], OLD, "RR")
    import polars as pl

    frame = pl.DataFrame({"qid": ["1", "2"], "docno": ["a", "b"], "score": [1.0, 1.0]})
    with pytest.raises(AlignmentError, match="both named 'x'"):
        rr.gate(QRELS, {"x": frame}, {"x": frame.clone()}, "RR")


def test_options_reach_the_limits_of_measures_and_segments():
    budget = rr.GateBudget(
        limits=rr.risk.Budget(max_hurt=0.9),
        by_measure={"AP": rr.risk.Budget(max_loss=0.9)},
        segments=dict.fromkeys(SCORES.topics, "all"),
        by_segment={"all": rr.risk.Budget(max_hurt=0.8)},
    )
    (comparison,) = rr.gate(SCORES, "new", "old", budget=budget, strict=True, tolerance=0.01).comparisons
    assert comparison.budget == rr.risk.Budget(max_loss=0.9, strict=True)
    assert not comparison.segments[0].checks[0].holds  # 2 of 4 hurt; the interval ends at 85 %


def test_topics_that_must_not_break_may_be_in_a_file(tmp_path):
    (tmp_path / "heads.txt").write_text("# remark\nt2\n")
    assert [check.name for check in rr.gate(SCORES, "new", "old", must_not_break=tmp_path / "heads.txt").checks][
        -1
    ] == ("protected")
    (tmp_path / "heads.txt").write_text("t2\n\nt9\n")
    with pytest.raises(FileError, match=r"heads.txt:3: no topic 't9'\."):
        rr.gate(SCORES, "new", "old", must_not_break=tmp_path / "heads.txt")


def test_topics_that_must_not_break_are_listed_first():
    result = rr.gate(SCORES, "new", "old", max_loss=0.1, must_not_break=["t4"])
    assert [(topic.topic, topic.is_protected) for topic in result.broken_topics] == [("t4", True), ("t2", False)]


def test_topics_without_weight_break_only_what_is_not_weighed():
    weights = {"t1": 1, "t2": 0, "t3": 1, "t4": 1}
    hurt, loss = rr.gate(SCORES, "new", "old", max_hurt=0.1, max_loss=0.1, weights=weights).checks
    assert (hurt.count, [SCORES.topics[t] for t in hurt.topics]) == (1, ["t4"])
    assert [SCORES.topics[t] for t in loss.topics] == ["t2", "t4"]


def test_segments_that_fit_no_topic_are_told_with_their_file(tmp_path):
    (tmp_path / "s.csv").write_text("topic,segment\nq1,a\n")
    with pytest.raises(FileError, match=r"s.csv: no topic has a segment: topics are t1, t2, t3 and 1 more, seg"):
        rr.gate(SCORES, "new", "old", segments=tmp_path / "s.csv")
    (tmp_path / "w.csv").write_text("topic,n\nt1,3\n")
    with pytest.raises(FileError, match=r"w.csv: 3 of 4 topics have no weight: t2, t3, t4\."):
        rr.gate(SCORES, "new", "old", weights=f"{tmp_path / 'w.csv'}:n")


def test_what_is_no_parameter_is_told_with_the_nearest_one():
    with pytest.raises(ParameterError, match=r"^gate has no parameter 'max_hurtt'. Did you mean 'max_hurt'\?$"):
        rr.gate(SCORES, "new", "old", max_hurtt=1)
    with pytest.raises(ParameterError, match="Did you mean 'segments'"):
        rr.gate(SCORES, "new", "old", segment={})
    for budget in ({}, {"max_hurt": 1}, 3, []):
        with pytest.raises(ParameterError, match="budget must be the path of a budget file, a GateBudget or"):
            rr.gate(SCORES, "new", "old", budget=budget)


def test_topics_without_relevant_documents_can_be_left_out(tmp_path):
    qrels = {**QRELS, "3": {"a": 0}}
    old, new = {**OLD, "3": {"a": 1.0}}, {**NEW, "3": {"a": 1.0}}
    assert rr.gate(qrels, new, old, "RR", max_loss=1.0).scores.topics == ("1", "2", "3")
    (tmp_path / "budget.toml").write_text('without_relevant = "drop"\nmust_not_break = ["3"]\n[limits]\nmax_loss = 1\n')
    for given in ({"without_relevant": "drop", "max_loss": 1.0}, {"budget": tmp_path / "budget.toml"}):
        assert rr.gate(qrels, new, old, "RR", **given).scores.topics == ("1", "2")
    assert rr.gate(qrels, new, old, "RR", **given, without_relevant="zero").scores.topics == ("1", "2", "3")
    with pytest.raises(ParameterError, match="a score matrix does not say which topics have relevant documents"):
        rr.gate(SCORES, "new", "old", without_relevant="drop")
    with pytest.raises(ParameterError, match="without_relevant must be one of zero, drop, got 'no'"):
        rr.gate(SCORES, "new", "old", without_relevant="no")


def test_weights_of_any_size_will_do():
    (check,) = rr.gate(SCORES, "new", "old", max_hurt=0.5, weights=dict.fromkeys(SCORES.topics, 1e308)).checks
    assert check.value == pytest.approx(0.5)


def test_weights_that_are_all_zero_are_told_with_their_file(tmp_path):
    (tmp_path / "weights.csv").write_text("topic,weight\n" + "".join(f"{topic},0\n" for topic in SCORES.topics))
    with pytest.raises(FileError, match=rf"weights.csv: all {len(SCORES.topics)} topics have the weight 0\."):
        rr.gate(SCORES, "new", "old", weights=tmp_path / "weights.csv")


def test_limits_of_a_measure_that_is_not_computed_are_refused():
    budget = rr.GateBudget(by_measure={"RR": rr.risk.Budget(max_loss=0.1)})
    with pytest.raises(ParameterError, match="limits of 'RR' check nothing: only AP is measured."):
        rr.gate(SCORES, "new", "old", budget=budget)
    assert not rr.gate(SCORES, "new", "old", "AP", budget=budget, max_loss=0.1).passed


@pytest.mark.parametrize("name", ["AP", "map"])
@pytest.mark.parametrize("measure", [None, "AP", "map"])
def test_limits_of_a_measure_hold_by_any_of_its_names(name, measure):
    budget = rr.GateBudget(by_measure={name: rr.risk.Budget(max_loss=0.1)})
    for judgments, new, old in ((SCORES, "new", "old"), (QRELS, NEW, OLD)):
        asked = measure or (None if judgments is SCORES else "AP")
        assert [check.name for check in rr.gate(judgments, new, old, asked, budget=budget).checks] == ["loss"]
    with pytest.raises(ParameterError, match="two limits for one measure"):
        rr.GateBudget(by_measure={"AP": rr.risk.Budget(), "map": rr.risk.Budget()})


@pytest.mark.parametrize("nothing", [[], (), {}])
def test_nothing_passes_where_nothing_is_compared(nothing):
    for judgments, new, old in ((SCORES, "new", "old"), (QRELS, NEW, OLD)):
        with pytest.raises(ParameterError, match="a gate needs a candidate"):
            rr.gate(judgments, nothing, old)
        with pytest.raises(ParameterError, match="a gate needs a baseline"):
            rr.gate(judgments, new, nothing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"accepted": 5}, "accepted must be a list, got int"),
        ({"accepted": ["t1"]}, "accepted must be a list of AcceptedLoss"),
        ({"must_not_break": 5}, "must_not_break must be a list, got int"),
        ({"today": "2027-01-01"}, "today must be a date, got str"),
        ({"today": datetime(2027, 1, 1, tzinfo=UTC)}, "today must be a date, got datetime"),
        ({"measure": 5}, "measure must be a measure or a list of them, got int"),
    ],
)
def test_values_of_another_kind_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        rr.gate(SCORES, "new", "old", **options)


def test_topics_may_be_numbers_and_weights_those_of_numpy():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4], "new": [0.4, 0.5]})
    assert not rr.gate(scores, "new", "old", max_loss=0.5, must_not_break=[1]).passed
    for kind in (np.float32, np.int64):
        weights = {"1": kind(1), "2": kind(3)}
        assert rr.gate(scores, "new", "old", max_hurt=0.25, weights=weights).passed
