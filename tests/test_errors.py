from __future__ import annotations

import warnings
from pathlib import Path

import polars as pl
import pytest

import riskrank as rr
from riskrank import errors
from riskrank.errors import FileError, RiskrankError, first_duplicate, listing, nearest, one_line, quoted


@pytest.mark.parametrize("name", sorted(set(errors.__all__) - {"DataWarning"}))
def test_every_error_is_one_of_ours_and_a_value_error(name):
    assert issubclass(getattr(errors, name), RiskrankError)
    assert issubclass(getattr(errors, name), ValueError)


def test_warnings_about_data_can_be_told_from_others():
    assert "DataWarning" in errors.__all__
    table = pl.DataFrame({"qid": [1, 1], "label": [0, 1], "a": [1, 2], "b": [7, 7]})
    with pytest.warns(errors.DataWarning, match="b is constant"):
        rr.read_table(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.DataWarning)
        rr.read_table(table)


def test_an_error_of_a_file_names_file_and_line():
    error = FileError(Path("a/web.run"), "score must be a number.", line=7)
    assert (error.path, error.line) == ("a/web.run", 7)
    assert str(error) == "a/web.run:7: score must be a number."
    assert str(FileError("x\ny", "is empty.")) == r"x\ny: is empty."


def test_text_of_users_stays_on_one_line_and_long_text_keeps_both_ends():
    assert one_line("a\tb\x1b[31m") == r"a\tb\x1b[31m"
    shown = one_line("begin" + "x" * 100 + "end", limit=20)
    assert len(shown) == 20
    assert shown.startswith("begin")
    assert shown.endswith("end")
    assert quoted("a\n") == r"'a\n'"


def test_a_hint_names_the_nearest_word_in_any_case_or_nothing():
    assert nearest("ndgc", ["AP", "nDCG"]) == " Did you mean 'nDCG'?"
    assert nearest("zzz", ["AP", "nDCG"]) == ""


def test_no_hint_is_looked_for_among_very_long_or_very_many_words():
    """It takes the product of two lengths, for each word: without a limit, hours."""
    assert nearest("a" * 10**6, ["b" + "a" * 10**6]) == ""
    assert nearest("abcd", ["b" + "a" * 10**6, "abce"]) == " Did you mean 'abce'?"
    assert nearest("abcd", (f"abc{i}" for i in range(10**7))) == " Did you mean 'abc9'?"


def test_of_a_long_text_only_the_ends_are_looked_at():
    for text in ("\x1b" * 10**6, "ä\n" * 10**6, "x" * 10**7):
        assert one_line(text, limit=40) == one_line(text[:500] + text[-500:], limit=40)


def test_lists_are_cut_and_counted():
    assert listing([1, "b"]) == "1, b"
    assert listing(range(10), limit=2) == "0, 1 and 8 more"


def test_the_first_name_that_stands_twice_is_told():
    assert first_duplicate(["b", "a", "b", "a"]) == "b"
    assert first_duplicate(["b", "a", "a", "b"]) == "b"
    assert first_duplicate(("a", "b")) is None
    assert first_duplicate([*map(str, range(10**6)), "999999"]) == "999999"
