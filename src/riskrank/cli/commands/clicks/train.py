"""`riskrank clicks train`: rankers from prepared clicks, from bold to careful."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from riskrank.cli.command import flags
from riskrank.cli.options import JobsOption, OutputFolderOption, QuietOption, RankerSeedOption, numbers_from, of_ranker
from riskrank.cli.output import emit, resumable_work
from riskrank.cli.rankers import ranker_parameters
from riskrank.errors import counted

GRIDS = ("alphas", "betas", "lowest_betas", "both_alphas", "both_betas")

PreparedArgument = Annotated[str, typer.Argument(metavar="PREPARED", help="What prepare wrote.")]
BetaOption = Annotated[
    str | None, typer.Option("--beta", help="Weights of the presented order (default: 0.01,0.05,0.1,0.2,0.3,0.5,1).")
]
AlphaOption = Annotated[
    str | None,
    typer.Option("--alpha", help="Extra weights of losses (default: 0,0.2,0.5,1,2,5); 0 is always among them."),
]
LowestBetaOption = Annotated[
    str | None, typer.Option("--lowest-beta", help="Betas of Lowest-Click-Plus-One (default: 0.5,1,2).")
]
BothAlphaOption = Annotated[
    str | None, typer.Option("--both-alpha", help="Alphas to be combined with betas (default: 0.2,1).")
]
BothBetaOption = Annotated[
    str | None, typer.Option("--both-beta", help="Betas to be combined with them (default: 0.05,0.1,0.2,0.3,0.5).")
]
PaperOption = Annotated[bool, typer.Option("--paper", help="The grids of Bennett et al. 2015: 69 models.")]
ByQueryOption = Annotated[
    bool, typer.Option("--by-query", help="Let beta grow with how often a query was asked before.")
]
RiskMeasureOption = Annotated[
    str, typer.Option(help="What Standard Gain and the risk-sensitive models learn to gain; AP as in the paper.")
]
MeasureOption = Annotated[
    str | None, typer.Option("--measure", "-m", help="What judges (default: AP; nDCG@10 for several grades).")
]
MostTreesOption = Annotated[int, of_ranker("--trees", help="How many trees at most.")]
LeavesOption = Annotated[int, of_ranker("--leaves", help="Leaves of a tree.")]
MinDocsOption = Annotated[
    int | None, of_ranker("--min-docs", help="Least documents in a leaf (default: 2000, or a 500th of them all).")
]
RateOption = Annotated[float, of_ranker("--rate", help="Learning rate.")]
EarlyStoppingOption = Annotated[
    int, typer.Option(help="Stop when validation has not improved for this many trees; 0: never.")
]


def command(
    context: typer.Context,
    prepared: PreparedArgument,
    output: OutputFolderOption,
    betas: BetaOption = None,
    alphas: AlphaOption = None,
    lowest_betas: LowestBetaOption = None,
    both_alphas: BothAlphaOption = None,
    both_betas: BothBetaOption = None,
    paper: PaperOption = False,
    beta_by_query: ByQueryOption = False,
    risk_measure: RiskMeasureOption = "nDCG(dcg='log2')@10",
    measure: MeasureOption = None,
    n_trees: MostTreesOption = 500,
    n_leaves: LeavesOption = 10,
    min_docs_in_leaf: MinDocsOption = None,
    learning_rate: RateOption = 0.25,
    early_stopping: EarlyStoppingOption = 50,
    n_jobs: JobsOption = None,
    random_state: RankerSeedOption = 0,
    verbose: QuietOption = None,
) -> None:
    """Train rankers on prepared clicks, from bold to careful. If interrupted, it resumes where it stopped.

    Standard Gain learns from clicks alone; Weight-Initial-Pref also from the order in which documents were shown, with
    weight beta; risk-sensitive models weigh losses 1 + alpha; and some do both. An empty grid ("") leaves a series out.

    riskrank clicks train prepared -o models --trees 50
    """
    from riskrank.clicks.prepared import Prepared

    pages = Prepared.open(prepared)  # before libraries are loaded, which takes a second or two
    from riskrank.tradeoff.clicks.click_sweep import PAPER, click_sweep
    from riskrank.tradeoff.sweep_files import is_interrupted_sweep, sweep_folder

    grids: dict[str, Any] = dict(PAPER) if paper else {}
    for name in GRIDS:
        text = context.params[name]
        if text is not None:
            grids[name] = numbers_from([text], flags(context)[name]) if text.strip() else []
    if "alphas" in grids:
        grids["alphas"] = [0.0, *grids["alphas"]]
    with resumable_work(sweep_folder(output), goes_on=is_interrupted_sweep(output)):
        result = click_sweep(
            pages, **grids, beta_by_query=beta_by_query, risk_measure=risk_measure, measure=measure, folder=output,
            n_jobs=n_jobs, verbose=verbose, early_stopping=early_stopping or None, **ranker_parameters(context),
        )  # fmt: skip
    emit(f"{output}: {counted(len(result), 'model')}. Next: riskrank clicks evaluate {output}")
