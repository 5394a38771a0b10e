"""`riskrank evaluate`: how effective and how risky each system is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from riskrank.cli.options import JudgmentsArgument, MatrixRowsOption, Missing, ZeroBasedLetorOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.rank_changes import RankChange
    from riskrank.assessment.scored_systems import ScoredSystems

SystemsArgument = Annotated[
    Optional[list[str]],
    typer.Argument(
        metavar="RUN",
        help="TREC runs (name=path gives a name); for a LETOR file: score files (a score per line) or feature:110.",
        show_default=False,
    ),
]
BaselineOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--baseline",
        "-b",
        help="A run's name or file, or mean, median or max of all; several are combined. Default: the first run.",
        show_default=False,
    ),
]
MeasureOption = Annotated[
    Optional[list[str]],
    typer.Option("--measure", "-m", help="nDCG@10, AP, ERR@20, P(rel=2)@5, …; repeatable (default: nDCG@10)."),
]
AlphaOption = Annotated[
    Optional[list[float]],
    typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha; repeatable (default: 0, 1, 5, 10)."),
]
CombineOption = Annotated[str, typer.Option(help="How several baselines become one: mean, median or max.")]
MissingOption = Annotated[Missing, typer.Option(help="Topics a run lacks: score zero, drop, or stop.")]
LevelOption = Annotated[float, typer.Option(help="Significance level of the tests.")]
BootstrapOption = Annotated[int, typer.Option(help="Resamples for bootstrap intervals; 0 leaves them out.")]
ConfidenceOption = Annotated[float, typer.Option(help="Confidence of the bootstrap intervals.")]
SeedOption = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
ChurnOption = Annotated[bool, typer.Option("--churn", help="Add Kendall's τ with the baseline's rankings.")]
PerTopicOption = Annotated[bool, typer.Option("--per-topic", help="Print every topic, worst first, with tests.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON, which riskrank can read back.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="CSV, a row per system (or per topic).")]
LatexOption = Annotated[bool, typer.Option("--latex", help="A LaTeX table.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Write a self-contained page too.", show_default=False)]
OutputOption = Annotated[
    Optional[Path], typer.Option("--output", "-o", help="Write to a file instead of stdout.", show_default=False)
]


def command(
    judgments: JudgmentsArgument,
    systems: SystemsArgument = None,
    baseline: BaselineOption = None,
    measure: MeasureOption = None,
    alpha: AlphaOption = None,
    combine: CombineOption = "mean",
    missing: MissingOption = "zero",
    rows: MatrixRowsOption = "auto",
    zero_based: ZeroBasedLetorOption = False,
    level: LevelOption = 0.05,
    bootstrap: BootstrapOption = 0,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
    churn: ChurnOption = False,
    per_topic: PerTopicOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_latex: LatexOption = False,
    html: HtmlOption = None,
    output: OutputOption = None,
) -> None:
    """Say how effective and how risky each system is against a baseline.

    riskrank evaluate web.qrels bm25.run new.run --baseline bm25 -m nDCG@10 -a 0 -a 5
    """
    from riskrank.assessment.scored_systems import score_systems
    from riskrank.cli.output import check_target, emit
    from riskrank.cli.systems import baseline_name, local_files, named_systems, with_baselines

    form = _form(as_json=as_json, as_csv=as_csv, as_latex=as_latex)
    named = named_systems(with_baselines(systems or [], baseline or []))
    for target in (html, output):
        if target is not None:
            check_target(target, [judgments, *named.values()])
    with local_files(judgments, named) as (path, paths):
        scored = score_systems(path, paths, measure or [], missing=missing, rows=rows, zero_based=zero_based)
    from riskrank.assessment.assess import assess  # loaded while the runs were read

    names = [baseline_name(b, named) for b in baseline or []] or [scored.first.systems[0]]
    changes = _rank_changes(scored, names) if churn else None
    assessments = [
        assess(
            scores,
            names,
            alphas=alpha or (0, 1, 5, 10),
            combine=combine,
            level=level,
            n_resamples=bootstrap,
            confidence=confidence,
            random_state=seed,
            rank_changes=changes,
        )
        for scores in scored.scores.values()
    ]
    text = _text(assessments, form, per_topic=per_topic, bold=output is None and sys.stdout.isatty())
    if html is not None:
        _write_page(html, assessments, scored)
    emit(text, output)


def _form(**wanted: bool) -> str:
    """What to print: one of the forms that were asked for, or a table."""
    from riskrank.errors import ParameterError

    forms = [form for form, is_wanted in wanted.items() if is_wanted]
    if len(forms) > 1:
        raise ParameterError("choose one of --json, --csv and --latex.")
    return forms[0] if forms else "as_table"


def _rank_changes(scored: ScoredSystems, baselines: Sequence[str]) -> dict[str, RankChange]:
    from riskrank.assessment.rank_changes import rank_changes
    from riskrank.errors import ParameterError

    if len(baselines) > 1 or baselines[0] not in scored.systems:
        raise ParameterError("--churn needs runs or scores, and a baseline that is one of them.")
    return rank_changes(scored.systems, baselines[0], topics=scored.first.topics, data=scored.data)


def _text(assessments: Sequence[Assessment], form: str, *, per_topic: bool, bold: bool) -> str:
    if form == "as_json":
        from riskrank.assessment.json import assessments_to_json

        return assessments_to_json(assessments).rstrip("\n")
    if form == "as_csv":
        import polars as pl

        frames = [a.per_topic if per_topic else a.summary for a in assessments]
        return pl.concat(frames, how="diagonal_relaxed").write_csv().rstrip("\n")
    if form == "as_latex":
        return "\n".join(a.to_latex() for a in assessments).rstrip("\n")
    from riskrank.report.text.assessment_text import assessment_text, topics_table

    parts = []
    for assessment in assessments:
        parts.append(assessment_text(assessment, bold=bold))
        if per_topic:
            parts += [topics_table(assessment, alpha=alpha) for alpha in assessment.alphas]
    return "\n\n".join(parts)


def _write_page(path: Path, assessments: Sequence[Assessment], scored: ScoredSystems) -> None:
    from riskrank.data.files import write_atomically
    from riskrank.report.page.assessment_page import assessment_page
    from riskrank.report.page.top_documents import TopDocuments

    rankings = None
    if scored.judgments is not None:
        rankings = TopDocuments(scored.judgments, scored.systems, scored.first.topics)
    write_atomically(path, assessment_page(assessments, rankings=rankings))
