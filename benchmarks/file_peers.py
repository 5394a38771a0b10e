"""What the peers of `end_to_end.py` do with files, each as its own documentation shows: python file_peers.py JOB …"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from trainers import THREADS

DOCUMENTS, FEATURES = 120, 136
SHAPE = {"num_leaves": 50, "min_data_in_leaf": 50, "learning_rate": 0.075, "num_threads": THREADS, "verbosity": -1}


def main() -> None:
    job, *arguments = sys.argv[1:]
    done = JOBS[job](*arguments)
    print(json.dumps(done or {}))


def write(place: str, queries: str) -> None:
    """Queries of a synthetic web search: LETOR text, the same as LightGBM takes it (features from 0), and a table."""
    import numpy as np
    import polars as pl

    from riskrank.data.letor.writer import write_letor
    from riskrank.data.synthetic.synthetic_features import web_search_data

    data = web_search_data(int(queries), documents_per_query=DOCUMENTS, n_features=FEATURES, random_state=1)
    write_letor(replace(data, first_feature=0), f"{place}.txt", digits=7)
    with open(f"{place}.txt") as lines, open(f"{place}.svm", "w") as bare:
        bare.writelines(f"{line.split(' ', 1)[0]} {line.split(' ', 2)[2]}" for line in lines)
    write_letor(data, f"{place}.txt", digits=7)
    np.savetxt(f"{place}.svm.query", np.diff(data.query_offsets), fmt="%d")
    columns = {"qid": data.query_numbers, "label": data.labels.astype(np.int8)}
    columns |= {f"f{number + 1}": data.features[:, number] for number in range(FEATURES)}
    pl.DataFrame(columns).write_parquet(f"{place}.parquet")


def train(way: str, source: str, model: str, trees: str) -> None:
    """From a file to a saved model."""
    TRAININGS[way](source, model, int(trees))


def lightgbm_text(source: str, model: str, trees: int) -> None:
    """Its reader finds the sizes of the queries in a file beside the text."""
    import lightgbm

    data = lightgbm.Dataset(source.replace(".txt", ".svm"), params={"verbosity": -1, "num_threads": THREADS})
    lightgbm.train({"objective": "lambdarank", **SHAPE}, data, trees).save_model(model)


def lightgbm_pandas(source: str, model: str, trees: int) -> None:
    import lightgbm
    import pandas as pd

    frame = pd.read_parquet(source)
    groups = frame.groupby("qid", sort=False).size()
    data = lightgbm.Dataset(frame.drop(columns=["qid", "label"]), frame["label"], group=groups)
    lightgbm.train({"objective": "lambdarank", **SHAPE}, data, trees).save_model(model)


def lightgbm_arrow(source: str, model: str, trees: int) -> None:
    import lightgbm
    import numpy as np
    from pyarrow.parquet import read_table

    table = read_table(source)
    groups = np.unique(table["qid"].to_numpy(), return_counts=True)[1]
    data = lightgbm.Dataset(table.drop_columns(["qid", "label"]), table["label"].to_numpy(), group=groups)
    lightgbm.train({"objective": "lambdarank", **SHAPE}, data, trees).save_model(model)


def xgboost_text(source: str, model: str, trees: int) -> None:
    import xgboost

    _train_xgboost(xgboost.DMatrix(f"{source}?format=libsvm"), model, trees)


def xgboost_pandas(source: str, model: str, trees: int) -> None:
    import pandas as pd
    import xgboost

    frame = pd.read_parquet(source)
    features = frame.drop(columns=["qid", "label"])
    _train_xgboost(xgboost.QuantileDMatrix(features, frame["label"], qid=frame["qid"]), model, trees)


def xgboost_arrow(source: str, model: str, trees: int) -> None:
    import xgboost
    from pyarrow.parquet import read_table

    table = read_table(source)
    features = table.drop_columns(["qid", "label"])
    data = xgboost.QuantileDMatrix(features, table["label"].to_numpy(), qid=table["qid"].to_numpy())
    _train_xgboost(data, model, trees)


def _train_xgboost(data: Any, model: str, trees: int) -> None:
    import xgboost

    parameters = {
        "objective": "rank:ndcg",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": SHAPE["num_leaves"],
        "learning_rate": SHAPE["learning_rate"],
        "nthread": THREADS,
    }
    xgboost.train(parameters, data, trees).save_model(f"{model}.ubj")


def catboost_text(source: str, model: str, trees: int) -> None:
    import catboost

    _train_catboost(catboost.Pool(f"libsvm://{source}", thread_count=THREADS), model, trees)


def catboost_pandas(source: str, model: str, trees: int) -> None:
    import catboost
    import pandas as pd

    frame = pd.read_parquet(source)
    features = frame.drop(columns=["qid", "label"])
    _train_catboost(catboost.Pool(features, frame["label"], group_id=frame["qid"]), model, trees)


def _train_catboost(pool: Any, model: str, trees: int) -> None:
    """Its symmetric trees, as it grows them by default."""
    import catboost

    parameters = {"loss_function": "YetiRank", "iterations": trees, "learning_rate": SHAPE["learning_rate"]}
    learner = catboost.CatBoost({**parameters, "thread_count": THREADS, "verbose": False, "allow_writing_files": False})
    learner.fit(pool)
    learner.save_model(model)


def rank(kind: str, source: str, model: str, scores: str) -> None:
    """LightGBM's scores of a file, one a line."""
    import lightgbm
    import numpy as np

    booster = lightgbm.Booster(model_file=model)
    data: Any = source.replace(".txt", ".svm")
    if kind == "parquet":
        import pandas as pd

        data = pd.read_parquet(source).drop(columns=["qid", "label"])
    np.savetxt(scores, booster.predict(data, raw_score=True, num_threads=THREADS), fmt="%.17g")


def predict(source: str, native: str, theirs: str) -> dict[str, float]:
    """Processor seconds of scoring arrays that are in memory."""
    import lightgbm

    import riskrank as rr

    data = rr.read_table(source)
    of_ours, of_theirs = rr.load(native), rr.load(theirs)
    booster = lightgbm.Booster(model_file=Path(theirs) / "model.txt")
    ways: dict[str, Any] = {
        "LightGBM's own": lambda rows: booster.predict(rows, raw_score=True, num_threads=THREADS),
        "riskrank, native": of_ours.predict,
        "riskrank, lightgbm": of_theirs.predict,
    }
    figures = {}
    for name, way in ways.items():
        way(data.features[:DOCUMENTS])
        begin = time.process_time()
        way(data.features)
        figures[name] = time.process_time() - begin
    return figures


def anew(folder: str, *command: str) -> None:
    """A command of Python, without what it made before in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.execv(sys.executable, [sys.executable, *command])


TRAININGS = {
    "lightgbm-txt": lightgbm_text,
    "lightgbm-pandas-parquet": lightgbm_pandas,
    "lightgbm-arrow-parquet": lightgbm_arrow,
    "xgboost-txt": xgboost_text,
    "xgboost-pandas-parquet": xgboost_pandas,
    "xgboost-arrow-parquet": xgboost_arrow,
    "catboost-txt": catboost_text,
    "catboost-pandas-parquet": catboost_pandas,
}
JOBS: dict[str, Any] = {"write": write, "train": train, "rank": rank, "predict": predict, "anew": anew}


if __name__ == "__main__":
    main()
