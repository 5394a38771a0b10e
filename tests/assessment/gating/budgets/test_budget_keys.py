"""The schema of budget files and their reader say the same."""

from __future__ import annotations

import math
import tomllib
from dataclasses import fields
from datetime import date, datetime, time

import jsonschema
import pytest

from riskrank.assessment.gating.budgets.budget_file import read_budget
from riskrank.assessment.gating.budgets.budget_keys import LIMITS, schema
from riskrank.errors import FileError
from riskrank.risk import Budget

SHARES = ("max_hurt", "max_severe")
SIZES = ("max_loss", "max_risk", "max_worse")
NUMBERS = ("min_urisk", "min_trisk", "min_gain")
KNOWN = '[[accepted]]\ntopic = "a"\nreason = "b"\nuntil = 2100-01-01\n'

RIGHT = [
    "# nothing",
    "[limits]",
    "[measure.RR]",
    *(f"[limits]\n{name} = {value}" for name in SHARES for value in ("0", "1", "0.5", "-0.0")),
    *(f"[limits]\n{name} = {value}" for name in SIZES for value in ("0", "2", "1e300")),
    *(f"[limits]\n{name} = {value}" for name in NUMBERS for value in ("-3", "0", "1e300")),
    "[limits]\nalpha = 1e6",
    "[limits]\nmax_hurt = 0.1\ntolerance = 0",
    "[limits]\nmax_severe = 0.1\nsevere_loss = 2",
    "[limits]\nlevel = 0.001\nstrict = false\nno_significant_loss = true",
    'measures = ["AP"]',
    "must_not_break = []",
    'must_not_break = ["a", 7]',
    'must_not_break = "topics.txt"',
    "fewest_in_segment = 1",
    "fewest_in_segment = 20.0",
    'segments = "a.csv:b"\nweights = "c.csv"',
    'without_relevant = "drop"',
    "[segment.a]\nmax_hurt = 0.1",
    "[segment.a]\nno_significant_loss = true",
    "[limits]\nmax_hurt = 0.1\nno_significant_loss = false",
    "[measure.AP]\nmin_gain = 0\nno_significant_loss = false",
    "accepted = []",
    KNOWN,
    f"{KNOWN}at_most = 0.1",
    KNOWN.replace('"a"', "7"),
    KNOWN.replace("2100-01-01", '"2100-01-01"'),
]
WRONG = [
    *(f"[limits]\n{name} = {value}" for name in LIMITS for value in ("nan", "inf", "-inf", "'x'", "[]", "2100-01-01")),
    *(f"[limits]\n{name} = {value}" for name in SHARES for value in ("-0.1", "1.1", "true")),
    *(f"[limits]\n{name} = {value}" for name in SIZES for value in ("-0.1", "false")),
    "[limits]\nalpha = 1e300",
    "[limits]\nalpha = -1",
    "[limits]\ntolerance = 0.1",
    "[limits]\ntolerance = 0",
    "[limits]\nsevere_loss = 0.3",
    "[limits]\nno_significant_loss = false",
    "[limits]\nalpha = 2\nno_significant_loss = false",
    "[measure.AP]\nno_significant_loss = false",
    "[segment.a]\nno_significant_loss = false",
    "[measure.AP]\nseverity = 1",
    "[measure.AP]\ntolerance = 0.1",
    "[limits]\nmax_hurt = 0.1\ntolerance = -1",
    "[limits]\nlevel = 0",
    "[limits]\nlevel = 1",
    "[limits]\nstrict = 1",
    "limits = 3",
    "measure = []",
    "measure.AP = 1",
    "nonsense = 1",
    "max_hurt = 0.1",
    "measures = []",
    "measures = 'AP'",
    "measures = ['']",
    "measures = [1]",
    "must_not_break = ''",
    "must_not_break = ['']",
    "must_not_break = [true]",
    "must_not_break = [1.5]",
    "must_not_break = 3",
    "segments = ''",
    "weights = 3",
    "fewest_in_segment = 0",
    "fewest_in_segment = 1.5",
    "fewest_in_segment = true",
    "without_relevant = 'no'",
    "without_relevant = true",
    "[segment.a]",
    "[segment.a]\nlevel = 0.1",
    "[segment.a]\nno_significant_loss = false",
    "[segment.a]\nmax_hurt = 2",
    "[accepted]",
    "accepted = [1]",
    f"{KNOWN}more = 1",
    *(f"{KNOWN}at_most = {value}" for value in ("0", "-1", "nan", "inf", "'x'", "true")),
    *(KNOWN.replace('"a"', value) for value in ("''", "true", "1.5")),
    *(KNOWN.replace('"b"', value) for value in ("''", "' '", "5")),
    *(
        KNOWN.replace("2100-01-01", value)
        for value in ("'2100'", "'21000101'", "'2100-13-01'", "'2100-1-1'", "2100", "2100-01-01T00:00:00", "10:00:00")
    ),
    *(KNOWN.replace(line, "") for line in KNOWN.splitlines()[1:]),
]
ONLY_READ = [  # what no schema can say
    "measures = ['nDGC@10']",
    "measures = ['AP']\n[measure.RR]\nmax_hurt = 0.1",
    KNOWN + KNOWN,
    KNOWN.replace('"a"', "2100-01-01"),  # which JSON takes for a text
]


def as_json(value):
    """As editors see TOML: JSON has no dates, and no numbers that are none."""
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return list(map(as_json, value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def is_allowed(text):
    rules = schema()
    jsonschema.Draft202012Validator.check_schema(rules)
    checker = jsonschema.Draft202012Validator(rules, format_checker=jsonschema.FormatChecker())
    return checker.is_valid(as_json(tomllib.loads(text)))


def is_read(tmp_path, text):
    (tmp_path / "budget.toml").write_text(f"{text}\n")
    try:
        read_budget(tmp_path / "budget.toml")
    except FileError as error:
        assert error.line is not None
        assert "\n" not in str(error)
        return False
    return True


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_allowed_and_read(tmp_path, text):
    assert (is_allowed(text), is_read(tmp_path, text)) == (True, True)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_neither_allowed_nor_read(tmp_path, text):
    assert (is_allowed(text), is_read(tmp_path, text)) == (False, False)


@pytest.mark.parametrize("text", ONLY_READ)
def test_what_only_the_reader_can_know(tmp_path, text):
    assert (is_allowed(text), is_read(tmp_path, text)) == (True, False)


def test_every_limit_has_a_meaning():
    assert list(LIMITS) == [each.name for each in fields(Budget)]
