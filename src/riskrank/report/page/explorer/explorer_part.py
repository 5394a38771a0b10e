"""The topic explorer as it stands before anybody touches it: a system, its topics, and both rankings of the worst."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, noun, rivals, system_numbers
from riskrank.report.findings.headings import COMPARABLE, topics_heading
from riskrank.report.findings.words import plural
from riskrank.report.page.explorer.shared_beginning import without_beginning
from riskrank.report.page.explorer.top_documents import DEPTH
from riskrank.report.page.explorer.topic_data import HIGHEST_SHADE, LISTED, RELEVANT, ROW_HEIGHT
from riskrank.report.page.explorer.topic_tests import short_p, t_text
from riskrank.report.page.plots.topic_strip import losing_path, strip_paths
from riskrank.report.page.system_names import whole_name
from riskrank.risk.exploratory import LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.explorer.top_documents import Listed
    from riskrank.report.page.explorer.topic_data import TopicData
    from riskrank.report.page.plots.scale import Tick
    from riskrank.report.page.plots.topic_strip import StripPaths


class ListedTopic(NamedTuple):
    """A line of the list."""

    number: int
    name: str
    change: str
    t_r: str
    t_j: str
    p: str
    stands_out: bool
    mark: str


class DocumentLine(NamedTuple):
    """A line of a ranking."""

    rank: int
    grade: str
    shade: int
    document: str
    shown: str  # of the document's name
    move: str


class Tab(NamedTuple):
    """One of few systems, with a small strip."""

    number: int
    name: str
    hurt: str
    strip: StripPaths


@dataclass(frozen=True)
class ExplorerPart:
    """What is drawn and written at first."""

    heading: str
    is_compared: bool  # there are enough systems to say how many lose a topic
    n_systems: int
    n_topics: int
    unit: str
    units: str
    strip: StripPaths
    losing: str
    ticks: Sequence[tuple[float, str]]
    zero: float
    limit: Tick | None  # of a single topic's loss
    is_severe: bool  # the limit is that of severe losses, of which some are allowed
    tabs: list[Tab]
    alpha: float
    has_tests: bool
    stand_out: tuple[float, float]  # the shares of topics beyond −2 and 2, in percent
    topics: list[ListedTopic]
    n_kept: int
    scores: tuple[str, str]
    n_losing: int
    baseline: list[DocumentLine]
    system: list[DocumentLine]
    lines: list[str]  # paths between documents of both
    heavy: list[str]  # of those with high grades
    names: tuple[str, str]  # of baseline and system
    left: str
    has_rankings: bool
    note: str  # why there are none


def explorer_part(
    assessment: Assessment,
    data: TopicData,
    chosen: int,
    digits: Digits,
    *,
    alpha: float,
    losing: Sequence[int],
    largest_loss: float | None = None,
    is_severe: bool = False,
) -> ExplorerPart:
    """For the system that is chosen at first, at the first alpha.

    `losing`: how many systems lose each topic; `largest_loss` is what a single topic may lose, or
    beyond which its loss is severe.
    """
    kept, compared = data.kept[chosen], rivals(assessment)
    system = assessment.systems[chosen]
    numbers = system_numbers(assessment)
    worst, stop = kept.topics[0], assessment.grid.index(alpha)
    pair = data.pairs.get(worst, {}).get(chosen)
    old, new = ([], []) if pair is None else pair
    light, heavy = _joined(old, new)
    beginning = "" if pair is None else pair.beginning
    is_few = 1 < len(compared) <= FEW_SYSTEMS
    counts = [data.losing[topic] for topic in kept.topics]
    is_compared = len(compared) >= COMPARABLE
    return ExplorerPart(
        heading=topics_heading(assessment, system, losing),
        is_compared=is_compared,
        n_systems=len(compared),
        n_topics=data.n_topics,
        unit=noun(assessment),
        units=plural(noun(assessment)),
        strip=_paths(assessment, data, chosen),
        losing=losing_path(counts, kept.places, n_systems=len(compared), scale=data.strip) if is_compared else "",
        ticks=data.strip.ticks,
        zero=data.strip.zero,
        limit=None if largest_loss is None else data.strip.loss_tick(largest_loss),
        is_severe=is_severe,
        tabs=[_tab(assessment, data, numbers[each.system]) for each in compared] if is_few else [],
        alpha=alpha,
        has_tests=any(each.tests.deviations[stop] is not None for each in data.kept.values()),
        stand_out=(100 * kept.tests.n_low[stop] / data.n_topics, 100 * kept.tests.n_high[stop] / data.n_topics),
        topics=_listed(assessment, data, chosen, digits, alpha),
        n_kept=len(kept.topics),
        scores=(digits.score(data.baseline[worst]), digits.score(kept.scores[0])),
        n_losing=data.losing[worst],
        baseline=[_line(rank, each, left_text(each), beginning) for rank, each in enumerate(old, start=1)],
        system=[_line(rank, each, came_text(rank, each), beginning) for rank, each in enumerate(new, start=1)],
        lines=light,
        heavy=heavy,
        names=(whole_name(assessment.baseline), whole_name(system.system)),
        left=leaving_text(old, assessment.baseline) if pair is not None else "",
        has_rankings=pair is not None,
        note=data.note,
    )


def _listed(assessment: Assessment, data: TopicData, chosen: int, digits: Digits, alpha: float) -> list[ListedTopic]:
    """The first topics, worst first, with the part that each has in the risk."""
    kept, explored = data.kept[chosen], assessment.explore(assessment.systems[chosen].system, alpha=alpha)
    numbers = {topic: q for q, topic in enumerate(assessment.scores.topics)}
    listed = []
    for topic, change in zip(kept.topics[:LISTED], kept.changes, strict=False):
        q = numbers[data.names[topic]]
        t_r, t_j, p_value = (float(each[q]) for each in (explored.t_r, explored.t_j, explored.p_value))
        listed.append(
            ListedTopic(topic, data.names[topic], digits.gain(change), t_text(t_r), t_text(t_j), short_p(p_value),
                        abs(t_j) > LIMIT, data.marks.get(topic, ""))
        )  # fmt: skip
    return listed


def _paths(assessment: Assessment, data: TopicData, number: int) -> StripPaths:
    kept, system = data.kept[number], assessment.systems[number]
    return strip_paths(kept.changes, kept.places, n_hurt=system.losses, n_helped=system.wins, scale=data.strip)


def _tab(assessment: Assessment, data: TopicData, number: int) -> Tab:
    system = assessment.systems[number]
    large = f", {system.large_losses:,} by over 20%" if system.large_losses else ""
    return Tab(number, system.system, f"{system.losses:,} hurt{large}", _paths(assessment, data, number))


def _line(rank: int, listed: Listed, move: str, beginning: str) -> DocumentLine:
    grade, shown = listed.grade, without_beginning(whole_name(listed.document), beginning)
    if grade is None or math.isnan(grade):
        return DocumentLine(rank, "–", 0, listed.document, shown, move)
    return DocumentLine(rank, f"{grade:g}".replace("-", "−"), shade(grade), listed.document, shown, move)


def shade(grade: float) -> int:
    """How dark a grade is drawn."""
    return min(max(int(grade), 0), HIGHEST_SHADE)


def left_text(listed: Listed) -> str:
    """Where a document of the baseline went."""
    if listed.elsewhere is None:
        return "not retrieved"
    return f"to {listed.elsewhere}" if listed.elsewhere > DEPTH else ""


def came_text(rank: int, listed: Listed) -> str:
    """Where a document of a system came from."""
    if listed.elsewhere is None:
        return "new"
    if listed.elsewhere > DEPTH:
        return f"from {listed.elsewhere}"
    moved = listed.elsewhere - rank
    return "=" if not moved else f"up {moved}" if moved > 0 else f"down {-moved}"


def leaving_text(listed: Sequence[Listed], baseline: str) -> str:
    """How many documents leave the head of the ranking, and how many of those are relevant."""
    gone = [each for each in listed if each.elsewhere is None or each.elsewhere > DEPTH]
    relevant = sum(each.grade is not None and each.grade >= RELEVANT for each in gone)
    if not gone:
        return f"None of the {baseline} top {len(listed)} leaves it."
    top = f"of the {baseline} top {len(listed)}"
    if len(gone) == 1:
        return f"1 {top} leaves it{', a relevant one' if relevant else ''}."
    rest = ", all of them relevant" if relevant == len(gone) else f", {relevant} of them relevant" if relevant else ""
    return f"{len(gone)} {top} leave it{rest}."


def _joined(old: Sequence[Listed], new: Sequence[Listed]) -> tuple[list[str], list[str]]:
    """Lines from each document of the baseline to the same document of the system."""
    light: list[str] = []
    heavy: list[str] = []
    for rank, each in enumerate(old):
        if each.elsewhere is not None and each.elsewhere <= min(DEPTH, len(new)):
            start, end = (ROW_HEIGHT * place + ROW_HEIGHT // 2 for place in (rank, each.elsewhere - 1))
            path = f"M4 {start}C48 {start} 48 {end} 92 {end}"
            (heavy if each.grade is not None and each.grade > RELEVANT else light).append(path)
    return light, heavy
