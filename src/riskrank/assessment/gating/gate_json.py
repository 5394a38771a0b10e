"""Gates as JSON, there and back; numbers that JSON does not have are null."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.assessment.gating.budgets.key_lines import KeyLines
from riskrank.assessment.gating.comparison import Comparison
from riskrank.assessment.gating.gate_records import GateRecord
from riskrank.assessment.gating.segments import Segment
from riskrank.assessment.json import data_facts, data_facts_in, read_form, without_nan
from riskrank.data.effectiveness import Effectiveness
from riskrank.errors import AlignmentError, FileError
from riskrank.files.records import decode
from riskrank.risk.budget.check import Check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
    from riskrank.assessment.gating.comparison import BrokenTopic
    from riskrank.assessment.gating.gate_records import CheckRecord, ComparisonRecord
    from riskrank.typing import PathLike

FORMAT = "riskrank gate"
VERSION = 2


class SavedGate(NamedTuple):
    """What is kept of a gate: all but the runs."""

    comparisons: tuple[Comparison, ...]
    budget_lines: KeyLines | None
    judgments_path: str


def gate_to_json(gate: SavedGate) -> str:
    """All of a gate, for programs and `read_gate_json`."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "passed": all(each.passed for each in gate.comparisons),
        "budget_file": None if gate.budget_lines is None else _budget_file(gate.budget_lines),
        "judgments_path": gate.judgments_path,
        "comparisons": [_comparison(each) for each in gate.comparisons],
    }
    return json.dumps(without_nan(content), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def read_gate_json(source: PathLike) -> SavedGate:
    """What `gate_to_json` wrote, from a file or its text."""
    what = "the JSON of a gate"
    content, origin = read_form(source, FORMAT, VERSION, what)
    try:
        record = decode(GateRecord, content, origin)
        comparisons = tuple(map(_read_comparison, record.comparisons))
    except (FileError, AlignmentError) as error:
        reason = error.reason if isinstance(error, FileError) else str(error)
        raise FileError(origin, f"is not {what} ({reason.rstrip('.')}).") from None
    if not comparisons:
        raise FileError(origin, f"is not {what} (no comparison).")
    file = record.budget_file
    lines = None if file is None else KeyLines(file.path, {each.key: each.line for each in file.lines})
    return SavedGate(comparisons, lines, record.judgments_path)


def _budget_file(lines: KeyLines) -> dict[str, Any]:
    """Where limits stand; of accepted losses, which have numbers, nothing is left to say."""
    named = {key: line for key, line in lines.lines.items() if all(isinstance(part, str) for part in key)}
    return {"path": os.fspath(lines.path), "lines": [{"key": list(key), "line": line} for key, line in named.items()]}


def _comparison(each: Comparison) -> dict[str, Any]:
    scores = each.scores
    return {
        "candidate": each.candidate,
        "baseline": each.baseline,
        "measure": each.measure,
        "passed": each.passed,
        "has_default_limits": each.has_default_limits,
        "gain": each.gain,
        "gain_interval": list(each.gain_interval),
        "n_effective": each.n_effective,
        "without_segment": list(each.without_segment),
        "budget": asdict(each.budget),
        "checks": [_check(check, each) for check in each.checks],
        "segments": [
            {
                "name": segment.name,
                "topics": [scores.topics[i] for i in segment.positions],
                "has_budget": segment.has_budget,
                "pooled": list(segment.pooled),
                "unchecked": segment.unchecked,
                "checks": [_check(check, each) for check in segment.checks],
            }
            for segment in each.segments
        ],
        **{name: [_loss(loss) for loss in getattr(each, name)] for name in ("accepted", "not_accepted")},
        "broken_topics": [_topic(topic) for topic in each.broken_topics],
        **data_facts(scores),
        "topics": list(scores.topics),
        "candidate_scores": scores[each.candidate].tolist(),
        "baseline_scores": scores[each.baseline].tolist(),
    }


def _loss(loss: AcceptedLoss) -> dict[str, Any]:
    return {**asdict(loss), "until": loss.until.isoformat()}


def _topic(topic: BrokenTopic) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "score": topic.score,
        "baseline": topic.baseline,
        "change": topic.change,
        "n_unjudged": topic.n_unjudged,
        "is_protected": topic.is_protected,
    }


def _check(check: Check, comparison: Comparison) -> dict[str, Any]:
    topics = comparison.scores.topics
    return {**asdict(check), "interval": list(check.interval), "topics": [topics[i] for i in check.topics]}


def _read_comparison(record: ComparisonRecord) -> Comparison:
    rows = {record.baseline: record.baseline_scores, record.candidate: record.candidate_scores}
    scores = Effectiveness(
        measure=record.measure, systems=tuple(rows), topics=record.topics,
        matrix=np.array(list(rows.values())).reshape(len(rows), -1), **data_facts_in(record),
    )  # fmt: skip
    position = {topic: i for i, topic in enumerate(record.topics)}
    return Comparison(
        scores=scores,
        candidate=record.candidate,
        baseline=record.baseline,
        budget=record.budget,
        checks=tuple(_read_check(each, position) for each in record.checks),
        segments=tuple(
            Segment(
                each.name, tuple(position[topic] for topic in each.topics),
                tuple(_read_check(check, position) for check in each.checks), each.has_budget, each.pooled,
                each.unchecked,
            )
            for each in record.segments
        ),
        accepted=record.accepted,
        not_accepted=record.not_accepted,
        unjudged={each.topic: each.n_unjudged for each in record.broken_topics if each.n_unjudged},
        has_default_limits=record.has_default_limits,
        gain=record.gain,
        gain_interval=record.gain_interval,
        n_effective=record.n_effective,
        without_segment=record.without_segment,
    )  # fmt: skip


def _read_check(record: CheckRecord, position: Mapping[str, int]) -> Check:
    return Check(**{**vars(record), "topics": tuple(position[topic] for topic in record.topics)})
