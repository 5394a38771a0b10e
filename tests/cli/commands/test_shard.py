"""shard: data as a folder of shards, and training on them."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import riskrank as rr

from ..mistakes import told_in_one_line

SWEEP = ("sweep", "-o", "new", "-b", "feature:1")


@pytest.fixture
def letor(riskrank):
    small = ("--documents", 8, "--features", 20)
    assert riskrank("synthesise", "cubic", "-o", "cubic", "--queries", "30,10,5", *small).status == 0


def test_shards_are_written_and_told(riskrank, tmp_path, letor):
    done = riskrank("shard", "cubic/train.txt", "-o", "shards", "--shards", 3)
    assert (done.status, done.err) == (0, "")
    said = "ShardedData: 30 queries, 240 documents, 20 features in 3 shards, 80 to 80 documents each"
    assert done.out == f"shards: {said}\n"
    assert rr.ShardedData(tmp_path / "shards").n_shards == 3


def test_rows_of_a_query_that_do_not_stand_together_are_told_in_one_line(riskrank, tmp_path):
    (tmp_path / "mixed.txt").write_text("1 qid:a 1:5\n1 qid:b 1:1\n0 qid:a 1:2\n")
    done = riskrank("shard", "mixed.txt", "-o", "shards")
    assert done.status == 0
    told = "mixed.txt: the rows of a query do not stand together, and were brought together on disk."
    assert done.err == f"riskrank: {told}\n"
    assert rr.ShardedData(tmp_path / "shards").share().query_ids == ("a", "b")


def test_a_training_on_shards_gives_a_model_like_any_other(riskrank, tmp_path, letor):
    for part in ("train", "valid"):
        assert riskrank("shard", f"cubic/{part}.txt", "-o", part, "--shards", 2).status == 0
    options = ("--engine", "xgboost", "--trees", 5, "--leaves", 4, "-b", "feature:1", "--objective", "urisk")
    done = riskrank("train", "train", "--valid", "valid", "-o", "model", *options)
    assert done.status == 0, done.err
    assert rr.load(tmp_path / "model").card_["training_data"]["documents"] == 240


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("shard", "cubic/train.txt", "-o", "new", "--label", "x"), "cubic/train.txt: is no table"),
        (("shard", "cubic/train.txt", "-o", "cubic"), "cubic: holds the input"),
        (
            ("shard", "cubic/train.txt", "-o", "s3://bucket/new"),
            "is an address: write the folder of shards into a folder",
        ),
        (
            ("rank", "model", "shards", "-o", "s3://bucket/new"),
            "is an address: write the folder of scores into a folder",
        ),
        (("shard", "cubic/train.txt", "-o", "new", "-b", "feature:1"), "feature:1 is in the shards in any case"),
        (("shard", "cubic/train.txt", "-o", "new", "--n-features", 7), "cubic/train.txt: has 20 features, 7 are expec"),
        (("train", "cubic/train.txt", "-o", "new", "--cluster", "local:2"), "--cluster needs data in shards"),
        (("train", "shards", "-o", "new"), "data in shards are learned from by LambdaMART with --engine xgboost"),
        (("train", "shards", "-o", "new", "--drop", "x"), "shards: holds shards, whose columns and weights are known"),
        (
            ("train", "shards", "-o", "new", "--valid", "cubic/valid.txt"),
            "cubic/valid.txt: is not in shards, but shards",
        ),
        (("train", "shards", "-o", "new", "--valid", "nothing"), "nothing: no such folder."),
        (("rank", "cubic", "nothing", "-o", "new", "--cluster", "local:2"), "nothing: no such folder."),
        (
            ("train", "shards", "-o", "new", "--engine", "xgboost", "--cluster", "moon:1"),
            "--cluster must be like one of local:4",
        ),
        (
            ("train", "shards", "-o", "new", "--engine", "xgboost", "--cluster", "local:0"),
            "--cluster must have from 1 to",
        ),
        ((*SWEEP, "shards", "--test", "shards"), "data in shards are learned from by LambdaMART with --engine xgboost"),
        ((*SWEEP, "shards", "--test", "cubic/test.txt"), "training data are in shards, --test data are not: shard all"),
        ((*SWEEP, "shards", "--folds", 3), "shards are not divided into --folds"),
        ((*SWEEP, "shards", "--split", "0.8,0.1,0.1"), "shards: holds shards, whose columns and weights are known"),
        (
            (*SWEEP, "cubic/train.txt", "--test", "cubic/test.txt", "--cluster", "local:2"),
            "--cluster needs data in shards. Write them by `riskrank shard`, and pass their folder",
        ),
        ((*SWEEP, "cubic/train.txt", "--test", "cubic/test.txt", "--memory", 600), "--memory needs data in shards"),
    ],
)
def test_mistakes_are_told_in_one_line(riskrank, tmp_path, letor, arguments, message):
    assert riskrank("shard", "cubic/train.txt", "-o", "shards", "--shards", 2).status == 0
    told_in_one_line(riskrank, tmp_path, arguments, message)


def test_a_sweep_on_shards_has_a_page_and_an_operating_point(riskrank, tmp_path, letor):
    for part in ("train", "valid", "test"):
        assert riskrank("shard", f"cubic/{part}.txt", "-o", part, "--shards", 2).status == 0
    options = ("--engine", "xgboost", "--trees", 5, "--leaves", 4, "--alpha", "0,5", "--select", "max feature:1")
    arguments = ("sweep", "train", "--valid", "valid", "--test", "test", "-b", "feature:1", *options)
    done = riskrank(*arguments, "--max-risk", 0.5, "-o", "swept")
    assert done.status == 0, done.err
    assert (tmp_path / "swept" / "report.html").is_file()
    assert "5 test queries" in done.out
    again = riskrank(*arguments, "--max-risk", 0.5, "-o", "swept")
    assert (again.status, again.out) == (0, done.out), again.err


def test_shards_are_ranked_and_evaluated_as_files_are(riskrank, tmp_path, letor):
    assert riskrank("shard", "cubic/train.txt", "-o", "shards", "--shards", 3).status == 0
    options = ("--engine", "xgboost", "--trees", 5, "--leaves", 4)
    assert riskrank("train", "shards", "-o", "model", *options).status == 0
    done = riskrank("rank", "model", "shards", "-o", "scores")
    assert (done.status, done.out) == (0, "scores: scores of 240 documents in 3 tables\n")
    assert riskrank("rank", "model", "cubic/train.txt", "--scores", "-o", "one.txt").status == 0
    pieces = riskrank("evaluate", "shards", "text=feature:1", "new=model", "-b", "text", "--json")
    assert pieces.status == 0, pieces.err
    whole = riskrank("evaluate", "cubic/train.txt", "text=feature:1", "new=one.txt", "-b", "text", "--json")
    assert json.loads(pieces.out) == json.loads(whole.out)


@pytest.mark.parametrize(
    "options",
    [
        "--per-topic -a 2,7 -m ERR@5",
        "--csv --intervals -m AP",
        "--without-relevant drop --all-pairs --tables",
        "--missing intersect --json -m nDCG@10 -m P@5",
    ],
)
def test_evaluate_prints_of_shards_what_it_prints_of_a_table(riskrank, tmp_path, options):
    data = rr.web_search_data(20, documents_per_query=8, n_features=20, random_state=2)
    query = data.query_numbers
    columns = {f"f{i}": data.features[:, i] for i in range(20)}
    pl.DataFrame(
        {
            "qid": [f"ä {q}" for q in query],
            "label": np.where(query % 7 == 3, 0, data.labels),
            "views": 1.0 + query % 3,
            "shown": pl.Series(np.where(query % 5 == 2, np.nan, data.features[:, 3].round(1))).fill_nan(None),
            **columns,
        }
    ).write_parquet(tmp_path / "table.parquet")
    sharding = ("--shards", 4, "--weight", "views", "-b", "column:shown")
    assert riskrank("shard", "table.parquet", "-o", "shards", *sharding).status == 0
    systems = ("text=column:f0", "column:shown", "-b", "text", *options.split())
    pieces = riskrank("evaluate", "shards", *systems)
    whole = riskrank("evaluate", "table.parquet", *systems, "--weight", "views")
    assert (pieces.status, pieces.out) == (0, whole.out)


def test_text_that_names_fewer_features_than_a_model_has_is_sharded_with_as_many(riskrank, tmp_path, letor):
    lines = (tmp_path / "cubic" / "train.txt").read_text().splitlines()
    narrow = [" ".join(word for word in line.split() if not word.startswith(("19:", "20:"))) for line in lines]
    (tmp_path / "narrow.txt").write_text("\n".join(narrow) + "\n")
    options = ("--engine", "xgboost", "--trees", 5, "--leaves", 4)
    assert riskrank("shard", "cubic/train.txt", "-o", "shards", "--shards", 2).status == 0
    assert riskrank("train", "shards", "-o", "model", *options).status == 0
    assert riskrank("shard", "narrow.txt", "-o", "narrow", "--shards", 3).status == 0
    way = "If the others are 0, read or shard them with n_features=20.\n"
    for command in (("rank", "model", "narrow", "-o", "scores"), ("evaluate", "narrow", "new=model")):
        refused = riskrank(*command)
        assert refused.status == 2
        assert refused.err == f"riskrank: the model has 20 features, the data have 18. {way}"
    refused = riskrank("sweep", "shards", "--test", "narrow", "-b", "feature:1", "-o", "new", *options)
    assert "If the others are 0, shard both with n_features=20." in refused.err
    assert riskrank("shard", "narrow.txt", "-o", "narrow", "--shards", 3, "--n-features", 20).status == 0
    assert riskrank("rank", "model", "narrow", "-o", "runs", "--runs").status == 0
    assert riskrank("rank", "model", "narrow.txt", "--sparse", "-o", "one.run").status == 0
    names = sorted((tmp_path / "runs").glob("*.run"))
    assert "".join(name.read_text() for name in names) == (tmp_path / "one.run").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rank", "model", "shards"), "scores of shards go to a folder of tables, or of runs: pass --output"),
        (("rank", "model", "shards", "-o", "new", "--scores"), "--scores is not for shards"),
        (("rank", "model", "shards", "-o", "new", "--tag", "x"), "--tag is of runs: pass --runs, or leave it out"),
        (("rank", "model", "cubic/train.txt", "-o", "new", "--runs"), "--runs needs data in shards"),
        (("rank", "model", "shards", "-o", "new", "--drop", "x"), "options of tables are not for shards"),
        (("rank", "model", "cubic/train.txt", "--cluster", "local:2"), "--cluster needs data in shards"),
        (("evaluate", "cubic/train.txt", "feature:1", "--cluster", "local:2"), "--cluster needs data in shards"),
        (("evaluate", "shards"), "pass at least one system"),
        (("evaluate", "shards", "bm25.run"), "is no feature, column of scores in the shards, or model"),
    ],
)
def test_mistakes_with_shards_are_told_in_one_line(riskrank, tmp_path, letor, arguments, message):
    assert riskrank("shard", "cubic/train.txt", "-o", "shards", "--shards", 2).status == 0
    told_in_one_line(riskrank, tmp_path, arguments, message)
