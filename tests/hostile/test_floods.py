"""Numbers, files and names that would flood memory, wait for ever, or end the process: one line, and status 2."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import threading
from importlib import import_module

import polars as pl
import pytest

import riskrank as rr
from riskrank import parameters
from riskrank.data.files import read_bytes
from riskrank.data.opening import packed_streams
from riskrank.data.opening.packed_streams import ANY_SIZE, HARMLESS
from riskrank.errors import FileError, ParameterError
from riskrank.rankers.trees.engine import check_threads

DIGITS = "9" * 5000
ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
EVALUATE = "evaluate qrels.txt neural.run bm25.run -b bm25"
GATE = "gate qrels.txt neural.run -b bm25.run"
TRAIN = "train train.txt -o new"
PLOT = "plot scores.json -o new.png"


@pytest.mark.parametrize(
    "command",
    [
        f"{EVALUATE} -m nDCG@99999999999",
        f"{EVALUATE} -m nDCG@{DIGITS}",
        f"{EVALUATE} -m P(rel={DIGITS})@5",
        f"{EVALUATE} -a 1e308",
        f"{EVALUATE} -a {DIGITS}",
        f"{EVALUATE} -a nan",
        f"{EVALUATE} --level {DIGITS}",
        f"{EVALUATE} --confidence inf",
        f"{EVALUATE} --bootstrap {DIGITS}",
        f"{EVALUATE} --sort {DIGITS}",
        f"{GATE} --max-hurt 1e308",
        f"{GATE} --max-loss inf",
        f"{GATE} --alpha 1e308",
        f"{GATE} --min-gain {DIGITS}",
        f"{TRAIN} --threads 100000",
        f"{TRAIN} --threads {DIGITS}",
        f"{TRAIN} --trees 1000000000000",
        f"{TRAIN} --leaves 1000000000000",
        f"{TRAIN} --min-docs 1000000000000",
        f"{TRAIN} --early-stopping 1000000000000",
        f"{TRAIN} --checkpoint-every 1000000000000",
        f"{TRAIN} --rate {DIGITS}",
        f"{TRAIN} --param num_threads=100000",
        f"{TRAIN} --engine xgboost --param n_jobs=100000",
        f"{TRAIN} --set n_trees={DIGITS}",
        f"{TRAIN} --set n_trees={'(' * 5000}",
        f"{TRAIN} --ranker AFS --rounds 1000000000000",
        f"{TRAIN} --ranker LinearRanker --set n_starts=1000000000000",
        f"{TRAIN} --objective urisk --alpha 1e308 -b feature:1",
        f"{TRAIN} --objective cvar --alpha 1e12 -b feature:1",
        f"{TRAIN} --ranker PreferenceLambdaMART --set beta=1e308",
        f"{PLOT} --width 99999999",
        f"{PLOT} --height 1000000000000",
        f"{PLOT} --scale 1e308",
        f"{PLOT} --scale 50",
        "sweep train.txt -b feature:1 -o new --folds 1000000000000",
        "sweep train.txt --test train.txt -b feature:1 -o new --jobs 1000000000000",
        "simulate-clicks new.csv --pages 1000000000000",
        "simulate-clicks new.csv --habits 1e308",
        "clicks prepare log.csv -o new --memory 1000000000000",
        f"clicks prepare log.csv -o new --sample {DIGITS}",
        f"rank model train.txt --depth {DIGITS}",
        f"inspect model --rows {DIGITS}",
    ],
    ids=lambda command: command[:60],
)  # fmt: skip
def test_a_number_beyond_reason_is_refused(refused, command):
    refused(command)


@pytest.mark.parametrize("name", sorted(parameters.MOST))
def test_the_most_of_a_parameter_is_allowed_and_named(name):
    most = parameters.MOST[name]
    parameters.whole(name, most, 0)
    with pytest.raises(ParameterError, match=f"from 0 to {most}, got {most + 1}"):
        parameters.whole(name, most + 1, 0)


def test_numbers_that_python_does_not_write_are_told():
    with pytest.raises(ParameterError, match=r"got a number of over 4,000 digits"):
        parameters.whole("x", 10**5000, 0)


def test_engines_get_no_more_threads_than_they_can_make():
    for number in ("0", "8", "-1", "many"):  # what is no number, the engine refuses
        check_threads(number)
    for number in ("100000", DIGITS):
        with pytest.raises(ParameterError):
            check_threads(number)


def test_nets_that_do_not_fit_into_memory_are_refused(refused):
    pytest.importorskip("torch")
    for hidden in ("999999999", "65536,65536", f"[{'9000,' * 50}]"):
        assert "hidden must" in refused(f"train train.txt -o new --ranker LambdaNet --set hidden={hidden}")


NO_FILES = ("pipe", "device", "socket", "folder", "loop", "n" * 5000, f"{'n' * 300}/x", "nowhere")


@pytest.mark.parametrize("name", NO_FILES, ids=lambda name: name[:8])
@pytest.mark.parametrize(
    "command",
    [
        "evaluate {} bm25.run",
        "evaluate qrels.txt {} bm25.run",
        "gate {} neural.run -b bm25.run --max-hurt 1",
        "gate qrels.txt {} -b bm25.run --max-hurt 1",
        f"{GATE} --max-hurt 1 --weights {{}}",
        f"{GATE} --max-hurt 1 --segments {{}}",
        f"{GATE} --max-hurt 1 --must-not-break {{}}",
        f"{GATE} --budget {{}}",
        "plot {} -o new.svg",
        "train {} -o new",
        "train train.txt --valid {} -o new",
        "train train.txt -b {} --objective urisk -o new",
        "rank {} train.txt",
        "rank model {}",
        "inspect {}",
        "inspect model --data {} --permutation",
        "inspect sqlite:///{}",
        "rank model duckdb:///{}?table=x",
        "train train.txt -o new --weights {}",
        "sweep {} --test train.txt -b feature:1 -o new",
        "sweep train.txt --test {} -b feature:1 -o new",
        "baselines {} -o new",
        "clicks prepare {} -o new",
        "clicks train {} -o new",
        "clicks evaluate {}",
    ],
)
def test_what_is_no_file_is_refused(refused, command, name):
    refused(command.format(name))


@pytest.mark.parametrize("name", ["pipe", "device", "folder"])
def test_a_history_that_is_no_file_is_refused(refused, name):
    refused(f"{GATE} --max-hurt 1 --history {name}")


@pytest.mark.parametrize("file", ["card.json", "model.txt", "history.json"])
@pytest.mark.parametrize("place", ["pipe", "device", "folder", "loop"])
def test_a_model_whose_file_is_none_is_refused(riskrank, made, tmp_path, file, place):
    model = shutil.copytree(made / "model", tmp_path / "model")
    (model / file).unlink()
    (model / file).symlink_to(made / place)
    for command in (["inspect", model], ["rank", model, made / "train.txt"]):
        done = riskrank(*command)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done


def test_a_pipe_is_read_when_somebody_writes_to_it(riskrank, made):
    text = (made / "neural.run").read_bytes()
    writer = threading.Thread(target=lambda: (made / "pipe").write_bytes(text))
    writer.start()
    done = riskrank("evaluate", "qrels.txt", "pipe", "bm25.run", "-b", "bm25", cwd=made)
    writer.join()
    assert done.status == 0, done


def packed(line: bytes, size: int, beginning: bytes = b"") -> bytes:
    block = gzip.compress(line * (2**22 // len(line)))
    return gzip.compress(beginning) + block * (size // 2**22 + 1)


@pytest.mark.parametrize(
    ("name", "line", "beginning", "command"),
    [
        ("a.run.gz", b"1 Q0 d 1 1.0 t\n", b"", "evaluate qrels.txt {} bm25.run"),
        ("a.qrels.gz", b"1 0 d 1\n", b"", "evaluate {} bm25.run"),
        ("a.csv.gz", b"1,0.5,0.5\n", b"topic,a,b\n", "evaluate {}"),
        ("a.csv.gz", b"1,a,1\n", b"query,document,grade\n", "evaluate {} bm25.run"),
        ("a.txt.gz", b"1 qid:1 1:1 2:2\n", b"", "train {} -o new"),
        ("a.csv.gz", b"1,1,1,1,0\n", b"session,query,position,document,clicked\n", "clicks prepare {} -o new"),
        ("a.toml.gz", b"# nothing\n", b"", f"{GATE} --budget {{}}"),
        ("a.json.gz", b" " * 64, b"{", "plot {} -o new.svg"),
        ("a.csv.gz", b"1,a\n", b"topic,segment\n", f"{GATE} --max-hurt 1 --segments {{}}"),
    ],
)  # fmt: skip
def test_a_gzip_bomb_is_told_before_it_fills_memory(refused, tmp_path, name, line, beginning, command):
    (tmp_path / name).write_bytes(packed(line, 2 * HARMLESS, beginning))
    assert f"set {ANY_SIZE}=1" in refused(command.format(tmp_path / name))


BEGINNINGS = {
    "inspect {}": b"qid,label,a\n",
    "train {} -o new": b"1 qid:1 1:1\n",
    "rank model {}": b"PAR1",
    "inspect model --data {} --permutation": b'{"qid":1,"label":1,"a":1}\n',
}


@pytest.mark.parametrize("packing", ["bz2", "lzma", ZSTD])
@pytest.mark.parametrize("command", BEGINNINGS)
def test_bombs_of_other_packings_are_told_too(refused, tmp_path, packing, command, monkeypatch):
    pack = import_module(packing).compress
    (tmp_path / "bomb").write_bytes(pack(BEGINNINGS[command]) + pack(b" " * 2**22) * 4)
    monkeypatch.setattr(packed_streams, "HARMLESS", 2**20)
    assert f"set {ANY_SIZE}=1" in refused(command.format(tmp_path / "bomb"))


def test_the_limit_can_be_lifted_and_small_files_need_not(tmp_path, monkeypatch):
    (tmp_path / "small.gz").write_bytes(packed(b"a\n", HARMLESS // 2))
    assert len(read_bytes(tmp_path / "small.gz")) < HARMLESS
    (tmp_path / "large.gz").write_bytes(packed(b"a\n", HARMLESS))
    with pytest.raises(FileError, match=ANY_SIZE):
        read_bytes(tmp_path / "large.gz")
    monkeypatch.setenv(ANY_SIZE, "1")
    assert len(read_bytes(tmp_path / "large.gz")) > HARMLESS


@pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\x78\x9c", b"\x28\xb5\x2f\xfd"])
def test_what_polars_would_unpack_by_itself_is_refused(refused, tmp_path, magic):
    (tmp_path / "twice.gz").write_bytes(gzip.compress(magic + b"1 Q0 d 1 1.0 t\n" * 9))
    assert "is compressed in a way" in refused(f"evaluate qrels.txt {tmp_path / 'twice.gz'} bm25.run")


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"topic": pl.repeat(1, 40_000_000, dtype=pl.Int8, eager=True)}),
        pl.DataFrame({"topic": ["a" * 2**27]}),
    ],
    ids=["rows", "bytes"],
)
def test_a_parquet_bomb_is_told_by_its_footer(refused, tmp_path, frame):
    names = ("session", "query", "position", "document", "clicked")
    frame.select(pl.col("topic").alias(name) for name in names).write_parquet(tmp_path / "log.parquet")
    frame.select(pl.col("topic"), pl.col("topic").alias("system")).write_parquet(tmp_path / "scores.parquet")
    assert ANY_SIZE in refused(f"clicks prepare {tmp_path}/log.parquet -o new")
    assert ANY_SIZE in refused(f"evaluate {tmp_path}/scores.parquet -b system")


def test_no_byte_of_a_parquet_footer_makes_the_reading_fail_otherwise(tmp_path):
    buffer = io.BytesIO()
    pl.DataFrame({"topic": ["1", "2", "3"], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.4]}).write_parquet(buffer)
    whole = buffer.getvalue()
    length = int.from_bytes(whole[-8:-4], "little") + 8
    for place in range(len(whole) - length, len(whole), 7):
        for value in (0, 127, 255):
            (tmp_path / "a.parquet").write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            try:
                rr.read_scores(tmp_path / "a.parquet")
            except rr.RiskrankError:
                continue


def test_a_file_of_nothing_but_holes_is_refused_unread(refused, tmp_path):
    with open(tmp_path / "holes.run", "wb") as file:
        file.truncate(2**40)
    assert "is a binary file" in refused(f"evaluate qrels.txt {tmp_path / 'holes.run'} bm25.run")
    os.rename(tmp_path / "holes.run", tmp_path / "holes.csv")
    assert "is a binary file" in refused(f"clicks prepare {tmp_path / 'holes.csv'} -o {tmp_path / 'prepared'}")
    assert "is a binary file" in refused(f"gate --trend {tmp_path / 'holes.csv'}")
    gate = f"gate qrels.txt neural.run -b bm25.run --history {tmp_path / 'holes.csv'}"
    assert "is not a gate's history" in refused(gate)


@pytest.mark.parametrize("command", ["evaluate qrels.txt bm25.run", "train a.txt -o model", "inspect model"])
def test_a_working_directory_that_is_gone_is_told(tmp_path, command):
    (tmp_path / "gone").mkdir()
    program = "import os; os.rmdir(os.getcwd()); from riskrank.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program, *command.split()], cwd=tmp_path / "gone", capture_output=True, text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )  # fmt: skip
    assert done.returncode == 2, done
    assert (done.stderr.count("\n"), done.stderr[:10]) == (1, "riskrank: "), done
