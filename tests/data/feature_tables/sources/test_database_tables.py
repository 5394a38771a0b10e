from __future__ import annotations

import signal
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


def test_a_name_in_sqlite_that_is_no_text_is_told(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE t (qid, label, ABCDE)")
        connection.commit()
    file = tmp_path / "a.db"
    file.write_bytes(file.read_bytes().replace(b"ABCDE", b"A\x80CDE"))
    with pytest.raises(FileError, match=r"a\.db: the names of tables and columns must be UTF-8\."):
        rr.read_table(f"sqlite:///{file}")


@pytest.mark.parametrize(("kind", "other", "library"), [("sqlite", "duckdb", duckdb), ("duckdb", "sqlite", sqlite3)])
def test_a_database_of_the_other_kind_is_told(tmp_path, kind, other, library):
    with closing(library.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute("CREATE TABLE features (qid INTEGER)")
        connection.commit()
    with pytest.raises(FileError, match=f"is not a database of this kind: begin the address with {other}:"):
        rr.read_table(f"{kind}:///{tmp_path}/a.db")


def test_without_duckdb_the_way_out_is_told(tmp_path, monkeypatch):
    (tmp_path / "a.db").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(FileError, match=r"needs DuckDB: pip install 'riskrank\[duckdb\]'"):
        rr.read_table(f"duckdb:///{tmp_path}/a.db?table=x")


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("cell", ["x", "hex(zeroblob(x % 2 + 400000000))", "'ab' || x"])
def test_what_computes_more_than_a_database_holds_is_refused(tmp_path, kind, cell, monkeypatch):
    """Also where it would never end."""
    library = sqlite3 if kind == "sqlite" else duckdb
    cell = cell.replace("hex(zeroblob(x % 2 + 400000000))", "repeat('a', 80000000)") if kind == "duckdb" else cell
    numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT" if kind == "sqlite" else "SELECT"
    source = "n" if kind == "sqlite" else "range(1000000000000) AS n(x)"
    with closing(library.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute(f"CREATE VIEW features AS {numbers} 1 AS qid, 1 AS label, {cell} AS a FROM {source}")
        connection.commit()
    monkeypatch.setattr("riskrank.data.opening.packed_streams.HARMLESS", 2**20)
    monkeypatch.setattr("riskrank.data.opening.packed_streams.MOST_UNPACKED", 2)
    address = f"{kind}:///{tmp_path}/a.db"
    with pytest.raises(FileError, match="'features' is a view, and views are queries. Write .query=SELECT . FROM"):
        rr.read_table(address)
    with pytest.raises(
        FileError, match=r"unpacks to more than files of data do|cannot be read \(string or blob too big"
    ):
        rr.read_table(f"{address}?query=SELECT * FROM features")


def test_a_table_that_duckdb_packed_a_thousandfold_is_refused(tmp_path):
    with closing(duckdb.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute("CREATE TABLE features AS SELECT 1 AS qid, 1 AS label, 7 AS a FROM range(10000000)")
    with pytest.raises(FileError, match="unpacks to more than files of data do"):
        rr.read_table(f"duckdb:///{tmp_path}/a.db")


@pytest.mark.parametrize(
    ("kind", "query"),
    [
        ("sqlite", "ATTACH '{}/new.db' AS other"),
        ("sqlite", "VACUUM INTO '{}/new.db'"),
        ("sqlite", "PRAGMA journal_mode = WAL"),
        ("duckdb", "COPY features TO '{}/new.csv'"),
        ("duckdb", "SELECT * FROM '{}/other.csv'"),
        ("duckdb", "ATTACH '{}/new.db' AS other (READ_WRITE)"),
        ("duckdb", "SET enable_external_access = true"),
        ("duckdb", "INSTALL httpfs"),
    ],
)
def test_no_query_reaches_other_files(tmp_path, kind, query):
    (tmp_path / "other.csv").write_text("qid,label,a\n1,1,2\n")
    with closing((sqlite3 if kind == "sqlite" else duckdb).connect(str(tmp_path / "a.db"))) as connection:
        connection.execute(CREATE.format("features"))
        connection.commit()
    with pytest.raises(FileError) as refused:
        rr.read_table(f"{kind}:///{tmp_path}/a.db?query={query.format(tmp_path)}")
    assert "\n" not in str(refused.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "other.csv"]


def test_a_view_of_duckdb_reads_no_other_file(tmp_path):
    (tmp_path / "other.csv").write_text("qid,label,a\n1,1,2\n")
    with closing(duckdb.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute(f"CREATE VIEW features AS SELECT * FROM read_csv('{tmp_path}/other.csv')")
    with pytest.raises(FileError, match="disabled by configuration"):
        rr.read_table(f"duckdb:///{tmp_path}/a.db?query=FROM features")


def test_a_path_of_no_system_is_told():
    with pytest.raises(FileError, match="no such file"):
        rr.read_table("sqlite:///a%00b")


def test_no_file_is_left_beside_a_database_with_a_log(tmp_path):
    with closing(sqlite3.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(CREATE.format("features"))
        connection.executemany("INSERT INTO features VALUES (?, ?, ?, ?, ?)", ROWS)
        connection.commit()
        is_the_table(rr.read_table(f"sqlite:///{tmp_path}/a.db"))  # while another process has it open
    is_the_table(rr.read_table(f"sqlite:///{tmp_path}/a.db"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_a_query_of_sqlite_that_never_ends_is_ended_by_ctrl_c(tmp_path):
    """By another signal here, which a timer can send."""
    sqlite3.connect(str(tmp_path / "a.db")).close()
    query = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS qid FROM n"
    former = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            rr.read_table(f"sqlite:///{tmp_path}/a.db?query={query}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def test_what_duckdb_makes_of_ctrl_c_is_ctrl_c(tmp_path, monkeypatch):
    duckdb.connect(str(tmp_path / "a.db")).close()

    def interrupted(*_):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("riskrank.data.feature_tables.sources.database_tables._check_amount", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rr.read_table(f"duckdb:///{tmp_path}/a.db?query=SELECT 1 AS qid")
