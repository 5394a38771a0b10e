"""A small file of every kind that riskrank reads, its own and its users'."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import json
import lzma
import shutil
import sqlite3
import sys
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import patch

import duckdb
import numpy as np
import polars as pl

import riskrank as rr
from riskrank.assessment.gating.gate_history import append_to_history
from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.simulator import World
from riskrank.data.letor.writer import write_letor
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.fitting import checkpoint

if TYPE_CHECKING:
    from pathlib import Path

ZSTD = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
SHAPE = {"n_trees": 2, "n_leaves": 3, "min_docs_in_leaf": 2, "n_threads": 1}
RANKING = web_search_data(14, documents_per_query=6, n_features=20, random_state=1)
TRAIN, TEST = RANKING.take(slice(0, 8)), RANKING.take(slice(8, 14))
NAMED = replace(TRAIN, feature_names=tuple(f"length {i + 1}" for i in range(TRAIN.n_features)))
BRANDS = pl.DataFrame(
    {"qid": [1] * 20 + [2] * 20, "label": [0, 1, 2, 1] * 10, "bm25": range(40), "brand": list("abbc") * 10}
)
WITH_BRANDS = rr.read_table(BRANDS, categories="brand").weighted({"1": 2.0, "2": 0.5})
BASELINE = rr.Feature(1)
TOPICS = tuple("12345678")
DOCUMENTS = tuple("abcdef")
BUDGET = """\
segments = "segments.csv"
[limits]
max_hurt = 0.5
max_risk = 0.4
min_gain = -1

[segment.short]
max_hurt = 1.0

[[accepted]]
topic = "3"
reason = "known"
until = 2090-01-01
"""


def swept(folder: Path) -> rr.Sweep:
    """The sweep; again, it is read as far as it is there."""
    ranker = rr.LambdaMART(rr.URisk("nDCG@5"), **SHAPE)
    return rr.sweep(
        TRAIN, ranker, baseline=BASELINE, values=[0, 1], valid=TEST, test=TEST, predictors=["max feature:1"],
        folder=folder / "sweep", n_jobs=1, verbose=False,
    )  # fmt: skip


def resumed(folder: Path, kind: str, **options: object) -> None:
    """A training that goes on from its checkpoint."""
    rankers = {
        "trees": lambda: rr.LambdaMART(rr.URisk("nDCG@5"), **{**SHAPE, "n_trees": 4}),
        "net": lambda: rr.LambdaNet(rr.URisk("nDCG@5"), hidden=(2,), n_epochs=3, n_threads=1),
        "linear": lambda: rr.LinearRanker("nDCG@5", n_rounds=3, n_starts=2, n_threads=1),
    }
    rankers[kind]().fit(TRAIN, baseline=BASELINE, valid=TEST, checkpoint=folder / f"stopped-{kind}", **options)


def write_models(folder: Path) -> None:
    trees = rr.LambdaMART(**SHAPE).fit(TRAIN, valid=TEST)
    models = {
        "trees": trees,
        "unfinished": trees,
        "trees-of-XGBoost": rr.LambdaMART(n_trees=2, n_leaves=3, engine="xgboost", n_threads=1).fit(TRAIN),
        "regression-trees": rr.RegressionTrees(**SHAPE).fit(TRAIN),
        "linear": rr.LinearRanker(n_rounds=1, n_starts=1).fit(TRAIN),
        "mixed": rr.Mixed.of(trees, baseline=BASELINE, probability=0.5),
        "selective": rr.Selective.of(trees, baseline=BASELINE, valid=TEST),
        "net": rr.LambdaNet(hidden=(2,), n_epochs=1, n_threads=1).fit(TRAIN),
        "named-trees": rr.LambdaMART(start="baseline", **SHAPE).fit(NAMED, baseline="column:length 1"),
        "named-trees-of-XGBoost": rr.LambdaMART(n_trees=2, n_leaves=3, engine="xgboost", n_threads=1).fit(NAMED),
    }
    few = {"n_trees": 2, "n_leaves": 3, "n_threads": 1}
    least = {"cat_smooth": 1, "min_data_per_group": 1, "cat_l2": 0, "max_cat_to_onehot": 1}
    models["brands"] = rr.LambdaMART(**few, min_docs_in_leaf=1, engine_params=least).fit(WITH_BRANDS)
    models["brands-of-XGBoost"] = rr.LambdaMART(**few, engine="xgboost", engine_params={"min_child_weight": 0}).fit(
        WITH_BRANDS
    )
    BRANDS.write_csv(folder / "brands.csv")
    for name, model in models.items():
        model.save(folder / name)
    write_unfinished(folder / "unfinished")


def write_unfinished(folder: Path) -> None:
    """A model that a process left when it had just decided to replace the card and to remove a file."""
    temporary = ".card.json.riskrank-00000000-1-1-0"
    shutil.copy(folder / "card.json", folder / temporary)
    (folder / "old.txt").write_text("old")
    content = json.loads((folder / ".riskrank.json").read_text())
    stamp = f"3-{hashlib.sha256(b'old').hexdigest()[:16]}"
    content |= {"moves": {"card.json": temporary}, "removals": {"old.txt": stamp}}
    (folder / ".riskrank.json").write_text(json.dumps(content, indent=1))
    (folder / ".riskrank.lock").write_text("00000000-1-1")


class Stop(BaseException):
    """Training ends here."""


def write_checkpoints(folder: Path) -> None:
    write = checkpoint.CheckpointFolder.write

    def last(self, content):
        write(self, content)
        raise Stop

    for kind, every in (("trees", 2), ("net", 1), ("linear", 1)):
        with contextlib.suppress(Stop), patch.object(checkpoint.CheckpointFolder, "write", last):
            resumed(folder, kind, checkpoint_every=every)


def write_runs(folder: Path) -> None:
    rng = np.random.default_rng(3)
    pairs = [(topic, document) for topic in TOPICS for document in DOCUMENTS]
    grades = rng.integers(0, 3, len(pairs))
    qrels = [f"{t} 0 {d} {g}\n" for (t, d), g in zip(pairs, grades, strict=True)]
    (folder / "qrels.txt").write_text("".join(qrels))
    for name in ("old", "new"):
        scores = (grades + rng.normal(size=len(pairs))).round(3)
        lines = [f"{t} Q0 {d} 1 {s} {name}\n" for (t, d), s in zip(pairs, scores, strict=True)]
        (folder / f"{name}.run").write_text("".join(lines))
    (folder / "new.run.gz").write_bytes(gzip.compress((folder / "new.run").read_bytes(), mtime=0))
    topics, documents = zip(*pairs, strict=True)
    table = pl.DataFrame({"query": topics, "doc_id": documents})
    table.with_columns(score=pl.Series(scores)).write_csv(folder / "new.csv")
    table.with_columns(score=pl.Series(scores)).write_parquet(folder / "new.parquet")
    table.with_columns(rating=pl.Series(grades)).write_csv(folder / "judged.csv")
    matrix = pl.DataFrame({"topic": TOPICS, "old": rng.random(8).round(3), "new": rng.random(8).round(3)})
    matrix.write_csv(folder / "matrix.csv")
    matrix.write_parquet(folder / "matrix.parquet")
    matrix.write_parquet(folder / "plain.parquet", compression="uncompressed")


def write_gate(folder: Path) -> None:
    (folder / "budget.toml").write_text(BUDGET)
    (folder / "segments.csv").write_text(
        "topic,segment\n" + "".join(f"{t},{'short' if t < '5' else 'long'}\n" for t in TOPICS)
    )
    (folder / "weights.csv").write_text("topic,weight\n" + "".join(f"{t},{ord(t) - 40}.5\n" for t in TOPICS))
    (folder / "topics.txt").write_text("# must not break\n1\n2\n3\n")
    scores = rr.read_scores(folder / "matrix.csv")
    (folder / "assessment.json").write_text(rr.assess(scores, baseline="old").to_json())
    gate = rr.gate(scores, candidate="new", baseline="old", max_hurt=0.1)
    (folder / "gate.json").write_text(gate.to_json())
    append_to_history(gate, folder / "history.jsonl", label="first")


def write_logs(folder: Path) -> None:
    log = list(World(random_state=1).log(120))
    for name, layout in (("log.csv", None), ("log.parquet", None), ("log2011.txt", "2011"), ("log2013.txt", "2013")):
        write_log(iter(log), folder / name, layout=layout)
    for name in ("prepared", "formerly"):
        prepare(folder / "log.csv", folder / name, keep_unsatisfied=True)
    (folder / "formerly" / ".riskrank.json").unlink()


def write_features(folder: Path) -> None:
    write_letor(TEST, folder / "test.txt", digits=4)
    (folder / "test.txt.gz").write_bytes(gzip.compress((folder / "test.txt").read_bytes(), mtime=0))
    fields = [line.split(" ", 2) for line in (folder / "test.txt").read_text().splitlines(keepends=True)]
    (folder / "beside.txt").write_text("".join(f"{label} {features}" for label, _, features in fields))
    sizes = np.diff(TEST.query_offsets)
    (folder / "beside.txt.query").write_text("".join(f"{size}\n" for size in sizes))
    (folder / "scores.txt").write_text("".join(f"{value:.3f}\n" for value in TEST.feature(2)))


def write_tables(folder: Path) -> None:
    """The same features as tables."""
    text = (folder / "test.txt").read_bytes()
    for ending, pack in (("bz2", bz2.compress), ("xz", lzma.compress), ("zst", ZSTD.compress)):
        (folder / f"test.txt.{ending}").write_bytes(pack(text))
    place = folder / "features"
    place.mkdir()
    queries = np.array(TEST.query_ids)[TEST.query_numbers]
    table = pl.DataFrame({"qid": queries, "label": TEST.labels, "docno": TEST.ids.tolist(), "is_new": TEST.labels > 1})
    table = table.hstack(pl.DataFrame(TEST.features[:, :4], schema=["a", "b", "c", "d"], orient="row"))
    table.write_parquet(place / "a.parquet")
    table.write_csv(place / "a.csv")
    table.write_csv(place / "a.tsv", separator="\t")
    table.write_ipc(place / "a.arrow")
    table.write_ipc(place / "packed.arrow", compression="zstd")
    table.write_ndjson(place / "a.jsonl")
    (place / "a.csv.gz").write_bytes(gzip.compress((place / "a.csv").read_bytes(), mtime=0))
    columns = ", ".join(f"{name} {'VARCHAR' if name in ('qid', 'docno') else 'DOUBLE'}" for name in table.columns)
    for library, name in ((sqlite3, "a.db"), (duckdb, "a.duckdb")):
        with contextlib.closing(library.connect(str(place / name))) as connection:
            connection.execute(f"CREATE TABLE features ({columns})")
            connection.executemany("INSERT INTO features VALUES (?, ?, ?, ?, ?, ?, ?, ?)", table.rows())
            connection.commit()


def write_all(folder: Path) -> None:
    """All of them."""
    write_features(folder)
    write_tables(folder)
    write_models(folder)
    write_checkpoints(folder)
    swept(folder)
    write_runs(folder)
    write_gate(folder)
    write_logs(folder)
