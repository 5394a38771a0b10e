"""What a training is to do: baselines in all their forms, and what is refused before any work."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import AlignmentError, ParameterError, RiskrankError
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.rankers.fitting.plan import FitQueries, plan_fit

from ..assert_refused import assert_refused
from ..contract import in_turns, qid_of
from .small_trees import fitted, run_of, scores_of


def write_run(path, run):
    lines = [f"{q} Q0 {d} 0 {s!r} x" for q, documents in run.items() for d, s in documents.items()]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_all_forms_of_one_baseline_give_the_same_model(named, tmp_path, engine):
    train, valid = named
    expected = fitted(train, baseline=rr.Feature(1), engine=engine)
    path = tmp_path / "bm25.scores"
    path.write_text("".join(f"{score!r}\n" for score in scores_of(train).tolist()))
    for baseline, name in (
        ("feature:1", "feature:1"),
        (scores_of(train), "scores"),
        (scores_of(train).tolist(), "scores"),
        ([rr.Feature(1)], "feature:1"),
        ({"bm25": rr.Feature(1)}, "bm25"),
        (path, "bm25"),
        (run_of(train), "run1"),
        (write_run(tmp_path / "text.run", run_of(train)), "text"),
    ):
        ranker = fitted(train, baseline=baseline, engine=engine)
        assert ranker.card_["baselines"] == [name]
        np.testing.assert_array_equal(ranker.predict(valid), expected.predict(valid))
        assert ranker.history_.columns["train_risk"] == expected.history_.columns["train_risk"]


def test_queries_start_from_the_scaled_scores_of_their_first_baseline_or_from_zero(train):
    baselines = baseline_scores([rr.Feature(1), rr.Feature(2)], train)
    bound = BoundObjective(rr.URisk(), train, baselines)
    learned = np.arange(len(train), dtype=np.float64)
    np.testing.assert_array_equal(FitQueries.started(bound, baselines, None).scores(learned), learned)
    started = FitQueries.started(bound, baselines, 0.5)
    np.testing.assert_allclose(started.scores(learned), learned + 0.5 * scores_of(train))


def test_the_baseline_matters(train, valid):
    by_text, by_noise = (fitted(train, baseline=rr.Feature(number)) for number in (1, 20))
    assert (by_text.predict(valid) != by_noise.predict(valid)).any()


def test_scores_follow_the_rows_of_mixed_arrays(train, valid):
    order = in_turns(train)
    arrays = {"X": train.features[order], "y": train.labels[order], "qid": qid_of(train)[order]}
    mixed = rr.LambdaMART(rr.URisk(alpha=5), n_trees=4, n_leaves=4)
    expected = fitted(train, baseline=scores_of(train)).predict(valid)
    np.testing.assert_array_equal(mixed.fit(**arrays, baseline=scores_of(train)[order]).predict(valid), expected)
    several = [scores_of(train)[order], rr.Feature(1)]
    np.testing.assert_array_equal(mixed.fit(**arrays, baseline=several).predict(valid), expected)


def test_a_fitted_ranker_is_a_baseline(train, valid):
    old = rr.LambdaMART(n_trees=3, n_leaves=3).fit(train)
    ranker = fitted(train, baseline=old, valid=valid)
    assert ranker.card_["baselines"] == ["Gain('nDCG@10')"]
    by_scores = fitted(train, baseline=old.predict(train), valid=valid, valid_baseline=old.predict(valid))
    np.testing.assert_array_equal(ranker.predict(valid), by_scores.predict(valid))
    assert ranker.history_.columns == by_scores.history_.columns


def test_several_baselines_count_by_their_mean(train, valid):
    columns = [scores_of(train, 0), scores_of(train, 8)]
    ranker = fitted(train, baseline=[rr.Feature(1), rr.Feature(9)], valid=valid)
    assert ranker.card_["baselines"] == ["feature:1", "feature:9"]
    for baseline in (columns, np.array(columns), {"a": columns[0], "b": columns[1]}):
        np.testing.assert_array_equal(fitted(train, baseline=baseline).predict(valid), ranker.predict(valid))
    values = rr.evaluate(valid, {"a": scores_of(valid, 0), "b": scores_of(valid, 8)}, "nDCG@10").matrix.mean(axis=0)
    model = rr.evaluate(valid, {"m": ranker.predict(valid)}, "nDCG@10")["m"]
    assert ranker.history_["valid_risk"][-1] == pytest.approx(rr.risk.risk(model, values))


@pytest.mark.parametrize("objective", [rr.GeoRisk(alpha=5), rr.TStarFARO(alpha=5)], ids=["GeoRisk", "TStarFARO"])
def test_objectives_for_several_baselines_learn_from_them(objective, train, valid, engine):
    ranker = fitted(train, objective=objective, baseline=[rr.Feature(1), rr.Feature(9)], valid=valid, engine=engine)
    effectiveness = ranker.history_["train_effectiveness"]
    assert effectiveness[-1] > rr.evaluate(train, {"none": np.zeros(train.n_documents)}, "nDCG@10").matrix.mean()
    assert np.isfinite(ranker.predict(valid)).all()
    assert not np.isnan(ranker.history_["valid_urisk"]).any()


def test_ties_of_the_baseline_are_averaged_as_in_an_evaluation(train, valid, engine):
    tied = np.round(scores_of(train) / 8)
    assert len(np.unique(tied)) < 6
    ranker = fitted(train, baseline=tied, engine=engine)
    model, baseline = (rr.evaluate(train, {"x": scores}, "nDCG@10")["x"] for scores in (ranker.predict(train), tied))
    assert ranker.history_["train_risk"][-1] == pytest.approx(rr.risk.risk(model, baseline))
    flat = fitted(train, baseline=np.zeros(train.n_documents), engine=engine)
    assert np.isfinite(flat.predict(valid)).all()


def test_validation_has_as_many_baselines_as_training(train, valid):
    with pytest.raises((AlignmentError, ParameterError), match="baseline"):
        fitted(train, baseline=[rr.Feature(1), rr.Feature(9)], valid=valid, valid_baseline=rr.Feature(1))


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        (rr.Feature(21), "feature must be from 1 to 20, got 21"),
        ("feature:0", "feature must be from 1 to 20, got 0"),
        ([], "the list of baselines is empty"),
        ("nothing.run", "nothing.run: no such file"),
    ],
)  # fmt: skip
def test_a_baseline_that_does_not_fit_is_refused(baseline, message, train):
    with pytest.raises(rr.RiskrankError, match=message):
        fitted(train, baseline=baseline)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"resume": True}, "resume needs the checkpoint folder: pass checkpoint="),
        ({"checkpoint_every": 0}, "checkpoint_every must be a whole number from 1, got 0"),
        ({"checkpoint_every": -1}, "checkpoint_every must be a whole number from 1, got -1"),
    ],
)
def test_checkpoints_need_a_folder_and_an_interval(arguments, message, train):
    assert_refused(ParameterError, message, train, fit=arguments)


def test_a_file_cannot_be_the_folder_of_checkpoints(train, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RiskrankError, match="file"):
        rr.LambdaMART(n_trees=3, n_leaves=4).fit(train, checkpoint=tmp_path / "file", checkpoint_every=1)


@pytest.mark.parametrize(
    ("parameters", "arguments", "name"),
    [
        ({"early_stopping": 3}, {}, "early_stopping"),
        ({"valid_measure": "AP"}, {}, "valid_measure"),
        ({}, {"valid_baseline": rr.Feature(1)}, "valid_baseline"),
    ],
)
def test_what_is_for_validation_needs_validation_data(parameters, arguments, name, train):
    assert_refused(ParameterError, f"{name} needs validation data: pass valid=", train, fit=arguments, **parameters)


def test_a_plan_says_what_a_training_is_to_do(train, valid, tmp_path):
    ranker = rr.LambdaMART(rr.URisk(alpha=3), n_trees=9, early_stopping=4, start="baseline", n_threads=1)
    plan = plan_fit(ranker, train, baseline=rr.Feature(1), valid=valid, checkpoint=tmp_path, checkpoint_every=2)
    assert (plan.unit, plan.n_steps, plan.patience) == ("trees", 9, 4)
    assert plan.baselines == ("feature:1",)
    assert plan.uses_best_step
    np.testing.assert_allclose(plan.valid.start, plan.start_scale * valid.feature(1), rtol=1e-6)
    assert (plan.checkpoints.path, plan.checkpoints.every) == (tmp_path, 2)
    assert plan.checkpoints.identity["n_trees"] == 9
    assert "n_threads" not in plan.checkpoints.identity


def test_checkpoints_know_tied_baselines_by_their_values_in_the_order_of_the_data(train, valid, tmp_path):
    """As those of former versions do, which can so be resumed."""
    ranker, tied = rr.LambdaMART(rr.URisk(), n_trees=3), np.round(scores_of(valid) / 8)
    given = {"baseline": scores_of(train), "valid": valid, "checkpoint": tmp_path}
    plan, other = (
        plan_fit(ranker, train, **given, valid_baseline=scores) for scores in (tied, tied - 1e-9 * np.arange(len(tied)))
    )
    assert (plan.valid.bound.baseline_values != other.valid.bound.baseline_values).any()
    name = "validation baselines"
    assert plan.checkpoints.identity[name] == other.checkpoints.identity[name]


def test_without_validation_data_the_last_step_is_used(train):
    plan = plan_fit(rr.LambdaMART(n_trees=9, n_threads=1), train)
    assert plan.valid is None
    assert plan.valid_measure is None
    assert not plan.uses_best_step
    assert plan.checkpoints is None
