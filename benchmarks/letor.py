"""How fast a large LETOR file becomes arrays, and in how much memory, next to scikit-learn.

The file has 136 features per document like MSLR-WEB: counts, zeros and numbers of six decimals. Every reading
is a fresh process; the first one of riskrank starts without compiled code, the others find it in a cache.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from fresh_process import Figures, figures_of, peak_bytes, resident_bytes, spent
from interleaved import against_target, print_machine

N_FEATURES = 136
DOCUMENTS_PER_QUERY = 120
DISTINCT_LINES = 2000
MIN_RATIO = 25.0
MAX_MEMORY_RATIO = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=260, help="size of the file (default 260)")
    parser.add_argument("--rounds", type=int, default=5, help="readings by each (default 5)")
    parser.add_argument("--one", nargs=2, metavar=("JOB", "PATH"), help="do one job and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        job, path = options.one
        print(json.dumps(JOBS[job](path, options.megabytes)))
        return

    print_machine("before")
    ours: list[Figures] = []
    theirs: list[Figures] = []
    with tempfile.TemporaryDirectory() as folder:
        path, small = str(Path(folder, "large.txt")), str(Path(folder, "small.txt"))
        compiled = str(Path(folder, "compiled"))
        in_fresh_process("write", path, compiled, options.megabytes)
        first = in_fresh_process("riskrank", path, compiled)
        for _ in range(options.rounds):
            ours.append(in_fresh_process("riskrank", path, compiled))
            theirs.append(in_fresh_process("sklearn", path, compiled))
        megabytes = os.path.getsize(path) / 1e6
        in_fresh_process("write", small, compiled, 5)
        same = in_fresh_process("compare", small, compiled)

    print(f"{megabytes:.0f} MB, {first['documents']:,} documents × {N_FEATURES} features\n")
    print_seconds(megabytes, first, ours, theirs)
    print_memory(ours, theirs)
    verdict = "identical to" if same["identical"] else "DIFFERENT from"
    print(f"Features of {same['documents']:,} documents as float32: {verdict} scikit-learn's")
    print_machine("after")


def in_fresh_process(job: str, path: str, compiled: str, megabytes: float = 0) -> Figures:
    """What a job in a process of its own reports; compiled code is kept in a folder of this benchmark."""
    arguments = ["--one", job, path, "--megabytes", str(megabytes)]
    figures = figures_of(__file__, arguments, environment={"NUMBA_CACHE_DIR": compiled})
    print(f"  {job} {Path(path).name}: {figures}", file=sys.stderr)
    return figures


def median(figures: list[Figures], key: str) -> float:
    return statistics.median(one[key] for one in figures)


def print_seconds(megabytes: float, first: Figures, ours: list[Figures], theirs: list[Figures]) -> None:
    """Seconds from a process that has loaded nothing to arrays."""
    print("Reading, loading of the library included:")
    for name, readings in (("riskrank, compiling", [first]), ("riskrank", ours), ("scikit-learn", theirs)):
        seconds = [one["seconds"] for one in readings]
        print(
            f"  {name:<19} {statistics.median(seconds):7.3f} s ({min(seconds):.3f} to {max(seconds):.3f}), "
            f"{megabytes / statistics.median(seconds):5.1f} MB/s, user {median(readings, 'user'):.2f} s, "
            f"system {median(readings, 'system'):.2f} s, {median(readings, 'faults') / 1e6:.2f} M page faults"
        )
    ratio = median(theirs, "seconds") / median(ours, "seconds")
    user = median(theirs, "user") / median(ours, "user")
    print(f"  scikit-learn / riskrank {ratio:.1f}×, user time of the processor {user:.1f}×")
    alone = median(theirs, "alone") / median(ours, "alone")
    least = min(one["alone"] for one in theirs) / min(one["alone"] for one in ours)
    print("  processor time of a second reading in the same process:")
    print(f"    median against median: {alone:.1f}×  {against_target(alone, at_least=MIN_RATIO)}")
    print(f"    fastest against fastest: {least:.1f}×  {against_target(least, at_least=MIN_RATIO)}")
    print(f"  when riskrank compiles  {median(theirs, 'seconds') / first['seconds']:.1f}×")
    print(f"  loading of riskrank's parser takes {median(ours, 'loading'):.3f} s\n")


def print_memory(ours: list[Figures], theirs: list[Figures]) -> None:
    """Peak memory in units of the arrays that riskrank returns."""
    unit = ours[0]["array_bytes"]
    print(f"Peak memory over the {unit / 1e6:.0f} MB of features and labels:")
    for name, readings in (("riskrank", ours), ("scikit-learn", theirs)):
        whole = median(readings, "peak") / unit
        added = statistics.median(one["peak"] - one["before"] for one in readings) / unit
        for part, ratio in (("whole process", whole), ("by reading", added)):
            target = against_target(ratio, at_most=MAX_MEMORY_RATIO) if readings is ours else ""
            print(f"  {name + ', ' + part:<27} {ratio:5.2f}×  {target}".rstrip())
    print()


def write_letor(path: str, megabytes: float) -> Figures:
    """Write a file of about the given size: 2,000 different documents over and over, under new queries."""
    documents = synthetic_documents()
    left = megabytes * 1e6
    row = 0
    with open(path, "w") as file:
        while left > 0:
            label, features = documents[row % len(documents)]
            left -= file.write(f"{label} qid:{1 + row // DOCUMENTS_PER_QUERY} {features}\n")
            row += 1
    return {"documents": row}


def synthetic_documents() -> list[tuple[int, str]]:
    """Labels and feature texts in about the proportions of MSLR-WEB."""
    import numpy as np

    rng = np.random.default_rng(0)
    columns: list[list[str]] = []
    for number in range(1, N_FEATURES + 1):
        decimals = rng.gamma(1.5, rng.choice([0.05, 4.0, 12.0]), size=DISTINCT_LINES)
        if 110 < number <= 125:  # language models: logarithms of probabilities
            texts = [f"{number}:{-value:.6f}" for value in decimals.tolist()]
        elif number % 2:
            counts = rng.geometric(rng.choice([0.5, 0.05, 0.0005]), size=DISTINCT_LINES) - 1
            texts = [f"{number}:{value}" for value in counts.tolist()]
        else:
            texts = [f"{number}:{value:.6f}" for value in decimals.tolist()]
            for zero in np.flatnonzero(rng.random(DISTINCT_LINES) < 0.4).tolist():
                texts[zero] = f"{number}:0"
        columns.append(texts)
    labels = rng.choice(5, p=[0.52, 0.32, 0.13, 0.02, 0.01], size=DISTINCT_LINES).tolist()
    return list(zip(labels, map(" ".join, zip(*columns, strict=True)), strict=True))


def read_with_riskrank(path: str, _: float) -> Figures:
    """Seconds with loading of the parser; processor seconds of a second reading alone; memory without."""
    start = time.perf_counter()
    import riskrank as rr
    import riskrank.kernels.letor

    loaded = time.perf_counter()
    before = resident_bytes()
    data = rr.read_letor(path)
    seconds = time.perf_counter() - start
    figures = {
        "seconds": seconds,
        **spent(),
        "loading": loaded - start,
        "before": before,
        "peak": peak_bytes(),
        "documents": data.n_documents,
        "array_bytes": data.features.nbytes + data.labels.nbytes,
    }
    del data
    start = time.process_time()
    rr.read_letor(path)
    return {**figures, "alone": time.process_time() - start}


def read_with_sklearn(path: str, _: float) -> Figures:
    """Seconds with loading of the library; processor seconds of a second reading alone; memory without."""
    start = time.perf_counter()
    from sklearn.datasets import load_svmlight_file

    before = resident_bytes()
    data = load_svmlight_file(path, query_id=True)
    figures = {"seconds": time.perf_counter() - start, **spent(), "before": before, "peak": peak_bytes()}
    del data
    start = time.process_time()
    load_svmlight_file(path, query_id=True)
    return {**figures, "alone": time.process_time() - start}


def compare(path: str, _: float) -> Figures:
    """Are the numbers the same, bit by bit? The compiled parser is made to read a file of any size."""
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    import riskrank as rr
    import riskrank.data.letor.reader

    riskrank.data.letor.reader.SMALL = 1
    data = rr.read_letor(path)
    features, labels, query_ids = load_svmlight_file(path, query_id=True)
    identical = (
        np.array_equal(data.features, features.toarray().astype(np.float32))
        and np.array_equal(data.labels, labels)
        and np.array_equal(np.repeat(data.query_ids, np.diff(data.query_offsets)), query_ids.astype(str))
    )
    return {"identical": identical, "documents": data.n_documents}


JOBS = {
    "write": write_letor,
    "riskrank": read_with_riskrank,
    "sklearn": read_with_sklearn,
    "compare": compare,
}

if __name__ == "__main__":
    main()
