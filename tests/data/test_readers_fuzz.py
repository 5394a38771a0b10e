"""Whatever a file holds, readers return or raise our own error."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank import read_letor, read_qrels, read_run, read_scores
from riskrank.assessment.assessment import read_assessments
from riskrank.data.scores.score_files import read_score_file
from riskrank.errors import RiskrankError

lines = st.lists(
    st.sampled_from(
        ["1 Q0 a 1 2.5 t", "1 0 a 1", "1\tQ0\ta\t1\t2.5\tt", "0 qid:1 1:0.5", "topic,a,b", "1,0.5,0.2", ",", "", " ",
         "1 Q0 b 1 nan t", "x" * 200, '"', "\x0b", "\u2028", "1 Q0 é 1 1 t", "{", '{"format": "riskrank assessments"}']
    ),
    max_size=8,
).map(lambda parts: "\n".join(parts).encode())  # fmt: skip
contents = st.one_of(
    lines,
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")),
    lines.map(gzip.compress),
    st.binary(max_size=60).map(lambda b: b"\x1f\x8b" + b),
    st.binary(max_size=60).map(lambda b: b"PAR1" + b + b"PAR1"),
    st.tuples(lines, st.integers(0, 60)).map(lambda p: gzip.compress(p[0])[: p[1]]),
)


def read_as_scores(path):
    data = __import__("riskrank").RankingData.from_arrays([[1.0]], [0], group=[1])
    return read_score_file(path, data)


@pytest.mark.parametrize(
    ("reader", "name"),
    [
        (read_run, "x.run"),
        (read_qrels, "x.qrels"),
        (read_letor, "x.txt"),
        (read_scores, "x.csv"),
        (read_scores, "x.parquet"),
        (read_as_scores, "x.scores"),
        (read_assessments, "x.json"),
    ],
    ids=["run", "qrels", "letor", "csv", "parquet", "scores", "json"],
)
@settings(max_examples=150)
@given(content=contents)
def test_nothing_but_our_own_error_escapes(reader, name, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            reader(path)
        except RiskrankError as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 600
