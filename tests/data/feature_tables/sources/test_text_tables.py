"""CSV as people write it."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.data.feature_tables.sources import text_tables
from riskrank.errors import FileError


@pytest.fixture
def read(tmp_path):
    def read_text(text, **options):
        (tmp_path / "a.csv").write_bytes(text.encode() if isinstance(text, str) else text)
        return rr.read_table(tmp_path / "a.csv", **options)

    return read_text


def test_cells_without_a_value_are_missing(read):
    cells = ["", "NA", "n/a", "NaN", "nan", "null", "NULL", "None", "-", r"\N", "#N/A", " "]
    data = read("qid,label,a,b\n" + "".join(f"1,0,{cell},2\n" for cell in cells) + "1,0,1.5,2\n1,0,0.5,3\n")
    np.testing.assert_array_equal(data.feature("a"), [*[np.nan] * len(cells), 1.5, 0.5])


def test_ids_stay_as_they_are_written(read):
    data = read("qid,docno,label,a\n007,00,0,1\n007,NA,0,2\n1e3,0x1,1,3\n")
    assert data.query_ids == ("007", "1e3")
    assert data.document_ids.tolist() == ["00", "NA", "0x1"]


def test_truth_values_are_numbers(read):
    assert read("qid,label,a\n1,0,True\n1,0,false\n").feature("a").tolist() == [1, 0]


@pytest.mark.parametrize(
    "text",
    [
        "qid,label,a\r\n1,0,1\r\n1,2,3\r\n",
        "\ufeffqid,label,a\n1,0,1\n1,2,3\n",
        "qid,label,a\n1,0,1\n\n1,2,3\n\n",
        "qid,label,a\n1,0,1\n1,2,3",
        '"qid","label","a"\n"1","0","1"\n"1","2","3"\n',
        " qid , label , a \n1, 0, 1\n1, 2, 3\n",
        "qid;label;a\n1;0;1\n1;2;3\n",
    ],
)
def test_other_ways_to_write_the_same(read, text):
    data = read(text)
    assert (data.query_ids, data.labels.tolist(), data.features.tolist()) == (("1",), [0, 2], [[1], [3]])


def test_types_may_change_after_many_rows(read, monkeypatch):
    monkeypatch.setattr(text_tables, "ROWS_LOOKED_AT", 2)
    assert read("qid,label,a\n1,0,1\n1,0,2\n1,0,2.5\n").feature("a").tolist() == [1, 2, 2.5]


def test_a_cell_may_hold_separators_and_line_breaks_and_lines_are_counted_right(read):
    text = 'qid,label,title,a\n1,0,"red, ""new""\nshoes",1\n1,x,y,2\n'
    with pytest.raises(FileError, match=r"a.csv:4: column 'label' \(label=\) must hold numbers, got 'x'"):
        read(text, drop="title")
    assert read(text.replace("1,x", "1,2"), drop="title").feature("a").tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qid,label,a\n1,0,1\n1,0\n", r"a.csv:3: needs 3 cells as the first line, got 2"),
        ("qid,label,a\n1,0,1\n1,0,2,3\n", r"a.csv:3: needs 3 cells as the first line, got 4"),
        ("qid,label,a\n1,0,1\n1,0," + "9," * 100_000 + "\n", r"a.csv:3: needs 3 cells as the first line, got 100003"),
        ("qid,label,a\n1,0,1,2\n1,0,2,3\n", r"a.csv:2: needs 3 cells as the first line, got 4"),
        ("qid,label,a,b\n1,0,1\n1,0,2\n", r"a.csv:2: needs 4 cells as the first line, got 3"),
        ("qid\rlabel,a\n1,0,1\n", r"a.csv:1: is not a CSV file \(new-line character"),
        ("qid,label,a" * 50_000 + "\n1\n", "a.csv:1: (is not a CSV file|column 'label' stands twice)"),
        ("qid,label," + "a" * 200_000 + "\n1,0,1\n", r"a.csv:1: is not a CSV file \(field larger than field limit"),
        ("qid,label,a,a\n1,0,1,2\n", r"a.csv:1: column 'a' stands twice. Rename one of them"),
        ("qid,label,a\n", r"a.csv:1: has no line below the names of its columns"),
        ("qid,label,a", r"a.csv:1: has no line below the names of its columns"),
        ("", "a.csv: is empty"),
        ("qid,label,a\n1,0,1\n1,0,two\n", r"a.csv:3: column 'a' holds text \('two'\), features are numbers"),
        ("qid;label;a\n1;0;1,5\n", r"a.csv:2: column 'a' has a comma in its numbers \('1,5'\). Write them with"),
        ("qid,label,a\n1,high,1\n", r"a.csv:2: column 'label' \(label=\) must hold numbers, got 'high'"),
        ("qid,label,a\n1,0,1\n1,,1\n1,,1\n", r"a.csv:3: column 'label' \(label=\) is empty, as in 1 other row"),
        ("qid,label,a\n1,inf,1\n", r"a.csv:2: column 'label' \(label=\) must hold finite numbers, got inf"),
        ("qid,label,a\n1,0,1\n,0,1\n", r"a.csv:3: column 'qid' \(query=\) is empty"),
        ("qid,label,docno,a\n1,0,x,1\n1,0,,1\n", r"a.csv:3: column 'docno' \(document=\) is empty"),
        ("qid,label,docno,a\n1,0,x,1\n2,0,x,1\n1,0,x,2\n", r"a.csv:4: document 'x' stands twice for query '1'"),
        ("qid,label,a\n1,0,1\n1,0,inf\n", r"a.csv:3: column 'a' is infinite. Leave it empty where it is missing, or"),
        ("qid,label,a\n1,0,1\n1,0,-1e300\n", r"a.csv:3: column 'a' is -1e\+300, beyond what float32 holds"),
        (b"qid,label,a\n1,0,1\n1,0,\xff\xfe\n", r"a.csv:3: is not UTF-8 text. Convert it first"),
        (b"qid,label\0\n", "is a binary file"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(read, text, message):
    with pytest.raises(FileError, match=message):
        read(text)


cells = st.one_of(
    st.integers(-(2**40), 2**40),
    st.floats(-1e30, 1e30).map(np.float32).map(float),
    st.just(""),
)


@given(st.lists(st.tuples(st.integers(0, 3), cells, cells), min_size=1, max_size=30))
def test_what_the_csv_module_writes_is_what_is_read(tmp_path_factory, rows):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["qid", "label", "a", "b"])
    writer.writerows([[query, 0, a, b] for query, a, b in rows])
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_text(text.getvalue())
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant columns
        data = rr.read_table(path)
    expected = np.array([[np.nan if cell == "" else cell for cell in row[1:]] for row in rows], dtype=np.float64)
    np.testing.assert_array_equal(data.to_source_order(data.features[:, 0]), expected[:, 0].astype(np.float32))
    np.testing.assert_array_equal(data.to_source_order(data.features[:, 1]), expected[:, 1].astype(np.float32))
