"""`riskrank evaluate`: how effective and how risky each system is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from riskrank.cli.options import JUDGMENTS_HELP, Missing, Rows


def evaluate_command(
    judgments: Annotated[str, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP, show_default=False)],
    systems: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="RUN",
            help="TREC runs (name=path gives a name); for a LETOR file: score files (a score per line) or feature:110.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        Optional[list[str]],
        typer.Option(
            "--baseline",
            "-b",
            help="A run's name or file, or mean, median or max of all; several are combined. Default: the first run.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        Optional[list[str]],
        typer.Option("--measure", "-m", help="nDCG@10, AP, ERR@20, P(rel=2)@5, …; repeatable (default: nDCG@10)."),
    ] = None,
    alpha: Annotated[
        Optional[list[float]],
        typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha; repeatable (default: 0, 1, 5, 10)."),
    ] = None,
    combine: Annotated[str, typer.Option(help="How several baselines become one: mean, median or max.")] = "mean",
    missing: Annotated[Missing, typer.Option(help="Topics a run lacks: score zero, drop, or stop.")] = Missing.zero,
    rows: Annotated[Rows, typer.Option(help="What the rows of a score matrix are.")] = Rows.auto,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the LETOR file count from 0.")] = False,
    level: Annotated[float, typer.Option(help="Significance level of the tests.")] = 0.05,
    bootstrap: Annotated[int, typer.Option(help="Resamples for bootstrap intervals; 0 leaves them out.")] = 0,
    confidence: Annotated[float, typer.Option(help="Confidence of the bootstrap intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    churn: Annotated[bool, typer.Option("--churn", help="Add Kendall's τ with the baseline's rankings.")] = False,
    per_topic: Annotated[bool, typer.Option("--per-topic", help="Print every topic, worst first, with tests.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON, which riskrank can read back.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, a row per system (or per topic).")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="A LaTeX table.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page too.", show_default=False)] = None,
    output: Annotated[
        Optional[Path],
        typer.Option("--output", "-o", help="Write to a file instead of stdout.", show_default=False),
    ] = None,
) -> None:
    """Say how effective and how risky each system is against a baseline.

    riskrank evaluate web.qrels bm25.run new.run --baseline bm25 -m nDCG@10 -a 0 -a 5
    """
    from riskrank.cli.output import check_target, emit
    from riskrank.cli.scored_inputs import baseline_name, named_systems, read_inputs
    from riskrank.data.files import write_atomically
    from riskrank.errors import ParameterError

    if as_json + as_csv + as_latex > 1:
        raise ParameterError("choose one of --json, --csv and --latex.")
    runs = list(systems or [])
    wanted = list(baseline or [])
    named = named_systems(runs)
    outside = [b for b in wanted if runs and b not in named and b not in runs and Path(b).is_file()]
    runs += [b for b in outside if not any(Path(p).exists() and Path(p).samefile(b) for p in named.values())]
    named = named_systems(runs)
    for target in (html, output):
        if target is not None:
            check_target(target, [judgments, *named.values()])
    inputs = read_inputs(judgments, runs, measure or [], missing=missing.value, rows=rows.value, zero_based=zero_based)
    from riskrank.assessment.assess import assess  # after the input, which loads it while it reads

    names = [baseline_name(b, named) for b in wanted] or [inputs.scores[0].systems[0]]
    changes = None
    if churn:
        if not inputs.runs or len(names) > 1 or names[0] not in inputs.runs:
            raise ParameterError("--churn needs runs or scores, and a baseline that is one of them.")
        from riskrank.assessment.rank_changes import rank_changes

        changes = rank_changes(inputs.runs, names[0], topics=inputs.scores[0].topics, data=inputs.data)
    assessments = [
        assess(
            scores,
            names[0] if len(names) == 1 else names,
            alphas=tuple(alpha or (0, 1, 5, 10)),
            combine=combine,
            level=level,
            n_resamples=bootstrap,
            confidence=confidence,
            random_state=seed,
            rank_changes=changes,
        )
        for scores in inputs.scores
    ]
    if as_json:
        from riskrank.assessment.json import assessments_to_json

        text = assessments_to_json(assessments).rstrip("\n")
    elif as_csv:
        import polars as pl

        frames = [a.per_topic if per_topic else a.summary for a in assessments]
        text = pl.concat(frames, how="diagonal_relaxed").write_csv().rstrip("\n")
    elif as_latex:
        text = "\n".join(a.to_latex() for a in assessments).rstrip("\n")
    else:
        from riskrank.report.text.assessment_text import assessment_text, topics_table

        bold = output is None and sys.stdout.isatty()
        parts = []
        for a in assessments:
            parts.append(assessment_text(a, bold=bold))
            if per_topic:
                parts += [topics_table(a, alpha=weight) for weight in a.alphas]
        text = "\n\n".join(parts)
    if html is not None:
        from riskrank.report.page.assessment_page import assessment_page
        from riskrank.report.page.top_documents import TopDocuments

        rankings = None
        if inputs.judgments is not None:
            rankings = TopDocuments(inputs.judgments, inputs.runs, inputs.scores[0].topics)
        write_atomically(html, assessment_page(assessments, rankings=rankings))
    emit(text, output)
