"""How `assess` grows with the number of systems, up to 1,000 systems × 10,000 topics.

Each size is measured in a fresh process, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import TYPE_CHECKING

from fresh_process import Figures, figures_of, peak_bytes
from interleaved import against_target, print_machine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHAS = (0, 1, 5, 10)
SIZES = (100, 300, 1000)
MAX_SECONDS = 2.0
MAX_GIGABYTES = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=10_000, help="topics (default 10,000)")
    parser.add_argument("--rounds", type=int, default=3, help="processes per size (default 3)")
    parser.add_argument("--one", type=int, metavar="SYSTEMS", help="measure one size here and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(measured(options.one, options.topics)))
        return

    print_machine("before")
    samples: dict[int, list[Figures]] = {size: [] for size in SIZES}
    for _ in range(options.rounds):
        for size in SIZES:
            samples[size].append(in_fresh_process(size, options.topics))
    medians = {
        size: {step: statistics.median(row[step] for row in rows) for step in rows[0]} for size, rows in samples.items()
    }
    alphas = ", ".join(map(str, ALPHAS))
    print(f"{options.topics:,} topics, alphas {alphas}; median of {options.rounds} fresh processes\n")
    print("  systems    import  Effectiveness    assess  processor  per system  peak memory")
    for size, row in medians.items():
        print(
            f"{size:>9,} {row['import']:>7.3f} s {row['effectiveness']:>12.3f} s {row['assess']:>7.3f} s "
            f"{row['processor']:>8.3f} s {1000 * row['processor'] / size:>8.2f} ms {row['peak']:>9.3f} GB"
        )
    most = max(SIZES)
    print_targets(medians[most], most, matrix=most * options.topics * 8 / 1e9)
    print_machine("after")


def print_targets(figures: Figures, size: int, *, matrix: float) -> None:
    """The largest size against what is asked of it."""
    seconds, peak = figures["assess"], figures["peak"]
    print(f"\nassess, {size:,} systems: {seconds:.2f} s  {against_target(seconds, at_most=MAX_SECONDS)}")
    print(f"peak memory of the process: {peak:.2f} GB  {against_target(peak, at_most=MAX_GIGABYTES)}")
    print(f"  ({figures['before']:.2f} GB before assess; the matrix alone has {matrix:.2f} GB)")


def in_fresh_process(n_systems: int, n_topics: int) -> Figures:
    return figures_of(__file__, ["--one", str(n_systems), "--topics", str(n_topics)])


def measured(n_systems: int, n_topics: int) -> Figures:
    """Seconds of each step and peak memory (GB) of this process."""
    matrix = correlated_scores(n_systems, n_topics)
    start = time.perf_counter()
    import riskrank as rr

    rr.assess(rr.Effectiveness.from_rows({"a": [0.1, 0.2], "b": [0.2, 0.1]}), baseline="a")
    imported = time.perf_counter()
    scores = rr.Effectiveness(
        measure="nDCG@10",
        systems=tuple(f"system{i}" for i in range(n_systems)),
        topics=tuple(f"topic{i}" for i in range(n_topics)),
        matrix=matrix,
    )
    made = time.perf_counter()
    before, begun = peak_bytes() / 1e9, time.process_time()
    assessment = rr.assess(scores, baseline="system0", alphas=ALPHAS)
    assessed, ended = time.perf_counter(), time.process_time()
    if len(assessment.systems) != n_systems:
        raise SystemExit("systems got lost")
    return {
        "import": imported - start,
        "effectiveness": made - imported,
        "assess": assessed - made,
        "processor": ended - begun,
        "before": before,
        "peak": peak_bytes() / 1e9,
    }


def correlated_scores(n_systems: int, n_topics: int) -> NDArray[np.float64]:
    """Scores in [0, 1] that share the difficulty of topics, with exact zeros as real measures have."""
    import numpy as np

    rng = np.random.default_rng(0)
    matrix = rng.normal(scale=0.15, size=(n_systems, n_topics))
    matrix += rng.beta(2, 3, size=n_topics)
    matrix += rng.normal(scale=0.05, size=(n_systems, 1))
    return np.clip(matrix, 0, 1, out=matrix)


if __name__ == "__main__":
    main()
