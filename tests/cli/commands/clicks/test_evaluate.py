"""clicks evaluate: the table of the models, for people and machines, on other pages, and the page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import riskrank as rr
from riskrank.clicks.prepared import Prepared
from riskrank.report.clicks.click_text import click_numbers, click_text
from riskrank.tradeoff.clicks.click_table import click_table, click_table_on, method_standings

from ...mistakes import contents, told_in_one_line
from ...shell import shell
from .click_commands import EVALUATE, ONLY_STANDARD, QUICK, done_well, same_rows, shows_usage


def test_evaluate_prints_the_table_of_the_models(made):
    folder, said = made
    sweep = rr.ClickSweep.load(folder / "models")
    text = click_text(click_table(sweep), "AP", method_standings(sweep))
    more = "--tables  all numbers    models/report.html  the curve and all models"
    assert said["evaluate"].stdout == f"{text}\n\n{more}\n"
    assert said["evaluate"].stderr == ""
    labels = [setting.label for setting in sweep.settings]
    assert labels[:6] == [
        "Risk Sensitive, α = 0", "Risk Sensitive, α = 1", "Risk Sensitive, α = 5", "Weight-Initial-Pref, β = 0.1",
        "Weight-Initial-Pref, β = 0.5", "Lowest-Click-Plus-One, β = 1",
    ]  # fmt: skip
    assert labels[6:]
    assert all(label.startswith("Preference and Risk, α = 1, β = ") for label in labels[6:])
    page = (folder / "models" / "report.html").read_text(encoding="utf-8")
    assert "<title>Learning from clicks: MAP, " in page
    assert "<span>models</span>" in page
    assert page.rstrip().endswith("</html>")
    assert sorted(path.name for path in (folder / "models").iterdir()) == [
        ".riskrank.json", "clicks.json", "models", "queries.parquet", "report.html", "summary.csv", "sweep.json",
    ]  # fmt: skip


def test_several_grades_are_judged_by_ndcg(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "graded", "--grades", "30,200")
    assert set(Prepared.open(files / "graded").read("train").labels) == {0, 1, 2}
    done_well(riskrank, "clicks", "train", "graded", "-o", "graded-models", *QUICK)
    done = done_well(riskrank, "clicks", "evaluate", "graded-models")
    assert "\nnDCG@10 against the order shown (" in done.out
    assert "ΔnDCG@10" in done_well(riskrank, "clicks", "evaluate", "graded-models", "--tables").out


def test_json_is_the_table(riskrank, files):
    done = done_well(riskrank, "clicks", "evaluate", "models", "--json")
    same_rows(json.loads(done.out, parse_constant=pytest.fail), click_table(rr.ClickSweep.load(files / "models")))


def test_json_says_null_where_nothing_is_known(riskrank, files):
    done_well(riskrank, "clicks", "train", "prepared", "-o", "out", "--trees", 1, "--min-docs", 10**6, "--beta", "1",
              *ONLY_STANDARD[:2], *ONLY_STANDARD[4:])  # fmt: skip
    rows = json.loads(done_well(riskrank, "clicks", "evaluate", "out", "--json").out, parse_constant=pytest.fail)
    assert rows[1]["method"] == "Weight-Initial-Pref"
    assert (rows[1]["reranked"], rows[1]["p_value"], rows[1]["kendall_tau_reranked"]) == (0, None, None)


def test_csv_is_the_table(riskrank, files):
    done = done_well(riskrank, "clicks", "evaluate", "models", "--csv")
    (files / "table.csv").write_text(done.out, encoding="utf-8")
    same_rows(pl.read_csv(files / "table.csv").to_dicts(), click_table(rr.ClickSweep.load(files / "models")))


def test_on_the_same_pages_the_table_is_the_same(riskrank, files):
    done = done_well(riskrank, "clicks", "evaluate", "models", "--json", "--on", "prepared")
    same_rows(json.loads(done.out), click_table(rr.ClickSweep.load(files / "models")))


def test_on_other_pages_there_is_a_table_and_no_page(riskrank, files):
    (files / "models" / "report.html").unlink()
    done_well(riskrank, "simulate-clicks", "later.parquet", "-n", 600, "--seed", 77)
    done_well(riskrank, "clicks", "prepare", "later.parquet", "-o", "later")
    sweep, other = rr.ClickSweep.load(files / "models"), Prepared.open(files / "later")
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "later")
    text = click_text(click_table_on(sweep, other), "AP", method_standings(sweep, is_judged_elsewhere=True))
    assert (done.out, done.err) == (f"{text}\n\n--tables  all numbers\n", "")
    numbers = done_well(riskrank, "clicks", "evaluate", "models", "--on", "later", "--tables")
    assert numbers.out == f"{click_numbers(click_table_on(sweep, other), 'AP')}\n"
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "later", "--part", "train", "--json")
    same_rows(json.loads(done.out), click_table_on(sweep, other, "train"))
    assert not (files / "models" / "report.html").exists()


def test_pages_are_called_by_the_part_that_they_are(riskrank, files):
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "prepared", "--part", "valid")
    assert " valid pages\n" in done.out


def test_the_page_can_lie_elsewhere(riskrank, files):
    before = contents(files)
    done = done_well(riskrank, "clicks", "evaluate", "models", "--html", "page.html")
    assert done.out.endswith("    page.html  the curve and all models\n")
    after = contents(files)
    assert after.pop("page.html") is not None
    assert after == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", ["", "--json"])
def test_no_page_stands_where_nothing_can_be_printed(files, form):
    before = contents(files)
    done = shell(f"riskrank clicks evaluate models --html page.html {form} > /dev/full", files)
    assert (done.returncode, done.stderr) == (2, "riskrank: cannot write the output (No space left on device).\n")
    assert contents(files) == before


def test_models_go_wherever_their_folder_goes(riskrank, files):
    (files / "deep").mkdir()
    (files / "models").rename(files / "deep" / "moved")
    shutil.rmtree(files / "foreign")
    for options in ((), ("--on", "prepared")):
        n_pages = Prepared.open(files / "prepared").parts["test"]
        assert f", {n_pages:,} test pages\n" in done_well(riskrank, "clicks", "evaluate", "deep/moved", *options).out


def test_figures_are_plotted_from_the_models(riskrank, files):
    pytest.importorskip("vl_convert", reason="needs Altair and vl-convert")
    for chart in ("click-models", "click-parameters"):
        done = done_well(riskrank, "plot", "models", "-c", chart, "-o", f"{chart}.svg")
        assert (done.out, done.err) == ("", "")
        assert (files / f"{chart}.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_risk_sensitive_models_alone_are_shown(riskrank, files, output):
    alone = ("--beta", "", "--lowest-beta", "", "--both-alpha", "", "--alpha", "1", "--trees", 1)
    done_well(riskrank, "clicks", "train", "prepared", "-o", "out", *alone)
    sweep = json.loads((files / "out" / "sweep.json").read_text(encoding="utf-8"))
    frame = pl.read_parquet(files / "out" / "queries.parquet")
    gains = frame.with_columns(effectiveness=pl.col("baseline") + 0.01)  # whatever was learned: Standard Gain gains
    gains.write_parquet(files / "out" / "queries.parquet")
    assert len(sweep["settings"]) == 2
    said = done_well(riskrank, "clicks", "evaluate", "out", *output).out
    assert said.endswith("    out/report.html  the curve and all models\n") != bool(output)


# What people get wrong.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clicks", "evaluate", "nowhere"), "nowhere: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "foreign"), "foreign: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "prepared"), "prepared: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "log.parquet"), "log.parquet: is not a finished sweep of riskrank"),
        ((*EVALUATE, "--json", "--csv"), "choose --json or --csv, not both"),
        ((*EVALUATE, "--part", "valid"), "--part is a part of other prepared clicks: pass them with --on"),
        ((*EVALUATE, "--on", "nowhere"), "nowhere: is not a folder of prepared clicks"),
        ((*EVALUATE, "--on", "foreign"), "foreign: is not a folder of prepared clicks"),
        ((*EVALUATE, "--on", "log.parquet"), "log.parquet: is not a folder of prepared clicks"),
        (
            (*EVALUATE, "--on", "prepared", "--part", "history"),
            "invalid value for '--part': 'history' is not one of 'train', 'valid', 'test'",
        ),
        (
            (*EVALUATE, "--on", "prepared", "--html", "page.html"),
            "--html shows the test pages of training: leave --on out",
        ),
        ((*EVALUATE, "--html", "nowhere/page.html"), "nowhere/page.html: cannot be written"),
        ((*EVALUATE, "--html", "foreign"), "foreign: cannot be written"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, untouched, arguments, message):
    told_in_one_line(riskrank, untouched, arguments, message)


def test_without_what_it_needs_it_shows_its_usage(riskrank, files):
    shows_usage(riskrank, files, EVALUATE[:-1])


def test_a_sweep_that_is_not_over_clicks_is_told(riskrank, files):
    from riskrank.data.synthetic.synthetic_features import web_search_data

    data = web_search_data(24, documents_per_query=6, n_features=20)
    parts = {"valid": data.take(slice(8, 16)), "test": data.take(slice(16, 24)), "verbose": False}
    ranker = rr.LambdaMART(rr.URisk(), n_trees=1, n_leaves=3)
    rr.sweep(data.take(slice(0, 8)), ranker, baseline=rr.Feature(1), **parts, folder=files / "plain")
    for options in ((), ("--on", "prepared"), ("--json",)):
        told_in_one_line(riskrank, files, ("clicks", "evaluate", "plain", *options), "is not a sweep over clicks")


def test_models_are_not_judged_on_other_features(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "other", "--features", "session,user,everyone")
    message = "the models were trained on other features than other has (differing: after_rate"
    told_in_one_line(riskrank, files, (*EVALUATE, "--on", "other"), message)
    told_in_one_line(riskrank, files, ("clicks", "train", "other", "-o", "models", "--by-query", "--trees", 0), "trees")


@pytest.mark.parametrize(
    ("name", "damage", "arguments", "message"),
    [
        (
            "prepared/test/00000.parquet",
            b"",
            (*EVALUATE, "--on", "prepared"),
            "00000.parquet: is not a Parquet file, or it is damaged",
        ),
        ("models/sweep.json", b"{", EVALUATE, "models: is not a sweep of riskrank, or it is damaged"),
        ("models/queries.parquet", b"", EVALUATE, "models: is not a sweep of riskrank, or it is damaged"),
        ("models/clicks.json", b"{", (*EVALUATE, "--on", "prepared"), "models: is not a sweep over clicks"),
        ("models/models/risk-sensitive/alpha=0/fold-1/card.json", b"{", (*EVALUATE, "--on", "prepared"), "card.json"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_what_is_damaged_is_told(riskrank, files, name, damage, arguments, message):
    (files / name).write_bytes(damage)
    told_in_one_line(riskrank, files, arguments, message)


def test_models_that_were_taken_away_are_told(riskrank, files):
    shutil.rmtree(files / "models" / "models")
    told_in_one_line(riskrank, files, (*EVALUATE, "--on", "prepared"), "no folder with its models")


def test_models_are_not_taken_for_prepared_clicks(riskrank, files):
    told_in_one_line(riskrank, files, (*EVALUATE, "--on", "models"), "models: is not a folder of prepared clicks")
