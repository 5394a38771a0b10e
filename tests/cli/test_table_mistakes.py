"""Mistakes about tables, by every command that takes feature data."""

from __future__ import annotations

import re

import polars as pl
import pytest

from .mistakes import told_in_one_line
from .shop_tables import OWN, RANK, SMALL


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "shop.parquet", "-o", "m"], "shop.parquet: has no column that is known as query (qid, query_id"),
        (
            ["train", "shop.parquet", *OWN, "-o", "m"],
            "column 'title' holds text ('Title, no. 0'), features are numbers. Leave it out (--drop title",
        ),
        (["train", "shop.csv", *OWN, "-o", "m"], "shop.csv:2: column 'title' holds text"),
        (
            ["train", "plain.parquet", "--query", "phrases", "-o", "m"],
            "has no column 'phrases' (--query); it has phrase, page, stars, bm25, signal 2, signal 3, signal 4",
        ),
        (
            ["train", "plain.parquet", "--query", "phrase", "--label", "phrase", "-o", "m"],
            "column 'phrase' cannot be both the query and the label.",
        ),
        (
            ["train", "plain.parquet", *OWN, "--drop", "signal", "-o", "m"],
            "no column is called 'signal' (--drop). Did you mean 'signal",
        ),
        (["train", "plain.parquet", *OWN, "--features", "tf*", "-o", "m"], "no column matches 'tf*' (--features)."),
        (
            ["train", "plain.parquet", *OWN, "--label", "page", "--document", "stars", "-o", "m"],
            "row 1: column 'page' (--label) must hold numbers, got '/0'.",
        ),
        (
            ["train", "plain.parquet", *OWN, "--split", "part", "-o", "m"],
            "has no column 'part' (--split). Name one, or write 70:15:15 (shares of queries) or time:column.",
        ),
        (["train", "plain.parquet", *OWN, "--split", "80:20", "-o", "m"], "--split takes three shares"),
        (
            ["train", "plain.parquet", *OWN, "--split", "70:15:15", "--valid", "plain.parquet", "-o", "m"],
            "--valid and --split both name validation queries",
        ),
        (
            ["train", "letor.txt", "--split", "70:15:15", "-o", "m"],
            "letor.txt: is no table: --split divides the queries of tables only.",
        ),
        (
            ["train", "letor.txt", "--query", "qid", "-o", "m"],
            "letor.txt: is no table, its columns have no names: leave --query out.",
        ),
        (["train", "none.parquet", "-o", "m"], "none.parquet: no such file."),
        (["train", "*.feather", "-o", "m"], "*.feather: no file matches."),
        (["train", "sqlite:///none.db?table=x", "-o", "m"], "none.db: no such file."),
        (["train", "broken.parquet", "-o", "m"], "broken.parquet: is not a Parquet file, or it is damaged"),
        (
            ["sweep", "plain.parquet", *OWN, "-b", "column:bm25", "--split", "70:15:15", "--folds", "3", "-o", "m"],
            "--split makes all parts of one table: leave --folds out.",
        ),
        (
            ["train", "plain.parquet", *OWN, "--weight", "bm25", "--weights", "letor.txt", "-o", "m"],
            "--weight and --weights both say how much queries count: leave one of them out.",
        ),
        (["train", "plain.parquet", *OWN, "--split", "time:", "-o", "m"], "--split names no column: write time:COLUMN"),
        (
            ["inspect", "model", "--data", "renamed.parquet", *OWN, "--why", "red shoes"],
            "renamed.parquet: its columns lack the model's feature 'bm25'. Did you mean 'BM25'?",
        ),
        (
            ["rank", "model", "plain.parquet", "--query", "phrase", "--score-column", "", "-o", "out.csv"],
            "--score-column must be a name.",
        ),
        (
            ["rank", "model", "renamed.parquet", "--query", "phrase", "-o", "out.csv"],
            "renamed.parquet: its columns lack the model's feature 'bm25'. Did you mean 'BM25'?",
        ),
        (
            ["rank", "model", "texts.csv", "--query", "phrase", "-o", "out.csv"],
            "texts.csv:3: column 'bm25' holds text ('?'), the model knows it as numbers. Write these, or nothing where",
        ),
        (
            ["rank", "model", "plain.parquet", "--query", "phrase", "--drop", "bm25", "-o", "out.csv"],
            "column 'bm25' is a feature of the model, it cannot be left out (--drop).",
        ),
        (
            ["train", "sqlite:///shop.db?query=", "-o", "m"],
            "sqlite:///shop.db?query=: 'query' is neither a table nor a query. Write sqlite:///file.db?table=name",
        ),
        (
            ["inspect", "model", "--data", "renamed.parquet", *OWN[:2], "--permutation"],
            "renamed.parquet: its columns lack the model's feature 'bm25'. Did you mean 'BM25'?",
        ),
        (
            ["inspect", "model", "--data", "unlabelled.parquet", *OWN[:2], "--permutation"],
            "unlabelled.parquet: has no column that is known as label (",
        ),
        (
            ["rank", "model", "plain.parquet", "--query", "phrase", "--part", "test"],
            "--part needs a rule that divides the queries: pass --split.",
        ),
        (
            ["rank", "model", "plain.parquet", "--query", "phrase", "--scores", "-o", "out.csv"],
            "out.csv is a table, which has scores already: leave --scores out.",
        ),
        (
            ["rank", "model", "plain.parquet", "--query", "phrase", "-o", "out.csv.gz"],
            "out.csv.gz: tables are not packed here: name it .csv.",
        ),
        (
            ["inspect", "letor.txt", "--query", "qid"],
            "letor.txt: is no table, its columns have no names: leave --query out.",
        ),
        (["baselines", "shop.parquet", *OWN, "-o", "m"], "column 'title' holds text"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, shop, frame, model, arguments, message):
    (shop / "letor.txt").write_text("0 qid:1 1:2\n1 qid:1 1:3\n")
    (shop / "broken.parquet").write_bytes((shop / "plain.parquet").read_bytes()[:-100])
    frame.rename({"bm25": "BM25"}).write_parquet(shop / "renamed.parquet")
    frame.drop("stars").write_parquet(shop / "unlabelled.parquet")
    rows = pl.int_range(pl.len())
    odd = pl.when(rows == 1).then(pl.lit("?")).otherwise(pl.col("bm25").cast(pl.String))
    frame.with_columns(bm25=odd).write_csv(shop / "texts.csv")
    told_in_one_line(riskrank, shop, arguments, message)


@pytest.mark.parametrize("command", ["train", "sweep"])
def test_a_split_without_queries_to_train_on_and_validation_data_that_lack_a_feature_are_refused(
    riskrank, shop, frame, command
):
    plain = frame.drop("title", "day", "bucket")
    plain.with_columns(part=pl.lit("test")).write_parquet(shop / "tested.parquet")
    plain.rename({"bm25": "BM25"}).write_parquet(shop / "renamed.parquet")
    for arguments, message in (
        (
            ["tested.parquet", "--split", "part"],
            "tested.parquet: the split leaves no queries to train on, only for test.",
        ),
        (
            ["plain.parquet", "--valid", "renamed.parquet"],
            "renamed.parquet: its columns lack the model's feature 'bm25'.",
        ),
    ):
        done = riskrank(command, *arguments, *OWN, "-b", "column:bm25", "-o", "m", cwd=shop)
        assert done.status == 2
        assert message in done.err.splitlines()[-1]
        assert not (shop / "m").exists()


@pytest.mark.parametrize(
    "command",
    [
        (*RANK[:2], "parts", *RANK[3:], "--force", "-o", "parts/a.parquet"),
        (*RANK[:2], "parts/*.parquet", *RANK[3:], "--force", "-o", "parts/a.parquet"),
        (*RANK[:2], "parts", *RANK[3:], "-o", "parts/new.csv"),
        ("train", "parts", *OWN, *SMALL, "-o", "parts/model"),
        ("baselines", "parts", *OWN, "-o", "parts/population"),
        ("sweep", "parts", *OWN, "--test", "plain.parquet", "-b", "column:bm25", "-o", "parts/sweep"),
        ("evaluate", "parts", *OWN, "column:bm25", "--html", "parts/page.html"),
        ("evaluate", "parts", *OWN, "column:bm25", "--csv", "-o", "parts/a.parquet", "--force"),
    ],
)
def test_nothing_is_written_into_a_folder_of_tables_that_is_read(riskrank, shop, model, command):
    (shop / "parts").mkdir()
    before = (shop / "plain.parquet").read_bytes()
    (shop / "parts" / "a.parquet").write_bytes(before)
    done = riskrank(*command, cwd=shop)
    assert done.status == 2
    assert re.search(r"is one of the inputs|would be one of the inputs|whose tables are the input", done.err)
    assert [path.name for path in (shop / "parts").iterdir()] == ["a.parquet"]
    assert (shop / "parts" / "a.parquet").read_bytes() == before
