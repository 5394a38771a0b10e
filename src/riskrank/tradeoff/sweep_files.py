"""A sweep on disk: JSON, a table of all queries, and the summary."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.json_numbers import to_json_numbers
from riskrank.data.tables.parquet_damage import parquet_told
from riskrank.errors import FileError, one_line
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.reading import read_json
from riskrank.files.records import check_version, decode
from riskrank.files.writing import as_parquet
from riskrank.rankers.selective.query_predictors import read_predictor
from riskrank.tradeoff.grid import Setting
from riskrank.tradeoff.judged_queries import JudgedQueries
from riskrank.tradeoff.sweep_records import SweepRecord
from riskrank.weights import checked_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats, PathLike

FILE = "sweep.json"
QUERIES = "queries.parquet"
SUMMARY = "summary.csv"
CLICKS = "clicks.json"  # what the models of a sweep over clicks were trained on
FILES = (FILE, QUERIES, SUMMARY, CLICKS)
FORMAT, VERSION = "riskrank sweep", 1
UNFINISHED = "unfinished"
PREDICTOR = "predictor "  # the beginning of the names of their columns
WEIGHT = "weight"


def write_sweep(sweep: Sweep, folder: Path) -> None:
    """Write the results: sweep.json, a table of all queries (Parquet) and the summary (CSV)."""
    import polars as pl

    sets = {"test": sweep.test, "valid": sweep.valid, "calibration": sweep.calibration}
    known = {name: judged for name, judged in sets.items() if judged is not None}
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
        "learning": [[to_json_numbers(curve) for curve in curves] for curves in sweep.learning],
        "learning_baseline": [to_json_numbers(levels) for levels in sweep.learning_baseline],
        "thresholds": {name: values.tolist() for name, values in sweep.thresholds.items()},
        "predictors": {name: predictor.to_dict() for name, predictor in sweep.predictors.items()},
        "others": {
            name: {label: values.tolist() for label, values in judged.others.items()} for name, judged in known.items()
        },
    }
    with sweep_folder(folder).changed(keeps=True) as change:
        change.write(QUERIES, as_parquet(pl.concat(_query_frames(sweep, known))))
        change.write(SUMMARY, sweep.summary.write_csv())
        change.write(FILE, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _query_frames(sweep: Sweep, sets: Mapping[str, JudgedQueries]) -> list[pl.DataFrame]:
    """A frame for each set and model."""
    import polars as pl

    return [
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
                **{f"{PREDICTOR}{label}": values for label, values in judged.predictors.items()},
                **({} if judged.weights is None else {WEIGHT: judged.weights}),
            }
        )
        for name, judged in sets.items()
        for i, setting in enumerate(sweep.settings)
    ]


def read_fields(folder: PathLike) -> dict[str, Any]:
    """What `write_sweep` wrote, as the fields of a sweep."""
    import polars as pl

    place = Path(folder)
    settle(place)
    path = place / FILE
    if not path.exists():
        raise FileError(folder, f"is not a finished sweep of riskrank (it has no {FILE}).")
    if _content(folder).get("state") == UNFINISHED:
        raise FileError(folder, "is a sweep that was interrupted: run it again to go on.")
    try:
        record = decode(SweepRecord, _content(folder), path)
        with parquet_told(place / QUERIES):
            frame = pl.read_parquet(place / QUERIES)
        return _sweep_fields(record, frame, place)
    except FileError as error:
        raise _damaged(folder, error) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        raise _damaged(folder, FileError(QUERIES, one_line(str(error).partition("\n")[0]))) from None


def _content(folder: PathLike) -> dict[str, Any]:
    """What sweep.json says; it must be of a version that is known, and nothing else of it is checked."""
    path = Path(folder) / FILE
    try:
        content = read_json(path)
        check_version(content, path, VERSION)
        return decode(dict[str, Any], content, path)
    except FileError as error:
        raise _damaged(folder, error) from None


def _damaged(folder: PathLike, error: FileError) -> FileError:
    if error.is_newer:
        return error
    reason = f"{os.path.basename(error.path)}: {error.reason.rstrip('.')}"
    return FileError(folder, f"is not a sweep of riskrank, or it is damaged ({reason}).")


def _sweep_fields(record: SweepRecord, frame: pl.DataFrame, folder: Path) -> dict[str, Any]:
    settings = tuple(
        Setting(name, record.parameters.get(name, record.parameter), value) for name, value in record.settings
    )
    sets = {
        str(name): _judged_from(part, len(settings), record.others.get(str(name), {}))
        for (name,), part in frame.group_by("set", maintain_order=True)
    }
    return {
        "measure": record.measure,
        "parameter": record.parameter,
        "baseline": record.baseline,
        "settings": settings,
        "test": sets["test"],
        "valid": sets.get("valid"),
        "calibration": sets.get("calibration"),
        "is_valid_fresh": record.is_valid_fresh,
        "train_gain": np.array(record.train_gain),
        "train_risk": np.array(record.train_risk),
        "learning": tuple(tuple(np.array(curve) for curve in curves) for curves in record.learning),
        "learning_baseline": tuple(map(tuple, record.learning_baseline)),
        "unit": record.unit,
        "n_baselines": record.baselines,
        "n_folds": record.folds,
        "thresholds": {name: np.array(values) for name, values in record.thresholds.items()},
        "predictors": {
            name: read_predictor(each, folder / FILE, f"predictors.{name}") for name, each in record.predictors.items()
        },
        "folder": folder if (folder / "models").is_dir() else None,
    }


def _judged_from(frame: pl.DataFrame, n_models: int, others: Mapping[str, Sequence[float]]) -> JudgedQueries:
    count = len(frame) // n_models

    def rows(column: str) -> Any:
        return frame[column].to_numpy().reshape(n_models, count)

    names = [column for column in frame.columns if column.startswith(PREDICTOR)]
    return JudgedQueries(
        queries=tuple(frame["query"][:count]),
        fold=np.array(rows("fold")[0]),
        baseline=np.array(rows("baseline")[0]),
        values=rows("effectiveness"),
        distance=rows("kendall_distance"),
        is_reranked=rows("is_reranked"),
        predictors={name.removeprefix(PREDICTOR): np.array(rows(name)[0]) for name in names},
        others={label: np.array(values) for label, values in others.items()},
        weights=_weights(frame, count),
    )


def _weights(frame: pl.DataFrame, count: int) -> Floats | None:
    """Those of queries, if a sweep has any."""
    if WEIGHT not in frame.columns or frame[WEIGHT].null_count():
        return None
    return checked_weights(frame[WEIGHT][:count].to_numpy(), count, unit="query")


def sweep_folder(folder: PathLike) -> OwnFolder:
    """A place for a sweep."""
    return OwnFolder(folder, "sweep", former=_former_files)


def _former_files(folder: Path) -> list[str]:
    """Those of a sweep that a former version wrote."""
    try:
        content = read_json(folder / FILE)
    except FileError:
        return []
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        return []
    return [name for name in FILES if (folder / name).is_file()]


def is_interrupted_sweep(folder: PathLike) -> bool:
    """Is it a sweep that was interrupted?"""
    try:
        return _content(folder).get("state") == UNFINISHED
    except FileError:
        return False


def begin_sweep(folder: Path) -> None:
    """Make a folder a sweep's."""
    if not (folder / FILE).is_file():
        with sweep_folder(folder).changed() as change:
            change.write(FILE, json.dumps({"format": FORMAT, "version": VERSION, "state": UNFINISHED}) + "\n")
