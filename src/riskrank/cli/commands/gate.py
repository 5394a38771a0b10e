"""`riskrank gate`: may the candidate replace the baseline? For somebody's CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from riskrank.cli.options import JUDGMENTS_HELP, Missing, Rows

if TYPE_CHECKING:
    from riskrank.data.effectiveness import Effectiveness


def gate_command(
    judgments: Annotated[str, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP, show_default=False)],
    candidate: Annotated[
        str,
        typer.Argument(
            metavar="CANDIDATE", help="The run to judge (for a score matrix: a system's name).", show_default=False
        ),
    ],
    baseline: Annotated[
        list[str], typer.Option("--baseline", "-b", help="The run it would replace.", show_default=False)
    ],
    measure: Annotated[
        Optional[list[str]], typer.Option("--measure", "-m", help="The measure that counts (default: nDCG@10).")
    ] = None,
    alpha: Annotated[
        Optional[float], typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha in URisk and TRisk (default: 0).")
    ] = None,
    max_risk: Annotated[Optional[float], typer.Option(help="Limit on the mean loss per topic.")] = None,
    min_urisk: Annotated[Optional[float], typer.Option(help="Least URisk at alpha.")] = None,
    min_trisk: Annotated[Optional[float], typer.Option(help="Least TRisk at alpha.")] = None,
    max_hurt: Annotated[float | None, typer.Option(help="Limit on the share of topics hurt (0 to 1).")] = None,
    tolerance: Annotated[float, typer.Option(help="A topic counts as hurt when it loses more than this.")] = 0.0,
    max_loss: Annotated[Optional[float], typer.Option(help="Limit on the loss of any single topic.")] = None,
    level: Annotated[float, typer.Option(help="Significance level of the default check.")] = 0.05,
    missing: Annotated[
        Optional[Missing],
        typer.Option(
            help="Topics a run lacks: score zero, drop, or stop. Default: zero, but stop if the baseline lacks any."
        ),
    ] = None,
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

    Without a limit, the candidate fails when its TRisk at alpha shows a significant loss.
    """
    from riskrank.cli.output import check_target, emit
    from riskrank.cli.scored_inputs import DEFAULT_MEASURE, named_systems, read_inputs
    from riskrank.data.files import write_atomically
    from riskrank.data.names import is_score_matrix
    from riskrank.errors import ParameterError
    from riskrank.report.text.gate_text import GateResult, gate_json, gate_text, github_annotations, junit_xml
    from riskrank.risk.budget import Budget, check_budget

    if show != "all" and not (show.isdigit() and len(show) < 10):
        raise ParameterError(f"--show takes a number or all, got {show!r}.")
    if len(baseline) > 1 or len(measure or []) > 1:
        raise ParameterError("a gate has one baseline and one measure. Call it once for each.")
    limits = (max_risk, max_hurt, max_loss)
    if alpha is not None and min_urisk is None and min_trisk is None and any(limit is not None for limit in limits):
        raise ParameterError("--alpha has no effect on these limits. Add --min-urisk or --min-trisk, or leave it out.")
    if tolerance and max_hurt is None:
        raise ParameterError("--tolerance needs --max-hurt.")
    if junit is not None:
        check_target(junit, [judgments, candidate, *baseline])
    budget = Budget(
        alpha=alpha or 0.0,
        max_risk=max_risk,
        min_urisk=min_urisk,
        min_trisk=min_trisk,
        max_hurt=max_hurt,
        max_loss=max_loss,
        tolerance=tolerance,
        level=level,
    )
    options: dict[str, Any] = {"missing": (missing or Missing.zero).value, "rows": rows.value, "zero_based": zero_based}
    pair = [baseline[0], candidate]
    if is_score_matrix(judgments):
        inputs = read_inputs(judgments, [], measure or [], **options)
        base, name = pair
    else:
        base, name = named_systems(pair)
        inputs = read_inputs(judgments, pair, measure or [DEFAULT_MEASURE], **options)
    scores = inputs.scores[0]
    _check_comparable(scores, base, name, strict=missing is None)
    verdict = GateResult(scores, name, base, tuple(check_budget(scores[name], scores[base], budget)))
    limit = len(scores.topics) if show == "all" else int(show)
    if junit is not None:
        write_atomically(junit, junit_xml(verdict))
    emit(gate_json(verdict) if as_json else gate_text(verdict, limit=limit))
    if github:
        # GitHub reads both streams; JSON must stay alone on its own.
        annotations = github_annotations(verdict, limit=limit)
        if as_json:
            print(annotations, file=sys.stderr)
        else:
            emit(annotations)
    if not verdict.passes:
        raise typer.Exit(1)


def _check_comparable(scores: Effectiveness, baseline: str, candidate: str, *, strict: bool) -> None:
    """Refuse input on which a gate would say nothing, or pass whatever comes."""
    from riskrank.errors import AlignmentError, quoted

    lacking = scores.missing.get(baseline, ())
    if strict and lacking:
        raise AlignmentError(
            f"baseline {quoted(baseline)} lacks {len(lacking)} of {len(scores.topics)} topics "
            f"(first: {quoted(lacking[0])}), on which any candidate passes. "
            "Complete it, or pass --missing zero or --missing intersect."
        )
    if not scores[baseline].any() and not scores[candidate].any():
        raise AlignmentError("both systems score 0 on every topic. Do their document ids match the judgments?")
