"""The page of formats is that of the records, and its schemas fit what riskrank wrote."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import riskrank as rr
from riskrank.assessment.gating.gate_history import append_to_history
from riskrank.files.records import schema_of

PROJECT = Path(__file__).parent.parent.parent
FILES = {
    "Card of a model": ["models/lambdamart-lightgbm/card.json", "models/lambdanet/card.json", "models/afs/card.json"],
    "Card of a model around another": ["models/mixed/card.json", "models/selective-learned/card.json"],
    "History": ["models/lambdamart-xgboost/history.json"],
    "Linear weights": ["models/linear-ranker/weights.json"],
    "Sweep": ["sweeps/undisturbed/sweep.json"],
    "Model of a sweep": ["sweeps/undisturbed/models/urisk/alpha=0/fold-1/finished.json"],
    "Prepared clicks": ["clicks/prepared/prepared.json", "clicks/sweep/clicks.json"],
}


@pytest.fixture(scope="module")
def formats():
    spec = importlib.util.spec_from_file_location("make_formats", PROJECT / "docs" / "make_formats.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(formats):
    assert formats.PAGE.read_text(encoding="utf-8") == formats.page(), "run python docs/make_formats.py"


def test_every_schema_is_one(formats):
    for each in formats.FORMATS:
        Draft202012Validator.check_schema(schema_of(each.record))


@pytest.mark.parametrize("title", FILES)
def test_files_of_former_versions_fit_their_schemas(formats, title):
    (record,) = [each.record for each in formats.FORMATS if each.title == title]
    validator = Draft202012Validator(schema_of(record))
    with ZipFile(PROJECT / "tests" / "compatibility" / "files.zip") as archive:
        for name in FILES[title]:
            validator.validate(json.loads(archive.read(name)))


def test_a_checkpoint_fits_its_schema(formats, tmp_path):
    (record,) = [each.record for each in formats.FORMATS if each.title == "Checkpoint"]
    with ZipFile(PROJECT / "tests" / "compatibility" / "files.zip") as archive:
        path = archive.extract("checkpoints/lambdamart/checkpoint.npz", tmp_path)
    with np.load(path) as saved:
        Draft202012Validator(schema_of(record)).validate(json.loads(saved["state"].tobytes()))


def test_an_assessment_and_a_gate_fit_their_schemas(formats, tmp_path):
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.6, 0.5], "new": [0.6, 0.1, 0.7, 0.5]})
    gate = rr.gate(scores, candidate="new", baseline="old", max_hurt=0.1)
    append_to_history(gate, tmp_path / "history.jsonl")
    written = {
        "Assessment": json.loads(rr.assess(scores, "old").to_json())["assessments"][0],
        "Gate": json.loads(gate.to_json()),
        "History of a gate": json.loads((tmp_path / "history.jsonl").read_text()),
    }
    for title, content in written.items():
        (record,) = [each.record for each in formats.FORMATS if each.title == title]
        Draft202012Validator(schema_of(record)).validate(content)
