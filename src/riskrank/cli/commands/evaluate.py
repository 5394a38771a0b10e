"""`riskrank evaluate`: how effective and how risky each system is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.evaluation import Evaluation, text_options
from riskrank.cli.options import (
    ClusterOption,
    JudgmentsArgument,
    MatrixRowsOption,
    OutputFileOption,
    OverwriteOption,
    WeightsOption,
    WithoutRelevantOption,
    ZeroBasedLetorOption,
    numbers_from,
)
from riskrank.cli.output import emit, is_coloured, say
from riskrank.cli.rankers import baseline_from
from riskrank.cli.systems import baseline_name, local_files, named_systems, weights_file, with_baselines
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import ParameterError
from riskrank.files.outputs import check_outputs
from riskrank.report.findings.words import one_sentence
from riskrank.typing import Combination, CorrectionName, MatrixRows, Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.assessment.rank_changes import RankChange
    from riskrank.assessment.scored_systems import ScoredSystems

SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN…",
        help="TREC runs (name=path gives a name); for feature data (LETOR text or a table): score files (a score per "
        "line), feature:110 or column:bm25.",
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
    list[str] | None,
    typer.Option(
        "--alpha", "-a", metavar="ALPHAS", help="Losses weigh 1 + alpha, at each of these (default: 0,1,5,10)."
    ),
]
CombineOption = Annotated[Combination, typer.Option(help="How several baselines become one, topic by topic.")]
MissingOption = Annotated[Missing, typer.Option(help="Topics a run lacks: score zero, drop, or stop.")]
LevelOption = Annotated[float, typer.Option(help="Significance level of the tests.")]
CorrectionOption = Annotated[
    CorrectionName, typer.Option(help="How verdicts are corrected for the number of systems tested.")
]
PopulationOption = Annotated[
    list[str] | None,
    typer.Option(help="A system that ZRisk and GeoRisk take expectations from; repeatable (default: all)."),
]
IntervalsOption = Annotated[bool, typer.Option("--intervals", help="Add intervals to all numbers that have one.")]
ConfidenceOption = Annotated[float, typer.Option(help="Confidence of the intervals.")]
TablesOption = Annotated[bool, typer.Option("--tables", help="Print all numbers, in two tables.")]
AllSystemsOption = Annotated[bool, typer.Option("--all", help="List every system.")]
SortOption = Annotated[str, typer.Option(help="Order of the systems: gain, risk, hurt or cvar.")]
ColumnsOption = Annotated[
    str, typer.Option(help="Of score, gain, interval, hurt, large, risk, reward, cvar, verdicts, up-to.")
]
TTestOption = Annotated[bool, typer.Option("--t-test", help="Add the paper's p-values, by Student's t.")]
AllPairsOption = Annotated[bool, typer.Option("--all-pairs", help="Compare every system with every other one too.")]
PowerOption = Annotated[bool, typer.Option("--power", help="Say how many topics it takes to see a gain.")]
BootstrapOption = Annotated[int, typer.Option("--bootstrap", help="Deprecated: --intervals.", hidden=True)]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Deprecated: nothing is random.", hidden=True)]
ChurnOption = Annotated[bool, typer.Option("--churn", help="Add Kendall's τ with the baseline's rankings.")]
PerTopicOption = Annotated[bool, typer.Option("--per-topic", help="Print every topic, worst first, with tests.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON, which riskrank can read back.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="CSV, a row per system (or per topic).")]
LatexOption = Annotated[bool, typer.Option("--latex", help="A LaTeX table.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Write a self-contained page too.")]

DRAWS = "--bootstrap and --seed are deprecated: intervals need no draws (--intervals)."


@takes_table("query", "label", "document", "features", "drop", "categories", "weight", "split", "part")
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
    without_relevant: WithoutRelevantOption = "zero",
    weights: WeightsOption = None,
    level: LevelOption = 0.05,
    correction: CorrectionOption = "holm",
    population: PopulationOption = None,
    intervals: IntervalsOption = False,
    confidence: ConfidenceOption = 0.95,
    tables: TablesOption = False,
    all_systems: AllSystemsOption = False,
    sort: SortOption = "gain",
    columns: ColumnsOption = "",
    t_test: TTestOption = False,
    all_pairs: AllPairsOption = False,
    power: PowerOption = False,
    bootstrap: BootstrapOption = 0,
    seed: SeedOption = None,
    churn: ChurnOption = False,
    per_topic: PerTopicOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_latex: LatexOption = False,
    html: HtmlOption = None,
    output: OutputFileOption = None,
    overwrite: OverwriteOption = False,
    cluster: ClusterOption = None,
    *,
    table: TableOptions,
) -> None:
    """Say how effective and how risky each system is against a baseline.

    riskrank evaluate qrels.txt bm25.run neural.run hybrid.run -b bm25 -a 0,1,5
    """
    table.check_weights(weights)
    form = _format(as_json=as_json, as_csv=as_csv, as_latex=as_latex, n_tables=per_topic + all_pairs + power)
    alphas = numbers_from(alpha or ["0,1,5,10"], "--alpha")
    named = named_systems(with_baselines(systems or [], baseline or []))
    _check_places([html, output], [judgments, *named.values(), *weights_file(weights)])
    options = text_options(all_systems=all_systems, sort=sort, columns=columns, styled=is_coloured(output))
    data_are_needed = churn or html is not None
    scored = None if data_are_needed else _scored_table(judgments, named, measure or [], missing, table)
    scored = scored or _scored(judgments, named, measure or [], missing, rows, zero_based, table, cluster)
    scored = scored.with_relevant() if without_relevant == "drop" else scored
    names, reference = _baselines(baseline or [], named, scored)
    assessments = _assessments(
        scored, baseline=reference, alphas=alphas, combine=combine, level=level,
        correction=correction, population=population, intervals=intervals or bootstrap > 0, confidence=confidence,
        rank_changes=_rank_changes(scored, names) if churn else None, weights=weights,
    )  # fmt: skip
    evaluation = Evaluation(assessments, all_pairs=all_pairs, power=power, per_topic=per_topic)
    text = evaluation.text(options, tables=tables, t_test=t_test) if form == "text" else evaluation.data(form)
    _warn(evaluation.cautions if form == "csv" else [], draws=bootstrap > 0 or seed is not None)
    beside = {} if html is None else {html: _page(evaluation, scored, judgments)}
    emit(text.rstrip("\n"), output, is_data=form != "text", beside=beside, overwrite=overwrite)


def _baselines(given: list[str], named: dict[str, str], scored: ScoredSystems) -> tuple[list[str], str | list[str]]:
    """The names of the baselines, and what all are held against: these, or a word (mean, median or max)."""
    names = [baseline_name(each, named) for each in given] or [scored.first.systems[0]]
    is_word = names == given and len(names) == 1  # or a name: not a file
    return names, names[0] if is_word else names


def _check_places(outputs: Sequence[Path | None], inputs: Sequence[str]) -> None:
    from riskrank.data.feature_tables.separate_outputs import check_separate

    check_outputs(outputs, [])
    check_separate(outputs, inputs)


def _assessments(scored: ScoredSystems, **options: Any) -> list[Assessment]:
    """One for each measure, with the same options."""
    from riskrank.assessment.assess import assess  # loaded while the runs were read

    return [assess(scores, **options) for scores in scored.scores.values()]


def _warn(cautions: Sequence[str], *, draws: bool) -> None:
    if draws:
        typer.echo(DRAWS, err=True)
    for caution in cautions:
        typer.echo(f"Caution: {one_sentence(caution)}", err=True)


def _format(*, as_json: bool, as_csv: bool, as_latex: bool, n_tables: int) -> str:
    if as_json + as_csv + as_latex > 1:
        raise ParameterError("choose one of --json, --csv and --latex.")
    if as_csv and n_tables > 1:
        raise ParameterError("CSV holds one table: choose one of --per-topic, --all-pairs and --power.")
    return "json" if as_json else "csv" if as_csv else "latex" if as_latex else "text"


def _scored_shards(
    source: str,
    named: dict[str, str],
    measures: list[str],
    missing: Missing,
    cluster: str | None,
) -> ScoredSystems:
    """Systems on data in shards; these are features, columns of scores and models."""
    from riskrank.data.shards.sharded_data import ShardedData, check_in_shards

    check_in_shards(source, cluster=cluster)
    data = ShardedData(source)
    from riskrank.assessment.scored_systems import DEFAULT_MEASURE, ScoredSystems
    from riskrank.measures.evaluate import evaluate

    if not named:
        raise ParameterError("pass at least one system: feature:1, column:bm25 or a model.")
    systems = {name: baseline_from(text) for name, text in named.items()}
    judged = evaluate(data, systems, measures or [DEFAULT_MEASURE], missing=missing, cluster=cluster)
    return ScoredSystems(judged)


def _scored_table(
    source: str, named: dict[str, str], measures: list[str], missing: Missing, table: TableOptions
) -> ScoredSystems | None:
    """Columns of a table that rank its documents, a part of the queries at a time; None where that cannot be."""
    from riskrank.data.feature import feature_of

    features = {name: feature for name, text in named.items() if (feature := feature_of(text)) is not None}
    streamed = table.streamed(source) if features and len(features) == len(named) else None
    if streamed is None:
        return None
    from riskrank.assessment.scored_systems import DEFAULT_MEASURE, ScoredSystems
    from riskrank.data.shards.seen_queries import ScatteredQueriesError
    from riskrank.measures import parse_measure
    from riskrank.measures.evaluate import evaluate_streamed

    wanted = [parse_measure(each) for each in measures or [DEFAULT_MEASURE]]
    try:
        scores = evaluate_streamed(streamed, features, wanted, missing=missing)
    except ScatteredQueriesError:
        return None
    say(f"{source}: {streamed.roles}.")
    return ScoredSystems(scores)


def _scored(
    source: str, named: dict[str, str], measures: list[str], missing: Missing,
    rows: MatrixRows, zero_based: bool, table: TableOptions, cluster: str | None,
) -> ScoredSystems:  # fmt: skip
    from riskrank.assessment.scored_systems import score_systems

    if table.means_shards(source, zero_based=zero_based) or cluster is not None:
        return _scored_shards(source, named, measures, missing, cluster)
    judgments = table.read(source) if table.means_features(source, named.values()) else source
    with local_files(judgments if isinstance(judgments, str) else "", named) as (path, paths):
        if isinstance(judgments, str):
            return score_systems(path, paths, measures, missing=missing, rows=rows, zero_based=zero_based)
        systems = {name: table.system(file, judgments) for name, file in paths.items()}
        return score_systems(judgments, systems, measures, missing=missing)


def _rank_changes(scored: ScoredSystems, baselines: Sequence[str]) -> dict[str, RankChange]:
    from riskrank.assessment.rank_changes import rank_changes

    if len(baselines) > 1 or baselines[0] not in scored.systems:
        raise ParameterError("--churn needs runs or scores (not in shards), and a baseline that is one of them.")
    return rank_changes(scored.systems, baselines[0], topics=scored.first.topics, data=scored.data)


def _page(evaluation: Evaluation, scored: ScoredSystems, source: str) -> str:
    from riskrank.report.page.assessment_page import assessment_page
    from riskrank.report.page.explorer.top_documents import TopDocuments

    rankings = None
    if scored.judgments is not None:
        rankings = TopDocuments(scored.judgments, scored.systems, evaluation.assessments[0].scores.topics)
    name = Path(source).name if Path(source).is_file() else ""  # a pipe has none
    return assessment_page(evaluation.assessments, rankings=rankings, source=name, tables=evaluation.tables)
