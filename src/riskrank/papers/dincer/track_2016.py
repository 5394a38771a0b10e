"""Table 6 of Dinçer et al. 2016: the top runs of TREC 2012 by every measure of risk.

What the paper prints tells which population it used: see `populations`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.columns import standings
from riskrank.papers.dincer.numbers_2016 import COLUMNS, DIGITS, P_VALUES, RANKS, TABLE_6, Table6Row
from riskrank.papers.dincer.track import BASELINE, track_of
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable, on_paper_data
from riskrank.papers.verdicts import exactly
from riskrank.risk.combined_baseline import within_topic
from riskrank.risk.georisk import georisk
from riskrank.risk.trisk import trisk
from riskrank.risk.urisk import urisk
from riskrank.risk.zrisk import zrisk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.papers.dincer.track import Track
    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats

# The columns of the anonymised public matrix: six are found by their printed numbers, which agree to every digit; two
# are the nearest there is.
RUNS = {
    "uogTrA44xu": "run44", "srchvrs12c00": "run38", "DFalah121A": "run6", "QUTparaBline": "run18",
    "utw2012c1": "run46", "ICTNET12ADR2": "run10", "indriCASP": BASELINE, "autoSTA": "run29", "irra12c": "run14",
}  # fmt: skip
OTHER_SCORES = {
    "DFalah121A": "the public scores of DFalah121A (run6) are not the paper's: mean ERR@20 0.2992, there 0.2920",
    "irra12c": "the public scores of irra12c (run14) are not the paper's: mean ERR@20 0.1725, there 0.1723",
}
OTHER_ROW = "the columns T*Risk are printed in falling order, so that three numbers stand beside other runs: see below"
MEAN_LIMIT = 0.01  # of T*Risk, whose baseline is the mean of 49 runs, two of them with other scores
SORTED = {  # whose the printed numbers of T*Risk are
    "srchvrs12c00": (2.870, -0.861), "DFalah121A": (2.985, -0.678), "QUTparaBline": (2.895, -1.006),
}  # fmt: skip

FOUND = (
    "six runs were found by their ERR@20, URisk and TRisk: that these agree shows that the arithmetic is right, not "
    "who they are; ZRisk, GeoRisk and T*Risk were not used to find them"
)
SETTLED = (
    "ZRisk and GeoRisk take their expectations from the table's nine runs; the caption says from all 49. With 49 they "
    "are far off, with these nine they are nearest of all that we tried (last table). What is left may come from the "
    "two runs whose public scores are not the paper's.",
    "Claims about the order of all runs are checked on the seven with the paper's scores, unless they name others.",
)


def table_6(work: Workplace) -> Outcome:
    """Every measure of risk of the nine rows, the population of ZRisk and GeoRisk being these rows."""
    track = track_of(work, RUNS)
    ours = rows_of(track)
    tables = [measure_table(track, ours), rank_table(track, ours)]
    departures = track.departures
    known = ours
    if track.is_real:
        tables += [sorted_table(ours), p_table(track), populations(track)]
        departures = SETTLED
        known = {name: row for name, row in ours.items() if name not in OTHER_SCORES}
    claims = (*_claims(known), *(_named_claims(ours) if track.is_real else ()))
    return Outcome(
        track.data, tables=tuple(tables), claims=on_paper_data(claims, is_so=track.is_real), departures=departures
    )


def rows_of(track: Track) -> dict[str, Table6Row]:
    """Our numbers of each row."""
    names = list(track.shown)
    nine = np.array([track.of(name) for name in names])
    mean = within_topic(track.scores.matrix, "mean")
    z, geo = ({a: of(nine, alpha=a) for a in (0, 5, 20)} for of in (zrisk, georisk))
    rows = {}
    for i, name in enumerate(names):
        own = track.of(name)
        against = None if track.shown[name] == track.baseline else track.against
        rows[name] = Table6Row(
            err=float(own.mean()),
            urisk_0=None if against is None else urisk(own, against, alpha=0),
            trisk_0=None if against is None else trisk(own, against, alpha=0).statistic,
            tstar_0=trisk(own, mean, alpha=0).statistic,
            zrisk_0=float(z[0][i]),
            georisk_0=float(geo[0][i]),
            urisk_5=None if against is None else urisk(own, against, alpha=5),
            trisk_5=None if against is None else trisk(own, against, alpha=5).statistic,
            tstar_5=trisk(own, mean, alpha=5).statistic,
            zrisk_5=float(z[5][i]),
            georisk_5=float(geo[5][i]),
            georisk_20=float(geo[20][i]),
        )
    return rows


def measure_table(track: Track, ours: dict[str, Table6Row]) -> PaperTable:
    """Table 6 without its ranks."""
    rows = []
    for name, numbers in ours.items():
        cells: list[PaperNumber | None] = []
        for field, number in numbers._asdict().items():
            printed = getattr(TABLE_6[name], field) if track.is_real else None
            reason = _why_not(name, field) if printed is not None else ""
            limit = MEAN_LIMIT if field.startswith("tstar") else None
            digits = getattr(DIGITS, field)
            cells.append(None if number is None else PaperNumber(number, printed, digits, limit, reason))
        rows.append(PaperRow(name, tuple(cells)))
    note = f"T*Risk agrees within {MEAN_LIMIT}, other numbers to the printed digits; {FOUND}" if track.is_real else ""
    return PaperTable("Risk of the top runs", "run", tuple(COLUMNS.values()), tuple(rows), note)


def _why_not(name: str, field: str) -> str:
    if name in OTHER_SCORES:
        return OTHER_SCORES[name]
    return OTHER_ROW if field.startswith("tstar") and name in SORTED else ""


def rank_table(track: Track, ours: dict[str, Table6Row]) -> PaperTable:
    """The rank of each run by each measure: the columns R."""
    columns = {}
    for field in RANKS:
        values = [getattr(row, field) for row in ours.values()]
        if field == "tstar_5":
            values = [
                np.nan if track.shown[name] == track.baseline else x for name, x in zip(ours, values, strict=True)
            ]
        columns[field] = standings([np.nan if value is None else value for value in values])
    rows = []
    for i, name in enumerate(ours):
        cells: list[PaperNumber | None] = []
        for field, ranks in columns.items():
            rank, printed = ranks[i], RANKS[field][i] if track.is_real else None
            reason = OTHER_ROW if field == "tstar_5" and name in SORTED else ""
            cells.append(None if rank is None else PaperNumber(rank, printed, 0, why_not=reason))
        rows.append(PaperRow(name, tuple(cells)))
    titles = tuple(COLUMNS[field] for field in RANKS)
    return PaperTable("Rank of the top runs by each measure", "run", titles, tuple(rows))


def sorted_table(ours: dict[str, Table6Row]) -> PaperTable:
    """T*Risk of the three runs whose numbers stand in other rows of Table 6."""
    rows = [
        PaperRow(
            name,
            tuple(
                PaperNumber(number, printed, 3, MEAN_LIMIT, OTHER_SCORES.get(name, ""))
                for number, printed in zip((ours[name].tstar_0, ours[name].tstar_5), SORTED[name], strict=True)
                if number is not None
            ),
        )
        for name in SORTED
    ]
    note = f"beside the run whose number it is, by its value; agrees within {MEAN_LIMIT}"
    return PaperTable("T*Risk that is printed in another row", "run", ("α=0", "α=5"), tuple(rows), note)


def p_table(track: Track) -> PaperTable:
    """The paired t-tests of §5."""
    rows = []
    for (one, other), printed in P_VALUES.items():
        p = trisk(track.of(one), track.of(other), alpha=0).p_value
        limit = 0.0001 if one == BASELINE else None
        number = PaperNumber(p, printed, 4, limit, OTHER_SCORES.get(one, ""))
        rows.append(PaperRow(f"{one} and {other}", (number,)))
    note = "the first is printed as p < 0.0239 and agrees within 0.0001"
    return PaperTable("Paired t-tests of the text", "runs", ("p",), tuple(rows), note)


def populations(track: Track) -> PaperTable:
    """How far ZRisk of the seven known rows is from the printed one, by the population that expectations come from."""
    known = [run for name, run in RUNS.items() if name not in OTHER_SCORES]
    others = [run for run in track.scores.systems if run not in known]
    nine = list(RUNS.values())
    tried = {
        "all 49 runs, as the caption says": list(track.scores.systems),
        "the 48 submitted runs": [run for run in track.scores.systems if run != BASELINE],
        "the table's nine runs": nine,
        "its eight submitted runs": [run for run in nine if run != BASELINE],
        "the seven with the paper's scores": known,
    }
    rows = [PaperRow(name, _cells(_distances(track, members))) for name, members in tried.items()]
    pairs = {pair: _distances(track, [*known, *pair]) for pair in combinations(others, 2)}
    best = min(pairs, key=lambda pair: pairs[pair].max())
    stood_in = f"the seven and, of {len(pairs)} pairs of other runs, the nearest: {' and '.join(best)}"
    rows.append(PaperRow(stood_in, _cells(pairs[best])))
    note = "largest difference from the printed ZRisk, over the seven rows with the paper's scores"
    return PaperTable("Populations tried", "population", ("ZRisk α=0", "ZRisk α=5"), tuple(rows), note)


def _distances(track: Track, members: Sequence[str]) -> Floats:
    """Largest differences of ZRisk at α = 0 and 5; a row that is not a member is compared with them and itself."""
    known = [name for name in RUNS if name not in OTHER_SCORES]
    outside = [RUNS[name] for name in known if RUNS[name] not in members]
    order = [*members, *outside]
    matrix = np.array([track.scores[run] for run in order])
    belongs = [True] * len(members) + [False] * len(outside)
    rows = [order.index(RUNS[name]) for name in known]
    largest = []
    for alpha, field in ((0, "zrisk_0"), (5, "zrisk_5")):
        printed = [getattr(TABLE_6[name], field) for name in known]
        largest.append(np.abs(zrisk(matrix, alpha=alpha, population=belongs)[rows] - printed).max())
    return np.array(largest)


def _cells(distances: Floats) -> tuple[PaperNumber, ...]:
    return tuple(PaperNumber(float(distance)) for distance in distances)


def _claims(ours: dict[str, Table6Row]) -> Iterator[Claim]:
    """What §5 says of the order of the runs."""
    paired = [row for row in ours.values() if row.urisk_0 is not None]
    ranks = {field: _standings(paired, field) for field in COLUMNS}
    everyone = {field: _standings(list(ours.values()), field) for field in COLUMNS}

    def said(*fields: str, of: dict[str, list[int | None]] = ranks) -> str:
        return ", ".join(f"by {COLUMNS[field]} {' '.join(map(str, of[field]))}" for field in fields)

    yield Claim(
        "At α = 0 URisk and TRisk rank the runs as ERR@20 does",
        exactly(ranks["err"] == ranks["urisk_0"] == ranks["trisk_0"]),
        said("err", "urisk_0", "trisk_0"),
    )
    yield Claim(
        "At α = 5 both diverge from ERR@20",
        exactly(ranks["urisk_5"] != ranks["err"] != ranks["trisk_5"]),
        said("err", "urisk_5", "trisk_5"),
    )
    yield Claim(
        "ZRisk agrees neither with ERR@20 nor with URisk and TRisk",
        exactly(
            all(ranks[f"zrisk_{a}"] not in (ranks["err"], ranks[f"urisk_{a}"], ranks[f"trisk_{a}"]) for a in (0, 5))
        ),
        said("zrisk_0", "zrisk_5"),
    )
    yield Claim(
        "At α = 0 GeoRisk ranks the runs as ERR@20 does",
        exactly(everyone["err"] == everyone["georisk_0"]),
        said("georisk_0", of=everyone),
    )
    yield Claim(
        "At α = 5 it differs from ERR@20 and from all measures of risk, ZRisk among them",
        exactly(
            ranks["georisk_5"] not in [ranks[field] for field in ("err", "urisk_5", "trisk_5", "tstar_5", "zrisk_5")]
        ),
        said("georisk_5"),
    )
    apart = {a: _discordant(everyone[f"georisk_{a}"], everyone["zrisk_5"]) for a in (0, 5, 20)}
    yield Claim(
        "As α grows it converges to the ranks of ZRisk (those at α = 5)",
        exactly(apart[0] > apart[5] > apart[20]),
        f"pairs in another order at α = 0, 5, 20: {', '.join(map(str, apart.values()))}",
    )


def _named_claims(ours: dict[str, Table6Row]) -> Iterator[Claim]:
    """What §5 says of all rows, or of some by name."""
    paired = [row for row in ours.values() if row.urisk_0 is not None]
    by_urisk, by_trisk = _standings(paired, "urisk_5"), _standings(paired, "trisk_5")
    yield Claim(
        "At α = 5 URisk and TRisk still agree with each other",
        exactly(by_urisk == by_trisk),
        f"by URisk {' '.join(map(str, by_urisk))}, by TRisk {' '.join(map(str, by_trisk))}; the paper's own columns R "
        "exchange autoSTA and irra12c, too",
    )
    rank = dict(zip(ours, _standings(list(ours.values()), "zrisk_0"), strict=True))
    yield Claim(
        "By ZRisk at α = 0 uogTrA44xu is the most robust, then irra12c, and srchvrs12c00 the riskiest",
        exactly((rank["uogTrA44xu"], rank["irra12c"], rank["srchvrs12c00"]) == (1, 2, 9)),
        ", ".join(f"{name} {ours[name].zrisk_0:.3f}" for name in ("uogTrA44xu", "irra12c", "srchvrs12c00")),
    )


def _standings(rows: Sequence[Table6Row], field: str) -> list[int | None]:
    values = [getattr(row, field) for row in rows]
    return standings([np.nan if value is None else value for value in values])


def _discordant(one: Sequence[int | None], other: Sequence[int | None]) -> int:
    """How many pairs two rankings order differently."""
    known = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(known, 2))
