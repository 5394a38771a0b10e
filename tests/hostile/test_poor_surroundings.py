"""Streams that are closed or full, no home, nowhere to write: the command does its work, or says why not."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import riskrank
from riskrank.kernels.compiled import private_folder

from ..thorough import IS_THOROUGH

RUN = f"{sys.executable} -c 'from riskrank.cli.main import run; run()'"
EVALUATE = "evaluate qrels.txt bm25.run neural.run -b bm25"


def shell(command, folder, **environment):
    space = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, env=space)


@pytest.mark.parametrize(
    ("arguments", "streams", "status", "lines"),
    [
        (EVALUATE, ">/dev/full", 2, 1),
        (EVALUATE, ">&-", 0, 0),
        (EVALUATE, ">&- 2>&-", 0, 0),
        (EVALUATE, "2>/dev/full", 0, 0),
        (EVALUATE, "<&-", 0, 0),
        ("evaluate qrels.txt nowhere", ">&- 2>&-", 2, 0),
        ("evaluate qrels.txt nowhere", "2>/dev/full", 2, 0),
        ("evaluate qrels.txt - bm25.run", "<&-", 2, 1),
        ("--version", ">/dev/full", 2, 1),
        ("--version", "2>&-", 0, 0),
        ("evaluate --help", ">/dev/full", 2, 1),
        ("evaluate --help", ">&- 2>&-", 0, 0),
        ("nonsense", "2>/dev/full", 2, 0),
        ("nonsense", ">&- 2>&-", 2, 0),
    ],
)
def test_streams_that_are_closed_or_full(made, arguments, streams, status, lines):
    done = shell(f"{RUN} {arguments} {streams}", made)
    assert (done.returncode, done.stderr.count("\n")) == (status, lines), done


def test_no_file_takes_the_number_of_a_closed_stream(tmp_path):
    program = (
        "import os; from riskrank.cli.main import main\ntry: main()\nfinally: os.open('told', os.O_CREAT | os.O_RDWR)"
    )
    program += "; print(os.fstat(2).st_rdev == os.stat(os.devnull).st_rdev, file=open('told', 'w'))"
    shell(f'{sys.executable} -c "{program}" --version <&- >&- 2>&-', tmp_path)
    assert (tmp_path / "told").read_text() == "True\n"


@pytest.mark.parametrize(
    "environment",
    [
        "env -u HOME",
        "env HOME=/dev/null",
        "env HOME=/proc",
        "env -i PYTHONPATH=$PYTHONPATH",
        "env LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0",
        "env LC_ALL=nonsense",
        "env TERM=nonsense COLUMNS=-5 LINES=x",
        "env XDG_CACHE_HOME=/dev/null HOME=/dev/null TMPDIR=/dev/null",
    ],
)
def test_surroundings_without_a_home_or_a_locale(made, environment):
    done = shell(f"{environment} {RUN} {EVALUATE}", made, PYTHONPATH=str(Path(riskrank.__file__).parent.parent))
    assert (done.returncode, done.stderr) == (0, ""), done
    assert "neural" in done.stdout


TRAIN = "train train.txt -o {} --trees 2 --leaves 3 --min-docs 1 -b feature:1 --objective urisk"
REFUSED = ("0", "-1", "abc", "100000", "9" * 30)
SETTINGS = (  # each with values that its library does not know
    *(f"POLARS_MAX_THREADS={value}" for value in REFUSED),
    *(f"OMP_NUM_THREADS={value}" for value in (REFUSED if IS_THOROUGH else REFUSED[:1])),
    *(f"{name}=0" for name in ("RAYON_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")),
    *("NUMBA_NUM_THREADS=99999", "OMP_THREAD_LIMIT=100000"),
)
FORGOTTEN = (
    *("POLARS_MAX_THREADS=", "POLARS_ASYNC_THREAD_COUNT=0", "POLARS_CSV_CHUNK_SIZE=x", "POLARS_FORCE_PKG=x"),
    *("POLARS_JOIN_SORT_FACTOR=", "RUST_MIN_STACK=0", "_RJEM_MALLOC_CONF=x", "NUMPY_MADVISE_HUGEPAGE=x"),
    *("NPY_DISABLE_CPU_FEATURES=x NPY_ENABLE_CPU_FEATURES=x", "NUMBA_THREADING_LAYER=x", "NUMBA_OPT=x"),
    *("NUMBA_CPU_NAME=x", "NUMBA_DISABLE_JIT=x", "NUMBA_CACHE_DIR=/dev/null", "SKLEARN_WORKING_MEMORY=x"),
    "GOMP_CPU_AFFINITY=x",
    "TERMINAL_WIDTH=x",
    "SOURCE_DATE_EPOCH=x",
)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_number_of_threads_that_no_library_can_start_is_one_line(made, tmp_path, setting):
    for arguments in (EVALUATE, TRAIN.format(tmp_path / "new")):
        done = shell(f"env {setting} {RUN} {arguments}", made)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
        assert f"riskrank: {setting.partition('=')[0]} must be a whole number from 1 to 1024" in done.stderr
    assert shell(f"env {setting} {RUN} evaluate --help", made).returncode == 0


@pytest.mark.parametrize("setting", FORGOTTEN if IS_THOROUGH else [" ".join(FORGOTTEN)])
def test_other_settings_of_libraries_do_no_harm(made, tmp_path, setting):
    for arguments in (EVALUATE, TRAIN.format(tmp_path / "new"), "evaluate --help"):
        done = shell(f"env {setting} {RUN} {arguments} 2>&1 >/dev/null", made)
        assert (done.returncode, "Error" in done.stdout, "panic" in done.stdout) == (0, False, False), done


@pytest.mark.skipif(not IS_THOROUGH, reason="compiles every loop anew: with RISKRANK_THOROUGH only")
def test_a_python_without_docstrings_evaluates_and_says_that_lightgbm_cannot_be_loaded(made, tmp_path):
    assert shell(f"PYTHONOPTIMIZE=2 {RUN} {EVALUATE}", made).returncode == 0
    done = shell(f"PYTHONOPTIMIZE=2 {RUN} {TRAIN.format(tmp_path / 'new')}", made)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert "LightGBM cannot be loaded by a Python without docstrings" in done.stderr


@pytest.mark.parametrize("arguments", [EVALUATE, TRAIN, "rank model train.txt", "clicks prepare log.csv -o {}"])
@pytest.mark.parametrize("limit", ["-v 300000", "-v 800000", "-v 1200000", "-d 100000", "-n 10", "-s 300"])
def test_a_process_that_gets_too_little_says_so_at_once(made, tmp_path, limit, arguments):
    done = shell(f"ulimit {limit}; {RUN} {arguments.format(tmp_path / 'new')}", made)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert f"(ulimit {limit[:2]}), its libraries need" in done.stderr


PANIC = """
import os, sys
from riskrank.cli import main
from riskrank.cli.command import PANIC, Command

@main.app.command("panic", cls=Command)
def panic():
    raise type(PANIC, (BaseException,), {})("assertion failed: left == right\\n left: 1")

sys.argv = ["riskrank", "panic"]
try:
    main.main()
finally:
    os.write(2, b"thread panicked")
"""


def test_when_polars_panics_there_is_one_line_and_nothing_after_it():
    done = subprocess.run([sys.executable, "-c", PANIC], capture_output=True, text=True)
    told = "riskrank: Polars cannot go on (assertion failed: left == right).\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


USE_A_KERNEL = """
from riskrank.kernels import order
print(order.__file__)
print(order.best_first._cache.cache_path)
"""


@pytest.fixture
def read_only_package(tmp_path):
    """A package whose folders cannot be written, even by root: files stand where caches would."""
    package = shutil.copytree(
        Path(riskrank.__file__).parent, tmp_path / "site" / "riskrank", ignore=shutil.ignore_patterns("__pycache__")
    )
    for folder in {path.parent for path in package.rglob("*.py")}:
        (folder / "__pycache__").write_text("")
    return package.parent


def kernel(site, temporary):
    space = {"PYTHONPATH": str(site), "HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "TMPDIR": str(temporary)}
    space["PYTHONDONTWRITEBYTECODE"] = "1"
    return shell(f"{sys.executable} - <<'END'\n{USE_A_KERNEL}\nEND", temporary, **space)


def test_compiled_code_is_kept_privately_where_nothing_else_can_be_written(read_only_package, tmp_path):
    (tmp_path / "temporary").mkdir()
    done = kernel(read_only_package, tmp_path / "temporary")
    assert done.returncode == 0, done
    file, cache = done.stdout.splitlines()
    assert file.startswith(str(read_only_package))
    private = tmp_path / "temporary" / f"riskrank-{os.getuid()}"
    assert Path(cache).is_relative_to(private)
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_compiled_code_is_not_kept_where_others_may_write(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    place = tmp_path / f"riskrank-{os.getuid()}"
    assert private_folder() == str(place)
    for mode in (0o777, 0o770, 0o707):
        place.chmod(mode)
        assert private_folder() is None
    place.chmod(0o700)
    assert private_folder() == str(place)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert private_folder() is None
    place.unlink()
    place.write_text("")
    assert private_folder() is None
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    assert private_folder() is None
