"""What `write_shards` takes: speed, and peak memory as text grows from 1 to 16 times; a process for each size.

    python benchmarks/shard.py                      # from 100 MB to 1.6 GB of text of 136 features
    python benchmarks/shard.py --queries 70         # a look
    python benchmarks/shard.py --scattered          # rows of a query do not stand together

CPU time is that of all threads; the load of the machine stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np
from fresh_process import figures_of, peak_bytes, spent

import riskrank as rr
from riskrank.data.letor.writer import letor_text

N_FEATURES, DOCUMENTS = 136, 120
SIZES = (1, 2, 4, 8, 16)


def lines_of(n_queries: int, *, scattered: bool) -> bytes:
    data = rr.web_search_data(n_queries, documents_per_query=DOCUMENTS, n_features=N_FEATURES, random_state=1)
    lines = letor_text(data, digits=6).splitlines(keepends=True)
    if scattered:
        np.random.default_rng(1).shuffle(lines)
    return "".join(lines).encode()


def sharded(text: Path, folder: Path) -> None:
    """One size, and its figures as JSON."""
    rr.read_letor(text.with_name("first.txt"))  # the parser is compiled
    before, started = spent(), time.monotonic()
    rr.write_shards(text, folder)
    after = spent()
    cpu = sum(after[name] - before[name] for name in ("user", "system"))
    print(json.dumps({"seconds": time.monotonic() - started, "cpu": cpu, "peak": peak_bytes()}))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--queries", type=int, default=800, help="of the smallest size")
    options.add_argument("--scattered", action="store_true")
    options.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.one:
        sharded(*map(Path, asked.one))
        return
    sizes, peaks = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lines = lines_of(asked.queries, scattered=asked.scattered)
        (folder / "first.txt").write_bytes(lines)
        for times in SIZES:
            text = folder / "train.txt"
            with open(text, "wb") as file:
                for number in range(times):
                    file.write(lines.replace(b" qid:", b" qid:%d_" % number))
            size = text.stat().st_size / 1e6
            run = figures_of(__file__, ["--one", str(text), str(folder / "shards")])
            sizes.append(size)
            peaks.append(run["peak"] / 1e6)
            speed = f"{size / run['seconds']:.0f} MB/s, {1000 * run['cpu'] / size:.1f} ms of CPU a MB"
            print(
                f"{size:6.0f} MB of text: {speed}, peak {peaks[-1]:.0f} MB (load {os.getloadavg()[0]:.1f})", flush=True
            )
    slope = np.polyfit(sizes, peaks, 1)[0]
    print(f"{slope:.3f} MB of memory for each MB of text")


if __name__ == "__main__":
    main()
