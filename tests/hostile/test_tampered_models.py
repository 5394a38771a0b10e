"""Files of a model that no riskrank wrote are told in one line, whatever they hold: no traceback, no hang, no flood."""

from __future__ import annotations

import itertools
import json
import os
import shutil

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError
from riskrank.rankers.trees.engine import ENGINES, plain_names

from .tampered import change_card, change_entry, write_file

HUGE = 10**400
DEEP = b"[" * 100_000
NAMES = [f"a{i}" for i in range(20)]
STARTED = {"needs_baseline": True, "start_scale": 1.0}


@pytest.fixture
def model(made, tmp_path):
    shutil.copytree(made / "model", tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture(scope="session")
def all_models(tmp_path_factory):
    """A linear model, a net and a selective one."""
    folder = tmp_path_factory.mktemp("models")
    data = web_search_data(12, documents_per_query=8, n_features=20)
    rr.LinearRanker(n_rounds=1, n_starts=1).fit(data).save(folder / "linear")
    rr.LambdaNet(hidden=(4,), n_epochs=1, n_threads=1).fit(data).save(folder / "net")
    trees = rr.LambdaMART(n_trees=2, n_leaves=4, n_threads=1)
    rr.Selective(trees).fit(data, baseline=rr.Feature(1), valid=data).save(folder / "selective")
    return folder


@pytest.fixture
def models(all_models, tmp_path):
    shutil.copytree(all_models, tmp_path / "models")
    return tmp_path / "models"


def told(folder, message: str) -> None:
    with pytest.raises(FileError) as error:
        rr.load(folder)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


# The card.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "1"}, "is not the card of a model"),
        ({"format": True}, "format: must be a whole number"),
        ({"format": -1}, "format: must be a whole number from 0 to 1, got -1"),
        ({"format": 1e300}, "is not the card of a model"),
        ({"format": 10**30}, "this riskrank reads up to 1"),
        ({"kind": 7}, "kind: must be a text, got 7"),
        ({"kind": ["LambdaMART"]}, "kind: must be a text"),
        ({"features": "x"}, "features: must be a whole number from 0 to 1e+07, got 'x'"),
        ({"features": -3}, "features: must be a whole number"),
        ({"features": 2.5}, "features: must be a whole number"),
        ({"features": True}, "features: must be a whole number"),
        ({"features": HUGE}, "features: must be a whole number"),
        ({"features": 19}, "model.txt: has 20 features, its card says 19"),
        ({"first_feature": {}}, "first_feature: must be a whole number from 0 to 1e+07, got an object"),
        ({"first_feature": -1}, "first_feature: must be a whole number"),
        ({"best_trees": float("nan")}, "best_trees: must be a whole number from 0 up, got nan"),
        ({"best_trees": -1}, "best_trees: must be a whole number"),
        ({"best_trees": 10**15}, "model.txt: has 2 trees, its card says"),
        ({"best_trees": HUGE}, "best_trees: must be a whole number"),
        ({"best_trees": None}, "best_trees: must be a whole number"),
        ({"trees": "2"}, "trees: must be a whole number"),
        ({"feature_names": "bm25"}, "feature_names: must be a list, got 'bm25'"),
        ({"feature_names": {}}, "feature_names: must be a list, got an object"),
        ({"feature_names": []}, "20 features need as many names, got 0"),
        ({"feature_names": [None] * 20}, "feature_names[0]: must be a text"),
        ({"feature_names": list(range(20))}, "feature_names[0]: must be a text, got 0"),
        ({"feature_names": [["a"]] * 20}, "feature_names[0]: must be a text"),
        ({"feature_names": NAMES[:19]}, "20 features need as many names, got 19"),
        ({"feature_names": [*NAMES, "x"]}, "20 features need as many names, got 21"),
        ({"feature_names": [*NAMES[:19], "a0"]}, "two features are called 'a0'"),
        ({"feature_names": [*NAMES[:19], ""]}, "column 20 has no name"),
        ({"feature_names": ["\x1b[2J\n" * 1000] * 20}, r"two features are called '\x1b[2J\n"),
        ({"feature_names": ["a" * 2**19] * 20}, "two features are called 'aaaa"),
        ({"feature_names": [*map(str, range(10**6)), "999999"]}, "20 features need as many names, got 1000001"),
        (
            {"features": 10**6 + 1, "feature_names": [*map(str, range(10**6)), "999999"]},
            "two features are called '999999'",
        ),
        (
            {"features": 10**6, "feature_names": [*map(str, range(10**6))]},
            "model.txt: has 20 features, its card says 1000000",
        ),
        ({"baselines": ["column:a1"], "needs_baseline": True, "start_scale": 1.0}, "no names: 'a1'"),
        (
            {"baselines": ["column:\x1b" + "b" * 2**20], "feature_names": NAMES} | STARTED,
            r"there is no feature '\x1bbbb",
        ),
        ({"baselines": ["column:A3"], "feature_names": NAMES} | STARTED, "Did you mean 'a3'?"),
        ({"baselines": ["feature:0"], "feature_names": NAMES} | STARTED, "feature must be from 1 to 20, got 0"),
        ({"categories": []}, "categories: must be an object, got a list"),
        ({"categories": {"a0": "red"}}, "categories.a0: must be a list, got 'red'"),
        ({"categories": {"a0": ["red"]}}, "a0"),
        ({"feature_names": NAMES, "categories": {"x": ["red"]}}, "x"),
        ({"feature_names": NAMES, "categories": {"a0": [7]}}, "categories.a0[0]: must be a text or null, got 7"),
        ({"feature_names": NAMES, "categories": {"a0": ["red", "red"]}}, "a0"),
        ({"feature_names": NAMES, "categories": {"a0": [*map(str, range(10_001))]}}, "10,000"),
        ({"feature_names": NAMES, "categories": {"\x1b[2J\n": ["a"]}}, r"\x1b[2J\n"),
        ({"parameters": []}, "parameters: must be an object, got a list"),
        ({"parameters": None}, "parameters: must be an object, got None"),
        ({"parameters": {"colour": "red"}}, "parameters: do not fit"),
        ({"parameters": {"n_trees": "many"}}, "parameters.n_trees must be a whole number"),
        ({"parameters": {"n_threads": 10**9}}, "parameters.n_threads must be a whole number"),
        ({"parameters": {"random_state": []}}, "parameters.random_state must be"),
        ({"parameters": {"engine": []}}, "parameters: do not fit"),
        ({"parameters": {"valid_measure": {}}}, "card.json: parameters"),
        ({"parameters": {"engine": json.loads("[" * 50 + "]" * 50)}}, "nested deeper than 32"),
        ({"objective": "gain"}, "objective: must be an object"),
        ({"objective": {}}, "objective.objective: must be a text"),
        ({"objective": {"objective": ["gain"]}}, "objective.objective: must be a text"),
        ({"baselines": 7}, "baselines: must be a list, got 7"),
        ({"baselines": [None]}, "baselines[0]: must be a text"),
        ({"baselines": {"a": 1}}, "baselines: must be a list"),
        ({"needs_baseline": "no"}, "needs_baseline: must be true or false"),
        ({"start_scale": "1"}, "start_scale: must be a number or null, got '1'"),
        ({"start_scale": float("inf")}, "start_scale: must be a number or null"),
        ({"start_scale": HUGE}, "start_scale: must be a number or null"),
        ({"training_data": None}, "training_data: must be an object"),
        ({"training_data": {}}, "training_data.queries: is missing"),
        ({"validation_data": {"queries": 1}}, "validation_data.documents: is missing"),
        ({"versions": {"numpy": 2}}, "versions.numpy: must be a text"),
        ({"files": []}, "files: must be an object"),
        ({"files": {"../../etc/passwd": "0" * 64}}, "files: must be the name of a file in the folder, got '../../"),
        ({"files": {"/etc/passwd": "0" * 64}}, "files: must be the name of a file in the folder"),
        ({"files": {"..": "0" * 64}}, "files: must be the name of a file in the folder"),
        ({"files": {"model.txt": 7}}, "files.model.txt: must be a SHA-256 digest"),
        ({"files": {"model.txt": "0" * 63}}, "files.model.txt: must be a SHA-256 digest"),
        ({"files": {}}, "is damaged, or not the file that the card belongs to"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_card_with_an_entry_of_another_kind_is_refused(model, changes, message):
    change_card(model, **changes)
    told(model, message)


@pytest.mark.parametrize("kind", ["linear", "net"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda known: {**known, "\x1b[2J": 1.0}, r"imputation: that of '\x1b[2J' is not the model's"),
        (lambda known: {key: value + 1 for key, value in known.items()}, "is not the model's. Save the model again."),
        (lambda known: {}, "is not the model's. Save the model again."),
        (lambda known: dict.fromkeys(known, "x"), "must be a number, got 'x'"),
        (lambda known: dict.fromkeys(known, float("nan")), "must be a number"),
        (list, "imputation: must be an object, got a list"),
    ],
)
def test_an_imputation_that_is_not_the_models_is_refused(models, kind, change, message):
    known = json.loads((models / kind / "card.json").read_text())["imputation"]
    change_card(models / kind, imputation=change(known))
    told(models / kind, message)


def test_a_model_of_a_former_version_says_nothing_of_its_imputation(models):
    change_card(models / "linear", imputation=None)
    assert rr.load(models / "linear").imputation()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "card.json: cannot be read (not JSON"),
        (b"\xff\xfe{}", "card.json: cannot be read (not UTF-8 at byte 0)"),
        (b'{"format": 1, "kind": "\xc3', "card.json: cannot be read (not UTF-8"),
        (b'{"format": 1, "kind": "LambdaM', "card.json: cannot be read (not JSON"),
        (b'{"format": 1' + b"0" * 5000 + b"}", "card.json: cannot be read (not JSON"),
        (DEEP, "card.json: cannot be read (brackets are nested too deep)"),
        (b'{"format": 1, "parameters": ' + DEEP, "card.json: cannot be read (brackets are nested too deep)"),
        (b'{"a":' * 100_000, "card.json: cannot be read (brackets are nested too deep)"),
        (b"[]", "card.json: is not the card of a model"),
        (b"null", "card.json: is not the card of a model"),
        (b"{}", "card.json: is not the card of a model"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_card_that_is_no_json_is_refused(model, content, message):
    (model / "card.json").write_bytes(content)
    told(model, message)


# What is in the place of a file.


@pytest.mark.parametrize("name", ["card.json", "model.txt", "history.json"])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("pipe", "is a pipe or device, which cannot be read twice"),
        ("/dev/zero", "is a pipe or device, which cannot be read twice"),
        ("/proc/kmsg", "is made by the system as it is read"),
        ("/dev/tty", "is a pipe or device, which cannot be read twice"),
        ("folder", "is a directory, a file is needed"),
        ("loop", ""),
        ("sparse", "is larger than"),
    ],
)
def test_pipes_devices_folders_and_floods_are_no_files_of_a_model(model, name, kind, message):
    place = model / name
    place.unlink()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "loop":
        place.symlink_to(place)
    elif kind == "sparse":
        place.touch()
        os.truncate(place, 2**40)
    else:
        place.symlink_to(kind)
    told(model, message)


def test_a_card_of_a_gigabyte_is_refused_unread(model):
    os.truncate(model / "card.json", 2**30)
    told(model, "card.json: is larger than 16 MiB")


def test_a_link_to_a_file_is_as_good_as_the_file(model):
    (model / "model.txt").rename(model / "elsewhere.txt")
    (model / "model.txt").symlink_to("elsewhere.txt")
    assert rr.load(model).best_trees_ == 2


# Histories.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "history.json: must be an object"),
        (b'{"trees": 7}', "history.json: trees: must be a list, got 7"),
        (b'{"trees": ["x"]}', "history.json: trees[0]: must be a number or null, got 'x'"),
        (b'{"trees": [1], "watched": [1, 2]}', "history.json: history: must have columns of one length"),
        (b'{"trees": [1', "history.json: cannot be read (not JSON"),
        (b'{"trees": "\xff"}', "history.json: cannot be read (not UTF-8"),
        (b'{"trees": ' + DEEP, "history.json: cannot be read (brackets are nested too deep)"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_history_of_another_kind_is_refused(model, content, message):
    write_file(model, "history.json", content)
    told(model, message)


# Weights.


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("weights",), None, "weights: must be a list"),
        (("weights", 0), 7, "weights[0]: must be an object"),
        (("weights", 0, "feature"), 21, "weights[0].feature: must be one of the model's 20"),
        (("weights", 0, "feature"), 0, "weights[0].feature: must be one of the model's 20"),
        (("weights", 0, "feature"), "1", "weights[0].feature: must be a whole number"),
        (("weights", 0, "weight"), float("nan"), "weights[0].weight: must be a number, got nan"),
        (("weights", 0, "weight"), HUGE, "weights[0].weight: must be a number"),
        (("weights", 0, "mean"), [], "weights[0].mean: must be a number, got a list"),
        (("weights", 0, "spread"), -1.0, "weights[0].spread: must be a number from 0"),
    ],
    ids=str,
)
def test_linear_weights_of_another_kind_are_refused(models, path, value, message):
    change_entry(models / "linear", "weights.json", *path, to=value)
    told(models / "linear", f"weights.json: {message}")


def test_scores_that_are_infinite_are_told_and_not_written(riskrank, made, models):
    for name, value in (("weight", 1e308), ("spread", 1e-300)):
        change_entry(models / "linear", "weights.json", "weights", 0, name, to=value)
    done = riskrank("rank", models / "linear", made / "train.txt", "-o", "new.run")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
    assert "the score must be a finite number" in done.err


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"net.0.weight": np.full((4, 20), np.nan, np.float32)}, "net.0.weight: must be finite"),
        ({"net.0.weight": np.zeros((4, 21), np.float32)}, "does not have the weights of the net"),
        ({"net.0.weight": np.zeros((20, 4), np.float32)}, "do not fit this net"),
        ({"standardise.shift": np.zeros(4)}, "does not have the weights of the net"),
        ({"standardise.scale": np.zeros(4)}, "do not fit this net"),
        ({"net.9.weight": np.zeros(0, np.float32)}, "do not fit this net"),
    ],
    ids=str,
)
def test_weights_of_another_net_are_refused(models, changed, message):
    from riskrank.rankers.nets import nets

    path = models / "net" / "model.safetensors"
    weights = nets.from_bytes(path.read_bytes(), path)
    write_file(models / "net", path.name, nets.to_bytes({**weights, **changed}))
    told(models / "net", message)


@pytest.mark.parametrize("content", [b"", b"\xff" * 100, (2**62).to_bytes(8, "little") + b"{}", b"\0" * 8])
def test_what_holds_no_weights_is_refused(models, content):
    write_file(models / "net", "model.safetensors", content)
    told(models / "net", "model.safetensors: is not a file of weights")


@pytest.mark.parametrize("hidden", [2**16, [2**16, 2**16], "4", [], -4, HUGE, {}, [None]], ids=lambda x: str(x)[:20])
def test_a_card_of_another_net_makes_none(models, hidden):
    card = json.loads((models / "net" / "card.json").read_text())
    change_card(models / "net", parameters={**card["parameters"], "hidden": hidden})
    told(models / "net", str(models / "net"))


# Around another model.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": 7}, "model: must be a SHA-256 digest"),
        ({"model": "0" * 64}, "is not the model that the card belongs to"),
        ({"baselines": []}, "baselines: must be a list of 1"),
        ({"baselines": ["feature:x"]}, "baselines: a feature is given by its number"),
        ({"parameters": {"threshold": "x"}}, "parameters.threshold must be a number"),
        ({"parameters": {"apply": []}}, "card.json: parameters"),
        ({"predictor": None}, "predictor: must be an object"),
        ({"predictor": {"kind": []}}, "predictor.kind: must be one of"),
        ({"predictor": {"kind": "entropy", "feature": []}}, "predictor.feature: must be"),
        ({"predictor": {"kind": "aggregate", "how": "sum", "feature": 1}}, "predictor: how must be one of"),
        ({"predictor": {"kind": "predicted gain", "weights": [1, "x"]}}, "predictor.weights[1]: must be a number"),
        ({"predictor": {"kind": "predicted gain", "weights": [1.0]}}, "must be equally many"),
        ({"predictor": {"kind": "confidence", "x": 1}}, "predictor.x: is not known here"),
    ],
    ids=str,
)
def test_a_selective_card_of_another_kind_is_refused(models, changes, message):
    change_card(models / "selective", **changes)
    told(models / "selective", message)


# Names of features.

HARD = (
    *(
        "\x1b[2J",
        "a\nb",
        "a b",
        "a=b",
        '"',
        "\\",
        "[",
        "]",
        "{}",
        "é",
        "e\u0301",
        "\u202e",
        "x" * 10**5,
        "0",
        "nan",
        "\t",
    ),
    *(f"f{i}" for i in range(4)),
)


@pytest.fixture
def named(tmp_path):
    """A model of each engine, whose features have names that are hard to bear."""
    data = web_search_data(12, documents_per_query=8, n_features=len(HARD))
    table = pl.DataFrame(dict(zip(HARD, data.features.T, strict=True)))
    for engine in ENGINES:
        ranker = rr.LambdaMART(n_trees=2, n_leaves=4, engine=engine, n_threads=1)
        ranker.fit(table, data.labels, group=np.diff(data.query_offsets)).save(tmp_path / engine)
    return tmp_path


@pytest.mark.parametrize("engine", ENGINES)
def test_names_that_are_hard_to_bear_come_back_as_they_were(riskrank, named, engine):
    model = rr.load(named / engine)
    assert tuple(model.feature_names_in_) == HARD
    assert b"\x1b" not in model.model_text_
    for command in (("inspect", named / engine), ("inspect", named / engine, "--json")):
        done = riskrank(*command)
        assert done.status == 0, done
        assert "\x1b" not in done.out


def test_names_that_engines_would_call_the_same_are_told_apart():
    """Twenty thousand of them, none of which has a letter."""
    names = tuple("".join(each) for each in itertools.product("+*~#'!§$%&/()=?<>|;:,[]{}^°", repeat=3))
    plain = plain_names(FeatureColumns(len(names), names=names))
    assert len(set(plain)) == len(names)
    assert plain[:3] == ["___", "____2", "____3"]


@pytest.mark.parametrize(
    "name", ["column:", "column:\x1b[2J", f"column:{'a' * 10**5}", "column:bm25", "column:0", "feature:a"]
)
def test_a_baseline_by_a_name_that_no_feature_has_is_told(riskrank, made, name):
    for command in (
        ["train", "train.txt", "-o", "new", "--objective", "urisk", "-b", name],
        ["evaluate", "train.txt", "feature:1", name, "-b", "feature:1"],
        ["sweep", "train.txt", "--test", "train.txt", "-b", name, "-o", "new"],
        ["sweep", "train.txt", "--test", "train.txt", "-b", "feature:1", "-o", "new", "--select", f"max {name}"],
    ):
        done = riskrank(*command, cwd=made)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
        assert len(done.err) < 1200
        assert "\x1b" not in done.err


# The command line.


@pytest.mark.parametrize(
    "changes", [{"features": "x"}, {"best_trees": -1}, {"parameters": []}, {"baselines": 7}], ids=str
)
def test_commands_end_with_one_line(riskrank, made, model, changes):
    change_card(model, **changes)
    for command in (("inspect", model), ("rank", model, made / "train.txt", "-o", model.parent / "x.run")):
        done = riskrank(*command)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
        assert "card.json: " in done.err
