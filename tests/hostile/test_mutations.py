"""Whatever happens to a byte of any file that is read: a right answer, or one line; no traceback, abort, hang or flood.

How many changes of each eighth of each file: RISKRANK_MUTATIONS (1).
"""

from __future__ import annotations

import os
import shutil
import warnings
from itertools import count

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning

from .formats import FORMATS, put
from .mutations import N_REGIONS, changed_bytes, changed_json
from .reading_process import HELD, READ, ReadingProcess
from .small_files import write_all

MUTATIONS = int(os.environ.get("RISKRANK_MUTATIONS", "1"))
PHASES = (Phase.generate, Phase.shrink) if MUTATIONS > 10 else (Phase.generate,)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    write_all(folder)
    return folder


@pytest.fixture(scope="module")
def process():
    reading = ReadingProcess()
    yield reading
    reading.end()


def placed(files, folder, each):
    """A folder with a copy of what is to be changed, and links to the rest."""
    changed = each.file.partition("/")[0]
    folder.mkdir()
    for path in files.iterdir():
        if path.name != changed:
            (folder / path.name).symlink_to(path)
        elif path.is_dir():
            shutil.copytree(path, folder / path.name)
        else:
            shutil.copy(path, folder / path.name)
    return folder


def test_every_format_is_read_as_it_is(files, process, tmp_path):
    for number, (name, each) in enumerate(FORMATS.items()):
        folder = placed(files, tmp_path / str(number), each)
        put(
            folder, each, each.wrapped((folder / each.file).read_bytes(), each.inner((folder / each.file).read_bytes()))
        )
        assert process.read(name, folder) == READ, name


@pytest.mark.parametrize("name", FORMATS)
def test_no_change_of_a_file_does_harm(name, files, process, tmp_path, record_property):
    each = FORMATS[name]
    whole = (files / each.file).read_bytes()
    inner = each.inner(whole)
    numbers = count()
    outside = sorted(path.name for path in files.iterdir())

    def hold(changed):
        folder = placed(files, tmp_path / str(next(numbers)), each)
        put(folder, each, each.wrapped(whole, changed))
        outcome = process.read(name, folder)
        shutil.rmtree(folder)
        assert outcome in HELD, f"{outcome}\n{changed[:4000]!r}"

    warnings.simplefilter("ignore", HypothesisWarning)  # of a large file that failed, which would hide why it did
    for region in range(N_REGIONS):
        changes = changed_bytes(inner, region)
        strategy = st.one_of(changes, changed_json(inner)) if each.is_json and region % 2 else changes
        settings(
            max_examples=MUTATIONS, phases=PHASES, database=None, deadline=None, derandomize=MUTATIONS == 1,
            suppress_health_check=list(HealthCheck),
        )(given(strategy)(hold))()  # fmt: skip
    record_property("tried", next(numbers))
    assert sorted(path.name for path in files.iterdir()) == outside
