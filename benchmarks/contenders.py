"""One way of scoring TREC runs, per topic, by five measures: python contenders.py NAME QRELS RUN…

Each contender is written as its own documentation advises, and loads nothing but what it needs.
"""

from __future__ import annotations

import gzip
import sys
from typing import Any

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
PYTREC_EVAL_NAMES = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")
RANX_NAMES = ("ndcg@10", "map", "mrr", "precision@10", "recall@100")

PerTopic = dict[str, dict[str, float]]


def with_riskrank(qrels: str, runs: list[str]) -> Any:
    """Per-topic values of each run."""
    import riskrank as rr

    return rr.evaluate(qrels, runs, MEASURES)


def with_riskrank_and_risk(qrels: str, runs: list[str]) -> Any:
    """Per-topic values and all risk measures; the first run is the baseline."""
    import riskrank as rr

    scores = rr.evaluate(qrels, runs, MEASURES)
    return {name: rr.assess(values, baseline=values.systems[0]) for name, values in scores.items()}


def with_pytrec_eval(qrels: str, runs: list[str]) -> list[PerTopic]:
    """Per-topic values of each run."""
    import pytrec_eval

    with open(qrels) as file:
        judged = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, set(PYTREC_EVAL_NAMES))
    results: list[PerTopic] = []
    for path in runs:
        with gzip.open(path, "rt") as lines:
            results.append(evaluator.evaluate(pytrec_eval.parse_run(lines)))
    return results


def with_ir_measures(qrels: str, runs: list[str]) -> list[Any]:
    """Per-topic values of each run."""
    import ir_measures

    read_qrels: Any = ir_measures.read_trec_qrels  # has no types
    read_run: Any = ir_measures.read_trec_run
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    evaluator = ir_measures.evaluator(measures, list(read_qrels(qrels)))
    return [list(evaluator.iter_calc(read_run(path))) for path in runs]


def with_ranx(qrels: str, runs: list[str]) -> list[Any]:
    """Per-topic values of each run."""
    import ranx

    judged = ranx.Qrels.from_file(qrels, kind="trec")
    results = []
    for path in runs:
        run = ranx.Run.from_file(path)
        results.append(ranx.evaluate(judged, run, list(RANX_NAMES), return_mean=False, make_comparable=True))
    return results


CONTENDERS = {
    "riskrank": with_riskrank,
    "riskrank_risk": with_riskrank_and_risk,
    "pytrec_eval": with_pytrec_eval,
    "ir_measures": with_ir_measures,
    "ranx": with_ranx,
}

if __name__ == "__main__":
    CONTENDERS[sys.argv[1]](sys.argv[2], sys.argv[3:])
