"""Whole pages: documents of their own, with data that cannot end their script."""

from __future__ import annotations

import json
import re

import pytest

from riskrank.report.page.assessment_page import assessment_page

from .page_text import Tree, content, with_charts


@with_charts
def test_pages_are_whole_documents_of_their_own(texts, assessment):
    for text in (*texts, assessment_page([assessment, assessment])):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert len(set(tree.ids)) == len(tree.ids)
        assert text.startswith('<!doctype html>\n<html lang="en">')
        outside = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        assert not re.search(r"""(src|href)=|@import|url\(""", outside)


@with_charts
def test_what_the_script_reads_is_json_that_cannot_end_it(texts):
    for text in texts:
        assert not set(content(text)) & set("<>&\u2028\u2029")
        json.loads(content(text), parse_constant=pytest.fail)
    assert json.loads(content(texts[0]))[0]["systems"][1]["name"] == "new <1>"


@with_charts
def test_a_title_may_be_given(texts, assessment):
    mine = assessment_page([assessment], title="Mine & yours")
    assert "<title>Mine &amp; yours</title>" in mine
    assert "<h1>Mine &amp; yours</h1>" in mine
    assert "<title>AP against old, 4 topics</title>" in texts[0]
    assert "<title>nDCG@10 against feature:1: URisk</title>" in texts[1]


@with_charts
def test_a_page_is_written_where_it_should_be(assessment, sweep, texts, tmp_path):
    for source, text in zip((assessment, sweep), texts, strict=True):
        assert source.to_html(tmp_path / "page.html") is None
        assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
