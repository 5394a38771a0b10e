"""All pairs of systems as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import one_line
from riskrank.report.text.formatting import aligned, p_text, signed

if TYPE_CHECKING:
    from riskrank.assessment.all_pairs import AllPairs

MOST_PAIRS = 200


def pairs_text(result: AllPairs) -> str:
    """The pairs that differ significantly, and how many do not."""
    different = [pair for pair in result.pairs if pair.verdict.startswith("significant")]
    compared = "1 comparison" if len(result.pairs) == 1 else f"{len(result.pairs):,} comparisons"
    title = f"All pairs: {one_line(result.measure)}, {compared} on {result.n_topics:,} topics"
    if result.alpha:
        title += f", losses weigh {1 + result.alpha:g} times"
    n_open = len(result.pairs) - len(different)
    rest = "1 pair is inconclusive" if n_open == 1 else f"{n_open:,} pairs are inconclusive"
    if not different:
        return f"{title}\n\nNo pair of systems differs significantly (max-t, p ≤ {result.level:g})."
    header = ["system", "against", "URisk" if result.alpha else "gain", "p", "p Holm", "p max-t", "verdict"]
    rows = [
        [
            one_line(pair.system, limit=40), one_line(pair.other, limit=40), signed(pair.urisk), p_text(pair.p_mirror),
            p_text(pair.p_holm), p_text(pair.p_max_t), pair.verdict,
        ]
        for pair in different[:MOST_PAIRS]
    ]  # fmt: skip
    more = f"\n… and {len(different) - MOST_PAIRS:,} more" if len(different) > MOST_PAIRS else ""
    table = aligned(header, rows, left=("system", "against", "verdict"))
    return (
        f"{title}\n\n{table}{more}\n\n{rest}. p max-t: corrected for all pairs by drawing "
        "topics for all of them at once; verdicts go by it."
    )
