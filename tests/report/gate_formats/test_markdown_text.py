from __future__ import annotations

import html

import pytest
from markdown_it import MarkdownIt

from riskrank.errors import one_line
from riskrank.report.gate_formats.markdown_text import BREAK, code, escaped, folded, markdown_table

from .hostile import HOSTILE

PARSER = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_text_is_read_as_it_was_written(name):
    shown = PARSER.render(f"x {escaped(name, limit=20_000)} x")
    text = html.unescape(shown.replace(BREAK, "").removeprefix("<p>x ").removesuffix(" x</p>\n"))
    assert text == one_line(name, limit=20_000)


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.strip()])
def test_a_name_stays_in_its_cell(name):
    shown = PARSER.render(markdown_table(["a", "b"], [[code(name), "1"], ["2", code(name)]]))
    assert shown.count("<td") == 4
    assert shown.count("<code>") == 2
    assert '<td style="text-align:left">1</td>' in shown


@pytest.mark.parametrize("text", ["@somebody", "#1", ":tada:", "GH-12", "https://example.org", "a@b.org", "!1", "~bug"])
def test_what_is_looked_for_in_finished_text_is_not_found(text):
    assert text not in html.unescape(PARSER.render(f"see {escaped(text)}"))


def test_usual_text_stays_readable():
    assert escaped("8 (16%), at most 2%; p = 0.05, a-b.c") == "8 (16%), at most 2%; p = 0.05, a-b.c"


def test_what_is_folded_is_markdown():
    shown = PARSER.render(folded("more", markdown_table(["a"], [["1"]])) + "\n\nafter")
    assert shown.index("<details><summary>more</summary>") < shown.index("<table>") < shown.index("</details>")
    assert "<p>after</p>" in shown
