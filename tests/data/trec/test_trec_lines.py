from __future__ import annotations

import gzip

import pytest

from riskrank.data import files
from riskrank.data.trec import trec_lines
from riskrank.data.trec.qrels import read_qrels
from riskrank.data.trec.runs import read_run, read_runs
from riskrank.errors import FileError

GOOD = "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n"
ROWS = [("1", "a", 2.5), ("1", "b", 1.5), ("2", "a", 0.5)]


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.replace(" ", "\t"),
        GOOD.replace(" ", "  "),
        GOOD.replace(" ", " \t "),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\n\n"),
        GOOD.rstrip("\n"),
        GOOD.replace(" t\n", "\n"),
        "\ufeff" + GOOD,
        " " + GOOD,
        GOOD.replace(" t\n", " \n"),
        GOOD.replace("1 Q0 b", "1\tQ0 b"),
    ],
    ids=[
        "blanks", "tabs", "double blanks", "mixed", "windows", "empty lines", "no last newline", "no tag",
        "byte order mark", "leading blank", "trailing blank", "one tab",
    ],
)  # fmt: skip
def test_every_spelling_of_a_run_reads_the_same(tmp_path, content):
    assert read_run(write(tmp_path / "x.run", content)).frame.rows() == ROWS
    assert read_run(write(tmp_path / "x.gz", gzip.compress(content.encode()))).frame.rows() == ROWS


@pytest.mark.parametrize("size", [1, 7, 16, 40])
def test_parts_of_a_file_are_read_like_the_whole(tmp_path, size, monkeypatch):
    lines = [f"{topic} Q0 doc{i} {i} {9.5 - i} t" for topic in range(3) for i in range(20)]
    monkeypatch.setattr(files, "HEAD", size)
    monkeypatch.setattr(files, "READ_AT_ONCE", size)
    monkeypatch.setattr(trec_lines, "AT_ONCE", size)
    rows = [(str(topic), f"doc{i}", 9.5 - i) for topic in range(3) for i in range(20)]
    for content in ("\n".join(lines), "\n".join([*lines, ""]), "\n".join([*lines, "", "7 Q0  z 1 3.5 t"])):
        path = write(tmp_path / "x.gz", gzip.compress(content.encode()))
        assert read_run(path).frame.rows() == rows + ([("7", "z", 3.5)] if "z" in content else [])


def test_a_document_of_two_parts_stands_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "READ_AT_ONCE", 16)
    monkeypatch.setattr(files, "HEAD", 16)
    monkeypatch.setattr(trec_lines, "AT_ONCE", 16)
    with pytest.raises(FileError, match=r"x\.run:4: document 'a' stands twice for topic '1'"):
        read_run(write(tmp_path / "x.run", GOOD + "1 Q0 a 3 0.1 t\n"))


def test_an_empty_field_between_blanks_moves_no_other(tmp_path):
    """The line is one of five fields, written with a blank too many."""
    assert read_run(write(tmp_path / "x.run", GOOD + "2 Q0 b  2 0.25\n")).frame.rows() == [*ROWS, ("2", "b", 0.25)]


def test_gzip_is_told_by_content_and_may_have_several_members(tmp_path):
    parts = gzip.compress(GOOD[:15].encode()) + gzip.compress(GOOD[15:].encode())
    assert read_run(write(tmp_path / "plain-name.run", parts)).frame.rows() == ROWS


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("1 Q0 a 1 2.5 t\n1 Q0 b\n", 2, "needs the fields 'topic Q0 document rank score tag', got 3"),
        ("1 Q0 a 1 x t\n", 1, "score must be a finite number, got 'x'"),
        ("1 Q0 a 1 2.5 t\n1 Q0 b 2 nan t\n", 2, "finite number, got 'nan'"),
        ("1 Q0 a 1 -inf t\n", 1, "finite number, got '-inf'"),
        ("1 Q0 a 1 1e999 t\n", 1, "finite number, got '1e999'"),
        ("1 Q0 a 1 1_0 t\n", 1, "finite number, got '1_0'"),
        (GOOD + "1 Q0 a 3 0.1 t\n", 4, "document 'a' stands twice for topic '1'"),
        (GOOD + "1 Q0 doc one 1 2.5 t\n", 4, "got 7"),
        (GOOD.replace(" ", "\t") + "1\tQ0\tc\t1\t2.5\tt\tu\n", 4, "got 7"),
        (GOOD + "1 Q0 c 2.5 t\n1 Q0 d 1 2.5 t u\n", 4, "score must be a finite number, got 't'"),
        (GOOD + "1 Q0 c 3 2.5\n1 Q0 d 1 2.5 t u\n", 5, "got 7"),
        (GOOD + "1 Q0\tb 2 1.0 7\n", 4, "stands twice"),
        ("1 Q0 \xff 1 2 t\n".encode("latin-1"), 1, "not UTF-8"),
    ],
    ids=[
        "short",
        "text",
        "nan",
        "inf",
        "overflow",
        "underscore",
        "duplicate",
        "extra field",
        "extra field between tabs",
        "a field too few, one too many",
        "no tag, a field too many",
        "stray tab",
        "latin-1",
    ],
)
def test_a_bad_run_names_the_line(tmp_path, content, line, message):
    path = write(tmp_path / "bad.run", content)
    with pytest.raises(FileError) as caught:
        read_run(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_a_bad_line_among_several_files_names_its_own_file(tmp_path):
    good = write(tmp_path / "good.run", GOOD)
    bad = write(tmp_path / "bad.run", GOOD + "2 Q0 b 2 oops t\n")
    with pytest.raises(FileError, match=r"bad\.run:4: score must be"):
        read_runs([good, bad])


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"\n \n", "is empty"), (b"\x00\x01\x02" * 50, "binary file")],
)
def test_files_without_text_are_refused(tmp_path, content, message):
    path = write(tmp_path / "x.run", content)
    with pytest.raises(FileError, match=message):
        read_run(path)


def test_a_damaged_gzip_is_refused(tmp_path):
    packed = gzip.compress(GOOD.encode() * 500)
    for broken in (packed[: len(packed) // 2], packed[:-6] + b"xxxxxx", packed[:12]):
        with pytest.raises(FileError, match="cannot be decompressed"):
            read_run(write(tmp_path / "x.run.gz", broken))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        read_run(tmp_path / "nothing.run")
    with pytest.raises(FileError, match="is a directory"):
        read_run(tmp_path)


def test_qrels_take_whole_grades_only(tmp_path):
    assert read_qrels(write(tmp_path / "q", "1 0 a -2\n1 0 b 3\n")).frame["grade"].to_list() == [-2.0, 3.0]
    for grade in ("1.5", "x", "99999999999999999999"):
        with pytest.raises(FileError, match=r"q:1: grade must be a whole number"):
            read_qrels(write(tmp_path / "q", f"1 0 a {grade}\n"))
    with pytest.raises(FileError, match="needs the fields 'topic 0 document grade', got 3"):
        read_qrels(write(tmp_path / "q", "1 0 a\n"))


def test_control_characters_in_messages_are_escaped(tmp_path):
    with pytest.raises(FileError) as caught:
        read_run(write(tmp_path / "x.run", b"1 Q0 a 1 \x1b[31mred t\n"))
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_between_tabs_ids_may_hold_blanks(tmp_path):
    text = "new york\tQ0\tdoc one\t1\t2.5\tt\nnew york\tQ0\td2\t2\t1.5\tt\n"
    rows = [("new york", "doc one", 2.5), ("new york", "d2", 1.5)]
    assert read_run(write(tmp_path / "x.run", text)).frame.rows() == rows
    assert read_run(write(tmp_path / "y.run", text + "\n")).frame.rows() == rows  # read line by line
    padded = text.replace("new york\t", "new york \t").replace("\td2", "\t d2")
    assert read_run(write(tmp_path / "z.run", padded)).frame.rows() == rows
