"""Predictors of how a query may fare, against plain loops over its documents."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.selective.query_predictors import parse_predictor, read_predictor

NAN = math.nan


def queries(*columns_of_queries, **options):
    """Data of one feature, from the values of each query's documents."""
    column = np.concatenate(columns_of_queries)[:, None]
    offsets = np.concatenate([[0], np.cumsum([len(values) for values in columns_of_queries])])
    names = [f"q{i}" for i in range(len(columns_of_queries))]
    return rr.RankingData(column, np.zeros(len(column)), offsets, names, **options)


def of_each(data, values):
    """The values of each query's documents."""
    return [values[start:end] for start, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)]


def nothing(data):
    return np.zeros(data.n_documents)


def values_of(predictor, data, model=None, baseline=None):
    model = nothing(data) if model is None else model
    return predictor.values(data, model, nothing(data) if baseline is None else baseline)


@pytest.fixture(scope="module")
def ragged():
    """Queries of 1 to 9 documents, three features."""
    rng = np.random.default_rng(1)
    sizes = [4, 1, 9, 2, 1, 6]
    n = sum(sizes)
    features = np.stack([rng.normal(size=n), rng.exponential(size=n), rng.integers(0, 3, n)], axis=1)
    return rr.RankingData.from_arrays(features, np.zeros(n), group=sizes)


PLAIN = {
    "max": max,
    "min": min,
    "mean": lambda v: sum(v) / len(v),
    "deviation": lambda v: math.sqrt(sum((x - sum(v) / len(v)) ** 2 for x in v) / len(v)),
}


@pytest.mark.parametrize("how", PLAIN)
def test_an_aggregate_is_that_of_each_querys_documents(how, ragged):
    for number in (1, 2, 3):
        expected = [PLAIN[how](values.tolist()) for values in of_each(ragged, ragged.feature(number))]
        np.testing.assert_allclose(values_of(rr.Aggregate(how, number), ragged), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("how", PLAIN)
def test_missing_values_are_left_out_of_an_aggregate(how):
    given = ([3.0, NAN, 1.0], [NAN, -2.0], [5.0, 7.0, NAN, NAN], [1.0])
    known = [[x for x in values if not math.isnan(x)] for values in given]
    aggregated = values_of(rr.Aggregate(how, 1), queries(*given))
    np.testing.assert_allclose(aggregated, [PLAIN[how](values) for values in known], atol=1e-12)


@pytest.mark.parametrize("how", PLAIN)
def test_a_query_whose_values_are_all_missing_has_0(how):
    aggregated = values_of(rr.Aggregate(how, 1), queries([NAN, NAN], [4.0], [NAN]))
    assert aggregated[0] == aggregated[2] == 0


@pytest.mark.parametrize(("how", "expected"), [("max", 7), ("min", 7), ("mean", 7), ("deviation", 0)])
def test_one_document_is_its_own_aggregate(how, expected):
    assert values_of(rr.Aggregate(how, 1), queries([7.0], [1.0, 2.0]))[0] == expected


def plain_entropy(values):
    known = [max(0.0, x) if not math.isnan(x) else 0.0 for x in values]
    shares = [x / sum(known) for x in known] if sum(known) else [1 / len(known)] * len(known)
    return -sum(p * math.log2(p) for p in shares if p)


def test_the_entropy_is_that_of_the_values_over_their_sum(ragged):
    for number in (2, 3):
        expected = [plain_entropy(values.tolist()) for values in of_each(ragged, ragged.feature(number))]
        np.testing.assert_allclose(values_of(rr.Entropy(number), ragged), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("values", "bits"),
    [
        ([1.0, 1.0, 1.0, 1.0], 2),  # log2 4
        ([2.0, 1.0, 1.0], 1.5),  # 1/2 · 1 + 2 · 1/4 · 2
        ([9.0, 0.0, 0.0], 0),
        ([0.0, 0.0, 0.0, 0.0], 2),  # nothing known: uniform
        ([5.0], 0),
        ([0.0], 0),
        ([3.0, -4.0], 0),  # what is below 0 counts as 0
        ([1.0, NAN, 1.0], 1),
        ([NAN, NAN], 1),
        ([-1.0, -2.0], 1),
    ],
)
def test_entropies_worked_by_hand(values, bits):
    entropy = values_of(rr.Entropy(1), queries([1.0, 3.0], values, [2.0]))
    assert entropy[1] == pytest.approx(bits, abs=1e-12)


@given(
    st.lists(st.floats(0, 1000, width=32, allow_subnormal=False), min_size=1, max_size=30),
    st.sampled_from([0.5, 1.0, 8.0]),
)
def test_an_entropy_lies_between_0_and_that_of_equal_shares_and_has_no_scale(values, scale):
    one, other = values_of(rr.Entropy(1), queries(values, [x * scale for x in values]))
    assert 0 <= one <= math.log2(len(values)) + 1e-9
    assert one == pytest.approx(other, abs=1e-6)


def test_features_are_known_by_their_number_in_the_source():
    data = queries([1.0, 2.0], [5.0], first_feature=0)
    assert values_of(rr.Aggregate("max", 0), data).tolist() == [2, 5]
    for predictor in (rr.Aggregate("max", 1), rr.Entropy(1)):
        with pytest.raises(ParameterError, match="feature must be from 0 to 0, got 1"):
            values_of(predictor, data)


def test_features_may_have_names():
    data = dataclasses.replace(queries([1.0, 2.0], [5.0]), feature_names=("bm25",))
    assert values_of(rr.Aggregate("max", "bm25"), data).tolist() == [2, 5]
    assert rr.Aggregate("max", "bm25").words == "the query's largest bm25"
    assert rr.Entropy("bm25").words == "the query's entropy of bm25"
    with pytest.raises(ParameterError, match="there is no feature 'bm52'. Did you mean 'bm25'"):
        values_of(rr.Entropy("bm52"), data)


@pytest.mark.parametrize("number", ["", 1.0, True, None])
def test_a_feature_is_given_by_a_whole_number_or_a_name(number):
    for make in (lambda: rr.Aggregate("max", number), lambda: rr.Entropy(number)):
        with pytest.raises(ParameterError, match="a feature is given by its number"):
            make()


def plain_margin(scores):
    best = sorted(scores, reverse=True)
    return best[0] - best[1] if len(best) > 1 else 0.0


def plain_agreement(model, baseline):
    """Kendall's τ of two rankings; ties in the order of the documents."""
    if len(model) < 2:
        return 1.0
    ranks = [sorted(range(len(s)), key=lambda i, s=s: (-s[i], i)) for s in (model, baseline)]
    places = [[order.index(i) for i in range(len(order))] for order in ranks]
    pairs = [(i, j) for i in range(len(model)) for j in range(i)]
    signs = [(places[0][i] - places[0][j]) * (places[1][i] - places[1][j]) for i, j in pairs]
    return sum(1 if sign > 0 else -1 for sign in signs) / len(pairs)


@pytest.mark.parametrize("how", ["margin", "deviation", "agreement"])
def test_confidence_is_that_of_a_plain_loop(how, ragged):
    rng = np.random.default_rng(2)
    model = rng.normal(size=ragged.n_documents).round(1)  # with ties
    baseline = rng.normal(size=ragged.n_documents).round(1)
    baseline[[0, 7, 20]] = -np.inf  # documents that it lacks
    plain = {
        "margin": lambda own, _: plain_margin(own),
        "deviation": lambda own, _: PLAIN["deviation"](own),
        "agreement": plain_agreement,
    }
    pairs = zip(of_each(ragged, model), of_each(ragged, baseline), strict=True)
    expected = [plain[how](own.tolist(), other.tolist()) for own, other in pairs]
    np.testing.assert_allclose(rr.Confidence(how).values(ragged, model, baseline), expected, atol=1e-12)


def test_one_document_has_no_margin_and_full_agreement():
    data = queries([1.0], [1.0, 2.0])
    scores = np.array([5.0, 1.0, 4.0])
    assert rr.Confidence("margin").values(data, scores, -scores).tolist() == [0, 3]
    assert rr.Confidence("agreement").values(data, scores, -scores).tolist() == [1, -1]
    assert rr.Confidence("deviation").values(data, scores, -scores).tolist() == [0, 1.5]


PREDICTORS = [
    *(rr.Aggregate(how, 2) for how in PLAIN),
    rr.Entropy(3),
    *(rr.Confidence(how) for how in ("margin", "deviation", "agreement")),
]


@pytest.mark.parametrize("predictor", PREDICTORS, ids=str)
def test_what_is_said_of_a_query_depends_on_that_query_alone(predictor, ragged):
    rng = np.random.default_rng(3)
    model, baseline = rng.normal(size=(2, ragged.n_documents))
    together = predictor.values(ragged, model, baseline)
    for q in range(ragged.n_queries):
        rows = slice(*ragged.query_offsets[q : q + 2])
        alone = predictor.values(ragged.take([q]), model[rows], baseline[rows])
        assert alone[0] == pytest.approx(together[q], abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rr.Aggregate("median", 3), "how must be one of max, min, mean, deviation, got 'median'"),
        (lambda: rr.Confidence("courage"), "how must be one of margin, deviation, agreement, got 'courage'"),
    ],
)
def test_unknown_ways_are_refused_with_the_known_ones(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max feature:110", rr.Aggregate("max", 110)),
        ("min feature:1", rr.Aggregate("min", 1)),
        ("mean feature:0", rr.Aggregate("mean", 0)),
        ("  deviation   feature:7 ", rr.Aggregate("deviation", 7)),
        ("entropy feature:5", rr.Entropy(5)),
        ("margin", rr.Confidence("margin")),
        ("deviation", rr.Confidence("deviation")),
        ("agreement", rr.Confidence("agreement")),
    ],
)
def test_predictors_are_read_from_text(text, expected):
    assert parse_predictor(text) == expected


def test_gain_is_the_predictor_that_still_has_to_learn():
    predictor = parse_predictor("gain")
    assert isinstance(predictor, rr.PredictedGain)
    assert predictor.weights == ()


@pytest.mark.parametrize(
    "text",
    ["", "max", "max 110", "max feature:", "max feature:x", "median feature:3", "gain feature:3", "margin now", "a\nb"],
)
def test_text_that_is_no_predictor_is_refused_in_one_line(text):
    with pytest.raises(
        ParameterError, match="unknown predictor .* Known: max, min, mean, deviation or entropy"
    ) as caught:
        parse_predictor(text)
    assert "\n" not in str(caught.value)


def test_long_text_is_not_repeated_whole():
    with pytest.raises(ParameterError) as caught:
        parse_predictor("x" * 5000)
    assert len(str(caught.value)) < 300


# The gain, learned.


@pytest.fixture(scope="module")
def scored(train, valid):
    """Both data with scores of a model and of a baseline."""
    rng = np.random.default_rng(4)
    return [(data, rng.normal(size=data.n_documents), data.feature(1).astype(np.float64)) for data in (train, valid)]


@pytest.fixture(scope="module")
def noisy_gain(scored):
    rng = np.random.default_rng(5)
    data, model, _ = scored[0]
    return 0.05 * rr.Confidence().values(data, model, model) + 0.02 * rng.normal(size=data.n_queries)


def descriptors(data, model, baseline):
    """Of each query: its size, what the model and the baseline look like, and three numbers of each feature."""
    known = np.isfinite(baseline)
    baseline = np.where(known, baseline, np.min(baseline[known]) - 1)
    rows = []
    for q in range(data.n_queries):
        at = slice(*data.query_offsets[q : q + 2])
        own, other = model[at].tolist(), baseline[at].tolist()
        row = [math.log(len(own)), plain_agreement(own, other)]
        for scores in (own, other):
            row += [plain_margin(scores), PLAIN["deviation"](scores)]
        for column in data.features[at].astype(np.float64).T.tolist():
            row += [PLAIN[how](column) for how in ("max", "mean", "deviation")]
        rows.append(row)
    return np.array(rows)


def ridge(x, y, penalty):
    """Weights and intercept, by the normal equations with an intercept that is not penalised."""
    shift, target = x.mean(axis=0), y.mean()
    weights = np.linalg.solve((x - shift).T @ (x - shift) + penalty * np.eye(x.shape[1]), (x - shift).T @ (y - target))
    return weights, target - shift @ weights


def test_a_gain_that_is_linear_in_a_descriptor_is_learned(scored):
    (data, *scores), (other, *other_scores) = scored

    def truth(data):
        return 0.3 - 0.1 * values_of(rr.Aggregate("mean", 3), data)

    predictor = rr.PredictedGain().learned(data, *scores, truth(data))
    predicted = predictor.values(other, *other_scores)
    assert np.corrcoef(predicted, truth(other))[0, 1] > 0.9
    assert np.abs(predicted - truth(other)).mean() < 0.5 * truth(other).std()


def test_the_penalty_is_the_one_with_the_least_error_on_queries_really_left_out(scored, noisy_gain):
    data, *scores = scored[0]
    x = descriptors(data, *scores)
    spread = x.std(axis=0)
    z = (x - x.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf)
    n = data.n_queries
    errors = {}
    for penalty in np.geomspace(1e-1, 1e5, 25) * n / 100:
        misses = []
        for q in range(n):
            rest = np.arange(n) != q
            weights, intercept = ridge(z[rest], noisy_gain[rest], penalty)
            misses.append(noisy_gain[q] - intercept - z[q] @ weights)
        errors[penalty] = np.square(misses).mean()
    best = min(errors, key=errors.get)
    predictor = rr.PredictedGain().learned(data, *scores, noisy_gain)
    assert predictor.penalty == pytest.approx(best)
    weights, intercept = ridge(z, noisy_gain, best)
    np.testing.assert_allclose(predictor.weights, weights, atol=1e-9)
    assert predictor.intercept == pytest.approx(intercept, abs=1e-12)
    np.testing.assert_allclose(predictor.values(data, *scores), intercept + z @ weights, atol=1e-9)


def test_a_gain_by_chance_is_predicted_by_its_mean(scored):
    (data, *scores), (other, *other_scores) = scored
    gain = 0.1 + np.random.default_rng(6).normal(size=data.n_queries) * 0.01
    predicted = rr.PredictedGain().learned(data, *scores, gain).values(other, *other_scores)
    assert np.abs(predicted - gain.mean()).max() < 0.02


def test_the_scale_of_a_feature_does_not_matter(scored, noisy_gain):
    data, *scores = scored[0]
    features = np.array(data.features)
    features[:, 4] *= 1024
    larger = dataclasses.replace(data, features=features)
    one = rr.PredictedGain().learned(data, *scores, noisy_gain).values(data, *scores)
    other = rr.PredictedGain().learned(larger, *scores, noisy_gain).values(larger, *scores)
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_missing_documents_and_values_break_nothing(scored, noisy_gain):
    data, model, baseline = scored[0]
    holes = np.where(np.random.default_rng(7).random(data.features.shape) < 0.3, np.nan, data.features)
    lacking = baseline.copy()
    lacking[::7] = -np.inf
    with_holes = dataclasses.replace(data, features=holes)
    predictor = rr.PredictedGain().learned(with_holes, model, lacking, noisy_gain)
    assert np.isfinite(predictor.values(with_holes, model, lacking)).all()


def test_what_has_learned_is_another_one(scored, noisy_gain):
    fresh = rr.PredictedGain()
    data, *scores = scored[0]
    assert fresh.learned(data, *scores, noisy_gain) is not fresh
    assert fresh.weights == ()


def test_three_queries_are_the_fewest_to_learn_from(scored, noisy_gain):
    data, model, baseline = scored[0]
    for n in (1, 2, 3):
        few = data.take(slice(0, n))
        first = few.n_documents
        arguments = (few, model[:first], baseline[:first], noisy_gain[:n])
        if n < 3:
            with pytest.raises(ParameterError, match=f"at least 3 queries to learn from, got {n}"):
                rr.PredictedGain().learned(*arguments)
        else:
            assert np.isfinite(rr.PredictedGain().learned(*arguments).values(*arguments[:3])).all()


def test_one_that_has_not_learned_or_learned_other_features_is_refused(scored, noisy_gain):
    data, *scores = scored[0]
    with pytest.raises(ParameterError, match="has not learned yet: pass valid= to fit"):
        rr.PredictedGain().values(data, *scores)
    predictor = rr.PredictedGain().learned(data, *scores, noisy_gain)
    narrow = dataclasses.replace(data, features=data.features[:, :5])
    with pytest.raises(ParameterError, match="learned from data with other features"):
        predictor.values(narrow, *scores)


@pytest.mark.parametrize("predictor", [*PREDICTORS, rr.PredictedGain()], ids=lambda p: str(p)[:30])
def test_every_predictor_comes_back_from_json(predictor, scored, noisy_gain):
    data, *scores = scored[0]
    if predictor.learns:
        predictor = predictor.learned(data, *scores, noisy_gain)
    back = read_predictor(json.loads(json.dumps(predictor.to_dict())), "card.json")
    assert type(back) is type(predictor)
    np.testing.assert_array_equal(back.values(data, *scores), predictor.values(data, *scores))
