"""Tables as data of every command that takes feature data."""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import uuid
from contextlib import closing

import fsspec
import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.cli.table_options import OPTIONS
from riskrank.data.feature_tables import feature_table
from riskrank.data.letor import reader
from riskrank.data.letor.writer import write_letor

from ..rankers.category_tables import category_table
from .shop_tables import OWN, RANK, SMALL, TAKEN


def test_a_ranker_learns_from_a_table_by_the_names_of_its_columns(riskrank, shop, frame):
    train = ("train", "plain.parquet", *OWN, "--baseline", "column:bm25", "--objective", "urisk", *SMALL, "-o", "model")
    done = riskrank(*train, cwd=shop)
    assert (done.status, done.err) == (0, f"riskrank: plain.parquet: {TAKEN}.\n")
    model = rr.load(shop / "model")
    assert model.feature_names_in_.tolist() == frame.columns[6:]
    assert model.card_["baselines"] == ["column:bm25"]
    assert "bm25" in riskrank("inspect", "model", "--features", 20, cwd=shop).out


def test_sensible_names_are_found_and_said(riskrank, shop):
    done = riskrank("train", "known.arrow", *SMALL, "-o", "model", cwd=shop)
    assert done.err == "riskrank: known.arrow: query = qid, label = Grade, document = URL, 20 features.\n"


def test_a_column_of_weights_is_that_of_a_file_of_weights(riskrank, shop, frame):
    traffic = pl.DataFrame({"phrase": frame["phrase"].unique(maintain_order=True)}).with_row_index("views", offset=1)
    traffic.select(query="phrase", weight="views").write_csv(shop / "traffic.csv")
    frame.drop("title", "bucket", "day").join(traffic, on="phrase").write_parquet(shop / "weighted.parquet")
    train = ("train", *OWN, "--baseline", "column:bm25", *SMALL)
    done = riskrank(*train, "weighted.parquet", "--weight", "views", "-o", "by-column", cwd=shop)
    assert (done.status, done.err) == (
        0, f"riskrank: weighted.parquet: {TAKEN.replace(', 20', ', weight = views (of queries), 20')}.\n",
    )  # fmt: skip
    riskrank(*train, "plain.parquet", "--weights", "traffic.csv", "-o", "by-file", cwd=shop)
    riskrank(*train, "plain.parquet", "-o", "plain", cwd=shop)
    data = rr.read_table(shop / "plain.parquet", query="phrase", label="stars", document="page")
    by_column, by_file, plain = (rr.load(shop / name).predict(data) for name in ("by-column", "by-file", "plain"))
    assert np.array_equal(by_column, by_file)
    assert not np.array_equal(by_column, plain)


@pytest.mark.parametrize("source", ["folder", "pattern", "sqlite"])
def test_folders_patterns_and_databases_are_tables(riskrank, shop, frame, source):
    plain = frame.drop("title", "bucket", "day")
    (shop / "parts").mkdir()
    plain[:100].write_parquet(shop / "parts" / "part-0.parquet")
    plain[100:].write_parquet(shop / "parts" / "part-1.parquet")
    with closing(sqlite3.connect(shop / "shop.db")) as connection:
        connection.execute("CREATE TABLE features ({})".format(", ".join(f'"{name}"' for name in plain.columns)))
        marks = ", ".join("?" * plain.width)
        connection.executemany(f"INSERT INTO features VALUES ({marks})", plain.rows())
        connection.commit()
    given = {"folder": "parts", "pattern": "parts/*.parquet", "sqlite": "sqlite:///shop.db?table=features"}[source]
    for path, folder in (("plain.parquet", "one"), (given, "other")):
        done = riskrank("train", path, *OWN, *SMALL, "-o", folder, cwd=shop)
        assert (done.status, done.err) == (0, f"riskrank: {path}: {TAKEN}.\n")
    same = rr.read_table(plain, query="phrase", label="stars", document="page")
    np.testing.assert_array_equal(rr.load(shop / "one").predict(same), rr.load(shop / "other").predict(same))


def test_tables_are_read_by_their_address(riskrank, shop):
    place = f"memory://{shop.name}-{uuid.uuid4()}"
    with fsspec.open(f"{place}/plain.parquet", "wb") as file:
        file.write((shop / "plain.parquet").read_bytes())
    with fsspec.open(f"{place}/shop.csv.gz", "wb") as file:
        file.write(gzip.compress((shop / "shop.csv").read_bytes()))
    for path, folder in (("plain.parquet", "one"), (f"{place}/plain.parquet", "other")):
        done = riskrank("train", path, *OWN, *SMALL, "-o", folder, cwd=shop)
        assert (done.status, done.err) == (0, f"riskrank: {path}: {TAKEN}.\n")
    rank = ("rank", "--query", "phrase", "--document", "page", "--tag", "x")
    here = riskrank(*rank, "one", "shop.csv", cwd=shop)
    assert (here.status, here.out) == (0, riskrank(*rank, "other", f"{place}/shop.csv.gz", cwd=shop).out)


def test_the_index_of_pandas_is_no_feature_and_goes_back_with_the_scores(riskrank, shop, frame, model):
    frame.drop("title", "bucket", "day").to_pandas().to_csv(shop / "index.csv")
    done = riskrank("train", "index.csv", *OWN, *SMALL, "-o", "other", cwd=shop)
    assert (done.status, done.err) == (0, f"riskrank: index.csv: {TAKEN}; left out: one without a name.\n")
    done = riskrank("rank", "model", "index.csv", "--query", "phrase", "-o", "out.csv", cwd=shop)
    assert (done.status, done.err) == (
        0, "riskrank: index.csv: query = phrase, 20 features; not the model's: one without a name, page, stars.\n",
    )  # fmt: skip
    assert pl.read_csv(shop / "out.csv").columns[:2] == ["", "phrase"]


def test_features_and_drop_take_names_and_patterns(riskrank, shop):
    train = ("train", "shop.parquet", *OWN, *SMALL, "-o", "model", "--features")
    assert riskrank(*train, "bm25,signal 1*", "--drop", "signal 1?", cwd=shop).status == 0
    assert rr.load(shop / "model").feature_names_in_.tolist() == ["bm25"]
    assert riskrank(*train, "signal 1?", "--features", "signal 2", "--drop", "*5", cwd=shop).status == 0
    names = [f"signal {number}" for number in (10, 11, 12, 13, 14, 16, 17, 18, 19, 2)]
    assert rr.load(shop / "model").feature_names_in_.tolist() == names


@pytest.mark.parametrize(
    ("rule", "sizes"),
    [
        ("bucket", "train 25 queries, valid 7 queries, test 8 queries"),
        ("70:15:15", None),
        ("time:day:50:20:30", "train 20 queries, valid 8 queries, test 12 queries"),
    ],
)
def test_one_table_is_divided_by_a_column_by_shares_or_by_time(riskrank, shop, frame, rule, sizes):
    dropped = [name for name in ("title", "bucket", "day") if name not in rule]
    options = (*OWN, "--drop", ",".join(dropped), "--split", rule)
    done = riskrank("train", "shop.csv", *options, *SMALL, "-o", "model", cwd=shop)
    assert done.status == 0
    taken, parts = done.err.splitlines()
    assert taken == f"riskrank: shop.csv: {TAKEN}."
    known = rr.read_table_parts(frame, rule, query="phrase", label="stars", document="page", drop=dropped)
    said = ", ".join(f"{name} {part.n_queries} queries" for name, part in known.items())
    assert parts == f"riskrank: shop.csv: {said}."
    assert sizes in (None, said)
    card = rr.load(shop / "model").card_
    assert card["training_data"]["queries"] == known["train"].n_queries
    assert card["validation_data"]["queries"] == known["valid"].n_queries


def test_validation_data_may_be_a_table_in_another_order(riskrank, shop, frame):
    plain = frame.drop("title", "bucket", "day")
    plain.select(reversed(plain.columns)).with_columns(more=pl.int_range(pl.len())).write_csv(shop / "valid.csv")
    done = riskrank("train", "plain.parquet", "--valid", "valid.csv", *OWN, *SMALL, "-o", "model", cwd=shop)
    assert done.status == 0
    values = dict(line.split() for line in done.out.splitlines() if line.startswith(("train ", "valid ")))
    assert values["train"] == values["valid"]  # the same rows


def test_a_sweep_takes_a_split_table_and_its_model_ranks_tables(riskrank, shop):
    options = (*OWN, "--drop", "title,day", "--split", "bucket")
    sweep = (
        "sweep",
        "shop.parquet",
        *options,
        "-b",
        "column:bm25",
        "--alpha",
        "0,5",
        *SMALL[:4],
        "--max-risk",
        1,
        "-o",
        "s",
    )
    done = riskrank(*sweep, cwd=shop)
    assert done.status == 0
    assert done.err.splitlines()[-1] == "riskrank: shop.parquet: train 25 queries, valid 7 queries, test 8 queries."
    assert "8 test queries" in done.out
    again = riskrank(*sweep, cwd=shop)
    assert (again.status, again.out) == (0, done.out)
    ranked = riskrank(
        "rank", "s/chosen", "shop.csv", "--query", "phrase", "--document", "page", "-o", "a.run", cwd=shop
    )
    assert ranked.status == 0


def test_a_sweep_takes_tables_for_each_part_and_folds_of_one(riskrank, shop, frame):
    parts = frame.drop("title", "day").partition_by("bucket", include_key=False, maintain_order=True)
    for name, part in zip(("train", "valid", "test"), parts, strict=True):
        part.write_parquet(shop / f"{name}.parquet")
    usual = (*OWN, "-b", "column:bm25", "--alpha", "0", *SMALL[:4])
    files = ("train.parquet", "--valid", "valid.parquet", "--test", "test.parquet")
    done = riskrank("sweep", *files, *usual, "-o", "one", cwd=shop)
    assert done.status == 0
    split = ("shop.parquet", "--drop", "title,day", "--split", "bucket")
    assert riskrank("sweep", *split, *usual, "-o", "other", cwd=shop).out.replace("other", "one") == done.out
    folds = riskrank("sweep", "plain.parquet", "--folds", 3, *usual, "-o", "folds", cwd=shop)
    assert folds.status == 0
    assert "40 test queries" in folds.out


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.tsv", "out.arrow", "out.jsonl"])
def test_scores_go_back_with_the_users_own_columns(riskrank, shop, frame, model, name):
    done = riskrank(*RANK, "-o", name, cwd=shop)
    others = "stars, title, bucket, day"
    assert done.err == f"riskrank: shop.csv: query = phrase, document = page, 20 features; not the model's: {others}.\n"
    assert (done.status, done.out) == (0, "")
    readers = {"parquet": pl.read_parquet, "csv": pl.read_csv, "arrow": pl.read_ipc, "jsonl": pl.read_ndjson}
    read = readers.get(name.rpartition(".")[2], lambda path: pl.read_csv(path, separator="\t"))
    scored = read(shop / name).select(*frame.columns, "score", "rank")
    assert scored.select("phrase", "page", "stars", "title", "bucket", "day").equals(frame[:, :6])
    scores = model.predict(rr.read_table(frame, query="phrase", features=frame.columns[6:], labelled=False))
    np.testing.assert_allclose(scored["score"].to_numpy(), scores, rtol=1e-12)
    assert scored.filter(pl.col("rank") == 1).height == 40
    again = riskrank(*RANK, "-o", name, cwd=shop)
    assert again.status == 0  # a table of the same kind is replaced


def test_a_run_of_queries_that_are_words_is_evaluated(riskrank, shop, model):
    assert riskrank(*RANK, "-o", "model.run", cwd=shop).status == 0
    assert (shop / "model.run").read_text().startswith("words ")
    options = (*OWN, "--drop", "title,day", "--split", "bucket", "--part", "test")
    evaluate = ("evaluate", "shop.parquet", *options, "column:bm25", "model.run", "-b", "column:bm25", "--json")
    done = riskrank(*evaluate, cwd=shop)
    assert done.status == 0
    scores = json.loads(done.out)["assessments"][0]["scores"]
    assert len(scores["model"]) == 8
    assert done.err == f"riskrank: shop.parquet: {TAKEN}.\n"


def test_a_column_of_the_table_is_a_system_without_further_options(riskrank, shop):
    done = riskrank(
        "evaluate", "known.arrow", "column:bm25", "column:signal 2", "-b", "column:bm25", "--json", cwd=shop
    )
    assert done.status == 0
    assert list(json.loads(done.out)["assessments"][0]["scores"]) == ["column:bm25", "column:signal 2"]


def test_a_table_of_scores_is_evaluated_where_its_names_are_known(riskrank, shop):
    riskrank("train", "known.arrow", *SMALL, "-o", "model", cwd=shop)
    for name in ("scored.parquet", "scored.run"):
        assert riskrank("rank", "model", "known.arrow", "-o", name, cwd=shop).status == 0
    done = riskrank(
        "evaluate", "known.arrow", "a=scored.parquet", "b=scored.run", "--label", "Grade", "--json", cwd=shop
    )
    scores = json.loads(done.out)["assessments"][0]["scores"]
    assert scores["a"] == scores["b"]


def test_a_table_of_scores_is_evaluated_by_the_names_that_are_given(riskrank, shop, model):
    for name in ("scored.parquet", "scored.csv", "scored.run"):
        assert riskrank(*RANK, "-o", name, cwd=shop).status == 0
    systems = ("a=scored.parquet", "b=scored.csv", "c=scored.run")
    done = riskrank("evaluate", "plain.parquet", *OWN, *systems, "--json", cwd=shop)
    scores = json.loads(done.out)["assessments"][0]["scores"]
    assert scores["a"] == scores["b"] == scores["c"]
    refused = riskrank("evaluate", "plain.parquet", *OWN, "shop.csv", cwd=shop)
    assert refused.status == 2
    assert "shop.csv: needs columns of queries, documents and scores, has no score." in refused.err


def test_one_part_of_a_table_is_ranked(riskrank, shop, frame, model):
    done = riskrank(*RANK, "--split", "bucket", "--part", "dev", "-o", "part.parquet", cwd=shop)
    assert done.status == 0
    kept = pl.read_parquet(shop / "part.parquet")
    assert kept["title"].to_list() == frame.filter(pl.col("bucket") == "dev")["title"].to_list()


def test_depth_and_the_name_of_scores_hold_for_tables(riskrank, shop, model):
    assert riskrank(*RANK, "--depth", 2, "--score-column", "v7", "-o", "top.csv", cwd=shop).status == 0
    top = pl.read_csv(shop / "top.csv")
    assert (top.height, top["v7_rank"].max()) == (80, 2)


def test_baselines_learn_from_a_table_and_leave_the_rest_as_one(riskrank, shop, frame):
    options = ("--ranker", "AFS", "--share", 0.5, "--drop", "title,day,bucket")
    done = riskrank("baselines", "shop.csv", *OWN, *options, "-o", "population", cwd=shop)
    assert done.status == 0
    assert "20 (rest.parquet)" in done.out
    rest = pl.read_parquet(shop / "population" / "rest.parquet")
    assert set(rest.columns) == set(frame.columns)
    assert rest["phrase"].n_unique() == 20
    again = riskrank(
        "train",
        "population/rest.parquet",
        *OWN,
        "--drop",
        "title,day,bucket",
        "-b",
        "population/AFS",
        *SMALL,
        "-o",
        "m",
        cwd=shop,
    )
    assert again.status == 0


def test_inspect_shows_what_a_table_holds(riskrank, shop):
    done = riskrank("inspect", "plain.parquet", *OWN, "--features", 2, cwd=shop)
    assert (done.status, done.err) == (0, f"riskrank: plain.parquet: {TAKEN}.\n")
    first, _, _, head, bm25, signal, rest = done.out.splitlines()
    assert first == "plain.parquet: 40 queries, 401 documents (3 to 20 per query), 20 features"
    assert head.split() == ["feature", "missing", "least", "median", "most"]
    assert (bm25.split()[0], signal.split()[:2]) == ("bm25", ["signal", "2"])
    assert rest == "… and 18 features more (--features 20)"


def test_why_documents_stand_in_their_order_is_told_without_labels(riskrank, shop, frame, model):
    frame.drop("stars").write_parquet(shop / "unlabelled.parquet")
    frame.with_columns(rating=None).drop("stars").write_csv(shop / "empty.csv")
    some = pl.when(pl.int_range(pl.len()) > 0).then("stars")
    frame.with_columns(rating=some).drop("stars").write_parquet(shop / "some.parquet")
    frame.with_columns(grade="stars", rating="stars").drop("stars").write_parquet(shop / "two.parquet")
    query = frame["phrase"][0]
    why = ("inspect", "model", "--why", query, "--query", "phrase", "--document", "page")
    with_labels = json.loads(riskrank(*why, "--data", "shop.csv", "--label", "stars", "--json", cwd=shop).out)
    assert [each["label"] for each in with_labels["documents"]] != [None] * len(with_labels["documents"])
    not_shown = "label = rating (not in all rows: not shown), "
    for data, label in (
        ("unlabelled.parquet", ""),
        ("empty.csv", not_shown),
        ("some.parquet", not_shown),
        ("two.parquet", ""),
    ):
        done = riskrank(*why, "--data", data, cwd=shop)
        taken = f"query = phrase, {label}document = page, 20 features; not the model's: title, bucket, day"
        assert (done.status, done.err.startswith(f"riskrank: {data}: {taken}")) == (0, True)
        table = next(part for part in done.out.split("\n\n") if part.lstrip().startswith("rank"))
        assert table.splitlines()[0].split() == ["rank", "document", "score"]
        content = json.loads(riskrank(*why, "--data", data, "--json", cwd=shop).out)
        unlabelled = [{**each, "label": None} for each in with_labels["documents"]]
        assert content == {**with_labels, "documents": unlabelled}


def test_a_model_that_learned_from_letor_text_ranks_a_table_by_the_order_of_columns(riskrank, shop, frame):
    (shop / "train.txt").write_text("".join(f"{i % 2} qid:{i // 4} 1:{i} 2:{-i}\n" for i in range(40)))
    assert riskrank("train", "train.txt", *SMALL, "-o", "numbers", cwd=shop).status == 0
    table = pl.DataFrame({"qid": [1, 1], "a": [3, 4], "b": [-3, -4]})
    table.write_parquet(shop / "two.parquet")
    assert riskrank("rank", "numbers", "two.parquet", "-o", "a.csv", cwd=shop).status == 0
    table.with_columns(c=pl.Series([1, 2])).write_parquet(shop / "three.parquet")
    done = riskrank("rank", "numbers", "three.parquet", cwd=shop)
    assert (done.status, done.out) == (2, "")
    assert "the model has 2 features, the data have 3" in done.err


@pytest.mark.parametrize("command", ["train", "sweep", "rank", "evaluate", "baselines"])
def test_options_of_tables_have_a_panel_of_their_own(riskrank, command):
    text = riskrank(command, "--help").out
    panel = text.partition("─ Columns of a table ─")[2].partition("╰")[0]
    assert all(f"--{name} " in panel for name in OPTIONS if f"--{name} " in text)
    assert "--query " in panel


@pytest.fixture
def branded(tmp_path):
    category_table(60).write_csv(tmp_path / "brands.csv")
    category_table(20, n_brands=60, seed=3).drop("label").write_csv(tmp_path / "new.csv")
    return tmp_path


def test_categories_are_named_once_and_known_to_the_model(riskrank, branded):
    train = ("train", "brands.csv", "--split", "60:20:20", *SMALL, "-o", "model")
    refused = riskrank(*train, cwd=branded)
    assert refused.status == 2
    assert "Leave it out (--drop brand), or make it a category (--categories brand). So for colour." in refused.err
    done = riskrank(*train, "--categories", "brand,col*", cwd=branded)
    assert done.status == 0
    assert "3 features (categories: brand, colour)" in done.err
    assert rr.load(branded / "model").columns_.category_names == ("brand", "colour")
    ranked = riskrank("rank", "model", "new.csv", "-o", "new.run", cwd=branded)
    assert ranked.status == 0
    assert "riskrank: values that the model does not know count as missing: brand ('brand 40'" in ranked.err


def test_a_sweep_learns_from_categories(riskrank, branded):
    sweep = ("sweep", "brands.csv", "--categories", "brand,colour", "--split", "60:20:20", "--alpha", "0,5", *SMALL[:4])
    assert riskrank(*sweep, "--baseline", "column:bm25", "-o", "sweep", cwd=branded).status == 0
    refused = riskrank(*sweep, "--baseline", "column:brand", "-o", "other", cwd=branded)
    assert (refused.status, "brand holds categories, which rank nothing" in refused.err) == (2, True)


def test_inspect_shows_categories_by_their_texts(riskrank, branded):
    shown = riskrank("inspect", "brands.csv", "--categories", "brand,colour", cwd=branded)
    assert "3 categories" in shown.out
    riskrank("train", "brands.csv", "--categories", "brand,colour", *SMALL, "-o", "model", cwd=branded)
    why = riskrank("inspect", "model", "--data", "brands.csv", "--why", "3", cwd=branded)
    assert why.status == 0
    assert re.search(r"brand +(brand \d\d|missing) +(brand \d\d|missing)", why.out)


@pytest.mark.parametrize("name", ["shop.csv", "train.txt"])
def test_what_is_in_a_cache_is_not_read_again(riskrank, tmp_path, name, monkeypatch):
    data = rr.web_search_data(30, documents_per_query=10, n_features=20, random_state=1)
    write_letor(data, tmp_path / "train.txt")
    frame = pl.DataFrame(data.features, schema=list("abcdefghijklmnopqrst"))
    frame.with_columns(qid=data.query_numbers, label=data.labels).write_csv(tmp_path / "shop.csv")
    train = ("train", name, "--baseline", "feature:1" if name == "train.txt" else "column:a", *SMALL)
    assert riskrank(*train, "-o", "plain").status == 0
    sweep = ("sweep", *train[1:-2], "--test", name, "--alpha", "0,5")
    for number in ("first", "second"):
        assert riskrank(*train, "--cache", "kept", "-o", number).status == 0
        assert riskrank(*sweep, "--cache", "kept", "-o", f"{number} sweep").status == 0
        monkeypatch.setattr(reader, "read_blocks", lambda *_, **__: (pytest.fail("was read") for _ in "x"))
        monkeypatch.setattr(feature_table, "FeatureMatrix", lambda *_, **__: pytest.fail("was read"))
    texts = {(tmp_path / place / "model.txt").read_bytes() for place in ("plain", "first", "second")}
    assert len(texts) == 1


def test_a_cache_that_cannot_be_is_told_before_anything_is_read(riskrank, tmp_path):
    (tmp_path / "train.txt").write_text("1 qid:1 1:5\n0 qid:1 1:2\n", encoding="ascii")
    refused = riskrank("train", "train.txt", "--cache", ".", "-o", "model")
    assert refused.err == "riskrank: .: exists and is not a cache of features of riskrank. Choose another place.\n"
    refused = riskrank("train", "sqlite:///shop.db?table=shop", "--cache", "kept", "-o", "model")
    assert (refused.status, "--cache keeps features of files: leave it out for other tables" in refused.err) == (
        2,
        True,
    )
    assert os.listdir(tmp_path) == ["train.txt"]
