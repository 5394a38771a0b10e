"""A model and its training in words."""

from __future__ import annotations

import json

import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.report.text.model_text import model_json, model_text, training_text


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A ranker of seven trees, and the folder that it is saved in."""
    data = web_search_data(30, documents_per_query=8, n_features=20)
    ranker = rr.LambdaMART(rr.URisk(alpha=2), n_trees=7, n_leaves=4, n_threads=1)
    ranker.fit(data.take(slice(0, 20)), baseline=rr.Feature(1), valid=data.take(slice(20, 30)))
    folder = tmp_path_factory.mktemp("models") / "model"
    ranker.save(folder)
    return ranker, folder


def gain_interval(ranker):
    """Of the validation queries, from scores."""
    valid = web_search_data(30, documents_per_query=8, n_features=20).take(slice(20, 30))
    scores = rr.evaluate(valid, {"new": ranker.predict(valid), "old": valid.feature(1)}, "nDCG@10")
    return rr.risk.intervals(scores["new"], scores["old"])["gain"]


def test_a_training_is_told_with_the_numbers_of_the_step_that_is_used(saved):
    ranker, _ = saved
    title, said, table, legend = training_text(ranker, "model").split("\n\n")
    header, train, valid = table.splitlines()
    assert title == "model: LambdaMART for URisk('nDCG@10', alpha=2), 7 trees."
    reward, risk = (float(ranker.history_[f"valid_{name}"][6]) for name in ("reward", "risk"))
    assert reward < risk
    low, high = (f"{limit:+.4f}".replace("-", "−") for limit in gain_interval(ranker))
    assert said.replace("\n", " ") == (
        f"On the validation queries it loses {risk - reward:.4f} nDCG@10 against feature:1 (95% interval {low} to "
        f"{high}), with a mean loss of {risk:.4f}."
    )
    assert header.split() == ["nDCG@10", "reward", "risk", "URisk"]
    assert legend == "reward, risk: mean win, mean loss; URisk: reward − (1 + α) × risk, α = 2"
    for side, line in (("train", train), ("valid", valid)):
        columns = (f"{side}_{name}" for name in ("effectiveness", "reward", "risk", "urisk"))
        assert line.replace("−", "-").split() == [side, *(f"{ranker.history_[column][6]:.4f}" for column in columns)]


def test_without_validation_queries_the_text_says_that_others_tell_more(saved):
    data = web_search_data(20, documents_per_query=8, n_features=20)
    ranker = rr.LambdaMART(rr.URisk(alpha=2), n_trees=3, n_leaves=4, n_threads=1).fit(data, baseline=rr.Feature(1))
    said = training_text(ranker, "model").split("\n\n")[1].replace("\n", " ")
    assert said.startswith("On the training queries it gains +")
    assert said.endswith(" Other queries tell more (--valid).")
    assert "interval" not in said
    alone = rr.LambdaMART(n_trees=3, n_leaves=4, n_threads=1).fit(data)
    assert "queries it" not in training_text(alone, "model")


def test_validation_queries_that_chose_the_step_are_told_so(saved):
    data = web_search_data(30, documents_per_query=8, n_features=20)
    ranker = rr.LambdaMART(rr.URisk(), n_trees=9, n_leaves=4, n_threads=1, early_stopping=2)
    baselines = {"one": rr.Feature(1), "two": rr.Feature(2)}
    ranker.fit(data.take(slice(0, 20)), baseline=baselines, valid=data.take(slice(20, 30)))
    said = training_text(ranker, "model").split("\n\n")[1].replace("\n", " ")
    assert said.startswith("On the validation queries, which also chose the best step, it gains +")
    assert " nDCG@10 over the mean of one and two (95% interval " in said


@pytest.mark.parametrize(("n_rows", "steps"), [(2, ["1", "7"]), (4, ["1", "3", "5", "7"]), (50, list("1234567"))])
def test_rows_of_the_history_are_spread_evenly_with_the_first_and_the_last(saved, n_rows, steps):
    history = model_text(saved[1], n_rows=n_rows).split("\nHistory\n")[1]
    assert [line.split()[0] for line in history.splitlines()[1:]] == steps


def test_no_more_features_are_shown_than_asked_for(saved):
    shown = model_text(saved[1], n_features=2).split("Features that matter most\n")[1].split("\n\n")[0]
    assert len(shown.splitlines()) == 1 + 2
    assert "Features that matter most" not in model_text(saved[1], n_features=0)


def test_a_mixed_ranker_is_told_with_the_model_within(saved, tmp_path):
    rr.Mixed.of(saved[0], baseline=rr.Feature(1), probability=0.25).save(tmp_path / "mixed")
    lines = model_text(tmp_path / "mixed").splitlines()
    assert lines[0].split(maxsplit=1) == ["used", "on 25% of queries, by a coin (seed 0)"]
    assert lines[1] == "others ranked by feature:1"
    assert json.loads(model_json(tmp_path / "mixed"))["kind"] == "LambdaMART"
