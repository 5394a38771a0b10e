"""Mistakes that type checkers must catch, one to a line; the remark beside it says which kind it is.

It is checked, never run.
"""

from __future__ import annotations

import numpy as np

import riskrank as rr

train, test = rr.read_letor("train.txt"), rr.read_letor("test.txt")
ranker = rr.LambdaMART(rr.URisk("nDCG@10", alpha=5))
scores = rr.evaluate("web.qrels", {"bm25": "bm25.run"}, "nDCG@10")
result = rr.assess(scores, baseline="bm25")
sweep = rr.sweep(train, ranker, baseline=rr.Feature(1))

# Reading and evaluating.
rr.read_letor(1842)  # wrong type
rr.read_letor("train.txt", zerobased=True)  # unknown parameter
rr.read_table(None)  # wrong type
rr.read_table("a.parquet", qid="phrase")  # unknown parameter
rr.read_qrels(None)  # wrong type
rr.evaluate("web.qrels", {"bm25": "bm25.run"}, 10)  # wrong type
rr.evaluate("web.qrels", {"bm25": "bm25.run"}, ["nDCG@10", 20])  # wrong type
rr.evaluate("web.qrels", {"bm25": "bm25.run"}, "nDCG@10", missing="none")  # wrong type
rr.evaluate("web.qrels", {"bm25": "bm25.run"}, measure="nDCG@10")  # unknown parameter
rr.evaluate("web.qrels")  # missing parameter
rr.evaluate(rr.Qrels, {"bm25": "bm25.run"}, "nDCG@10")  # wrong type
rr.parse_measure(10)  # wrong type
rr.Feature(1.5)  # wrong type
scores.matrx.mean()  # unknown name
scores[0].mean()  # wrong type

# Risk and assessments.
rr.risk.urisk([0.6, 0.3], [0.5, 0.5], alpha="five")  # wrong type
rr.risk.urisk([0.6, 0.3], [0.5, 0.5])  # missing parameter
rr.risk.trisk([0.6, 0.3], [0.5, 0.5], alpha=5, error="bootstrap")  # wrong type
rr.assess("scores.csv", baseline="bm25", correction="bonferroni")  # wrong type
rr.risk.power([0.6, 0.3], [0.5, 0.5])  # missing parameter
rr.risk.urisks([0.6, 0.3], [0.5, 0.5], alpha=5)  # unknown name
rr.assess(scores)  # missing parameter
rr.assess(scores, baseline={"bm25"})  # wrong type
rr.assess(scores, baseline="bm25", alpha=5)  # unknown parameter
rr.assess(scores, baseline="bm25", alphas=("0", "5"))  # wrong type
rr.assess(3.5, baseline="bm25")  # wrong type
result["bm25"].at_alpha("5")  # wrong type
result["bm25"].at_alfa(5)  # unknown name
result.to_html(7)  # wrong type
rr.Assesment.from_json("result.json")  # unknown name
rr.testing.assert_no_regression("web.qrels", "new.run", "old.run", max_risk="0.01")  # wrong type
rr.testing.assert_no_regression("web.qrels", "new.run", "old.run", max_risks=0.01)  # unknown parameter
rr.testing.assert_no_regression("web.qrels", "new.run")  # missing parameter

# Objectives.
rr.URisk("nDCG@10", alfa=5)  # unknown parameter
rr.URisk(10, alpha=5)  # wrong type
rr.URisk("nDCG@10", alpha="5")  # wrong type
rr.Gain("nDCG@10", truncation="30")  # wrong type
rr.Gain().gradients(train)  # missing parameter

# Rankers.
rr.LambdaMART(rr.URisk)  # wrong type
rr.LambdaMART(n_tree=50)  # unknown parameter
rr.LambdaMART(n_trees="50")  # wrong type
rr.LambdaMART(engine="catboost")  # wrong type
rr.LambdaNet(n_trees=50)  # unknown parameter
ranker.fit(train, baseline={1, 110})  # wrong type
ranker.fit(train, baseline=rr.Feature)  # wrong type
ranker.fit(train, baselines=rr.Feature(1))  # unknown parameter
ranker.fit(train, valid=20)  # wrong type
ranker.fit(train, checkpoint=5)  # wrong type
ranker.fit({1: 2})  # wrong type
ranker.fit()  # missing parameter
ranker.predict(test, nonsense=3)  # unknown parameter
ranker.predict({"a"})  # wrong type
ranker.forecast(test)  # unknown name
ranker.save(5)  # wrong type
rr.load(5)  # wrong type
rr.Mixed.of(ranker, baseline=rr.Feature(1), chance=0.5)  # unknown parameter
rr.Selective(ranker, apply="beside")  # wrong type
rr.Selective(ranker, predictor=5)  # wrong type

# Sweeps.
rr.sweep(1, 2, nonsense=3)  # unknown parameter
rr.sweep(train, ranker)  # missing parameter
rr.sweep(train, "lambdamart", baseline=rr.Feature(1))  # wrong type
rr.sweep(train, ranker, baseline={1, 2})  # wrong type
rr.sweep(train, ranker, baseline=rr.Feature(1), values="0,1,5")  # wrong type
rr.sweep(train, ranker, baseline=rr.Feature(1), measure=10)  # wrong type
sweep.choose("safest")  # wrong type
sweep.choose("risk", maximum=0.1)  # unknown parameter
sweep.guarantee("0.02")  # wrong type
sweep.guarantee(0.02, certainty=0.9)  # unknown parameter
rr.Sweep.load(5)  # wrong type

# Clicks.
rr.clicks.prepare("log.parquet")  # missing parameter
rr.clicks.prepare("log.parquet", "prepared", splits="time")  # unknown parameter
rr.clicks.prepare("log.parquet", "prepared", split="week")  # wrong type
rr.clicks.preference_gains([0, 1], betas=0.5)  # unknown parameter
rr.click_sweep("prepared", alpha=(0, 1))  # unknown parameter
rr.click_sweep("prepared", betas="0.1")  # wrong type
rr.click_sweep(np.zeros(3))  # wrong type
