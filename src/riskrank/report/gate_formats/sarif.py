"""SARIF 2.1.0, which GitHub's code scanning and editors show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from riskrank.errors import counted
from riskrank.report.gate_formats.places import NOWHERE
from riskrank.report.gate_formats.problems import fingerprints, notes, problems, weights_told
from riskrank.report.gate_formats.rules import PREFIX, RULES

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.report.gate_formats.problems import Problem
    from riskrank.report.gate_formats.rules import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 5000  # that GitHub shows of a run; it refuses 25,000
ORDER = list(RULES)


def sarif(result: GateResult) -> str:
    """A result for each broken check and topic, with rules that say what the checks mean."""
    from riskrank import __version__

    broken = problems(result)
    shown = zip(broken[:MOST_RESULTS], fingerprints(broken[:MOST_RESULTS]), strict=True)
    said = [*notes(result), *weights_told(result)]
    if len(broken) > MOST_RESULTS:
        left_out = len(broken) - MOST_RESULTS
        more = counted(left_out, "more topic")
        said.append(f"{more} that broke a limit {'is' if left_out == 1 else 'are'} left out")
    run = {
        "tool": {
            "driver": {
                "name": "riskrank",
                "semanticVersion": __version__,
                "rules": [_rule(name, rule) for name, rule in RULES.items()],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": 0 if result.passed else 1,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": _without_links(note)}} for note in said
                ],
            }
        ],
        "results": [_result(problem, mark) for problem, mark in shown],
    }
    content = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _rule(name: str, rule: Rule) -> dict[str, Any]:
    return {
        "id": PREFIX + name,
        "name": "".join(word[0].upper() + word[1:] for word in rule.title.split() if word != "A"),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": f"{rule.meaning} {rule.advice}", "markdown": f"{rule.meaning}\n\n{rule.advice}\n"},
        "defaultConfiguration": {"level": "warning" if name == "topic" else "error"},
        "properties": {"tags": ["search", "relevance"]},
    }


def _result(problem: Problem, mark: str) -> dict[str, Any]:
    place = problem.place or NOWHERE
    region = {"startLine": place.line, "startColumn": 1, "endLine": place.line, "endColumn": 2}
    location = {"artifactLocation": {"uri": quote(place.path, errors="surrogateescape")}, "region": region}
    return {
        "ruleId": PREFIX + problem.rule,
        "ruleIndex": ORDER.index(problem.rule),
        "level": "note" if problem.is_doubtful else "warning" if problem.rule == "topic" else "error",
        "message": {"text": _without_links(problem.text)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"primaryLocationLineHash": mark},
    }


def _without_links(text: str) -> str:
    """A message in which no user's name is a link or a placeholder: those are what SARIF has in plain text."""
    return text.replace("](", "] (").replace("{", "{{").replace("}", "}}")
