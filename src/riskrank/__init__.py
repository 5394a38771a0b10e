"""Risk-sensitive ranking: measure, learn and choose rankers that do not hurt anyone's query.

Names are loaded when first used, so that ``import riskrank`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riskrank import clicks, data, errors, measures, objectives, rankers, risk, tradeoff
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.feature import Feature
    from riskrank.data.letor import read_letor
    from riskrank.data.qrels import Qrels, read_qrels
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.runs import Run, read_run
    from riskrank.data.score_matrix import read_scores
    from riskrank.errors import RiskrankError
    from riskrank.measures.evaluate import evaluate
    from riskrank.measures.measure import Measure, parse_measure
    from riskrank.objectives import (
        FARO,
        SARO,
        UCRO,
        Churn,
        CVaR,
        Gain,
        GeoRisk,
        Objective,
        RankNet,
        TStarFARO,
        URisk,
    )
    from riskrank.rankers import load
    from riskrank.rankers.adarank import AdaRank
    from riskrank.rankers.afs import AFS
    from riskrank.rankers.lambdamart import LambdaMART
    from riskrank.rankers.lambdanet import LambdaNet
    from riskrank.rankers.linear import LinearRanker
    from riskrank.rankers.mixed import Mixed
    from riskrank.rankers.population import Baselines
    from riskrank.rankers.preference_lambdamart import PreferenceLambdaMART
    from riskrank.rankers.query_predictors import Aggregate, Confidence, Entropy, PredictedGain
    from riskrank.rankers.regression_trees import RegressionTrees
    from riskrank.rankers.selective import Selective
    from riskrank.report.assess import assess
    from riskrank.report.assessment import Assessment, read_assessments
    from riskrank.report.click_sweep import ClickSweep, click_sweep
    from riskrank.report.sweep import Sweep, sweep
    from riskrank.risk.rank_changes import rank_changes

__version__ = "0.1.0"

_HOME = {
    "AFS": "rankers.afs",
    "AdaRank": "rankers.adarank",
    "Aggregate": "rankers.query_predictors",
    "Assessment": "report.assessment",
    "Baselines": "rankers.population",
    "CVaR": "objectives",
    "Churn": "objectives",
    "ClickSweep": "report.click_sweep",
    "Confidence": "rankers.query_predictors",
    "Effectiveness": "data.effectiveness",
    "Entropy": "rankers.query_predictors",
    "FARO": "objectives",
    "Feature": "data.feature",
    "Gain": "objectives",
    "GeoRisk": "objectives",
    "LambdaMART": "rankers.lambdamart",
    "LambdaNet": "rankers.lambdanet",
    "LinearRanker": "rankers.linear",
    "Measure": "measures",
    "Mixed": "rankers.mixed",
    "Objective": "objectives",
    "PredictedGain": "rankers.query_predictors",
    "PreferenceLambdaMART": "rankers.preference_lambdamart",
    "Qrels": "data.qrels",
    "RankNet": "objectives",
    "RankingData": "data.ranking_data",
    "RegressionTrees": "rankers.regression_trees",
    "RiskrankError": "errors",
    "Run": "data.runs",
    "SARO": "objectives",
    "Selective": "rankers.selective",
    "Sweep": "report.sweep",
    "TStarFARO": "objectives",
    "UCRO": "objectives",
    "URisk": "objectives",
    "assess": "report.assess",
    "click_sweep": "report.click_sweep",
    "evaluate": "measures.evaluate",
    "load": "rankers",
    "parse_measure": "measures",
    "rank_changes": "risk.rank_changes",
    "read_assessments": "report.assessment",
    "read_letor": "data.letor",
    "read_qrels": "data.qrels",
    "read_run": "data.runs",
    "read_scores": "data.score_matrix",
    "sweep": "report.sweep",
}
_PACKAGES = ("clicks", "data", "errors", "measures", "objectives", "rankers", "risk", "tradeoff")

__all__ = [
    "AFS",
    "FARO",
    "SARO",
    "UCRO",
    "AdaRank",
    "Aggregate",
    "Assessment",
    "Baselines",
    "CVaR",
    "Churn",
    "ClickSweep",
    "Confidence",
    "Effectiveness",
    "Entropy",
    "Feature",
    "Gain",
    "GeoRisk",
    "LambdaMART",
    "LambdaNet",
    "LinearRanker",
    "Measure",
    "Mixed",
    "Objective",
    "PredictedGain",
    "PreferenceLambdaMART",
    "Qrels",
    "RankNet",
    "RankingData",
    "RegressionTrees",
    "RiskrankError",
    "Run",
    "Selective",
    "Sweep",
    "TStarFARO",
    "URisk",
    "assess",
    "click_sweep",
    "clicks",
    "data",
    "errors",
    "evaluate",
    "load",
    "measures",
    "objectives",
    "parse_measure",
    "rank_changes",
    "rankers",
    "read_assessments",
    "read_letor",
    "read_qrels",
    "read_run",
    "read_scores",
    "risk",
    "sweep",
    "tradeoff",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"riskrank.{name}")
    if name in _HOME:
        value = getattr(import_module(f"riskrank.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'riskrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
