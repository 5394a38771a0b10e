from __future__ import annotations

import shutil
import subprocess

import pytest

from ...shell import COMMAND
from .click_commands import PAGES, TRAIN_MODELS


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A log, prepared pages and trained models, by commands as processes of their own; and what these said."""
    folder = tmp_path_factory.mktemp("clicks")
    said = {}
    for name, arguments in {
        "simulate": ("simulate-clicks", "log.parquet", "--pages", PAGES, "--seed", 3),
        "prepare": ("clicks", "prepare", "log.parquet", "-o", "prepared"),
        "train": (*TRAIN_MODELS, "-o", "models"),
        "evaluate": ("clicks", "evaluate", "models"),
    }.items():
        command = [str(COMMAND), *map(str, arguments)]
        said[name] = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert said[name].returncode == 0, said[name].stderr
    return folder, said


def copied(source, target):
    shutil.copytree(source, target, dirs_exist_ok=True)
    (target / "foreign").mkdir()
    (target / "foreign" / "thesis.txt").write_text("all of it")
    return target


@pytest.fixture
def files(made, tmp_path):
    """All of it, to play with."""
    return copied(made[0], tmp_path)


@pytest.fixture(scope="session")
def untouched(made, tmp_path_factory):
    """All of it, for mistakes, which change nothing."""
    return copied(made[0], tmp_path_factory.mktemp("untouched"))
