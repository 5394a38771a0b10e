"""SARIF 2.1.0, by what its schema and GitHub's code scanning require.

The whole schema is in no package of Python's. Microsoft's validator has it, with rules for GitHub:
``npx @microsoft/sarif-multitool validate gate.sarif --rule-kind "Sarif;Ghas"``.
"""

from __future__ import annotations

import json
import os
import re

import jsonschema
import pytest

import riskrank as rr
from riskrank.report.gate_formats.rules import RULES

from .hostile import HARMLESS, HOSTILE, hostile_gate

# What GitHub's documentation calls required, as a JSON schema.
TEXT = {"type": "string", "minLength": 1}
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {**TEXT, "maxLength": 1024}}}
LINE = {"type": "integer", "minimum": 1}
REGION = dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), LINE)
LEVEL = {"enum": ["note", "warning", "error"]}


def all_of(properties, **more):
    return {"type": "object", "required": list(properties), "properties": properties, **more}


LOCATION = all_of(
    {
        "physicalLocation": all_of(
            {
                "artifactLocation": all_of({"uri": {**TEXT, "pattern": r"^(?!/)[A-Za-z0-9._~/%-]+$"}}),
                "region": all_of(REGION, additionalProperties=False),
            }
        )
    }
)
RESULT = all_of(
    {
        "ruleId": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": MESSAGE,
        "locations": {"type": "array", "minItems": 1, "maxItems": 1, "items": LOCATION},
        "partialFingerprints": all_of({"primaryLocationLineHash": TEXT}),
    },
    additionalProperties=False,
)
RULE = all_of(
    {
        "id": {**TEXT, "maxLength": 255},
        "name": {**TEXT, "maxLength": 255},
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": all_of({"text": TEXT, "markdown": TEXT}),
        "defaultConfiguration": all_of({"level": LEVEL}),
        "properties": all_of({"tags": {"type": "array", "maxItems": 10, "items": TEXT}}),
    },
    additionalProperties=False,
)
NOTIFICATION = all_of({"level": LEVEL, "message": MESSAGE}, additionalProperties=False)
RUN = all_of(
    {
        "tool": all_of(
            {"driver": all_of({"name": TEXT, "semanticVersion": TEXT, "rules": {"type": "array", "items": RULE}})}
        ),
        "invocations": {
            "type": "array",
            "items": all_of(
                {
                    "executionSuccessful": {"type": "boolean"},
                    "exitCode": {"type": "integer"},
                    "toolExecutionNotifications": {"type": "array", "items": NOTIFICATION},
                },
                additionalProperties=False,
            ),
        },
        "results": {"type": "array", "maxItems": 5000, "items": RESULT},
    },
    additionalProperties=False,
)
SCHEMA = all_of(
    {
        "$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": RUN},
    },
    additionalProperties=False,
)


def read(result):
    """The one run of a file that keeps to the rules."""
    content = json.loads(result.to_sarif())
    jsonschema.validate(content, SCHEMA)
    (run,) = content["runs"]
    for each in run["results"]:
        assert run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
    marks = [each["partialFingerprints"]["primaryLocationLineHash"] for each in run["results"]]
    assert len(set(marks)) == len(marks)
    return run


def gate(n_topics=4, **options):
    scores = rr.Effectiveness.from_rows({"old": [0.6] * n_topics, "new": [0.1] * (n_topics - 1) + [0.6]}, measure="AP")
    return rr.gate(scores, "new", "old", **{"max_loss": 0.2, **options})


def test_a_result_for_each_broken_check_and_topic():
    run = read(gate())
    assert [(each["ruleId"], each["level"], each["message"]["text"]) for each in run["results"]] == [
        ("riskrank-loss", "error", "largest loss of a topic 0.5000, at most 0.2"),
        ("riskrank-topic", "warning", "topic 1: AP 0.6000 → 0.1000 (-0.5000)"),
        ("riskrank-topic", "warning", "topic 2: AP 0.6000 → 0.1000 (-0.5000)"),
        ("riskrank-topic", "warning", "topic 3: AP 0.6000 → 0.1000 (-0.5000)"),
    ]
    assert run["invocations"][0]["exitCode"] == 1


def test_what_passes_has_no_result_but_all_rules():
    run = read(gate(max_loss=0.9))
    assert run["results"] == []
    assert run["invocations"][0]["exitCode"] == 0
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [f"riskrank-{name}" for name in RULES]


def test_a_result_points_to_the_limit_in_the_budget_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bud get.toml").write_text("[limits]\nmax_loss = 0.2\n")
    (tmp_path / ".git").mkdir()
    where = read(gate(max_loss=None, budget="bud get.toml"))["results"][0]["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "bud%20get.toml"
    assert where["region"]["startLine"] == 2


@pytest.mark.parametrize(("name", "uri"), [("a#b?.toml", "a%23b%3F.toml"), (os.fsdecode(b"\xff.toml"), "%FF.toml")])
def test_any_name_of_a_file_is_a_uri(tmp_path, monkeypatch, name, uri):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("[limits]\nmax_loss = 0.2\n")
    result = gate(max_loss=None, budget=name)
    assert read(result)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
    for written in (result.to_gitlab, result.to_sarif, result.to_markdown, result.to_junit):
        written(tmp_path / "written")
    assert result.github_annotations().replace("\n", "").isprintable()


def test_no_more_results_than_github_takes():
    run = read(gate(n_topics=6000))
    assert len(run["results"]) == 5000
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"] == "1,000 more topics that broke a limit are left out"


@pytest.mark.parametrize("name", HOSTILE)
def test_names_change_nothing_but_letters(name):
    run, expected = read(hostile_gate(name)), read(hostile_gate(HARMLESS))
    assert [each["ruleId"] for each in run["results"]] == [each["ruleId"] for each in expected["results"]]
    for each in (*run["results"], *run["invocations"][0]["toolExecutionNotifications"]):
        text = each["message"]["text"]
        assert text.isprintable()
        assert "](" not in text, "links of plain messages"
        assert not re.search(r"\{", text.replace("{{", "")), "placeholders"
