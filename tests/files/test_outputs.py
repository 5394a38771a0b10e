"""What may be written over what."""

from __future__ import annotations

import io
import os

import polars as pl
import pytest

from riskrank.errors import FileError
from riskrank.files.outputs import check_no_input, check_outputs, check_replaced


def test_an_output_is_no_input_by_whatever_name(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "link").symlink_to("qrels")
    os.link(tmp_path / "qrels", tmp_path / "same")
    for name in ("qrels", "link", "same", "../" + tmp_path.name + "/qrels"):
        with pytest.raises(FileError, match="is one of the inputs"):
            check_outputs([tmp_path / name], [tmp_path / "qrels"])


def test_a_folder_that_holds_an_input_is_no_output(tmp_path):
    (tmp_path / "out" / "train").mkdir(parents=True)
    (tmp_path / "out" / "train" / "log").write_text("log")
    (tmp_path / "link").symlink_to(tmp_path / "out" / "train")
    for given in (tmp_path / "out" / "train" / "log", tmp_path / "link" / "log"):
        with pytest.raises(FileError, match="out: holds the input .*log"):
            check_no_input(tmp_path / "out", [given])
    check_no_input(tmp_path / "out" / "train" / "log.txt", [tmp_path / "out" / "train" / "log"])


def test_two_outputs_are_two_files(tmp_path):
    (tmp_path / "folder").symlink_to(tmp_path)
    with pytest.raises(FileError, match="b is named twice|is named twice"):
        check_outputs([tmp_path / "a", None, tmp_path / "folder" / "a"], [])
    check_outputs([tmp_path / "a", tmp_path / "b"], [])


PAGE = b"<!doctype html><title>riskrank</title>"
RUN = b"1 Q0 d1 1 2.5 model\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", PAGE), (b" \n", RUN), (PAGE, b"<!DOCTYPE html><body class='riskrank'>"), (RUN, b"9 Q0 x 7 -1 model\n"),
        (b"system,gain\na,1\n", b"system,gain\nb,2\n"), (b"0.5\n", b"-1e-05\n"),
        (b"%PDF-1.4 a riskrank", b"%PDF-1.7 riskrank"),
        (b'{\n "format": "riskrank gate", "x": 1}', b'{"format": "riskrank gate", "x": 2}'), (b"[]", b"[]"),
    ],
)  # fmt: skip
def test_what_is_of_the_same_kind_is_replaced(tmp_path, before, after):
    (tmp_path / "file").write_bytes(before)
    check_replaced(tmp_path / "file", after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<!doctype html><title>My thesis</title>", PAGE), (b"1 Q0 d1 1 2.5 bm25\n", RUN), (b"my notes", PAGE),
        (b"query,clicks\na,1\n", b"system,gain\nb,2\n"), (b"1 0 d1 1\n", RUN), (b"%PDF-1.4", b"\x89PNG"),
        (RUN, b"0.5\n"), (b'{"format": "something"}', b'{"format": "riskrank gate"}'),
        (b'{"name": "x"}', b'{"format": "riskrank gate"}'), (b"%PDF-1.4 thesis", b"%PDF-1.4 riskrank"),
        (b"\x89PNG photo", b"\x89PNG riskrank"), (b"<svg>logo</svg>", b"<svg></svg><!-- riskrank -->"),
    ],
)  # fmt: skip
def test_what_is_of_another_kind_is_not(tmp_path, before, after):
    (tmp_path / "file").write_bytes(before)
    with pytest.raises(FileError, match="file: exists and holds something else. Choose another place, or .*--force"):
        check_replaced(tmp_path / "file", after)


@pytest.mark.parametrize("write", [pl.DataFrame.write_parquet, pl.DataFrame.write_ipc])
def test_binary_tables_are_of_one_kind_if_they_have_the_same_columns(tmp_path, write):
    def table(**columns):
        write(pl.DataFrame(columns), buffer := io.BytesIO())
        return buffer.getvalue()

    ours = table(qid=[1], score=[0.5])
    (tmp_path / "file").write_bytes(table(qid=[3], score=[2]))
    check_replaced(tmp_path / "file", ours)
    for other in (table(qid=[1], price=[0.5]), ours[: len(ours) // 2]):
        (tmp_path / "file").write_bytes(other)
        with pytest.raises(FileError, match="exists and holds something else"):
            check_replaced(tmp_path / "file", ours)


def test_where_nothing_is_nothing_is_replaced(tmp_path):
    check_replaced(tmp_path / "new", PAGE)
    check_replaced("/dev/null", PAGE)
