"""What a gate finds wrong: broken checks, and the topics that broke them, each said once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskrank.assessment.cautions import cautions
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import BrokenTopic, Comparison, GateResult, NamedCheck


class Problem(NamedTuple):
    """A broken check, or a topic that broke one: what it is called, and a line about it.

    `key` stays the same as long as the problem does, whatever its numbers are.
    """

    comparison: Comparison
    title: str
    text: str
    rule: str
    key: tuple[str, ...]


def problems(result: GateResult) -> list[Problem]:
    """The broken checks of all comparisons, then their topics, worst first."""
    broken = [_of_check(each) for each in result.named_checks() if not each.check.holds]
    topics = [_of_topic(each, topic) for each in result.comparisons for topic in each.broken_topics]
    return [*broken, *topics]


def check_title(each: NamedCheck) -> str:
    """Whose check it is."""
    compared = each.comparison
    whose = f"{compared.candidate} against {compared.baseline}, {compared.measure}{_in_segment(each.segment)}"
    return f"{whose}: {each.check.name}"


def before_and_after(topic: BrokenTopic) -> str:
    """The scores of a topic."""
    return f"{topic.baseline:.4f} → {topic.score:.4f} ({topic.change:+.4f})"


def notes(result: GateResult) -> list[str]:
    """What spoils the comparisons, and what is odd about the data, each once."""
    said = [
        note
        for each in result.comparisons
        for note in (*cautions(each.scores, [each.baseline]), *data_notes(each.scores))
    ]
    return list(dict.fromkeys(said))


def _of_check(each: NamedCheck) -> Problem:
    compared, check = each.comparison, each.check
    text = f"{check.words}{_in_segment(each.segment)}"
    key = (compared.baseline, compared.measure, each.segment, check.name)
    return Problem(compared, "riskrank gate", text, check.name, key)


def _of_topic(compared: Comparison, topic: BrokenTopic) -> Problem:
    unit = compared.scores.unit
    unjudged = f"; {topic.n_unjudged} of its first documents are not judged" if topic.n_unjudged else ""
    text = f"{unit} {topic.topic}: {compared.measure} {before_and_after(topic)}{unjudged}"
    key = (compared.baseline, compared.measure, "topic", topic.topic)
    return Problem(compared, f"riskrank: {unit} {topic.topic}", text, "topic", key)


def _in_segment(segment: str) -> str:
    return f", segment {segment}" if segment else ""
