"""train, rank and inspect: the way from LETOR files to a model, a run and its evaluation."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

SMALL = ("--trees", 12, "--leaves", 5, "--threads", 1)


def letor(data, *, ids=True, n_features=20):
    lines = []
    for q, query in enumerate(data.query_ids):
        for row in range(data.query_offsets[q], data.query_offsets[q + 1]):
            values = data.features[row, :n_features].tolist()
            features = " ".join(f"{i}:{value!r}" for i, value in enumerate(values, start=1))
            lines.append(f"{data.labels[row]:g} qid:{query} {features}" + (f" # doc{query}-{row}" if ids else ""))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def texts():
    data = web_search_data(40, documents_per_query=10, n_features=20)
    first, second = data.take(slice(0, 25)), data.take(slice(25, 40))
    return {
        "train.txt": letor(first),
        "valid.txt": letor(second),
        "bare.txt": letor(second, ids=False),
        "narrow.txt": letor(second, n_features=15),
        "wide.txt": letor(second).replace(" # ", " 21:1.0 # "),
        "flat.txt": letor(first, n_features=0).replace(" # ", "1:1.0 # "),
    }


@pytest.fixture
def files(texts, tmp_path):
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def save_model(folder, files, *, parameters=None, **arguments):
    train = rr.read_letor(files / "train.txt")
    ranker = rr.LambdaMART(n_trees=4, n_leaves=4, n_threads=1, **parameters or {})
    ranker.fit(train, **arguments).save(folder)
    return ranker


def save_scores(path, scores):
    path.write_text("".join(f"{score!r}\n" for score in scores.tolist()))


@pytest.mark.parametrize("engine", ["lightgbm", "xgboost"])
def test_from_training_to_an_evaluated_run(riskrank, files, engine):
    risk = ("--objective", "urisk", "--alpha", 5, "--baseline", "feature:1")
    done = riskrank("train", "train.txt", "--valid", "valid.txt", *risk, *SMALL, "--engine", engine, "-o", "model")
    assert (done.status, done.err) == (0, "")
    first, header, *rows = done.out.splitlines()
    assert first == "model: LambdaMART for URisk('nDCG@10', alpha=5.0), 12 trees (grew all 12 trees)."
    assert header.split() == ["nDCG@10", "reward", "risk", "urisk"]
    assert [row.split()[0] for row in rows] == ["train", "valid"]

    train, valid = rr.read_letor(files / "train.txt"), rr.read_letor(files / "valid.txt")
    same = rr.LambdaMART(rr.URisk(alpha=5.0), n_trees=12, n_leaves=5, n_threads=1, engine=engine)
    expected = same.fit(train, baseline=rr.Feature(1)).predict(valid)
    np.testing.assert_array_equal(rr.load(files / "model").predict(valid), expected)

    assert riskrank("rank", "model", "valid.txt", "-o", "model.run").status == 0
    compared = ("valid.txt", "model.run", "feature:1", "-b", "feature:1", "--json")
    content = json.loads(riskrank("evaluate", *compared).out)["assessments"][0]
    values = rr.evaluate(valid, {"model": expected}, "nDCG@10")["model"]
    assert float(rows[1].split()[1]) == pytest.approx(values.mean(), abs=5e-5)
    queries = np.split(expected.astype(np.float32), valid.query_offsets[1:-1])
    alone = np.array([len(np.unique(scores)) == len(scores) for scores in queries])  # a run orders ties by document id
    assert alone.sum() > 5
    np.testing.assert_allclose(np.array(content["scores"]["model"])[alone], values[alone], atol=1e-12)


def test_documents_are_ranked_as_a_run_or_scored_line_by_line(riskrank, files):
    scores = save_model(files / "model", files).predict(rr.read_letor(files / "valid.txt"))
    lines = [line.split() for line in riskrank("rank", "model", "valid.txt").out.splitlines()]
    assert len(lines) == len(scores)
    assert {(len(line), line[1], line[5]) for line in lines} == {(6, "Q0", "model")}
    assert {line[2] for line in lines} == {
        line.split("# ")[1] for line in (files / "valid.txt").read_text().splitlines()
    }
    short = riskrank("rank", "model", "valid.txt", "--depth", 2, "--tag", "my run").out.splitlines()
    assert [line.split()[:5] for line in short] == [line[:5] for line in lines if int(line[3]) <= 2]
    assert {line.split()[5] for line in short} == {"my_run"}
    by_line = riskrank("rank", "model", "valid.txt", "--scores").out.splitlines()
    np.testing.assert_array_equal([float(line) for line in by_line], scores)


def test_inspect_tells_what_a_model_is(riskrank, files):
    save_model(
        files / "model",
        files,
        parameters={"objective": rr.URisk(alpha=5)},
        baseline=rr.Feature(1),
        valid=rr.read_letor(files / "valid.txt"),
    )
    text = riskrank("inspect", "model", "--features", 2, "--rows", 2)
    assert (text.status, text.err) == (0, "")
    for part in (
        "LambdaMART of 4 trees, 4 used (grew all 4 trees)",
        "urisk of nDCG@10; truncation 30",
        "alpha 5",
        "feature:1",
        "25 queries, ",
        "Features that matter most",
        "valid risk",
    ):
        assert part in text.out
    content = json.loads(riskrank("inspect", "model", "--json").out)
    card = json.loads((files / "model" / "card.json").read_text())
    assert card.items() <= {**content, "format": 1}.items()
    assert len(content["history"]["valid_risk"]) == 4
    assert set(content["importances"]) == {"gain", "splits"}
    assert list(content["importances"]["gain"]) == [str(number) for number in range(1, 21)]


def test_options_reach_the_objective_and_the_engine(riskrank, files):
    options = ("--objective", "cvar", "--alpha", 3, "--with", "share=0.25", "--with", "truncation=none", "-m", "AP")
    engine = ("--param", "max_bin=15", "--param", "extra_trees=true", "--rate", 0.2, "--min-docs", 3, "--seed", 7)
    done = riskrank("train", "train.txt", "-b", "feature:1", *options, *engine, *SMALL, "--fast", "-o", "a/model")
    assert (done.status, done.err) == (0, "")
    card = rr.load(files / "a" / "model").card_
    assert card["objective"] == {
        "objective": "cvar", "measure": "AP", "truncation": None, "sigma": 1.0, "normalise": "gain", "alpha": 3.0,
        "share": 0.25,
    }  # fmt: skip
    parameters = card["parameters"]
    assert parameters["engine_params"] == {"max_bin": 15, "extra_trees": True}
    assert (parameters["learning_rate"], parameters["min_docs_in_leaf"], parameters["random_state"]) == (0.2, 3, 7)
    assert parameters["fast"]


def test_early_stopping_is_told(riskrank, files):
    stop = ("--early-stopping", 2, "--valid-measure", "AP", "--trees", 200, "--rate", 0.5, "--threads", 1)
    done = riskrank("train", "train.txt", "--valid", "valid.txt", *stop, "-o", "model")
    card = rr.load(files / "model").card_
    assert card["trees"] == card["best_trees"] + 2
    assert f"{card['trees']} trees, the best {card['best_trees']} are used (no better on validation" in done.out


def test_a_model_is_a_baseline(riskrank, files):
    save_model(files / "old", files)
    done = riskrank("train", "train.txt", "--objective", "urisk", "-b", "old", "-b", "feature:1", *SMALL, "-o", "new")
    assert (done.status, done.err) == (0, "")
    assert rr.load(files / "new").card_["baselines"] == ["old", "feature:1"]
    again = riskrank("train", "train.txt", "--objective", "urisk", "-b", "old", *SMALL, "-o", "old")
    assert again.status == 2
    assert "is one of the inputs, it would be overwritten" in again.err


def test_a_model_that_starts_from_its_baseline_asks_for_it(riskrank, files):
    old = save_model(files / "old", files)
    save_scores(files / "old.scores", old.predict(rr.read_letor(files / "valid.txt")))
    save_model(files / "by_model", files, parameters={"start": "baseline"}, baseline={"old": old})
    start = ("--start", "baseline", "--objective", "urisk", *SMALL)
    assert riskrank("train", "train.txt", "-b", "feature:1", *start, "-o", "by_feature").status == 0
    assert riskrank("rank", "by_feature", "valid.txt").status == 0
    refused = riskrank("rank", "by_model", "valid.txt", "-o", "out.run")
    assert refused.status == 2
    assert "this model starts from its baseline (old): pass --baseline" in refused.err
    assert not (files / "out.run").exists()
    by_scores, by_model = (riskrank("rank", "by_model", "valid.txt", "-b", given) for given in ("old.scores", "old"))
    assert (by_scores.status, by_scores.err) == (0, "")
    assert by_model == by_scores


def test_without_document_ids_documents_are_numbered(riskrank, files):
    save_model(files / "model", files)
    lines = (files / "bare.txt").read_text().splitlines()
    (files / "named.txt").write_text("\n".join(f"{line} # {number}" for number, line in enumerate(lines, start=1)))
    bare, named = (riskrank("rank", "model", f"{name}.txt", "-o", f"{name}.run") for name in ("bare", "named"))
    assert (bare.status, named.status) == (0, 0)
    assert (files / "bare.run").read_text() == (files / "named.run").read_text()
    done = riskrank("evaluate", "bare.txt", "bare.run", "named.run", "feature:1", "-b", "feature:1", "--json")
    scores = json.loads(done.out)["assessments"][0]["scores"]
    assert scores["bare"] == scores["named"]
    assert np.mean(scores["bare"]) > 0.5


def test_files_that_lack_the_last_features_are_widened(riskrank, files):
    save_model(files / "model", files)
    assert riskrank("rank", "model", "narrow.txt").status == 0
    done = riskrank("train", "train.txt", "--valid", "narrow.txt", *SMALL, "-o", "new")
    assert (done.status, done.err) == (0, "")


def test_features_that_say_nothing_give_a_model_that_says_nothing(riskrank, files):
    done = riskrank("train", "flat.txt", *SMALL, "-o", "model")
    assert (done.status, done.err) == (0, "")
    assert "0 trees" in done.out
    assert riskrank("inspect", "model").status == 0


def test_the_present_folder_gets_the_model_or_a_clear_refusal(riskrank, files):
    (files / "here").mkdir()
    done = riskrank("train", "../train.txt", *SMALL, "-o", ".", cwd=files / "here")
    if done.status == 0:
        assert rr.load(files / "here").card_["trees"] == 12
    else:
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert done.err.startswith("riskrank: ")


def test_objectives_are_listed(riskrank):
    done = riskrank("objectives")
    assert done.status == 0
    assert all(name in done.out for name in rr.objectives.OBJECTIVES)
    assert "share=0.1" in done.out


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
        ([*TRAIN, "--with", "truncation"], "--with takes NAME=VALUE, got 'truncation'"),
        ([*TRAIN, "--param", "=5"], "--param takes NAME=VALUE, got '=5'"),
        ([*TRAIN, "--param", "feature_fraction=abc"], "refuses the parameters"),
        ([*TRAIN, "--param", "bagging_fraction=3"], "refuses the parameters"),
        ([*TRAIN, "--engine", "xgboost", "--param", "subsample=3"], "refuses the parameters"),
        ([*TRAIN, "--valid", "wide.txt"], "21 features"),
        ([*TRAIN, "--checkpoint-every", 0], "checkpoint_every must be a whole number from 1, got 0"),
        (["train", "nothing.txt", "-o", "out"], "nothing.txt: no such file"),
        (["train", "train.txt", "-o", "valid.txt"], "valid.txt: is a file; a model is a folder"),
        (["train", "train.txt", "-o", "foreign"], "foreign: exists and is not a model of riskrank"),
        (["rank", "model", "wide.txt", "-o", "out"], "wide.txt: has 21 features"),
        (["rank", "foreign", "valid.txt", "-o", "out"], "foreign: is not a model of riskrank"),
        (["rank", "model", "valid.txt", "-o", "valid.txt"], "valid.txt: is one of the inputs"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, files, arguments, message):
    save_model(files / "model", files)
    (files / "foreign").mkdir()
    (files / "foreign" / "thesis.txt").write_text("all of it")
    before = sorted(files.rglob("*"))
    done = riskrank(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("riskrank: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert sorted(files.rglob("*")) == before
