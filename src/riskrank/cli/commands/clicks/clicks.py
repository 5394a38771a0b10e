"""`riskrank clicks`: from a search log to rankers that re-rank only where it pays."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

app = typer.Typer(
    help="Learn from clicks: prepare a log, train rankers, and see what each gains and how often it re-ranks.",
    no_args_is_help=True,
)
MEGABYTE = 1 << 20
INTERRUPTED = 130


@app.callback()
def _long() -> None:
    gc.enable()  # turned off for commands that end at once


@app.command("prepare")
def prepare_command(
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG…", help="A log in one or several files: text, .gz, .csv, .parquet.", show_default=False
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the prepared pages.", show_default=False)
    ],
    layout: Annotated[
        Optional[str], typer.Option(help="2011, 2013 (two Yandex challenges) or table; default: told from the file.")
    ] = None,
    satisfied: Annotated[
        float, typer.Option(help="A click satisfies from so many units of time on, or if it ends the session.")
    ] = 30.0,
    grades: Annotated[
        Optional[str],
        typer.Option(help="Several limits instead, as 50,400: relevant and highly relevant.", show_default=False),
    ] = None,
    split: Annotated[str, typer.Option(help="What tells training, validation and test apart: time, user, session.")] = (
        "time"
    ),
    shares: Annotated[str, typer.Option(help="Sizes of training, validation and test.")] = "2,1,1",
    history: Annotated[float, typer.Option(help="The first share of the log, which is only remembered.")] = 0.25,
    features: Annotated[
        Optional[str],
        typer.Option(
            help="Groups or names of features between commas (see riskrank clicks features); default: all.",
            show_default=False,
        ),
    ] = None,
    keep_unsatisfied: Annotated[
        bool, typer.Option("--keep-unsatisfied", help="Keep pages without a satisfied click.")
    ] = False,
    sample: Annotated[float, typer.Option(help="Write the pages of this share of users (or sessions) only.")] = 1.0,
    memory: Annotated[int, typer.Option(help="Megabytes for what is remembered of earlier pages.")] = 2048,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that makes no sense.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Read a log and write its pages with features and satisfied clicks, for training, validation and testing.

    riskrank clicks prepare log.parquet -o prepared
    """
    from riskrank.cli.options import numbers_from
    from riskrank.cli.output import emit
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.clicks.preparation import prepare

    report = LogReport()
    found = prepare(
        log, output, layout=layout, satisfied=satisfied,
        grades=None if grades is None else numbers_from([grades], "--grades"), split=split,
        shares=numbers_from([shares], "--shares"), history=history,
        features=None if features is None else [name.strip() for name in features.split(",")],
        keep_unsatisfied=keep_unsatisfied, sample=sample, memory=memory * MEGABYTE, strict=strict, random_state=seed,
        report=report, verbose=False if quiet else None,
    )  # fmt: skip
    lines = [f"log: {report}"]
    if found.card["without_day"]:
        lines.append(f"{found.card['without_day']:,} pages have no day and are left out.")
    if found.card["not_remembered"]:
        lines.append(f"{found.card['not_remembered']:,} counts found no room: pass a larger --memory.")
    emit("\n".join([*lines, f"{output}: {found}"]))


@app.command("train")
def train_command(
    prepared: Annotated[str, typer.Argument(metavar="PREPARED", help="What prepare wrote.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for models and results.", show_default=False)
    ],
    beta: Annotated[
        Optional[str],
        typer.Option(help="Weights of the presented order (default: 0.01,0.05,0.1,0.2,0.3,0.5,1).", show_default=False),
    ] = None,
    alpha: Annotated[
        Optional[str],
        typer.Option(
            "--alpha",
            help="Extra weights of losses (default: 0,0.2,0.5,1,2,5); 0 is always among them.",
            show_default=False,
        ),
    ] = None,
    lowest_beta: Annotated[
        Optional[str],
        typer.Option(help="Betas of Lowest-Click-Plus-One (default: 0.5,1,2).", show_default=False),
    ] = None,
    both_alpha: Annotated[
        Optional[str],
        typer.Option(help="Alphas to be combined with betas (default: 0.2,1).", show_default=False),
    ] = None,
    both_beta: Annotated[
        Optional[str],
        typer.Option(help="Betas to be combined with them (default: 0.05,0.1,0.2,0.3,0.5).", show_default=False),
    ] = None,
    paper: Annotated[bool, typer.Option("--paper", help="The grids of Bennett et al. 2015: 69 models.")] = False,
    by_query: Annotated[
        bool, typer.Option("--by-query", help="Let beta grow with how often a query was asked before.")
    ] = False,
    measure: Annotated[
        Optional[str],
        typer.Option(
            "--measure", "-m", help="What judges (default: AP; nDCG@10 for several grades).", show_default=False
        ),
    ] = None,
    trees: Annotated[int, typer.Option(help="How many trees at most.")] = 500,
    leaves: Annotated[int, typer.Option(help="Leaves of a tree.")] = 10,
    min_docs: Annotated[
        Optional[int],
        typer.Option(help="Least documents in a leaf (default: 2000, or a 500th of them all).", show_default=False),
    ] = None,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 0.25,
    early_stopping: Annotated[
        int, typer.Option(help="Stop when validation has not improved for so many trees; 0: never.")
    ] = 50,
    jobs: Annotated[Optional[int], typer.Option(help="Models trained side by side (default: all cores).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Train rankers on prepared clicks, from bold to careful. Interrupted, it goes on where it was.

    Standard Gain learns from clicks alone; Weight-Initial-Pref also from the order in which documents were shown, with
    weight beta; risk-sensitive models weigh losses 1 + alpha; and some do both. An empty grid ("") leaves a series out.

    riskrank clicks train prepared -o models
    """
    from riskrank.cli.options import numbers_from
    from riskrank.cli.output import emit
    from riskrank.tradeoff.clicks.click_sweep import PAPER, click_sweep

    grids: dict[str, Any] = dict(PAPER) if paper else {}
    given = (("betas", beta, "--beta"), ("alphas", alpha, "--alpha"), ("lowest_betas", lowest_beta, "--lowest-beta"),
             ("both_alphas", both_alpha, "--both-alpha"), ("both_betas", both_beta, "--both-beta"))  # fmt: skip
    for name, text, option in given:
        if text is not None:
            grids[name] = numbers_from([text], option) if text.strip() else []
    if "alphas" in grids:
        grids["alphas"] = [0.0, *grids["alphas"]]
    try:
        found = click_sweep(
            prepared, **grids, beta_by_query=by_query, measure=measure, folder=output, n_jobs=jobs,
            verbose=False if quiet else None, n_trees=trees, n_leaves=leaves, min_docs_in_leaf=min_docs,
            learning_rate=rate, early_stopping=early_stopping or None, random_state=seed,
        )  # fmt: skip
    except KeyboardInterrupt:
        print(f"riskrank: interrupted; run the same command again to go on ({output}).", file=sys.stderr)
        sys.exit(INTERRUPTED)
    emit(f"{output}: {len(found)} models. Next: riskrank clicks evaluate {output}")


@app.command("evaluate")
def evaluate_command(
    models: Annotated[str, typer.Argument(metavar="MODELS", help="What train wrote.", show_default=False)],
    on: Annotated[
        Optional[str],
        typer.Option(metavar="PREPARED", help="Judge on other prepared clicks, in one pass.", show_default=False),
    ] = None,
    part: Annotated[str, typer.Option(help="Which part of them: test, valid or train.")] = "test",
    html: Annotated[
        Optional[Path],
        typer.Option(help="Where to write the report (default: MODELS/report.html).", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
) -> None:
    """Show what the models gain, what they risk and how often they re-rank; the ones to show are chosen by validation.

    riskrank clicks evaluate models
    """
    from riskrank.cli.output import check_target, emit
    from riskrank.clicks.prepared import Prepared
    from riskrank.errors import ParameterError
    from riskrank.report.clicks.click_text import click_text
    from riskrank.tradeoff.clicks.click_sweep import ClickSweep
    from riskrank.tradeoff.clicks.click_table import click_table, click_table_on

    if as_json and as_csv:
        raise ParameterError("choose --json or --csv, not both.")
    if on is not None and html is not None:
        raise ParameterError("--html shows the test pages of training: leave --on out.")
    if on is None and part != "test":
        raise ParameterError("--part is a part of other prepared clicks: pass them with --on.")
    if html is not None:
        check_target(html, [])
    found = ClickSweep.load(models)
    rows = click_table(found) if on is None else click_table_on(found, Prepared.open(on), part)
    page = html
    if on is None and html is None and not (as_json or as_csv):
        page = Path(models) / "report.html"
    if page is not None:
        found.to_html(page)
    if as_json or as_csv:
        import polars as pl

        frame = pl.DataFrame([row.to_dict() for row in rows])
        emit((frame.write_json() if as_json else frame.write_csv()).rstrip("\n"))
        return
    text = click_text(rows, found.measure, part=part)
    emit(text if page is None else f"{text}\n\nReport: {page}")


@app.command("features")
def features_command() -> None:
    """List the features that prepare can compute, with their groups."""
    from riskrank.cli.output import emit
    from riskrank.clicks.features import FEATURES
    from riskrank.report.text.formatting import aligned

    rows = [[each.name, each.group, each.meaning] for each in FEATURES]
    emit(aligned(["feature", "group", "meaning"], rows, left=("feature", "group", "meaning")))
