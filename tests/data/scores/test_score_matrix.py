from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest

from riskrank import read_scores
from riskrank.errors import AlignmentError, FileError

MATRIX = [[0.1, 0.3], [0.2, 0.4]]  # systems a, b × topics 1, 2


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n0.1,0.2\n0.3,0.4\n",
        "topic,a,b\n1,0.1,0.2\n2,0.3,0.4\n",
        "qid\ta\tb\n1\t0.1\t0.2\n2\t0.3\t0.4\n",
        ",a,b\n1,0.1,0.2\n2,0.3,0.4\n",
        "system,1,2\na,0.1,0.3\nb,0.2,0.4\n",
        "whatever,1,2\na,0.1,0.3\nb,0.2,0.4\n",
        '"topic";"a";"b"\n1;0.1;0.2\n2;0.3;0.4\n',
    ],
    ids=["no topic column", "topic column", "tabs", "unnamed index", "systems down", "guessed", "semicolons"],
)
def test_rows_may_be_topics_or_systems_and_topics_may_have_no_names(tmp_path, text):
    (tmp_path / "m.csv").write_text(text)
    (tmp_path / "m.csv.gz").write_bytes(gzip.compress(text.encode()))
    for path in (tmp_path / "m.csv", tmp_path / "m.csv.gz"):
        scores = read_scores(path)
        assert (scores.systems, scores.topics, scores.measure) == (("a", "b"), ("1", "2"), "m")
        assert scores.matrix.tolist() == MATRIX


def test_parquet_and_frames_are_read_as_csv_is(tmp_path):
    frame = pl.DataFrame({"topic": ["1", "2"], "a": [0.1, 0.3], "b": [0.2, 0.4]})
    frame.write_parquet(tmp_path / "m.parquet")
    indexed = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.4]}, index=["1", "2"])
    for source in (tmp_path / "m.parquet", frame, frame.to_pandas(), indexed, frame.lazy()):
        assert read_scores(source).matrix.tolist() == MATRIX
        assert read_scores(source).topics == ("1", "2")


def test_the_orientation_can_be_forced(tmp_path):
    (tmp_path / "m.csv").write_text("x,y\n0.1,0.2\n0.3,0.4\n")
    assert read_scores(tmp_path / "m.csv", rows="systems").systems == ("1", "2")


def test_empty_cells_are_missing_topics(tmp_path):
    (tmp_path / "m.csv").write_text("topic,a,b\n1,0.1,\n2,0.3,0.4\n")
    scores = read_scores(tmp_path / "m.csv")
    assert scores["b"].tolist() == [0.0, 0.4]
    assert scores.missing == {"b": ("1",)}
    assert read_scores(tmp_path / "m.csv", missing="intersect").topics == ("2",)
    with pytest.raises(AlignmentError, match="system 'b' has no score for topic '1'"):
        read_scores(tmp_path / "m.csv", missing="error")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,a\n1,x\n", r"m.csv:2: column 'a' must hold finite numbers, got 'x'"),
        ("topic,a\n1,nan\n", "got 'nan'"),
        ("topic,a\n1,inf\n", "got 'inf'"),
        ("topic,a\n1,0.1,7\n", r"m.csv:2: needs 2 cells as the first line, got 3"),
        ("topic,a,a\n1,0.1,7\n", "column 'a' stands twice"),
        ("topic,a\n1,0.5\n1,0.6\n", "topic '1' stands twice"),
        ("0.1,0.2\n0.3,0.4\n", "first line must name the columns"),
        ("topic,a\n", "at least one system and one topic"),
        ("", "is empty"),
    ],
)
def test_mistakes_are_named(tmp_path, text, message):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises((FileError, AlignmentError), match=message):
        read_scores(tmp_path / "m.csv")


def test_a_damaged_parquet_file_is_refused(tmp_path):
    (tmp_path / "m.parquet").write_bytes(b"PAR1 this is not Parquet PAR1")
    with pytest.raises(FileError, match="is not a Parquet file"):
        read_scores(tmp_path / "m.parquet")


def test_the_matrix_of_trec_2012_has_its_48_systems_and_50_topics(shared_data):
    scores = read_scores(shared_data / "trec_web2012" / "web2012_err20.csv")
    assert scores.matrix.shape == (48, 50)
    assert scores.means().max() == pytest.approx(0.3406, abs=5e-5)
    assert not np.isnan(scores.matrix).any()


@pytest.mark.parametrize(
    ("text", "systems", "topics"),
    [
        ("id,a,b\n151,0.5,0.1\n152,0.2,0.3\n", ("a", "b"), ("151", "152")),
        ("number,a,b\n151,0.5,0.1\n152,0.2,0.3\n", ("a", "b"), ("151", "152")),
        ("151,152\n0.5,0.1\n0.2,0.3\n", ("1", "2"), ("151", "152")),
        ("a,b\n0,1\n1,0\n", ("a", "b"), ("1", "2")),
    ],
    ids=["id", "numbered rows", "numbered columns", "zeros and ones"],
)
def test_labels_are_not_taken_for_scores(tmp_path, text, systems, topics):
    (tmp_path / "m.csv").write_text(text)
    scores = read_scores(tmp_path / "m.csv")
    assert (scores.systems, scores.topics) == (systems, topics)


def test_lines_are_counted_as_in_the_file(tmp_path):
    (tmp_path / "m.csv").write_text("topic,a\n\n\n1,x\n")
    with pytest.raises(FileError, match=r"m\.csv:4: column 'a'"):
        read_scores(tmp_path / "m.csv")


@pytest.mark.parametrize(
    ("text", "systems", "topics"),
    [
        ("a,b\n12,14\n7,8\n", ("a", "b"), ("1", "2")),
        (",topic,a\n0,t1,0.5\n1,t2,0.2\n", ("a",), ("t1", "t2")),
        ("Unnamed: 0,topic,a\n0,t1,0.5\n1,t2,0.2\n", ("a",), ("t1", "t2")),
        ("a,b,topic\n0.5,0.1,7\n0.2,0.3,8\n", ("a", "b"), ("7", "8")),
    ],
    ids=["whole scores", "index column", "named index", "topics last"],
)
def test_topics_are_found_where_they_stand(tmp_path, text, systems, topics):
    (tmp_path / "m.csv").write_text(text)
    scores = read_scores(tmp_path / "m.csv")
    assert (scores.systems, scores.topics) == (systems, topics)


def test_summary_rows_are_refused(tmp_path):
    (tmp_path / "m.csv").write_text("topic,a\n1,0.5\nall,0.5\n")
    with pytest.raises(AlignmentError, match="'all' looks like a summary over topics"):
        read_scores(tmp_path / "m.csv")


def test_a_series_is_not_a_matrix():
    from riskrank.errors import ParameterError

    with pytest.raises(ParameterError, match="must be a path or a frame"):
        read_scores(pd.Series([0.1]))
    with pytest.raises(AlignmentError, match="at least one system"):
        read_scores(pl.DataFrame())
    with pytest.raises(AlignmentError, match="scores: needs at least one system and one topic"):
        read_scores(pl.DataFrame({"topic": [], "a": []}, schema={"topic": pl.String, "a": pl.String}))
