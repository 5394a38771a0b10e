"""How many topics it takes to see a gain, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.assessment.topics_needed import EFFECTS
from riskrank.errors import one_line
from riskrank.report.findings.digits import two_digits
from riskrank.report.findings.words import words
from riskrank.report.table import Table, TitledTable
from riskrank.report.text.formatting import aligned
from riskrank.report.text.terminal import paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.topics_needed import TopicsNeeded

UNKNOWN = "–"


def power_text(assessment: Assessment, needed: Sequence[TopicsNeeded]) -> str:
    """The table under its title."""
    titled = power_table(assessment, needed)
    return f"{paragraph(words(titled.title))}\n\n{aligned(titled.table.header, titled.table.rows, left=('system',))}"


def power_table(assessment: Assessment, needed: Sequence[TopicsNeeded]) -> TitledTable:
    """For each system: the topics needed to see gains of some sizes, and the smallest gain that these topics show."""
    count, units = len(assessment.scores.topics), assessment.scores.units
    rows = []
    for each in needed:
        smallest = UNKNOWN if math.isnan(each.smallest_gain) else f"{each.smallest_gain:.3f}"
        rows.append([one_line(each.system, limit=40), *(_count(each, effect) for effect in EFFECTS), smallest])
    title = (
        f"About how many {units} it takes to see a gain in 4 of 5 cases (α = 0, p ≤ {assessment.level:g}, not "
        f"corrected for many systems), and the smallest gain that {count:,} {units} show as often"
    )
    header = ["system", *(f"+{effect:g}" for effect in EFFECTS), f"seen with {count:,}"]
    return TitledTable(title, Table(header, rows), is_folded=True)


def _count(needed: TopicsNeeded, effect: float) -> str:
    if effect not in needed.n_topics:
        return UNKNOWN
    count = needed.n_topics[effect]
    return "over 1,000,000" if count is None else f"{two_digits(count):,}"
