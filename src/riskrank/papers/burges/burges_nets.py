"""RankNet and LambdaRank as in Burges et al. 2006, §6.3: rates by validation, then nDCG at ten cut-offs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.feature import Feature
from riskrank.errors import ParameterError
from riskrank.measures.evaluate import evaluate
from riskrank.objectives.gain import Gain
from riskrank.objectives.ranknet import RankNet
from riskrank.papers.outcome import FigureSeries, PaperFigure, PaperNumber, PaperRow, PaperTable
from riskrank.papers.verdicts import CONFIDENCE
from riskrank.rankers.nets.lambdanet import ALL_RANKS, LambdaNet
from riskrank.risk.inference.student_t import mean_interval
from riskrank.tradeoff.run_sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

CUTOFFS = tuple(range(1, 11))
NDCG = tuple(f"nDCG(gains={{0:0,1:3,2:7,3:15,4:31}})@{k}" for k in CUTOFFS)  # "gains … were 0, 3, 7, 15 and 31"
RANKNET = RankNet(truncation=None, normalise=False)
LAMBDARANK = Gain(NDCG[-1], truncation=ALL_RANKS, normalise=False)  # Eq. 9; nDCG@10 is the cost
OBJECTIVES = {"RankNet": RANKNET, "LambdaRank": LAMBDARANK}
LAYERS = {1: "linear", 2: "two layer"}
PRINTED_RATES = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # "from as low as 1e-7 to as high as 1e-2"
STEP_SECONDS = 2e-5  # of one query's update and its share of validation, about

Split = tuple["RankingData", "RankingData", "RankingData"]


@dataclass(frozen=True)
class NetSettings:
    """How nets are trained: epochs, and the rates that validation chooses from."""

    n_epochs: int
    rates: Sequence[float] = PRINTED_RATES

    def seconds(self, n_queries: int, n_splits: int) -> float:
        """About how long all trainings take."""
        n_trainings = n_splits * len(LAYERS) * len(OBJECTIVES) * len(self.rates)
        return n_trainings * self.n_epochs * n_queries * STEP_SECONDS


@dataclass(frozen=True, eq=False)
class JudgedNet:
    """The nets of one kind: the rate that validation chose on each split, and nDCG at ten cut-offs × test queries.

    `trained` is the same of the queries that they were trained on.
    """

    name: str
    rates: tuple[float, ...]
    values: Floats
    trained: Floats

    @property
    def means(self) -> Floats:
        """nDCG at each cut-off."""
        return np.asarray(self.values.mean(axis=1))

    @property
    def margins(self) -> Floats:
        """Half of the 95 % intervals."""
        ends = np.array([mean_interval(row, CONFIDENCE) for row in self.values])
        return np.asarray((ends[:, 1] - ends[:, 0]) / 2)


def judged_nets(
    splits: Sequence[Split], settings: NetSettings, *, folder: Path, verbose: bool | None
) -> dict[str, JudgedNet]:
    """RankNet and LambdaRank with one and two layers, by their names; what is trained stays in the folder."""
    rankers = {
        f"{name}, {layers}": LambdaNet.burges2006(
            objective, layers=n, n_epochs=settings.n_epochs, valid_measure=NDCG[-1], n_threads=1
        )
        for n, layers in LAYERS.items()
        for name, objective in OBJECTIVES.items()
    }
    result = sweep(
        list(splits), rankers, baseline=Feature(1), parameter="learning_rate", measure=NDCG[-1],
        values=settings.rates, folder=folder, verbose=verbose,
    )  # fmt: skip
    return {series: _judged(result, series, splits) for series in rankers}


def over_draws(draws: Sequence[Mapping[str, JudgedNet]]) -> dict[str, JudgedNet]:
    """The nets of several draws of the data as one: a value is the mean over the queries of a draw."""
    return {
        series: JudgedNet(
            series,
            tuple(rate for nets in draws for rate in nets[series].rates),
            np.stack([nets[series].means for nets in draws], axis=1),
            np.stack([nets[series].trained.mean(axis=1) for nets in draws], axis=1),
        )
        for series in draws[0]
    }


def _judged(result: Sweep, series: str, splits: Sequence[Split]) -> JudgedNet:
    """The models that validated best, on the test and training queries of their splits."""
    rates, values, trained = [], [], []
    judged_valid = result.valid
    if judged_valid is None:
        raise ParameterError("the rate is chosen on validation queries: every split needs some.")
    for fold, (train, _, test) in enumerate(splits, start=1):
        is_here = judged_valid.fold == fold
        means = judged_valid.values[:, is_here].mean(axis=1)
        chosen = max(result.members(series), key=means.__getitem__)
        model = result.model(chosen, fold)
        values.append(_ndcg(model, test))
        trained.append(_ndcg(model, train))
        rates.append(result.settings[chosen].value)
    return JudgedNet(series, tuple(rates), np.concatenate(values, axis=1), np.concatenate(trained, axis=1))


def _ndcg(model: Ranker, data: RankingData) -> Floats:
    """At ten cut-offs × queries."""
    judged = evaluate(data, {"net": model.predict(data)}, NDCG)
    return np.array([judged[each]["net"] for each in NDCG])


# What is shown of them.


def sizes_text(sizes: Sequence[int]) -> str:
    """Of the parts of a split.

    >>> sizes_text([10_000, 5000, 800])
    '10,000 / 5,000 / 800'
    """
    return " / ".join(f"{n:,}" for n in sizes)


def lead(nets: Mapping[str, JudgedNet], layers: str) -> Floats:
    """How far LambdaRank is ahead of RankNet: cut-offs × queries."""
    return nets[f"LambdaRank, {layers}"].values - nets[f"RankNet, {layers}"].values


def net_tables(nets: Mapping[str, JudgedNet], note: str) -> tuple[PaperTable, ...]:
    """nDCG of all nets and LambdaRank's lead on test queries, and what they learned of those they were trained on."""
    rows = [PaperRow(net.name, (*_cells(net.means), _rates_text(net))) for net in nets.values()]
    rows += [PaperRow(f"lead, {layers}", (*_cells(lead(nets, layers).mean(axis=1)), "")) for layers in LAYERS.values()]
    trained = tuple(PaperRow(net.name, _cells(net.trained.mean(axis=1))) for net in nets.values())
    columns = tuple(f"@{k}" for k in CUTOFFS)
    return (
        PaperTable("nDCG on test queries", "net", (*columns, "rates chosen"), tuple(rows), note),
        PaperTable("nDCG on training queries", "net", columns, trained),
    )


def net_figure(title: str, nets: Mapping[str, JudgedNet], layers: Sequence[str]) -> PaperFigure:
    """The paper's axes: nDCG with 95 % intervals against the truncation level."""
    series = tuple(
        FigureSeries(
            net.name, tuple(map(float, CUTOFFS)), tuple(net.means.tolist()),
            low=tuple((net.means - net.margins).tolist()), high=tuple((net.means + net.margins).tolist()),
        )
        for net in nets.values()
        if net.name.partition(", ")[2] in layers
    )  # fmt: skip
    return PaperFigure(title, "truncation level", "nDCG", series)


def _cells(values: Floats) -> tuple[PaperNumber, ...]:
    return tuple(PaperNumber(float(value), digits=4) for value in values)


def _rates_text(net: JudgedNet) -> str:
    return ", ".join(f"{rate:g}" for rate in dict.fromkeys(net.rates))
