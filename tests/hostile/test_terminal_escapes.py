"""Whatever stands in files and names, nothing of it commands a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from riskrank.cli.output import fail, harmless, harmless_streams
from riskrank.progress import Progress

HOSTILE = "\x1b[31mred\x1b]0;title\x07\x9b2J\x08\x7f\u202e"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture
def hostile_files(tmp_path):
    for name, lines in {
        "qrels": (f"{t}{HOSTILE} 0 d{d}{HOSTILE} {d % 2}" for t in range(6) for d in range(4)),
        f"a{HOSTILE}.run": (f"{t}{HOSTILE} Q0 d{d}{HOSTILE} 1 {d * 0.5} x" for t in range(6) for d in range(4)),
        "b.run": (f"{t}{HOSTILE} Q0 d{d}{HOSTILE} 1 {4 - d} x" for t in range(6) for d in range(4)),
        "odd": [f"1 Q0 {HOSTILE} 1 {HOSTILE} x"],
        "budget.toml": [f'"{HOSTILE}" = 1'.encode("unicode_escape").decode().replace("\\x", "\\u00")],
        "weights.csv": ["topic,weight", f"0{HOSTILE},{HOSTILE}"],
        "matrix.csv": [f"topic,a{HOSTILE},b", f"1{HOSTILE},0.1,{HOSTILE}"],
    }.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return tmp_path


CASES = [
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", "b"],
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", "b", "--tables"],
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", "b", "--per-topic"],
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", "b", "--all-pairs"],
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", "b", "--power"],
    ["evaluate", "qrels", f"a{HOSTILE}.run", "b.run", "-b", HOSTILE],
    ["evaluate", "qrels", "odd", "b.run"],
    ["evaluate", "qrels", HOSTILE],
    ["evaluate", "qrels", "b.run", "-m", f"nDCG{HOSTILE}"],
    ["evaluate", "qrels", "b.run", f"--{HOSTILE}"],
    ["evaluate", "qrels", "b.run", "--combine", HOSTILE],
    ["evaluate", "matrix.csv", "-b", "b"],
    ["gate", "qrels", f"a{HOSTILE}.run", "-b", "b.run", "--max-hurt", "0.1"],
    ["gate", "qrels", f"a{HOSTILE}.run", "-b", "b.run", "--max-hurt", "0.1", "--github"],
    ["gate", "qrels", f"a{HOSTILE}.run", "-b", "b.run", "--budget", "budget.toml"],
    ["gate", "qrels", f"a{HOSTILE}.run", "-b", "b.run", "--max-hurt", "1", "--weights", "weights.csv"],
    ["gate", "qrels", f"a{HOSTILE}.run", "-b", "b.run", "--max-hurt", "1", "--history", "h", "--label", HOSTILE],
    ["inspect", HOSTILE],
    [HOSTILE],
]


@pytest.mark.parametrize("arguments", CASES, ids=lambda arguments: " ".join(arguments).replace(HOSTILE, "%"))
def test_what_is_printed_has_no_commands(riskrank, hostile_files, arguments):
    done = riskrank(*arguments, cwd=hostile_files)
    assert done.out + done.err
    assert not COMMANDS.findall(done.out + done.err)


def test_a_trend_has_no_commands(riskrank, hostile_files):
    riskrank(*CASES[-3], cwd=hostile_files)
    done = riskrank("gate", "--trend", "h", cwd=hostile_files)
    assert r"\x1b" in done.out
    assert not COMMANDS.findall(done.out)


def test_data_stay_as_they_are_unless_a_terminal_shows_them(hostile_files):
    """A run through a pipe has the ids of its source; on a terminal, they are escaped."""
    program = f"""import sys; sys.argv = ["riskrank", "--version"]
from riskrank.cli.output import emit, harmless_streams
with harmless_streams():
    emit({HOSTILE!r}, is_data=True)
"""
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout.decode()
    assert piped == HOSTILE + "\n"
    ours, theirs = pty.openpty()
    with open(ours, "rb", buffering=0) as terminal, open(theirs, "wb", buffering=0) as end:
        subprocess.run([sys.executable, "-c", program], stdout=end, check=True)
        shown = os.read(terminal.fileno(), 4096).decode().replace("\r\n", "\n")
    assert COLOUR.findall(shown) == ["\x1b[31m"]  # harmless, and our own look the same
    assert not COMMANDS.findall(COLOUR.sub("", shown))


def test_progress_lines_and_failures_pass_the_same_door(capsys):
    with harmless_streams():
        with Progress(f"training {HOSTILE}", 2, show=True) as bar:
            bar.update(2, HOSTILE)
        sys.stderr.writelines([HOSTILE, "\n"])
        with pytest.raises(SystemExit):
            fail(HOSTILE)
    written = capsys.readouterr().err
    assert written.startswith("\r")  # the bar's own
    assert written.count("title") == 4
    assert not COMMANDS.findall(written[1:])


def test_colours_pass_only_where_they_are_wanted():
    assert harmless("\x1b[1mbold\x1b[0m\ttab\n", styled=True) == "\x1b[1mbold\x1b[0m\ttab\n"
    assert harmless("\x1b[1mbold") == r"\x1b[1mbold"
    assert harmless("\x1b[2J\x1b]8;;x\r\x85\u2028", styled=True) == r"\x1b[2J\x1b]8;;x\r\x85\u2028"
    assert harmless("新 −0.1 ▲ é") == "新 −0.1 ▲ é"
