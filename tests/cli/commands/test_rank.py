"""rank: from a model and a LETOR file to a run."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr

from ..letor_files import save_model, save_scores
from ..mistakes import told_in_one_line

SMALL = ("--trees", 12, "--leaves", 5, "--threads", 1)


def test_documents_are_ranked_as_a_run_or_scored_line_by_line(riskrank, letor_files):
    scores = save_model(letor_files / "model", letor_files).predict(rr.read_letor(letor_files / "valid.txt"))
    lines = [line.split() for line in riskrank("rank", "model", "valid.txt").out.splitlines()]
    assert len(lines) == len(scores)
    assert {(len(line), line[1], line[5]) for line in lines} == {(6, "Q0", "model")}
    assert {line[2] for line in lines} == {
        line.split("# ")[1] for line in (letor_files / "valid.txt").read_text().splitlines()
    }
    short = riskrank("rank", "model", "valid.txt", "--depth", 2, "--tag", "my run").out.splitlines()
    assert [line.split()[:5] for line in short] == [line[:5] for line in lines if int(line[3]) <= 2]
    assert {line.split()[5] for line in short} == {"my_run"}
    by_line = riskrank("rank", "model", "valid.txt", "--scores").out.splitlines()
    np.testing.assert_array_equal([float(line) for line in by_line], scores)


def test_a_model_that_starts_from_its_baseline_asks_for_it(riskrank, letor_files):
    old = save_model(letor_files / "old", letor_files)
    save_scores(letor_files / "old.scores", old.predict(rr.read_letor(letor_files / "valid.txt")))
    save_model(letor_files / "by_model", letor_files, parameters={"start": "baseline"}, baseline={"old": old})
    start = ("--start", "baseline", "--objective", "urisk", *SMALL)
    assert riskrank("train", "train.txt", "-b", "feature:1", *start, "-o", "by_feature").status == 0
    assert riskrank("rank", "by_feature", "valid.txt").status == 0
    refused = riskrank("rank", "by_model", "valid.txt", "-o", "out.run")
    assert refused.status == 2
    assert "this model starts from its baseline (old): pass --baseline" in refused.err
    assert not (letor_files / "out.run").exists()
    by_scores, by_model = (riskrank("rank", "by_model", "valid.txt", "-b", given) for given in ("old.scores", "old"))
    assert (by_scores.status, by_scores.err) == (0, "")
    assert by_model == by_scores


def test_features_that_a_model_does_not_know_are_left_out_with_a_line(riskrank, letor_files):
    save_model(letor_files / "model", letor_files)
    wide = riskrank("rank", "model", "wide.txt")
    assert wide.err == "riskrank: wide.txt: feature 21 is not the model's, and left out.\n"
    assert (wide.status, wide.out) == (0, riskrank("rank", "model", "valid.txt").out)


def test_without_document_ids_documents_are_numbered(riskrank, letor_files):
    save_model(letor_files / "model", letor_files)
    lines = (letor_files / "bare.txt").read_text().splitlines()
    (letor_files / "named.txt").write_text(
        "\n".join(f"{line} # {number}" for number, line in enumerate(lines, start=1))
    )
    bare, named = (riskrank("rank", "model", f"{name}.txt", "-o", f"{name}.run") for name in ("bare", "named"))
    assert (bare.status, named.status) == (0, 0)
    assert (letor_files / "bare.run").read_text() == (letor_files / "named.run").read_text()
    done = riskrank("evaluate", "bare.txt", "bare.run", "named.run", "feature:1", "-b", "feature:1", "--json")
    scores = json.loads(done.out)["assessments"][0]["scores"]
    assert scores["bare"] == scores["named"]
    assert np.mean(scores["bare"]) > 0.5


def test_predictions_are_the_same_from_the_command_line(riskrank, letor_files):
    riskrank("train", "train.txt", "--ranker", "AFS", "--rounds", 2, "--threads", 1, "-o", "model")
    data = rr.read_letor(letor_files / "train.txt")
    expected = rr.AFS(n_rounds=2, n_threads=1).fit(data).predict(data)
    scores = [float(line) for line in riskrank("rank", "model", "train.txt", "--scores").out.splitlines()]
    np.testing.assert_array_equal(scores, data.to_source_order(expected))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "foreign", "valid.txt", "-o", "out"], "foreign: is not a model of riskrank"),
        (["rank", "model", "valid.txt", "-o", "valid.txt"], "valid.txt: is one of the inputs"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, letor_files, foreign, arguments, message):
    save_model(letor_files / "model", letor_files)
    told_in_one_line(riskrank, letor_files, arguments, message)
