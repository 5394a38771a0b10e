"""Former names of keywords."""

from __future__ import annotations

import pytest

from riskrank.renamed import renamed


@renamed(size="width")
def drawn(text, *, width=1, height=1):
    """Something drawn."""
    return text, width, height


def test_a_keyword_is_taken_by_its_former_name_with_a_warning_at_the_caller():
    with pytest.warns(DeprecationWarning, match="size= of drawn is called width= now") as warned:
        assert drawn("a", size=3, height=2) == ("a", 3, 2)
    assert warned[0].filename == __file__


def test_a_call_by_the_present_names_says_nothing():
    assert drawn("a", width=3) == ("a", 3, 1)
    assert drawn("a") == ("a", 1, 1)


def test_both_names_at_once_are_refused():
    with pytest.raises(TypeError, match="width and size"):
        drawn("a", width=3, size=2)


def test_the_function_keeps_its_name_and_text():
    assert (drawn.__name__, drawn.__doc__) == ("drawn", "Something drawn.")
