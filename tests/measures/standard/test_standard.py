"""What all measures must meet, and values that others published."""

from __future__ import annotations

import shutil

import ir_measures
import pytest

from riskrank import evaluate

from .examples import QRELS, RUN


def test_a_topic_without_relevant_documents_scores_zero_and_is_reported():
    qrels = {**QRELS, "2": {"a": 0}}
    run = {"x": {**RUN["x"], "2": {"a": 1.0}}}
    for name in ("nDCG", "AP", "RR", "P@5", "R@5", "ERR", "RBP", "Bpref", "Success@1", "PairAccuracy", "DCG"):
        scores = evaluate(qrels, run, name)
        assert scores.matrix[0, 1] == 0
        assert scores.without_relevant == ("2",)


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


def test_err_of_trec_2012_is_the_published_one(shared_data):
    folder = shared_data / "trec_web2012"
    scores = evaluate(folder / "qrels.adhoc.txt", {"indriCASP": folder / "indri_rm_cata_filtered.run"}, "ERR@20")
    assert scores.means()[0] == pytest.approx(0.1947, abs=5e-5)
