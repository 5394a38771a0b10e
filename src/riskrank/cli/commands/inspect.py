"""`riskrank inspect`: what a model is and why it ranks as it does, or what feature data hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.options import SeedOption, ZeroBasedLetorOption
from riskrank.cli.output import emit
from riskrank.cli.rankers import baseline_from
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.explaining.query_explanation import QueryExplanation
    from riskrank.typing import OneBaseline

ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model's folder; or feature data, a table or LETOR text as for train.")
]
FeaturesOption = Annotated[int, typer.Option(help="How many features to show.", min=0)]
RowsOption = Annotated[int, typer.Option(help="How many rows of the history, or documents, to show.", min=2)]
JsonOption = Annotated[bool, typer.Option("--json", help="Everything of a model, as JSON.")]
DataOption = Annotated[str | None, typer.Option(help="A table or LETOR file, for --why and --permutation.")]
WhyOption = Annotated[
    str | None, typer.Option(metavar="QUERY", help="Why the documents of this query stand in their order.")
]
DocumentsOption = Annotated[
    tuple[str, str] | None, typer.Option(metavar="A B", help="The two to compare (default: the first two).")
]
PermutationOption = Annotated[
    bool, typer.Option("--permutation", help="What the model would lose without each feature, and in risk.")
]
BaselineOption = Annotated[
    str | None,
    typer.Option("--baseline", "-b", help="What risk is against (default: the model's own, if that is a feature)."),
]
MeasureOption = Annotated[
    str | None, typer.Option("--measure", "-m", help="Of --permutation (default: the model's own).")
]
AlphaOption = Annotated[float | None, typer.Option(help="How much more losses weigh (default: the model's).")]
RepeatsOption = Annotated[int, typer.Option(help="Permutations of each feature.", min=1)]


@takes_table("query", "label", "document", "drop", "categories")
def command(
    model: ModelArgument,
    features: FeaturesOption = 10,
    rows: RowsOption = 10,
    as_json: JsonOption = False,
    data: DataOption = None,
    why: WhyOption = None,
    documents: DocumentsOption = None,
    permutation: PermutationOption = False,
    baseline: BaselineOption = None,
    measure: MeasureOption = None,
    alpha: AlphaOption = None,
    repeats: RepeatsOption = 5,
    random_state: SeedOption = 0,
    zero_based: ZeroBasedLetorOption = False,
    *,
    table: TableOptions,
) -> None:
    """Show a model's card, its most important features and the history of its training; or what features do; or what
    feature data hold.

    riskrank inspect model

    riskrank inspect model --data test.txt --why 1501

    riskrank inspect model --data test.txt --permutation
    """
    _check_asked(data, why, documents, permutation)
    if data is None:
        _show(model, table, features, rows, as_json=as_json, zero_based=zero_based)
        return
    from riskrank.rankers import load

    ranker = load(model)
    given, has_labels = _data_for(ranker, data, table, needs_labels=permutation, zero_based=zero_based)
    other = None if baseline is None else baseline_from(baseline)
    if why is not None:
        explained, note = _explained(ranker, given, why, documents, other, has_labels=has_labels)
        emit(_query_shown(explained, note, features, rows, as_json=as_json), is_data=as_json)
        return
    options = {"measure": measure, "alpha": alpha, "repeats": repeats, "random_state": random_state}
    emit(_of_permutations(ranker, given, other, as_json, features, options), is_data=as_json)


def _show(model: str, table: TableOptions, features: int, rows: int, *, as_json: bool, zero_based: bool) -> None:
    """A model, or feature data."""
    from riskrank.data.feature_tables.ranking_files import is_feature_table
    from riskrank.rankers.card import NAME

    is_data = Path(model).is_file() or (not (Path(model) / NAME).exists() and is_feature_table(model))
    if is_data and not as_json:
        from riskrank.report.data_text import data_text

        table.check(model, zero_based=zero_based)
        emit(data_text(table.read(model, zero_based=zero_based), name=model, n_features=features))
        return
    from riskrank.report.text.model_text import model_json, model_text

    emit(model_json(model) if as_json else model_text(model, n_features=features, n_rows=rows), is_data=as_json)


def _data_for(
    ranker: Any, data: str, table: TableOptions, *, needs_labels: bool, zero_based: bool
) -> tuple[RankingData, bool]:
    """Data that a model is asked about, and whether they have labels; those of a column that is named must be there."""
    from riskrank.data.feature_tables.ranking_files import is_feature_table
    from riskrank.data.letor.reader import read_letor

    table.check(data, zero_based=zero_based)
    if is_feature_table(data):
        known = table.read_for_model(data, ranker.columns_, labelled=needs_labels or table.label is not None or None)
        return known.data, known.has_labels
    return read_letor(data, zero_based=zero_based, n_features=ranker.n_features_in_), True


def _check_asked(data: str | None, why: str | None, documents: tuple[str, str] | None, permutation: bool) -> None:
    if data is None and (why is not None or permutation):
        raise ParameterError(f"{'--permutation' if permutation else '--why'} needs documents: pass --data.")
    if data is not None and (why is None) == (not permutation):
        raise ParameterError("--data goes with either --why or --permutation.")
    if documents is not None and why is None:
        raise ParameterError("--documents are those of a query: pass --why.")


def _explained(
    ranker: Any,
    data: RankingData,
    query: str,
    documents: tuple[str, str] | None,
    baseline: OneBaseline | None,
    *,
    has_labels: bool,
) -> tuple[QueryExplanation, str]:
    """Why a query's documents stand in their order, and a note on who ranks them."""
    from riskrank.rankers.explaining.query_explanation import explain_query

    within, note = ranker, ""
    if hasattr(ranker, "ranker_"):
        within, used = ranker.ranker_, ranker.uses_model(data, baseline=baseline)
        note = f"The model ranks {used.sum():,} of {data.n_queries:,} queries"
        if query in data.query_ids:
            is_used = used[data.query_ids.index(query)]
            others = ranker.card_["baselines"][0]
            note += ", also this one." if is_used else f"; {others} ranks this one, and the model would do so:"
    return explain_query(within, data, query, documents, baseline=baseline, has_labels=has_labels), note


def _query_shown(explained: QueryExplanation, note: str, features: int, rows: int, *, as_json: bool) -> str:
    from riskrank.report.explanations.explanation_text import query_json, query_text

    if as_json:
        return query_json(explained, note=note)
    return query_text(explained, n_features=features, n_rows=rows, note=note)


def _of_permutations(
    ranker: Any,
    data: RankingData,
    baseline: OneBaseline | None,
    as_json: bool,
    n_features: int,
    options: dict[str, Any],
) -> str:
    from riskrank.rankers.explaining.permutation import all_importances
    from riskrank.report.explanations.explanation_text import permutation_json, permutation_text

    within, queries, other, note = ranker, data, baseline, ""
    if hasattr(ranker, "ranker_"):
        queries, other = ranker.ranked_by_model(data, baseline)
        within, note = ranker.ranker_, f"The model ranks {queries.n_queries:,} of {data.n_queries:,} queries: these."
    importances = all_importances(within, queries, baseline=other, **options)
    if as_json:
        return permutation_json(importances, note=note)
    return permutation_text(importances, n_queries=queries.n_queries, n_features=n_features, note=note)
