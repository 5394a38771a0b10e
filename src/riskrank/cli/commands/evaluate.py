"""`riskrank evaluate`: how effective and how risky each system is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import JudgmentsArgument, MatrixRowsOption, Missing, OutputFileOption, ZeroBasedLetorOption
from riskrank.cli.output import check_output, emit
from riskrank.cli.systems import baseline_name, local_files, named_systems, with_baselines
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.rank_changes import RankChange
    from riskrank.assessment.scored_systems import ScoredSystems

SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help="TREC runs (name=path gives a name); for a LETOR file: score files (a score per line) or feature:110.",
    ),
]
BaselineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--baseline",
        "-b",
        help="A run's name or file, or mean, median or max of all; several are combined. Default: the first run.",
    ),
]
MeasureOption = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="nDCG@10, AP, ERR@20, P(rel=2)@5, …; repeatable (default: nDCG@10)."),
]
AlphaOption = Annotated[
    list[float] | None, typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha; repeatable (default: 0, 1, 5, 10).")
]
CombineOption = Annotated[str, typer.Option(help="How several baselines become one: mean, median or max.")]
MissingOption = Annotated[Missing, typer.Option(help="Topics a run lacks: score zero, drop, or stop.")]
LevelOption = Annotated[float, typer.Option(help="Significance level of the tests.")]
BootstrapOption = Annotated[
    int, typer.Option("--bootstrap", help="Resamples for bootstrap intervals; 0 leaves them out.")
]
ConfidenceOption = Annotated[float, typer.Option(help="Confidence of the bootstrap intervals.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the bootstrap.")]
ChurnOption = Annotated[bool, typer.Option("--churn", help="Add Kendall's τ with the baseline's rankings.")]
PerTopicOption = Annotated[bool, typer.Option("--per-topic", help="Print every topic, worst first, with tests.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON, which riskrank can read back.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="CSV, a row per system (or per topic).")]
LatexOption = Annotated[bool, typer.Option("--latex", help="A LaTeX table.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Write a self-contained page too.")]


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
    n_resamples: BootstrapOption = 0,
    confidence: ConfidenceOption = 0.95,
    random_state: SeedOption = 0,
    churn: ChurnOption = False,
    per_topic: PerTopicOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_latex: LatexOption = False,
    html: HtmlOption = None,
    output: OutputFileOption = None,
) -> None:
    """Say how effective and how risky each system is against a baseline.

    riskrank evaluate web.qrels bm25.run new.run --baseline bm25 -m nDCG@10 -a 0 -a 5
    """
    from riskrank.assessment.scored_systems import score_systems

    if as_json + as_csv + as_latex > 1:
        raise ParameterError("choose one of --json, --csv and --latex.")
    named = named_systems(with_baselines(systems or [], baseline or []))
    for target in (html, output):
        if target is not None:
            check_output(target, [judgments, *named.values()])
    with local_files(judgments, named) as (path, paths):
        scored = score_systems(path, paths, measure or [], missing=missing, rows=rows, zero_based=zero_based)
    from riskrank.assessment.assess import assess  # loaded while the runs were read
    from riskrank.assessment.json import assessments_to_json

    names = [baseline_name(b, named) for b in baseline or []] or [scored.first.systems[0]]
    changes = _rank_changes(scored, names) if churn else None
    assessments = [
        assess(
            scores, names, alphas=alpha or (0, 1, 5, 10), combine=combine, level=level, n_resamples=n_resamples,
            confidence=confidence, random_state=random_state, rank_changes=changes,
        )
        for scores in scored.scores.values()
    ]  # fmt: skip
    if as_json:
        text = assessments_to_json(assessments)
    elif as_csv:
        text = _csv(assessments, per_topic=per_topic)
    elif as_latex:
        text = "\n".join(each.to_latex() for each in assessments)
    else:
        text = _tables(assessments, per_topic=per_topic, bold=output is None and sys.stdout.isatty())
    if html is not None:
        _write_page(html, assessments, scored)
    emit(text.rstrip("\n"), output)


def _rank_changes(scored: ScoredSystems, baselines: Sequence[str]) -> dict[str, RankChange]:
    from riskrank.assessment.rank_changes import rank_changes

    if len(baselines) > 1 or baselines[0] not in scored.systems:
        raise ParameterError("--churn needs runs or scores, and a baseline that is one of them.")
    return rank_changes(scored.systems, baselines[0], topics=scored.first.topics, data=scored.data)


def _csv(assessments: Sequence[Assessment], *, per_topic: bool) -> str:
    import polars as pl

    frames = [each.per_topic if per_topic else each.summary for each in assessments]
    return pl.concat(frames, how="diagonal_relaxed").write_csv()


def _tables(assessments: Sequence[Assessment], *, per_topic: bool, bold: bool) -> str:
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
