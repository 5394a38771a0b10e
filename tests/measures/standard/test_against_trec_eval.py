"""Per-topic agreement with pytrec_eval, the outside authority, to 1e-9."""

from __future__ import annotations

import gzip

import numpy as np
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank import evaluate

OURS_AND_THEIRS = {
    "nDCG": "ndcg",
    "nDCG@1": "ndcg_cut_1",
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "AP@5": "map_cut_5",
    "RR": "recip_rank",
    "P@1": "P_1",
    "P@10": "P_10",
    "R@5": "recall_5",
    "R@100": "recall_100",
    "Success@1": "success_1",
    "Success@5": "success_5",
    "Bpref": "bpref",
}


def compare(qrels, runs, *, rel=1):
    measures = {_with_rel(ours, rel): theirs for ours, theirs in OURS_AND_THEIRS.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(measures.values()), relevance_level=rel)
    scores = evaluate(qrels, runs, list(measures))
    for name, run in runs.items():
        expected = evaluator.evaluate(run)
        for ours, theirs in measures.items():
            values = scores[ours]
            for topic, value in zip(values.topics, values[name], strict=True):
                truth = expected[topic][theirs] if topic in expected else 0.0
                assert abs(value - truth) <= 1e-9, (ours, topic, value, truth)


def _with_rel(name, rel):
    if rel == 1 or name.startswith("nDCG"):
        return name
    head, at, k = name.partition("@")
    return f"{head}(rel={rel}){at}{k}"


def test_runs_of_trec_dl_2019_agree(shared_data):
    folder = shared_data / "trec_dl2019"
    with open(folder / "qrels.dl19-passage.txt") as file:
        qrels = pytrec_eval.parse_qrel(file)
    runs = {}
    for path in sorted((folder / "runs").iterdir()):
        with gzip.open(path, "rt") as file:
            runs[path.name] = pytrec_eval.parse_run(file)
    assert len(runs) == 11
    compare(qrels, runs)
    compare(qrels, runs, rel=2)


topics = st.sampled_from(["1", "2", "10", "t-a", "é"])
documents = st.sampled_from([f"d{i}" for i in range(12)] + ["a", "B", "ä", "z z"])
# Scores repeat, and some differ only beyond float32, where trec_eval sees a tie.
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 2.5, -3.0, 1e30, 1e39, 16777216.0, 16777217.0]),
    st.floats(-10, 10),
)
grades = st.integers(-2, 4)


@settings(max_examples=300)
@given(
    qrels=st.dictionaries(topics, st.dictionaries(documents, grades, min_size=1, max_size=14), min_size=1),
    run=st.dictionaries(topics, st.dictionaries(documents, scores, min_size=1, max_size=14), min_size=1),
    rel=st.sampled_from([1, 1, 2]),
)
def test_generated_runs_agree(qrels, run, rel):
    if not set(qrels) & set(run):
        run = {**run, next(iter(qrels)): {"d1": 1.0}}
    # trec_eval reads beyond its array of grades when a topic's best one lies more than one below the level.
    qrels = {
        topic: judged if max(judged.values()) >= rel - 1 else {**judged, "d0": rel - 1}
        for topic, judged in qrels.items()
    }
    compare(qrels, {"x": run}, rel=rel)


def test_very_many_topics_agree():
    """20,000 small topics, many with ties, without relevant documents, or without a document of the run."""
    rng = np.random.default_rng(0)
    names = np.array([f"d{i}" for i in range(25)])
    values = np.array([0.0, -0.0, 1.0, 1.0 + 1e-9, 2.5, -3.0, 1e30, 16777216.0, 16777217.0, *rng.normal(size=12)])
    qrels, run = {}, {}
    for number in range(20_000):
        n_judged, n_retrieved = rng.integers(1, 16, 2)
        judged = rng.choice(names, n_judged, replace=False).tolist()
        retrieved = rng.choice(names, n_retrieved, replace=False).tolist()
        qrels[f"t{number}"] = dict(zip(judged, rng.integers(0, 5, n_judged).tolist(), strict=True))
        run[f"t{number}"] = dict(zip(retrieved, rng.choice(values, n_retrieved).tolist(), strict=True))
    compare(qrels, {"x": run})
