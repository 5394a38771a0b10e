"""What the topic explorer knows: the changes of each system, worst first, and both rankings where they are known.

Of very many topics, each system keeps a choice: the worst ones always, the best ones, and some from between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.report.findings.assessment_findings import noun, rivals
from riskrank.report.findings.words import plural
from riskrank.report.page.explorer.top_documents import DEPTH
from riskrank.report.page.explorer.topic_tests import p_limits, topic_tests
from riskrank.report.page.plots.scale import scale
from riskrank.report.page.plots.topic_strip import LEAST, StripScale
from riskrank.report.page.rounded import all_rounded
from riskrank.report.page.system_names import whole_name
from riskrank.report.thinned import thinned
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.page.explorer.top_documents import Listed, SideBySide, TopDocuments
    from riskrank.report.page.explorer.topic_tests import TopicTests
    from riskrank.typing import Floats

MOST_CELLS = 60_000  # topics × systems that are kept
FEWEST_TOPICS = 400  # of each system, however many systems there are
MOST_PAIRS = 3_000  # of rankings side by side
LISTED = 100  # topics, before somebody asks for more
HIGHEST_SHADE = 3  # of grades
RELEVANT = 1  # the lowest grade that counts
ROW_HEIGHT = 28  # px of a document, as in the style sheet


@dataclass(frozen=True)
class KeptTopics:
    """The topics of a system that are kept, worst first: numbers in the page, values, and places among all topics.

    `tests` hold for all topics.
    """

    topics: list[int]
    changes: list[float]
    rests: list[int]  # what rounding took from each change, in billionths
    scores: list[float]
    places: list[int]
    tests: TopicTests


@dataclass(frozen=True)
class TopicData:
    """All topics of all systems."""

    n_topics: int
    names: list[str]
    baseline: list[float]
    losing: list[int]  # how many systems lose each
    kept: dict[int, KeptTopics]  # by the system's number
    strip: StripScale
    pairs: dict[int, dict[int, SideBySide]]  # by topic and system
    note: str  # why a topic may have no rankings
    marks: dict[int, str]  # what is to know of a topic, by its number

    def to_json(self) -> dict[str, Any]:
        """For the page's script."""
        return {
            "count": self.n_topics,
            "systems": len(self.kept),
            "names": [whole_name(name) for name in self.names],
            "baseline": self.baseline,
            "losing": self.losing,
            "kept": {
                number: {
                    "topics": kept.topics,
                    "changes": kept.changes,
                    "rests": kept.rests,
                    "scores": kept.scores,
                    "places": None if len(kept.places) == self.n_topics else kept.places,
                    **kept.tests.to_json(),
                }
                for number, kept in self.kept.items()
            },
            "rankings": {topic: _ranked_json(by_system) for topic, by_system in self.pairs.items()},
            "note": self.note,
            "marks": self.marks,
            "pLimits": p_limits(self.n_topics),
            "low": self.strip.y.low,
            "high": self.strip.y.high,
            "gap": self.strip.gap,
            "least": LEAST,
            "listed": LISTED,
            "depth": DEPTH,
            "shades": HIGHEST_SHADE,
            "relevant": RELEVANT,
            "row": ROW_HEIGHT,
        }


def topic_data(
    assessment: Assessment,
    chosen: int,
    *,
    losing: Sequence[int],
    decimals: int,
    rankings: TopDocuments | None = None,
    marks: Mapping[str, str] | None = None,
) -> TopicData:
    """Of the systems that can be compared; `losing`: how many of them lose each topic.

    `chosen` has rankings of all its topics before others have any; `marks` say what is to know of topics.
    """
    scores = assessment.scores
    compared = {each.system for each in rivals(assessment)}
    numbers: dict[int, int] = {}  # of the topics that are kept, in the page
    kept, low, high = {}, 0.0, 0.0
    for i, system in enumerate(assessment.systems):
        if system.system not in compared:
            continue
        delta = difference(scores.matrix[i], assessment.baseline_scores)
        kept[i] = _worst_first(assessment, i, delta, numbers, decimals)
        low, high = min(low, float(delta.min(initial=0.0))), max(high, float(delta.max(initial=0.0)))
    names = [scores.topics[q] for q in numbers]
    pairs = _pairs(assessment, chosen, kept, names, rankings)
    return TopicData(
        n_topics=len(scores.topics),
        names=names,
        baseline=all_rounded(assessment.baseline_scores[list(numbers)], decimals),
        losing=[losing[q] for q in numbers],
        kept=kept,
        strip=StripScale(len(scores.topics), scale(low, high, n_ticks=4)),
        pairs=pairs,
        note=_note(assessment, rankings),
        marks={number: whole_name(marks[name]) for number, name in enumerate(names) if marks and name in marks},
    )


def _worst_first(assessment: Assessment, i: int, delta: Floats, numbers: dict[int, int], decimals: int) -> KeptTopics:
    """Topics that are new get the next number in the page."""
    scores = assessment.scores
    places = thinned(len(scores.topics), max(FEWEST_TOPICS, MOST_CELLS // max(1, len(scores))))
    chosen = np.argsort(delta, kind="stable")[places]
    changes = all_rounded(delta[chosen], decimals)
    return KeptTopics(
        topics=[numbers.setdefault(q, len(numbers)) for q in chosen.tolist()],
        changes=changes,
        rests=np.rint(1e9 * (delta[chosen] - changes)).astype(np.int64).tolist(),
        scores=all_rounded(scores.matrix[i][chosen], decimals),
        places=places.tolist(),
        tests=topic_tests(scores.matrix[i], assessment.baseline_scores, assessment.grid),
    )


def _pairs(
    assessment: Assessment,
    chosen: int,
    kept: dict[int, KeptTopics],
    names: Sequence[str],
    rankings: TopDocuments | None,
) -> dict[int, dict[int, SideBySide]]:
    """Rankings of the topics that change most, those of the chosen system first."""
    shown: dict[int, dict[int, SideBySide]] = {}
    if rankings is None or assessment.baseline not in rankings:
        return shown
    wanted = []
    for i, own in kept.items():
        order = np.argsort([-abs(change) for change in own.changes], kind="stable").tolist()
        wanted += [(i != chosen, rank, i, own.topics[k]) for rank, k in enumerate(order)]
    topics_of: dict[int, list[int]] = {}
    for _, _, i, topic in sorted(wanted)[:MOST_PAIRS]:
        topics_of.setdefault(i, []).append(topic)
    for i, topics in topics_of.items():
        name = assessment.systems[i].system
        if name in rankings:
            both = rankings.beside(name, assessment.baseline, [names[topic] for topic in topics])
            for topic in topics:
                shown.setdefault(topic, {})[i] = both[names[topic]]
    return shown


def _note(assessment: Assessment, rankings: TopDocuments | None) -> str:
    """Why a topic may have no rankings to look at, and what to do."""
    if rankings is None:
        return (
            "Only scores were given. To see both rankings here, give judgments and runs: riskrank evaluate QRELS RUN… "
            "--html, or to_html(qrels=…, runs=…) in Python."
        )
    if assessment.baseline not in rankings:
        return (
            "The baseline has no ranking of its own: it is made of several systems, or of scores. To see both rankings "
            "here, use one run as the baseline: --baseline RUN."
        )
    return f"Rankings are kept for the {plural(noun(assessment))} that change most; this one is not among them."


def _ranked_json(by_system: dict[int, SideBySide]) -> dict[str, Any]:
    """A topic's documents once, and rankings as their numbers: [document, rank in the other ranking].

    Behind two rankings stands what the names of all their documents begin with.
    """
    numbers: dict[tuple[str, float | None], int] = {}

    def entries(listed: list[Listed]) -> list[list[int | None]]:
        return [[numbers.setdefault((each.document, each.grade), len(numbers)), each.elsewhere] for each in listed]

    pairs = {
        number: [entries(pair.baseline), entries(pair.system), pair.beginning] for number, pair in by_system.items()
    }
    documents = [whole_name(document) for document, _ in numbers]
    return {"documents": documents, "grades": [grade for _, grade in numbers], "of": pairs}
