"""Tables in Parquet whose columns hold what nobody puts there: an answer, or one line."""

from __future__ import annotations

import contextlib
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import polars as pl
import pytest

from riskrank.clicks.logs.table_reading import KNOWN

from .formats import ToldError, command

N = 6
ODD = {
    "struct": pl.Series([{"x": 1}] * N),
    "list": pl.Series([[1.0]] * N),
    "list of texts": pl.Series([["a", None]] * N),
    "list of bytes": pl.Series([[b"\xff"]] * N),
    "list of structs": pl.Series([[{"x": 1}]] * N),
    "list of lists": pl.Series([[[1]]] * N),
    "list of dates": pl.Series([[date(2020, 1, 1)]] * N),
    "array": pl.Series([[1, 2]] * N, dtype=pl.Array(pl.Int64, 2)),
    "date": pl.Series([date(2020, 1, 1)] * N),
    "datetime": pl.Series([datetime(2020, 1, 1)] * N),
    "zoned": pl.Series([datetime(2020, 1, 1)] * N).dt.replace_time_zone("Asia/Tokyo"),
    "time": pl.Series([time(1)] * N),
    "duration": pl.Series([timedelta(days=10**6)] * N),
    "decimal": pl.Series([Decimal("1.50")] * N),
    "truth": pl.Series([True] * N),
    "null": pl.Series([None] * N),
    "bytes": pl.Series([b"\xff"] * N),
    "text": pl.Series(["\x1b[2J\ud7ff"] * N),
    "category": pl.Series(["a", "b"] * 3, dtype=pl.Categorical),
    "enum": pl.Series(["a", "b"] * 3, dtype=pl.Enum(["a", "b"])),
    "huge": pl.Series([10**18 + i for i in range(N)]),
    "unsigned": pl.Series([2**64 - 1] * N, dtype=pl.UInt64),
    "wide": pl.Series([2**126] * N, dtype=pl.Int128),
    "negative": pl.Series([-(2**63)] * N),
    "infinite": pl.Series([float("inf"), float("-inf"), float("nan"), 1e308, -0.0, 5e-324]),
}
FEATURES = {
    "qid": ["1", "1", "1", "2", "2", "2"],
    "label": [0, 1, 2] * 2,
    "docno": list("abcdef"),
    "a": range(N),
    "b": range(N),
}
LOG = {name: [1] * N for name in KNOWN} | {"position": range(1, N + 1), "document": range(N), "clicked": [0, 1] * 3}
TABLES = {
    "clicks prepare {} -o new": LOG,
    "evaluate {} -b a": {"topic": list("123456"), "a": [0.1] * N, "b": [0.2] * N},
    "evaluate qrels.txt {} old.run -b old": {"query": ["1"] * N, "doc_id": list("abcdef"), "score": [0.5] * N},
    "evaluate {} old.run -b old": {"query": ["1"] * N, "doc_id": list("abcdef"), "rating": [0, 1] * 3},
    "gate qrels.txt old.run -b old.run --max-hurt 1 --segments {}": {"topic": list("123456"), "segment": ["a"] * N},
    "gate qrels.txt old.run -b old.run --max-hurt 1 --weights {}": {"topic": list("123456"), "weight": [1.5] * N},
    "inspect {}": FEATURES,
    "train {} -o new --ranker AFS --weight weight": {**FEATURES, "weight": [1.0] * N},
    "evaluate features.csv column:a {} -b column:a --query qid": {
        "qid": FEATURES["qid"], "docno": FEATURES["docno"], "score": range(N),
    },
}  # fmt: skip
SAME = [("train {} -o new --ranker AFS --weight weight", column) for column in FEATURES]  # read as by `inspect`
COLUMNS = [(text, column) for text, table in TABLES.items() for column in table if (text, column) not in SAME]


@pytest.fixture
def folder(tmp_path):
    topics = range(1, 7)
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {i % 2}\n" for t in topics for i, d in enumerate("abcdef")))
    (tmp_path / "old.run").write_text("".join(f"{t} Q0 {d} 1 {i} x\n" for t in topics for i, d in enumerate("abcdef")))
    pl.DataFrame(FEATURES).write_csv(tmp_path / "features.csv")
    return tmp_path


@pytest.mark.parametrize(("text", "column"), COLUMNS, ids=lambda text: text[:30])
def test_a_column_of_another_type_is_told_or_does_no_harm(folder, text, column, record_property):
    failed = {}
    for number, (kind, values) in enumerate(ODD.items()):
        pl.DataFrame({**TABLES[text], column: values}).write_parquet(folder / f"{number}.parquet")
        try:
            with contextlib.suppress(ToldError):
                command(folder, text.format(f"{number}.parquet").replace("new", f"new{number}"))
        except Exception as error:
            failed[kind] = f"{error!r:.200}"
    assert not failed
    record_property("tried", len(ODD))
