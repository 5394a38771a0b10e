"""Signatures as type checkers see them: what the documents show is right, and mistakes are caught."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
SOURCE = PROJECT / "src"
RIGHT, WRONG = HERE / "readme_calls.py", HERE / "mistakes.py"
EXAMPLE = HERE.parent / "rankers" / "outside_ranker.py"  # a ranker to copy
CHECKED = [str(path) for path in (RIGHT, WRONG, EXAMPLE)]

# How each checker calls the kinds of mistakes; a function with overloads may say another word than one without.
KINDS = {
    "wrong type": {"reportArgumentType", "arg-type", "call-overload", "list-item", "dict-item", "index"},
    "unknown parameter": {"reportCallIssue", "call-arg", "call-overload"},
    "missing parameter": {"reportCallIssue", "call-arg", "call-overload"},
    "unknown name": {"reportAttributeAccessIssue", "attr-defined"},
}

# Lines of the two files that a checker does not yet judge as it should.
NOT_YET: set[str] = set()

Report = dict[Path, dict[int, set[str]]]  # the rules broken, by file and line


def pyright(folder: Path) -> Report:
    """basedpyright in strict mode."""
    settings = {
        "typeCheckingMode": "strict",
        "include": CHECKED,
        "extraPaths": [str(SOURCE)],
        "venvPath": str(Path(sys.prefix).parent),
        "venv": Path(sys.prefix).name,
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--project", str(folder), "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr + done.stdout
    content = json.loads(done.stdout)
    assert content["summary"]["filesAnalyzed"] == len(CHECKED)
    report: Report = defaultdict(lambda: defaultdict(set))
    for each in content["generalDiagnostics"]:
        report[Path(each["file"])][each["range"]["start"]["line"] + 1].add(each.get("rule", each["message"]))
    return report


def mypy(folder: Path) -> Report:
    """mypy --strict, with the project's settings and cache."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "--hide-error-context", *CHECKED]
    environment = {**os.environ, "MYPYPATH": str(SOURCE), "NO_COLOR": "1", "MYPY_FORCE_COLOR": "0"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, env=environment)
    assert done.returncode in (0, 1), done.stderr + done.stdout
    report: Report = defaultdict(lambda: defaultdict(set))
    for file, line, rule in re.findall(r"^(.+?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, flags=re.MULTILINE):
        report[PROJECT / file][int(line)].add(rule)
    return report


@pytest.fixture(scope="module", params=[pyright, mypy], ids=lambda checker: checker.__name__)
def report(request, tmp_path_factory) -> Report:
    return request.param(tmp_path_factory.mktemp("checker"))


def code_at(path: Path, number: int) -> str:
    return path.read_text().splitlines()[number - 1].split("  #")[0].strip()


def expected_mistakes() -> dict[int, str]:
    """The kind of each mistake, by its line."""
    lines = enumerate(WRONG.read_text().splitlines(), start=1)
    return {number: line.split("  # ")[1] for number, line in lines if "  # " in line}


def test_what_the_documents_show_is_clean(report):
    broken = {code_at(RIGHT, number): rules for number, rules in report[RIGHT].items()}
    assert {code: rules for code, rules in broken.items() if code not in NOT_YET} == {}


def test_the_ranker_to_copy_is_clean(report):
    assert report[EXAMPLE] == {}


def test_mistakes_are_caught(report):
    missed = {
        code_at(WRONG, number): report[WRONG].get(number, set())
        for number, kind in expected_mistakes().items()
        if not report[WRONG].get(number, set()) & KINDS[kind]
    }
    assert {code: rules for code, rules in missed.items() if code not in NOT_YET} == {}


def test_nothing_but_mistakes_is_reported(report):
    assert {code_at(WRONG, number) for number in report[WRONG].keys() - expected_mistakes().keys()} == set()


def test_every_mistake_has_a_kind():
    assert set(expected_mistakes().values()) == set(KINDS)


def test_a_line_that_is_not_yet_right_stands_in_one_of_the_files():
    lines = {code_at(path, n) for path in (RIGHT, WRONG) for n in range(1, len(path.read_text().splitlines()) + 1)}
    assert lines >= NOT_YET
