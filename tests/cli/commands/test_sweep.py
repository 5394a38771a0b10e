"""sweep: from LETOR files to a curve, an operating point and a report."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import polars as pl
import pytest

import riskrank as rr
from riskrank.report.findings.words import glued
from riskrank.report.text.sweep_text import sweep_numbers, sweep_text

from ..mistakes import told_in_one_line
from ..shell import shell
from ..sweeping import ALONE, BARE, PARTS, SMALL, SWEEP, swept

pytest.importorskip("vl_convert", reason="needs Altair and vl-convert")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def table(text):
    """The cells of the printed table, line by line."""
    return [line.split() for line in text.split("\n\n")[1].splitlines()]


def test_a_sweep_prints_its_table_and_writes_its_files(riskrank, sweep_files):
    out = swept(riskrank, "--alpha", "0,5", "--also", "nDCG@1", "--select", "max feature:1", "--budget", 0.3)
    train, valid, test = (rr.read_letor(sweep_files / f"{name}.txt") for name in ("train", "valid", "test"))
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=6, n_leaves=4, learning_rate=0.3)
    same = rr.sweep(
        train, ranker, baseline=rr.Feature(8), values=(0, 5), valid=valid, test=test, measures=["nDCG@1"],
        predictors=["max feature:1"],
    )  # fmt: skip
    point = same.guarantee(0.3)
    chosen = "The chosen ranker: out/chosen"
    place = "out/report.html  the curve and every query\n"
    assert out == f"{sweep_text(same, point)}\n\n{chosen}\n--tables  all numbers    {place}"
    again = ("--alpha", "0,5", "--also", "nDCG@1", "--select", "max feature:1", "--budget", 0.3, "--tables")
    numbers = swept(riskrank, *again)
    assert numbers == f"{sweep_numbers(same, point)}\n\n{chosen}\n{place}"
    header, *rows = table(numbers)
    assert header[:7] == ["series", "α", "nDCG@10", "nDCG@1", "gain", "risk", "reward"]
    assert [row[:2] for row in rows] == [
        ["baseline", f"{same.test.baseline.mean():.4f}"],
        ["URisk", "0"],
        ["URisk", "5"],
    ]

    assert names(sweep_files / "out") == [
        ".riskrank.json",
        "chosen",
        "models",
        "queries.parquet",
        "report.html",
        "summary.csv",
        "sweep.json",
    ]
    summary = pl.read_csv(sweep_files / "out" / "summary.csv")
    assert summary["gain"].to_list() == pytest.approx(same.test.gain.tolist())
    queries = pl.read_parquet(sweep_files / "out" / "queries.parquet")
    assert len(queries) == 2 * (valid.n_queries + test.n_queries)
    assert repr(rr.Sweep.load(sweep_files / "out")) == repr(same)
    page = (sweep_files / "out" / "report.html").read_text()
    assert "All numbers" in page
    assert "<span>test.txt</span>" in page
    assert f'<p class="card-kind">Operating point</p>\n<h3 class="card-title">{glued(point.label)}</h3>' in page


def test_called_again_it_trains_nothing_and_says_the_same(riskrank, sweep_files):
    arguments = ("--alpha", "0,5", "--max-risk", 0.2)
    first = swept(riskrank, *arguments)
    models = {path: path.stat().st_mtime_ns for path in (sweep_files / "out" / "models").rglob("*") if path.is_file()}
    pages = [(sweep_files / "out" / name).read_bytes() for name in ("report.html", "summary.csv", "sweep.json")]
    assert swept(riskrank, *arguments) == first
    assert {path: path.stat().st_mtime_ns for path in models} == models
    assert [(sweep_files / "out" / name).read_bytes() for name in ("report.html", "summary.csv", "sweep.json")] == pages
    more = swept(riskrank, "--alpha", "0,2,5", "--tables")
    assert [row[1] for row in table(more)[2:]] == ["0", "2", "5"]
    assert {path: path.stat().st_mtime_ns for path in models} == models


def test_the_files_of_the_example_make_a_sweep(riskrank, example):
    """As in the docs."""
    parts = ("example/train.txt", "--valid", "example/valid.txt", "--test", "example/test.txt", "-b", "feature:1")
    done = riskrank("sweep", *parts, "--alpha", "0", "--alpha", "10", "--trees", 3, "--leaves", 3, "-o", "out")
    assert (done.status, done.err) == (0, "")
    assert "\nnDCG@10, URisk against feature:1 (0.7217), 500 test queries\n\nα " in done.out
    assert not done.out.startswith("Use ")
    assert not (example.parent / "out" / "chosen").exists()


def test_with_folds_every_query_is_tested_once(riskrank, sweep_files):
    done = riskrank("sweep", "train.txt", "-b", "feature:8", "--folds", 3, "--alpha", "0,5", *SMALL, "-o", "out")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"\nnDCG@10, URisk against feature:8 \(.*\), 80 test queries in 3 folds\n", done.out)
    queries = pl.read_parquet(sweep_files / "out" / "queries.parquet").filter(pl.col("set") == "test")
    train = rr.read_letor(sweep_files / "train.txt")
    assert sorted(queries["query"].to_list()) == sorted([*train.query_ids, *train.query_ids])
    assert names(sweep_files / "out" / "models" / "urisk" / "alpha=5") == ["fold-1", "fold-2", "fold-3"]
    assert riskrank("plot", "out", "-o", "folds.json").status == 0


def test_a_folder_of_folds_is_taken_as_it_is(riskrank, sweep_files, sweep_texts):
    for fold in (1, 2):
        (sweep_files / "MQ" / f"Fold{fold}").mkdir(parents=True)
        for part, name in (("train", "train"), ("vali", "valid"), ("test", "test")):
            (sweep_files / "MQ" / f"Fold{fold}" / f"{part}.txt").write_text(sweep_texts[f"{name}.txt"])
    done = riskrank("sweep", "MQ", "-b", "feature:8", "--alpha", "0,5", *SMALL, "--max-risk", 1, "-o", "out")
    assert (done.status, done.err) == (0, "")
    assert ", 80 test queries in 2 folds\n" in done.out  # 40 in each
    assert "It gains most of those with a risk up to 1 on validation queries." in done.out.replace("\n", " ")
    assert "to deploy" not in done.out  # there is a model for each fold
    assert not (sweep_files / "out" / "chosen").exists()


def test_objectives_are_compared(riskrank, sweep_files):
    out = swept(riskrank, "--objective", "urisk", "--objective", "saro", "--alpha", "0,5", "--json")
    summary = pl.DataFrame(json.loads(out))
    assert summary["series"].to_list() == ["URisk", "URisk", "SARO", "SARO"]
    assert names(sweep_files / "out" / "models") == ["saro", "urisk"]
    # without a weight on losses, both are the same model
    assert summary["gain"][0] == pytest.approx(summary["gain"][2], abs=1e-9)


def test_a_ranker_without_an_objective_can_be_swept(riskrank, sweep_files):
    swept(riskrank, "--ranker", "RegressionTrees", "--vary", "n_leaves=3,7")
    sweep = rr.Sweep.load(sweep_files / "out")
    assert [setting.label for setting in sweep.settings] == [f"RegressionTrees, n_leaves = {n}" for n in (3, 7)]


def test_another_parameter_may_vary(riskrank, sweep_files):
    out = swept(riskrank, "--vary", "n_leaves=3,7", "--tables")
    header, _, *rows = table(out)
    assert header[1] == "n_leaves"
    assert [row[1] for row in rows] == ["3", "7"]
    cards = [rr.load(sweep_files / "out" / "models" / "urisk" / f"n_leaves={n}" / "fold-1").card_ for n in (3, 7)]
    assert [card["parameters"]["n_leaves"] for card in cards] == [3, 7]
    assert (sweep_files / "out" / "report.html").exists()


def test_json_is_the_summary(riskrank, sweep_files):
    out = swept(riskrank, "--alpha", "0,5", "--also", "AP", "--json")
    rows = json.loads(out, parse_constant=pytest.fail)
    summary = rr.Sweep.load(sweep_files / "out").summary
    assert [list(row) for row in rows] == [summary.columns] * 2
    for row, known in zip(rows, summary.to_dicts(), strict=True):
        assert row == pytest.approx(known)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_no_report_stands_where_nothing_can_be_printed(sweep_files):
    sweep = " ".join(map(str, [*SWEEP, *ALONE, "--html", "page.html"]))
    done = shell(f"riskrank {sweep} > /dev/full", sweep_files)
    assert (done.returncode, done.stderr) == (2, "riskrank: cannot write the output (No space left on device).\n")
    assert not (sweep_files / "page.html").exists()


def test_the_report_can_lie_elsewhere(riskrank, sweep_files):
    out = swept(riskrank, "--alpha", "0", "--html", "page.html")
    assert out.endswith("    page.html  the curve and every query\n")
    assert "</html>" in (sweep_files / "page.html").read_text()
    assert not (sweep_files / "out" / "report.html").exists()


def test_the_report_can_lie_in_the_folder_under_another_name(riskrank, sweep_files):
    swept(riskrank, "--alpha", "0", "--html", "out/index.html")
    assert (sweep_files / "out" / "index.html").exists()


def test_calibration_queries_serve_where_validation_queries_stopped_training(riskrank, sweep_files):
    stopped = ("--alpha", "0", "--early-stopping", 2, "--calibration", "test.txt", "--budget", 0.3)
    assert "test on 40 calibration queries" in swept(riskrank, *stopped)


def test_a_model_can_be_the_baseline(riskrank, sweep_files):
    train = rr.read_letor(sweep_files / "train.txt")
    rr.LambdaMART(n_trees=2, n_leaves=3).fit(train).save(sweep_files / "old")
    parts = ("--valid", "valid.txt", "--test", "test.txt", "-b", "old", "--alpha", "0,5")
    done = riskrank("sweep", "train.txt", *parts, *SMALL, "--budget", 0.1, "-o", "out")
    assert (done.status, done.err) == (0, "")
    assert "\nnDCG@10, URisk against old (" in done.out


# What people get wrong.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (BARE, "needs queries to test on"),
        ([*BARE, "--folds", 2], "--folds must be a whole number from 3"),
        ([*BARE, "--folds", 1000], "80 queries cannot be divided into 1000 folds"),
        ([*SWEEP, "--folds", 3], "the one file: leave --valid, --test and --calibration out"),
        (["sweep", "nothing.txt", *PARTS, "-o", "out"], "nothing.txt: no such file"),
        ([*BARE, "--test", "nothing.txt"], "nothing.txt: no such file"),
        (["sweep", "foreign", "-b", "feature:1", "-o", "out"], "foreign: has no folders Fold1, Fold2"),
        ([*SWEEP, "--objective", "urisky"], "unknown objective 'urisky'. Did you mean 'urisk'?"),
        ([*SWEEP, "--objective", "urisk", "--objective", "URisk"], "the objective URisk is given twice"),
        ([*SWEEP, "--objective", "gain"], "Gain has no parameter 'alpha'"),
        ([*SWEEP, "--ranker", "Magic"], "unknown ranker 'Magic'"),
        ([*SWEEP, "--alpha", "0;1"], "--alpha takes numbers like 0,1,5,10, got '0;1'"),
        ([*SWEEP, "--alpha", "0,,1"], "--alpha takes numbers"),
        ([*SWEEP, "--alpha", "nan"], "values of --alpha must be numbers, got nan"),
        ([*SWEEP, "--alpha", "-1"], "--alpha must be a number above −1"),
        ([*SWEEP, "--alpha", "1", "--vary", "n_leaves=3,5"], "give --alpha or --vary, not both"),
        ([*SWEEP, "--vary", "n_leaves"], "--vary takes NAME=VALUES like n_leaves=7,15,31, got 'n_leaves'"),
        ([*SWEEP, "--vary", "n_leaves=few"], "--vary takes numbers"),
        ([*SWEEP, "--vary", "luck=1,2"], "URisk has no parameter 'luck'; it has alpha"),
        ([*SWEEP, "--with", "x"], "--with takes NAME=VALUE, got 'x'"),
        ([*SWEEP, "--set", "luck=3"], "LambdaMART has no parameter 'luck'"),
        ([*SWEEP, "-m", "luck"], "unknown measure 'luck'"),
        ([*SWEEP, "--also", "luck"], "unknown measure 'luck'"),
        ([*SWEEP, "--select", "luck"], "unknown predictor 'luck'. Known: max"),
        ([*SWEEP, "--select", "max feature:99"], "feature must be from 1 to 20, got 99"),
        ([*SWEEP, "--jobs", 0], "--jobs must be a whole number from 1, got 0"),
        ([*SWEEP, "--engine", "catboost"], "unknown engine 'catboost'"),
        ([*SWEEP, "--budget", 0.1, "--max-risk", 0.1], "choose by --budget (with a guarantee) or by --max-risk"),
        ([*BARE, "--test", "test.txt", "-b", "feature:8"], "two baselines are named 'feature:8'"),
        (["sweep", "train.txt", "--test", "test.txt", "-b", "feature:21", "-o", "out"], "feature must be from 1 to 20"),
        (["sweep", "train.txt", "--test", "test.txt", "-b", "nothing.run", "-o", "out"], "nothing.run: no such file"),
        (["sweep", "train.txt", "--test", "test.txt", "-b", "train.scores", "-o", "out"], "train.scores: "),
        ([*SWEEP, "--html", "out/summary.csv"], "out/summary.csv: is part of the sweep. Choose another place"),
        ([*SWEEP[:-1], "valid.txt"], "valid.txt: is one of the inputs, it would be overwritten"),
        ([*SWEEP[:-1], "foreign"], "foreign: exists and is not a sweep of riskrank. Choose another place"),
        ([*SWEEP[:-1], "valid.txt/out"], "valid.txt/out: cannot be written"),
        ([*SWEEP, "--html", "nowhere/page.html"], "nowhere/page.html: cannot be written"),
        ([*SWEEP, "--html", "valid.txt"], "valid.txt: is one of the inputs"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, sweep_files, foreign, arguments, message):
    told_in_one_line(riskrank, sweep_files, arguments, message)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--budget", 2), ("--max-risk", -1), ("--max-risk", "inf"), ("--budget", 0.1, "--via", "luck"),
        ("--budget", 0.1, "--early-stopping", 2), ("--trees", 0), ("--leaves", 1),
    ],
    ids=lambda x: " ".join(map(str, x)),
)  # fmt: skip
def test_what_cannot_be_is_told_before_training(riskrank, sweep_files, wrong):
    told_in_one_line(riskrank, sweep_files, [*SWEEP, *ALONE, *wrong], "")


def test_models_that_begin_side_by_side_leave_stderr_open(monkeypatch):
    from riskrank.rankers.trees import lightgbm_trees

    monkeypatch.setattr(lightgbm_trees, "_is_quiet", True)
    before, kept = os.fstat(2), os.dup(2)
    try:
        one, other = lightgbm_trees._stderr_closed(), lightgbm_trees._stderr_closed()
        one.__enter__()
        other.__enter__()
        one.__exit__(None, None, None)
        other.__exit__(None, None, None)
        assert os.path.samestat(os.fstat(2), before)
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def test_mistakes_are_told_in_the_words_of_the_command(riskrank, sweep_files):
    told_in_one_line(riskrank, sweep_files, BARE, "a sweep needs queries to test on: pass --test, or --folds.")


def test_queries_count_by_a_table_of_weights(riskrank, sweep_files):
    parts = [rr.read_letor(sweep_files / f"{name}.txt") for name in ("train", "valid", "test")]
    weights = {query: 1 + 37 * i % 11 for i, query in enumerate(q for part in parts for q in part.query_ids)}
    lines = [f"{query},{weight}" for query, weight in weights.items()]
    (sweep_files / "traffic.csv").write_text("\n".join(["qid,views", *lines]))
    out = swept(riskrank, "--alpha", "0,5", "--weights", "traffic.csv")
    ranker = rr.LambdaMART(rr.URisk("nDCG@10"), n_trees=6, n_leaves=4, learning_rate=0.3)
    same = rr.sweep(
        parts[0], ranker, baseline=rr.Feature(8), values=(0, 5), valid=parts[1], test=parts[2], weights=weights
    )
    assert out.startswith(sweep_text(same))
    assert "weighted: they count as" in " ".join(out.split())


def test_a_guarantee_by_weight_is_refused_before_any_training(riskrank, sweep_files):
    (sweep_files / "traffic.csv").write_text("qid,views\n1,2\n")
    done = riskrank("sweep", "train.txt", *PARTS, "--weights", "traffic.csv", "--budget", 0.1, "-o", "out")
    assert done.status == 2
    assert "a guarantee is for queries that all count the same" in done.err
    assert not (sweep_files / "out").exists()
