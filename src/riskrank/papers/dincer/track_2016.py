"""Table 6 and Figure 3 of Dinçer et al. 2016: the top runs of TREC 2012 by every measure of risk.

What the paper prints tells which population it used: see `populations`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.columns import standings
from riskrank.papers.dincer.numbers_2016 import COLUMNS, DIGITS, P_VALUES, RANKS, TABLE_6, Table6Row
from riskrank.papers.dincer.track import BASELINE, track_of
from riskrank.papers.outcome import Claim, FigureSeries, Outcome, PaperFigure, PaperNumber, PaperRow, PaperTable
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

GEORISK = {0: "georisk_0", 5: "georisk_5", 20: "georisk_20"}  # α of the columns that Table 6 has

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
POPULATION = (
    "The population of GeoRisk is the nine runs drawn; Table 6 says from all 49 (see there). The scores of DFalah121A "
    "and irra12c are not the paper's, which moves GeoRisk of the others, too: what hangs on a smaller difference than "
    "ours from the printed numbers is undecided."
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
    return Outcome(track.data, tables=tuple(tables), claims=claims, departures=departures)


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
    ranks = {field: _standings(paired, field) for field in Table6Row._fields}
    everyone = {field: _standings(list(ours.values()), field) for field in Table6Row._fields}

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


def figure_3(work: Workplace) -> Outcome:
    """GeoRisk of the table's runs as α grows from 0 to 20."""
    track = track_of(work, RUNS)
    names, alphas = list(track.shown), range(21)
    nine = np.array([track.of(name) for name in names])
    curves = np.array([georisk(nine, alpha=alpha) for alpha in alphas])
    series = tuple(
        FigureSeries(name, tuple(map(float, alphas)), tuple(curves[:, i].tolist())) for i, name in enumerate(names)
    )
    claims = [
        Claim(
            "GeoRisk of every run falls as α grows",
            exactly(bool((np.diff(curves, axis=0) < 0).all())),
            f"{_range(curves[0])} at α = 0, {_range(curves[-1])} at 20",
        )
    ]
    if track.is_real:
        claims += _rank_claims(names, curves)
    tables = _known_points(names, curves) if track.is_real else ()
    figure = PaperFigure("GeoRisk as α grows", "α", "GeoRisk", series, note="the population is the runs shown")
    departures = (POPULATION,) if track.is_real else track.departures
    return Outcome(track.data, tables, (figure,), tuple(claims), departures)


def _range(values: Floats) -> str:
    return f"{values.min():.3f}–{values.max():.3f}"


def _known_points(names: Sequence[str], curves: Floats) -> tuple[PaperTable, ...]:
    """Points of the curves that Table 6 has."""
    rows = [
        PaperRow(
            name,
            tuple(
                PaperNumber(float(curves[alpha, i]), getattr(TABLE_6[name], field), getattr(DIGITS, field),
                            why_not=OTHER_SCORES.get(name, ""))
                for alpha, field in GEORISK.items()
            ),
        )
        for i, name in enumerate(names)
    ]  # fmt: skip
    title = "Points of the curves that Table 6 has"
    return (PaperTable(title, "run", tuple(f"α={alpha}" for alpha in GEORISK), tuple(rows)),)


def _rank_claims(names: Sequence[str], curves: Floats) -> Iterator[Claim]:
    """What §5 says of the ranks of the curves."""
    of = dict(zip(names, np.array([standings(row) for row in curves]).T.tolist(), strict=True))
    for name in ("uogTrA44xu", "ICTNET12ADR2"):
        yield _keeps_rank(name, names, curves, of[name])
    others = [name for name in names if name not in ("uogTrA44xu", "ICTNET12ADR2")]
    still = [name for name in others if len(set(of[name])) == 1]
    near = {name: float(_gaps(names.index(name), curves).min()) for name in still}
    yield Claim(
        "The ranks of all other runs change",
        "undecided" if still and max(near.values()) <= _inexact(names, curves) else exactly(not still),
        ", ".join(f"{name} {min(of[name])}–{max(of[name])}" for name in others)
        + "".join(f"; {name} comes within {gap:.4f} of another" for name, gap in near.items()),
    )
    first, later, last = (of["srchvrs12c00"][alpha] for alpha in (0, 5, 20))
    yield Claim(
        "srchvrs12c00 goes from rank 2 at α = 0 to rank 7 at α = 5",
        exactly((first, later) == (2, 7)),
        f"rank {first} at α = 0, {later} at 5, {last} at 20; the paper's own Table 6 has 2, 4 and 7",
    )
    seventh = next(name for name in names if of[name][0] == 7)
    yield Claim("At α = 0 the run with rank 7 is indriCASP", exactly(seventh == BASELINE), seventh)


def _keeps_rank(name: str, names: Sequence[str], curves: Floats, ranks: Sequence[int]) -> Claim:
    """Undecided where it only moves by less than our GeoRisk is from the printed one."""
    place, inexact = names.index(name), _inexact(names, curves)
    gaps = _gaps(place, curves)
    moved = [alpha for alpha, rank in enumerate(ranks) if rank != ranks[0]]
    told = [
        f"rank {ranks[alpha]} at α = {alpha}, {gaps[alpha].min():.4f} from {names[int(gaps[alpha].argmin())]}"
        for alpha in moved
    ]
    is_open = bool(moved) and all(gaps[alpha].min() <= inexact for alpha in moved)
    limit = f"; GeoRisk is up to {inexact:.4f} from the printed one" if moved else ""
    return Claim(
        f"{name} keeps its rank at every α",
        "undecided" if is_open else exactly(not moved),
        "; ".join([f"rank {ranks[0]} at α = 0", *told]) + limit,
    )


def _gaps(place: int, curves: Floats) -> Floats:
    """How far each other curve is from one, at every α."""
    gaps = np.abs(curves - curves[:, [place]])
    gaps[:, place] = np.inf
    return gaps


def _inexact(names: Sequence[str], curves: Floats) -> float:
    """How far our GeoRisk is from the printed one, at most, of runs with the paper's scores."""
    known = [name for name in names if name not in OTHER_SCORES]
    ours = curves[list(GEORISK)][:, [names.index(name) for name in known]]
    printed = [[getattr(TABLE_6[name], field) for name in known] for field in GEORISK.values()]
    return float(np.abs(ours - printed).max())
