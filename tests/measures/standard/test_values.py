"""Hand-worked examples, and slow references for what trec_eval does not have."""

from __future__ import annotations

import math
import shutil

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import RankingData, evaluate
from riskrank.errors import MeasureError

# Ranking of topic 1: grades 0, 2, unjudged, 1; one relevant document (grade 1) is not retrieved.
QRELS = {"1": {"a": 0, "b": 2, "d": 1, "e": 1}}
RUN = {"x": {"1": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0}}}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("DCG", 2 / math.log2(3) + 1 / math.log2(5)),
        ("DCG(dcg='exp-log2')", 3 / math.log2(3) + 1 / math.log2(5)),
        ("DCG@2", 2 / math.log2(3)),
        ("nDCG", (2 / math.log2(3) + 1 / math.log2(5)) / (2 + 1 / math.log2(3) + 1 / 2)),
        ("nDCG(dcg='exp-log2')@2", (3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        ("nDCG(gains={1:5,2:1})", (1 / math.log2(3) + 5 / math.log2(5)) / (5 + 5 / math.log2(3) + 1 / 2)),
        ("AP", (1 / 2 + 2 / 4) / 3),
        ("AP(rel=2)", 1 / 2),
        ("RR", 1 / 2),
        ("RR@1", 0),
        ("P@4", 2 / 4),
        ("P@10", 2 / 10),
        ("R@2", 1 / 3),
        ("Success@1", 0),
        ("Success@2", 1),
        # R1 = 0, R2 = 3/16, R4 = 1/16: 3/16/2 + (13/16)(1/16)/4
        ("ERR", 3 / 32 + 13 / 16 / 64),
        ("ERR(max_rel=2)", 3 / 8 + (1 / 4) * (1 / 4) / 4),
        ("ERR@2", 3 / 32),
        # gains 2/2 at rank 2, 1/2 at rank 4
        ("RBP", 0.2 * (0.8 + 0.5 * 0.8**3)),
        ("RBP(p=0.5,rel=1)", 0.5 * (0.5 + 0.5**3)),
        # b and d each have one judged non-relevant document above; R = 3, N = 1
        ("Bpref", 0.0),
        # pairs: b>a wrong, b>d, b>e right, d>a, wrong, e>a wrong: 2 of 5
        ("PairAccuracy", 2 / 5),
    ],
)
def test_a_worked_example(measure, expected):
    assert evaluate(QRELS, RUN, measure).matrix[0, 0] == pytest.approx(expected, abs=1e-12)


# Feature data whose second and third documents are tied: their grades are 0, 2, 0, 1 or 0, 0, 2, 1.
TIED = RankingData.from_arrays(np.zeros((4, 1)), [0, 2, 0, 1], group=[4])
TIED_SCORES = {"x": [9.0, 8.0, 8.0, 7.0]}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # gain 3 at rank 2 or 3, gain 1 at rank 4
        ("DCG", (3 / math.log2(3) + 3 / 2) / 2 + 1 / math.log2(5)),
        ("DCG@2", (3 / math.log2(3) + 0) / 2),
        ("nDCG@2", (3 / math.log2(3) + 0) / 2 / (3 + 1 / math.log2(3))),
        # the documents of grade 0 are worth 5: ranks 1 and 3 or 1 and 2; grade 2 at the other
        ("DCG(gains={0:5})@2", 5 + (2 / math.log2(3) + 5 / math.log2(3)) / 2),
        ("AP", ((1 / 2 + 2 / 4) / 2 + (1 / 3 + 2 / 4) / 2) / 2),
        ("AP@2", ((1 / 2) / 2 + 0) / 2),
        ("RR", (1 / 2 + 1 / 3) / 2),
        ("RR@2", (1 / 2 + 0) / 2),
        ("P@2", (1 / 2 + 0) / 2),
        ("R@2", (1 / 2 + 0) / 2),
        ("Success@2", (1 + 0) / 2),
        ("Success@3", 1),
        # the user stops at grade 2 by 3/16, at grade 1 by 1/16
        ("ERR", (3 / 16 / 2 + 3 / 16 / 3) / 2 + 13 / 16 / 16 / 4),
        ("ERR@2", (3 / 16 / 2 + 0) / 2),
        ("RBP", 0.2 * ((0.8 + 0.8**2) / 2 + 0.5 * 0.8**3)),
        # wrong: 2 before 0 at the top, 1 before either 0; right: 2 before 1; half: 2 before the tied 0
        ("PairAccuracy", 1.5 / 5),
        # R = N = 2: grade 2 has one or two others above, grade 1 two
        ("Bpref", ((1 / 2 + 0) / 2 + 0) / 2),
        ("GM(AP)", ((1 / 2 + 2 / 4) / 2 + (1 / 3 + 2 / 4) / 2) / 2),
        # by ir_measures: precision at 2
        ("Rprec", (1 / 2 + 0) / 2),
    ],
)
def test_a_worked_example_with_a_tie(measure, expected):
    assert evaluate(TIED, TIED_SCORES, measure)["x"].tolist() == pytest.approx([expected], abs=1e-12)


def test_a_topic_without_relevant_documents_scores_zero_and_is_reported():
    qrels = {**QRELS, "2": {"a": 0}}
    run = {"x": {**RUN["x"], "2": {"a": 1.0}}}
    for name in ("nDCG", "AP", "RR", "P@5", "R@5", "ERR", "RBP", "Bpref", "Success@1", "PairAccuracy", "DCG"):
        scores = evaluate(qrels, run, name)
        assert scores.matrix[0, 1] == 0
        assert scores.without_relevant == ("2",)


def test_the_plain_ndcg_is_linear_on_qrels_and_exponential_on_labels():
    data = RankingData.from_arrays(np.zeros((3, 1)), [0, 2, 1], group=[3])
    scores = {"x": np.array([3.0, 2.0, 1.0])}
    qrels = {"1": {"a": 0, "b": 2, "c": 1}}
    run = {"x": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}}
    on_labels, on_qrels = evaluate(data, scores, "nDCG@3"), evaluate(qrels, run, "nDCG@3")
    assert "gains 2^grade − 1" in on_labels.description
    assert "gains = grade" in on_qrels.description
    for explicit in ("nDCG(dcg='log2')@3", "nDCG(dcg='exp-log2')@3"):
        assert evaluate(data, scores, explicit)["x"] == pytest.approx(evaluate(qrels, run, explicit)["x"])
    assert on_labels["x"] == pytest.approx(evaluate(qrels, run, "nDCG(dcg='exp-log2')@3")["x"])
    assert on_qrels["x"] == pytest.approx(evaluate(data, scores, "nDCG(dcg='log2')@3")["x"])


def test_huge_grades_are_refused_where_they_would_overflow():
    qrels, run = {"1": {"a": 5000}}, {"x": {"1": {"a": 1.0}}}
    assert evaluate(qrels, run, "nDCG")["x"].tolist() == [1.0]
    with pytest.raises(MeasureError, match="grade 5000 is too large for gains"):
        evaluate(qrels, run, "nDCG(dcg='exp-log2')")
    with pytest.raises(MeasureError, match="too large for ERR"):
        evaluate(qrels, run, "ERR")
    with pytest.raises(MeasureError, match="max_rel of ERR is 4, but there is a grade 5000"):
        evaluate(qrels, run, "ERR(max_rel=4)")


def ranked_grades(labels, scores):
    return [labels[i] for i in sorted(range(len(labels)), key=lambda i: -scores[i])]


def slow_err(grades, k, top):
    value, left = 0.0, 1.0
    for rank, grade in enumerate(grades[:k], start=1):
        stop = (2**grade - 1) / 2**top
        value += left * stop / rank
        left *= 1 - stop
    return value


def slow_ndcg(grades, k):
    def dcg(ordered):
        return sum((2**g - 1) / math.log2(r + 1) for r, g in enumerate(ordered[:k], start=1))

    best = dcg(sorted(grades, reverse=True))
    return dcg(grades) / best if best else 0.0


def slow_rbp(grades, p, top):
    return (1 - p) * sum(g / top * p ** (r - 1) for r, g in enumerate(grades, start=1)) if top else 0.0


def slow_pairs(grades):
    pairs = [(a, b) for i, a in enumerate(grades) for b in grades[i + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0


scored_labels = st.tuples(st.integers(0, 6), st.integers(0, 100))
queries = st.lists(
    st.lists(scored_labels, min_size=1, max_size=9, unique_by=lambda scored: scored[1]), min_size=1, max_size=4
)


@given(queries, st.integers(1, 10))
def test_feature_data_agrees_with_slow_references(content, k):
    labels = [label for query in content for label, _ in query]
    given_scores = [score for query in content for _, score in query]
    data = RankingData.from_arrays(np.zeros((len(labels), 1)), labels, group=[len(q) for q in content])
    scores = evaluate(data, {"x": given_scores}, [f"ERR@{k}", f"nDCG@{k}", "RBP(p=0.7)", "PairAccuracy", "AP"])
    top = max(4, *labels)
    for i, query in enumerate(content):
        grades = ranked_grades(*zip(*query, strict=True))
        assert scores[f"ERR@{k}"]["x"][i] == pytest.approx(slow_err(grades, k, top), abs=1e-12)
        assert scores[f"nDCG@{k}"]["x"][i] == pytest.approx(slow_ndcg(grades, k), abs=1e-12)
        assert scores["RBP(p=0.7)"]["x"][i] == pytest.approx(slow_rbp(grades, 0.7, max(labels)), abs=1e-12)
        assert scores["PairAccuracy"]["x"][i] == pytest.approx(slow_pairs(grades), abs=1e-12)


def test_geometric_means():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"x": {"1": {"a": 1.0}, "2": {"b": 1.0}}}
    scores = evaluate(qrels, run, "gm_map")
    assert scores.measure == "GM(AP)"
    assert scores["x"].tolist() == [1.0, 0.0]
    assert scores.means() == pytest.approx([math.sqrt(1e-5)])


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval needs Perl")
def test_err_and_exponential_ndcg_agree_with_gdeval(example):
    qrels = list(ir_measures.read_trec_qrels(str(example / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(example / "neural.run")))
    names = ("ERR@20", "nDCG(dcg='exp-log2')@20")
    theirs = {
        str(m.measure) + m.query_id: m.value
        for m in ir_measures.iter_calc(list(map(ir_measures.parse_measure, names)), qrels, run)
    }
    assert len(theirs) == 100
    scores = evaluate(example / "qrels.txt", {"neural": example / "neural.run"}, list(names))
    for name in names:
        for topic, value in zip(scores[name].topics, scores[name]["neural"], strict=True):
            assert value == pytest.approx(theirs[name + topic], abs=6e-6)  # gdeval prints five decimals


def test_known_values_of_trec_2012(shared_data):
    folder = shared_data / "trec_web2012"
    runs = {"indriCASP": folder / "indri_rm_cata_filtered.run", "ql": folder / "indri_ql_catb_filtered.run"}
    scores = evaluate(folder / "qrels.adhoc.txt", runs, ["ERR@20", "nDCG(dcg='exp-log2')@20"])
    assert scores["ERR@20"].means()[0] == pytest.approx(0.1947, abs=5e-5)
