"""`riskrank rank`: rank documents with a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import ClusterOption, ModelArgument, OverwriteOption, SparseOption, ZeroBasedFileOption
from riskrank.cli.output import emit, say
from riskrank.cli.rankers import baseline_from
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import ParameterError
from riskrank.files.outputs import check_outputs

if TYPE_CHECKING:
    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.feature_tables.feature_table import FeatureTable
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.wrapped import Wrapped

DataArgument = Annotated[
    str, typer.Argument(metavar="DATA", help="A table or LETOR text, as for train; labels are ignored.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write a file instead of stdout: a run, or by its name a table (.parquet, .csv, .tsv, .arrow, .jsonl).",
    ),
]
BaselineOption = Annotated[
    str | None,
    typer.Option("--baseline", "-b", help="For a model that starts from its baseline: scores, a run or a model."),
]
TagOption = Annotated[str | None, typer.Option(help="The run's tag (default: the model's name).")]
DepthOption = Annotated[int | None, typer.Option(help="Only this many documents per query.", min=1)]
ScoresOption = Annotated[bool, typer.Option("--scores", help="A score per line of DATA, instead of a run.")]
RunsOption = Annotated[bool, typer.Option("--runs", help="For shards: a TREC run of each, instead of a table.")]
ScoreColumnOption = Annotated[str, typer.Option(metavar="NAME", help="What the scores are called in a table.")]


@takes_table("query", "document", "drop", "split", "part")
def command(
    model: ModelArgument,
    data: DataArgument,
    output: OutputOption = None,
    baseline: BaselineOption = None,
    tag: TagOption = None,
    depth: DepthOption = None,
    scores: ScoresOption = False,
    runs: RunsOption = False,
    score_column: ScoreColumnOption = "score",
    overwrite: OverwriteOption = False,
    zero_based: ZeroBasedFileOption = False,
    sparse: SparseOption = False,
    cluster: ClusterOption = None,
    *,
    table: TableOptions,
) -> None:
    """Rank the documents of each query, as a TREC run, or as the table with scores and ranks.

    riskrank rank model test.txt -o model.run
    """
    from riskrank.data.feature_tables.scored_table import check_table_name, is_table_name, scored_table, table_bytes
    from riskrank.data.feature_tables.separate_outputs import check_separate
    from riskrank.data.shards.sharded_data import check_in_shards, shards_of
    from riskrank.data.trec.run_writer import check_finite_scores, run_lines
    from riskrank.rankers import load

    check_in_shards(data, cluster=cluster, runs=runs or None)
    shards = shards_of(data)
    if output is not None:
        if shards is None:
            check_outputs([output], [])
        check_separate([output], [model, data, baseline])
        check_table_name(output)
        if scores and is_table_name(output):
            raise ParameterError(f"{output} is a table, which has scores already: leave scores= out.")
    if not score_column.strip():
        raise ParameterError("score_column must be a name.", "score_column")
    if shards is not None:
        others = {"scores": scores, "zero_based": zero_based, "sparse": sparse}
        said = next((f"{name}= is" for name, value in others.items() if value), None)
        if said is not None or table.is_said:
            raise ParameterError(f"{said or 'options of tables are'} not for shards, whose columns are known.")
        _rank_shards(
            model, shards, output, baseline, runs=runs, tag=tag, depth=depth, column=score_column, cluster=cluster
        )
        return
    table.check(data, zero_based=zero_based)
    ranker = load(model)
    documents, source = _documents(ranker, data, table, zero_based=zero_based, sparse=sparse)
    predicted = ranker.predict(documents, baseline=None if baseline is None else baseline_from(baseline))
    check_finite_scores(documents, predicted)
    if output is not None and is_table_name(output):
        scored = scored_table(documents, predicted, source, column=score_column, depth=depth)
        emit(table_bytes(scored, output), output, overwrite=overwrite)
        return
    if scores:
        lines = list(map(repr, documents.to_source_order(predicted).tolist()))
    else:
        lines = list(run_lines(documents, predicted, tag=tag or Path(model).name, depth=depth))
    emit("\n".join(lines), output, is_data=True, overwrite=overwrite)


def _rank_shards(
    model: str,
    shards: ShardedData,
    output: Path | None,
    baseline: str | None,
    *,
    runs: bool,
    tag: str | None,
    depth: int | None,
    column: str,
    cluster: str | None,
) -> None:
    """Scores of data in shards, as a folder of tables or runs."""
    from riskrank.cluster.scoring import score_shards, scores_folder
    from riskrank.rankers import load

    if output is None:
        raise ParameterError("scores of shards go to a folder of tables, or of runs: pass output=.", "output")
    if tag is not None and not runs:
        raise ParameterError("tag= is of runs: pass runs=, or leave it out.", "tag")
    scores_folder(output).check()
    ranker = load(model)
    _says_beyond(ranker, shards.folder, shards.columns)
    other = None if baseline is None else baseline_from(baseline)
    names = score_shards(
        ranker, shards, output, baseline=other, tag=(tag or Path(model).name) if runs else None, depth=depth,
        column=column, cluster=cluster,
    )  # fmt: skip
    what = "runs" if runs else "tables"
    emit(f"{output}: scores of {shards.manifest.n_documents:,} documents in {len(names)} {what}")


def _says_beyond(ranker: Ranker | Wrapped, path: str, columns: FeatureColumns) -> bool:
    """Are there features after those of the model? If so, it is told."""
    others = ranker.columns_.beyond(columns)
    if others:
        say(f"{path}: {others} not the model's, and left out.")
    return bool(others)


def _documents(
    ranker: Ranker | Wrapped, path: str, table: TableOptions, *, zero_based: bool, sparse: bool
) -> tuple[RankingData, FeatureTable | None]:
    """The documents with the features that the model knows, and the table that they are from."""
    from riskrank.data.feature_tables.ranking_files import is_feature_table
    from riskrank.data.letor.reader import read_letor

    if is_feature_table(path):
        source = table.read_for_model(path, ranker.columns_)
        return table.part_of(source), source
    documents = read_letor(path, zero_based=zero_based)
    if _says_beyond(ranker, path, documents.columns):
        return replace(documents, features=documents.features[:, : ranker.n_features_in_]), None
    if documents.n_features < ranker.n_features_in_:
        documents = read_letor(path, zero_based=zero_based, n_features=ranker.n_features_in_, sparse=sparse)
    return documents, None
