"""Feature data by path or address, whatever they are: LETOR text or a table."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.column_roles import ColumnChoice, known_column
from riskrank.data.feature_tables.feature_table import FeatureTable, open_table, read_feature_table
from riskrank.data.feature_tables.sources.database_tables import is_database, parse_address
from riskrank.data.feature_tables.sources.table_paths import is_named_table, is_table, table_files
from riskrank.data.files import opened
from riskrank.data.letor.reader import check_letor, read_letor
from riskrank.data.scores.document_scores import run_scores
from riskrank.data.trec.runs import read_run
from riskrank.errors import AlignmentError, FileError, quoted, warn_caller

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, PathLike

NOTHING_SAID = ColumnChoice()


def is_feature_table(path: PathLike) -> bool:
    """Is it a table rather than LETOR text?"""
    return is_database(os.fspath(path)) or is_table(path)


def says_table(path: PathLike) -> bool:
    """Does its name alone say that it is one?"""
    return is_database(os.fspath(path)) or is_named_table(os.fspath(path))


def check_ranking_data(path: PathLike, choice: ColumnChoice = NOTHING_SAID, *, zero_based: bool = False) -> None:
    """Refuse what cannot be read by its first bytes, before anything is done that takes longer."""
    if is_database(os.fspath(path)):
        parse_address(os.fspath(path))
    elif is_table(path):
        for file in table_files(path):
            with opened(file) as bytes_:
                bytes_.read(1)
    else:
        _check_unsaid(path, choice)
        check_letor(path, zero_based=zero_based)


def read_ranking_data(
    path: PathLike,
    choice: ColumnChoice = NOTHING_SAID,
    *,
    labelled: bool = True,
    n_features: int | None = None,
    zero_based: bool = False,
    sparse: bool = False,
    cache: PathLike | None = None,
) -> RankingData:
    """Feature data from LETOR text (as `read_letor`) or from a table (as `read_table`)."""
    if not is_feature_table(path):
        _check_unsaid(path, choice)
        return read_letor(path, n_features=n_features, zero_based=zero_based, sparse=sparse, cache=cache)
    table = read_feature_table(path, choice, labelled=labelled, cache=cache)
    for note in table.notes:
        warn_caller(note)
    return table.data


def check_columns(path: PathLike, model: FeatureColumns, choice: ColumnChoice) -> None:
    """Refuse a table that lacks a column that a model, or other data, know by name."""
    names = tuple(name for name in open_table(path, choice).schema if name)  # an index of pandas has none
    try:
        model.positions_in(FeatureColumns(len(names), names=names), what="its columns")
    except AlignmentError as error:
        raise FileError(path, str(error)) from None


def read_for_model(
    path: PathLike,
    model: FeatureColumns,
    choice: ColumnChoice,
    *,
    labelled: bool | None = False,
    split: str | None = None,
) -> FeatureTable:
    """A table with the columns that a model knows, in its order; labels are read as `read_feature_table` does."""
    if model.names is not None and choice.features is None:
        check_columns(path, model, choice)
        choice = replace(choice, features=model.names, categories=model.category_names, of_model=True)
    return read_feature_table(path, choice, labelled=labelled, split=split)


def read_scored_table(path: PathLike, choice: ColumnChoice, data: RankingData) -> Floats:
    """The scores of documents in a user's own table with a column ``score``, as `riskrank rank` writes it."""
    source = open_table(path, choice)
    names = {
        "topic": choice.query or known_column(list(source.schema), "query", choice),
        "document": choice.document or known_column(list(source.schema), "document", choice),
        "score": "score",
    }
    for role, name in names.items():
        if name not in source.schema:
            what = role if name == role or not name else f"column {quoted(name)}"
            raise source.error(f"needs columns of queries, documents and scores, has no {what}.")
    frame = source.columns(list(names.values())).rename({name: role for role, name in names.items()})
    return run_scores(read_run(frame, name=os.fspath(path)), data)


def _check_unsaid(path: PathLike, choice: ColumnChoice) -> None:
    if choice.said:
        raise FileError(path, f"is no table, its columns have no names: leave {choice.said[0]}= out.")
