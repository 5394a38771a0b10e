"""Gates as JSON, there and back; numbers that JSON does not have are null."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, fields
from datetime import date
from typing import TYPE_CHECKING, Any

from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
from riskrank.assessment.gating.comparison import Comparison
from riskrank.assessment.gating.segments import Segment
from riskrank.assessment.json import json_told, without_nan
from riskrank.data.effectiveness import Effectiveness
from riskrank.risk.budget.budget import Budget
from riskrank.risk.budget.check import Check

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import BrokenTopic
    from riskrank.typing import PathLike

FORMAT = "riskrank gate"
VERSION = 2


def comparisons_to_json(comparisons: Sequence[Comparison]) -> str:
    """All of a gate, for programs and `read_comparisons`."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "passed": all(each.passed for each in comparisons),
        "comparisons": [_comparison(each) for each in comparisons],
    }
    return json.dumps(without_nan(content), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def read_comparisons(source: PathLike) -> tuple[Comparison, ...]:
    """What `comparisons_to_json` wrote, from a file or its text; the runs are not in it."""
    with json_told(source, FORMAT, VERSION, "the JSON of a gate") as content:
        if content["version"] < VERSION:
            raise ValueError(f"its format version is {content['version']}, this riskrank reads {VERSION}")
        comparisons = tuple(_read_comparison(each) for each in content["comparisons"])
        if not comparisons:
            raise ValueError("no comparison")
        return comparisons


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
        "unit": scores.unit,
        "description": scores.description,
        "topics": list(scores.topics),
        "candidate_scores": scores[each.candidate].tolist(),
        "baseline_scores": scores[each.baseline].tolist(),
    }


def _loss(loss: AcceptedLoss) -> dict[str, Any]:
    return {**asdict(loss), "until": loss.until.isoformat()}


def _read_losses(content: list[dict[str, Any]]) -> tuple[AcceptedLoss, ...]:
    return tuple(AcceptedLoss(**{**each, "until": date.fromisoformat(each["until"])}) for each in content)


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


def _read_comparison(content: dict[str, Any]) -> Comparison:
    candidate, baseline, topics = content["candidate"], content["baseline"], content["topics"]
    rows = {baseline: content["baseline_scores"], candidate: content["candidate_scores"]}
    scores = Effectiveness(
        measure=content["measure"], systems=tuple(rows), topics=tuple(topics),
        matrix=[list(map(float, row)) for row in rows.values()],  # type: ignore[arg-type]  # made an array there
        description=content["description"], unit=content["unit"],
    )  # fmt: skip
    position = {topic: i for i, topic in enumerate(topics)}
    return Comparison(
        scores=scores,
        candidate=candidate,
        baseline=baseline,
        budget=Budget(**content["budget"]),
        checks=tuple(_read_check(each, position) for each in content["checks"]),
        segments=tuple(
            Segment(
                each["name"], tuple(position[topic] for topic in each["topics"]),
                tuple(_read_check(check, position) for check in each["checks"]), bool(each["has_budget"]),
                tuple(each["pooled"]),
                str(each["unchecked"]),
            )
            for each in content["segments"]
        ),
        accepted=_read_losses(content["accepted"]),
        not_accepted=_read_losses(content.get("not_accepted", [])),
        unjudged={each["topic"]: each["n_unjudged"] for each in content["broken_topics"] if each["n_unjudged"]},
        has_default_limits=bool(content["has_default_limits"]),
        gain=float(content["gain"]),
        gain_interval=_interval(content["gain_interval"]),
    )  # fmt: skip


def _read_check(content: dict[str, Any], position: dict[str, int]) -> Check:
    numbers = {name: math.nan if content[name] is None else float(content[name]) for name in NUMBERS}
    topics = tuple(position[topic] for topic in content["topics"])
    return Check(**{**content, **numbers, "topics": topics, "interval": _interval(content["interval"])})


NUMBERS = tuple(each.name for each in fields(Check) if each.type == "float")


def _interval(ends: list[float | None]) -> tuple[float, float]:
    low, high = (math.nan if end is None else float(end) for end in ends)
    return low, high
