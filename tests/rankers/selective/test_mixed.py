"""Mixed: a coin that goes by the query's id."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.errors import ParameterError, RiskrankError
from riskrank.rankers.selective.mixed import coins

from ..contract import qid_of
from .small_models import TEXT, inner

IDS = [str(i) for i in range(20_000)]


@given(st.lists(st.text(), min_size=1), st.integers(0, 100))
def test_a_coin_depends_on_its_query_and_the_seed_alone(queries, seed):
    together = coins(queries, seed)
    assert together.tolist() == [coins([query], seed)[0] for query in queries]
    assert ((together >= 0) & (together < 1)).all()


@pytest.mark.parametrize("probability", [0.01, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_the_share_of_queries_is_near_the_probability(probability, seed):
    share = (coins(IDS, seed) < probability).mean()
    # four standard errors of a binomial
    assert abs(share - probability) < 4 * math.sqrt(probability * (1 - probability) / len(IDS))


def test_coins_are_uniform_and_seeds_have_nothing_to_do_with_each_other():
    by_seed = np.array([coins(IDS, seed) for seed in range(4)])
    counts = np.array([np.histogram(row, bins=20, range=(0, 1))[0] for row in by_seed])
    assert np.abs(counts - len(IDS) / 20).max() < 5 * math.sqrt(len(IDS) / 20)
    correlations = np.corrcoef(by_seed)[np.triu_indices(4, 1)]
    assert np.abs(correlations).max() < 5 / math.sqrt(len(IDS))


def test_a_seed_and_an_id_are_not_run_together():
    assert coins(["23"], 1)[0] != coins(["3"], 12)[0]


@pytest.fixture(scope="module")
def model(train):
    return inner().fit(train)


def mixed(model, probability, **parameters):
    return rr.Mixed.of(model, baseline=TEXT, probability=probability, **parameters)


def test_a_query_gets_the_same_ranking_in_any_company(model, valid):
    ranker = mixed(model, 0.5)
    scores = ranker.predict(valid)
    by_query = dict(zip(valid.query_ids, np.split(scores, valid.query_offsets[1:-1]), strict=True))
    for positions in (np.arange(valid.n_queries)[::-1], [3], [7, 2, 11]):
        some = valid.take(positions)
        expected = np.concatenate([by_query[query] for query in some.query_ids])
        np.testing.assert_array_equal(ranker.predict(some), expected)
    order = np.random.default_rng(1).permutation(valid.n_documents)
    np.testing.assert_array_equal(ranker.predict(valid.features[order], qid=qid_of(valid)[order]), scores[order])


def test_a_larger_probability_only_adds_queries(model, valid):
    used = [mixed(model, p).uses_model(valid) for p in np.linspace(0, 1, 11)]
    for fewer, more in itertools.pairwise(used):
        assert (more >= fewer).all()
    assert not used[0].any()
    assert used[-1].all()
    assert len({int(each.sum()) for each in used}) > 5


def test_the_model_of_another_seed_ranks_other_queries(model, valid):
    used = [mixed(model, 0.5, random_state=seed).uses_model(valid) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(used[0], used[1])
    assert (used[0] != used[2]).any()


def test_the_effectiveness_of_each_query_is_that_of_one_or_the_other(model, valid):
    runs = {"own": model.predict(valid), "text": valid.feature(1), "mixed": mixed(model, 0.5).predict(valid)}
    values = rr.evaluate(valid, runs, "nDCG@10")
    used = mixed(model, 0.5).uses_model(valid)
    np.testing.assert_array_equal(values["mixed"], np.where(used, values["own"], values["text"]))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"probability": 1.5}, "probability must be a number from 0 to 1, got 1.5"),
        ({"probability": -0.1}, "probability must be a number from 0 to 1, got -0.1"),
        ({"probability": math.nan}, "probability must be a number from 0 to 1, got nan"),
        ({"probability": "half"}, "probability must be a number from 0 to 1, got 'half'"),
        ({"probability": True}, "probability must be a number from 0 to 1, got True"),
        ({"probability": None}, "probability must be a number from 0 to 1, got None"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
        ({"random_state": 0.5}, "random_state must be a whole number from 0, got 0.5"),
    ],
)
def test_bad_parameters_are_refused_before_training(model, train, monkeypatch, parameters, message):
    with pytest.raises(ParameterError, match=message):
        rr.Mixed.of(model, baseline=TEXT, **parameters)
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    with pytest.raises(ParameterError, match=message) as caught:
        rr.Mixed(inner(), **parameters).fit(train, baseline=TEXT)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("probability", [7, "half", None])
def test_a_card_with_bad_parameters_is_refused(model, tmp_path, probability):
    mixed(model, 0.5).save(tmp_path / "model")
    file = tmp_path / "model" / "card.json"
    parameters = {"probability": probability, "random_state": 0}
    file.write_text(json.dumps({**json.loads(file.read_text()), "parameters": parameters}))
    with pytest.raises(RiskrankError, match="probability"):
        rr.load(tmp_path / "model")


def test_numbers_of_numpy_are_kept_as_plain_ones(model, valid, tmp_path):
    ranker = mixed(model, np.float64(0.5), random_state=np.int64(3))
    ranker.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").card_["parameters"] == {"probability": 0.5, "random_state": 3}
    plain = mixed(model, 0.5, random_state=3)
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), plain.predict(valid))
