"""Write the files that the tests of compatibility read, with the version of riskrank that is installed.

    python tests/compatibility/write_files.py FILES.zip

The archive holds everything that riskrank keeps on disk: saved models of every kind, checkpoints of interrupted
trainings, sweeps (finished and interrupted), prepared clicks, learned baselines and an assessment, with what was
predicted and summarised then. Tests read them with the version of today, so the files are written once for a format and
then left alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

import riskrank as rr

BASELINE = rr.Feature(1)
TREES = {"n_leaves": 4, "min_docs_in_leaf": 10, "learning_rate": 0.2, "n_threads": 1}
FULL, PARTIAL = "undisturbed", "interrupted"
SWEEP_VALUES = (0, 5)
GRIDS = {"alphas": (0, 1), "betas": (0.3,), "lowest_betas": (1.0,), "both_alphas": (1.0,), "both_betas": (0.2,)}


class Crash(BaseException):
    """Like the end of the process: nothing catches it."""


def models() -> dict[str, rr.rankers.ranker.Ranker]:
    """A ranker of each kind that learns by itself, small."""
    return {
        "lambdamart-lightgbm": rr.LambdaMART(rr.URisk("nDCG@5", alpha=5), n_trees=6, **TREES),
        "lambdamart-xgboost": rr.LambdaMART(rr.Gain("AP"), engine="xgboost", n_trees=6, n_leaves=4, n_threads=1),
        "lambdamart-from-baseline": rr.LambdaMART(rr.CVaR("nDCG@5"), n_trees=4, start="baseline", **TREES),
        "preference-lambdamart": rr.PreferenceLambdaMART(beta=0.3, n_trees=6, **TREES),
        "regression-trees": rr.RegressionTrees(n_trees=6, **TREES),
        "lambdanet": rr.LambdaNet(rr.SARO("nDCG@5", alpha=2), hidden=(4,), n_epochs=4, n_threads=1),
        "adarank": rr.AdaRank("nDCG@5", n_rounds=4),
        "afs": rr.AFS("AP", n_rounds=3),
        "linear-ranker": rr.LinearRanker("nDCG@5", n_rounds=2, n_starts=1),
    }


def trainings() -> dict[str, rr.rankers.ranker.Ranker]:
    """Trainings that are interrupted and resumed."""
    return {
        "lambdamart": rr.LambdaMART(rr.SARO("nDCG@5", alpha=5), n_trees=8, **TREES),
        "lambdanet": rr.LambdaNet(rr.URisk("nDCG@5", alpha=5), hidden=(4,), n_epochs=6, batch_queries=8, n_threads=1),
        "linear-ranker": rr.LinearRanker("nDCG@5", n_rounds=6, n_starts=2, n_threads=1),
    }


def sweep(queries: Path, folder: Path) -> rr.Sweep:
    """The sweep that is kept twice: finished, and interrupted in its second model."""
    return rr.sweep(
        queries / "train.txt",
        rr.LambdaMART(rr.URisk("nDCG@5"), n_trees=51, n_leaves=2, min_docs_in_leaf=10, learning_rate=0.1, n_threads=1),
        baseline=BASELINE,
        values=SWEEP_VALUES,
        valid=queries / "valid.txt",
        test=queries / "test.txt",
        measures=["AP"],
        predictors=["max feature:1"],
        folder=folder,
        n_jobs=1,
        verbose=False,
    )


def baselines(queries: Path, folder: Path) -> tuple[rr.Baselines, rr.RankingData]:
    """A population of which one is learned, and kept."""
    learners = {"afs": rr.AFS("AP", n_rounds=2), "text": BASELINE}
    return rr.Baselines.learn(rr.read_letor(queries / "train.txt"), learners, share=0.5, cache=folder)


def crashing(name: str, *, after: int):
    """Crash when a file of this name has been put into its place this many times."""
    replace, count = os.replace, []

    def counted(source, target):
        replace(source, target)
        count.extend([None] * (Path(target).name == name))
        if len(count) == after:
            raise Crash

    return patch("os.replace", counted)


def write_queries(folder: Path) -> None:
    """Feature data as LETOR text: relevance by two features, one of which is the baseline, and by chance."""
    rng = np.random.default_rng(7)
    folder.mkdir(parents=True)
    for part, n_queries in (("train", 24), ("valid", 12), ("test", 16)):
        lines = []
        for query in range(n_queries):
            features = rng.normal(size=(10, 5))
            quality = features[:, 0] + rng.uniform(-0.5, 2) * features[:, 1] + rng.normal(scale=0.7, size=10)
            for label, row in zip(np.digitize(quality, [0.3, 1.5, 2.5]), features, strict=True):
                shown = " ".join(f"{number}:{value:.4f}" for number, value in enumerate(row, start=1))
                lines.append(f"{label} qid:{part}{query} {shown}\n")
        (folder / f"{part}.txt").write_text("".join(lines))


def write_models(target: Path, queries: Path) -> None:
    """Every kind, with the scores that it gives the test queries."""
    train, valid, test = (rr.read_letor(queries / f"{part}.txt") for part in ("train", "valid", "test"))
    fitted = {name: model.fit(train, baseline=BASELINE, valid=valid) for name, model in models().items()}
    trees = fitted["lambdamart-lightgbm"]
    fitted["mixed"] = rr.Mixed.of(trees, baseline=BASELINE, probability=0.5)
    fitted["selective"] = rr.Selective.of(trees, baseline=BASELINE, predictor="max feature:1", threshold=1.5)
    fitted["selective-learned"] = rr.Selective.of(trees, baseline=BASELINE, valid=valid)
    for name, model in fitted.items():
        model.save(target / name)
        write_json(target / f"{name}.json", model.predict(test).tolist())


def write_checkpoints(target: Path, queries: Path) -> None:
    """Of trainings that crashed after three steps, with what comes out if they do not."""
    train, valid, test = (rr.read_letor(queries / f"{part}.txt") for part in ("train", "valid", "test"))
    for name, ranker in trainings().items():
        arguments = {"baseline": BASELINE, "valid": valid, "checkpoint_every": 1}
        with crashing("checkpoint.npz", after=3):
            try:
                ranker.fit(train, checkpoint=target / name, **arguments)
                raise AssertionError("it was not interrupted")
            except Crash:
                pass
        finished = trainings()[name].fit(train, baseline=BASELINE, valid=valid)
        write_json(target / f"{name}.json", finished.predict(test).tolist())


def write_sweeps(target: Path, queries: Path) -> None:
    """A finished one and one that crashed when its second model wrote a checkpoint."""
    sweep(queries, target / FULL).summary.write_csv(target / f"{FULL}.csv")
    with crashing("checkpoint.npz", after=3):  # the first model writes two: after 50 trees, and at its end
        try:
            sweep(queries, target / PARTIAL)
            raise AssertionError("it was not interrupted")
        except Crash:
            pass


def write_clicks(target: Path) -> None:
    """Prepared clicks and a sweep over them, with their tables."""
    target.mkdir()
    log = target / "log.parquet"
    rr.clicks.write_log(rr.clicks.World().log(300), log, layout="table")
    prepared = rr.clicks.prepare(log, target / "prepared", features=["presented", "session"], verbose=False)
    log.unlink()
    write_json(target / "prepared.json", {part: digest(prepared.read(part)) for part in prepared.parts})
    options = {"n_trees": 3, "n_leaves": 3, "early_stopping": None, "n_threads": 1, "n_jobs": 1, "verbose": False}
    models = rr.click_sweep(prepared, folder=target / "sweep", **GRIDS, **options)
    models.summary.write_csv(target / "summary.csv")
    models.table.write_csv(target / "table.csv")


def digest(data: rr.RankingData) -> str:
    """Of all that is in data."""
    arrays = (data.features, data.labels, data.query_offsets)
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return hashlib.sha256(content + repr(data.query_ids).encode()).hexdigest()


def write_assessment(path: Path) -> None:
    """Systems with a significant gain, a significant loss and neither."""
    rng = np.random.default_rng(3)
    text = rng.uniform(0.3, 0.6, 30)
    rows = {"text": text, "better": text + rng.normal(0.1, 0.03, 30), "worse": text - rng.normal(0.1, 0.03, 30)}
    rows["other"] = text + rng.normal(0, 0.1, 30)
    rr.assess(rr.Effectiveness.from_rows(rows, measure="nDCG@10"), "text", alphas=(0, 5), intervals=True).to_json(path)


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n")


def write_archive(path: Path) -> None:
    """Everything, in one file that no editor, search or line-ending rule touches."""
    with tempfile.TemporaryDirectory() as temporary, ZipFile(path, "w", ZIP_DEFLATED) as archive:
        target = Path(temporary)
        queries = target / "queries"
        write_queries(queries)
        write_models(target / "models", queries)
        write_checkpoints(target / "checkpoints", queries)
        write_sweeps(target / "sweeps", queries)
        write_clicks(target / "clicks")
        baselines(queries, target / "baselines")
        write_assessment(target / "assessment.json")
        for file in sorted(target.rglob("*")):
            archive.write(file, file.relative_to(target))


if __name__ == "__main__":
    write_archive(Path(sys.argv[1]))
