"""Records: what a file of ours holds, as a dataclass whose annotations say what is allowed.

`decode` makes a record of what JSON says, `schema_of` tells others what that must be. Modules with records do without
``from __future__ import annotations``: their annotations are read at run time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from riskrank.errors import FileError, RiskrankError, one_line

if TYPE_CHECKING:
    from riskrank.typing import JsonValue, PathLike

R = TypeVar("R")
DEEPEST = 32  # of values that a record leaves open


@dataclass(frozen=True)
class Limits:
    """Of a number, both allowed."""

    least: float
    most: float


@dataclass(frozen=True)
class OrNaN:
    """Of a number that may be NaN or infinite, which JSON keeps as null, "inf" and "-inf"."""


@dataclass(frozen=True)
class Words:
    """Of a text: what it must match, and what that is called."""

    pattern: str
    noun: str


Count = Annotated[int, Limits(0, 2**53)]
Number = Annotated[float, OrNaN()]
FileName = Annotated[str, Words(r"[^/\\\x00]+", "the name of a file in the folder")]
Digest = Annotated[str, Words(r"[0-9a-f]{64}", "a SHA-256 digest")]
Json = object  # whatever JSON holds


class MisfitError(ValueError):
    """A value is not what its field must hold."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(f"{field}: {what}" if field else what)


class Form(NamedTuple):
    """How a kind of value is read, given its field for messages; its JSON schema; and what it must be, in words."""

    read: Callable[[Any, str], Any]
    schema: dict[str, Any]
    words: str


def decode(kind: type[R], content: JsonValue, path: PathLike, *, field: str = "", line: int | None = None) -> R:
    """A record from what JSON says; `path`, `field` and `line` are for messages."""
    try:
        record: R = _form(cast("Hashable", kind)).read(content, field)
    except MisfitError as misfit:
        raise FileError(path, str(misfit), line=line) from None
    return record


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON schema of a record."""
    return _form(kind).schema


def check_version(content: JsonValue, path: PathLike, newest: int, *, field: str = "version") -> None:
    """Refuse what a newer riskrank wrote, before its other fields, which may mean something else."""
    version = content.get(field) if isinstance(content, dict) else None
    if isinstance(version, int | float) and version > newest:
        message = (
            f"has {field} {one_line(_short(version), limit=40)}, this riskrank reads up to {newest}. Update riskrank."
        )
        raise FileError(path, message, is_newer=True)


@cache
def _form(kind: Hashable) -> Form:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if is_dataclass(kind):
        return _record(kind)
    if origin is Annotated:
        return _limited(arguments[0], arguments[1])
    if origin is Literal:
        return _choice(arguments)
    if origin in (list, tuple):
        return _list(origin, arguments)
    if origin in (dict, Mapping):
        return _table(arguments)
    if origin in (Union, UnionType):
        return _either(arguments)
    raise TypeError(f"no record can hold a {kind}")


def _refused(field: str, words: str, value: object) -> MisfitError:
    kinds: dict[type, str] = {dict: "an object", list: "a list"}
    shown = kinds.get(type(value)) or one_line(_short(value), limit=40)
    return MisfitError(field, f"must be {words}, got {shown}.")


def _short(value: object) -> str:
    try:
        return repr(value[:60] if isinstance(value, str) else value)
    except ValueError:  # a whole number of thousands of digits
        return "a number of thousands of digits"


def _of_type(*types: type, schema: dict[str, Any], words: str) -> Form:
    def read(value: Any, field: str) -> Any:
        if type(value) not in types:
            raise _refused(field, words, value)
        return value

    return Form(read, schema, words)


def _number(*, is_finite: bool) -> Form:
    words = "a number" if is_finite else "a number or null"
    texts = {} if is_finite else {None: math.nan, "inf": math.inf, "-inf": -math.inf}

    def read(value: Any, field: str) -> float:
        if type(value) is float and (math.isfinite(value) or not is_finite):
            return value
        if type(value) is int and abs(value) < 2**1023:
            return float(value)
        if isinstance(value, str | None) and value in texts:
            return texts[value]
        raise _refused(field, words, value)

    also = {} if is_finite else {"enum": ["inf", "-inf", None]}
    return Form(read, {"anyOf": [{"type": "number"}, also]} if also else {"type": "number"}, words)


def _open() -> Form:
    """Whatever JSON holds, not too deep."""

    def read(value: Any, field: str) -> Any:
        depth, level = 0, [value]
        while level := [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]:
            depth += 1
            if depth > DEEPEST:
                raise MisfitError(field, f"is nested deeper than {DEEPEST} levels.")
        return value

    return Form(read, {}, "JSON")


def _moment(kind: type[date], form: str) -> Form:
    words = f"a {form} (ISO 8601)"

    def read(value: Any, field: str) -> date:
        try:
            return kind.fromisoformat(value)
        except (TypeError, ValueError):
            raise _refused(field, words, value) from None

    return Form(read, {"type": "string", "format": form}, words)


def _limited(kind: Any, rule: object) -> Form:
    plain = _form(kind)
    if isinstance(rule, OrNaN):
        return _number(is_finite=False)
    if isinstance(rule, Words):
        words, matches = rule.noun, re.compile(rule.pattern).fullmatch
        schema = {**plain.schema, "pattern": f"^{rule.pattern}$"}
        return Form(_checked(plain, lambda text: bool(matches(text)) and text not in (".", ".."), words), schema, words)
    if not isinstance(rule, Limits):
        raise TypeError(f"no rule of a record is called {rule}")
    least, most = rule.least, rule.most
    words = f"{plain.words} from {least:g} " + (f"to {most:g}" if most < 1e15 else "up")
    schema = {**plain.schema, "minimum": least, "maximum": most}
    return Form(_checked(plain, lambda value: least <= value <= most, words), schema, words)


def _checked(plain: Form, is_right: Callable[[Any], bool], words: str) -> Callable[[Any, str], Any]:
    def read(value: Any, field: str) -> Any:
        try:
            inner = plain.read(value, field)
        except MisfitError:
            raise _refused(field, words, value) from None
        if not is_right(inner):
            raise _refused(field, words, value)
        return inner

    return read


def _choice(known: tuple[Any, ...]) -> Form:
    words = (f"one of {', '.join(map(str, known))}" if len(known) > 1 else repr(known[0])) if known else "nothing"

    def read(value: Any, field: str) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
            raise _refused(field, words, value)
        return value

    return Form(read, {"enum": list(known)}, words)


def _list(kind: type, arguments: tuple[Any, ...]) -> Form:
    """A list of any length, or a tuple of one kind (``tuple[int, ...]``) or of fixed places (``tuple[int, str]``)."""
    if kind is tuple and arguments[-1] is not Ellipsis:
        return _places([_form(each) for each in arguments])
    inner = _form(arguments[0])
    words = "a list"

    def read(value: Any, field: str) -> Any:
        if not isinstance(value, list):
            raise _refused(field, words, value)
        known = _at_once(arguments[0], value)
        return kind((inner.read(each, f"{field}[{i}]") for i, each in enumerate(value)) if known is None else known)

    return Form(read, {"type": "array", "items": inner.schema}, words)


def _at_once(kind: Any, values: list[Any]) -> list[Any] | None:
    """Long lists are of texts or numbers; one look at all of them takes less time than one at each."""
    types = set(map(type, values))
    if kind is str and types <= {str}:
        return values
    if kind is float and types <= {float} and all(map(math.isfinite, values)):
        return values
    if kind == Number and types <= {float, NoneType}:
        return [math.nan if value is None else value for value in values]
    return None


def _places(forms: list[Form]) -> Form:
    words = f"a list of {len(forms)}"

    def read(value: Any, field: str) -> Any:
        if not isinstance(value, list) or len(value) != len(forms):
            raise _refused(field, words, value)
        return tuple(form.read(each, f"{field}[{i}]") for i, (form, each) in enumerate(zip(forms, value, strict=True)))

    schema = {"type": "array", "prefixItems": [form.schema for form in forms], "minItems": len(forms), "items": False}
    return Form(read, schema, words)


def _table(arguments: tuple[Any, ...]) -> Form:
    name_form, inner = (_form(each) for each in arguments)
    words = "an object"

    def read(value: Any, field: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _refused(field, words, value)
        return {
            name_form.read(name, field): inner.read(each, f"{field}.{one_line(name, limit=40)}" if field else name)
            for name, each in value.items()
        }

    names = {} if "pattern" not in name_form.schema else {"propertyNames": {"pattern": name_form.schema["pattern"]}}
    return Form(read, {"type": "object", **names, "additionalProperties": inner.schema}, words)


def _either(kinds: tuple[Any, ...]) -> Form:
    forms = [_form(kind) for kind in kinds]
    words = " or ".join(form.words for form in forms)

    def read(value: Any, field: str) -> Any:
        if value is None and NoneType in kinds:
            return None
        others = [form for form, kind in zip(forms, kinds, strict=True) if kind is not NoneType]
        if len(others) == 1 and (is_dataclass(kinds[0]) or get_origin(kinds[0]) in (list, tuple, dict)):
            return others[0].read(value, field)  # which says what is wrong within
        for form in others:
            try:
                return form.read(value, field)
            except MisfitError:
                continue
        raise _refused(field, words, value)

    return Form(read, {"anyOf": [form.schema for form in forms]}, words)


def _record(kind: Any) -> Form:
    """Fields without a default must be there, and no others, unless the record `has_more`."""
    hints = get_type_hints(kind, include_extras=True)
    forms = {each.name: _form(hints[each.name]) for each in fields(kind)}
    has_more = bool(getattr(kind, "has_more", False))
    needed = [each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]

    def read(value: Any, field: str) -> Any:
        if not isinstance(value, dict):
            raise _refused(field, "an object", value)
        above = f"{field}." if field else ""
        for name in needed:
            if name not in value:
                raise MisfitError(f"{above}{name}", "is missing.")
        if not has_more and not value.keys() <= forms.keys():
            odd = next(name for name in value if name not in forms)
            raise MisfitError(f"{above}{one_line(odd, limit=40)}", "is not known here.")
        values = {name: form.read(value[name], above + name) for name, form in forms.items() if name in value}
        try:
            return kind(**values)
        except RiskrankError as error:  # what it checks itself
            raise MisfitError(field, str(error)) from None

    schema = {
        "type": "object",
        "properties": {name: form.schema for name, form in forms.items()},
        "required": needed,
        **({} if has_more else {"additionalProperties": False}),
    }
    return Form(read, schema, "an object")


SIMPLE: dict[Any, Form] = {
    str: _of_type(str, schema={"type": "string"}, words="a text"),
    int: _of_type(int, schema={"type": "integer"}, words="a whole number"),
    bool: _of_type(bool, schema={"type": "boolean"}, words="true or false"),
    NoneType: _of_type(NoneType, schema={"type": "null"}, words="null"),
    float: _number(is_finite=True),
    Json: _open(),
    Any: _open(),
    datetime: _moment(datetime, "date-time"),
    date: _moment(date, "date"),
}
