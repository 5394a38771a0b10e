"""Sentences from parts, and names in them."""

from __future__ import annotations

from riskrank.report.findings.words import Word, glued, joined, one_sentence, plain, short_name, words


def test_parts_stand_in_one_row_and_empty_text_is_no_part():
    row = words("it gains ", Word("+0.1", "gain"), "", words(" and ", Word("new", "strong")))
    assert row == (Word("it gains "), Word("+0.1", "gain"), Word(" and "), Word("new", "strong"))


def test_an_equation_stays_on_one_line():
    assert glued("at α = 1 it").split(" ") == ["at", "α\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}1", "it"]


def test_sentences_have_one_space_between_them():
    assert plain(joined(words("One."), (), words("Two."), ())) == "One. Two."
    assert joined((), ()) == ()


def test_names_stay_on_one_line_and_the_middle_of_long_ones_is_left_out():
    assert short_name("new\n") == r"new\n"
    name = short_name("a" * 50 + "b" * 50)
    assert len(name) == 40
    assert name.startswith("aa")
    assert name.endswith("bb")


def test_a_sentence_may_be_longer_than_a_name():
    said = "no " * 300
    assert one_sentence(said) == said
    assert one_sentence("a\nb") == r"a\nb"
