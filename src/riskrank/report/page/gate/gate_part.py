"""What the page of a gate writes and draws, and what its script knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.assessment.assess import assess
from riskrank.assessment.cautions import cautions
from riskrank.errors import one_line
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.gate_findings import gate_findings, would_pass
from riskrank.report.findings.headings import losers_of, topics_heading
from riskrank.report.findings.words import Word, words
from riskrank.report.page.explorer.explorer_part import explorer_part
from riskrank.report.page.explorer.top_documents import TopDocuments
from riskrank.report.page.explorer.topic_data import topic_data
from riskrank.report.page.gate.gate_exports import gate_exports
from riskrank.report.page.gate.gate_notes import gate_definitions
from riskrank.report.page.plots.check_bullet import check_bullet
from riskrank.report.page.system_names import whole_name
from riskrank.report.text.gate_text import gate_text
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.gate import GateResult
    from riskrank.report.findings.digits import Digits
    from riskrank.report.findings.gate_findings import CheckFinding, WouldPass
    from riskrank.report.findings.words import Words
    from riskrank.report.page.explorer.explorer_part import ExplorerPart
    from riskrank.report.page.explorer.topic_data import TopicData
    from riskrank.report.page.plots.check_bullet import Bullet

ALPHA = 0.0  # of what is said about topics
CANDIDATE = 1  # its number in the page; 0 is the baseline
MOST_NAMED = 8  # topics, in a sentence
NO_RANKINGS = (
    "Only scores were given. To see both rankings here, give judgments and runs: riskrank gate QRELS CANDIDATE "
    "--baseline RUN --html, or gate(qrels, candidate, baseline).to_html() in Python."
)


class CheckLine(NamedTuple):
    """A line of the checklist."""

    name: str
    holds: bool
    value: str
    limit: str
    sentence: str
    bullet: Bullet | None

    @property
    def limit_text(self) -> str:
        """What stands below the limit's tick."""
        return f"limit {self.limit.removeprefix('at most ').removeprefix('at least ')}"


@dataclass(frozen=True)
class GateVerdict:
    """What pages and notebooks begin with."""

    passes: bool
    cautions: Sequence[str]
    headline: Words
    gain: Words
    checks: list[CheckLine]


@dataclass(frozen=True)
class GatePart:
    """All of it, from top to bottom."""

    key: str
    measure: str
    verdict: GateVerdict
    explorer: ExplorerPart | None
    would_pass: WouldPass | None
    definitions: list[tuple[str, str]]
    notes: list[str]
    lines: list[str]  # that a build prints
    data: dict[str, Any]


def gate_verdict(result: GateResult) -> GateVerdict:
    """The headline with the check that decides, and every check."""
    said = gate_findings(result)
    before, value, after = said.decisive.partition(said.checks[0].value)
    decisive = words(before, Word(value, "gain" if result.passes else "loss"), after) if value else words(before)
    return GateVerdict(
        passes=result.passes,
        cautions=cautions(result.scores, [result.baseline]),
        headline=words(said.headline, ". ", decisive),
        gain=said.gain,
        checks=[_line(result, each) for each in said.checks],
    )


def gate_part(result: GateResult) -> GatePart:
    """What the page of a gate says."""
    pair, verdict = _pair(result), gate_verdict(result)
    digits, losing = digits_of(pair), losers_of(pair)
    topics = explorer = None
    if len(pair) > CANDIDATE:
        topics = _topics(result, pair, losing, digits)
        limit = _largest_loss(result)
        explorer = explorer_part(pair, topics, CANDIDATE, digits, alpha=ALPHA, losing=losing, largest_loss=limit)
    return GatePart(
        key="gate",
        measure=result.scores.measure,
        verdict=verdict,
        explorer=explorer,
        would_pass=would_pass(result),
        definitions=gate_definitions(result),
        notes=data_notes(result.scores),
        lines=gate_text(result).splitlines(),
        data={**_data(pair, topics, losing, digits), "exports": gate_exports(result, verdict)},
    )


def _line(result: GateResult, finding: CheckFinding) -> CheckLine:
    check, name = finding.check, finding.name
    sentence = finding.sentence
    if check.name == "loss" and check.topics:
        worst = [one_line(topic.topic, limit=24) for topic in result.topics_of(check)]
        more = f" and {len(worst) - MOST_NAMED:,} more" if len(worst) > MOST_NAMED else ""
        sentence = f"{finding.note}: {', '.join(worst[:MOST_NAMED])}{more}."
    bullet = check_bullet(check, finding.interval)
    return CheckLine(name[0].upper() + name[1:], check.holds, finding.value, finding.limit, sentence, bullet)


def _pair(result: GateResult) -> Assessment:
    """Candidate and baseline alone; a system that is its own baseline stands once."""
    scores, names = result.scores, tuple(dict.fromkeys((result.baseline, result.candidate)))
    matrix = np.array([scores[name] for name in names])
    return assess(replace(scores, systems=names, matrix=matrix), result.baseline, alphas=[ALPHA])


def _topics(result: GateResult, pair: Assessment, losing: Sequence[int], digits: Digits) -> TopicData:
    scored, rankings = result.scored, None
    if scored is not None and scored.judgments is not None:
        rankings = TopDocuments(scored.judgments, scored.systems, result.scores.topics)
    topics = topic_data(pair, CANDIDATE, losing=losing, decimals=digits.n_decimals, rankings=rankings)
    return topics if rankings is not None else replace(topics, note=NO_RANKINGS)


def _largest_loss(result: GateResult) -> float | None:
    """What a single topic may lose, where that is limited."""
    return next((check.limit for check in result.checks if check.name == "loss"), None)


def _data(pair: Assessment, topics: TopicData | None, losing: Sequence[int], digits: Digits) -> dict[str, Any]:
    """For the page's script; there is nothing to weigh."""
    systems = [
        None
        if each.is_baseline
        else {
            "name": whole_name(each.system),
            "gain": each.gain,
            "hurt": each.losses,
            "helped": each.wins,
            "heading": topics_heading(pair, each, losing),
        }
        for each in pair.systems
    ]
    return {
        "baseline": whole_name(pair.baseline),
        "digits": digits.n_decimals,
        "alphas": list(pair.grid),
        "start": pair.grid.index(ALPHA),
        "chosen": CANDIDATE,
        "systems": systems,
        "topics": None if topics is None else topics.to_json(),
    }
