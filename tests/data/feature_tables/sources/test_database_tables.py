from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

import duckdb
import numpy as np
import pytest

import riskrank as rr
from riskrank.data.feature_tables.ranking_files import is_feature_table
from riskrank.errors import FileError

CREATE = "CREATE TABLE {} (qid VARCHAR, grade INTEGER, url VARCHAR, bm25 DOUBLE, length INTEGER)"
ROWS = [("007", 0, "a", 1.5, 3), ("007", 2, "b", None, 4), ("8", 1, "a", 0.25, 5)]


@pytest.fixture(params=["sqlite", "duckdb"])
def database(request, tmp_path):
    """An address without a table, of a database that has one, and the library's connections."""
    library = sqlite3 if request.param == "sqlite" else duckdb
    path = tmp_path / "a shop.db"
    with closing(library.connect(str(path))) as connection:
        connection.execute(CREATE.format("features"))
        connection.executemany("INSERT INTO features VALUES (?, ?, ?, ?, ?)", ROWS)
        connection.commit()
    return f"{request.param}:///{path}", lambda: closing(library.connect(str(path)))


def is_the_table(data):
    assert data.query_ids == ("007", "8")
    assert data.labels.tolist() == [0, 2, 1]
    assert data.document_ids.tolist() == ["a", "b", "a"]
    assert data.feature_names == ("bm25", "length")
    np.testing.assert_array_equal(data.features, np.array([[1.5, 3], [np.nan, 4], [0.25, 5]], np.float32))


def test_a_table_or_what_a_query_gives_is_read(database):
    address, connect = database
    with connect() as connection:
        connection.execute(CREATE.format("empty"))
        connection.commit()
    assert is_feature_table(address)
    is_the_table(rr.read_table(f"{address}?table=features"))
    is_the_table(rr.read_table(f"{address}?query=SELECT * FROM features"))
    is_the_table(rr.read_table(f"{address}?query=SELECT%20*%20FROM%20features"))
    one = rr.read_table(f"{address}?query=SELECT qid, grade, bm25 + 1 AS more, length FROM features WHERE qid = '007'")
    np.testing.assert_array_equal(one.feature("more"), [2.5, np.nan])
    with pytest.raises(FileError, match=r"names no table; there is empty, features. Add \?table=name"):
        rr.read_table(address)


def test_the_only_table_need_not_be_named(database):
    address, _ = database
    is_the_table(rr.read_table(address))


def test_a_path_may_be_relative(database, tmp_path, monkeypatch):
    address, _ = database
    monkeypatch.chdir(tmp_path)
    is_the_table(rr.read_table(f"{address.partition(':')[0]}:///a shop.db?table=features"))
    is_the_table(rr.read_table(f"{address.partition(':')[0]}:///a%20shop.db"))


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("?table=feature", "has no table 'feature', only features. Did you mean 'features'"),
        ("?query=SELECT nothing FROM features", r"cannot be read \(.*nothing"),
        ("?query=DROP TABLE features", "its query must be one SELECT"),
        (
            "?query=SELECT 1; DROP TABLE features",
            "its query must be one SELECT|You can only execute one",
        ),
        ("?query=ATTACH 'other.db' AS other", "its query must be one SELECT"),
        ("?query=COPY features TO 'other.db'", r'its query must be one SELECT|cannot be read \(near "COPY"'),
        ("?query=PRAGMA user_version", "its query must be one SELECT|has no column"),
        ("?query=SELECT * FROM features WHERE qid = 'x'", "has no rows"),
        ("?rows=7", "'rows' is neither a table nor a query. Write duckdb:///file.db"),
        (
            "?query=SELECT qid, grade, length, length FROM features",
            "two columns have one name. Rename one in the query",
        ),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(database, rest, message, tmp_path, monkeypatch):
    address, connect = database
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FileError, match=message) as refused:
        rr.read_table(f"{address}{rest}")
    assert "\n" not in str(refused.value)
    assert sorted(tmp_path.iterdir()) == before
    with connect() as connection:
        assert connection.execute("SELECT COUNT(*) FROM features").fetchone() == (3,)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_what_is_no_database_is_refused(tmp_path, kind):
    with pytest.raises(FileError, match="no such file"):
        rr.read_table(f"{kind}:///{tmp_path}/a.db?table=x")
    assert not (tmp_path / "a.db").exists()
    (tmp_path / "a.db").write_bytes(b"nothing of the kind" * 1000)
    with pytest.raises(FileError, match="cannot be read"):
        rr.read_table(f"{kind}:///{tmp_path}/a.db?table=x")
    with pytest.raises(FileError, match="is not the address of a database"):
        rr.read_table(f"{kind}://host/a.db?table=x")
    with pytest.raises(FileError, match="is a directory"):
        rr.read_table(f"{kind}:///{tmp_path}?table=x")


def test_values_of_many_types_in_a_column_of_sqlite_are_text(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE t (qid, label, a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [(1, 0, 1, 1), (1, 0, 2.5, "x"), (1, 1, None, 2)])
        connection.commit()
    with pytest.raises(FileError, match=r"row 2: column 'b' holds text \('x'\)"):
        rr.read_table(f"sqlite:///{tmp_path}/a.db")
    data = rr.read_table(f"sqlite:///{tmp_path}/a.db", drop="b")
    np.testing.assert_array_equal(data.feature("a"), [1, 2.5, np.nan])


def test_without_duckdb_the_way_out_is_told(tmp_path, monkeypatch):
    (tmp_path / "a.db").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(FileError, match=r"needs DuckDB: pip install 'riskrank\[duckdb\]'"):
        rr.read_table(f"duckdb:///{tmp_path}/a.db?table=x")
