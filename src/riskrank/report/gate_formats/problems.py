"""What a gate finds wrong: broken checks, and the topics that broke them, each said once."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.gate_remarks import gate_cautions, topic_note, weighing
from riskrank.report.findings.words import one_sentence, short_name
from riskrank.report.gate_formats.places import place_of
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.comparison import BrokenTopic, Comparison, NamedCheck
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.report.gate_formats.places import Place


class Problem(NamedTuple):
    """A broken check, or a topic that broke one: what it is called, a line about it, and where it is shown.

    `key` stays the same as long as the problem does, whatever its numbers are. Where documents were never judged, the
    problem may be none (`is_doubtful`).
    """

    comparison: Comparison
    title: str
    text: str
    rule: str
    key: tuple[str, ...]
    place: Place | None
    is_doubtful: bool = False


def problems(result: GateResult) -> list[Problem]:
    """The broken checks of all comparisons, then their topics, worst first."""
    broken = [each for each in result.named_checks() if not each.check.holds]
    places = [place_of(result, each) for each in broken]
    topics = []
    for compared in result.comparisons:
        first_broken: dict[str, Place | None] = {}
        protected_first = sorted(zip(broken, places, strict=True), key=lambda pair: pair[0].check.name != "protected")
        for each, place in protected_first:
            if each.comparison is compared:
                for position in each.check.topics:
                    first_broken.setdefault(compared.scores.topics[position], place)
        topics += [_of_topic(compared, topic, first_broken[topic.topic]) for topic in compared.broken_topics]
    return [*(_of_check(each, place) for each, place in zip(broken, places, strict=True)), *topics]


def fingerprints(listed: Sequence[Problem]) -> list[str]:
    """What tells each problem from all others, and stays the same from one build to the next."""
    told: Counter[str] = Counter()
    marks = []
    for each in listed:
        digest = hashlib.sha256(json.dumps(each.key).encode()).hexdigest()[:32]
        told[digest] += 1
        marks.append(f"{digest}:{told[digest]}")  # the same problem may be another candidate's, too
    return marks


def title_of(compared: Comparison) -> str:
    """Who is held against whom."""
    return f"{short_name(compared.candidate)} against {short_name(compared.baseline)}, {short_name(compared.measure)}"


def check_title(each: NamedCheck) -> str:
    """A check among those of its comparison."""
    return f"{each.check.name}{_in_segment(each.segment)}"


def before_and_after(topic: BrokenTopic) -> str:
    """The scores of a topic."""
    return f"{topic.baseline:.4f} → {topic.score:.4f} ({topic.change:+.4f})"


def notes(result: GateResult) -> list[str]:
    """What spoils the comparisons, and what is odd about the data, each once; of some comparisons, with their names."""
    titles: dict[str, list[str]] = {}
    for each in result.comparisons:
        for note in (*gate_cautions(each), *data_notes(each.scores)):
            titles.setdefault(note, []).append(title_of(each))
    whose = {note: "" if len(named) == len(result.comparisons) else _named(named) for note, named in titles.items()}
    return [one_sentence(f"{of}{note}") for note, of in whose.items()]


def _named(titles: Sequence[str]) -> str:
    return f"{titles[0]}{f' and {len(titles) - 1:,} more' if len(titles) > 1 else ''}: "


def weights_told(result: GateResult) -> list[str]:
    """That topics have weights, if they do; measures may differ in their topics."""
    return list(dict.fromkeys(said for each in result.comparisons for said in weighing(each)))


def _of_check(each: NamedCheck, place: Place | None) -> Problem:
    compared, check = each.comparison, each.check
    text = one_sentence(f"{check.words}{_in_segment(each.segment)}")
    key = (compared.baseline, compared.measure, each.segment, check.name)
    return Problem(compared, "riskrank gate", text, check.name, key, place)


def _of_topic(compared: Comparison, topic: BrokenTopic, place: Place | None) -> Problem:
    unit, name = compared.scores.unit, short_name(topic.topic)
    note = topic_note(topic)
    text = f"{unit} {name}: {short_name(compared.measure)} {before_and_after(topic)}{f'; {note}' if note else ''}"
    if topic.n_unjudged:
        text += f"; {topic.n_unjudged} of its first documents {'is' if topic.n_unjudged == 1 else 'are'} not judged"
    key = (compared.baseline, compared.measure, "topic", topic.topic)
    return Problem(compared, f"riskrank: {unit} {name}", text, "topic", key, place, bool(topic.n_unjudged))


def _in_segment(segment: str) -> str:
    return f", segment {short_name(segment)}" if segment else ""
