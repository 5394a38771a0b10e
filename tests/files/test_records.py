"""Records: what annotations allow, what is told of the rest, and the schema of both."""

import math
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from riskrank.errors import FileError, ParameterError
from riskrank.files.records import Count, FileName, Json, Limits, Number, check_version, decode, schema_of


@dataclass(frozen=True)
class Inner:
    name: str
    values: list[float]


@dataclass(frozen=True)
class Outer:
    has_more: ClassVar[bool] = True

    version: Annotated[int, Limits(1, 3)]
    inner: Inner | None
    pair: tuple[str, float]
    kind: Literal["a", "b"]
    day: date
    maybe: list[Number]
    files: dict[FileName, Count] = field(default_factory=dict)
    anything: Json = None


GOOD = {
    "version": 1, "inner": {"name": "x", "values": [1, 0.5]}, "pair": ["x", 2], "kind": "a", "day": "2026-01-31",
    "maybe": [1.5, None, "inf", "-inf", 2],
}  # fmt: skip


def test_a_record_is_what_its_annotations_say():
    record = decode(Outer, {**GOOD, "files": {"a.txt": 7}, "more": 1}, "file")
    assert record.inner == Inner("x", [1.0, 0.5])
    assert (record.pair, record.day, record.files) == (("x", 2.0), date(2026, 1, 31), {"a.txt": 7})
    assert math.isnan(record.maybe[1])
    assert record.maybe[2:] == [math.inf, -math.inf, 2.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 4}, "version: must be a whole number from 1 to 3, got 4"),
        ({"version": True}, "version: must be a whole number from 1 to 3, got True"),
        ({"version": 1.0}, "version: must be a whole number from 1 to 3, got 1.0"),
        ({"version": 10**5000}, "version: must be a whole number from 1 to 3, got a number of thousands of digits"),
        ({"inner": []}, "inner: must be an object, got a list"),
        ({"inner": {"name": "x"}}, "inner.values: is missing"),
        ({"inner": {"name": "x", "values": [], "odd": 1}}, "inner.odd: is not known here"),
        ({"inner": {"name": "x", "values": [1, math.inf]}}, r"inner.values\[1\]: must be a number, got inf"),
        ({"inner": {"name": "x", "values": [10**400]}}, r"inner.values\[0\]: must be a number, got 1000"),
        ({"pair": ["x"]}, "pair: must be a list of 2"),
        ({"pair": ["x", "y"]}, r"pair\[1\]: must be a number, got 'y'"),
        ({"kind": "c"}, "kind: must be one of a, b, got 'c'"),
        ({"day": 7}, "day: must be a date"),
        ({"maybe": ["nan"]}, r"maybe\[0\]: must be a number or null, got 'nan'"),
        ({"files": {"../x": 1}}, "files: must be the name of a file in the folder, got '../x'"),
        ({"files": {"x": -1}}, "files.x: must be a whole number from 0 up, got -1"),
        ({"inner": {"name": "\x1b[31m\n" * 50, "values": 1}}, "inner.values: must be a list, got 1"),
        ({"kind": "\x1b[31m\n" * 50}, r"kind: must be one of a, b, got '\\x1b\[31m"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else "",
)
def test_what_does_not_fit_is_told_with_its_field(changes, message):
    with pytest.raises(FileError, match=f"^file:7: {message}") as told:
        decode(Outer, {**GOOD, **changes}, "file", line=7)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 200


@dataclass(frozen=True)
class Checked:
    alpha: float

    def __post_init__(self) -> None:
        if self.alpha < 0:
            raise ParameterError("alpha must be a number from 0.")


def test_what_a_record_checks_itself_names_the_file():
    with pytest.raises(FileError, match=r"^file: several\[0\]: alpha must be a number from 0"):
        decode(list[Checked], [{"alpha": -1}], "file", field="several")


def test_a_newer_version_is_refused_before_anything_else():
    with pytest.raises(FileError, match="has version 3, this riskrank reads up to 2") as told:
        check_version({"version": 3, "all": "new"}, "file", 2)
    assert told.value.is_newer
    for content in ({"version": 2}, {"version": "3"}, {}, [], None):
        check_version(content, "file", 2)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
ANY = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))


@given(name=st.sampled_from([*GOOD, "files"]), value=ANY)
def test_whatever_json_holds_it_fits_the_schema_or_is_refused(name, value):
    content = {**GOOD, name: value}
    try:
        decode(Outer, content, "file")
    except FileError as error:
        assert "\n" not in str(error)
    else:
        Draft202012Validator(schema_of(Outer)).validate(content)
