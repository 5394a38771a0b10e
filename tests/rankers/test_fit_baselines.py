"""Baselines of a training in all their forms, and those of its validation queries."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

from .contract import in_turns, qid_of


@pytest.fixture(scope="module")
def named(train, valid):
    """The same data with document ids."""

    def with_ids(data, prefix):
        ids = [f"{prefix}{i:04d}" for i in range(data.n_documents)]
        return dataclasses.replace(data, document_ids=np.array(ids, dtype=object))

    return with_ids(train, "t"), with_ids(valid, "v")


def scores_of(data, column=0):
    return data.features[:, column].astype(np.float64)


def run_of(data, queries=None):
    """Feature 1 as {query: {document: score}}."""
    run = {}
    for q, query in enumerate(data.query_ids):
        rows = slice(data.query_offsets[q], data.query_offsets[q + 1])
        if queries is None or q in queries:
            run[query] = dict(zip(data.ids[rows], scores_of(data)[rows].tolist(), strict=True))
    return run


def fitted(data, *, objective=None, engine="lightgbm", **arguments):
    objective = objective or rr.URisk(alpha=5)
    return rr.LambdaMART(objective, n_trees=4, n_leaves=4, engine=engine, n_threads=1).fit(data, **arguments)


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


def test_scores_of_mixed_validation_arrays_follow_their_rows(train, valid):
    order = in_turns(valid)
    mixed = (valid.features[order], valid.labels[order], qid_of(valid)[order])
    expected = fitted(train, baseline=rr.Feature(1), valid=valid).history_
    found = fitted(train, baseline=rr.Feature(1), valid=mixed, valid_baseline=scores_of(valid)[order]).history_
    np.testing.assert_array_equal(found["valid_risk"], expected["valid_risk"])


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


def test_ties_of_the_baseline_keep_the_order_of_the_data(train, valid, engine):
    tied = np.round(scores_of(train) / 8)
    assert len(np.unique(tied)) < 6
    ranker = fitted(train, baseline=tied, engine=engine)
    model, baseline = (rr.evaluate(train, {"x": scores}, "nDCG@10")["x"] for scores in (ranker.predict(train), tied))
    assert ranker.history_["train_risk"][-1] == pytest.approx(rr.risk.risk(model, baseline))
    flat = fitted(train, baseline=np.zeros(train.n_documents), engine=engine)
    assert np.isfinite(flat.predict(valid)).all()


def test_queries_that_a_run_lacks_have_effectiveness_zero(named):
    train, valid = named
    half = {**run_of(train), **run_of(valid, queries=range(10))}
    ranker = fitted(train, baseline=half, valid=valid)
    model = rr.evaluate(valid, {"m": ranker.predict(valid)}, "nDCG@10")["m"]
    baseline = rr.evaluate(valid, {"b": scores_of(valid)}, "nDCG@10")["b"].copy()
    baseline[10:] = 0
    assert ranker.history_["valid_reward"][-1] == pytest.approx(rr.risk.reward(model, baseline))
    assert ranker.history_["valid_risk"][-1] == pytest.approx(rr.risk.risk(model, baseline))
    with pytest.raises(AlignmentError, match="validation data: run .* no document in common.*Pass valid_baseline="):
        fitted(train, baseline=run_of(train), valid=valid)
    both = fitted(train, baseline=run_of(train), valid=valid, valid_baseline=run_of(valid))
    direct = fitted(train, baseline=rr.Feature(1), valid=valid)
    np.testing.assert_array_equal(both.history_["valid_risk"], direct.history_["valid_risk"])


def test_scores_of_training_documents_say_nothing_of_validation_documents(train, valid):
    with pytest.raises(AlignmentError, match="says nothing of validation data: pass valid_baseline="):
        fitted(train, baseline=scores_of(train), valid=valid)
    same_size = dataclasses.replace(train, query_ids=[f"other {query}" for query in train.query_ids])
    with pytest.raises((AlignmentError, ParameterError), match="valid_baseline="):
        fitted(train, baseline=scores_of(train), valid=same_size)
    ranker = fitted(train, baseline=scores_of(train), valid=valid, valid_baseline=scores_of(valid))
    assert not np.isnan(ranker.history_["valid_risk"]).any()


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
