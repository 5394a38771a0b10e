"""What users wait for: whole commands, from files to a saved model, to scores, to a sweep, and from a cold start.

Every command is a process of its own, which reads its files, does its work and writes its result; all take turns.
The peers do the same in the way that their own documentation shows, with their own readers. Processor time is what
counts where the machine is busy.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING

from fresh_process import figures_of
from interleaved import Timing, against_target, print_machine, run_cold, run_interleaved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PEERS = str(Path(__file__).parent / "file_peers.py")
RISKRANK = (sys.executable, "-c", "from riskrank.cli.main import run; run()")
OBJECTIVE = ("--baseline", "feature:1", "--objective", "urisk", "--quiet")
SHAPE = ("--leaves", "50", "--min-docs", "50", "--rate", "0.075")
LIGHTGBM = "LightGBM"
MOST = {"txt": 0.30, "parquet": 0.22}
MOST_SCORING, MOST_PREDICTING, MOST_SWEEP, MOST_FIRST = 0.5, 0.5, 2.5, 6.0
SMALL_QUERIES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1140, help="of 120 documents, to train on (default 1,140)")
    parser.add_argument("--ranked", type=int, default=8334, help="queries to rank (default 8,334: 10⁶ documents)")
    parser.add_argument("--trees", type=int, default=100, help="trees (default 100)")
    parser.add_argument("--rounds", type=int, default=3, help="fresh processes of each (default 3)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="no more than these parts")
    parser.add_argument("--files", nargs="+", choices=FRAMES, default=list(FRAMES), help="no other kinds of files")
    parser.add_argument("--peers", nargs="*", choices=NAMES, default=list(NAMES), help="beside LightGBM in training")
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    print_machine("before")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        figures_of(PEERS, ["write", str(place / "train"), str(options.queries)])
        for name in options.only:
            print(f"\n{name}")
            PARTS[name](place, options)
    print_machine("after")


def train_command(source: Path, model: Path, engine: str, *others: str, trees: int) -> list[str]:
    """A training of riskrank's; it overwrites the model of the round before."""
    return [
        *RISKRANK, "train", str(source), *OBJECTIVE, *SHAPE, "--trees", str(trees), "--engine", engine, *others,
        "-o", str(model),
    ]  # fmt: skip


def peer(job: str, *arguments: object) -> list[str]:
    """A script of a peer's."""
    return [sys.executable, PEERS, job, *map(str, arguments)]


def print_training(place: Path, options: argparse.Namespace) -> None:
    """From a file to a saved model."""
    for kind in options.files:
        frames = FRAMES[kind]
        source = place / f"train.{kind}"
        commands = {
            f"riskrank, {engine}": train_command(source, place / engine, engine, trees=options.trees)
            for engine in ("native", "lightgbm")
        }
        for library in ("lightgbm", *options.peers):
            for frame in frames:
                name = NAMES.get(library, LIGHTGBM) + frame
                job = f"{library}{frame.replace(', ', '-').lower()}-{kind}"
                commands[name] = peer("train", job, source, place / f"{library}.model", options.trees)
        commands = {name: command for name, command in commands.items() if is_there(name)}
        timings = run_interleaved(commands, rounds=options.rounds)
        print(f"{source.stat().st_size / 1e6:.0f} MB of {kind}, {options.trees} trees:")
        print_timings(timings, LIGHTGBM + frames[0], {"riskrank, native": MOST[kind]})


NAMES = {"xgboost": "XGBoost", "catboost": "CatBoost"}
FRAMES = {"txt": ("",), "parquet": (", pandas", ", Arrow")}  # what peers take files as


def is_there(name: str) -> bool:
    """Is the library of this contender installed?"""
    from importlib.util import find_spec

    library = name.partition(",")[0].lower()
    return find_spec(library) is not None and name != "CatBoost, Arrow"  # which it does not take


def print_timings(timings: Mapping[str, Timing], reference: str, most: Mapping[str, float]) -> None:
    """The medians of each, and ratios to a peer."""
    from statistics import median

    theirs = timings[reference]
    for name, own in timings.items():
        ratio, memory = own.ratio(theirs), median(own.peak) / median(theirs.peak)
        target = against_target(ratio.cpu, at_most=most[name]) if name in most else ""
        print(
            f"  {name:<24} cpu {median(own.cpu):6.2f} s {ratio.cpu:5.2f}   wall {median(own.wall):6.2f} s "
            f"{ratio.wall:5.2f}   peak {median(own.peak) / 1e9:5.2f} GB {memory:5.2f}   {target}".rstrip()
        )
    print(f"  load {os.getloadavg()[0]:.1f}")


def print_ranking(place: Path, options: argparse.Namespace) -> None:
    """From a file to written scores, and prediction alone."""
    figures_of(PEERS, ["write", str(place / "ranked"), str(options.ranked)])
    models = {engine: place / f"ranks-{engine}" for engine in ("native", "lightgbm")}
    for engine, model in models.items():
        run_cold(train_command(place / "train.parquet", model, engine, trees=options.trees))
    theirs = models["lightgbm"] / "model.txt"
    for kind in options.files:
        source, scores = place / f"ranked.{kind}", place / "scores.txt"
        commands = {
            f"riskrank, {engine}": [
                *RISKRANK, "rank", str(model), str(source), "--scores", "--force", "-o", str(scores),
            ]
            for engine, model in models.items()
        }  # fmt: skip
        commands["riskrank, native, a run"] = [
            *RISKRANK, "rank", str(models["native"]), str(source), "--force", "-o", str(place / "scores.run"),
        ]  # fmt: skip
        commands[LIGHTGBM] = peer("rank", kind, source, theirs, scores)
        print(f"{source.stat().st_size / 1e6:.0f} MB of {kind}:")
        most = dict.fromkeys(commands, MOST_SCORING)
        print_timings(run_interleaved(commands, rounds=options.rounds), LIGHTGBM, {**most, LIGHTGBM: 1})
    figures = [
        figures_of(PEERS, ["predict", str(place / "ranked.parquet"), *map(str, models.values())])
        for _ in range(options.rounds)
    ]
    least = {name: min(each[name] for each in figures) for name in figures[0]}
    for name, seconds in least.items():
        ratio = seconds / least["LightGBM's own"]
        print(f"  prediction alone, {name:<24} cpu {seconds:5.2f} s {ratio:5.2f}  ", end="")
        print(against_target(ratio, at_most=MOST_PREDICTING))


def print_sweep(place: Path, options: argparse.Namespace) -> None:
    """Five alphas against one model."""
    source, test = place / "train.parquet", place / "test"
    figures_of(PEERS, ["write", str(test), str(options.queries // 5)])
    commands: dict[str, Sequence[str]] = {}
    for engine in ("native", "lightgbm"):
        commands[f"{engine}, train"] = train_command(source, place / "one", engine, trees=options.trees)
        commands[f"{engine}, sweep"] = [
            sys.executable, PEERS, "anew", str(place / "sweep"), *RISKRANK[1:], "sweep", str(source), *OBJECTIVE,
            *SHAPE, "--trees", str(options.trees), "--engine", engine, "--test", f"{test}.parquet",
            "--alpha", "0,1,2,5,10", "-o", str(place / "sweep"),
        ]  # fmt: skip
    timings = run_interleaved(commands, rounds=options.rounds)
    for engine in ("native", "lightgbm"):
        print_timings(
            {name: each for name, each in timings.items() if name.startswith(engine)},
            f"{engine}, train",
            {f"{engine}, sweep": MOST_SWEEP},
        )


def print_first(place: Path, options: argparse.Namespace) -> None:
    """The first training of a new installation, and the next one."""
    figures_of(PEERS, ["write", str(place / "small"), str(SMALL_QUERIES)])
    for engine in ("lightgbm", "native"):
        command = train_command(place / "small.txt", place / "small", engine, trees=options.trees)
        for number in range(options.rounds):
            with tempfile.TemporaryDirectory() as empty:
                first, later = (run_cold(command, environment={"NUMBA_CACHE_DIR": empty}) for _ in range(2))
            print(
                f"  {engine:<9} first: cpu {first.cpu:5.2f} s, wall {first.wall:5.2f} s "
                f"{against_target(first.cpu, at_most=MOST_FIRST)}; then cpu {later.cpu:4.2f} s, "
                f"wall {later.wall:4.2f} s (round {number + 1}, load {os.getloadavg()[0]:.1f})"
            )


def print_start(place: Path, options: argparse.Namespace) -> None:
    """Where the time of small commands goes: milliseconds of loading, by whose modules they are."""
    figures_of(PEERS, ["write", str(place / "small"), str(SMALL_QUERIES)])
    small, model, sweep = str(place / "small.txt"), str(place / "small"), str(place / "small-sweep")
    log, prepared = str(place / "log.csv"), str(place / "prepared")
    run_cold([*RISKRANK, "simulate-clicks", log, "--pages", "2000"])
    for engine, trained in (("native", model), ("lightgbm", f"{model}-lightgbm")):
        run_cold(train_command(place / "small.txt", Path(trained), engine, trees=options.trees))
    example = [str(Path(str(package_folder())) / "data" / "example" / name) for name in EXAMPLE]
    ranking = ("--trees", "20", "--engine", "native")
    commands: dict[str, Sequence[str]] = {
        "import riskrank": ("-c", "import riskrank"),
        "riskrank --help": (*RISKRANK[1:], "--help"),
        "evaluate": (*RISKRANK[1:], "evaluate", *example),
        "gate": (*RISKRANK[1:], "gate", *example[:2], "--baseline", example[2]),
        "train": (*RISKRANK[1:], "train", small, *OBJECTIVE, *ranking, "-o", model),
        "train, lightgbm": (*RISKRANK[1:], "train", small, *OBJECTIVE, *ranking[:2], "-o", f"{model}-lightgbm"),
        "rank": (*RISKRANK[1:], "rank", model, small),
        "rank, lightgbm": (*RISKRANK[1:], "rank", f"{model}-lightgbm", small),
        "sweep": (
            PEERS, "anew", sweep, *RISKRANK[1:], "sweep", small, "--test", small, *OBJECTIVE, *ranking, "-o", sweep,
        ),
        "clicks prepare": (PEERS, "anew", prepared, *RISKRANK[1:], "clicks", "prepare", log, "-o", prepared),
    }  # fmt: skip
    timings = run_interleaved(
        {"python": (sys.executable, "-c", "pass"), **{n: (sys.executable, *c) for n, c in commands.items()}},
        rounds=options.rounds,
    )
    print(f"  {'':<18}{'cpu':>8}   milliseconds of loading, by library")
    for name, timing in timings.items():
        loaded = loading((sys.executable, "-X", "importtime", *commands.get(name, ("-c", "pass"))))
        shown = ", ".join(f"{library} {us / 1000:.0f}" for library, us in loaded.most_common() if us >= LEAST_SHOWN)
        print(f"  {name:<18}{sorted(timing.cpu)[len(timing.cpu) // 2]:>6.2f} s   {shown}")
    print(f"  load {os.getloadavg()[0]:.1f}")


EXAMPLE = ("qrels.txt.gz", "bm25.run.gz", "expansion.run.gz", "hybrid.run.gz", "neural.run.gz")
LEAST_SHOWN = 4000  # microseconds
IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\w+)")


def package_folder() -> Path:
    """Where riskrank is."""
    from importlib.util import find_spec

    found = find_spec("riskrank")
    return Path(str(found and found.origin)).parent


def loading(command: Sequence[str]) -> Counter[str]:
    """Microseconds that a process spends on loading modules, by the library that they are of."""
    said = run(command, capture_output=True, check=True).stderr.decode()
    spent: Counter[str] = Counter()  # of microseconds
    for microseconds, library in IMPORT.findall(said):
        spent["the standard library" if library in sys.stdlib_module_names else library] += int(microseconds)
    return spent


PARTS = {"training": print_training, "ranking": print_ranking, "sweep": print_sweep, "first": print_first,
         "start": print_start}  # fmt: skip


if __name__ == "__main__":
    main()
