"""Sweeps, prepared clicks, checkpoints, assessments and gates that somebody has changed are told in one line."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError
from riskrank.rankers.fitting.checkpoint import CheckpointFolder

HUGE = 10**400
FILES = Path(__file__).parent.parent / "compatibility" / "files.zip"


@pytest.fixture
def files(tmp_path):
    """What a former version wrote."""
    with ZipFile(FILES) as archive:
        archive.extractall(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def gate():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.6, 0.5], "new": [0.6, 0.1, 0.7, 0.5]})
    return json.loads(rr.gate(scores, candidate="new", baseline="old", max_hurt=0.1).to_json())


def change(path: Path, place: tuple, value) -> None:
    content = json.loads(path.read_text())
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    path.write_text(json.dumps(content))


def told(read, message: str) -> None:
    with pytest.raises(FileError) as error:
        read()
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("version",), "x", "sweep.json: version: must be a whole number from 1 to 1, got 'x'"),
        (("version",), 2, "sweep.json: has version 2, this riskrank reads up to 1"),
        (("measure",), 7, "measure: must be a text"),
        (("parameter",), "../../models", "parameter: must be the name of a parameter"),
        (("parameters", "URisk"), "/etc", "parameters.URisk: must be the name of a parameter"),
        (("settings",), [], "settings: must be as many as"),
        (("settings", 0), ["URisk"], "settings[0]: must be a list of 2"),
        (("settings", 0, 1), float("nan"), "settings[0][1]: must be a number, got nan"),
        (("folds",), 0, "folds: must be a whole number from 1"),
        (("folds",), HUGE, "folds: must be a whole number from 1"),
        (("baselines",), -1, "baselines: must be a whole number"),
        (("is_valid_fresh",), 1, "is_valid_fresh: must be true or false, got 1"),
        (("train_gain",), [0.1], "settings: must be as many as"),
        (("train_gain", 0), "x", "train_gain[0]: must be a number or null"),
        (("learning", 0, 0), {}, "learning[0][0]: must be a list"),
        (("learning_baseline",), [[0.5]], "learning_baseline: must have a level for each curve"),
        (("learning_baseline",), [["x"]], "learning_baseline[0][0]: must be a number or null"),
        (("thresholds",), [], "thresholds: must be an object"),
        (("predictors", "x"), {"kind": "oracle"}, "predictors.x.kind: must be one of"),
        (("others",), {"test": {"AP": "x"}}, "others.test.AP: must be a list"),
    ],
    ids=str,
)
def test_a_sweep_of_another_kind_is_refused(files, place, value, message):
    folder = files / "sweeps" / "undisturbed"
    change(folder / "sweep.json", place, value)
    told(lambda: rr.Sweep.load(folder), message)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "flood"])
@pytest.mark.parametrize("name", ["sweeps/undisturbed/sweep.json", "clicks/prepared/prepared.json"])
def test_what_is_no_file_is_no_part_of_a_folder(files, name, kind):
    path = files / name
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch()
        os.truncate(path, 2**40)
    read = rr.Sweep.load if path.name == "sweep.json" else rr.clicks.Prepared.open
    told(lambda: read(path.parent), path.name)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("version",), 2, "prepared.json: has version 2, this riskrank reads up to 1"),
        (("features",), "x", "features: must be a list, got 'x'"),
        (("features", 0), 7, "features[0]: must be a text, got 7"),
        (("limits",), [None], "limits[0]: must be a number"),
        (("parts",), {"../../train": 7}, "parts: must be the name of a file in the folder"),
        (("parts", "train"), -1, "parts.train: must be a whole number"),
        (("files", "train"), HUGE, "files.train: must be a whole number"),
        (("files",), {}, "files: must name those of the part train"),
    ],
    ids=str,
)
def test_a_card_of_clicks_of_another_kind_is_refused(files, place, value, message):
    folder = files / "clicks" / "prepared"
    change(folder / "prepared.json", place, value)
    told(lambda: rr.clicks.Prepared.open(folder), message)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("measure",), 7, "assessments[0].measure: must be a text"),
        (("topics",), "abc", "assessments[0].topics: must be a list"),
        (("topics", 0), 7, "assessments[0].topics[0]: must be a text"),
        (("topics",), ["1"], "assessments[0]: scores: must be 1 of each system"),
        (("level",), "0.05", "assessments[0].level: must be a number from 0 to 1"),
        (("level",), 0, "assessments[0]: level must lie between 0 and 1"),
        (("aggregate",), "sum", "assessments[0].aggregate: must be one of mean, geometric"),
        (("systems",), {}, "assessments[0].systems: must be a list"),
        (("systems", 0), [], "assessments[0].systems[0]: must be an object"),
        (("systems", 0, "wins"), 0.5, "assessments[0].systems[0].wins: must be a whole number"),
        (("systems", 0, "gain"), "x", "assessments[0].systems[0].gain: must be a number or null"),
        (("systems", 0, "at", 0, "verdict"), "fine", "at[0].verdict: must be one of"),
        (("systems", 0, "at", 0, "verdict"), [], "at[0].verdict: must be one of"),
        (("systems", 0, "at"), 7, "assessments[0].systems[0].at: must be a list"),
        (("scores", "text"), [1, "x"], "assessments[0].scores.text[1]: must be a number or null"),
        (("scores", "text"), [0.5], "scores: must be 30 of each system"),
        (("baseline_scores",), None, "assessments[0].baseline_scores: must be a list"),
    ],
    ids=str,
)
def test_an_assessment_of_another_kind_is_refused(files, place, value, message):
    path = files / "assessment.json"
    change(path, ("assessments", 0, *place), value)
    told(lambda: rr.Assessment.from_json(path), f"{path}: {message}" if message.startswith("assess") else message)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("candidate",), [], "comparisons[0].candidate: must be a text"),
        (("gain",), None, "comparisons[0].gain: must be a number"),
        (("gain",), 1e200, "comparisons[0].gain: must be a number"),
        (("budget", "max_hurt"), "x", "comparisons[0].budget.max_hurt: must be a number or null"),
        (("budget", "max_pain"), 1, "comparisons[0].budget.max_pain: is not known here"),
        (("checks", 0, "name"), "pain", "comparisons[0].checks[0].name: must be one of"),
        (("checks", 0, "topics"), ["9"], "topics of checks and segments must be among the topics"),
        (("checks", 0, "interval"), [1], "comparisons[0].checks[0].interval: must be a list of 2"),
        (("candidate_scores",), [0.1], "scores: must be 4 of each system"),
        (("candidate_scores", 0), float("nan"), "comparisons[0].candidate_scores[0]: must be a number"),
        (("topics",), ["1", "2", "3", "3"], "stands twice"),
        (("unit",), "day", "comparisons[0].unit: must be one of topic, query, page"),
        (("accepted",), [{"topic": "1", "reason": "x", "until": "soon"}], "accepted[0].until: must be a date"),
    ],
    ids=str,
)
def test_a_gate_of_another_kind_is_refused(gate, tmp_path, place, value, message):
    path = tmp_path / "gate.json"
    path.write_text(json.dumps(gate))
    change(path, ("comparisons", 0, *place), value)
    told(lambda: rr.GateResult.from_json(path), message)


def line_of_history(**changes) -> str:
    check = {"name": "hurt", "segment": "", "value": 0.1, "limit": 0.2, "holds": True}
    comparison = {
        "candidate": "new", "baseline": "old", "measure": "nDCG@10", "n_topics": 4, "gain": 0.1, "candidate_mean": 0.5,
        "baseline_mean": 0.4, "checks": [check],
    }  # fmt: skip
    content = {
        "format": "riskrank gate history", "version": 1, "time": "2026-01-01T00:00:00+00:00", "label": "r1",
        "passed": True, "comparisons": [comparison],
    }  # fmt: skip
    return json.dumps({**content, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": 7}, "time: must be a date-time"),
        ({"time": "soon"}, "time: must be a date-time"),
        ({"label": None}, "label: must be a text"),
        ({"passed": "yes"}, "passed: must be true or false"),
        ({"comparisons": 7}, "comparisons: must be a list"),
        ({"comparisons": [{}]}, "comparisons[0].candidate: is missing"),
        ({"version": 2}, "has version 2, this riskrank reads up to 1"),
        ({"format": "x"}, "format: must be 'riskrank gate history'"),
    ],
    ids=str,
)
def test_a_line_of_a_history_of_another_kind_is_refused(tmp_path, changes, message):
    path = tmp_path / "history.jsonl"
    path.write_text(line_of_history() + "\n")
    assert len(rr.GateHistory.read(path).gates) == 1
    path.write_text(line_of_history() + "\n" + line_of_history(**changes) + "\n")
    told(lambda: rr.GateHistory.read(path), message)


def checkpoint(path: Path, **arrays) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    path.write_bytes(buffer.getvalue())


def packed_state(**changes):
    state = {
        "format": 2, "identity": {}, "n_steps": 1, "best_steps": 1, "best": None, "history": {"trees": [1]},
        "memory": {},
    }  # fmt: skip
    return np.frombuffer(json.dumps({**state, **changes}).encode(), np.uint8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 3}, "has format 3, this riskrank reads 2"),
        ({"format": []}, "has format"),
        ({"identity": []}, "identity: must be an object"),
        ({"n_steps": -1}, "n_steps: must be a whole number"),
        ({"n_steps": HUGE}, "n_steps: must be a whole number"),
        ({"best_steps": "x"}, "best_steps: must be a whole number"),
        ({"best": []}, "best: must be"),
        ({"history": 7}, "history: must be an object"),
        ({"history": {"trees": [1], "watched": []}}, "columns of one length"),
        ({"memory": None}, "memory: must be an object"),
    ],
    ids=str,
)
def test_the_state_of_a_checkpoint_of_another_kind_is_refused(tmp_path, changes, message):
    checkpoint(tmp_path / "checkpoint.npz", state=packed_state())
    folder = CheckpointFolder(tmp_path, 1, {})
    assert folder.read().n_steps == 1
    checkpoint(tmp_path / "checkpoint.npz", state=packed_state(**changes))
    told(folder.read, message)


def header(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    ("entry", "compression", "message"),
    [
        (bytes(2**27), ZIP_DEFLATED, "its arrays are larger than the file"),
        (header("(1000000000000,)"), 0, "not as large as it says"),
        (header("(-1,)"), 0, "is not a whole checkpoint"),
        (header("(2,)", "|O") + bytes(16), 0, "does not begin like one of numbers"),
        (header("(2,)", "nonsense") + bytes(16), 0, "is not a whole checkpoint"),
        (b"\x93NUMPY\x09\x00" + bytes(100), 0, "is not a whole checkpoint"),
        (b"", 0, "is not a whole checkpoint"),
        (b"text", 0, "is not a whole checkpoint"),
    ],
    ids=["bomb", "huge", "negative", "objects", "type", "version", "empty", "text"],
)
def test_arrays_that_are_not_what_they_say_are_refused_before_they_are_made(tmp_path, entry, compression, message):
    with ZipFile(tmp_path / "checkpoint.npz", "w", compression) as archive:
        archive.writestr("state.npy", entry)
    told(CheckpointFolder(tmp_path, 1, {}).read, message)


@pytest.mark.parametrize("name", ["train_scores", "valid_scores", "model"])
@pytest.mark.parametrize("array", [None, np.zeros(3), np.array("x"), np.full(10**4, np.nan), np.zeros((2, 2))], ids=str)
def test_arrays_of_another_training_are_refused(files, name, array):
    folder = files / "checkpoints" / "lambdamart"
    queries = files / "queries"
    from tests.compatibility import write_files

    ranker = write_files.trainings()["lambdamart"]
    with np.load(folder / "checkpoint.npz") as saved:
        arrays = {each: saved[each] for each in saved.files if each != name}
    state = json.loads(arrays["state"].tobytes())
    if state["identity"]["versions"] != ranker.engine_versions():
        pytest.skip("a training goes on with the engine that it began with")
    checkpoint(folder / "checkpoint.npz", **arrays, **({} if array is None else {name: array}))
    data = {"baseline": write_files.BASELINE, "valid": rr.read_letor(queries / "valid.txt")}
    fit = {"checkpoint": folder, "resume": True}
    told(lambda: ranker.fit(rr.read_letor(queries / "train.txt"), **data, **fit), name)
