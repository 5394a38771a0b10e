"""A folder with a little of everything that commands read, and things that are no files."""

from __future__ import annotations

import os
import shutil
import socket

import pytest

import riskrank as rr
from riskrank.data.letor.writer import write_letor
from riskrank.data.synthetic.synthetic_features import web_search_data


@pytest.fixture(scope="session")
def made(tmp_path_factory, saved_example):
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("qrels.txt", "bm25.run", "neural.run"):
        shutil.copy(saved_example / name, folder / name)
    data = web_search_data(12, documents_per_query=8, n_features=20)
    write_letor(data, folder / "train.txt")
    rr.LambdaMART(n_trees=2, n_leaves=4, n_threads=1).fit(data).save(folder / "model")
    (folder / "log.csv").write_text("session,query,position,document,clicked\n1,1,1,1,0\n")
    (folder / "budget.toml").write_text("max_hurt = 0.5\n")
    (folder / "loop").symlink_to(folder / "pool")
    (folder / "pool").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "device").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(folder / "socket"))
    return folder


@pytest.fixture
def refused(riskrank, made):
    """Run a command in the folder: it must end with one line and status 2, and write nothing; the line is returned."""

    def run(command: str) -> str:
        before = sorted(made.rglob("*"))
        done = riskrank(*command.split(" "), cwd=made)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
        assert done.err.startswith("riskrank: ")
        assert len(done.err) < 1200
        assert sorted(made.rglob("*")) == before
        return str(done.err)

    return run
