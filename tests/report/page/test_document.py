"""Whole pages: documents of their own, from templates that are escaped, strict, and loaded only when needed."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import subprocess
import sys

import pytest
from jinja2 import UndefinedError

from riskrank import Effectiveness, assess
from riskrank.report.page.assessment_page import assessment_page
from riskrank.report.page.document import render, script_json

from .page_text import Tree, content

PROGRAM = """
import sys
sys.modules["altair"] = None
sys.argv = ["riskrank", "evaluate", *{arguments!r}]
from riskrank.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
assert ("jinja2" in sys.modules) == {expected}, "jinja2" in sys.modules
"""


def test_pages_are_whole_documents_of_their_own(texts, assessment):
    for text in (*texts, assessment_page([assessment, assessment])):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert len(set(tree.ids)) == len(tree.ids)
        assert text.startswith('<!doctype html>\n<html lang="en">')
        outside = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        assert not re.search(r"""src=|href="(?!#)|@import|url\(""", outside)


def test_what_the_script_reads_is_json_that_cannot_end_it(texts):
    for text in texts:
        assert not set(content(text)) & set("<>&\u2028\u2029")
        json.loads(content(text), parse_constant=pytest.fail)
    assert json.loads(content(texts[0]))[0]["systems"][1]["name"] == "new <1>"


def test_only_the_script_of_the_report_may_run(assessment):
    text = assessment.to_html()
    script = re.search(r"<script>(.*?)</script>", text, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe-eval" not in policy


def test_a_title_may_be_given(texts, assessment):
    assert "<title>Mine &amp; yours</title>" in assessment_page([assessment], title="Mine & yours")
    assert "<title>AP against old, 4 topics</title>" in texts[0]
    assert "<title>nDCG@10 against feature:1: URisk</title>" in texts[1]


def test_a_page_is_written_where_it_should_be(assessment, sweep, texts, tmp_path):
    for source, text in zip((assessment, sweep), texts, strict=True):
        assert source.to_html(tmp_path / "page.html") is None
        assert (tmp_path / "page.html").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", ["altair", "vl_convert"])
def test_pages_and_notebooks_need_no_altair(assessment, sweep, texts, hidden, name):
    shown = assessment._repr_html_(), sweep._repr_html_()
    hidden(name)
    assert (assessment.to_html(), sweep.to_html()) == texts
    assert (assessment._repr_html_(), sweep._repr_html_()) == shown


# Templates.


@pytest.mark.parametrize("with_page", [False, True])
def test_only_a_page_loads_the_templates(example, tmp_path, with_page):
    arguments = [str(example / name) for name in ("qrels.txt", "bm25.run", "neural.run")]
    if with_page:
        arguments += ["--html", str(tmp_path / "page.html")]
    program = PROGRAM.format(arguments=arguments, expected=with_page)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_text_is_escaped_and_its_control_characters_are_seen():
    text = render("chart_page.html", {"title": "<b> & \x07\n", "policy": "'none'", "vega": "", "spec": "{}"})
    assert "<title>&lt;b&gt; &amp; \\x07\\n</title>" in text


def test_names_with_hyphens_stay_in_one_piece_and_are_escaped(assessment):
    scores = {name: assessment.scores[old] for name, old in (("old", "old"), ("new-<b>-1", "new <1>"))}
    text = assess(Effectiveness.from_rows(scores), baseline="old").to_html()
    assert '<h1 id="m0-finding">' in text
    assert '<span class="one-word">new-&lt;b&gt;-1</span>' in text


def test_very_long_text_is_cut():
    text = render("chart_page.html", {"title": "x" * 5000, "policy": "", "vega": "", "spec": ""})
    assert 1990 < text.count("x") < 2010


def test_a_value_that_is_not_given_is_an_error():
    with pytest.raises(UndefinedError, match="'title' is undefined"):
        render("chart_page.html", {})


def test_data_cannot_end_the_script_it_stands_in():
    assert script_json(["</script>&\u2028\u2029"]) == '["\\u003c/script\\u003e\\u0026\\u2028\\u2029"]'
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json([float("nan")])
