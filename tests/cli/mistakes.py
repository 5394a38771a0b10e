"""What every mistake comes to: one line, status 2, and nothing written."""

from __future__ import annotations

import hashlib


def contents(folder):
    """Every file below a folder, by what it holds."""
    paths = sorted(folder.rglob("*"))
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        for path in paths
    }


def told_in_one_line(riskrank, folder, arguments, message):
    before = contents(folder)
    done = riskrank(*arguments, cwd=folder)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("riskrank: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert contents(folder) == before
