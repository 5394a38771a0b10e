"""Category features: values that stand for themselves, held as codes from 0 among the numbers; NaN is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError, counted, quoted, warn_caller

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.typing import Categories, Singles

MOST_CATEGORIES = 10_000  # of a column to learn from; more are names of things rather than kinds


def check_codes(features: Singles, columns: FeatureColumns) -> None:
    """Refuse numbers that are no codes of their column's categories."""
    for column, values in columns.categories.items():
        codes = features[:, column]
        known = codes[~np.isnan(codes)]
        if len(known) and not (known.min() >= 0 and known.max() < len(values) and (known == np.floor(known)).all()):
            most = len(values) - 1
            raise AlignmentError(
                f"{columns.label(column)} must hold codes of its categories, from 0 to {most}, or NaN."
            )


def check_number(columns: FeatureColumns) -> None:
    """Refuse columns with more categories than can be learned from."""
    for column, values in columns.categories.items():
        if len(values) > MOST_CATEGORIES:
            has = (
                f"{columns.label(column)} has {counted(len(values), 'category')}, at most {MOST_CATEGORIES:,} are used"
            )
            raise AlignmentError(f"{has}. Leave it out (drop=), or join the rare ones.")


def seen_categories(features: Singles, categories: Categories) -> Categories:
    """The categories that occur; None stands for the others, so that codes stay as they are."""
    seen = {}
    for column, values in categories.items():
        codes = features[:, column]
        times = np.bincount(codes[~np.isnan(codes)].astype(np.int64), minlength=len(values))
        seen[column] = tuple(value if n else None for value, n in zip(values, times.tolist(), strict=True))
    return seen


def model_codes(features: Singles, given: Categories, model: FeatureColumns, *, what: str) -> Singles:
    """Features in a model's codes, by value; `given` are the categories of the same columns in the data.

    Values that the model does not know are missing, with a warning.
    """
    coded, unknown = features, []
    for column in sorted({*given, *model.categories}):
        _check_kind(features, column, given, model, what)
        if column not in given or given[column] == model.categories[column]:
            continue
        code_of = {value: code for code, value in enumerate(model.categories[column]) if value is not None}
        codes = np.array([*(code_of.get(value or "", np.nan) for value in given[column]), np.nan], np.float32)
        before = features[:, column]
        places = np.where(np.isnan(before), len(given[column]), before).astype(np.int64)
        after = codes[places]
        if np.array_equal(before, after, equal_nan=True):
            continue
        if coded is features:
            coded = features.copy()
        coded[:, column] = after
        is_unknown = np.isnan(after) & ~np.isnan(before)
        if is_unknown.any():
            values = [given[column][place] or "" for place in np.unique(places[is_unknown])]
            unknown.append(_told(model.label(column), values, int(is_unknown.sum())))
    if unknown:
        known = "values that the model does not know count as missing"
        warn_caller(f"{known}: {'; '.join(unknown)}.")
    return coded


def _check_kind(features: Singles, column: int, given: Categories, model: FeatureColumns, what: str) -> None:
    """A column must hold categories in the data and in the model, or numbers in both; it may be empty."""
    if (column in given) == (column in model.categories) or np.isnan(features[:, column]).all():
        return
    name = model.label(column)
    if column in given:
        raise AlignmentError(f"{name} holds categories in {what}, the model knows it as numbers.")
    way = "Name it in categories= of read_table, or make it a column of type category."
    raise AlignmentError(f"{name} holds numbers in {what}, the model knows it as categories. {way}")


def _told(name: str, values: Sequence[str], n_documents: int) -> str:
    more = f" and {counted(len(values) - 1, 'other')}" if len(values) > 1 else ""
    return f"{name} ({quoted(values[0])}{more}) in {counted(n_documents, 'document')}"
