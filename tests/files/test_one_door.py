"""Nothing but `riskrank.files` changes the disk."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src" / "riskrank"
CHANGING = {
    "unlink", "rmtree", "rmdir", "rename", "renames", "replace", "mkdir", "makedirs", "removedirs", "symlink", "link",
    "symlink_to", "hardlink_to", "touch", "write_text", "write_bytes", "chmod", "chown", "truncate", "fsync", "mkdtemp",
    "mkstemp", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile", "copy", "copy2", "copyfile", "copytree",
    "move", "save_model", "savetxt", "tofile", "to_csv", "to_parquet", "to_json", "sink_csv", "sink_ipc",
    "sink_ndjson", "write_database", "write_excel", "write_delta", "write_avro",
}  # fmt: skip
ON_FILES = {"os", "shutil", "tempfile", "Path", "pathlib"}  # what these functions of other names belong to
OPENING = {"open", "fdopen"}
READING = {"r", "rb", "rt"}

# Calls that look like one and are none: of the same name, of another kind of object.
HARMLESS = {
    "replace": "of texts and records; os.replace is told by its module",
    "rename": "of columns of tables",
    "copy": "of arrays and rankers",
    "to_json": "of our own records, as text",
    "to_csv": "of our own records, as text",
    "truncate": "of numbers",
    "move": "of a kernel",
}


def calls(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(function):
    if isinstance(function, ast.Attribute):
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        return owner, function.attr
    return "", function.id if isinstance(function, ast.Name) else ""


def mode_of(call):
    given = [each.value for each in call.keywords if each.arg == "mode"] + call.args[1:2]
    return given[0].value if given and isinstance(given[0], ast.Constant) else ("r" if not given else None)


def changes_the_disk(call):
    """Does a call write, make, move or remove something on disk, as far as its text tells?"""
    owner, name = name_of(call.func)
    if name in OPENING and owner in ("", "io", "gzip", "bz2", "lzma"):
        if owner == "gzip" and not (call.args and isinstance(call.args[0], ast.Constant)):
            return False  # around a file that is open
        return mode_of(call) not in READING and "devnull" not in ast.unparse(call)
    if owner == "os" and name == "open":
        return "O_RDONLY" not in ast.unparse(call) and "devnull" not in ast.unparse(call)
    if name == "connect" and owner in ("sqlite3", "duckdb"):
        return not re.search(r"mode=ro|read_only=True", ast.unparse(call))
    if name in ("write_parquet", "write_csv", "write_json", "write_ndjson", "write_ipc", "sink_parquet") or (
        owner == "np" and name in ("savez", "save")
    ):
        return bool(call.args) and not is_open_file(call.args[0])
    if name in HARMLESS and owner not in ON_FILES:
        return False
    return name in CHANGING


def is_open_file(argument):
    """By its name."""
    return isinstance(argument, ast.Name) and argument.id in ("file", "buffer")


@pytest.mark.parametrize(
    "line",
    ["open(path, 'w')", "open(path, mode='ab')", "open(p, m)", "path.write_text('')", "os.replace(a, b)",
     "shutil.rmtree(a)", "path.unlink()", "path.mkdir()", "frame.write_parquet(path)", "os.open(path, os.O_WRONLY)",
     "path.rename(x).mkdir()", "tempfile.mkdtemp()", "booster.save_model(path)", "frame.write_ndjson(path)",
     "lazy.sink_ipc(path)", "sqlite3.connect(path)", "duckdb.connect(path)"],
)  # fmt: skip
def test_what_it_looks_for(line):
    tree = ast.parse(line)
    assert any(changes_the_disk(node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_no_other_module_changes_the_disk():
    modules = [path for path in SOURCE.rglob("*.py") if "files" not in path.relative_to(SOURCE).parts[:1]]
    assert len(modules) > 300
    found = [
        f"{path.relative_to(SOURCE)}:{call.lineno}: {ast.unparse(call)[:70]}"
        for path in modules
        for call in calls(path)
        if changes_the_disk(call)
    ]
    assert found == []
