"""A population of baselines, and the share of the queries that it is learned from."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import ParameterError


@pytest.fixture(scope="module")
def data():
    return web_search_data(60, documents_per_query=12, n_features=20)


def learners():
    return {
        "trees": rr.RegressionTrees(n_trees=4, n_leaves=4, n_threads=1),
        "ada": rr.AdaRank(n_rounds=3, n_threads=1),
        "text": rr.Feature(1),
    }


def test_a_third_of_the_share_validates_and_the_rest_is_unseen(data):
    population, rest = rr.Baselines.learn(data, learners(), share=0.5)
    assert list(population) == ["trees", "ada", "text"]
    assert rest.n_queries == 30
    card = population["ada"].card_
    assert (card["training_data"]["queries"], card["validation_data"]["queries"]) == (20, 10)
    assert isinstance(population["text"], rr.Feature)
    everything = {tuple(row) for row in data.features}
    assert len(everything) == data.n_documents
    kept = {tuple(row) for row in rest.features}
    assert len(everything - kept) == data.n_documents - rest.n_documents


def test_the_seed_decides_which_queries_are_learned_from(data):
    one, same, other = (
        rr.Baselines.learn(data, {"text": rr.Feature(1)}, random_state=seed)[1].query_ids for seed in (0, 0, 1)
    )
    assert one == same != other


def test_the_rankers_given_are_not_changed(data):
    given = learners()
    rr.Baselines.learn(data, given)
    assert not hasattr(given["ada"], "card_")


def test_it_scores_evaluates_and_is_a_baseline(data):
    population, rest = rr.Baselines.learn(data, learners())
    values = population.evaluate(rest, "AP")
    expected = rr.evaluate(rest, {"m": population["trees"].predict(rest), "t": rest.feature(1)}, "AP")
    np.testing.assert_array_equal(values["trees"], expected["m"])
    np.testing.assert_array_equal(values["text"], expected["t"])
    ranker = rr.LambdaMART(rr.GeoRisk(alpha=1), n_trees=3, n_leaves=4, n_threads=1).fit(rest, baseline=population)
    assert ranker.card_["baselines"] == ["trees", "ada", "text"]


def test_what_was_learned_comes_from_the_cache_if_ranker_and_data_are_the_same(data, tmp_path, monkeypatch):
    first, _ = rr.Baselines.learn(data, learners(), cache=tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("card.json")}
    assert len(times) == 2
    with monkeypatch.context() as patch:
        patch.setattr(rr.AdaRank, "fit", lambda *_, **__: pytest.fail("learned again"))
        again, rest = rr.Baselines.learn(data, learners(), cache=tmp_path)
    np.testing.assert_array_equal(again["ada"].predict(rest), first["ada"].predict(rest))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("card.json")} == times
    rr.Baselines.learn(data, {"ada": rr.AdaRank(n_rounds=2, n_threads=1)}, cache=tmp_path)
    rr.Baselines.learn(data.take(slice(0, 50)), {"ada": rr.AdaRank(n_rounds=3, n_threads=1)}, cache=tmp_path)
    assert len(list(tmp_path.rglob("card.json"))) == 4


@pytest.mark.parametrize("damage", ["half a file", "no card"])
def test_a_damaged_entry_is_learned_anew(damage, data, tmp_path):
    rr.Baselines.learn(data, {"ada": rr.AdaRank(n_rounds=3)}, cache=tmp_path)
    (file,) = tmp_path.rglob("weights.json")
    whole = file.read_bytes()
    if damage == "no card":  # the process was killed before it wrote the last file
        file.with_name("card.json").unlink()
    else:
        file.write_bytes(whole[:20])
    rr.Baselines.learn(data, {"ada": rr.AdaRank(n_rounds=3)}, cache=tmp_path)
    assert file.read_bytes() == whole


def test_a_population_is_still_learned_by_the_former_name(data):
    text = {"text": rr.Feature(1)}
    with pytest.warns(DeprecationWarning, match="Baselines.held_out is called learn now"):
        _, rest = rr.Baselines.held_out(data, text, share=0.5, random_state=3)
    assert rest.query_ids == rr.Baselines.learn(data, text, share=0.5, random_state=3)[1].query_ids


def test_the_names_of_a_population_are_shown():
    assert repr(rr.Baselines({"a": rr.Feature(1), "b": "b.run"})) == "Baselines: a, b"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: rr.Baselines({}), "at least one baseline"),
        (lambda _: rr.Baselines({"m": rr.AdaRank()}), "m is not fitted yet"),
        (lambda data: rr.Baselines.learn(data, learners(), share=0.01), "leaves too few"),
        (lambda data: rr.Baselines.learn(data, learners(), share=0.999), "leaves too few"),
        (lambda data: rr.Baselines.learn(data, learners(), share=1.5), "share must be a number from 0, below 1"),
    ],
)
def test_what_makes_no_population_is_refused(call, message, data):
    with pytest.raises(ParameterError, match=message):
        call(data)
