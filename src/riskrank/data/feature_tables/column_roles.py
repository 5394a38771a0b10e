"""Which column of a table is what: as a user says, or as its name does."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from riskrank.data.feature_tables.category_columns import are_categories, can_be_categories
from riskrank.data.frames import ACCEPTED_NAMES
from riskrank.data.tables.document_tables import ADDRESS
from riskrank.errors import RiskrankError, counted, listing, nearest, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from riskrank.data.feature_tables.sources.table_source import TableSource

# Names that say what a column is, the most telling first; case, and what joins words, do not matter.
KNOWN_NAMES = {
    "query": ("qid", "query_id", "topic_id", "topic", "query", "search_id", "srch_id", "search_term", "search_query"),
    "label": (*ACCEPTED_NAMES["grade"], "relevance_label", "relevance_grade", "target"),
    "document": (*ACCEPTED_NAMES["document"], "doc_no", "uri", "asin", "sku", "prop_id", "listing_id"),
}
# What pandas writes of its index: the number of a row is no feature.
INDEX_NAMES = ("", "unnamed:_0", "__index_level_0__")
WAYS_OUT = {
    "text": "make it a category (categories='{name}')",
    "bytes": "turn it into numbers",
    "dates or times": "make it a number, like an age in days",
    "lists or records": "make a column of each number",
}
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
MOST_NAMED = 5


@dataclass(frozen=True)
class ColumnChoice:
    """What a user says of the columns of a table; None: they are known by their names.

    `features`, `drop` and `categories` are names or patterns (``bm25*``); without `features`, all other columns of
    numbers are meant. Columns of `categories` are features in any case. `of_model` says that the features are those
    that a model knows, so that none can be left out.
    """

    query: str | None = None
    label: str | None = None
    document: str | None = None
    features: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    weight: str | None = None  # never known by its name
    categories: tuple[str, ...] = ()
    of_model: bool = False

    @property
    def said(self) -> list[str]:
        """The names of what it says anything of."""
        return [field.name for field in fields(self) if getattr(self, field.name) != field.default]

    def ids_among(self, names: Sequence[str]) -> set[str]:
        """Of the columns those of queries, documents and categories, whose cells stay as they are written."""
        ids = {self.query or known_column(names, "query"), self.document or known_column(names, "document")}
        return (ids & set(names)) | {name for name in names for each in self.categories if _is_meant(each, name)}


@dataclass(frozen=True)
class ColumnRoles:
    """The columns of a table: of queries, labels, documents, features and weights; and what is left out unasked."""

    query: str
    label: str | None
    document: str | None
    features: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    weight: str | None = None
    weight_kind: str = ""  # what the weights were found to be of, in words
    categories: tuple[str, ...] = ()  # of the features

    def __str__(self) -> str:
        """In one line.

        >>> str(ColumnRoles("qid", "grade", "url", ("bm25", "length"), left_out=("docid",)))
        'query = qid, label = grade, document = url, 2 features; left out: docid'
        """
        kind = f" ({self.weight_kind})" if self.weight_kind else ""
        weight = None if self.weight is None else f"{self.weight}{kind}"
        named = {"query": self.query, "label": self.label, "document": self.document, "weight": weight}
        parts = [f"{role} = {name}" for role, name in named.items() if name is not None]
        kinds = f" (categories: {listing(self.categories, limit=MOST_NAMED)})" if self.categories else ""
        rest = f"; left out: {columns_listed(self.left_out)}" if self.left_out else ""
        return f"{', '.join(parts)}, {counted(len(self.features), 'feature')}{kinds}{rest}"

    @property
    def ids(self) -> list[str]:
        """The columns but the features."""
        return [name for name in (self.query, self.label, self.document, self.weight) if name is not None]


def columns_listed(names: Sequence[str]) -> str:
    """The first few of some columns, one of which may have no name, as pandas' index."""
    return listing([name or "one without a name" for name in names], limit=MOST_NAMED)


def find_roles(
    source: TableSource, choice: ColumnChoice, *, labelled: bool = True, taken: Iterable[str] = ()
) -> ColumnRoles:
    """What each column is; columns that are `taken` already, as that of a split, are no features."""
    schema = source.schema
    if not schema:
        raise source.error("has no columns.")
    query = _role(source, "query", choice.query)
    if query is None:
        raise source.error(_lacking("query", schema))
    others = choice.features or ()
    label = _role(source, "label", choice.label, labelled=labelled, others=() if labelled else others)
    if label is None and labelled:
        raise source.error(_lacking("label", schema))
    document = _role(source, "document", choice.document, others=others)
    weight = None if choice.weight is None else _role(source, "weight", choice.weight)
    roles = {"query": query, "label": label, "document": document, "weight": weight}
    for role, name in roles.items():
        other = next((each for each in roles if each != role and roles[each] == name is not None), None)
        if other is not None:
            raise source.error(f"column {quoted(str(name))} cannot be both the {role} and the {other}.")
    read = [(role, name) for role, name in roles.items() if labelled or role != "label"]
    _check_types(source, [*read, *(("split", name) for name in taken)])
    kept = {name for name in roles.values() if name is not None} | set(taken)
    features, left_out, categories = _features(source, choice, kept)
    return ColumnRoles(query, label, document, features, left_out, weight, categories=categories)


def _role(
    source: TableSource, role: str, wanted: str | None, *, labelled: bool = False, others: Collection[str] = ()
) -> str | None:
    """The column that is wanted, or else known by its name, unless it is one of some `others`."""
    names = list(source.schema)
    if wanted is None:
        known = [name for name in _known_columns(names, role) if name not in others]
        if labelled and len(known) > 1:  # the other one would be a feature that knows the answer
            both = f"columns {quoted(known[0])} and {quoted(known[1])} may both be labels"
            raise source.error(f"{both}: say which (label='{known[0]}').")
        return known[0] if known else None
    if wanted not in names:
        raise source.error(
            f"has no column {quoted(wanted)} ({role}=); it has {listing(names)}.{nearest(wanted, names)}"
        )
    return wanted


def _check_types(source: TableSource, roles: Iterable[tuple[str, str | None]]) -> None:
    """Refuse columns of what is neither a name nor a number nor a time, by role."""
    for role, name in roles:
        dtype = pl.Null() if name is None else source.schema[name]
        if dtype.is_nested() or dtype in (pl.Binary, pl.Duration, pl.Object):
            what = "numbers" if role in ("label", "weight") else "names or numbers"
            got = one_line(str(dtype), limit=60)
            raise source.error(f"column {quoted(str(name))} ({role}=) must hold {what}, got {got}.")


def known_column(names: Sequence[str], role: str) -> str:
    """The column that a role's names speak of first; empty where there is none."""
    return next(iter(_known_columns(names, role)), "")


def _known_columns(names: Sequence[str], role: str) -> list[str]:
    by_name: dict[str, list[str]] = {}
    for name in names:
        by_name.setdefault(_plain(name), []).append(name)
    known = [name for known in KNOWN_NAMES[role] for name in by_name.get(known, [])]
    addresses = [name for name in names if ADDRESS.fullmatch(_plain(name))]
    return addresses if role == "document" and not known and len(addresses) == 1 else known


@lru_cache(maxsize=1 << 16)  # tables may have thousands of columns, each of which is looked at for every role
def _plain(name: str) -> str:
    """As it is compared: ``Query-ID`` is query_id, and so is queryId."""
    spaced = "".join(
        f"_{c}" if c.isupper() and before.islower() else c for before, c in zip(f" {name}", name, strict=False)
    )
    return spaced.strip().lower().replace(" ", "_").replace("-", "_").replace(".", "_")


def _lacking(role: str, schema: Mapping[str, pl.DataType]) -> str:
    known = ", ".join(KNOWN_NAMES[role][:4])
    return f"has no column that is known as {role} ({known}, …), got {listing(schema)}. Say which ({role}=)."


def _features(source: TableSource, choice: ColumnChoice, kept: set[str]) -> tuple[tuple[str, ...], ...]:
    """The features, what is left out though nobody said so, and the features that are categories."""
    names = [name for name in source.schema if name not in kept]
    dropped = set(_matching(source, choice.drop, names, kept, "drop"))
    named = _matching(source, choice.categories, names, kept, "categories")
    if choice.features is not None:
        wanted = _matching(source, choice.features, names, kept, "features")
        needed = [name for name in wanted if choice.of_model and name in dropped]
        if needed:
            raise source.error(f"column {quoted(needed[0])} is a feature of the model, it cannot be left out (drop=).")
        features = [name for name in dict.fromkeys([*wanted, *named]) if name not in dropped]
        left_out: list[str] = []
    else:
        ids = {name for role in ("query", "document") for name in _known_columns(names, role)} - set(named)
        left_out = [name for name in names if (name in ids or _plain(name) in INDEX_NAMES) and name not in dropped]
        features = [name for name in names if name not in dropped and name not in left_out]
    categories = [name for name in features if name in named or are_categories(source.schema[name])]
    kinds = {name: reason_against(source.schema[name], is_category=name in categories) for name in features}
    wrong = {name: kind for name, kind in kinds.items() if kind}
    if wrong:
        raise _no_feature(source, choice, wrong, categories)
    if not features:
        raise source.error("has no column of numbers that could be a feature.")
    return tuple(features), tuple(left_out), tuple(categories)


def _matching(
    source: TableSource, patterns: Sequence[str], names: Sequence[str], kept: set[str], option: str
) -> list[str]:
    """The columns that are named or match, each once."""
    meant: dict[str, None] = {}
    for pattern in patterns:
        matching = [pattern] if pattern in names else [name for name in names if _is_meant(pattern, name)]
        if not matching and pattern in kept:
            raise source.error(f"column {quoted(pattern)} has another role already ({option}=).")
        if not matching:
            what = "matches" if any(c in pattern for c in "*?[") else "is called"
            raise source.error(f"no column {what} {quoted(pattern)} ({option}=).{nearest(pattern, names)}")
        meant.update(dict.fromkeys(matching))
    return list(meant)


def as_option(name: str) -> str:
    """A column's name as options take it, which may name several.

    >>> as_option("price, net")
    'price? net'
    """
    return name.replace(",", "?")


def _is_meant(pattern: str, name: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def reason_against(dtype: pl.DataType, *, is_category: bool = False) -> str:
    """What a column of this type holds that is no feature; empty if it is one."""
    if can_be_categories(dtype) if is_category else dtype.is_numeric() or dtype in (pl.Boolean, pl.Null):
        return ""
    if dtype.is_temporal():
        return "dates or times"
    return {pl.String: "text", pl.Binary: "bytes"}.get(dtype.base_type(), "lists or records")


def _no_feature(
    source: TableSource, choice: ColumnChoice, wrong: Mapping[str, str], categories: Sequence[str]
) -> RiskrankError:
    """Why the first of some columns is none, with the first cell that is no number; `wrong` are what they hold."""
    (name, what), *others = wrong.items()
    row, example = None, ""
    if what == "text":
        cells = source.columns([name])[name].cast(pl.String, strict=False)
        odd = (cells.is_not_null() & cells.cast(pl.Float64, strict=False).is_null()).arg_true()
        row = int(odd[0]) if len(odd) else None
        example = "" if row is None else f" ({quoted(cells[row])})"
        if row is not None and DECIMAL_COMMA.fullmatch(cells[row]):
            reason = (
                f"column {quoted(name)} has a comma in its numbers ({quoted(cells[row])}). Write them with a point."
            )
            return source.error(reason, row=row)
    if choice.of_model:
        known = "texts or whole numbers" if name in categories else "numbers"
        way = f"the model knows it as {known}. Write these, or nothing where there is none, or train a model without it"
    else:
        option = as_option(name)
        way = f"features are numbers. Leave it out (drop='{option}'), or {WAYS_OUT[what].format(name=option)}"
    rest = f" So for {listing([other for other, _ in others], limit=MOST_NAMED)}." if others else ""
    return source.error(f"column {quoted(name)} holds {what}{example}, {way}.{rest}", row=row)
