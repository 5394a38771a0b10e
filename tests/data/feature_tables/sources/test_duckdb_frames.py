from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import duckdb
import pytest

import riskrank as rr
from riskrank.data.feature_tables.sources.duckdb_frames import relation_frame
from riskrank.errors import AlignmentError

FEATURES = "SELECT range // 3 AS qid, range % 2 AS label, range AS x"


def test_nobody_complains_of_what_duckdb_left_open(tmp_path):
    with closing(duckdb.connect(str(tmp_path / "a.db"))) as connection:
        connection.execute(f"CREATE TABLE features AS {FEATURES} FROM range(9)")
    code = f"""
import duckdb, riskrank as rr
rr.read_table("duckdb:///{tmp_path}/a.db")
rr.read_table(duckdb.connect().sql("{FEATURES} FROM range(9)"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("INTERVAL 1 DAY", "1 day"),
        ("[INTERVAL 1 DAY]", "[1 day]"),
        ("{'a': INTERVAL 1 DAY}", "{'a': 1 day}"),
        ("union_value(a := 1)", "1"),
    ],
)
def test_types_that_polars_lacks_are_texts(value, text):
    with closing(duckdb.connect()) as connection:
        relation = connection.sql(f'{FEATURES}, {value} AS "a ""b" FROM range(3)')
        assert relation_frame(relation)['a "b'].to_list() == [text] * 3
        with pytest.raises(AlignmentError, match="holds text"):
            rr.read_table(relation)
        assert rr.read_table(relation, drop='a "b').n_features == 1
