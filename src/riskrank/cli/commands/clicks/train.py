"""`riskrank clicks train`: rankers from prepared clicks, from bold to careful."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from riskrank.cli.options import JobsOption, QuietOption, SeedOption, numbers_from
from riskrank.cli.output import emit
from riskrank.cli.training import resumable_work

PreparedArgument = Annotated[str, typer.Argument(metavar="PREPARED", help="What prepare wrote.", show_default=False)]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and results.", show_default=False)
]
BetaOption = Annotated[
    Optional[str],
    typer.Option(help="Weights of the presented order (default: 0.01,0.05,0.1,0.2,0.3,0.5,1).", show_default=False),
]
AlphaOption = Annotated[
    Optional[str],
    typer.Option(
        "--alpha",
        help="Extra weights of losses (default: 0,0.2,0.5,1,2,5); 0 is always among them.",
        show_default=False,
    ),
]
LowestBetaOption = Annotated[
    Optional[str], typer.Option(help="Betas of Lowest-Click-Plus-One (default: 0.5,1,2).", show_default=False)
]
BothAlphaOption = Annotated[
    Optional[str], typer.Option(help="Alphas to be combined with betas (default: 0.2,1).", show_default=False)
]
BothBetaOption = Annotated[
    Optional[str],
    typer.Option(help="Betas to be combined with them (default: 0.05,0.1,0.2,0.3,0.5).", show_default=False),
]
PaperOption = Annotated[bool, typer.Option("--paper", help="The grids of Bennett et al. 2015: 69 models.")]
ByQueryOption = Annotated[
    bool, typer.Option("--by-query", help="Let beta grow with how often a query was asked before.")
]
MeasureOption = Annotated[
    Optional[str],
    typer.Option("--measure", "-m", help="What judges (default: AP; nDCG@10 for several grades).", show_default=False),
]
MostTreesOption = Annotated[int, typer.Option(help="How many trees at most.")]
LeavesOption = Annotated[int, typer.Option(help="Leaves of a tree.")]
MinDocsOption = Annotated[
    Optional[int],
    typer.Option(help="Least documents in a leaf (default: 2000, or a 500th of them all).", show_default=False),
]
RateOption = Annotated[float, typer.Option(help="Learning rate.")]
EarlyStoppingOption = Annotated[
    int, typer.Option(help="Stop when validation has not improved for so many trees; 0: never.")
]


def command(
    prepared: PreparedArgument,
    output: OutputOption,
    beta: BetaOption = None,
    alpha: AlphaOption = None,
    lowest_beta: LowestBetaOption = None,
    both_alpha: BothAlphaOption = None,
    both_beta: BothBetaOption = None,
    paper: PaperOption = False,
    by_query: ByQueryOption = False,
    measure: MeasureOption = None,
    trees: MostTreesOption = 500,
    leaves: LeavesOption = 10,
    min_docs: MinDocsOption = None,
    rate: RateOption = 0.25,
    early_stopping: EarlyStoppingOption = 50,
    jobs: JobsOption = None,
    seed: SeedOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Train rankers on prepared clicks, from bold to careful. Interrupted, it goes on where it was.

    Standard Gain learns from clicks alone; Weight-Initial-Pref also from the order in which documents were shown, with
    weight beta; risk-sensitive models weigh losses 1 + alpha; and some do both. An empty grid ("") leaves a series out.

    riskrank clicks train prepared -o models
    """
    from riskrank.tradeoff.clicks.click_sweep import PAPER, click_sweep

    given = {
        "--beta": ("betas", beta), "--alpha": ("alphas", alpha), "--lowest-beta": ("lowest_betas", lowest_beta),
        "--both-alpha": ("both_alphas", both_alpha), "--both-beta": ("both_betas", both_beta),
    }  # fmt: skip
    grids: dict[str, Any] = {**(PAPER if paper else {}), **_grids(given)}
    if "alphas" in grids:
        grids["alphas"] = [0.0, *grids["alphas"]]
    with resumable_work(output):
        result = click_sweep(
            prepared, **grids, beta_by_query=by_query, measure=measure, folder=output, n_jobs=jobs,
            verbose=False if quiet else None, n_trees=trees, n_leaves=leaves, min_docs_in_leaf=min_docs,
            learning_rate=rate, early_stopping=early_stopping or None, random_state=seed,
        )  # fmt: skip
    emit(f"{output}: {len(result)} models. Next: riskrank clicks evaluate {output}")


def _grids(given: Mapping[str, tuple[str, str | None]]) -> dict[str, Sequence[float]]:
    """The grids that are given, by their names; an empty text is an empty grid."""
    return {
        name: numbers_from([text], option) if text.strip() else []
        for option, (name, text) in given.items()
        if text is not None
    }
