"""clicks prepare: from a search log to pages for training, validation and testing."""

from __future__ import annotations

import os
import shutil

import numpy as np
import polars as pl
import pytest

from riskrank.clicks import preparation
from riskrank.clicks.features import FEATURES
from riskrank.clicks.prepared import Prepared

from ....files.crashing import leave_traces
from ...mistakes import contents, told_in_one_line
from .click_commands import PAGES, PREPARE, done_well, shows_usage


def test_it_says_what_it_read_and_what_it_wrote(made):
    folder, said = made
    counted, prepared = said["prepare"].stdout.splitlines()
    assert counted.startswith("log: ")
    assert " result pages, " in counted
    parts = Prepared.open(folder / "prepared").parts
    assert prepared == (
        f"prepared: Prepared: pages {parts['train']} train, {parts['valid']} valid, {parts['test']} test; "
        f"{len(FEATURES)} features"
    )
    assert said["prepare"].stderr == ""


def test_prepared_again_the_folder_is_replaced(riskrank, files):
    before = contents(files)
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "prepared")
    assert contents(files) == before
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "prepared", "--features", "user")
    assert len(Prepared.open(files / "prepared").features) < len(FEATURES)


def test_interrupted_preparing_leaves_nothing_behind(riskrank, files, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation, "LogSplits", interrupted)
    before = contents(files)
    for target in ("new", "deep/new", "prepared"):
        done = riskrank("clicks", "prepare", "log.parquet", "-o", target)
        said = f"riskrank: interrupted; nothing was prepared, and the same command starts again ({target}).\n"
        assert (done.status, done.out, done.err) == (130, "", said)
    assert contents(files) == before


def test_after_a_run_that_died_it_says_that_it_starts_again(riskrank, files):
    leave_traces(files / "new")
    done = riskrank("clicks", "prepare", "log.parquet", "-o", "new")
    said = "riskrank: an earlier run for new was interrupted, and nothing of it can be used: this one starts again.\n"
    assert (done.status, done.err) == (0, said)
    assert riskrank("clicks", "prepare", "log.parquet", "-o", "new").err == ""


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
        prepared = Prepared.open(tmp_path / f"from {name}")
        parts = [prepared.read(part) for part in ("train", "valid", "test")]
        labels[name] = np.concatenate([part.labels for part in parts])
        features[name] = (prepared.features, np.concatenate([part.features for part in parts]))
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


def test_a_log_may_be_in_several_files(riskrank, files):
    done_well(riskrank, "simulate-clicks", "other.csv", "-n", 800, "--seed", 9)
    done = done_well(riskrank, "clicks", "prepare", "log.parquet", "other.csv", "-o", "both")
    pages = int(done.out.split(" result pages")[0].rpartition(" ")[2].replace(",", ""))
    assert pages >= PAGES + 800


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


# What people get wrong.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clicks", "prepare", "nothing.txt", "-o", "out"), "nothing.txt: no such file"),
        (("clicks", "prepare", "nothing.parquet", "-o", "out"), "nothing.parquet: "),
        (("clicks", "prepare", "log.parquet", "nothing.csv", "-o", "out"), "nothing.csv: no such file"),
        (("clicks", "prepare", "foreign", "-o", "out"), "foreign: is a directory, a file is needed"),
        (("clicks", "prepare", "prepared", "-o", "out"), "prepared: is a directory, a file is needed"),
        (("clicks", "prepare", "foreign/thesis.txt", "-o", "out"), "foreign/thesis.txt: "),
        (
            (*PREPARE[:-1], "foreign"),
            "foreign: exists and is not a folder of prepared clicks of riskrank. Choose",
        ),
        ((*PREPARE[:-1], "."), "holds the input log.parquet"),
        ((*PREPARE[:-1], "log.parquet"), "log.parquet: is one of the inputs"),
        ((*PREPARE, "--layout", "2014"), "--layout must be one of 2011, 2013, table, got '2014'"),
        ((*PREPARE, "--layout", "2013"), "log.parquet: "),
        (
            (*PREPARE, "--split", "weekday"),
            "invalid value for '--split': 'weekday' is not one of 'time', 'user', 'session'",
        ),
        ((*PREPARE, "--split", "session"), "this log has users, whose sessions would end up on both sides"),
        ((*PREPARE, "--shares", "1,1"), "--shares must be three numbers above 0, for train, valid and test"),
        ((*PREPARE, "--shares", "2,1,0"), "--shares must be three numbers above 0"),
        ((*PREPARE, "--shares", "most"), "--shares takes numbers like 0,1,5,10, got 'most'"),
        ((*PREPARE, "--grades", "400,50"), "--satisfied and --grades must be numbers from 0 that rise"),
        ((*PREPARE, "--grades", "a,b"), "--grades takes numbers like"),
        ((*PREPARE, "--satisfied", -1), "--satisfied and --grades must be numbers from 0 that rise"),
        ((*PREPARE, "--history", 1), "--history must be a number from 0, below 1, got 1.0"),
        ((*PREPARE, "--features", "usr"), "no feature or group 'usr'. Did you mean 'user'? Groups: presented, session"),
        ((*PREPARE, "--features", ""), "no feature or group ''"),
        ((*PREPARE, "--sample", 0), "--sample must be a number above 0, up to 1, got 0.0"),
        ((*PREPARE, "--sample", 1e-9), "no page is left for train"),
        ((*PREPARE, "--seed", -1), "--seed must be a whole number from 0, got -1"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, untouched, arguments, message):
    told_in_one_line(riskrank, untouched, arguments, message)


def test_without_what_it_needs_it_shows_its_usage(riskrank, files):
    shows_usage(riskrank, files, PREPARE[:-2])


def test_a_log_without_users_is_not_split_by_user(riskrank, tmp_path):
    done_well(riskrank, "simulate-clicks", "log.txt", "-n", 60, "--layout", "2011")
    arguments = ("clicks", "prepare", "log.txt", "-o", "out", "--split", "user")
    told_in_one_line(riskrank, tmp_path, arguments, "this log has no users: split it by session or time")


def test_a_log_of_too_few_pages_is_told(riskrank, tmp_path):
    done_well(riskrank, "simulate-clicks", "log.csv", "-n", 2)
    told_in_one_line(riskrank, tmp_path, ("clicks", "prepare", "log.csv", "-o", "out"), "too ")


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
    done_well(riskrank, *PREPARE[:-1], "prepared")
    assert (files / "prepared" / "notes.txt").read_text() == "keep"
    assert (files / "prepared" / "models" / "sweep.json").is_file()


def test_a_folder_below_a_file_is_refused(riskrank, files):
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "log.parquet/out"), "log.parquet/out: cannot be written")


@pytest.mark.parametrize("wrong", [("--split", "weekday"), ("--shares", "1,1"), ("--history", 1)])
def test_what_cannot_be_is_told_before_reading(riskrank, files, wrong, monkeypatch):
    monkeypatch.setattr(preparation, "read_log", lambda *_, **__: pytest.fail("read"))
    told_in_one_line(riskrank, files, (*PREPARE, *wrong), wrong[0].strip("-"))


def test_mistakes_are_told_in_the_words_of_the_command(riskrank, files):
    told_in_one_line(riskrank, files, (*PREPARE, "--memory", 1), "--memory must be a whole number from 2, got 1.")


def test_a_directory_is_no_log_whatever_its_name(riskrank, files):
    (files / "folder.parquet").mkdir()
    arguments = ("clicks", "prepare", "folder.parquet", "-o", "out")
    told_in_one_line(riskrank, files, arguments, "folder.parquet: is a directory, a file is needed")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_nobody_may_write_to_is_told(riskrank, files):
    (files / "foreign").chmod(0o555)
    told_in_one_line(riskrank, files, (*PREPARE[:-1], "foreign/out"), "cannot be written")
