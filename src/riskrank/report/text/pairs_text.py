"""All pairs of systems as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import counted, one_line, p_text
from riskrank.report.findings.words import words
from riskrank.report.table import Table, TitledTable
from riskrank.report.text.formatting import aligned, signed
from riskrank.report.text.terminal import paragraph

if TYPE_CHECKING:
    from riskrank.assessment.all_pairs import AllPairs, Pair

MOST_PAIRS = 200


def pairs_text(result: AllPairs) -> str:
    """The pairs that differ significantly, and how many do not."""
    titled = pairs_table(result)
    parts = [paragraph(words(titled.title)), paragraph(words(titled.note))]
    if titled.table.rows:
        parts.insert(1, aligned(titled.table.header, titled.table.rows, left=("system", "against", "verdict")))
    return "\n\n".join(parts)


def pairs_table(result: AllPairs) -> TitledTable:
    """The pairs that differ significantly; the note says how many do not."""
    different = [pair for pair in result.pairs if pair.verdict.startswith("significant")]
    header = ["system", "against", "URisk" if result.alpha else "gain", "p", "p Holm", "p max-t", "verdict"]
    table = Table(header, [_pair_cells(pair) for pair in different[:MOST_PAIRS]], words=[1, 6])
    return TitledTable(_title(result), table, note=_pairs_note(result, len(different)), is_folded=True)


def _pair_cells(pair: Pair) -> list[str]:
    names = [one_line(pair.system, limit=40), one_line(pair.other, limit=40)]
    p_values = [p_text(p) for p in (pair.p_mirror, pair.p_holm, pair.p_max_t)]
    return [*names, signed(pair.urisk), *p_values, pair.verdict]


def _title(result: AllPairs) -> str:
    compared = counted(len(result.pairs), "comparison")
    weight = f", losses weigh {1 + result.alpha:g} times" if result.alpha else ", losses weigh as much as gains (α = 0)"
    topics = counted(result.n_topics, "topic")
    if result.n_effective is not None:
        topics = f"{topics}, weighted (they count as {result.n_effective:,.1f})"
    return f"All pairs: {one_line(result.title or result.measure)}, {compared} on {topics}{weight}"


def _pairs_note(result: AllPairs, n_different: int) -> str:
    if not n_different:
        return f"No pair of systems differs significantly (max-t, p ≤ {result.level:g})."
    more = f"… and {n_different - MOST_PAIRS:,} more. " if n_different > MOST_PAIRS else ""
    n_open = sum(pair.verdict == "inconclusive" for pair in result.pairs)
    n_untested = len(result.pairs) - n_different - n_open
    rest = f"{counted(n_open, 'pair')} {'is' if n_open == 1 else 'are'} inconclusive" if n_open else ""
    if n_untested:
        are = "is" if n_untested == 1 else "are"
        rest += f"{', ' if rest else ''}{counted(n_untested, 'pair')} {are} equal or without a test"
    told = f"{more}{rest}. " if rest else more
    return f"{told}p max-t: corrected for all pairs by drawing topics for all of them at once; verdicts go by it."
