"""Weights in sweeps: trained and judged by them, kept on disk, told on the first screen; no guarantee."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.scored_systems import score_systems
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.tradeoff.judged_queries import JudgedQueries, joined_folds
from riskrank.tradeoff.operating_point import OperatingPoint


@pytest.fixture(scope="module")
def data():
    return web_search_data(90, documents_per_query=8, n_features=20)


@pytest.fixture(scope="module")
def weights(data):
    drawn = np.random.default_rng(1).lognormal(0, 1, data.n_queries)
    return dict(zip(data.query_ids, drawn.tolist(), strict=True))


def swept(data, folder=None, **options):
    parts = [data.take(slice(begin, begin + 30)) for begin in (0, 30, 60)]
    ranker = rr.LambdaMART(rr.URisk("nDCG@5"), n_trees=5, n_leaves=4, n_threads=1)
    return rr.sweep(
        parts[0], ranker, baseline=rr.Feature(1), values=[0, 5], valid=parts[1], test=parts[2], measures=["AP"],
        predictors=["max feature:1"], folder=folder, n_jobs=1, verbose=False, **options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def weighted(data, weights):
    return swept(data, weights=weights)


def test_models_are_trained_by_weight(data, weights, weighted):
    train = data.take(slice(0, 30))
    alone = rr.LambdaMART(rr.URisk("nDCG@5", alpha=5), n_trees=5, n_leaves=4, n_threads=1)
    alone.fit(train, weights=weights, baseline=rr.Feature(1), valid=data.take(slice(30, 60)))
    np.testing.assert_array_equal(weighted.model(1).predict(data), alone.predict(data))


def test_every_mean_is_weighted(data, weights, weighted):
    test, w = weighted.test, np.array([weights[query] for query in data.query_ids[60:]])
    change = test.changes
    expected = {
        "gain": change, "risk": np.maximum(-change, 0), "reward": np.maximum(change, 0), "nDCG@5": test.values,
        "reranked": test.is_reranked,
    }  # fmt: skip
    for name, numbers in expected.items():
        means = np.average(numbers, axis=1, weights=w)
        np.testing.assert_allclose(weighted.summary[name].to_numpy(), means, atol=1e-12, err_msg=name)
    assert weighted.summary["losses"].to_list() == (change < 0).sum(axis=1).tolist()
    assert test.baseline_mean == pytest.approx(np.average(test.baseline, weights=w))
    np.testing.assert_allclose(test.losses(0.05).mean(axis=1), np.average(change < -0.05, axis=1, weights=w))
    last = data.take(slice(60, 90))
    ap = rr.evaluate(last, {"x": last.feature(1)}, "AP")["x"]
    assert test.others["AP"][0] == pytest.approx(np.average(ap, weights=w))
    curve = weighted.selective("max feature:1", apply="above")
    used = test.predictors["max feature:1"] > curve["threshold"][3]
    assert curve["share"][3] == pytest.approx(np.average(used, weights=w))
    assert curve["gain"][3] == pytest.approx(np.average(used * change[0], weights=w))
    shares = weighted.distances()["share"].to_numpy().reshape(2, -1)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_whole_weights_are_repeated_queries(data):
    # Few different values and leaves of any size: repeating queries leaves the engine's bins and splits as they are.
    coarse = rr.RankingData.from_arrays(
        np.round(2 * data.features), data.labels, group=np.diff(data.query_offsets)
    )  # fmt: skip
    times = np.random.default_rng(5).integers(1, 4, coarse.n_queries)
    queries = np.repeat(np.arange(coarse.n_queries), times)
    copies = rr.RankingData.from_arrays(
        coarse.take(queries).features, coarse.take(queries).labels, group=np.diff(coarse.query_offsets)[queries]
    )  # fmt: skip
    ends = np.cumsum(times)[[29, 59]].tolist()
    ranker = rr.LambdaMART(rr.URisk("nDCG@5"), n_trees=4, n_leaves=4, min_docs_in_leaf=1, n_threads=1)

    def summary(given, first, second):
        parts = [given.take(slice(*each)) for each in ((0, first), (first, second), (second, None))]
        return rr.sweep(
            parts[0], ranker, baseline=rr.Feature(1), values=[0, 5], valid=parts[1], test=parts[2], n_jobs=1,
            verbose=False,
        ).summary  # fmt: skip

    one, other = summary(coarse.weighted(times), 30, 60), summary(copies, *ends)
    for name in ("nDCG@5", "gain", "risk", "reward"):
        np.testing.assert_allclose(one[name].to_numpy(), other[name].to_numpy(), atol=1e-9, err_msg=name)


def test_an_assessment_of_it_has_the_same_gains(weighted):
    scores = weighted.effectiveness()
    assessed = rr.assess(scores, scores.systems[0], alphas=[0])
    gains = [each.gain for each in assessed if not each.is_baseline]
    np.testing.assert_allclose(gains, weighted.test.gain, atol=1e-12)


def test_a_point_is_measured_by_weight(weighted):
    point = OperatingPoint(weighted, 1, "", probability=0.5).measured(0.05)
    assert point.gain == pytest.approx(0.5 * weighted.test.gain[1])
    assert point.risk == pytest.approx(0.5 * weighted.test.risk[1])
    share = np.average(weighted.test.changes[1] < -0.05, weights=weighted.test.weights)
    assert point.hurt == pytest.approx(0.5 * share)


def test_it_is_kept_and_read_back(data, weights, tmp_path):
    one = swept(data, tmp_path / "sweep", weights=weights)
    other = rr.Sweep.load(tmp_path / "sweep")
    np.testing.assert_array_equal(other.test.weights, one.test.weights)
    assert other.summary.equals(one.summary)
    assert str(other) == str(one)


def test_the_first_screen_and_the_page_say_so(weighted):
    w = weighted.test.weights
    said = f"30 test queries, weighted: they count as {w.sum() ** 2 / np.square(w).sum():,.1f}"
    assert said in " ".join(str(weighted).split())
    assert said in weighted.to_html()


def test_without_weights_nothing_changes(data):
    plain, equal = swept(data), swept(data, weights=dict.fromkeys(data.query_ids, 2.0))
    assert equal.summary.equals(plain.summary)
    assert str(equal) == str(plain)
    assert "weight" not in str(plain)


def test_a_guarantee_needs_queries_that_count_the_same(weighted):
    with pytest.raises(ParameterError, match="a guarantee is for queries that all count the same"):
        weighted.guarantee(0.05)


def test_queries_without_a_weight_are_told(data, weights, tmp_path):
    table = tmp_path / "traffic.csv"
    lines = [f"{query},{weight}" for query, weight in list(weights.items())[:50]]
    table.write_text("\n".join(["qid,views", *lines]))
    with pytest.raises(FileError, match="10 of 30 queries have no weight"):
        swept(data, weights=table)


def test_folds_join_with_their_weights():
    def part(weights):
        rows = np.array([[0.1, 0.2]])
        return JudgedQueries(
            queries=("a", "b"), fold=np.ones(2, int), baseline=np.zeros(2), values=rows, distance=rows,
            is_reranked=rows > 0, others={"AP": np.array([0.1, 0.3])}, weights=weights,
        )  # fmt: skip

    joined = joined_folds([part(np.array([3.0, 1.0])), part(np.array([1.0, 0.0]))])
    assert joined.weights.tolist() == [3, 1, 1, 0]
    assert joined.gain.tolist() == pytest.approx([(3 * 0.1 + 0.2 + 0.1) / 5])
    assert joined_folds([part(None), part(None)]).weights is None


def test_weights_of_documents_are_for_training_only(data):
    of_documents = np.ones(data.n_documents)
    of_documents[data.query_offsets[70]] = 2.0
    said = f"test data must have one weight for each query: query '{data.query_ids[70]}' has several"
    with pytest.raises(AlignmentError, match=said):
        swept(data.weighted(of_documents))
    with pytest.raises(AlignmentError, match=f"query '{data.query_ids[70]}' has several"):
        score_systems(data.weighted(of_documents), {"x": data.feature(1)}, ["AP"])
