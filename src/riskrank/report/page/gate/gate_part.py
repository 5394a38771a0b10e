"""What the page of a gate writes and draws, and what its script knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from riskrank.assessment.assess import assess
from riskrank.errors import listing, one_line
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.gate_findings import gate_findings, would_pass
from riskrank.report.findings.gate_remarks import gate_cautions, topic_note, topics_compared
from riskrank.report.findings.headings import losers_of, topics_heading
from riskrank.report.findings.words import Word, words
from riskrank.report.gate_formats.junit import junit_xml
from riskrank.report.gate_formats.markdown import markdown
from riskrank.report.gate_formats.problems import title_of
from riskrank.report.page.explorer.explorer_part import explorer_part
from riskrank.report.page.explorer.top_documents import TopDocuments
from riskrank.report.page.explorer.topic_data import topic_data
from riskrank.report.page.gate.check_bullet import check_bullet
from riskrank.report.page.gate.gate_notes import gate_definitions
from riskrank.report.page.system_names import whole_name
from riskrank.report.text.gate_text import gate_text
from riskrank.report.text.wording import data_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.assessment.scored_systems import ScoredSystems
    from riskrank.report.findings.check_findings import CheckFinding
    from riskrank.report.findings.digits import Digits
    from riskrank.report.findings.gate_findings import SegmentFinding, WouldPass
    from riskrank.report.findings.words import Words
    from riskrank.report.page.explorer.explorer_part import ExplorerPart
    from riskrank.report.page.explorer.topic_data import TopicData
    from riskrank.report.page.gate.check_bullet import Bullet

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

    passed: bool
    cautions: Sequence[str]
    headline: Words
    gain: Words
    checks: list[CheckLine]
    segments: Sequence[SegmentFinding]
    remarks: Sequence[str]


@dataclass(frozen=True)
class GatePart:
    """All of it, from top to bottom."""

    key: str
    label: str  # which comparison it is
    about: str  # the same in words, where there are several
    measure: str
    verdict: GateVerdict
    explorer: ExplorerPart | None
    would_pass: WouldPass | None
    definitions: list[tuple[str, str]]
    notes: list[str]
    lines: list[str]  # that a build prints
    data: dict[str, Any]


def gate_verdict(compared: Comparison) -> GateVerdict:
    """The headline with the check that decides, and every check."""
    said = gate_findings(compared)
    value = said.checks[0].value if said.checks else ""
    before, value, after = said.decisive.partition(value) if value else (said.decisive, "", "")
    decisive = words(before, Word(value, "gain" if compared.passed else "loss"), after) if value else words(before)
    return GateVerdict(
        passed=compared.passed,
        cautions=gate_cautions(compared),
        headline=words(said.headline, ". ", decisive),
        gain=said.gain,
        checks=[_line(compared, each) for each in said.checks],
        segments=said.segments,
        remarks=said.remarks,
    )


def gate_parts(result: GateResult) -> list[GatePart]:
    """What the page of a gate says: a part for each comparison."""
    count = len(result.comparisons)
    return [
        _part(
            replace(result, comparisons=(compared,)),
            key="gate" if count == 1 else f"gate-{number}",
            label=_label(result, compared),
            about="" if count == 1 else f"{title_of(compared)}, {topics_compared(compared)}",
        )
        for number, compared in enumerate(result.comparisons, start=1)
    ]


def _label(result: GateResult, compared: Comparison) -> str:
    """What tells a comparison from the others."""
    others = result.comparisons
    names = [
        one_line(value, limit=24)
        for name in ("candidate", "baseline", "measure")
        if len({getattr(each, name) for each in others}) > 1
        for value in [getattr(compared, name)]
    ]
    return f"{'✓' if compared.passed else '✗'} {', '.join(names) or compared.measure}"


def _part(result: GateResult, *, key: str, label: str, about: str) -> GatePart:
    """Of a result with one comparison."""
    compared = result.comparison
    pair = assess(compared.scores, compared.baseline, alphas=[compared.budget.alpha])
    digits, losing = digits_of(pair), losers_of(pair)
    topics = explorer = None
    if len(pair) > CANDIDATE:
        topics = _topics(compared, result.scored, pair, losing, digits)
        limits = {check.name: check.beyond for check in compared.checks}
        limit, is_severe = limits.get("loss", limits.get("severe")), "loss" not in limits
        explorer = explorer_part(
            pair, topics, CANDIDATE, digits, alpha=compared.budget.alpha, losing=losing, largest_loss=limit,
            is_severe=is_severe,
        )  # fmt: skip
    return GatePart(
        key=key,
        label=label,
        about=about,
        measure=compared.measure,
        verdict=gate_verdict(compared),
        explorer=explorer,
        would_pass=would_pass(compared),
        definitions=gate_definitions(compared),
        notes=data_notes(compared.scores),
        lines=gate_text(result).splitlines(),
        data={**_data(pair, topics, losing, digits), "exports": _exports(result)},
    )


def _line(compared: Comparison, finding: CheckFinding) -> CheckLine:
    check, name = finding.check, finding.name
    sentence = finding.sentence
    if check.name == "loss" and check.topics:
        worst = [topic.topic for topic in compared.topics_of(check)]
        sentence = f"{finding.note}: {listing(worst, limit=MOST_NAMED)}."
    bullet = check_bullet(check)
    return CheckLine(name[0].upper() + name[1:], check.holds, finding.value, finding.limit, sentence, bullet)


def _topics(
    compared: Comparison, scored: ScoredSystems | None, pair: Assessment, losing: Sequence[int], digits: Digits
) -> TopicData:
    rankings = None
    if scored is not None and scored.judgments is not None:
        rankings = TopDocuments(scored.judgments, scored.systems, compared.scores.topics)
    topics = topic_data(pair, CANDIDATE, losing=losing, decimals=digits.n_decimals, rankings=rankings,
                        marks=_marks(compared))  # fmt: skip
    return topics if rankings is not None else replace(topics, note=NO_RANKINGS)


def _marks(compared: Comparison) -> dict[str, str]:
    """What is to know of single topics: that they must not break, and what is accepted of them."""
    accepted = {loss.topic: f"accepted until {loss.until}" for loss in compared.accepted}
    return accepted | {topic.topic: note for topic in compared.broken_topics if (note := topic_note(topic))}


def _exports(result: GateResult) -> dict[str, str]:
    """What the page hands out, by the ending of the file."""
    return {"md": markdown(result), "xml": junit_xml(result), "json": result.to_json() or ""}


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
        "start": pair.grid.index(pair.alphas[0]),
        "chosen": CANDIDATE,
        "systems": systems,
        "topics": None if topics is None else topics.to_json(),
    }
