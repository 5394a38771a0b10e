"""What comes out of an experiment: numbers beside those that the paper prints, curves, and claims with evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from riskrank.papers.verdicts import TAIL, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.papers.verdicts import Judged, Verdict

State = Literal[
    "reproduced", "reproduced in part", "direction only", "undecided", "does not hold", "does not hold on other data",
    "not compared",
]  # fmt: skip
SeriesKind = Literal["line", "points", "bars"]


@dataclass(frozen=True)
class PaperNumber:
    """A number of ours beside the one that the paper prints with so many `digits`.

    They agree where they differ by at most `limit`: by default, where ours is printed alike. `why_not` says why they
    cannot be compared (other data, say); without it, and without a printed number, there is nothing to compare.

    >>> PaperNumber(0.38649, 0.386).agrees, PaperNumber(0.3872, 0.386).agrees
    (True, False)
    >>> PaperNumber(0.3872, 0.386, limit=0.01).agrees
    True
    """

    ours: float
    printed: float | None = None
    digits: int = 3
    limit: float | None = None
    why_not: str = ""

    @property
    def agrees(self) -> bool | None:
        """None where they cannot be compared."""
        if self.printed is None or self.why_not:
            return None
        limit = 0.5 * 10**-self.digits if self.limit is None else self.limit
        return abs(self.ours - self.printed) <= limit * (1 + 1e-9)


@dataclass(frozen=True)
class PaperRow:
    """A row of a table: what it is called, and a cell for each column; text is as it is, None is empty."""

    label: str
    cells: tuple[PaperNumber | str | None, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table with the paper's columns; `label` is the title of the first."""

    title: str
    label: str
    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    note: str = ""

    def numbers(self) -> Iterator[PaperNumber]:
        """All numbers, row by row."""
        for row in self.rows:
            yield from (cell for cell in row.cells if isinstance(cell, PaperNumber))


@dataclass(frozen=True)
class FigureSeries:
    """What is drawn of one thing; `low` and `high` are the ends of intervals, if there are any."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    kind: SeriesKind = "line"


@dataclass(frozen=True)
class PaperFigure:
    """A figure with the paper's axes."""

    title: str
    x_title: str
    y_title: str
    series: tuple[FigureSeries, ...]
    is_log_x: bool = False
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """What the paper says, whether it holds here (`papers.verdicts`), and the numbers that show it.

    `judged` is what a sample of queries says of it, if it is estimated; `on_paper_data`: on those of the paper?
    """

    text: str
    verdict: Verdict
    evidence: str
    judged: Judged | None = None
    on_paper_data: bool = False

    @classmethod
    def estimated(cls, text: str, judged: Judged, evidence: str) -> Claim:
        """One that a sample of queries may leave undecided.

        >>> from riskrank.papers.verdicts import fold_margin
        >>> Claim.estimated("it takes fewer trees", fold_margin([3, -2, 4]), "1.7").verdict
        'undecided'
        """
        return cls(text, verdict(judged), evidence, judged)

    @property
    def is_estimated(self) -> bool:
        """From a sample of queries?"""
        return self.judged is not None

    def fails(self, among: int) -> bool:
        """Surely so, though it is one of so many that are estimated, some of which would fail by chance?"""
        return self.verdict == "does not hold" if self.judged is None else self.judged.fails(TAIL / max(among, 1))

    @property
    def said(self) -> str:
        """The claim and its evidence, numbers below 0 with a minus sign.

        >>> Claim("b loses on topics 5-6", "holds", "-0.25, not 0").said
        'b loses on topics 5-6: −0.25, not 0'
        """
        return re.sub(r"(?<![\w-])-(?=\d)", "−", f"{self.text}: {self.evidence}")


def on_paper_data(claims: Iterable[Claim], *, is_so: bool = True) -> tuple[Claim, ...]:
    """Claims that were judged on the paper's own data, if it is so."""
    return tuple(replace(claim, on_paper_data=is_so) for claim in claims)


@dataclass(frozen=True)
class Outcome:
    """All that an experiment gave: on which data, what agrees, and every departure from the paper's settings."""

    data: str
    tables: tuple[PaperTable, ...] = ()
    figures: tuple[PaperFigure, ...] = ()
    claims: tuple[Claim, ...] = ()
    departures: tuple[str, ...] = ()

    @property
    def compared(self) -> list[bool]:
        """Of each number that can be compared with a printed one, whether it agrees."""
        numbers = (number for table in self.tables for number in table.numbers())
        return [number.agrees for number in numbers if number.agrees is not None]

    @property
    def state(self) -> State:
        """How far the experiment was reproduced; that it does not hold takes a claim that fails for all its company."""
        compared, verdicts = self.compared, {claim.verdict for claim in self.claims}
        n_estimated = sum(claim.is_estimated for claim in self.claims)
        failing = [claim for claim in self.claims if claim.fails(n_estimated)]
        if any(claim.on_paper_data for claim in failing) or (compared and not any(compared)):
            return "does not hold"
        if failing:
            return "does not hold on other data"
        if verdicts - {"holds"}:
            return "undecided"
        if compared:
            return "reproduced" if all(compared) else "reproduced in part"
        return "direction only" if verdicts else "not compared"

    @property
    def count(self) -> str:
        """How many numbers agree, and how many claims hold.

        >>> Outcome("made up", claims=(Claim("a", "holds", "1 > 0"), Claim("b", "undecided", "0 ± 1"))).count
        '1 of 2 claims hold, 1 undecided'
        """
        compared, verdicts = self.compared, [claim.verdict for claim in self.claims]
        parts = [f"{sum(compared)} of {len(compared)} numbers agree"] if compared else []
        parts += [f"{verdicts.count('holds')} of {len(verdicts)} claims hold"] if verdicts else []
        n_open, n_failed = verdicts.count("undecided"), verdicts.count("does not hold")
        parts += [f"{n_open} undecided"] if n_open else []
        parts += [f"{n_failed} {'does' if n_failed == 1 else 'do'} not"] if n_failed else []
        return ", ".join(parts)
