"""A sweep on disk: what anyone can read, what comes back, and what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError
from riskrank.tradeoff.grid import slug

from .small_sweeps import PREDICTORS, quick, ranker, same_sweeps, untrainable
from .synthetic_sweeps import judged, synthetic_sweep

pytestmark = pytest.mark.usefixtures("two_cores")


def test_the_folder_holds_models_and_files_that_anyone_can_read(parts, swept, models, folder):
    rankers = {"URisk": ranker(), "for AP": ranker(rr.URisk("AP"))}
    options = {"values": (0, 1, 5), "measures": ["AP", "nDCG@10", "RR"], "predictors": PREDICTORS}
    kept = quick(parts, rankers, folder=folder, **options)
    same_sweeps(kept, swept)
    for i, setting in enumerate(kept.settings):
        model = rr.load(folder / "models" / slug(setting.series) / f"alpha={setting.value:g}" / "fold-1")
        np.testing.assert_array_equal(model.predict(parts[2]), models[i].predict(parts[2]))
        np.testing.assert_array_equal(kept.model(i).predict(parts[2]), models[i].predict(parts[2]))
    queries = pl.read_parquet(folder / "queries.parquet")
    assert queries.columns[:9] == [
        "set", "fold", "query", "series", "alpha", "baseline", "effectiveness", "kendall_distance", "is_reranked",
    ]  # fmt: skip
    assert len(queries) == 6 * (40 + 30)
    mine = queries.filter((pl.col("set") == "test") & (pl.col("series") == "for AP") & (pl.col("alpha") == 5))
    assert mine["effectiveness"].to_list() == kept.test.values[5].tolist()
    summary = pl.read_csv(folder / "summary.csv")
    assert summary.columns == kept.summary.columns
    np.testing.assert_allclose(summary["gain"], kept.summary["gain"])
    content = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
    assert content["format"] == "riskrank sweep"
    assert content["measure"] == "nDCG@10"
    assert not list(folder.rglob("*.checkpoint"))
    loaded = rr.Sweep.load(folder)
    same_sweeps(loaded, swept)
    assert loaded.summary.equals(kept.summary, null_equal=True)
    np.testing.assert_array_equal(loaded.model(2).predict(parts[2]), models[2].predict(parts[2]))


def test_results_are_kept_without_the_models_too(small, folder):
    swept = quick(small)
    swept.save(folder)
    loaded = rr.Sweep.load(folder)
    same_sweeps(loaded, swept)
    with pytest.raises(ParameterError, match="this sweep has no models: it was read from its results alone"):
        loaded.model(0)


def test_what_is_not_known_stays_unknown_on_disk(folder):
    sweep = synthetic_sweep(
        judged([[0.1, -0.1, 0.2]], distance=[[math.nan, 0.25, 0.5]]), learning=((np.array([math.nan, 0.5]),),)
    )
    sweep.save(folder)
    same_sweeps(rr.Sweep.load(folder), sweep)
    json.loads((folder / "sweep.json").read_text(), parse_constant=pytest.fail)


@pytest.mark.parametrize(
    "content", [{"thesis.txt": "all of it"}, {"queries.parquet": "mine"}, {"sweep/summary.csv": ""}]
)
def test_a_foreign_folder_is_refused_and_left_alone(small, folder, content, monkeypatch):
    untrainable(monkeypatch)
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(FileError, match="sweep: exists and is not a sweep of riskrank. Choose another place"):
        quick(small, folder=folder)
    files = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert files == content


def test_a_file_is_no_place_for_a_sweep(small, folder):
    folder.write_text("text")
    with pytest.raises(FileError, match="sweep: exists and is not a sweep of riskrank"):
        quick(small, folder=folder)


def test_results_are_not_saved_over_what_is_somebody_elses(folder):
    folder.mkdir()
    (folder / "summary.csv").write_text("mine")
    with pytest.raises(FileError, match="not a sweep"):
        synthetic_sweep(judged([[0.1, -0.1]])).save(folder)


def test_a_project_that_happens_to_have_a_folder_of_models_is_refused(small, folder):
    (folder / "models" / "bert").mkdir(parents=True)
    (folder / "summary.csv").write_text("mine")
    with pytest.raises(FileError, match="not a sweep"):
        quick(small, ranker(n_trees=1), folder=folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("sweep.json", None, "is not a finished sweep of riskrank .it has no sweep.json"),
        ("sweep.json", b"", "is not a sweep of riskrank, or it is damaged"),
        ("sweep.json", b"[]", "is not a sweep of riskrank, or it is damaged"),
        ("sweep.json", b'{"format": "other"}', "is not a sweep of riskrank, or it is damaged"),
        (
            "sweep.json",
            b'{"format": "riskrank sweep", "version": 99}',
            "has version 99, this riskrank reads up to 1. Update",
        ),
        ("queries.parquet", b"", "is not a sweep of riskrank, or it is damaged"),
        ("queries.parquet", None, "queries.parquet: no such file"),
    ],
)
def test_what_is_not_a_whole_sweep_is_not_loaded(folder, name, content, message):
    synthetic_sweep(judged([[0.1, -0.1], [0.0, 0.2]]), valid=judged([[0.1], [0.2]])).save(folder)
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
    with pytest.raises(FileError, match=message):
        rr.Sweep.load(folder)
    with pytest.raises(FileError, match="is not a finished sweep"):
        rr.Sweep.load(folder / "nowhere")
