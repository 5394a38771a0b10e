"""Templates: escaped, strict, and loaded only when a page is made."""

from __future__ import annotations

import subprocess
import sys

import pytest
from jinja2 import UndefinedError

from riskrank.report.page.rendering import render, script_json

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
