from __future__ import annotations

import pytest

from riskrank.data.feature_tables.separate_outputs import check_separate
from riskrank.errors import FileError


@pytest.fixture(autouse=True)
def tables(tmp_path, monkeypatch):
    (tmp_path / "parts" / "day").mkdir(parents=True)
    (tmp_path / "model").mkdir()
    for name in ("parts/a.csv", "parts/day/b.csv", "shop.db", "shop.db-wal", "train.txt.query", "model/card.json"):
        (tmp_path / name).write_text("qid,label\n")
    (tmp_path / "link").symlink_to("parts")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("output", "given", "message"),
    [
        ("parts/a.csv", "parts", "is one of the inputs"),
        ("link/day/b.csv", "parts", "is one of the inputs"),
        ("parts/a.csv", "parts/*.csv", "is one of the inputs"),
        ("parts/day/b.csv", "parts/**/*.csv", "is one of the inputs"),
        ("parts", "parts/*.csv", r"holds the input parts/a\.csv"),
        ("parts/new.csv", "parts", "is in parts, whose tables are the input"),
        ("link/new/model", "parts", "is in parts, whose tables are the input"),
        ("parts/new.csv", "link/*.csv", r"would be one of the inputs, link/\*\.csv"),
        ("parts/new/c.csv", "parts/**/*.csv", "would be one of the inputs"),
        ("shop.db", "duckdb:///shop.db?table=features", "is one of the inputs"),
        ("shop.db", "sqlite:shop.db", "is one of the inputs"),
        ("shop.db-wal", "sqlite:///shop.db?query=SELECT 1", "is one of the inputs"),
        ("train.txt.query", "train.txt", "is one of the inputs"),
        ("train.txt.query", "train.txt.gz", "is one of the inputs"),
        ("model/card.json", "model", "is part of the input model"),
    ],
)
def test_outputs_are_no_part_of_what_is_read(output, given, message):
    with pytest.raises(FileError, match=f"^{output}: .*{message}"):
        check_separate([None, output], ["column:bm25", None, given])


@pytest.mark.parametrize(
    ("output", "given"),
    [
        ("new.csv", "parts"),
        ("parts/new.parquet", "parts/*.csv"),
        ("parts/new/c.csv", "parts/*.csv"),
        ("parts/new.csv", "parts/a.csv"),
        ("scores.csv", "sqlite:///shop.db"),
        ("train.txt.group", "train.txt"),
        ("model/new.run", "model"),
        ("parts/new.csv", "s3://bucket/*.csv"),
    ],
)
def test_others_may_be_written(output, given):
    check_separate([output], [given])
