"""How fast a large Parquet table becomes feature data, and in how much memory, next to Polars alone and others.

The table has 136 float32 features like MSLR-WEB: counts, zeros and fractions. Every reading is a fresh process, with
its libraries loaded before; Polars only reads the file, which is the least that anybody can do. LightGBM takes a pandas
frame, as its users do (read by pyarrow), and makes its bins of it; scikit-learn reads the same data as LETOR text, of
fewer rows, and its figures are for as many rows as the table has.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fresh_process import Figures, figures_of, peak_bytes, resident_bytes, spent
from interleaved import against_target, print_machine

TEXT_ROWS = 20_000
ROWS_PER_QUERY = 120
MAX_TIME_RATIO = 1.5
MAX_MEMORY_RATIO = 2.0
MAX_BYTES = 8e9
Reader = Callable[[Path], object]
JOBS = ("polars", "riskrank", "riskrank, mixed rows", "lightgbm", "scikit-learn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=717_000, help="rows of the table (default 717,000)")
    parser.add_argument("--features", type=int, default=136, help="features of the table (default 136)")
    parser.add_argument("--large", action="store_true", help="10,000,000 rows × 50 features, riskrank and Polars only")
    parser.add_argument("--rounds", type=int, default=5, help="readings by each (default 5)")
    parser.add_argument("--one", nargs=2, metavar=("JOB", "FOLDER"), help="do one job and print it as JSON")
    options = parser.parse_args()
    if options.large:
        options.rows, options.features = 10_000_000, 50
    if options.one is not None:
        print(json.dumps(figures_of_job(*options.one, rows=options.rows, features=options.features)))
        return
    print_machine("before")
    jobs = JOBS[:2] if options.large else JOBS
    readings: dict[str, list[Figures]] = {job: [] for job in jobs}
    size = ["--rows", str(options.rows), "--features", str(options.features)]
    with tempfile.TemporaryDirectory() as folder:
        figures_of(__file__, ["--one", "write", folder, *size])
        megabytes = Path(folder, "table.parquet").stat().st_size / 1e6
        for number in range(options.rounds):
            for job in jobs[:: 1 if number % 2 else -1]:
                figures = figures_of(__file__, ["--one", job, folder, *size])
                print(f"  round {number + 1}: {job} {figures}", file=sys.stderr)
                readings[job].append(figures)
    arrays = options.rows * (4.0 * options.features + 8)
    print(
        f"{options.rows:,} rows × {options.features} float32, {megabytes:.0f} MB of Parquet, "
        f"{arrays / 1e6:.0f} MB of arrays\n"
    )
    print_readings(readings, arrays)
    print_machine("after")


def print_readings(readings: dict[str, list[Figures]], arrays: float) -> None:
    """Medians of wall-clock and processor seconds against Polars, and peak memory in units of the arrays."""

    def median(job: str, key: str) -> float:
        return statistics.median(figures[key] for figures in readings[job])

    print(f"{'':<22}{'wall':>9}{'CPU':>9}{'system':>9}{'added':>9}{'arrays':>9}")
    for job in readings:
        added = median(job, "added")
        print(
            f"{job:<22}{median(job, 'wall'):8.2f}s{median(job, 'cpu'):8.2f}s{median(job, 'system'):8.2f}s"
            f"{added / 1e6:7.0f}MB{added / arrays:8.2f}×"
        )
    for key, name in (("wall", "wall-clock time"), ("cpu", "processor time")):
        paired = [
            ours[key] / theirs[key] for ours, theirs in zip(readings["riskrank"], readings["polars"], strict=True)
        ]
        ratio = median("riskrank", key) / median("polars", key)
        each = f"(by rounds {min(paired):.2f} to {max(paired):.2f})"
        print(f"{name}, riskrank / Polars alone: {ratio:.2f}× {each}  {against_target(ratio, at_most=MAX_TIME_RATIO)}")
    memory = median("riskrank", "added") / arrays
    print(f"memory added / arrays: {memory:.2f}×  {against_target(memory, at_most=MAX_MEMORY_RATIO)}")
    print(f"peak of the process: {median('riskrank', 'peak') / 1e9:.2f} GB, of at most {MAX_BYTES / 1e9:.0f}")


def figures_of_job(job: str, folder: str, *, rows: int, features: int) -> Figures:
    """What a job takes, its libraries loaded."""
    place = Path(folder)
    if job == "write":
        write_tables(place, rows, features)
        return {}
    read = LOADERS[job]()
    before, spent_before, start = resident_bytes(), spent(), time.perf_counter()
    kept = read(place)
    wall, spent_after = time.perf_counter() - start, spent()
    added = peak_bytes() - before
    del kept
    used = {name: spent_after[name] - spent_before[name] for name in ("user", "system")}
    scale = rows / TEXT_ROWS if job == "scikit-learn" else 1.0
    return {
        "wall": scale * wall,
        "cpu": scale * (used["user"] + used["system"]),
        "system": scale * used["system"],
        "added": scale * added,
        "peak": float(peak_bytes()),
    }


def write_tables(folder: Path, rows: int, features: int) -> None:
    """The table, the same with its rows mixed, and some of it as LETOR text."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    columns = {"qid": np.arange(rows) // ROWS_PER_QUERY, "label": rng.choice(5, size=rows).astype(np.int8)}
    for number in range(1, features + 1):
        values = rng.gamma(1.5, rng.choice([0.05, 4.0, 12.0]), size=rows)
        counts = rng.geometric(rng.choice([0.5, 0.05, 0.0005]), size=rows) - 1
        columns[f"f{number}"] = (counts if number % 2 else values.round(6)).astype(np.float32)
    frame = pl.DataFrame(columns)
    frame.write_parquet(folder / "table.parquet")
    frame[rng.permutation(rows)].write_parquet(folder / "mixed.parquet")
    from riskrank import read_table
    from riskrank.data.letor.writer import write_letor

    write_letor(read_table(frame[:TEXT_ROWS]), folder / "table.txt", digits=7)


def load_polars() -> Reader:
    import polars as pl

    return lambda folder: pl.read_parquet(folder / "table.parquet")


def load_riskrank(name: str = "table.parquet") -> Reader:
    import riskrank as rr
    from riskrank.data.feature_tables.feature_table import read_table  # what a program has loaded by its second table

    return lambda folder: (rr.RankingData, read_table(folder / name))


def load_lightgbm() -> Reader:
    import lightgbm as lgb
    import pandas as pd
    import pyarrow.parquet  # noqa: F401 (pandas loads it otherwise)

    def read(folder: Path) -> object:
        frame = pd.read_parquet(folder / "table.parquet")
        groups = frame.groupby("qid", sort=False).size()
        data = lgb.Dataset(frame.drop(columns=["qid", "label"]), label=frame["label"], group=groups)
        return data.construct()

    return read


def load_sklearn() -> Reader:
    from sklearn.datasets import load_svmlight_file

    return lambda folder: load_svmlight_file(str(folder / "table.txt"), query_id=True)


LOADERS: dict[str, Callable[[], Reader]] = {
    "polars": load_polars,
    "riskrank": load_riskrank,
    "riskrank, mixed rows": lambda: load_riskrank("mixed.parquet"),
    "lightgbm": load_lightgbm,
    "scikit-learn": load_sklearn,
}


if __name__ == "__main__":
    main()
