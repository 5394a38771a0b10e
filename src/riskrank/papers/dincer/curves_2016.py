"""Figure 3 of Dinçer et al. 2016: GeoRisk of the top runs of TREC 2012 as α grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.columns import standings
from riskrank.papers.dincer.numbers_2016 import DIGITS, TABLE_6
from riskrank.papers.dincer.track import BASELINE, track_of
from riskrank.papers.dincer.track_2016 import OTHER_SCORES, RUNS
from riskrank.papers.outcome import (
    Claim,
    FigureSeries,
    Outcome,
    PaperFigure,
    PaperNumber,
    PaperRow,
    PaperTable,
    on_paper_data,
)
from riskrank.papers.verdicts import exactly
from riskrank.risk.georisk import georisk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats

GEORISK = {0: "georisk_0", 5: "georisk_5", 20: "georisk_20"}  # α of the columns that Table 6 has

POPULATION = (
    "The population of GeoRisk is the nine runs drawn; Table 6 says from all 49 (see there). The scores of DFalah121A "
    "and irra12c are not the paper's, which moves GeoRisk of the others, too: what hangs on a smaller difference than "
    "ours from the printed numbers is undecided."
)


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
    return Outcome(track.data, tables, (figure,), on_paper_data(claims, is_so=track.is_real), departures)


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
    """Undecided where all that it passes, or that pass it, are nearer than our GeoRisk is to the printed one."""
    place, inexact = names.index(name), _inexact(names, curves)
    order = np.sign(curves - curves[:, [place]])
    moved = [alpha for alpha, rank in enumerate(ranks) if rank != ranks[0]]
    passed = {alpha: np.flatnonzero(order[alpha] != order[0]).tolist() for alpha in moved}
    gaps = _gaps(place, curves)
    told = [
        f"rank {ranks[alpha]} at α = {alpha}, {' and '.join(f'{gaps[alpha, i]:.4f} from {names[i]}' for i in others)}"
        for alpha, others in passed.items()
    ]
    is_open = bool(moved) and all(gaps[alpha, others].max() <= inexact for alpha, others in passed.items())
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
