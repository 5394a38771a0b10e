"""All that train trees on the same data: the libraries by their own objectives, and ours on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import EngineName

    Predict = Callable[[Any], NDArray[np.float64]]  # from features to scores

LIGHTGBM, XGBOOST, CATBOOST = "LightGBM lambdarank", "XGBoost rank:ndcg", "CatBoost YetiRank"
SYMMETRIC = f"{CATBOOST}, symmetric"
THREADS = 2
THEIR_DEFAULTS: dict[str, Any] = {"n_leaves": 31, "min_docs": 20, "rate": 0.1}  # LightGBM's


@dataclass(frozen=True)
class Shape:
    """What all trees have in common."""

    n_trees: int
    n_leaves: int = 31
    min_docs: int = 50
    rate: float = 0.1


def their_lightgbm(data: RankingData, shape: Shape) -> Predict:
    import lightgbm
    import numpy as np

    parameters = {
        "objective": "lambdarank",
        "num_leaves": shape.n_leaves,
        "min_data_in_leaf": shape.min_docs,
        "learning_rate": shape.rate,
        "num_threads": THREADS,
        "force_row_wise": True,
        "verbosity": -1,
    }
    bins = lightgbm.Dataset(data.features, data.labels, group=np.diff(data.query_offsets))
    booster = lightgbm.train(parameters, bins, shape.n_trees)
    return lambda features: np.asarray(booster.predict(features))


def their_xgboost(data: RankingData, shape: Shape) -> Predict:
    import numpy as np
    import xgboost

    parameters = {
        "objective": "rank:ndcg",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": shape.n_leaves,
        "min_child_weight": 1e-3,
        "learning_rate": shape.rate,
        "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 30,
        "nthread": THREADS,
    }
    bins = xgboost.QuantileDMatrix(data.features, label=data.labels, qid=data.query_numbers)
    booster = xgboost.train(parameters, bins, shape.n_trees)
    return lambda features: np.asarray(booster.inplace_predict(features, predict_type="margin"))


def their_catboost(data: RankingData, shape: Shape) -> Predict:
    """Its trees grown like all others here."""
    return _their_catboost(
        data, shape, grow_policy="Lossguide", depth=16, max_leaves=shape.n_leaves, min_data_in_leaf=shape.min_docs
    )


def their_symmetric_catboost(data: RankingData, shape: Shape) -> Predict:
    """Its trees as it grows them by default: six levels, each split by one feature."""
    return _their_catboost(data, shape)


def _their_catboost(data: RankingData, shape: Shape, **parameters: Any) -> Predict:
    import catboost
    import numpy as np

    model = catboost.CatBoost(
        {
            "loss_function": "YetiRank",
            "iterations": shape.n_trees,
            "learning_rate": shape.rate,
            "thread_count": THREADS,
            "random_seed": 0,
            "verbose": False,
            "allow_writing_files": False,
            **parameters,
        }
    )
    model.fit(catboost.Pool(data.features, data.labels, group_id=data.query_numbers))
    return lambda features: np.asarray(model.predict(features))


def ours(
    objective: str, engine: EngineName = "lightgbm", *, n_threads: int = THREADS, fast: bool = False
) -> Callable[[RankingData, Shape], Predict]:
    """An objective on an engine, against features as baselines."""

    def train(data: RankingData, shape: Shape) -> Predict:
        import riskrank as rr

        ranker = rr.LambdaMART(
            getattr(rr, objective)() if objective == "Gain" else getattr(rr, objective)(alpha=5),
            n_trees=shape.n_trees,
            n_leaves=shape.n_leaves,
            min_docs_in_leaf=None if engine == "xgboost" else shape.min_docs,
            learning_rate=shape.rate,
            engine=engine,
            fast=fast,
            n_threads=n_threads,
        )
        baselines = [rr.Feature(number) for number in ((1, 9, 14) if objective == "GeoRisk" else (1,))]
        return ranker.fit(data, baseline=None if objective == "Gain" else baselines).predict

    return train


TRAINERS: dict[str, Callable[[RankingData, Shape], Predict]] = {
    LIGHTGBM: their_lightgbm,
    "URisk, native": ours("URisk", "native"),
    "URisk, native, 1 thread": ours("URisk", "native", n_threads=1),
    "Gain, native": ours("Gain", "native"),
    "Gain, LightGBM": ours("Gain"),
    "URisk, LightGBM": ours("URisk"),
    "SARO, LightGBM": ours("SARO"),
    "FARO, LightGBM": ours("FARO"),
    "GeoRisk, LightGBM": ours("GeoRisk"),
    "Gain, LightGBM fast": ours("Gain", fast=True),
    "URisk, LightGBM fast": ours("URisk", fast=True),
    "Gain, XGBoost": ours("Gain", "xgboost"),
    XGBOOST: their_xgboost,
    CATBOOST: their_catboost,
    SYMMETRIC: their_symmetric_catboost,
}
