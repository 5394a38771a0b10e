from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError


@pytest.mark.parametrize("intervals", [False, True])
def test_json_loads_back_into_the_same_object(tmp_path, intervals):
    scores = rr.evaluate(
        {"1": {"a": 1}, "2": {"b": 1, "c": 0}, "3": {"a": 0}},
        {
            "old": {"1": {"a": 1.0}, "2": {"c": 2.0, "b": 1.0}},
            "new": {"1": {"a": 1.0, "b": 1.0}, "2": {"b": 3.0}},
        },
        "P@1",
    )
    result = rr.assess(scores, baseline="old", intervals=intervals)
    result.to_json(tmp_path / "r.json")
    back = rr.Assessment.from_json(tmp_path / "r.json")
    assert back == result
    assert back.scores == result.scores
    assert repr(back) == repr(result)
    assert rr.Assessment.from_json(result.to_json()) == result
    text = (tmp_path / "r.json").read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert set(rr.read_assessments(tmp_path / "r.json")) == {"P@1"}


def test_json_with_the_former_words_for_verdicts_is_read():
    rng = np.random.default_rng(0)
    old = rng.random(30) / 2 + 0.25
    rows = {"old": old, "better": old + 0.1 + 0.1 * rng.random(30), "worse": old - 0.1 - 0.1 * rng.random(30)}
    result = rr.assess(rr.Effectiveness.from_rows(rows), baseline="old")
    text = result.to_json()
    assert (text.count("significant gain"), text.count("significant loss")) == (3, 4)
    former = text.replace("significant gain", "real reward").replace("significant loss", "real risk")
    assert rr.Assessment.from_json(former) == result


def test_json_of_another_kind_or_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "r.json"
    for text in ("[]", "{}", "nonsense", '{"format": "other"}', '{"format": "riskrank assessments"}'):
        path.write_text(text)
        with pytest.raises(FileError, match="is not a riskrank assessment"):
            rr.Assessment.from_json(path)
    path.write_text('{"format": "riskrank assessments", "version": 99, "assessments": []}')
    with pytest.raises(FileError, match="has version 99, this riskrank reads up to 2. Update riskrank"):
        rr.Assessment.from_json(path)
