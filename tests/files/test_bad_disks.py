"""Disks that are full or cannot be written, and folders that vanish: one line, and what was there stays as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import polars as pl
import pytest

from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.simulator import World
from riskrank.data.letor.writer import write_letor
from riskrank.data.synthetic.synthetic_features import web_search_data

SIZE = 1 << 20  # bytes of the small disk
BLOCK = 4096
COMMANDS = {
    "evaluate": "evaluate matrix.csv -b old --html {}/page.html",
    "gate": "gate matrix.csv new -b old --max-hurt 1 --junit {0}/junit.xml --html {0}/page.html",
    "plot": "plot matrix.csv -b old -o {}/chart.svg",
    "train": "train train.txt -o {}/out --trees 4 --leaves 3 --checkpoint-every 2 --threads 1",
    "rank": "rank model train.txt -o {}/new.run",
    "rank a table": "rank model table.csv -o {}/scores.parquet",
    "baselines of a table": "baselines table.csv -o {}/out --ranker AFS --share 0.5",
    "reproduce": "reproduce dincer2016 table-5 -o {}/out",
    "synthesise": "synthesise cubic -o {}/new.txt --queries 50 --documents 9",
    "sweep": "sweep train.txt --test train.txt -b feature:1 --alpha 0,1 --trees 2 --leaves 3 -o {}/out",
    "baselines": "baselines train.txt -o {}/out --ranker AFS --ranker AdaRank --share 0.5",
    "simulate-clicks": "simulate-clicks {}/log.csv --pages 60",
    "clicks prepare": "clicks prepare log.csv -o {}/out --keep-unsatisfied",
    "clicks train": "clicks train prepared -o {}/out --trees 2 --alpha 0 --beta 1 --lowest-beta 1 --both-alpha 1",
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_letor(web_search_data(12, documents_per_query=8, n_features=20), folder / "train.txt", digits=3)
    table = web_search_data(12, documents_per_query=8, n_features=20)
    columns = [f"feature_{number}" for number in range(1, 21)]
    frame = pl.DataFrame(table.features, schema=columns, orient="row")
    frame.insert_column(0, pl.Series("label", table.labels)).insert_column(
        0, pl.Series("qid", table.query_numbers)
    ).write_csv(folder / "table.csv")
    (folder / "matrix.csv").write_text("topic,old,new\n" + "".join(f"{i},0.{i},0.{9 - i}\n" for i in range(1, 9)))
    write_log(World(random_state=1).log(60), folder / "log.csv")
    prepare(folder / "log.csv", folder / "prepared", keep_unsatisfied=True)
    return folder


@pytest.fixture
def inputs(data, riskrank):
    if not (data / "model").exists():
        assert riskrank(*["train", "train.txt", "-o", "model", "--trees", "2", "--leaves", "3"], cwd=data).status == 0
    return data


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory):
    """A file system of its own with hardly any space."""
    place = tmp_path_factory.mktemp("disk")
    mount = shutil.which("mount")
    if sys.platform != "linux" or mount is None or os.geteuid() != 0:
        pytest.skip("only root can make a small file system; full disks are injected in test_crashes.py")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", f"size={SIZE}", "none", place], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"no small file system can be made here ({made.stderr.strip()})")
    yield place
    subprocess.run(["umount", place], check=True)


def fill(disk, free):
    """Leave this many bytes."""
    space = os.statvfs(disk)
    with open(disk / "full", "wb") as file:
        file.write(bytes(max(0, space.f_bavail * space.f_frsize - free)))


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def told(done, *reasons):
    assert done.status == 2, done
    notes = ("interrupted", "goes on", "table.csv: query = ")
    lines = [line for line in done.err.splitlines() if not any(note in line for note in notes)]
    assert len(lines) == 1, done
    assert any(reason in lines[0] for reason in reasons), done


@pytest.mark.parametrize("name", COMMANDS)
def test_a_disk_that_is_really_full_is_told_and_nothing_is_lost(name, small_disk, inputs, riskrank, record_property):
    command = COMMANDS[name].format(small_disk).split()
    n_tried, is_done = 0, False
    for free in (0, 2 * BLOCK, 6 * BLOCK, 16 * BLOCK, 48 * BLOCK, SIZE):
        (small_disk / "notes.txt").write_text("all of it")
        fill(small_disk, free)
        done = riskrank(*command, cwd=inputs)
        (small_disk / "full").unlink()
        if done.status:
            told(done, "No space left on device")
            assert done.out == ""
            assert not [path.name for path in small_disk.rglob("*") if ".riskrank" in path.name and path.is_dir()]
        assert (small_disk / "notes.txt").read_text() == "all of it"
        n_tried += 1
        is_done = done.status == 0
        if is_done:
            break
    assert n_tried > 1
    assert is_done
    assert not [path.name for path in small_disk.rglob("*") if ".riskrank-" in path.name or path.name.endswith(".lock")]
    for path in small_disk.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    record_property("tried", n_tried)


def test_a_full_disk_keeps_what_a_file_replaces(small_disk, inputs, riskrank):
    command = COMMANDS["evaluate"].format(small_disk).split()
    assert riskrank(*command, cwd=inputs).status == 0
    before = contents(small_disk)
    fill(small_disk, 0)
    told(riskrank(*command, "-a", "7", cwd=inputs), "No space left on device")
    (small_disk / "full").unlink()
    assert contents(small_disk) == before


def test_an_input_by_another_path_to_its_disk_is_no_output(small_disk, inputs, riskrank, tmp_path):
    """Two mounts of one folder: no link tells that they are the same."""
    shutil.copy(inputs / "train.txt", small_disk / "train.txt")
    again = tmp_path / "again"
    again.mkdir()
    subprocess.run(["mount", "--bind", small_disk, again], check=True)
    try:
        before = contents(small_disk)
        told(
            riskrank("rank", "model", small_disk / "train.txt", "-o", again / "train.txt", cwd=inputs),
            "one of the inputs",
        )
        told(riskrank("train", small_disk / "train.txt", "-o", again, cwd=inputs), "is not a model", "holds the input")
        assert contents(small_disk) == before
    finally:
        subprocess.run(["umount", again], check=True)
    (small_disk / "train.txt").unlink()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_disk_that_is_mounted_read_only_is_told_before_any_work(name, small_disk, inputs, riskrank):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    try:
        told(riskrank(*COMMANDS[name].format(small_disk).split(), cwd=inputs), "Read-only", "permission denied")
    finally:
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_vanishes_meanwhile_is_told(name, inputs, riskrank, tmp_path, monkeypatch):
    """It goes when the first file of the output is begun."""
    place = tmp_path / "place"
    place.mkdir()
    from riskrank.files import disk

    sync = disk.sync

    def gone(handle):
        shutil.rmtree(place, ignore_errors=True)
        sync(handle)

    monkeypatch.setattr(disk, "sync", gone)
    done = riskrank(*COMMANDS[name].format(place).split(), cwd=inputs)
    told(done, "cannot be written (No such file or directory)")
    monkeypatch.undo()
    place.mkdir(exist_ok=True)
    assert riskrank(*COMMANDS[name].format(place).split(), cwd=inputs).status == 0
