from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from riskrank.data.tables.topic_columns import read_topic_numbers, read_topic_texts
from riskrank.errors import AlignmentError, FileError

SEGMENTS = {"q1": "mobile", "q2": "desktop"}
TABLE = pl.DataFrame({"country": ["de", "fr"], "query_id": ["q1", "q2"], "device": ["mobile", "desktop"]})


@pytest.mark.parametrize(
    "text",
    ["topic,segment\nq1,mobile\nq2,desktop\n", "q1\tmobile\nq2\tdesktop\n", "device;qid\nmobile;q1\n\ndesktop;q2\n"],
)
def test_text_files_with_and_without_a_header(tmp_path, text):
    (tmp_path / "s.csv").write_text(text)
    assert read_topic_texts(tmp_path / "s.csv") == SEGMENTS


def test_a_column_is_named_behind_the_path(tmp_path):
    TABLE.write_csv(tmp_path / "s.csv")
    TABLE.write_parquet(tmp_path / "s.parquet")
    for name in ("s.csv", "s.parquet"):
        assert read_topic_texts(f"{tmp_path / name}:device") == SEGMENTS
        with pytest.raises(
            FileError, match="has 2 columns beside 'query_id': name the one that is meant, as in .*:country"
        ):
            read_topic_texts(tmp_path / name)
        with pytest.raises(FileError, match="no column 'devise', only country, device. Did you mean 'device'"):
            read_topic_texts(f"{tmp_path / name}:devise")


def test_frames_and_dicts():
    two = TABLE.select("query_id", "device")
    for table in (two, two.lazy(), pd.DataFrame(two.to_dict(as_series=False)), SEGMENTS):
        assert read_topic_texts(table) == SEGMENTS


def test_numbers_from_text_and_tables(tmp_path):
    (tmp_path / "w.csv").write_text("topic,weight\n1,10\n2,0.5\n")
    assert read_topic_numbers(tmp_path / "w.csv") == {"1": 10.0, "2": 0.5}
    assert read_topic_numbers({1: 2}) == {"1": 2.0}
    for wrong in ("x", "nan", "", True, None, -1, "-0.5", float("inf")):
        with pytest.raises(AlignmentError, match="weights: topic '1' needs a number from 0"):
            read_topic_numbers({"1": wrong})
    (tmp_path / "w.csv").write_text("topic,weight\n1,-3\n")
    with pytest.raises(FileError, match=r"w.csv:2: topic '1' needs a number from 0, got '-3'\."):
        read_topic_numbers(tmp_path / "w.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\nq1,x,y\n", "s.csv:1: needs a first line that names a column topic, got a, b, c"),
        ("topic,segment\nq1,a\nq2\n", "s.csv:3: needs 2 cells as the first line, got 1"),
        ("topic,segment\n\nq1,a\nq2,b\nq1,b\n", "s.csv:5: topic 'q1' stands twice"),
        ("q1,a\nq1,b\n", "s.csv:2: topic 'q1' stands twice"),
        ('topic,segment\n"q\n1",a\nq2,b\nq2,c\n', "s.csv:5: topic 'q2' stands twice"),
        ("\ntopic\nq1\n", "s.csv:2: has 0 columns beside 'topic'"),
        ("topic,segment\n", "s.csv:1: names no topic. Add a line for each"),
        ("topic,a,a\nq1,x,y\n", "s.csv:1: column 'a' stands twice"),
        ("", "s.csv: is empty"),
    ],
)
def test_wrong_files_are_told(tmp_path, text, message):
    (tmp_path / "s.csv").write_text(text)
    with pytest.raises(FileError, match=message.replace("(", r"\(")):
        read_topic_texts(tmp_path / "s.csv")


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(AlignmentError, match="segments must be a path, a frame or a dict, got int"):
        read_topic_texts(3)
    with pytest.raises(AlignmentError, match="segments: names no topic"):
        read_topic_texts({})
    with pytest.raises(FileError, match="no such file"):
        read_topic_texts(tmp_path / "nothing.csv")
    (tmp_path / "x.parquet").write_bytes(b"no")
    with pytest.raises(FileError, match="is not a Parquet file"):
        read_topic_texts(tmp_path / "x.parquet")
