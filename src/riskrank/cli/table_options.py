"""Tables as data of the commands: options that say which column is what, declared once, and the reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.added_options import Command, added_options
from riskrank.cli.output import say
from riskrank.errors import FileError, ParameterError, counted, listing

if TYPE_CHECKING:
    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.feature_tables.column_roles import ColumnChoice
    from riskrank.data.feature_tables.feature_table import FeatureTable
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.streamed_table import StreamedTable
    from riskrank.typing import Floats, PathLike

OPTIONS: dict[str, Any] = {
    "query": Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of the queries (found: qid, query_id, query, …).")
    ],
    "label": Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of the labels (found: label, grade, relevance, …).")
    ],
    "document": Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of the documents (found: docno, doc_id, url, …).")
    ],
    "features": Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="The features (default: all other numbers): names or patterns ('bm25*')."),
    ],
    "drop": Annotated[
        list[str] | None, typer.Option(metavar="COLUMNS", help="Columns that are no features: names, or patterns.")
    ],
    "categories": Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Texts or whole numbers that are categories: names, or patterns."),
    ],
    "weight": Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of weights: how much queries count, as their traffic.")
    ],
    "split": Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Divide the queries: a column that says train, valid or test; shares, as 70:15:15; or time:COLUMN.",
        ),
    ],
    "part": Annotated[
        str | None, typer.Option("--part", metavar="PART", help="Only this part of the split: train, valid or test.")
    ],
}  # fmt: skip

READING: dict[str, Any] = {  # of LETOR text, too
    "cache": Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Keep the features in this folder, so that they are read only once."),
    ],
}


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """What the options of a command say of tables, and of the reading of all feature data."""

    query: str | None = None
    label: str | None = None
    document: str | None = None
    features: Sequence[str] | None = None
    drop: Sequence[str] | None = None
    categories: Sequence[str] | None = None
    weight: str | None = None
    split: str | None = None
    part: str | None = None
    cache: str | None = None

    @property
    def choice(self) -> ColumnChoice:
        """Which column is what."""
        from riskrank.data.feature_tables.feature_table import choice_of

        features = None if not self.features else _names(self.features)
        drop, categories = _names(self.drop or ()), _names(self.categories or ())
        return choice_of(self.query, self.label, self.document, features, drop, self.weight, categories)

    @property
    def is_said(self) -> bool:
        """Was any of them given?"""
        return any(getattr(self, name) for name in OPTIONS)

    def means_features(self, judgments: str, systems: Iterable[str]) -> bool:
        """Is a table of judgments one of features, since its columns are named, or systems are columns of it?"""
        from riskrank.data.feature import feature_of
        from riskrank.data.feature_tables.ranking_files import is_feature_table, says_table
        from riskrank.data.tables.table_files import is_table_file

        if self.is_said:
            self.check(judgments)
            return is_feature_table(judgments)
        may_be_judgments = is_table_file(judgments) and not any(map(feature_of, systems))  # of documents, or scores
        return says_table(judgments) and not may_be_judgments

    def streamed(self, path: str) -> StreamedTable | None:
        """A table that can be judged a part at a time: all of its queries, which count the same."""
        from riskrank.data.feature_tables.ranking_files import is_feature_table, says_table
        from riskrank.data.shards.sharded_data import is_sharded

        is_plain = self.split is None and self.part is None and self.weight is None
        if not is_plain or is_sharded(path) or not (says_table(path) and is_feature_table(path)):
            return None
        from riskrank.data.shards.streamed_table import StreamedTable

        return StreamedTable(path, self.choice)

    def system(self, path: str, data: RankingData) -> str | Floats:
        """The scores of a table like those that `rank` writes, by the columns that are named; all else as it is."""
        from riskrank.data.feature_tables.ranking_files import read_scored_table, says_table
        from riskrank.data.tables.document_tables import is_document_table

        if not self.is_said or not says_table(path) or is_document_table(path):
            return path
        return read_scored_table(path, self.choice, data)

    def means_shards(self, path: str, weights: str | None = None, **others: bool) -> bool:
        """Is it a folder of shards, of which nothing more can be said?"""
        from riskrank.data.shards.sharded_data import is_sharded

        if not is_sharded(path):
            return False
        if self.is_said or weights is not None:
            raise FileError(path, "holds shards, whose columns and weights are known: say them to `riskrank shard`.")
        if self.cache is not None:
            raise ParameterError(f"{path} holds shards, which are read as they are: leave cache= out.", "cache")
        said = next((name for name, is_said in others.items() if is_said), None)
        if said is not None:
            raise ParameterError(f"{path} holds shards: leave {said}= out, it is for `riskrank shard`.", said)
        return True

    def check(self, *paths: str | None, zero_based: bool = False, output: PathLike | None = None) -> None:
        """Refuse what cannot be read, before libraries are loaded, which takes a second or two."""
        from riskrank.data.cache.feature_cache import FeatureCache
        from riskrank.data.feature_tables.ranking_files import check_ranking_data

        if self.cache is not None:
            FeatureCache(self.cache).check(output)
        if self.part is not None and self.split is None:
            raise ParameterError("part= needs a rule that divides the queries: pass split=.")
        for path in paths:
            if path is not None:
                self._check_divided(path)
                check_ranking_data(path, self.choice, zero_based=zero_based)

    def check_weights(self, weights: str | None) -> None:
        """Refuse a column of weights beside a table of `weights`."""
        if self.weight is not None and weights is not None:
            raise ParameterError("weight= and weights= both say how much queries count: leave one of them out.")

    def read(
        self, path: str, *, like: RankingData | None = None, zero_based: bool = False, sparse: bool = False
    ) -> RankingData:
        """Labelled data of the part that is asked for, with the features of those that they are to be `like`."""
        from riskrank.data.feature_tables.ranking_files import is_feature_table, read_ranking_data

        if is_feature_table(path):
            return self.part_of(self.read_table(path, like=None if like is None else like.columns))
        width = None if like is None else like.n_features
        return read_ranking_data(
            path, self.choice, zero_based=zero_based, n_features=width, sparse=sparse, cache=self.cache
        )

    def read_table(self, path: str, *, like: FeatureColumns | None = None) -> FeatureTable:
        """A labelled table, with the features of other data or those that it has; what was taken for what is said."""
        from riskrank.data.feature_tables.feature_table import read_feature_table
        from riskrank.data.feature_tables.ranking_files import check_columns

        choice, features = self.choice, None if like is None else like.names
        if like is not None and features is not None:
            check_columns(path, like, choice)
            choice = replace(choice, features=features, categories=like.category_names, drop=())
        table = read_feature_table(path, choice, split=self.split, cache=self.cache)
        say(f"{path}: {table.roles}.")
        for note in table.notes if features is None else ():
            say(f"{path}: {note}")
        return table

    def read_parts(self, path: str) -> dict[str, RankingData]:
        """The parts that the split makes of a table's queries."""
        self._check_divided(path)
        parts = self.read_table(path).parts
        if "train" not in parts:
            raise FileError(path, f"the split leaves no queries to train on, only for {listing(parts)}.")
        sizes = ", ".join(f"{name} {counted(part.n_queries, 'query')}" for name, part in parts.items())
        say(f"{path}: {sizes}.")
        return parts

    def read_for_model(self, path: str, model: FeatureColumns, *, labelled: bool | None = False) -> FeatureTable:
        """A table to be ranked by a model; labels as in `read_feature_table`."""
        from riskrank.data.feature_tables.column_roles import columns_listed
        from riskrank.data.feature_tables.ranking_files import read_for_model

        table = read_for_model(path, model, self.choice, labelled=labelled, split=self.split)
        named = {*table.roles.ids, *table.roles.features}
        others = [] if model.names is None else [name for name in table.source.schema if name not in named]
        rest = f"; not the model's: {columns_listed(others)}" if others else ""
        label = None if labelled is False else table.roles.label
        say(f"{path}: {replace(table.roles, label=label, left_out=())}{rest}.")
        return table

    def part_of(self, table: FeatureTable) -> RankingData:
        """The part that is asked for, or all."""
        if self.part is None:
            return table.data
        part = table.part(self.part)
        if part is None:
            raise table.source.error(f"has no queries for {self.part}, only for {listing(table.parts)}.")
        return part

    def _check_divided(self, path: PathLike) -> None:
        from riskrank.data.feature_tables.ranking_files import is_feature_table

        if self.split is not None and not is_feature_table(path):
            raise FileError(path, "is no table: split= divides the queries of tables only.")


def takes_table(*names: str) -> Callable[[Command], Command]:
    """Give a command the options of these names, as one parameter `table`."""
    known = OPTIONS | READING
    return added_options({name: known[name] for name in names}, lambda given: {"table": TableOptions(**given)})


def _names(texts: Sequence[str]) -> list[str]:
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]
