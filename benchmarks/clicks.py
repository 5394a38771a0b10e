"""Click logs: how fast they are made, read and prepared, and that memory does not grow with them.

Reading is timed in turns with the plain way (a loop over lines in Python). Memory is that of fresh processes on logs of
1, 4 and 16 times a size.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from fresh_process import figures_of, peak_bytes
from interleaved import print_machine

from riskrank.clicks.logs.log_files import read_log, write_log
from riskrank.clicks.simulator import World

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = {"2011": "log2011.txt", "2013": "log2013.txt", "2013, gzip": "log2013.txt.gz", "Parquet": "log.parquet",
         "CSV": "log.csv"}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200_000, help="result pages of the logs (default 200,000)")
    parser.add_argument("--memory-pages", type=int, default=100_000, help="pages of the smallest log (default 100,000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed (default 3)")
    parser.add_argument("--job", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        job(*options.job)
        return
    print_machine("before")
    with tempfile.TemporaryDirectory() as name:
        speed(Path(name), options.pages, options.rounds)
    with tempfile.TemporaryDirectory() as name:
        memory(Path(name), options.memory_pages)
    print_machine("after")


def speed(folder: Path, pages: int, rounds: int) -> None:
    world = World(random_state=1)
    begin = time.perf_counter()
    batches = list(world.log(pages))
    print(f"\nsimulating: {pages / (time.perf_counter() - begin):,.0f} pages/s")
    print(f"\n{'writing':<12} {'pages/s':>10} {'MB':>8}   (simulation not counted)")
    for title, name in NAMES.items():
        begin = time.perf_counter()
        write_log(iter(batches), folder / name, layout=title[:4] if title.startswith("20") else None)
        took = time.perf_counter() - begin
        print(f"{title:<12} {pages / took:>10,.0f} {os.path.getsize(folder / name) / 1e6:>8.1f}")
    print(f"\n{'reading':<12} {'MB/s':>8} {'pages/s':>10}   (median of {rounds})")

    def count(name: str) -> int:
        return sum(len(batch) for batch in read_log(folder / name))

    ways: dict[str, Callable[[], int]] = {title: partial(count, name) for title, name in NAMES.items()}
    ways["plain loop"] = lambda: plain_loop(folder / NAMES["2013"])
    for way in ways.values():
        way()  # compiles and warms up
    seconds: dict[str, list[float]] = {title: [] for title in ways}
    for _ in range(rounds):
        for title, way in ways.items():
            begin = time.perf_counter()
            way()
            seconds[title].append(time.perf_counter() - begin)
    for title, values in seconds.items():
        took = float(np.median(values))
        size = os.path.getsize(folder / NAMES.get(title, NAMES["2013"])) / 1e6
        print(f"{title:<12} {size / took:>8.1f} {pages / took:>10,.0f}")
    ratio = np.median(seconds["plain loop"]) / np.median(seconds["2013"])
    print(f"the plain loop takes {ratio:.1f} times as long as reading 2013")


def plain_loop(path: Path) -> int:
    """What anybody would write: split each line, keep pages and clicks in dicts."""
    pages = 0
    shown: dict[str, dict[str, float | None]] = {}
    session = None
    with open(path) as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0] != session:
                session, shown = fields[0], {}
            if fields[1] == "M":
                continue
            if fields[2] in "QT":
                pages += 1
                [int(term) for term in fields[5].split(",") if term]
                shown[fields[3]] = {pair.split(",")[0]: None for pair in fields[6:]}
            elif fields[4] in shown.get(fields[3], ()):
                shown[fields[3]][fields[4]] = float(fields[1])
    return pages


def memory(folder: Path, pages: int) -> None:
    print(f"\n{'pages':>10} {'MB':>8}  {'job':<8} {'peak MB':>8} {'MB/s':>8} {'pages/s':>10}")
    for times in (1, 4, 16):
        log = folder / f"log{times}.txt"
        write_log(World(random_state=1).log(times * pages), log, layout="2013")
        size = os.path.getsize(log) / 1e6
        for kind in ("read", "prepare"):
            figures = figures_of(sys.argv[0], ["--job", kind, str(log), str(folder / f"prepared{times}")])
            print(
                f"{times * pages:>10,} {size:>8.1f}  {kind:<8} {figures['peak'] / 1e6:>8.0f} "
                f"{size / figures['seconds']:>8.1f} {times * pages / figures['seconds']:>10,.0f}"
            )
        log.unlink()


def job(kind: str, log: str, target: str) -> None:
    """In a process of its own, which tells its peak."""
    from riskrank.clicks.preparation import prepare

    begin = time.perf_counter()
    if kind == "read":
        sum(len(batch) for batch in read_log(log))
    else:
        prepare(log, target, verbose=False, memory=512 << 20)
    print(json.dumps({"seconds": time.perf_counter() - begin, "peak": peak_bytes()}))


if __name__ == "__main__":
    main()
