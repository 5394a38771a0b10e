"""Real kills: a command is killed at random moments and run again until it is done; the result is that of a quiet run.

How many kills of each command: RISKRANK_KILLS (2).
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time

import pytest

from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.simulator import World
from riskrank.data.letor.writer import write_letor
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers import load

KILLS = int(os.environ.get("RISKRANK_KILLS", "2"))
COMMANDS = {
    "train": "train train.txt -b feature:1 --objective urisk --trees 150 --leaves 15 --checkpoint-every 20 -o out",
    "sweep": "sweep train.txt --test test.txt -b feature:1 --alpha 0,1,5 --trees 60 -o out",
    "baselines": "baselines train.txt -o out --ranker LambdaMART --ranker AFS --share 0.5",
    "clicks prepare": "clicks prepare log.parquet -o out",
    "clicks train": "clicks train prepared -o out --trees 30 --alpha 1 --beta 0.2 --lowest-beta 1 --both-alpha 1",
}
RUN = "import sys; from riskrank.cli.main import run; sys.argv[0] = 'riskrank'; run()"
SAYS = re.compile(r"^riskrank: .*(goes on (from|with)|starts (anew|again)).*$", re.MULTILINE)  # of what was interrupted
SAME = ("model.txt", "rest.txt", "*.parquet", "summary.csv", "prepared.json", "weights*")  # cards hold the time


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    queries = web_search_data(400, documents_per_query=30, n_features=30, random_state=5)
    write_letor(queries.take(slice(0, 300)), folder / "train.txt", digits=4)
    write_letor(queries.take(slice(300, 400)), folder / "test.txt", digits=4)
    write_log(World(random_state=3).log(20_000), folder / "log.parquet")
    prepare(folder / "log.parquet", folder / "prepared")
    return folder


def placed(data, folder):
    """A folder with links to the data."""
    folder.mkdir()
    for path in data.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def run(folder, command, seconds=None):
    """A command, killed after some time; its status, and what it said."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *command.split()], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        _, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
    return process.returncode, said.decode()


def run_and_told(folder, command, seconds=None):
    """A command that is killed, or does its work; it says in one line what becomes of what was interrupted."""
    was_interrupted = any((folder / "out").rglob(".riskrank.lock")) or any(folder.glob("out.checkpoint/*.npz"))
    status, said = run(folder, command, seconds)
    if status == 2:  # all files were there before the last kill came, though perhaps its lock, too
        assert "holds baselines already" in said
        assert results(folder)
    elif seconds is None or status == 0:
        assert status == 0, said
        assert len(SAYS.findall(said)) == was_interrupted, said


def results(folder):
    """Files by name; of a model's text the trees, after which LightGBM echoes seeds of the last block of trees."""
    return {
        str(path.relative_to(folder)): path.read_bytes().partition(b"\nend of trees")[0]
        for name in SAME
        for path in sorted((folder / "out").rglob(name))
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_again_and_again_ends_in_the_same_files(name, data, tmp_path, record_property):
    quiet = placed(data, tmp_path / "quiet")
    started = time.perf_counter()
    assert run(quiet, COMMANDS[name])[0] == 0
    duration = time.perf_counter() - started
    expected = results(quiet)
    assert expected
    killed = placed(data, tmp_path / "killed")
    draw = random.Random(name)
    for _ in range(KILLS):
        run_and_told(killed, COMMANDS[name], draw.uniform(0.2, 0.9) * duration)
    run_and_told(killed, COMMANDS[name])
    assert results(killed) == expected
    record_property("tried", KILLS)
    left = [path.name for path in killed.rglob("*") if ".riskrank-" in path.name or path.name.endswith(".checkpoint")]
    assert left == []
    assert sorted(path.name for path in killed.iterdir()) == sorted(["out", *(path.name for path in data.iterdir())])


def test_two_processes_that_race_for_one_output_give_one_whole_model(data, tmp_path):
    folder = placed(data, tmp_path / "race")
    racing = [
        subprocess.Popen(
            [sys.executable, "-c", RUN, *COMMANDS["train"].split()], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]  # fmt: skip
    said = [process.communicate()[1].decode() for process in racing]
    statuses = [process.returncode for process in racing]
    assert statuses.count(0) >= 1
    for status, text in zip(statuses, said, strict=True):
        if status:
            assert status == 2
            assert "is being written by process" in text
    assert load(folder / "out").card_["trees"] == 150
