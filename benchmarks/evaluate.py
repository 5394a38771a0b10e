"""How long it takes to score the runs of a TREC track, from files to numbers, next to other tools.

All contenders are cold processes that read the same gzip files and compute the same five measures per topic;
`riskrank evaluate` adds every risk measure at four alphas and writes it all as JSON. The runs are those of
TREC Deep Learning 2019 where RISKRANK_DATA has them, and synthetic ones of the same size where not.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
from pathlib import Path

import contenders
from interleaved import against_target, print_machine, run_interleaved

TARGETS = {"pytrec_eval": 3.0, "ir_measures": 5.0, "ranx": 15.0}
COMMAND = "riskrank evaluate"
HERE = Path(__file__).resolve().parent
EXECUTABLE = str(Path(sys.executable).with_name("riskrank"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of scoring (default 5)")
    parser.add_argument("--help-rounds", type=int, default=9, help="rounds of riskrank --help (default 9)")
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
        print_race(qrels, runs, rounds=options.rounds, skip_ranx=options.skip_ranx)
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


def print_race(qrels: Path, runs: list[Path], *, rounds: int, skip_ranx: bool) -> None:
    """Medians of all contenders, and how many times as long as `riskrank evaluate` each takes."""
    files = [str(qrels), *map(str, runs)]
    baseline = runs[0].name.removesuffix(".run.gz")
    measures = [argument for measure in contenders.MEASURES for argument in ("-m", measure)]
    commands = {COMMAND: [EXECUTABLE, "evaluate", *files, "--baseline", baseline, *measures, "--json"]}
    for name in contenders.CONTENDERS:
        if name != "ranx" or not skip_ranx:
            label = "riskrank in Python" if name == "riskrank" else name
            commands[label] = [sys.executable, str(HERE / "contenders.py"), name, *files]
    timings = run_interleaved(commands, rounds=rounds)
    print(f"Scoring, median of {rounds} interleaved rounds of cold processes (range):")
    for name, timing in timings.items():
        ratio = timing.ratio(timings[COMMAND])
        target = against_target(ratio.wall, at_least=TARGETS[name]) if name in TARGETS else ""
        print(f"  {name:<18} {timing}  {ratio}  {target}".rstrip())
    print()


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
