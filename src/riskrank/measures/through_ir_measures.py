"""Measures that ir_measures knows and we do not, computed by it where it is installed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure

if TYPE_CHECKING:
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.typing import Floats


@dataclass(frozen=True, repr=False, eq=False)
class IrMeasure(Measure):
    """A measure of ir_measures, by its text."""

    name = "ir_measures"
    summary = "computed by ir_measures"
    text: str = ""

    def per_topic(self, ranking: Ranking) -> Floats:
        """For feature data, whose documents have no names: those of a ranking have their ranks."""
        judgments = ranking.judgments
        if (judgments.grade % 1).any():
            raise MeasureError(f"{self} is computed by ir_measures, which needs whole labels.")
        grades: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for i in np.flatnonzero(ranking.retrieved):
            topic = judgments.topics[i]
            at = slice(*np.searchsorted(ranking.topic, [i, i + 1]))
            seen = ranking.grade[at].tolist()
            judged = judgments.grade[slice(*np.searchsorted(judgments.topic, [i, i + 1]))].tolist()
            unseen = (Counter(judged) - Counter(seen)).elements()
            grades[topic] = {str(rank): int(grade) for rank, grade in zip(ranking.rank[at], seen, strict=True)}
            grades[topic] |= {f"unseen {number}": int(grade) for number, grade in enumerate(unseen)}
            run[topic] = {str(rank): -float(rank) for rank in range(1, int(ranking.retrieved[i]) + 1)}
        return self.per_topic_of(judgments, grades, run)

    def per_topic_of(
        self, judgments: Judgments, grades: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
    ) -> Floats:
        """The value of a run for each topic; 0 for topics that it does not answer."""
        import ir_measures

        measure = ir_measures.parse_measure(self.text)
        values = dict.fromkeys(judgments.topics, 0.0)
        try:
            for metric in ir_measures.iter_calc([measure], grades, run):
                values[metric.query_id] = float(metric.value)
        except (ValueError, RuntimeError, AssertionError) as error:
            raise MeasureError(f"ir_measures cannot compute {self.text}: {error}") from None
        return np.array([values[topic] for topic in judgments.topics])

    def __str__(self) -> str:
        return self.text


def from_ir_measures(text: str) -> IrMeasure | None:
    """The measure of this name in ir_measures, or None if that is not installed or does not know it."""
    if find_spec("ir_measures") is None:
        return None
    import ir_measures

    name: str = re.split(r"\W", text, maxsplit=1)[0]
    spelled = {known.lower(): known for known in ir_measures.measures.registry}.get(name.lower(), name)
    text = spelled + text[len(name) :]
    for parse in (ir_measures.parse_measure, _trec_measure):
        try:
            measure: Any = parse(text)
            measure.validate_params()
        except (ValueError, NameError, AssertionError, TypeError, AttributeError):
            continue
        return IrMeasure(text=str(measure))
    return None


def _trec_measure(text: str) -> Any:
    """The one measure that a trec_eval name stands for."""
    import ir_measures

    (measure,) = ir_measures.parse_trec_measure(text)
    return measure
