"""What a user writes after README.md and docs/: type checkers in their strictest mode must have nothing to say.

It is checked, never run; tests of the documents run their examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import polars as pl
from numpy.typing import NDArray

import riskrank as rr
from riskrank.measures import Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse, per_rank
from riskrank.objectives import diagnose, own_target
from riskrank.testing import assert_no_regression

Floats = NDArray[np.float64]


def compare_runs() -> None:
    qrels = rr.read_qrels("example/qrels.txt")
    runs = {"bm25": "example/bm25.run", "neural": "example/neural.run", "hybrid": "example/hybrid.run"}
    scores = rr.evaluate(qrels, runs, "nDCG@10")
    assert_type(scores, rr.Effectiveness)
    assert_type(scores["neural"], Floats)
    assert_type(scores.matrix, Floats)
    assert_type(scores.topics, tuple[str, ...])
    assert_type(scores.to_polars(), pl.DataFrame)
    result = rr.assess(scores, baseline="bm25", alphas=(0, 1, 5))
    assert_type(result, rr.Assessment)
    verdict: str = result["hybrid"].at_alpha(5).verdict
    assert verdict
    assert_type(result["hybrid"].at_alpha(5).trisk, float)
    assert_type(result.summary, pl.DataFrame)
    assert_type(result.per_topic, pl.DataFrame)
    result.to_json("result.json")
    assert_type(rr.Assessment.from_json("result.json"), rr.Assessment)
    assert_type(rr.read_assessments("result.json"), dict[str, rr.Assessment])
    result.to_html("report.html", qrels=qrels, runs=runs)
    result.chart("georisk")
    assert_type(result.to_latex(), str)


def tables_of_features(frame: pl.DataFrame) -> None:
    data = rr.read_table("example/shop.csv", query="search_phrase", label="stars", drop=["title", "asked_on"])
    assert_type(data, rr.RankingData)
    assert_type(data.feature("text_match"), NDArray[np.float32])
    rr.read_table([Path("part-0.parquet"), "part-1.parquet"], features="bm25*", labelled=False)
    rr.read_table(frame, document="url")
    rr.read_table(frame.lazy())
    parts = rr.read_table_parts(frame, "70:15:15", query="qid")
    assert_type(parts, dict[str, rr.RankingData])
    rr.LambdaMART().fit(parts["train"], baseline=rr.Feature("bm25"), valid=parts["valid"])


def judgments_and_runs_in_many_forms(frame: pl.DataFrame) -> None:
    rr.read_qrels({"1": {"a": 2}})
    rr.read_qrels(Path("web.qrels.gz"))
    rr.read_qrels(frame)
    assert_type(rr.read_run({"1": {"a": 0.5}}, name="bm25"), rr.Run)
    rr.evaluate("web.qrels", ["bm25.run", "neural.run"], rr.parse_measure("nDCG@10"))
    rr.evaluate("web.qrels", "bm25.run", "AP", missing="error")
    rr.evaluate(frame, {"mine": frame}, "AP", missing="intersect")
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    runs = {"old": {"q1": {"a": 0.2, "b": 0.9}, "q2": {"c": 1.0}}, "new": {"q1": {"a": 0.9}, "q2": {"d": 1.0}}}
    several = rr.evaluate(qrels, runs, ["nDCG@10", "P(rel=2)@5", "map"])
    assert_type(several["nDCG@10"].means(), Floats)
    assert_type(several["AP"]["new"], Floats)
    data = rr.RankingData.from_arrays([[0.1], [0.9]], [1, 0], qid=["a", "a"])
    assert_type(data, rr.RankingData)
    rr.evaluate(data, {"feature 1": data.feature(1), "again": rr.Feature(1)}, "nDCG@10").means()


def judge_data_in_shards(ranker: rr.LambdaMART) -> None:
    shards = rr.ShardedData("shards")
    scores = rr.evaluate(shards, {"bm25": "column:bm25", "new": ranker}, "nDCG@10", cluster="local:2")
    assert_type(scores, rr.Effectiveness)
    rr.assess(scores, baseline="bm25")
    assert_type(rr.evaluate(shards, {"text": rr.Feature(1)}, ["AP", "ERR@10"])["AP"], rr.Effectiveness)


def compare_many_systems() -> None:
    scores = rr.evaluate("example/qrels.txt", ["example/bm25.run", "example/neural.run"], "ERR@20")
    assert_type(rr.risk.georisk(scores.matrix, alpha=5), Floats)
    assert_type(rr.risk.zrisk(scores.matrix, alpha=5), Floats)
    interval = rr.assess(scores, baseline="mean", intervals=True)["neural"].intervals["risk"]
    assert_type(interval, tuple[float, float])
    assert_type(rr.all_pairs(scores, alpha=1).pairs[0].p_max_t, float)
    rr.assess("scores.csv", baseline=["bm25", "neural"], combine="max", correction="bh", population=["bm25"])
    rr.assess("scores.csv", baseline="bm25", weights={"1": 30, "2": 4.5})
    rr.assess(scores, baseline="bm25", weights="traffic.csv:views")
    assert_type(scores.weighted([1.0, 2.0]).n_effective, float)
    rr.assess(rr.read_scores("scores.csv", missing="zero"), baseline=np.zeros(50))


def numbers_of_risk() -> None:
    old, new = [0.5, 0.4, 0.3, 0.6, 0.5], [0.6, 0.1, 0.9, 0.6, 0.7]
    assert_type(rr.risk.urisk(new, old, alpha=5), float)
    test = rr.risk.trisk(new, old, alpha=5)
    verdict: str = test.verdict
    assert verdict
    assert_type(test.statistic * test.p_value * test.standard_error, float)
    assert_type(test.degrees_of_freedom, float)
    assert_type(rr.risk.explore(new, old, alpha=5).p_holm, Floats)
    assert_type(rr.risk.intervals(new, old, alphas=[5])["urisk_5"], tuple[float, float])
    assert_type(rr.risk.power(new, old, effect=0.05).n_topics, int | None)
    assert_type(rr.risk.georisk_intervals([new, old], alpha=5), Floats)
    assert_type(rr.risk.g_squared([new, old]).statistic, float)
    assert_type(rr.risk.helped_hurt(new, old).count, tuple[int, ...])
    assert_type(rr.risk.gain(new, old) - rr.risk.reward(new, old) + rr.risk.risk(new, old), float)
    assert_type(rr.risk.cvar(np.array(new), np.array(old), share=0.2), float)
    assert_type(rr.risk.kendall_tau([1, 2, 3], [1, 3, 2]), float)


def train_a_ranker() -> None:
    train, valid, test = (rr.read_letor(f"example/{part}.txt") for part in ("train", "valid", "test"))
    assert_type(train, rr.RankingData)
    ranker = rr.LambdaMART(rr.URisk("nDCG@10", alpha=5), n_leaves=7, early_stopping=30)
    assert_type(ranker.fit(train, baseline=rr.Feature(1), valid=valid), rr.LambdaMART)
    ranker.fit(train.weighted({"1": 30.0}), baseline=rr.Feature(1), valid=valid)
    assert_type(ranker.history_.frame, pl.DataFrame)
    scores = ranker.predict(test)
    assert_type(scores, Floats)
    ranker.save("model")
    assert_type(rr.load("model").predict(test), Floats)
    assert_type(rr.LambdaMART.load("model"), rr.LambdaMART)
    rr.assess(rr.evaluate(test, {"text": test.feature(1), "model": scores}, "nDCG@10"), baseline="text")
    rr.LambdaMART(objective=rr.URisk("nDCG@10", alpha=5), n_trees=50).fit(train, checkpoint="folder", resume=True)


def arrays_the_way_of_scikit_learn() -> None:
    features, labels, queries = np.ones((4, 2)), [0, 1, 0, 1], ["a", "a", "b", "b"]
    ranker = rr.LambdaMART().fit(features, labels, qid=queries, baseline=features[:, 0])
    assert_type(ranker.predict(features), Floats)
    assert_type(ranker.score(features, labels, qid=queries), float)
    ranker.fit(features, labels, group=[2, 2], valid=(features, labels, queries))
    assert_type(ranker.get_params()["n_trees"], Any)
    rr.LambdaMART("urisk:alpha=5").fit(features, labels, qid=queries, eval_set=[(features, labels)], eval_qid=[queries])
    assert_type(rr.scorer("urisk", alpha=5, baseline="column:bm25")(ranker, features, labels, qid=queries), float)
    assert_type(ranker.contributions(features), Floats)
    assert_type(ranker.permutation_importance((features, labels, queries), target="risk").mean, Floats)


def every_kind_of_baseline(train: rr.RankingData, other: rr.LambdaMART) -> None:
    ranker = rr.LambdaMART(rr.GeoRisk(alpha=1), n_trees=20)
    ranker.fit(train, baseline=rr.Feature(110))
    ranker.fit(train, baseline=train.feature(1))
    ranker.fit(train, baseline="bm25.run")
    ranker.fit(train, baseline={"1": {"a": 0.5}})
    ranker.fit(train, baseline=other)
    ranker.fit(train, baseline=[rr.Feature(1), other, "bm25.run"])
    ranker.fit(train, baseline={"text": rr.Feature(1), "trees": other})
    population, rest = rr.Baselines.learn(
        train, {"trees": rr.RegressionTrees(n_trees=20), "bm25": rr.Feature(1)}, share=0.3, cache="population"
    )
    assert_type(population.evaluate(rest, "nDCG@10"), rr.Effectiveness)
    ranker.fit(rest, baseline=population)


def make_synthetic_data() -> None:
    assert_type(rr.cubic_data(10, documents_per_query=20, random_state=1), rr.RankingData)
    assert_type(rr.web_search_data(10, n_features=20), rr.RankingData)
    assert_type(rr.synthetic_runs([rr.SystemModel("a", skill=0.1)], n_topics=3), rr.SyntheticRuns)
    assert_type(rr.write_synthetic("cubic", "cubic", n_queries=[6, 3, 3]), list[Path])


def other_rankers_and_objectives(train: rr.RankingData, valid: rr.RankingData) -> None:
    net = rr.LambdaNet(rr.URisk("nDCG@10", alpha=5), n_epochs=10)
    assert_type(net.fit(train, baseline=rr.Feature(1), valid=valid), rr.LambdaNet)
    objective = rr.RankNet(truncation=None, normalise=False)
    rr.LambdaNet.burges2006(objective, layers=2, n_epochs=3, learning_rate=1e-4).fit(train, valid=valid)
    rr.AdaRank("nDCG@10", n_rounds=5).fit(train)
    rr.LinearRanker(rr.parse_measure("AP"), n_rounds=5, valid_measure=rr.parse_measure("RR")).fit(train)
    for each in (rr.Gain(), rr.UCRO(), rr.SARO(), rr.FARO(), rr.TStarFARO(), rr.CVaR(share=0.1), rr.Churn(alpha=0.5)):
        gradient, hessian = each.gradients(train.feature(1), train, baseline=rr.Feature(1))
        assert_type(gradient, Floats)
        assert_type(hessian, Floats)
        assert_type(each.reported_measure, Measure)
    assert_type(diagnose(rr.Gain("nDCG@10"), [0.3, 0.1], [0, 1]).has_cost, bool)


def choose_how_much_risk_to_take() -> None:
    train, valid, test = (rr.read_letor(f"example/{part}.txt") for part in ("train", "valid", "test"))
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=40, n_leaves=7)
    sweep = rr.sweep(
        train,
        ranker,
        baseline=rr.Feature(1),
        values=(0, 1, 5, 10),
        valid=valid,
        test=test,
        predictors=["max feature:1"],
    )
    assert_type(sweep, rr.Sweep)
    assert_type(sweep.summary, pl.DataFrame)
    assert_type(sweep.areas(), dict[str, float])
    by_rule = sweep.choose("risk", max_risk=0.015)
    point = sweep.guarantee(0.02, confidence=0.9)
    assert_type(by_rule.gain - point.risk, float)
    assert_type(point.label + point.why, str)
    assert_type(point.ranker().predict(test), Floats)
    sweep.save("sweep")
    assert_type(rr.Sweep.load("sweep"), rr.Sweep)
    sweep.to_html("report.html", point=point)
    series = {"SARO": rr.LambdaMART(rr.SARO()), "URisk": rr.LambdaMART(rr.URisk())}
    rr.sweep("all.txt", series, baseline="bm25.run", folds=5, measures=["AP"], folder="sweep", n_jobs=2)
    shards = rr.ShardedData("train")
    rr.sweep(shards, ranker, baseline=rr.Feature(1), valid=rr.ShardedData("valid"), test="test", cluster="local:4")


def use_a_model_on_some_queries(train: rr.RankingData, test: rr.RankingData) -> None:
    model = rr.LambdaMART(rr.Gain("nDCG@10"), n_trees=40, n_leaves=7).fit(train, baseline=rr.Feature(1))
    half = rr.Mixed.of(model, baseline=rr.Feature(1), probability=0.5)
    assert_type(half, rr.Mixed)
    careful = rr.Selective.of(model, baseline=rr.Feature(1), predictor="max feature:1", threshold=12, apply="below")
    assert_type(careful, rr.Selective)
    rr.Selective(rr.LambdaMART(), predictor=rr.Aggregate("max", 1)).fit(train, baseline=rr.Feature(1), valid=test)
    half.save("half")
    assert_type(half.predict(test), Floats)
    assert_type(careful.uses_model(test), NDArray[np.bool_])


def learn_from_clicks() -> None:
    rr.clicks.write_log(rr.clicks.World().log(1000), "log.parquet", layout="table")
    prepared = rr.clicks.prepare("log.parquet", "prepared", satisfied=30, split="user", features=["presented"])
    assert_type(prepared, rr.clicks.Prepared)
    assert_type(rr.clicks.Prepared.open("prepared").features[:3], tuple[str, ...])
    train = prepared.read("train")
    assert_type(rr.clicks.preference_gains([0, 0, 1, 0], beta=0.5), Floats)
    ranker = rr.PreferenceLambdaMART(beta=0.3, n_trees=20, n_leaves=10)
    ranker.fit(train, baseline=rr.Feature(1))
    rr.PreferenceLambdaMART(rr.URisk("nDCG(dcg='log2')@10", alpha=0.5), beta=0.3).fit(train, baseline=rr.Feature(1))
    models = rr.click_sweep(prepared, alphas=(0, 1), betas=(0.1, 0.3), folder="models", n_trees=20)
    assert_type(models, rr.ClickSweep)
    assert_type(rr.ClickSweep.load("models"), rr.ClickSweep)
    assert_type(models.table, pl.DataFrame)
    assert_type(models.summary, pl.DataFrame)


def stop_a_regression() -> None:
    outcome = rr.gate("web.qrels", "candidate.run", "production.run", "nDCG@10", max_risk=0.01)
    assert_type(outcome, rr.GateResult)
    assert_type(outcome.passes, bool)
    assert_type([broken.topic for broken in outcome.broken_topics], list[str])
    rr.GateHistory.read("history.jsonl").to_html("gates.html")
    assert_no_regression("web.qrels", "candidate.run", {"production": "production.run"}, max_risk=0.01, strict=True)


@own_target
def no_disasters(delta: float, query: Any, training: Any) -> float:
    """Changes count alpha times more where the query has lost a tenth or more."""
    d = query.effectiveness - query.baseline
    return delta * (1.0 + training.alpha) if min(d, d + delta) < -0.1 else delta


@dataclass(frozen=True, repr=False, eq=False)
class TopHeavy(rr.Measure):
    """Gain 2^label − 1, discounted by the square of the rank."""

    name = "TopHeavy"
    summary = "gain over squared rank"

    def swap_deltas(self, data: rr.RankingData) -> SwapDeltas:
        gains = np.exp2(data.labels) - 1
        discounts = per_rank(data, None, lambda rank: 1.0 / rank**2)
        return SwapDeltas(gains, discounts, inverse(best_total(gains, discounts, data)))


@register()
@dataclass(frozen=True, repr=False, eq=False)
class FirstGrade(Measure):
    """The grade of the first judged document at rank 1."""

    name = "FirstGrade"
    summary = "grade of the top document"

    def per_topic(self, ranking: Any) -> Floats:
        top = ranking.up_to(1)
        grades: Floats = top.sum(top.grade)
        return grades


def own_targets_and_measures(train: rr.RankingData) -> None:
    rr.LambdaMART(no_disasters("nDCG@10", alpha=4), n_trees=20).fit(train, baseline=rr.Feature(1))
    rr.LambdaMART(rr.URisk(TopHeavy(), alpha=2), n_trees=20).fit(train, baseline=rr.Feature(1))
    rr.evaluate({"1": {"a": 3}}, {"x": {"1": {"a": 1.0}}}, "FirstGrade")
    try:
        rr.parse_measure("nonsense")
    except rr.RiskrankError as error:
        assert_type(str(error), str)
