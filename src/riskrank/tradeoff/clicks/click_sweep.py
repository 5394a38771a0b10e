"""A sweep over ways to learn from clicks: risk-sensitive ones, preference gains, and both (Bennett et al. 2015, §3)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from riskrank.clicks.prepared import BASELINE, Prepared
from riskrank.data.feature import Feature
from riskrank.errors import ParameterError
from riskrank.measures import parse_measure
from riskrank.objectives.urisk import URisk
from riskrank.parameters import HEAVIEST, is_number, whole
from riskrank.rankers.trees.engine import engine_named
from riskrank.rankers.trees.lambdamart import LambdaMART
from riskrank.rankers.trees.preference_lambdamart import PreferenceLambdaMART
from riskrank.tradeoff.clicks.click_table import BOTH, LOWEST, PREFERENCE, RISK, click_table
from riskrank.tradeoff.grid import all_digits
from riskrank.tradeoff.run_sweep import sweep
from riskrank.tradeoff.sweep import Sweep
from riskrank.tradeoff.sweep_files import CLICKS, sweep_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    import polars as pl

    from riskrank.typing import EngineName, GridLike, MeasureLike, PathLike, StartName

LINEAR = PreferenceLambdaMART.measure
ALPHAS, BETAS = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0), (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
LOWEST_BETAS, BOTH_ALPHAS, BOTH_BETAS = (0.5, 1.0, 2.0), (0.2, 1.0), (0.05, 0.1, 0.2, 0.3, 0.5)
PAPER = {
    "alphas": (*(k / 10 for k in range(10)), *map(float, range(1, 11))),
    "betas": (*(k / 100 for k in range(1, 10)), *(k / 10 for k in range(1, 11))),
    "lowest_betas": tuple(k / 10 for k in range(1, 21)),
}  # the grids of the paper
MOST_IN_LEAF = 2000  # documents that a leaf needs at least, as there; fewer where there are few
SMALLEST_SHARE = 500  # a leaf needs this part of all documents, if that is less


class TreeParameters(TypedDict, total=False):
    """Parameters of `LambdaMART` that all models of a click sweep share."""

    n_trees: int
    n_leaves: int
    min_docs_in_leaf: int | None
    learning_rate: float
    early_stopping: int | None
    valid_measure: MeasureLike | None
    start: StartName
    start_spread: float
    fast: bool
    engine: EngineName
    engine_params: dict[str, Any] | None
    n_threads: int | None
    random_state: int


TREES: TreeParameters = {"n_trees": 500, "n_leaves": 10, "learning_rate": 0.25, "early_stopping": 50}  # as there


class ClickSweep(Sweep):
    """The results of a sweep over clicks; its `table` is Table 2 of Bennett et al. 2015."""

    view = "click_sweep"

    @property
    def table(self) -> pl.DataFrame:
        """The chosen models on the test pages."""
        import polars as pl

        return pl.DataFrame([row.to_dict() for row in click_table(self)])


class Series(NamedTuple):
    """A ranker, and the parameter of it that takes some values."""

    ranker: LambdaMART
    parameter: str
    values: list[float]


def click_sweep(
    prepared: Prepared | PathLike,
    *,
    alphas: GridLike = ALPHAS,
    betas: GridLike = BETAS,
    lowest_betas: GridLike = LOWEST_BETAS,
    both_alphas: GridLike = BOTH_ALPHAS,
    both_betas: GridLike = BOTH_BETAS,
    beta_by_query: bool = False,
    risk_measure: MeasureLike = LINEAR,
    measure: MeasureLike | None = None,
    measures: Sequence[MeasureLike] | None = None,
    folder: PathLike | None = None,
    n_jobs: int | None = None,
    verbose: bool | None = None,
    **trees: Unpack[TreeParameters],
) -> ClickSweep:
    """Train models on prepared clicks over grids of alpha_risk and beta, and judge them by clicks alone.

    All gains are against the presented order. An empty grid leaves a series out.

    Parameters
    ----------
    prepared
        Prepared clicks, or their folder.
    alphas, betas, lowest_betas
        Of "Risk Sensitive" (with 0, which is Standard Gain), "Weight-Initial-Pref" and "Lowest-Click-Plus-One".
    both_alphas, both_betas
        For each of these alphas, preference gains with a risk-sensitive objective over these betas.
    beta_by_query
        Let betas grow with how often a query was asked before.
    risk_measure
        What "Risk Sensitive", and so Standard Gain, learns to gain; the paper's is AP for clicks of one grade (Eq. 10).
    measure, measures
        What judges (default: AP, or nDCG@10 where clicks have several grades), and what is shown beside it.
    folder, n_jobs, verbose
        As for `sweep`.
    **trees
        Parameters of `LambdaMART`; by default those of the paper.
    """
    data = prepared if isinstance(prepared, Prepared) else Prepared.open(prepared)
    grids = _checked_grids(
        alphas=alphas, betas=betas, lowest_betas=lowest_betas, both_alphas=both_alphas, both_betas=both_betas
    )
    _check(trees, risk_measure, measure, folder, n_jobs)
    train = data.read("train")
    beta_feature = data.number("query_pages") if beta_by_query else None
    series = _series(grids, _tree_parameters(trees, train.n_documents), beta_feature, risk_measure)
    judging = ("AP", "nDCG@10") if len(data.card["limits"]) == 1 else ("nDCG@10", "AP")
    plain = sweep(
        train, {name: each.ranker for name, each in series.items()}, baseline=Feature(BASELINE),
        values={name: each.values for name, each in series.items()},
        parameter={name: each.parameter for name, each in series.items()},
        valid=data.read("valid"), test=data.read("test"), measure=measure or judging[0],
        measures=judging if measures is None else measures, folder=folder, n_jobs=n_jobs, verbose=verbose,
    )  # fmt: skip
    if folder is not None:
        with sweep_folder(folder).changed(keeps=True) as change:
            change.write(CLICKS, json.dumps(data.card, indent=1) + "\n")
    return ClickSweep(**vars(plain))


def _check(
    trees: TreeParameters, risk_measure: MeasureLike, measure: MeasureLike | None, folder: PathLike | None,
    n_jobs: int | None,
) -> None:  # fmt: skip
    """Refuse what `sweep` would refuse, but before pages are read and engines loaded, which takes a second."""
    LambdaMART(URisk(parse_measure(risk_measure)), **trees).check_parameters()
    if measure is not None:
        parse_measure(measure)
    whole("n_jobs", n_jobs, 1, optional=True)
    if folder is not None:
        sweep_folder(folder).check()


def _tree_parameters(given: TreeParameters, n_documents: int) -> TreeParameters:
    """Those of the paper where nothing else is given; leaves are smaller where there are few documents."""
    trees: TreeParameters = {**TREES, **given}
    has_limit = engine_named(trees.get("engine", "lightgbm")).LIMITS_DOCUMENTS
    if has_limit and trees.get("min_docs_in_leaf") is None:
        trees["min_docs_in_leaf"] = min(MOST_IN_LEAF, max(1, n_documents // SMALLEST_SHARE))
    return trees


def _series(
    grids: Mapping[str, list[float]], trees: TreeParameters, beta_feature: int | None, risk_measure: MeasureLike
) -> dict[str, Series]:
    """The rankers of all series whose grid is not empty, by name."""
    series = {
        RISK: Series(LambdaMART(URisk(parse_measure(risk_measure)), **trees), "alpha", grids["alphas"]),
        PREFERENCE: Series(PreferenceLambdaMART(beta_feature=beta_feature, **trees), "beta", grids["betas"]),
        LOWEST: Series(
            PreferenceLambdaMART(only_examined=True, beta_feature=beta_feature, **trees), "beta", grids["lowest_betas"]
        ),
    }
    for alpha in grids["both_alphas"]:
        both = PreferenceLambdaMART(URisk(LINEAR, alpha=alpha), beta_feature=beta_feature, **trees)
        series[f"{BOTH}, α = {all_digits(alpha)}"] = Series(both, "beta", grids["both_betas"])
    return {name: each for name, each in series.items() if each.values}


def _checked_grids(**grids: GridLike) -> dict[str, list[float]]:
    """Grids of one or several numbers each."""
    checked = {}
    for name, values in grids.items():
        several = list(values) if isinstance(values, Iterable) else [values]
        most = 1.0 if name in ("betas", "both_betas") else HEAVIEST
        for value in several:
            if not (is_number(value) and 0 <= value <= most):
                is_flood = is_number(value) and most < value < math.inf
                upper = f" to {most:g}" if most == 1 or is_flood else ""
                why = " (beyond, the order shown outweighs clicks)" if most == 1 else ""
                raise ParameterError(f"{name} must be numbers from 0{upper}{why}, got {value!r}.", name)
        checked[name] = [float(value) for value in several]
    if 0 not in checked["alphas"]:
        raise ParameterError("alphas must hold 0, which is Standard Gain: all others are seen against it.")
    return checked
