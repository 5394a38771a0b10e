"""RankNet pair by pair (V1) and document by document (V2), timed: Burges et al. 2006, §6.1.

Times are those of the processor, on one thread: they do not depend on what else the machine does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.synthetic.synthetic_features import cubic_data
from riskrank.measures.evaluate import evaluate
from riskrank.papers.burges.burges_nets import LAYERS, RANKNET
from riskrank.papers.outcome import Claim, FigureSeries, Outcome, PaperFigure, PaperNumber, PaperRow, PaperTable
from riskrank.papers.verdicts import exactly
from riskrank.rankers.fitting.plan import plan_fit
from riskrank.rankers.nets.lambdanet import LambdaNet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.nets.descent import Descent
    from riskrank.typing import Floats

V1, V1_TOGETHER, V2 = "V1", "V1, a query's pairs in one pass", "V2"
SPEED_UPS = {1: 5.1, 2: 8.0}  # §6.1
SLOPES = {V1: 1.943, V2: 1.185}
SLOPE_LIMIT = 0.25
OTHER_MACHINE = "ratios depend on the machine and the library of nets (the paper: its own, on a 2.2 GHz Opteron)"
DEPARTURES = (
    "time of the processor on one thread, not of the clock",
    "V2's sums over pairs take time in proportion to the documents here, by interpolation; in the paper, to the pairs",
    "V1 updates after each query, like V2; that updates after each pair do alike, as the paper says, is not tried",
    "right: V1 passes a query's pairs together, which leaves the work of each pair and not PyTorch's overhead",
    "on a busy machine the slope of V1 came out up to 2.20, that of V2 between 1.26 and 1.66: whether they agree is "
    "partly chance",
)
SAME = 0.002  # nDCG: rounding may exchange documents that are nearly tied
STILL = 1e-9  # a rate so small that sums over very many pairs leave the scores near each other


@dataclass(frozen=True)
class SpeedSizes:
    """Queries and epochs of the left panel; documents per query of the right one."""

    n_queries: int
    n_epochs: int
    pairwise: Sequence[int]
    factored: Sequence[int]

    @property
    def departure(self) -> str:
        """What differs from the paper."""
        ranges = f"V1 {self.pairwise[0]:,}–{self.pairwise[-1]:,}, V2 {self.factored[0]:,}–{self.factored[-1]:,}"
        return f"{self.n_queries} training queries (the paper: 1,000); {ranges} documents (the paper: 4,000–512,000)"


FULL_SPEED = SpeedSizes(1000, 25, (500, 1000, 2000, 4000, 8000), tuple(4000 * 2**i for i in range(8)))
SMALL_SPEED = SpeedSizes(20, 4, (500, 1000, 2000), (4000, 8000, 16_000, 32_000))


@dataclass(frozen=True)
class TimedTraining:
    """After each epoch: seconds so far, and nDCG@10 on validation queries."""

    seconds: tuple[float, ...]
    ndcg: tuple[float, ...]

    @property
    def epoch(self) -> float:
        """Seconds of an epoch."""
        return self.seconds[-1] / len(self.seconds)


def speed_outcome(data: RankingData, sizes: SpeedSizes, name: str) -> Outcome:
    """Both panels of Figure 1: the first queries train, the others validate."""
    train, valid = data.take(slice(0, sizes.n_queries)), data.take(slice(sizes.n_queries, None))
    timed = {
        (way, n): timed_training(way, n, train, valid, rate=1e-4, n_epochs=sizes.n_epochs)
        for n in LAYERS
        for way in (V1, V1_TOGETHER, V2)
    }
    ratios = {(way, n): each.epoch / timed[V2, n].epoch for (way, n), each in timed.items()}
    grown = {V1: sizes.pairwise, V2: sizes.factored}
    seconds = {way: epoch_seconds(V1_TOGETHER if way == V1 else way, 2, grown[way]) for way in grown}
    slopes = {way: slope(grown[way], seconds[way]) for way in grown}
    left = tuple(
        FigureSeries(way, timed[way, 1].seconds, tuple(np.maximum.accumulate(timed[way, 1].ndcg))) for way in (V1, V2)
    )
    right = tuple(FigureSeries(way, tuple(map(float, grown[way])), tuple(np.log(seconds[way]))) for way in grown)
    return Outcome(
        f"{train.n_queries} + {valid.n_queries} queries of {name}, and single queries of the polynomial data",
        _tables(ratios, slopes),
        (
            PaperFigure("Figure 1, left: linear nets", "seconds", "max. validation nDCG@10", left),
            PaperFigure("Figure 1, right: two layer nets", "documents", "log seconds per epoch", right, is_log_x=True),
        ),
        _claims(timed, ratios, slopes),
        (*DEPARTURES, sizes.departure),
    )


def _tables(ratios: Mapping[tuple[str, int], float], slopes: Mapping[str, float]) -> tuple[PaperTable, ...]:
    pairwise = (PaperNumber(ratios[V1, n], SPEED_UPS[n], 1, why_not=OTHER_MACHINE) for n in LAYERS)
    together = (PaperNumber(ratios[V1_TOGETHER, n], digits=1) for n in LAYERS)
    rows = (PaperRow("V2 over V1", tuple(pairwise)), PaperRow(f"V2 over {V1_TOGETHER}", tuple(together)))
    cells = tuple(PaperNumber(slopes[way], SLOPES[way], limit=SLOPE_LIMIT) for way in slopes)
    note = f"agree within {SLOPE_LIMIT}"
    return (
        PaperTable("Times faster, an epoch", "", tuple(LAYERS.values()), rows),
        PaperTable("Slope of log time over log documents", "", tuple(slopes), (PaperRow("two layer", cells),), note),
    )


def _claims(
    timed: Mapping[tuple[str, int], TimedTraining],
    ratios: Mapping[tuple[str, int], float],
    slopes: Mapping[str, float],
) -> tuple[Claim, ...]:
    apart = max(abs(a - b) for n in LAYERS for a, b in zip(timed[V1, n].ndcg, timed[V2, n].ndcg, strict=True))
    shape = f"slopes {slopes[V1]:.2f} and {slopes[V2]:.2f}"
    return (
        Claim(
            "V1 and V2 learn the same nets",
            exactly(apart < SAME),
            f"nDCG@10 differs by at most {apart:.1e} after any epoch",
        ),
        *(
            Claim(f"V2 is several times faster ({layers})", exactly(ratios[V1, n] > 2), f"{ratios[V1, n]:.1f} times")
            for n, layers in LAYERS.items()
        ),
        Claim("V1 is close to quadratic, V2 close to linear", exactly(slopes[V1] > 1.5 > slopes[V2]), shape),
    )


def timed_training(
    way: str, n_layers: int, train: RankingData, valid: RankingData, *, rate: float, n_epochs: int
) -> TimedTraining:
    """RankNet in the paper's regime, one of the three ways."""
    ranker = LambdaNet.burges2006(
        RANKNET, layers=n_layers, learning_rate=rate, n_epochs=n_epochs, valid_measure=None, n_threads=1
    )
    learner = _learner(way, train, ranker)
    seconds, ndcg = [], []
    spent = 0.0
    for number in range(n_epochs):
        start = time.process_time()
        learner.step(number)
        spent += time.process_time() - start
        seconds.append(spent)
        scores = _scores(learner, valid)
        ndcg.append(float(evaluate(valid, {"net": scores}, "nDCG@10")["net"].mean()))
    return TimedTraining(tuple(seconds), tuple(ndcg))


def epoch_seconds(way: str, n_layers: int, n_documents: Sequence[int]) -> list[float]:
    """Of an epoch of one query with so many documents of the polynomial data, the fastest of three after a first."""
    seconds = []
    for n in n_documents:
        data = cubic_data(1, documents_per_query=n)
        ranker = LambdaNet.burges2006(
            RANKNET, layers=n_layers, learning_rate=STILL, n_epochs=4, schedule="constant", restart_after=None,
            valid_measure=None, n_threads=1,
        )  # fmt: skip
        learner = _learner(way, data, ranker)
        times = []
        for number in range(4):
            start = time.process_time()
            learner.step(number)
            times.append(time.process_time() - start)
        seconds.append(min(times[1:]))
    return seconds


def slope(n_documents: Sequence[int], seconds: Sequence[float]) -> float:
    """Of a line through the logarithms."""
    return float(np.polyfit(np.log(n_documents), np.log(seconds), 1)[0])


def _learner(way: str, train: RankingData, ranker: LambdaNet) -> Descent:
    """Both ways by PyTorch: what differs is the way, not who goes it."""
    from riskrank.rankers.nets.descent import Descent
    from riskrank.rankers.nets.pairwise_descent import PairwiseDescent

    plan = plan_fit(ranker, train)
    if way == V2:
        return Descent(plan, ranker, None)
    learner = PairwiseDescent(plan, ranker, None)
    learner.pairs_at_once = 1 if way == V1 else PairwiseDescent.pairs_at_once
    return learner


def _scores(learner: Descent, data: RankingData) -> Floats:
    from riskrank.rankers.nets.nets import all_scores

    return all_scores(learner.net, learner.standardise, data.features)
