"""How long it takes to score runs, from files to numbers, next to other tools, and how it grows.

All contenders are cold processes that read the same gzip files and compute the same five measures per topic;
"with risk" adds every risk measure at four alphas, and `riskrank evaluate` writes it all as JSON. The runs are those of
TREC Deep Learning 2019 where RISKRANK_DATA has them (synthetic ones of the same size where not), and 59 larger ones.
Targets are judged by processor time. Last, memory and time by the number of runs, and of queries in a table.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
from pathlib import Path

import contenders
from fresh_process import Figures, figures_of
from interleaved import against_target, print_machine, run_interleaved
from trec_files import write_trec_files

OURS, COMMAND = "riskrank", "riskrank evaluate"
LABELS = {"riskrank_risk": "with risk"}
TARGETS = {"pytrec_eval": 4.0, "ir_measures": 6.0}
N_RUNS, N_TOPICS, DEPTH = 59, 200, 1000
PASSIVE = {"OMP_WAIT_POLICY": "PASSIVE"}
HERE = Path(__file__).resolve().parent
EXECUTABLE = str(Path(sys.executable).with_name("riskrank"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of scoring (default 5)")
    parser.add_argument("--help-rounds", type=int, default=9, help="rounds of riskrank --help (default 9)")
    parser.add_argument("--large-rounds", type=int, default=3, help="rounds of scoring 59 large runs (default 3)")
    parser.add_argument("--skip-ranx", action="store_true", help="leave out ranx, the slowest")
    parser.add_argument("--synthetic", action="store_true", help="synthetic runs even where real ones are")
    options = parser.parse_args()

    print_machine("before")
    with tempfile.TemporaryDirectory() as folder:
        found = None if options.synthetic else trec_runs()
        qrels, runs = found or synthetic_runs(Path(folder))
        size = sum(run.stat().st_size for run in runs) / 1e6
        kind = "TREC Deep Learning 2019" if found else "synthetic runs"
        print(f"{kind}: {len(runs)} gzip runs, {size:.1f} MB; {', '.join(contenders.MEASURES)}\n")
        print_agreement(qrels, runs)
        print_race(qrels, runs, rounds=options.rounds, skipped=["ranx"] if options.skip_ranx else [])
        print_machine("between")
        qrels, runs = write_trec_files(made(folder, "large"), n_runs=N_RUNS, n_topics=N_TOPICS, depth=DEPTH)
        print(f"{N_RUNS} runs × {N_TOPICS} topics × {DEPTH} documents, gzip\n")
        print_agreement(qrels, runs[:3])
        print_race(qrels, runs, rounds=options.large_rounds, skipped=["ranx"])
        print_machine("between")
        print_growth(Path(folder), qrels, runs)
        print_tables(Path(folder))
    print_start_up(rounds=options.help_rounds)
    print_machine("after")


def trec_runs() -> tuple[Path, list[Path]] | None:
    """Qrels and runs of TREC DL 2019, the BM25 baseline first, if they are on this machine."""
    data = Path(os.environ.get("RISKRANK_DATA", HERE.parents[1] / "shared" / "data")) / "trec_dl2019"
    qrels = data / "qrels.dl19-passage.txt"
    runs = sorted((data / "runs").glob("*.run.gz"), key=lambda run: (run.name != "bm25base_p.run.gz", run.name))
    return (qrels, runs) if qrels.is_file() and runs else None


def synthetic_runs(folder: Path) -> tuple[Path, list[Path]]:
    """As many runs, topics and documents as in TREC DL 2019."""
    from riskrank.data.synthetic.synthetic_runs import SystemModel, synthetic_runs

    systems = [SystemModel(f"system{i:02d}", skill=0.06 * i, drift=0.02 * i) for i in range(11)]
    made = synthetic_runs(systems, n_topics=200, n_judged_topics=43, depth=860)
    qrels = folder / "synthetic.qrels"
    qrels.write_text("".join(f"{line}\n" for line in made.qrels))
    paths = []
    for name, lines in made.runs.items():
        path = folder / f"{name}.run.gz"
        with gzip.open(path, "wt") as file:
            file.writelines(f"{line}\n" for line in lines)
        paths.append(path)
    return qrels, paths


def print_agreement(qrels: Path, runs: list[Path]) -> None:
    """Check that the race is about the same numbers."""
    import riskrank as rr

    scores = rr.evaluate(qrels, runs, contenders.MEASURES)
    theirs = contenders.with_pytrec_eval(str(qrels), [str(run) for run in runs])
    print("Largest difference from pytrec_eval over all runs and topics:")
    for measure, name in zip(contenders.MEASURES, contenders.PYTREC_EVAL_NAMES, strict=True):
        ours = scores[measure]
        difference = max(
            abs(float(value) - per_topic.get(topic, {}).get(name, 0.0))
            for row, per_topic in zip(ours.matrix, theirs, strict=True)
            for topic, value in zip(ours.topics, row, strict=True)
        )
        print(f"  {measure:<9} {difference:8.1e}  {against_target(difference, at_most=1e-9)}")
    print()


def print_race(qrels: Path, runs: list[Path], *, rounds: int, skipped: list[str]) -> None:
    """Medians of all contenders, and how many times as long as riskrank's measures alone each takes."""
    files = [str(qrels), *map(str, runs)]
    measures = [argument for measure in contenders.MEASURES for argument in ("-m", measure)]
    commands = {
        LABELS.get(name, name): [sys.executable, str(HERE / "contenders.py"), name, *files]
        for name in contenders.CONTENDERS
        if name not in skipped
    }
    commands[COMMAND] = [EXECUTABLE, "evaluate", *files, *measures, "--json"]
    timings = run_interleaved(commands, rounds=rounds, environment=PASSIVE)
    print(f"Scoring, median of {rounds} interleaved rounds of cold processes (range):")
    for name, timing in timings.items():
        ratio = timing.ratio(timings[OURS])
        target = against_target(ratio.cpu, at_least=TARGETS[name]) if name in TARGETS else ""
        print(f"  {name:<18} {timing}  {ratio}  {target}".rstrip())
    print()


def print_growth(folder: Path, qrels: Path, runs: list[Path]) -> None:
    """Time and memory by the number of runs: large ones, and many small ones. Links stand for more of them."""
    small_qrels, small = write_trec_files(made(folder, "small"), n_runs=50, n_topics=N_TOPICS, depth=100)
    sets = [(qrels, runs, n) for n in (10, N_RUNS, 200)] + [(small_qrels, small, n) for n in (10, 100, 1000)]
    print("Measures alone, by the number of runs:")
    for judged, written, n in sets:
        paths = linked(made(folder, f"{written[0].parent.name}{n}"), written, n)
        figures = figures_of(str(HERE / "evaluate_jobs.py"), ["runs", str(judged), *paths], environment=PASSIVE)
        each = f"{1000 * figures['cpu'] / n:6.1f} ms a run"
        print(f"  {written[0].parent.name:<6} {n:>5} runs  {shown(figures)}  {each}")
    print()


def linked(folder: Path, written: list[Path], n: int) -> list[str]:
    """So many runs with names of their own."""
    paths = [folder / f"{number:04d}-{written[number % len(written)].name}" for number in range(n)]
    for number, path in enumerate(paths):
        path.hardlink_to(written[number % len(written)])
    return list(map(str, paths))


def print_tables(folder: Path) -> None:
    """Time and memory by the number of queries in a table, two systems, with risk."""
    print("riskrank evaluate of a Parquet table, 20 documents a query, two columns of scores, with risk:")
    for n_queries in (10_000, 100_000, 1_000_000):
        path = folder / f"{n_queries}.parquet"
        write_log(path, n_queries)
        figures = figures_of(str(HERE / "evaluate_jobs.py"), ["table", str(path)], environment=PASSIVE)
        print(f"  {n_queries:>9,} queries  {shown(figures)}  {1e6 * figures['cpu'] / n_queries:6.1f} µs a query")
    print()


def write_log(path: Path, n_queries: int, n_documents: int = 20) -> None:
    """Labels and scores of documents, query by query, as a log has them."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    n = n_queries * n_documents
    labels = rng.choice(4, p=[0.8, 0.12, 0.06, 0.02], size=n).astype(np.int8)
    columns = {
        "query": pl.Series(np.repeat(np.arange(n_queries), n_documents) + 10_000_000).cast(pl.String),
        "document": pl.Series(rng.integers(0, 10**7, n) + 10**7 * np.tile(np.arange(n_documents), n_queries)),
        "label": pl.Series(labels),
        "score": pl.Series(rng.normal(size=n) + 0.7 * labels),
        "other": pl.Series(rng.normal(size=n) + 0.9 * labels),
    }
    pl.DataFrame(columns).with_columns(pl.col("document").cast(pl.String)).write_parquet(path, row_group_size=1 << 18)


def shown(figures: Figures) -> str:
    """Processor time, wall clock and peak memory."""
    return f"cpu {figures['cpu']:7.2f} s   wall {figures['wall']:7.2f} s   peak {figures['peak'] / 1e6:5.0f} MB"


def made(folder: str | Path, name: str) -> Path:
    """A new folder in another one."""
    path = Path(folder, name)
    path.mkdir()
    return path


def print_start_up(*, rounds: int) -> None:
    """How long `riskrank --help` takes, against the least that any numerical Python program needs."""
    numpy, ours = "import numpy", "riskrank --help"
    commands = {numpy: [sys.executable, "-c", "import numpy"], ours: [EXECUTABLE, "--help"]}
    timings = run_interleaved(commands, rounds=rounds)
    print(f"Starting up, median of {rounds} interleaved rounds of cold processes (range):")
    ratio = timings[ours].ratio(timings[numpy])
    print(f"  {numpy:<18} {timings[numpy]}")
    print(f"  {ours:<18} {timings[ours]}  {ratio}  {against_target(ratio.cpu, at_most=2.5)}\n")


if __name__ == "__main__":
    main()
