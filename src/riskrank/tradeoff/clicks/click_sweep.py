"""A sweep over ways to learn from clicks: risk-sensitive ones, preference gains, and both (Bennett et al. 2015, §3)."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.clicks.prepared import BASELINE, Prepared
from riskrank.data.feature import Feature
from riskrank.data.files import write_atomically
from riskrank.errors import ParameterError
from riskrank.objectives.urisk import URisk
from riskrank.parameters import is_number
from riskrank.rankers.trees.lambdamart import LambdaMART
from riskrank.rankers.trees.preference_lambdamart import PreferenceLambdaMART
from riskrank.tradeoff.clicks.click_series import BOTH, CARD, LOWEST, PREFERENCE, RISK
from riskrank.tradeoff.clicks.click_table import click_table
from riskrank.tradeoff.grid import shown
from riskrank.tradeoff.run_sweep import sweep
from riskrank.tradeoff.sweep import Sweep

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import polars as pl

LINEAR = PreferenceLambdaMART.measure
ALPHAS, BETAS = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0), (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
LOWEST_BETAS, BOTH_ALPHAS, BOTH_BETAS = (0.5, 1.0, 2.0), (0.2, 1.0), (0.05, 0.1, 0.2, 0.3, 0.5)
PAPER = {
    "alphas": (*(k / 10 for k in range(10)), *map(float, range(1, 11))),
    "betas": (*(k / 100 for k in range(1, 10)), *(k / 10 for k in range(1, 11))),
    "lowest_betas": tuple(k / 10 for k in range(1, 21)),
}  # the grids of the paper
TREES: dict[str, Any] = {"n_trees": 500, "n_leaves": 10, "learning_rate": 0.25, "early_stopping": 50}  # as there
MOST_IN_LEAF = 2000  # documents that a leaf needs at least, as there; fewer where there are few
SMALLEST_SHARE = 500  # a leaf needs this part of all documents, if that is less


class ClickSweep(Sweep):
    """The results of a sweep over clicks; its `table` is Table 2 of Bennett et al. 2015."""

    view = "click_sweep"

    @property
    def table(self) -> pl.DataFrame:
        """The chosen models on the test pages."""
        import polars as pl

        return pl.DataFrame([row.to_dict() for row in click_table(self)])


def click_sweep(
    prepared: Prepared | str | os.PathLike[str],
    *,
    alphas: Sequence[float] = ALPHAS,
    betas: Sequence[float] = BETAS,
    lowest_betas: Sequence[float] = LOWEST_BETAS,
    both_alphas: Sequence[float] = BOTH_ALPHAS,
    both_betas: Sequence[float] = BOTH_BETAS,
    beta_by_query: bool = False,
    measure: str | None = None,
    measures: Sequence[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: bool | None = None,
    **parameters: Any,
) -> ClickSweep:
    """Train models on prepared clicks over grids of alpha_risk and beta, and judge them by clicks alone.

    All gains are against the presented order. The series: "Risk Sensitive" over `alphas` (0 is Standard Gain),
    "Weight-Initial-Pref" over `betas`, "Lowest-Click-Plus-One" over `lowest_betas`, and, for each of `both_alphas`,
    preference gains with a risk-sensitive objective over `both_betas`; an empty grid leaves a series out.
    `beta_by_query`: betas grow with how often a query was asked before. `measure`: AP, or nDCG@10 where clicks have
    several grades; the other one is shown beside it. `parameters` go to LambdaMART; by default they are those of the
    paper. `folder` and `n_jobs` as for `sweep`.
    """
    data = prepared if isinstance(prepared, Prepared) else Prepared.open(prepared)
    grids = {
        "alphas": alphas, "betas": betas, "lowest_betas": lowest_betas, "both_alphas": both_alphas,
        "both_betas": both_betas,
    }  # fmt: skip
    wanted_alphas, wanted_betas, wanted_lowest, several_alphas, several_betas = (
        _checked(name, values) for name, values in grids.items()
    )
    if 0 not in wanted_alphas:
        raise ParameterError("alphas must hold 0, which is Standard Gain: all others are seen against it.")
    train = data.read("train")
    trees = {**TREES, **parameters}
    if trees.get("engine") != "xgboost" and trees.get("min_docs_in_leaf") is None:
        trees["min_docs_in_leaf"] = min(MOST_IN_LEAF, max(1, train.n_documents // SMALLEST_SHARE))
    by_query: dict[str, Any] = {"beta_feature": data.number("query_pages")} if beta_by_query else {}
    series: dict[str, tuple[Any, str, Sequence[float]]] = {
        RISK: (LambdaMART(URisk(LINEAR), **trees), "alpha", wanted_alphas),
        PREFERENCE: (PreferenceLambdaMART(**trees, **by_query), "beta", wanted_betas),
        LOWEST: (PreferenceLambdaMART(**trees, **by_query, only_examined=True), "beta", wanted_lowest),
    }
    for alpha in several_alphas:
        ranker = PreferenceLambdaMART(URisk(LINEAR, alpha=float(alpha)), **trees, **by_query)
        series[f"{BOTH}, α = {shown(alpha)}"] = (ranker, "beta", several_betas)
    wanted = {name: each for name, each in series.items() if len(each[2])}
    judged_by = ("AP", "nDCG@10") if len(data.card["limits"]) == 1 else ("nDCG@10", "AP")
    found = sweep(
        train,
        {name: ranker for name, (ranker, _, _) in wanted.items()},
        parameter={name: parameter for name, (_, parameter, _) in wanted.items()},
        values={name: values for name, (_, _, values) in wanted.items()},
        baseline=Feature(BASELINE),
        valid=data.read("valid"),
        test=data.read("test"),
        measure=measure or judged_by[0],
        measures=judged_by if measures is None else measures,
        folder=folder,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    if folder is not None:
        write_atomically(Path(folder) / CARD, json.dumps(data.card, indent=1) + "\n")
    return ClickSweep(**{field.name: getattr(found, field.name) for field in fields(found)})


def _checked(name: str, values: Any) -> list[float]:
    """A grid, of one or several numbers."""
    several = [values] if is_number(values) else list(values)
    most = math.inf if name in ("alphas", "both_alphas", "lowest_betas") else 1.0
    for value in several:
        if not (is_number(value) and 0 <= value <= most):
            limit = "from 0" if most == math.inf else "from 0 to 1 (beyond, the order shown outweighs clicks)"
            raise ParameterError(f"{name} must be numbers {limit}, got {value!r}.")
    return [float(value) for value in several]
