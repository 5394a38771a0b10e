"""A sweep as files: JSON, a table of all queries, and the summary."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.files import write_atomically
from riskrank.errors import FileError
from riskrank.rankers.selective.query_predictors import predictor_from_dict
from riskrank.tradeoff.grid import Setting
from riskrank.tradeoff.judged import Judged

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import polars as pl

    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats


FILE = "sweep.json"
QUERIES = "queries.parquet"
SUMMARY = "summary.csv"
FORMAT, VERSION = "riskrank sweep", 1
SETS = ("test", "valid", "calibration")
UNFINISHED = "unfinished"


def write_sweep(sweep: Sweep, target: Path) -> None:
    """Write the results: sweep.json, a table of all queries (Parquet) and the summary (CSV)."""
    import polars as pl

    begin_sweep(target)
    frames = []
    for name in SETS:
        judged: Judged | None = getattr(sweep, name)
        if judged is None:
            continue
        for i, setting in enumerate(sweep.settings):
            frames.append(
                pl.DataFrame(
                    {
                        "set": [name] * len(judged.queries),
                        "fold": judged.fold,
                        "query": list(judged.queries),
                        "series": [setting.series] * len(judged.queries),
                        sweep.parameter: np.full(len(judged.queries), setting.value),
                        "baseline": judged.baseline,
                        "effectiveness": judged.values[i],
                        "kendall_distance": judged.distance[i],
                        "is_reranked": judged.is_reranked[i],
                        **{f"predictor {label}": values for label, values in judged.predictors.items()},
                    }
                )
            )
    buffer = io.BytesIO()
    pl.concat(frames).write_parquet(buffer)
    write_atomically(target / QUERIES, buffer.getvalue())
    write_atomically(target / SUMMARY, sweep.summary.write_csv())
    content = {
        "format": FORMAT,
        "version": VERSION,
        "measure": sweep.measure,
        "parameter": sweep.parameter,
        "baseline": sweep.baseline,
        "parameters": {setting.series: setting.parameter for setting in sweep.settings},
        "settings": [[setting.series, setting.value] for setting in sweep.settings],
        "baselines": sweep.n_baselines,
        "is_valid_fresh": sweep.is_valid_fresh,
        "train_gain": sweep.train_gain.tolist(),
        "train_risk": sweep.train_risk.tolist(),
        "unit": sweep.unit,
        "folds": sweep.n_folds,
        "learning": [[_plain(curve) for curve in curves] for curves in sweep.learning],
        "thresholds": {name: values.tolist() for name, values in sweep.thresholds.items()},
        "predictors": {name: predictor.to_dict() for name, predictor in sweep.predictors.items()},
        "others": {
            name: {label: values.tolist() for label, values in getattr(sweep, name).others.items()}
            for name in SETS
            if getattr(sweep, name) is not None
        },
    }
    write_atomically(target / FILE, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_sweep(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What `write_sweep` wrote, as the fields of a sweep."""
    import polars as pl

    place = Path(folder)
    if not (place / FILE).is_file():
        raise FileError(folder, f"is not a finished sweep of riskrank (it has no {FILE}).")
    try:
        content = json.loads((place / FILE).read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise KeyError("format")
        if content["version"] > VERSION:
            raise FileError(place / FILE, "was written by a newer riskrank. Update riskrank.")
        if content.get("state") == UNFINISHED:
            raise FileError(folder, "is a sweep that was interrupted: run it again to go on.")
        varied = content.get("parameters", {})  # sweeps of one parameter may lack it
        settings = tuple(
            Setting(name, varied.get(name, content["parameter"]), value) for name, value in content["settings"]
        )
        frame = pl.read_parquet(place / QUERIES)
        sets = {
            name: _judged(frame.filter(pl.col("set") == name), len(settings), content["others"].get(name, {}))
            for name in SETS
        }
        test = sets["test"]
        if test is None:
            raise KeyError("test")
        return {
            "measure": content["measure"],
            "parameter": content["parameter"],
            "baseline": content["baseline"],
            "settings": settings,
            "test": test,
            "valid": sets["valid"],
            "calibration": sets["calibration"],
            "is_valid_fresh": bool(content["is_valid_fresh"]),
            "train_gain": np.array(content["train_gain"]),
            "train_risk": np.array(content["train_risk"]),
            "learning": tuple(tuple(_floats(curve) for curve in curves) for curves in content["learning"]),
            "unit": content["unit"],
            "n_baselines": int(content["baselines"]),
            "n_folds": int(content["folds"]),
            "thresholds": {name: np.array(values) for name, values in content["thresholds"].items()},
            "predictors": {name: predictor_from_dict(each) for name, each in content["predictors"].items()},
            "folder": place if (place / "models").is_dir() else None,
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(folder, f"is not a sweep of riskrank, or it is damaged ({error!r}).") from None


def check_place(folder: Path) -> None:
    """Refuse a folder that holds something else than a sweep."""
    if folder.exists() and not folder.is_dir():
        raise FileError(folder, "is a file; a sweep is a folder.")
    if folder.is_dir() and any(folder.iterdir()):
        try:
            content = json.loads((folder / FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            content = None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise FileError(folder, "exists and is not a sweep of riskrank. Choose another place.")


def begin_sweep(folder: Path) -> None:
    """Make a folder a sweep's."""
    check_place(folder)
    if not (folder / FILE).is_file():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(folder, f"cannot be written ({error.strerror or error}).") from None
        marker = {"format": FORMAT, "version": VERSION, "state": UNFINISHED}
        write_atomically(folder / FILE, json.dumps(marker) + "\n")


def _judged(frame: pl.DataFrame, n_models: int, others: dict[str, Sequence[float]]) -> Judged | None:
    if not len(frame):
        return None
    count = len(frame) // n_models

    def rows(column: str) -> Any:
        return frame[column].to_numpy().reshape(n_models, count)

    names = [column for column in frame.columns if column.startswith("predictor ")]
    return Judged(
        queries=tuple(frame["query"][:count]),
        fold=np.array(rows("fold")[0]),
        baseline=np.array(rows("baseline")[0]),
        values=rows("effectiveness"),
        distance=rows("kendall_distance"),
        is_reranked=rows("is_reranked"),
        predictors={name.removeprefix("predictor "): np.array(rows(name)[0]) for name in names},
        others={label: np.array(values) for label, values in others.items()},
    )


def _plain(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _floats(values: list[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
