"""train: the way from LETOR files to a model and its evaluation."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from itertools import cycle

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError
from riskrank.rankers.trees.engine import ENGINES, engine_named

from ...files.crashing import leave_traces
from ...rankers.interrupting import interrupting
from ..letor_files import save_model
from ..mistakes import told_in_one_line

SMALL = ("--trees", 12, "--leaves", 5, "--threads", 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_from_training_to_an_evaluated_run(riskrank, letor_files, engine):
    risk = ("--objective", "urisk", "--alpha", 5, "--baseline", "feature:1")
    done = riskrank("train", "train.txt", "--valid", "valid.txt", *risk, *SMALL, "--engine", engine, "-o", "model")
    assert (done.status, done.err) == (0, "")
    first, gained, table, _, more = done.out.split("\n\n")
    header, *rows = table.splitlines()
    title = "model: LambdaMART for URisk('nDCG@10', alpha=5.0), 12 trees."
    assert first.replace("\n", " ") == title
    assert gained.startswith("On the validation queries it ")
    assert more == "riskrank inspect model  the features that matter, and all steps\n"
    assert header.split() == ["nDCG@10", "reward", "risk", "URisk"]
    assert [row.split()[0] for row in rows] == ["train", "valid"]

    train, valid = rr.read_letor(letor_files / "train.txt"), rr.read_letor(letor_files / "valid.txt")
    same = rr.LambdaMART(rr.URisk(alpha=5.0), n_trees=12, n_leaves=5, n_threads=1, engine=engine)
    expected = same.fit(train, baseline=rr.Feature(1)).predict(valid)
    np.testing.assert_array_equal(rr.load(letor_files / "model").predict(valid), expected)

    assert riskrank("rank", "model", "valid.txt", "-o", "model.run").status == 0
    compared = ("valid.txt", "model.run", "feature:1", "-b", "feature:1", "--json")
    content = json.loads(riskrank("evaluate", *compared).out)["assessments"][0]
    values = rr.evaluate(valid, {"model": expected}, "nDCG@10")["model"]
    assert float(rows[1].split()[1]) == pytest.approx(values.mean(), abs=5e-5)
    queries = np.split(expected.astype(np.float32), valid.query_offsets[1:-1])
    alone = np.array([len(np.unique(scores)) == len(scores) for scores in queries])  # a run orders ties by document id
    assert alone.sum() > 5
    np.testing.assert_allclose(np.array(content["scores"]["model"])[alone], values[alone], atol=1e-12)


def test_options_reach_the_objective_and_the_engine(riskrank, letor_files):
    options = ("--objective", "cvar", "--alpha", 3, "--with", "share=0.25", "--with", "truncation=none", "-m", "AP")
    engine = ("--param", "max_bin=15", "--param", "extra_trees=true", "--rate", 0.2, "--min-docs", 3, "--seed", 7)
    done = riskrank("train", "train.txt", "-b", "feature:1", *options, *engine, *SMALL, "--fast", "-o", "a/model")
    assert (done.status, done.err) == (0, "")
    card = rr.load(letor_files / "a" / "model").card_
    assert card["objective"] == {
        "objective": "cvar", "measure": "AP", "truncation": None, "sigma": 1.0, "normalise": "gain", "alpha": 3.0,
        "share": 0.25,
    }  # fmt: skip
    parameters = card["parameters"]
    assert parameters["engine_params"] == {"max_bin": 15, "extra_trees": True}
    assert (parameters["learning_rate"], parameters["min_docs_in_leaf"], parameters["random_state"]) == (0.2, 3, 7)
    assert parameters["fast"]


@pytest.mark.parametrize("mode", ["gain", "all", "none"])
def test_every_normalisation_that_is_listed_can_be_asked_for(riskrank, letor_files, mode):
    assert mode in riskrank("objectives").out
    chosen = ("--objective", "urisk", "--with", f"normalise={mode}", "-b", "feature:1")
    done = riskrank("train", "train.txt", *chosen, *SMALL, "-o", "model")
    assert (done.status, done.err) == (0, "")
    assert rr.load(letor_files / "model").card_["objective"]["normalise"] == mode


def test_early_stopping_is_told(riskrank, letor_files):
    stop = ("--early-stopping", 2, "--valid-measure", "AP", "--trees", 200, "--rate", 0.5, "--threads", 1)
    done = riskrank("train", "train.txt", "--valid", "valid.txt", *stop, "-o", "model")
    card = rr.load(letor_files / "model").card_
    assert card["trees"] == card["best_trees"] + 2
    assert (
        f"{card['trees']} trees, the best {card['best_trees']} are used (no better on validation"
        in done.out.replace("\n", " ")
    )


def test_a_model_is_a_baseline(riskrank, letor_files):
    save_model(letor_files / "old", letor_files)
    done = riskrank("train", "train.txt", "--objective", "urisk", "-b", "old", "-b", "feature:1", *SMALL, "-o", "new")
    assert (done.status, done.err) == (0, "")
    assert rr.load(letor_files / "new").card_["baselines"] == ["old", "feature:1"]
    again = riskrank("train", "train.txt", "--objective", "urisk", "-b", "old", *SMALL, "-o", "old")
    assert again.status == 2
    assert "is one of the inputs, it would be overwritten" in again.err


def test_dense_files_that_lack_the_last_features_are_widened_only_if_one_says_so(riskrank, letor_files):
    save_model(letor_files / "model", letor_files)
    command = ("train", "train.txt", "--valid", "narrow.txt", *SMALL, "-o", "new")
    for refused in (riskrank("rank", "model", "narrow.txt"), riskrank(*command)):
        assert (refused.status, refused.out) == (2, "")
        reason = "narrow.txt: has 15 features on every line, 20 are expected. If the others are 0, say so (--sparse)."
        assert refused.err == f"riskrank: {reason}\n"
    assert riskrank("rank", "model", "narrow.txt", "--sparse").status == 0
    done = riskrank(*command, "--sparse")
    assert (done.status, done.err) == (0, "")


def test_features_that_say_nothing_give_a_model_that_says_nothing(riskrank, letor_files):
    done = riskrank("train", "flat.txt", *SMALL, "-o", "model")
    assert (done.status, done.err) == (0, "")
    assert "0 trees" in done.out
    assert riskrank("inspect", "model").status == 0


def test_the_present_folder_gets_the_model_or_a_clear_refusal(riskrank, letor_files):
    (letor_files / "here").mkdir()
    done = riskrank("train", "../train.txt", *SMALL, "-o", ".", cwd=letor_files / "here")
    if done.status == 0:
        assert rr.load(letor_files / "here").card_["trees"] == 12
    else:
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert done.err.startswith("riskrank: ")


TRAIN = ["train", "train.txt", "-o", "out", *SMALL]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TRAIN, "--objective", "urisky"], "unknown objective 'urisky'. Did you mean 'urisk'?"),
        ([*TRAIN, "--alpha", 5], "gain has no parameter 'alpha'"),
        ([*TRAIN, "--objective", "urisk"], "URisk needs a baseline"),
        ([*TRAIN, "--objective", "urisk", "-b", "feature:21"], "feature must be from 1 to 20, got 21"),
        ([*TRAIN, "--objective", "urisk", "-b", "nothing.run"], "nothing.run: no such file"),
        ([*TRAIN, "--objective", "urisk", "-b", "feature:1", "-b", "feature:1"], "two baselines are named 'feature:1'"),
        ([*TRAIN, "-m", "Bpref"], "Bpref cannot be optimised; choose one of"),
        ([*TRAIN, "--with", "measure=AP"], "--with does not reach the measure: pass --measure."),
        ([*TRAIN, "--early-stopping", 3], "--early-stopping needs validation data: pass --valid."),
        ([*TRAIN, "--start", "baseline"], "--start baseline needs exactly one baseline, got 0"),
        ([*TRAIN, "--alpha", -2, "--objective", "urisk"], "--alpha must be a number above −1 (losses weigh 1 + alpha)"),
        (["train", "train.txt", "-o", "out", "--set", "n_leaves=1"], " n_leaves must be a whole number from 2, got 1"),
        ([*TRAIN, "--with", "truncation"], "--with takes NAME=VALUE, got 'truncation'"),
        ([*TRAIN, "--param", "=5"], "--param takes NAME=VALUE, got '=5'"),
        ([*TRAIN, "--param", "feature_fraction=abc"], "refuses the parameters"),
        ([*TRAIN, "--param", "bagging_fraction=3"], "refuses the parameters"),
        ([*TRAIN, "--engine", "xgboost", "--param", "subsample=3"], "refuses the parameters"),
        ([*TRAIN, "--valid", "wide.txt"], "21 features"),
        ([*TRAIN, "--checkpoint-every", 0], "--checkpoint-every must be a whole number from 1, got 0"),
        (["train", "nothing.txt", "-o", "out"], "nothing.txt: no such file"),
        (["train", "-", "-o", "out"], "-: standard input is not read here. Save it to a file first."),
        (["train", "train.txt", "-o", "valid.txt"], "valid.txt: exists and is not a model of riskrank"),
        (["train", "train.txt", "-o", "foreign"], "foreign: exists and is not a model of riskrank"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, letor_files, foreign, arguments, message):
    told_in_one_line(riskrank, letor_files, arguments, message)


GOES_ON = "riskrank: goes on from model.checkpoint (--restart starts anew).\n"

# Under signals: what was trained is usable, and training goes on from there.

INTERRUPTED = """
import os, sys
from riskrank.cli.main import run

replace, number = os.replace, int(sys.argv.pop(1))


def replace_and_interrupt(source, target):
    replace(source, target)
    if os.path.basename(target) == "checkpoint.npz":
        os.replace = replace  # once: stopping writes another checkpoint
        os.kill(os.getpid(), number)


os.replace = replace_and_interrupt
run()
"""


def stopped(letor_files, number, *options):
    """The command in a process that gets a signal as soon as it has written a checkpoint."""
    train = ("train", "train.txt", "-o", "model", "--checkpoint-every", 5, "--trees", 500, "--threads", 1)
    command = [sys.executable, "-c", INTERRUPTED, *map(str, (int(number), *train, "--leaves", 5, *options))]
    done = subprocess.run(command, cwd=letor_files, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("engine", "first", "second"),
    [
        (engine, *signals)
        for engine, signals in zip(
            ENGINES, cycle([(signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT)]), strict=False
        )
    ],
)
def test_an_interrupted_training_leaves_a_usable_model_and_goes_on(letor_files, engine, first, second):
    valid = rr.read_letor(letor_files / "valid.txt")
    grown = []
    for number, before in ((first, ""), (second, GOES_ON)):
        status, out, err = stopped(letor_files, number, "--engine", engine)
        assert (status, out) == (130, ""), err
        model = rr.load(letor_files / "model")
        grown.append(model.card_["trees"])
        ending = f"interrupted after {grown[-1]} trees"
        assert err == f"{before}riskrank: {ending}; what was trained is in model. The same command goes on.\n"
        assert len(np.unique(model.predict(valid))) > 5
    assert 5 <= grown[0] < grown[1]


def test_a_training_that_died_before_its_first_checkpoint_starts_anew_and_says_so(riskrank, letor_files):
    leave_traces(letor_files / "model")
    done = riskrank("train", "train.txt", *SMALL, "-o", "model")
    said = "riskrank: a training for model was interrupted before its first checkpoint, training starts anew.\n"
    assert (done.status, done.err) == (0, said)
    assert riskrank("train", "train.txt", *SMALL, "-o", "model").err == ""


def test_an_interrupted_training_that_is_resumed_ends_in_the_very_same_model(riskrank, letor_files):
    folder = letor_files / "model.checkpoint"
    train, valid = (rr.read_letor(letor_files / f"{name}.txt") for name in ("train", "valid"))
    expected = rr.LambdaMART(n_trees=12, n_leaves=5).fit(train).predict(valid)
    objective = interrupting(rr.Gain(), lambda: signal.raise_signal(signal.SIGINT), at=7)
    with pytest.raises(KeyboardInterrupt):
        rr.LambdaMART(objective, n_trees=12, n_leaves=5).fit(train, checkpoint=folder, checkpoint_every=5)
    assert (folder / "checkpoint.npz").exists()
    same = ("train", "train.txt", "--leaves", 5, "-o", "model")
    refused = riskrank(*same, "--trees", 13)
    assert refused.status == 2
    assert "checkpoint.npz is of another training: n_trees was 12, is 13" in refused.err
    assert not (letor_files / "model").exists()
    done = riskrank(*same, "--trees", 12)
    assert (done.status, done.err) == (0, GOES_ON)
    np.testing.assert_array_equal(rr.load(letor_files / "model").predict(valid), expected)
    assert not folder.exists()


def test_a_finished_training_whose_model_cannot_be_saved_is_not_lost(riskrank, letor_files, monkeypatch):
    same = ("train", "train.txt", "--valid", "valid.txt", "--early-stopping", 2, *SMALL, "-o", "model")
    with monkeypatch.context() as patch:
        patch.setattr(rr.LambdaMART, "save", full_disk)
        assert "no space left" in riskrank(*same).err
    with monkeypatch.context() as patch:
        patch.setattr(engine_named("lightgbm").Trees, "grow", lambda *_: pytest.fail("trained again"))
        done = riskrank(*same)
    assert (done.status, done.err) == (0, GOES_ON)
    assert "no better on validation queries for 2 trees" in done.out.replace("\n", " ")
    assert not (letor_files / "model.checkpoint").exists()


def full_disk(*_):
    raise FileError("model", "no space left on the disk.")


def test_resuming_without_a_checkpoint_is_told(riskrank, letor_files):
    done = riskrank(*TRAIN, "--resume")
    assert (done.status, done.err) == (0, "riskrank: no checkpoint in out.checkpoint, training starts anew.\n")


def test_an_interrupted_training_without_a_checkpoint_does_not_promise_to_go_on(riskrank, letor_files, monkeypatch):
    objective = interrupting(rr.Gain(), lambda: signal.raise_signal(signal.SIGINT), at=7)
    monkeypatch.setattr("riskrank.cli.rankers._goal", lambda *_: {"objective": objective})
    done = riskrank(*TRAIN, "--param", "feature_fraction=0.5")  # sampled trees go on from every 50th only
    assert done.status == 130
    assert done.err == "riskrank: interrupted after 8 trees; what was trained is in out.\n"
    monkeypatch.undo()
    again = riskrank(*TRAIN)
    assert again.err == "riskrank: out was interrupted after 8 trees and has no checkpoint, training starts anew.\n"


@pytest.mark.parametrize(("has_checkpoint", "way_on"), [(True, " The same command goes on."), (False, "")])
def test_an_interrupted_training_of_workers_says_whether_it_goes_on(
    riskrank, letor_files, monkeypatch, has_checkpoint, way_on
):
    def fit(self, *_, checkpoint, **__):
        if has_checkpoint:
            real(self, rr.read_letor(letor_files / "train.txt"), checkpoint=checkpoint, keep_checkpoint=True)
            del self.card_
        raise KeyboardInterrupt

    real = rr.LambdaMART.fit
    monkeypatch.setattr(rr.LambdaMART, "fit", fit)
    done = riskrank(*TRAIN)
    assert (done.status, done.err) == (130, f"riskrank: interrupted.{way_on}\n")


def test_a_training_is_started_anew_if_asked_for(riskrank, letor_files):
    train = rr.read_letor(letor_files / "train.txt")
    objective = interrupting(rr.Gain(), lambda: signal.raise_signal(signal.SIGINT), at=7)
    with pytest.raises(KeyboardInterrupt):
        rr.LambdaMART(objective, n_trees=12).fit(train, checkpoint=letor_files / "out.checkpoint", checkpoint_every=5)
    done = riskrank(*TRAIN, "--restart")
    assert (done.status, done.err) == (0, "")
    assert not (letor_files / "out.checkpoint").exists()
    assert not (letor_files / "out.checkpoint").exists()


def write_traffic(folder, *, n_left_out=0):
    """A weight for each query of the training and validation files."""
    ids = [*rr.read_letor(folder / "train.txt").query_ids, *rr.read_letor(folder / "valid.txt").query_ids]
    weights = {query: 1 + 37 * i % 11 for i, query in enumerate(dict.fromkeys(ids))}
    kept = list(weights.items())[: len(weights) - n_left_out]
    (folder / "traffic.csv").write_text("\n".join(["qid,views", *(f"{query},{n}" for query, n in kept)]))
    return weights


def test_queries_count_by_a_table_of_weights(riskrank, letor_files):
    weights = write_traffic(letor_files)
    done = riskrank(
        "train", "train.txt", "--valid", "valid.txt", "-b", "feature:1", "--weights", "traffic.csv", *SMALL,
        "--early-stopping", 5, "-o", "model",
    )  # fmt: skip
    assert (done.status, done.err) == (0, "")
    train, valid = rr.read_letor(letor_files / "train.txt"), rr.read_letor(letor_files / "valid.txt")
    same = rr.LambdaMART(n_trees=12, n_leaves=5, n_threads=1, early_stopping=5)
    same.fit(train, weights=weights, valid=valid.weighted(weights), baseline=rr.Feature(1))
    np.testing.assert_array_equal(rr.load(letor_files / "model").predict(valid), same.predict(valid))
    known = f"25 queries (by weight as {same.card_['training_data']['effective_queries']:.1f})"
    assert known in riskrank("inspect", "model").out


def test_queries_that_lack_a_weight_are_told_in_a_line(riskrank, letor_files):
    write_traffic(letor_files, n_left_out=2)
    done = riskrank("train", "train.txt", "--valid", "valid.txt", "--weights", "traffic.csv", *SMALL, "-o", "model")
    assert done.status == 2
    assert "traffic.csv: 2 of 15 queries have no weight" in done.err
    assert not (letor_files / "model").exists()
