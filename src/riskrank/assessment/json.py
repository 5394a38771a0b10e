"""Assessments as JSON: a file or text holds one or several of them, NaN as null."""

from __future__ import annotations

import json
import math
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from riskrank.data.files import read_bytes
from riskrank.errors import FileError, ParameterError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.typing import PathLike

    Plain = dict[str, Any] | list[Any] | tuple[Any, ...] | float | str | None

FORMAT = "riskrank assessments"
VERSION = 2


def assessments_to_json(assessments: Sequence[Assessment], *, more: Sequence[dict[str, Any]] = ()) -> str:
    """The text of a file; `more` has further entries for each assessment, which are not read back."""
    contents = [each.to_dict() for each in assessments]
    for assessed, entries in zip(contents, more, strict=bool(more)):
        assessed.update(entries)
    content = {"format": FORMAT, "version": VERSION, "assessments": contents}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


@contextmanager
def assessments_in(source: PathLike) -> Iterator[list[dict[str, Any]]]:
    """The assessments of a JSON file or text as plain values.

    They are not checked: whoever makes assessments of them does so within, and what does not fit names the file.
    """
    with json_told(source, FORMAT, VERSION, "a riskrank assessment") as content:
        yield content["assessments"]


@contextmanager
def json_told(source: PathLike, form: str, version: int, what: str) -> Iterator[dict[str, Any]]:
    """The content of a JSON file or text, up to a version of its format; what does not fit names it."""
    if not isinstance(source, str | os.PathLike):
        raise ParameterError(f"{what} is read from a path or a text, got {type(source).__name__}.")
    is_text = isinstance(source, str) and source.lstrip()[:1] in ("{", "[", '"')
    origin = "JSON text" if is_text else os.fspath(source)
    try:
        content = json.loads(str(source) if is_text else read_bytes(source))
        if not isinstance(content, dict) or content.get("format") != form:
            raise ValueError(f"its format is not {form!r}")
        if content["version"] > version:
            raise FileError(origin, f"has format version {content['version']}, newer than this riskrank reads.")
        yield content
    except FileError:
        raise
    except KeyError as problem:
        raise FileError(origin, f"is not {what} (it has no {problem}).") from None
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as problem:
        raise FileError(origin, f"is not {what} ({one_line(str(problem))}).") from None


def without_nan(value: Plain) -> Any:
    """Plain values with None for what is no finite number, however deep it lies."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return value
