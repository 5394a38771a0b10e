"""clicks train: rankers from prepared clicks."""

from __future__ import annotations

import json
import os
import shutil

import pytest

import riskrank as rr
from riskrank.clicks.prepared import Prepared
from riskrank.tradeoff.clicks import click_sweep

from ...mistakes import told_in_one_line
from .click_commands import ONLY_STANDARD, QUICK, TRAIN, TRAIN_MODELS, done_well, shows_usage


def test_it_says_how_many_models_there_are_and_what_comes_next(made):
    folder, said = made
    n_models = len(rr.ClickSweep.load(folder / "models"))
    assert said["train"].stdout == f"models: {n_models} models. Next: riskrank clicks evaluate models\n"
    assert said["train"].stderr == ""


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
    done = done_well(riskrank, *TRAIN_MODELS, "-o", "models")
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
    done = riskrank(*arguments)
    assert (done.status, done.out) == (0, "more: 3 models. Next: riskrank clicks evaluate more\n")
    assert done.err == "riskrank: an earlier run was interrupted, goes on with what is finished in more.\n"
    assert len(trained) == 4  # only the third model, once more
    assert riskrank(*arguments).err == ""


def test_beta_may_grow_with_the_query(riskrank, files):
    done_well(riskrank, "clicks", "train", "prepared", "-o", "by-query", *QUICK, "--by-query")
    sweep = rr.ClickSweep.load(files / "by-query")
    assert sweep.model(2).beta_feature == Prepared.open(files / "prepared").number("query_pages")


def test_early_stopping_goes_by_validation(riskrank, files):
    patience = ("--trees", 60, "--rate", 0.5, "--early-stopping", 2)
    done_well(riskrank, "clicks", "train", "prepared", "-o", "stopped", *QUICK, *patience)
    sweep = rr.ClickSweep.load(files / "stopped")
    assert max(sweep.model(i).best_steps_ for i in range(3)) < 60


def test_standard_gain_is_always_trained(riskrank, files):
    done_well(riskrank, "clicks", "train", "prepared", "-o", "out", "--trees", 1, *ONLY_STANDARD[2:], "--alpha", "5")
    assert [setting.value for setting in rr.ClickSweep.load(files / "out").settings] == [0, 5]


def test_the_grids_of_the_paper_are_59_models(riskrank, files, monkeypatch):
    asked = {}

    def noted(*_, **options):
        asked.update(options)
        raise KeyboardInterrupt

    monkeypatch.setattr(click_sweep, "sweep", noted)
    assert riskrank("clicks", "train", "prepared", "-o", "out", "--paper").status == 130
    names = ("Risk Sensitive", "Weight-Initial-Pref", "Lowest-Click-Plus-One")
    assert [len(set(asked["values"][name])) for name in names] == [20, 19, 20]  # and some that do both


# What people get wrong.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clicks", "train", "nowhere", "-o", "out"), "nowhere: is not a folder of prepared clicks"),
        (("clicks", "train", "foreign", "-o", "out"), "Make it with riskrank clicks prepare"),
        (("clicks", "train", "log.parquet", "-o", "out"), "log.parquet: is not a folder of prepared clicks"),
        ((*TRAIN[:-1], "foreign"), "foreign: exists and is not a sweep of riskrank. Choose another place"),
        ((*TRAIN[:-1], "prepared"), "prepared: exists and is not a sweep of riskrank. Choose another place"),
        ((*TRAIN[:-1], "log.parquet"), "log.parquet: exists and is not a sweep of riskrank"),
        ((*TRAIN[:-1], "log.parquet/out"), "log.parquet/out: cannot be written"),
        ((*TRAIN, "--beta", "high"), "--beta takes numbers like 0,1,5,10, got 'high'"),
        ((*TRAIN, "--beta", "0.1,,1"), "--beta takes numbers"),
        ((*TRAIN, "--beta", "-1"), "--beta must be numbers from 0 to 1"),
        ((*TRAIN, "--lowest-beta", "nan"), "--lowest-beta must be numbers from 0, got nan"),
        ((*TRAIN, "--alpha", "none"), "--alpha takes numbers"),
        ((*TRAIN, "--alpha", "nan"), "--alpha must be numbers from 0, got nan"),
        ((*TRAIN, "--alpha", "-2"), "--alpha must be numbers from 0, got -2.0"),
        ((*TRAIN, "--both-alpha", "-2"), "--both-alpha must be numbers from 0, got -2.0"),
        ((*TRAIN, "--measure", "MAPP"), "unknown measure 'MAPP'"),
        ((*TRAIN, "--trees", 0), "--trees must be a whole number from 1, got 0"),
        ((*TRAIN, "--leaves", 1), "--leaves must be a whole number from 2, got 1"),
        ((*TRAIN, "--rate", 0), "--rate must be a number above 0, got 0"),
        ((*TRAIN, "--early-stopping", -1), "--early-stopping must be a whole number from 1, got -1"),
        ((*TRAIN, "--jobs", 0), "--jobs must be a whole number from 1, got 0"),
        ((*TRAIN, "--seed", -1), "--seed must be a whole number from 0, got -1"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, untouched, arguments, message):
    told_in_one_line(riskrank, untouched, arguments, message)


def test_without_what_it_needs_it_shows_its_usage(riskrank, files):
    shows_usage(riskrank, files, TRAIN[:-2])


def test_beta_by_query_needs_its_feature(riskrank, files):
    done_well(riskrank, "clicks", "prepare", "log.parquet", "-o", "other", "--features", "user")
    arguments = ("clicks", "train", "other", "-o", "out", "--by-query")
    told_in_one_line(riskrank, files, arguments, "these data have no feature query_pages. They have: presented")


@pytest.mark.parametrize(
    ("name", "damage", "arguments", "message"),
    [
        (
            "prepared/prepared.json",
            b"{",
            TRAIN,
            "prepared: is not a folder of prepared clicks (no readable prepared.json",
        ),
        ("prepared/prepared.json", b"[]", TRAIN, "prepared: is not a folder of prepared clicks"),
        ("prepared/train/00000.parquet", b"PAR1", TRAIN, "00000.parquet: is not a Parquet file, or it is damaged"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_what_is_damaged_is_told(riskrank, files, name, damage, arguments, message):
    (files / name).write_bytes(damage)
    told_in_one_line(riskrank, files, arguments, message)


def test_a_part_that_was_taken_away_is_told(riskrank, files):
    shutil.rmtree(files / "prepared" / "valid")
    told_in_one_line(riskrank, files, TRAIN, "prepared/valid: lacks files. Prepare the log again")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_nobody_may_write_to_is_told(riskrank, files):
    (files / "foreign").chmod(0o555)
    told_in_one_line(riskrank, files, (*TRAIN[:-1], "foreign/out"), "cannot be written")


def test_models_are_not_taken_for_prepared_clicks(riskrank, files):
    arguments = ("clicks", "train", "models", "-o", "out")
    told_in_one_line(riskrank, files, arguments, "models: is not a folder of prepared clicks")


def test_a_card_that_lacks_something_is_damaged(riskrank, files):
    card = json.loads((files / "prepared" / "prepared.json").read_text(encoding="utf-8"))
    del card["limits"]
    (files / "prepared" / "prepared.json").write_text(json.dumps(card), encoding="utf-8")
    told_in_one_line(riskrank, files, TRAIN, "prepared.json")
