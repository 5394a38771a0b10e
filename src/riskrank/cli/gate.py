"""`riskrank gate`: may the candidate replace the baseline? For somebody's CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from riskrank.cli.options import JUDGMENTS_HELP, Missing, Rows


def gate_command(
    judgments: Annotated[str, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP, show_default=False)],
    candidate: Annotated[
        str,
        typer.Argument(help="The run to judge (for a score matrix: a system's name).", show_default=False),
    ],
    baseline: Annotated[str, typer.Option("--baseline", "-b", help="The run it would replace.", show_default=False)],
    measure: Annotated[
        Optional[str], typer.Option("--measure", "-m", help="The measure that counts (default: nDCG@10).")
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha in URisk and TRisk.")] = 0.0,
    max_risk: Annotated[Optional[float], typer.Option(help="Limit on the mean loss per topic.")] = None,
    min_urisk: Annotated[Optional[float], typer.Option(help="Least URisk at alpha.")] = None,
    min_trisk: Annotated[Optional[float], typer.Option(help="Least TRisk at alpha.")] = None,
    max_hurt: Annotated[float | None, typer.Option(help="Limit on the share of topics hurt (0 to 1).")] = None,
    tolerance: Annotated[float, typer.Option(help="A topic counts as hurt when it loses more than this.")] = 0.0,
    max_loss: Annotated[Optional[float], typer.Option(help="Limit on the loss of any single topic.")] = None,
    level: Annotated[float, typer.Option(help="Significance level of the default check.")] = 0.05,
    missing: Annotated[Missing, typer.Option(help="Topics a run lacks: score zero, drop, or stop.")] = Missing.zero,
    rows: Annotated[Rows, typer.Option(help="What the rows of a score matrix are.")] = Rows.auto,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the LETOR file count from 0.")] = False,
    show: Annotated[str, typer.Option(help="How many broken topics to print: a number, or all.")] = "20",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    github: Annotated[bool, typer.Option("--github", help="Print GitHub annotations too.")] = False,
    junit: Annotated[
        Optional[Path],
        typer.Option(help="Write JUnit XML to this file.", show_default=False),
    ] = None,
) -> None:
    """Pass (exit 0) or fail (exit 1) a candidate by a budget of risk; bad input is exit 2.

    riskrank gate web.qrels new.run --baseline bm25.run -m nDCG@10 --max-risk 0.01 --max-loss 0.3

    Without a limit, the candidate fails when its TRisk at alpha shows real risk.
    """
    from riskrank.cli.inputs import DEFAULT_MEASURE, named_systems, read_inputs
    from riskrank.data.files import check_writable, write_atomically
    from riskrank.data.score_matrix import is_score_matrix
    from riskrank.errors import ParameterError
    from riskrank.report.gate import GateResult, gate_json, gate_text, github_annotations, junit_xml
    from riskrank.risk.budget import Budget, check_budget

    if show != "all" and not (show.isdigit() and len(show) < 10):
        raise ParameterError(f"--show takes a number or all, got {show!r}.")
    if junit is not None:
        check_writable(junit)
    budget = Budget(
        alpha=alpha,
        max_risk=max_risk,
        min_urisk=min_urisk,
        min_trisk=min_trisk,
        max_hurt=max_hurt,
        max_loss=max_loss,
        tolerance=tolerance,
        level=level,
    )
    if is_score_matrix(judgments):
        inputs = read_inputs(
            judgments, [], [measure] if measure else [], missing=missing.value, rows=rows.value, zero_based=zero_based
        )
        names = [baseline, candidate]
    else:
        pair = [baseline, candidate]
        names = list(named_systems(pair))
        inputs = read_inputs(
            judgments, pair, [measure or DEFAULT_MEASURE], missing=missing.value, rows=rows.value, zero_based=zero_based
        )
    scores = inputs.scores[0]
    checks = check_budget(scores[names[1]], scores[names[0]], budget)
    verdict = GateResult(scores, names[1], names[0], tuple(checks))
    limit = len(scores.topics) if show == "all" else int(show)
    if junit is not None:
        write_atomically(junit, junit_xml(verdict))
    print(gate_json(verdict) if as_json else gate_text(verdict, limit=limit))
    if github:
        # GitHub reads both streams; JSON must stay alone on its own.
        print(github_annotations(verdict, limit=limit), file=sys.stderr if as_json else sys.stdout)
    if not verdict.passes:
        raise typer.Exit(1)
