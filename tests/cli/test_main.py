"""The command as a whole: what it says of itself, and to somebody who mistypes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from itertools import chain

import pytest

from riskrank.cli.main import CLICK_COMMANDS, COMMANDS


@pytest.mark.parametrize(
    "command", [("simulate-clicks",), ("clicks",), *(("clicks", each) for each in ("prepare", "train", "evaluate"))]
)
def test_every_command_explains_itself(riskrank, command):
    done = riskrank(*command, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"riskrank {' '.join(command)} " in done.out


def test_a_command_that_does_not_exist_is_told(riskrank):
    done = riskrank("clicks", "evaluat")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: ")


def test_usage_names_arguments_as_manuals_do(riskrank):
    assert " riskrank evaluate [OPTIONS] QRELS [RUN…] " in riskrank("evaluate", "--help").out
    assert " riskrank gate [OPTIONS] [QRELS] [CANDIDATE…] " in riskrank("gate", "--help").out


def test_commands_are_grouped_by_what_they_are_for(riskrank):
    text = riskrank("--help").out
    places = [text.index(f"─ {panel} ─") for panel in COMMANDS]
    assert places == sorted(places)
    names = chain(*COMMANDS.values(), ["clicks"])
    assert all(re.search(rf"^│ {name} ", text, flags=re.MULTILINE) for name in names)


def test_every_example_in_the_help_fits_a_line_and_runs(riskrank):
    """One after the other, as somebody would who begins: some need what others write."""
    order = [*chain(*(commands.values() for commands in COMMANDS.values())), *CLICK_COMMANDS.values()]
    order.sort(key=lambda module: module == "plot")  # needs a sweep
    assert riskrank("demo", "--save", ".").status == 0
    n_examples = 0
    for module in order:
        text = import_module(f"riskrank.cli.commands.{module}").command.__doc__
        for example in re.findall(r"^ *(riskrank .*)$", text, flags=re.MULTILINE):
            assert len(example) <= 78, example
            shorter = example.replace("--pages 20000", "--pages 4000").replace("--trees 50", "--trees 5")
            done = riskrank(*shlex.split(shorter)[1:])
            assert (done.status, done.err) == (0, ""), example
            n_examples += 1
    assert n_examples >= 11


def test_the_first_training_of_an_installation_says_on_a_terminal_that_it_compiles(tmp_path):
    pty = pytest.importorskip("pty")
    data = tmp_path / "train.txt"
    data.write_text("".join(f"{row % 3} qid:{row // 5} 1:{row % 7} 2:{row % 4}\n" for row in range(40)))
    command = ["train", str(data), "--trees", "1", "--min-docs", "1", "-q", "-o", str(tmp_path / "model")]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    said = []
    for _ in range(2):
        code = "from riskrank.cli.main import run; run()"
        ours, theirs = pty.openpty()
        done = subprocess.run([sys.executable, "-c", code, *command], stdout=-1, stderr=theirs, env=environment)
        os.write(theirs, b"end")
        said.append("")
        while not said[-1].endswith("end"):
            said[-1] += os.read(ours, 1000).decode()
        assert done.returncode == 0, said
        os.close(ours)
        os.close(theirs)
    assert said == ["riskrank: compiling loops for this machine, once per installation.\r\nend", "end"]
