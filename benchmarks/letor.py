"""How fast a large LETOR file becomes arrays, and in how much memory, next to scikit-learn.

The file has 136 features per document like MSLR-WEB: counts, zeros and numbers of six decimals. Every reading
is a fresh process; the first one of riskrank starts without compiled code, the others find it in a cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from interleaved import against_target, print_machine

N_FEATURES = 136
DOCUMENTS_PER_QUERY = 120
DISTINCT_LINES = 2000
MIN_RATIO = 25.0
MAX_MEMORY_RATIO = 2.0

Figures = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=260, help="size of the file (default 260)")
    parser.add_argument(
        "--rounds", type=int, default=5, help="readings with compiled code at hand (default 5)"
    )
    parser.add_argument(
        "--one", nargs=2, metavar=("JOB", "PATH"), help="do one job here and print it as JSON"
    )
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(JOBS[options.one[0]](options.one[1], options)))
        return

    print_machine("before")
    with tempfile.TemporaryDirectory() as folder:
        path, small = str(Path(folder, "large.txt")), str(Path(folder, "small.txt"))
        caches = {"NUMBA_CACHE_DIR": str(Path(folder, "compiled"))}
        in_fresh_process("write", path, options.megabytes)
        megabytes = os.path.getsize(path) / 1e6
        first = in_fresh_process("riskrank", path, environment=caches)
        cached = [in_fresh_process("riskrank", path, environment=caches) for _ in range(options.rounds)]
        theirs = in_fresh_process("sklearn", path)
        in_fresh_process("write", small, 5)
        same = in_fresh_process("compare", small, environment=caches)

    print(f"{megabytes:.0f} MB, {first['documents']:,} documents × {N_FEATURES} features\n")
    print_seconds(megabytes, first, cached, theirs)
    print_memory(cached, theirs)
    verdict = "identical to" if same["identical"] else "DIFFERENT from"
    print(f"Features of {same['documents']:,} documents as float32: {verdict} scikit-learn's")
    print_machine("after")


def print_seconds(megabytes: float, first: Figures, cached: list[Figures], theirs: Figures) -> None:
    """Seconds from a process that has loaded nothing to arrays."""
    seconds = [one["seconds"] for one in cached]
    median = statistics.median(seconds)
    print(f"Reading, loading of the library included; cached: median of {len(seconds)}")
    for name, elapsed in (
        ("compiling", first["seconds"]),
        ("cached", median),
        ("sklearn", theirs["seconds"]),
    ):
        print(f"  {name:<10} {elapsed:8.3f} s  {megabytes / elapsed:8.1f} MB/s")
    loading = statistics.median(one["loading"] for one in cached)
    print(f"  cached: {min(seconds):.3f} to {max(seconds):.3f} s, of which loading {loading:.3f} s")
    ratio = theirs["seconds"] / median
    print(f"  sklearn / cached {ratio:.1f}×  {against_target(ratio, at_least=MIN_RATIO)}")
    print(f"  sklearn / compiling {theirs['seconds'] / first['seconds']:.1f}×\n")


def print_memory(cached: list[Figures], theirs: Figures) -> None:
    """Peak memory in units of the arrays that riskrank returns."""
    unit = cached[0]["array_bytes"]
    print(f"Peak memory over the {unit / 1e6:.0f} MB of features and labels:")
    for name, ratio in (
        ("riskrank, whole process", statistics.median(one["peak"] for one in cached) / unit),
        ("riskrank, by reading", statistics.median(one["peak"] - one["before"] for one in cached) / unit),
        ("sklearn, whole process", theirs["peak"] / unit),
        ("sklearn, by reading", (theirs["peak"] - theirs["before"]) / unit),
    ):
        target = against_target(ratio, at_most=MAX_MEMORY_RATIO) if name.startswith("riskrank") else ""
        print(f"  {name:<24} {ratio:5.2f}×  {target}".rstrip())
    print()


def in_fresh_process(
    job: str, path: str, megabytes: float = 0, *, environment: dict[str, str] | None = None
) -> Figures:
    """What a job in a process of its own reports."""
    print(f"  {job} {path}", file=sys.stderr)
    command = [sys.executable, __file__, "--one", job, path, "--megabytes", str(megabytes)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, env={**os.environ, **(environment or {})}
    )
    figures: Figures = json.loads(done.stdout)
    return figures


def write_letor(path: str, options: argparse.Namespace) -> Figures:
    """Write a file of about the given size: 2,000 different documents over and over, under new queries."""
    documents = made_up_documents()
    left = options.megabytes * 1e6
    row = 0
    with open(path, "w") as file:
        while left > 0:
            label, features = documents[row % len(documents)]
            left -= file.write(f"{label} qid:{1 + row // DOCUMENTS_PER_QUERY} {features}\n")
            row += 1
    return {"documents": row}


def made_up_documents() -> list[tuple[int, str]]:
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


def read_with_riskrank(path: str, _: argparse.Namespace) -> Figures:
    """Seconds with loading of the parser, memory without."""
    start = time.perf_counter()
    import riskrank as rr
    import riskrank.kernels.letor

    loaded = time.perf_counter()
    before = resident_bytes()
    data = rr.read_letor(path)
    seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "loading": loaded - start,
        "before": before,
        "peak": peak_bytes(),
        "documents": data.n_documents,
        "array_bytes": data.features.nbytes + data.labels.nbytes,
    }


def read_with_sklearn(path: str, _: argparse.Namespace) -> Figures:
    """Seconds with loading of the library, memory without."""
    start = time.perf_counter()
    from sklearn.datasets import load_svmlight_file

    before = resident_bytes()
    load_svmlight_file(path, query_id=True)
    return {"seconds": time.perf_counter() - start, "before": before, "peak": peak_bytes()}


def compare(path: str, _: argparse.Namespace) -> Figures:
    """Are the numbers the same, bit by bit? The compiled parser is made to read a file of any size."""
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    import riskrank as rr
    import riskrank.data.letor

    riskrank.data.letor.SMALL = 1
    data = rr.read_letor(path)
    features, labels, query_ids = load_svmlight_file(path, query_id=True)
    identical = (
        np.array_equal(data.features, features.toarray().astype(np.float32))
        and np.array_equal(data.labels, labels)
        and np.array_equal(np.repeat(data.query_ids, np.diff(data.query_offsets)), query_ids.astype(str))
    )
    return {"identical": identical, "documents": data.n_documents}


def peak_bytes() -> int:
    """The most memory this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def resident_bytes() -> int:
    """The memory this process has now (its peak so far where the system does not tell)."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() if statm.exists() else peak_bytes()


JOBS = {
    "write": write_letor,
    "riskrank": read_with_riskrank,
    "sklearn": read_with_sklearn,
    "compare": compare,
}

if __name__ == "__main__":
    main()
