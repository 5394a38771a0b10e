"""Every kind of file that riskrank reads, its own and its users', and what reads it."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unittest.mock import patch
from zipfile import ZipFile

import riskrank as rr
from riskrank.cli.main import main
from riskrank.clicks.prepared import Prepared
from riskrank.errors import RiskrankError

from .small_files import SHAPE, resumed, swept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class ToldError(RiskrankError):
    """A command ended with one line and status 2."""


def command(folder: Path, text: str) -> None:
    """Run a command; it works, or says in one line why not."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with patch.object(sys, "argv", ["riskrank", *text.split()]):
                main()
        except SystemExit as end:
            status = end.code
    said = err.getvalue()
    assert status in (0, 1, 2), (status, said)  # 1: a gate that is not passed
    assert "not enough memory" not in said, said
    if status == 2:
        *notes, _ = lines = said.splitlines()
        assert all(line.startswith("riskrank: ") for line in lines), said
        assert not notes or ": query = " in notes[0], said  # of a table it is said first what was taken for what
        assert (out.getvalue(), said[-1]) == ("", "\n"), said
        assert len(said) < 1200, said
        raise ToldError(lines[-1])


@dataclass(frozen=True)
class Format:
    """A file in a folder, and what reads it; `wrapped` puts the changed bytes into the file, if they are not all."""

    file: str
    read: Callable[[Path], object]
    inner: Callable[[bytes], bytes] = bytes
    wrapped: Callable[[bytes, bytes], bytes] = lambda _whole, changed: changed

    @property
    def is_json(self) -> bool:
        return self.file.endswith((".json", ".jsonl"))


def use(model: str) -> Callable[[Path], object]:
    data = "brands.csv" if model.startswith("brands") else "test.txt"

    def read(folder: Path) -> None:
        try:
            command(folder, f"inspect {model}")
        finally:
            command(folder, f"rank {model} {data} --force -o scored.jsonl")

    return read


def evaluate(text: str) -> Callable[[Path], object]:
    return lambda folder: command(folder, f"evaluate {text}")


def gate(text: str) -> Callable[[Path], object]:
    return lambda folder: command(folder, f"gate qrels.txt new.run -b old.run {text}")


def table(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of columns that are constant now
            repr(rr.read_table(name.format(folder) if ":" in name else folder / name))

    return read


def loaded_sweep(folder: Path) -> None:
    sweep = rr.Sweep.load(folder / "sweep")
    repr(sweep)
    sweep.summary.write_csv()
    sweep.choose(max_risk=0.5)


def read_clicks(folder: Path) -> None:
    prepared = Prepared.open(folder / "prepared")
    repr(prepared)
    rr.LambdaMART(**SHAPE).fit(prepared.read("train"))


def read_assessment(folder: Path) -> None:
    assessment = rr.Assessment.from_json(folder / "assessment.json")
    repr(assessment)
    assessment.to_json()


def read_gate(folder: Path) -> None:
    result = rr.GateResult.from_json(folder / "gate.json")
    repr(result)
    result.to_json()


def state_of(archive: bytes) -> bytes:
    with ZipFile(io.BytesIO(archive)) as file:
        return file.read("state.npy")


def with_state(archive: bytes, state: bytes) -> bytes:
    """The same archive, its digests mended."""
    content = io.BytesIO()
    with ZipFile(io.BytesIO(archive)) as before, ZipFile(content, "w") as after:
        for name in before.namelist():
            after.writestr(name, state if name == "state.npy" else before.read(name))
    return content.getvalue()


def model_files() -> dict[str, Format]:
    files = {
        "trees": ("card.json", "history.json", "model.txt", ".riskrank.json"),
        "trees of XGBoost": ("model.json",),
        "regression trees": ("card.json",),
        "named trees": ("card.json", "model.txt"),
        "named trees of XGBoost": ("card.json", "model.json"),
        "brands": ("card.json", "model.txt"),
        "brands of XGBoost": ("card.json", "model.json"),
        "linear": ("card.json", "weights.json"),
        "net": ("card.json", "model.safetensors"),
        "mixed": ("card.json",),
        "selective": ("card.json", "model/card.json", "model/model.txt"),
    }
    return {
        f"{kind}, {name}": Format(f"{kind.replace(' ', '-')}/{name}", use(kind.replace(" ", "-")))
        for kind, names in files.items()
        for name in names
    }


def checkpoints() -> dict[str, Format]:
    def read(kind: str) -> Callable[[Path], object]:
        return lambda folder: resumed(folder, kind, resume=True)

    files = {kind: f"stopped-{kind}/checkpoint.npz" for kind in ("trees", "net", "linear")}
    plain = {f"checkpoint of {kind}": Format(file, read(kind)) for kind, file in files.items()}
    states = {
        f"state of a checkpoint of {kind}": Format(file, read(kind), state_of, with_state)
        for kind, file in files.items()
    }
    return plain | states


OWN = {
    **model_files(),
    "an unfinished list": Format("unfinished/.riskrank.json", use("unfinished")),
    "lock": Format("unfinished/.riskrank.lock", use("unfinished")),
    **checkpoints(),
    "sweep": Format("sweep/sweep.json", loaded_sweep),
    "queries of a sweep": Format("sweep/queries.parquet", loaded_sweep),
    "model of a sweep": Format("sweep/models/urisk/alpha=0/fold-1/finished.json", swept),
    "queries of a model of a sweep": Format("sweep/models/urisk/alpha=0/fold-1/queries.parquet", swept),
    "card of a model of a sweep": Format("sweep/models/urisk/alpha=0/fold-1/card.json", swept),
    "prepared clicks": Format("prepared/prepared.json", read_clicks),
    "prepared clicks of a former version": Format(
        "formerly/prepared.json", lambda f: command(f, "clicks prepare log.csv -o formerly")
    ),
    "pages of prepared clicks": Format("prepared/train/00000.parquet", read_clicks),
    "assessment": Format("assessment.json", read_assessment),
    "gate": Format("gate.json", read_gate),
    "history of a gate": Format("history.jsonl", gate("--max-hurt 1 --history history.jsonl --label x")),
}
GIVEN = {
    "budget": Format("budget.toml", gate("--budget budget.toml")),
    "segments": Format("segments.csv", gate("--max-hurt 1 --segments segments.csv")),
    "weights of topics": Format("weights.csv", gate("--max-hurt 1 --weights weights.csv")),
    "list of topics": Format("topics.txt", gate("--max-hurt 1 --must-not-break topics.txt")),
    "qrels": Format("qrels.txt", evaluate("qrels.txt old.run new.run -b old")),
    "run": Format("new.run", evaluate("qrels.txt old.run new.run -b old")),
    "packed run": Format("new.run.gz", evaluate("qrels.txt old.run new.run.gz -b old")),
    "run that is packed after it changed": Format(
        "new.run.gz",
        evaluate("qrels.txt old.run new.run.gz -b old"),
        gzip.decompress,
        lambda _whole, changed: gzip.compress(changed),
    ),
    "judgments as a table": Format("judged.csv", evaluate("judged.csv old.run new.run -b old")),
    "results as a table": Format("new.csv", evaluate("qrels.txt old.run new.csv -b old")),
    "results as Parquet": Format("new.parquet", evaluate("qrels.txt old.run new.parquet -b old")),
    "matrix as CSV": Format("matrix.csv", evaluate("matrix.csv -b old")),
    "matrix as Parquet": Format("matrix.parquet", evaluate("matrix.parquet -b old")),
    "plain matrix as Parquet": Format("plain.parquet", evaluate("plain.parquet -b old")),
    "feature data": Format("test.txt", lambda f: command(f, "rank trees test.txt")),
    "feature data that are judged": Format("test.txt", evaluate("test.txt feature:1 feature:2 -b feature:1")),
    "packed feature data": Format("test.txt.gz", lambda f: command(f, "rank trees test.txt.gz")),
    **{
        f"feature data packed by {kind}": Format(
            f"test.txt.{ending}", lambda f, ending=ending: command(f, f"rank trees test.txt.{ending}")
        )
        for kind, ending in (("bzip2", "bz2"), ("xz", "xz"), ("Zstandard", "zst"))
    },
    **{
        f"table of features, {name}": Format(f"features/{name}", table(f"features/{name}"))
        for name in ("a.parquet", "a.csv", "a.tsv", "a.arrow", "packed.arrow", "a.jsonl", "a.csv.gz")
    },
    "table of features, SQLite": Format("features/a.db", table("sqlite:///{}/features/a.db")),
    "table of features, DuckDB": Format("features/a.duckdb", table("duckdb:///{}/features/a.duckdb?table=features")),
    "sizes of queries": Format("beside.txt.query", lambda f: command(f, "rank trees beside.txt")),
    "scores of feature data": Format("scores.txt", evaluate("test.txt scores.txt feature:1 -b feature:1")),
    "log as CSV": Format("log.csv", lambda f: command(f, "clicks prepare log.csv -o new")),
    "log as Parquet": Format("log.parquet", lambda f: command(f, "clicks prepare log.parquet -o new")),
    "log of 2011": Format("log2011.txt", lambda f: command(f, "clicks prepare log2011.txt -o new --layout 2011")),
    "log of 2013": Format("log2013.txt", lambda f: command(f, "clicks prepare log2013.txt -o new --layout 2013")),
}
FORMATS = OWN | GIVEN


def put(folder: Path, each: Format, content: bytes) -> None:
    """Another content of a file; where a card has its digest, the digest of that."""
    path = folder / each.file
    path.write_bytes(content)
    place, below = path, ""
    while path.name != "card.json" and (place := place.parent) != folder.parent:
        card = place / "card.json"
        if card.is_file():
            below = str(path.relative_to(place))
            text = json.loads(card.read_text())
            if below in text.get("files", {}):
                text["files"][below] = hashlib.sha256(content).hexdigest()
                card.write_text(json.dumps(text))
                path, content = card, card.read_bytes()
            break
    if (
        path.name == "card.json"
        and path.parent.name == "model"
        and (outer := path.parent.parent / "card.json").is_file()
    ):
        text = json.loads(outer.read_text())
        outer.write_text(json.dumps(text | {"model": hashlib.sha256(content).hexdigest()}))
