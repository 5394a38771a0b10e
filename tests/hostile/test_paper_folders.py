"""A reader's copy of a paper's data that is no such thing: one line, before anything is trained or written."""

from __future__ import annotations

import gzip
import os
import random

import pytest

FOLDS = [f"Fold{i}/{part}.txt" for i in range(1, 6) for part in ("train", "vali", "test")]
PARTS = [f"S{i}.txt" for i in range(1, 6)]
TRACK = ["web2012_err20.csv", "indri_rm_cata_filtered.run", "qrels.adhoc.txt"]
CUBIC = ["train.txt", "valid.txt", "test.txt"]
LOGS = ["Clicklog.txt", "train.gz", "test.gz"]
CASES = [
    *(("wang2012 table-1", files) for files in (FOLDS, PARTS)),
    *(("burges2006 figure-2-left", files) for files in (CUBIC,)),
    *((f"burges2006 {figure}", files) for figure in ("figure-2-right", "figure-3") for files in (FOLDS, PARTS)),
    *((f"dincer2014 {name}", files) for name, files in (("table-2", TRACK), ("table-3", FOLDS))),
    *((f"dincer2016 {name}", files) for name, files in (("table-7", FOLDS),)),
    *(("bennett2015 table-2", files) for files in (LOGS,)),
]
CONTENTS = {
    "nothing": b"",
    "a line break": b"\n",
    "bytes": random.Random(1).randbytes(5000),
    "zeros": b"\0" * 5000,
    "gzip": gzip.compress(b"1 qid:1 1:1\n"),
    "text": b"all is well\n" * 9,
    "no numbers": b"1 qid:1 1:x 2:nan\n" * 9,
    "a number": b"9" * 10_000,
    "brackets": b"[" * 10_000,
    "escape codes": b"1 qid:\x1b[2J 1:\x1b[2J\n",
}
KINDS = (*CONTENTS, "holes", "pipe", "folder", "loop")


def put(path, kind):
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "holes":
        path.touch()
        os.truncate(path, 2**40)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    else:
        path.write_bytes(CONTENTS[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("experiment", "files"), CASES, ids=lambda value: str(value)[:30])
def test_data_that_are_none_are_told(refused, tmp_path, experiment, files, kind):
    if files is CUBIC and kind in ("pipe", "folder", "loop"):
        pytest.skip("the data are made, whatever the folder holds")
    for name in files:
        put(tmp_path / "data" / name, kind)
    told = refused(f"reproduce {experiment} --data {tmp_path / 'data'} -o {tmp_path / 'new'} -q")
    assert "\x1b" not in told
