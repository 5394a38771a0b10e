"""simulate-clicks and clicks: from a search log to a table, and what people get wrong on the way."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.clicks import preparation as preparing
from riskrank.clicks.features import FEATURES
from riskrank.clicks.prepared import Prepared
from riskrank.report.clicks.click_text import click_text
from riskrank.tradeoff.clicks import click_sweep as sweeping_clicks
from riskrank.tradeoff.clicks.click_table import click_table, click_table_on

COMMAND = Path(sys.executable).parent / "riskrank"
PAGES = 2500
SMALL = ("--trees", 8, "--leaves", 5, "--min-docs", 30)
GRIDS = ("--alpha", "1,5", "--beta", "0.1,0.5", "--lowest-beta", "1", "--both-alpha", "1")
ONLY_STANDARD = ("--alpha", "", "--beta", "", "--lowest-beta", "", "--both-alpha", "")
TRAIN = ("clicks", "train", "prepared", *GRIDS, *SMALL)
QUICK = ("--alpha", "1", "--beta", "0.1", "--lowest-beta", "", "--both-alpha", "", "--trees", 1, "--jobs", 1)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A log, prepared pages and trained models, by commands as processes of their own; and what these said."""
    folder = tmp_path_factory.mktemp("clicks")
    said = {}
    for name, arguments in {
        "simulate": ("simulate-clicks", "log.parquet", "--pages", PAGES, "--seed", 3),
        "prepare": ("clicks", "prepare", "log.parquet", "-o", "prepared"),
        "train": (*TRAIN, "-o", "models"),
        "evaluate": ("clicks", "evaluate", "models"),
    }.items():
        command = [str(COMMAND), *map(str, arguments)]
        said[name] = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        assert said[name].returncode == 0, said[name].stderr
    return folder, said


def copied(source, target):
    shutil.copytree(source, target, dirs_exist_ok=True)
    (target / "foreign").mkdir()
    (target / "foreign" / "thesis.txt").write_text("all of it")
    return target


@pytest.fixture
def files(made, tmp_path):
    """All of it, to play with."""
    return copied(made[0], tmp_path)


@pytest.fixture(scope="module")
def untouched(made, tmp_path_factory):
    """All of it, for mistakes, which change nothing."""
    return copied(made[0], tmp_path_factory.mktemp("untouched"))


@pytest.fixture
def with_charts():
    """For tests that look at the report."""


@pytest.fixture(autouse=True)
def _plain_report(request, monkeypatch):
    """Others are quicker without charts."""
    if "with_charts" not in request.fixturenames:
        monkeypatch.setattr("riskrank.report.clicks.click_page.has_charts", lambda: False)


def done_well(riskrank, *arguments):
    done = riskrank(*arguments)
    assert done.status == 0, done.err
    return done


def contents(folder):
    """Every file below a folder, by what it holds."""
    paths = sorted(folder.rglob("*"))
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        for path in paths
    }


def told_in_one_line(riskrank, folder, arguments, message):
    before = contents(folder)
    done = riskrank(*arguments, cwd=folder)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("riskrank: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert contents(folder) == before


def same_rows(found, rows):
    """Rows of a file against those of Python; what is not known may be None there."""
    assert len(found) == len(rows)
    for one, other in zip(found, rows, strict=True):
        expected = other.to_dict()
        assert list(one) == list(expected)
        for name, value in expected.items():
            if isinstance(value, float):
                given = math.nan if one[name] is None else one[name]
                assert given == pytest.approx(value, rel=1e-9, nan_ok=True), name
            else:
                assert one[name] == value, name


# From a log to a table.


def test_commands_say_what_they_did_and_what_comes_next(made):
    folder, said = made
    pages = said["simulate"].stdout
    assert pages.startswith("log.parquet: 2,5")
    assert pages.endswith(" result pages\n")
    counted, prepared = said["prepare"].stdout.splitlines()
    assert counted.startswith("log: ")
    assert " result pages, " in counted
    parts = Prepared.open(folder / "prepared").parts
    assert prepared == (
        f"prepared: Prepared: pages {parts['train']} train, {parts['valid']} valid, {parts['test']} test; "
        f"{len(FEATURES)} features"
    )
    n_models = len(rr.ClickSweep.load(folder / "models"))
    assert said["train"].stdout == f"models: {n_models} models. Next: riskrank clicks evaluate models\n"
    assert said["evaluate"].stdout.endswith("\n\nReport: models/report.html\n")
    assert [each.stderr for each in said.values()] == [""] * len(said)


def test_evaluate_prints_the_table_of_the_models(made):
    folder, said = made
    found = rr.ClickSweep.load(folder / "models")
    assert said["evaluate"].stdout == f"{click_text(click_table(found), 'AP')}\n\nReport: models/report.html\n"
    labels = [setting.label for setting in found.settings]
    assert labels[:6] == [
        "Risk Sensitive, α = 0", "Risk Sensitive, α = 1", "Risk Sensitive, α = 5", "Weight-Initial-Pref, β = 0.1",
        "Weight-Initial-Pref, β = 0.5", "Lowest-Click-Plus-One, β = 1",
    ]  # fmt: skip
    assert labels[6:]
    assert all(label.startswith("Preference and Risk, α = 1, β = ") for label in labels[6:])
    page = (folder / "models" / "report.html").read_text(encoding="utf-8")
    assert "<h1>Learning from clicks: MAP, " in page
    assert page.rstrip().endswith("</html>")
    assert sorted(path.name for path in (folder / "models").iterdir()) == [
        "clicks.json", "models", "queries.parquet", "report.html", "summary.csv", "sweep.json",
    ]  # fmt: skip


def test_the_command_trains_what_the_library_trains(made):
    folder, _ = made
    prepared = Prepared.open(folder / "prepared")
    same = rr.click_sweep(
        prepared, alphas=(0, 1, 5), betas=(0.1, 0.5), lowest_betas=(1,), both_alphas=(1,), n_trees=8, n_leaves=5,
        min_docs_in_leaf=30, verbose=False,
    )  # fmt: skip
    assert repr(rr.ClickSweep.load(folder / "models")) == repr(same)


def test_trained_again_nothing_is_trained(riskrank, made, files, monkeypatch):
    before = {path: path.stat().st_mtime_ns for path in (files / "models" / "models").rglob("*")}
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    done = done_well(riskrank, *TRAIN, "-o", "models")
    assert (done.out, done.err) == (made[1]["train"].stdout, "")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_interrupted_it_says_how_to_go_on_and_goes_on(riskrank, files, monkeypatch):
    arguments = ("clicks", "train", "prepared", *QUICK, "-o", "more")
    fit, trained = rr.LambdaMART.fit, []

    def interrupted(model, *given, **options):
        trained.append(model)
        if len(trained) == 3:
            raise KeyboardInterrupt
        return fit(model, *given, **options)

    monkeypatch.setattr(rr.LambdaMART, "fit", interrupted)
    done = riskrank(*arguments)
    assert (done.status, done.out) == (130, "")
    assert done.err == "riskrank: interrupted; run the same command again to go on (more).\n"
    told_in_one_line(riskrank, files, ("clicks", "evaluate", "more"), "more: is a sweep that was interrupted")
    done = done_well(riskrank, *arguments)
    assert done.out == "more: 3 models. Next: riskrank clicks evaluate more\n"
    assert len(trained) == 4  # only the third model, once more


def test_interrupted_preparing_leaves_nothing_behind(riskrank, files, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(preparing, "Splits", interrupted)
    before = contents(files)
    for target in ("new", "deep/new", "prepared"):
        assert riskrank("clicks", "prepare", "log.parquet", "-o", target).status == 130
    assert contents(files) == before


def test_prepared_again_the_folder_is_replaced(riskrank, files):
    before = contents(files)
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "prepared")
    assert contents(files) == before
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "prepared", "--features", "user")
    assert len(Prepared.open(files / "prepared").features) < len(FEATURES)


# Logs.


LOGS = {
    "a.parquet": (), "a.csv": ("--layout", "table"), "a.txt": (), "a.gz": ("--layout", "2013"),
    "b.gz": ("--layout", "2011"),
}  # fmt: skip


def test_a_log_in_any_layout_leads_to_the_same_clicks(riskrank, tmp_path):
    labels, features = {}, {}
    for name, options in LOGS.items():
        done = done_well(riskrank, "simulate-clicks", name, "-n", 400, *options)
        assert (done.out.startswith(f"{name}: 40"), done.err) == (True, "")
        split = ("--split", "session", "--history", 0) if name.startswith("b") else ("--split", "user")
        done_well(riskrank, "clicks", "prepare", name, "-o", f"from {name}", *split)
        found = Prepared.open(tmp_path / f"from {name}")
        parts = [found.read(part) for part in ("train", "valid", "test")]
        labels[name] = np.concatenate([part.labels for part in parts])
        features[name] = (found.features, np.concatenate([part.features for part in parts]))
    assert features["a.csv"][0] == features["a.parquet"][0]
    np.testing.assert_array_equal(features["a.csv"][1], features["a.parquet"][1])
    for name in ("a.txt", "a.gz"):  # without the engine's scores
        np.testing.assert_array_equal(labels[name], labels["a.parquet"])
        known = [features["a.parquet"][0].index(each) for each in features[name][0]]
        assert len(known) == len(FEATURES) - 1
        np.testing.assert_array_equal(features[name][1], features["a.parquet"][1][:, known])
    assert labels["b.gz"].sum() > 100  # without users, days, domains and terms
    assert not [name for name in features["b.gz"][0] if name.startswith(("user", "session_domain", "similar_t"))]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*LOGS, *(f"from {name}" for name in LOGS)])


def test_the_seed_makes_the_log(riskrank, tmp_path):
    for name, options in {"a": (), "b": (), "c": ("--seed", 1), "d": ("--habits", 0, "--refinding", 1)}.items():
        done_well(riskrank, "simulate-clicks", name, "-n", 50, *options)
    a, b, c, d = ((tmp_path / name).read_bytes() for name in "abcd")
    assert a == b
    assert len({a, c, d}) == 3


def test_a_log_is_written_over_one_that_was_there(riskrank, tmp_path):
    for n in (30, 60):
        done_well(riskrank, "simulate-clicks", "log.csv", "-n", n)
    assert len(pl.read_csv(tmp_path / "log.csv")) >= 600


def test_a_layout_that_a_name_cannot_have_is_refused(riskrank, tmp_path):
    told_in_one_line(riskrank, tmp_path, ("simulate-clicks", "a.parquet", "-n", 30, "--layout", "2013"), "parquet")


def test_a_log_may_be_in_several_files(riskrank, files):
    done_well(riskrank, "simulate-clicks", "other.csv", "-n", 800, "--seed", 9)
    done = done_well(riskrank, "clicks", "prepare", "log.parquet", "other.csv", "-o", "both")
    pages = int(done.out.split(" result pages")[0].rpartition(" ")[2].replace(",", ""))
    assert pages >= PAGES + 800


# Options.


def test_several_grades_are_judged_by_ndcg(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "graded", "--grades", "30,200")
    assert set(Prepared.open(files / "graded").read("train").labels) == {0, 1, 2}
    done_well(riskrank, "clicks", "train", "graded", "-o", "graded-models", *QUICK)
    done = done_well(riskrank, "clicks", "evaluate", "graded-models")
    assert "the order shown has nDCG@10 " in done.out
    assert "ΔnDCG@10" in done.out


def test_features_may_be_chosen(riskrank, files):
    chosen = ("--features", "similarity, query_pages")
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "some", *chosen)
    assert Prepared.open(files / "some").features == (
        "presented", "similar_terms", "similar_clicked", "similar_skipped", "succession", "after_rate", "query_pages",
    )  # fmt: skip


def test_users_may_be_sampled_and_kept_apart(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "fewer", "--sample", 0.5, "--split", "user")
    few, all_pages = (sum(Prepared.open(files / name).parts.values()) for name in ("fewer", "prepared"))
    assert 0.25 * all_pages < few < 0.75 * all_pages
    users = [set(pl.read_parquet(files / "fewer" / part)["user"]) for part in ("train", "valid", "test")]
    assert not users[0] & users[1] | users[1] & users[2] | users[0] & users[2]


def test_pages_without_a_satisfied_click_may_be_kept(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "all", "--keep-unsatisfied")
    data, usual = (Prepared.open(files / name).read("test") for name in ("all", "prepared"))
    best = np.maximum.reduceat(data.labels, data.query_offsets[:-1])
    assert 0 < best.sum() < len(best)
    assert np.maximum.reduceat(usual.labels, usual.query_offsets[:-1]).min() == 1


def test_beta_may_grow_with_the_query(riskrank, files):
    done_well(riskrank, "clicks", "train", "prepared", "-o", "by-query", *QUICK, "--by-query")
    found = rr.ClickSweep.load(files / "by-query")
    assert found.model(2).beta_feature == Prepared.open(files / "prepared").number("query_pages")


def test_early_stopping_goes_by_validation(riskrank, files):
    patience = ("--trees", 60, "--rate", 0.5, "--early-stopping", 2)
    done_well(riskrank, "clicks", "train", "prepared", "-o", "stopped", *QUICK, *patience)
    found = rr.ClickSweep.load(files / "stopped")
    assert max(found.model(i).best_steps_ for i in range(3)) < 60


def test_standard_gain_is_always_trained(riskrank, files):
    done_well(riskrank, "clicks", "train", "prepared", "-o", "out", "--trees", 1, *ONLY_STANDARD[2:], "--alpha", "5")
    assert [setting.value for setting in rr.ClickSweep.load(files / "out").settings] == [0, 5]


def test_the_grids_of_the_paper_are_59_models(riskrank, files, monkeypatch):
    asked = {}

    def noted(*_, **options):
        asked.update(options)
        raise KeyboardInterrupt

    monkeypatch.setattr(sweeping_clicks, "sweep", noted)
    assert riskrank("clicks", "train", "prepared", "-o", "out", "--paper").status == 130
    names = ("Risk Sensitive", "Weight-Initial-Pref", "Lowest-Click-Plus-One")
    assert [len(set(asked["values"][name])) for name in names] == [20, 19, 20]  # and some that do both


# The table for machines, on other pages, and the page.


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
    found, other = rr.ClickSweep.load(files / "models"), Prepared.open(files / "later")
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "later")
    assert (done.out, done.err) == (f"{click_text(click_table_on(found, other), 'AP')}\n", "")
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "later", "--part", "train", "--json")
    same_rows(json.loads(done.out), click_table_on(found, other, "train"))
    assert not (files / "models" / "report.html").exists()


def test_pages_are_called_by_the_part_that_they_are(riskrank, files):
    done = done_well(riskrank, "clicks", "evaluate", "models", "--on", "prepared", "--part", "valid")
    assert "test pages" not in done.out.splitlines()[0]


def test_the_page_can_lie_elsewhere(riskrank, files):
    before = contents(files)
    done = done_well(riskrank, "clicks", "evaluate", "models", "--html", "page.html")
    assert done.out.endswith("\n\nReport: page.html\n")
    after = contents(files)
    assert after.pop("page.html") is not None
    assert after == before


def test_models_go_wherever_their_folder_goes(riskrank, files):
    (files / "deep").mkdir()
    (files / "models").rename(files / "deep" / "moved")
    shutil.rmtree(files / "foreign")
    for options in ((), ("--on", "prepared")):
        assert done_well(riskrank, "clicks", "evaluate", "deep/moved", *options).out.startswith(
            f"{Prepared.open(files / 'prepared').parts['test']} test pages"
        )


def test_figures_are_plotted_from_the_models(riskrank, files):
    pytest.importorskip("vl_convert", reason="needs Altair and vl-convert")
    for chart in ("click-models", "click-parameters"):
        done = done_well(riskrank, "plot", "models", "-c", chart, "-o", f"{chart}.svg")
        assert (done.out, done.err) == ("", "")
        assert (files / f"{chart}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_features_are_listed_with_group_and_meaning(riskrank):
    done = done_well(riskrank, "clicks", "features")
    header, *lines = done.out.splitlines()
    assert header.split() == ["feature", "group", "meaning"]
    assert [line.split(maxsplit=2) for line in lines] == [[each.name, each.group, each.meaning] for each in FEATURES]
    assert done.err == ""


@pytest.mark.parametrize(
    "command", [("simulate-clicks",), ("clicks",), *(("clicks", each) for each in ("prepare", "train", "evaluate"))]
)
def test_every_command_explains_itself(riskrank, command):
    done = done_well(riskrank, *command, "--help")
    assert f"riskrank {' '.join(command)} " in done.out
    assert done.err == ""


# What people get wrong.


PREPARE = ("clicks", "prepare", "log.parquet", "-o", "out")
FIT = ("clicks", "train", "prepared", "-o", "out")
LOOK = ("clicks", "evaluate", "models")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate-clicks", "nowhere/log.csv", "-n", 20), "nowhere/log.csv: cannot be written"),
        (("simulate-clicks", "foreign", "-n", 20), "foreign: cannot be written"),
        (("simulate-clicks", "log.tsv", "-n", 20), "log.tsv: must end in .parquet or .csv for a table"),
        (("simulate-clicks", "log.txt", "-n", 20, "--layout", "table"), "log.txt: must end in .parquet or .csv"),
        (("simulate-clicks", "new", "--layout", "2012"), "layout must be one of 2011, 2013, table, got '2012'"),
        (("simulate-clicks", "new", "-n", 0), "pages must be a whole number from 1, got 0"),
        (("simulate-clicks", "new", "-n", -5), "pages must be a whole number from 1, got -5"),
        (("simulate-clicks", "new", "--habits", 2), "habits must be a number from 0 to 1, got 2.0"),
        (("simulate-clicks", "new", "--refinding", -1), "refinding must be a number from 0 to 1"),
        (("simulate-clicks", "new", "--ambiguous", "nan"), "ambiguous must be a number from 0 to 1"),
        (("simulate-clicks", "new", "--seed", -1), "must be a whole number from 0, got -1"),
        (("clicks", "prepare", "nothing.txt", "-o", "out"), "nothing.txt: no such file"),
        (("clicks", "prepare", "nothing.parquet", "-o", "out"), "nothing.parquet: "),
        (("clicks", "prepare", "log.parquet", "nothing.csv", "-o", "out"), "nothing.csv: no such file"),
        (("clicks", "prepare", "foreign", "-o", "out"), "foreign: is a directory, a file is needed"),
        (("clicks", "prepare", "prepared", "-o", "out"), "prepared: is a directory, a file is needed"),
        (("clicks", "prepare", "foreign/thesis.txt", "-o", "out"), "foreign/thesis.txt: "),
        (
            (*PREPARE[:-1], "foreign"),
            "foreign: exists and holds something else than prepared clicks. Choose",
        ),
        ((*PREPARE[:-1], "."), "exists and holds something else than prepared clicks"),
        ((*PREPARE[:-1], "log.parquet"), "log.parquet: is a file; prepared clicks are a folder"),
        ((*PREPARE, "--layout", "2014"), "layout must be one of 2011, 2013, table, got '2014'"),
        ((*PREPARE, "--layout", "2013"), "log.parquet: "),
        ((*PREPARE, "--split", "weekday"), "split must be one of time, user, session, got 'weekday'"),
        ((*PREPARE, "--split", "session"), "this log has users, whose sessions would end up on both sides"),
        ((*PREPARE, "--shares", "1,1"), "shares must be three numbers above 0, for train, valid and test"),
        ((*PREPARE, "--shares", "2,1,0"), "shares must be three numbers above 0"),
        ((*PREPARE, "--shares", "most"), "--shares takes numbers like 0,1,5,10, got 'most'"),
        ((*PREPARE, "--grades", "400,50"), "satisfied and grades must be numbers from 0 that rise"),
        ((*PREPARE, "--grades", "a,b"), "--grades takes numbers like"),
        ((*PREPARE, "--satisfied", -1), "satisfied and grades must be numbers from 0 that rise"),
        ((*PREPARE, "--history", 1), "history must be a number from 0, below 1, got 1.0"),
        ((*PREPARE, "--features", "usr"), "no feature or group 'usr'. Did you mean 'user'? Groups: presented, session"),
        ((*PREPARE, "--features", ""), "no feature or group ''"),
        ((*PREPARE, "--sample", 0), "sample must be a number above 0, up to 1, got 0.0"),
        ((*PREPARE, "--sample", 1e-9), "no page is left for train"),
        ((*PREPARE, "--seed", -1), "must be a whole number from 0, got -1"),
        (("clicks", "train", "nowhere", "-o", "out"), "nowhere: is not a folder of prepared clicks"),
        (("clicks", "train", "foreign", "-o", "out"), "Make it with riskrank clicks prepare"),
        (("clicks", "train", "log.parquet", "-o", "out"), "log.parquet: is not a folder of prepared clicks"),
        ((*FIT[:-1], "foreign"), "foreign: exists and is not a sweep of riskrank. Choose another place"),
        ((*FIT[:-1], "prepared"), "prepared: exists and is not a sweep of riskrank. Choose another place"),
        ((*FIT[:-1], "log.parquet"), "log.parquet: is a file; a sweep is a folder"),
        ((*FIT[:-1], "log.parquet/out"), "log.parquet/out: cannot be written"),
        ((*FIT, "--beta", "high"), "--beta takes numbers like 0,1,5,10, got 'high'"),
        ((*FIT, "--beta", "0.1,,1"), "--beta takes numbers"),
        ((*FIT, "--beta", "-1"), "betas must be numbers from 0 to 1"),
        ((*FIT, "--lowest-beta", "nan"), "betas must be numbers from 0, got nan"),
        ((*FIT, "--alpha", "none"), "--alpha takes numbers"),
        ((*FIT, "--alpha", "nan"), "alphas must be numbers from 0, got nan"),
        ((*FIT, "--alpha", "-2"), "alphas must be numbers from 0, got -2.0"),
        ((*FIT, "--both-alpha", "-2"), "alphas must be numbers from 0, got -2.0"),
        ((*FIT, "--measure", "MAPP"), "unknown measure 'MAPP'"),
        ((*FIT, "--trees", 0), "must be a whole number from 1, got 0"),
        ((*FIT, "--leaves", 1), "must be a whole number from 2, got 1"),
        ((*FIT, "--rate", 0), "must be a number above 0, got 0"),
        ((*FIT, "--early-stopping", -1), "early_stopping must be a whole number from 1 or None, got -1"),
        ((*FIT, "--jobs", 0), "jobs must be a whole number from 1, got 0"),
        ((*FIT, "--seed", -1), "must be a whole number from 0, got -1"),
        (("clicks", "evaluate", "nowhere"), "nowhere: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "foreign"), "foreign: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "prepared"), "prepared: is not a finished sweep of riskrank"),
        (("clicks", "evaluate", "log.parquet"), "log.parquet: is not a finished sweep of riskrank"),
        ((*LOOK, "--json", "--csv"), "choose --json or --csv, not both"),
        ((*LOOK, "--part", "valid"), "--part is a part of other prepared clicks: pass them with --on"),
        ((*LOOK, "--on", "nowhere"), "nowhere: is not a folder of prepared clicks"),
        ((*LOOK, "--on", "foreign"), "foreign: is not a folder of prepared clicks"),
        ((*LOOK, "--on", "log.parquet"), "log.parquet: is not a folder of prepared clicks"),
        ((*LOOK, "--on", "prepared", "--part", "history"), "part must be one of train, valid, test, got 'history'"),
        ((*LOOK, "--on", "prepared", "--html", "page.html"), "--html shows the test pages of training: leave --on out"),
        ((*LOOK, "--html", "nowhere/page.html"), "nowhere/page.html: cannot be written"),
        ((*LOOK, "--html", "foreign"), "foreign: cannot be written"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, untouched, arguments, message):
    told_in_one_line(riskrank, untouched, arguments, message)


@pytest.mark.parametrize("command", [("simulate-clicks",), PREPARE[:-2], FIT[:-2], LOOK[:-1], ("clicks", "evaluat")])
def test_a_command_that_lacks_something_says_so(riskrank, files, command):
    before = contents(files)
    done = riskrank(*command)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: ")
    assert contents(files) == before


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
    told_in_one_line(riskrank, files, (*LOOK, "--on", "other"), message)
    told_in_one_line(riskrank, files, ("clicks", "train", "other", "-o", "models", "--by-query", "--trees", 0), "trees")


def test_beta_by_query_needs_its_feature(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "other", "--features", "user")
    arguments = ("clicks", "train", "other", "-o", "out", "--by-query")
    told_in_one_line(riskrank, files, arguments, "these data have no feature query_pages. They have: presented")


def test_a_log_without_users_is_not_split_by_user(riskrank, tmp_path):
    done_well(riskrank, "simulate-clicks", "log.txt", "-n", 60, "--layout", "2011")
    arguments = ("clicks", "prepare", "log.txt", "-o", "out", "--split", "user")
    told_in_one_line(riskrank, tmp_path, arguments, "this log has no users: split it by session or time")


def test_a_log_of_too_few_pages_is_told(riskrank, tmp_path):
    done_well(riskrank, "simulate-clicks", "log.csv", "-n", 2)
    told_in_one_line(riskrank, tmp_path, ("clicks", "prepare", "log.csv", "-o", "out"), "too ")


@pytest.mark.parametrize(
    ("name", "damage", "arguments", "message"),
    [
        ("prepared/prepared.json", b"{", FIT, "prepared: is not a folder of prepared clicks (no good prepared.json)"),
        ("prepared/prepared.json", b"[]", FIT, "prepared: is not a folder of prepared clicks"),
        ("prepared/train/00000.parquet", b"PAR1", FIT, "00000.parquet: is damaged"),
        ("prepared/test/00000.parquet", b"", (*LOOK, "--on", "prepared"), "00000.parquet: is damaged"),
        ("models/sweep.json", b"{", LOOK, "models: is not a sweep of riskrank, or it is damaged"),
        ("models/queries.parquet", b"", LOOK, "models: is not a sweep of riskrank, or it is damaged"),
        ("models/clicks.json", b"{", (*LOOK, "--on", "prepared"), "models: is not a sweep over clicks"),
        ("models/models/risk-sensitive/alpha=0/fold-1/card.json", b"{", (*LOOK, "--on", "prepared"), "card.json"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_what_is_damaged_is_told(riskrank, files, name, damage, arguments, message):
    (files / name).write_bytes(damage)
    told_in_one_line(riskrank, files, arguments, message)


def test_a_part_that_was_taken_away_is_told(riskrank, files):
    shutil.rmtree(files / "prepared" / "valid")
    told_in_one_line(riskrank, files, FIT, "prepared/valid: lacks files. Prepare the log again")
    shutil.rmtree(files / "models" / "models")
    told_in_one_line(riskrank, files, (*LOOK, "--on", "prepared"), "no folder with its models")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_nobody_may_write_to_is_told(riskrank, files):
    (files / "foreign").chmod(0o555)
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "foreign/out"), "cannot be written")
    told_in_one_line(riskrank, files, (*FIT[:-1], "foreign/out"), "cannot be written")


def test_preparing_in_vain_leaves_no_folders(riskrank, untouched):
    arguments = ("clicks", "prepare", "nothing.txt", "-o", "deep/er/out")
    before = contents(untouched)
    assert riskrank(*arguments, cwd=untouched).status == 2
    after = contents(untouched)
    shutil.rmtree(untouched / "deep", ignore_errors=True)
    assert after == before


def test_preparing_does_not_delete_models(riskrank, files):
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "models"), "models: ")


def test_preparing_again_leaves_other_files_alone(riskrank, files):
    (files / "prepared" / "notes.txt").write_text("keep")
    shutil.copytree(files / "models", files / "prepared" / "models")
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "prepared"), "prepared: exists and holds something else")


def test_a_folder_below_a_file_is_refused(riskrank, files):
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "log.parquet/out"), "log.parquet/out: cannot be written")


@pytest.mark.parametrize("wrong", [("--split", "weekday"), ("--shares", "1,1"), ("--history", 1)])
def test_what_cannot_be_is_told_before_reading(riskrank, files, wrong, monkeypatch):
    monkeypatch.setattr(preparing, "read_log", lambda *_, **__: pytest.fail("read"))
    told_in_one_line(riskrank, files, (*PREPARE, *wrong), wrong[0].strip("-"))


def test_mistakes_are_told_in_the_words_of_the_command(riskrank, files):
    told_in_one_line(riskrank, files, (*PREPARE, "--memory", 0), "memory")


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_risk_sensitive_models_alone_are_shown(riskrank, files, output, with_charts):
    alone = ("--beta", "", "--lowest-beta", "", "--both-alpha", "", "--alpha", "1", "--trees", 1)
    done_well(riskrank, "clicks", "train", "prepared", "-o", "out", *alone)
    sweep = json.loads((files / "out" / "sweep.json").read_text(encoding="utf-8"))
    frame = pl.read_parquet(files / "out" / "queries.parquet")
    gains = frame.with_columns(effectiveness=pl.col("baseline") + 0.01)  # whatever was learned: Standard Gain gains
    gains.write_parquet(files / "out" / "queries.parquet")
    assert len(sweep["settings"]) == 2
    said = done_well(riskrank, "clicks", "evaluate", "out", *output).out
    assert said.endswith("\n\nReport: out/report.html\n") != bool(output)


@pytest.mark.parametrize("arguments", [("clicks", "train", "models", "-o", "out"), (*LOOK, "--on", "models")])
def test_models_are_not_taken_for_prepared_clicks(riskrank, files, arguments):
    told_in_one_line(riskrank, files, arguments, "models: is not a folder of prepared clicks")


def test_a_directory_is_no_log_whatever_its_name(riskrank, files):
    (files / "folder.parquet").mkdir()
    arguments = ("clicks", "prepare", "folder.parquet", "-o", "out")
    told_in_one_line(riskrank, files, arguments, "folder.parquet: is a directory, a file is needed")


def test_a_card_that_lacks_something_is_damaged(riskrank, files):
    card = json.loads((files / "prepared" / "prepared.json").read_text(encoding="utf-8"))
    del card["limits"]
    (files / "prepared" / "prepared.json").write_text(json.dumps(card), encoding="utf-8")
    told_in_one_line(riskrank, files, FIT, "prepared.json")
