from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.gate_formats.markdown import MOST_BYTES

from .hostile import HARMLESS, HOSTILE, hostile_gate

PARSER = MarkdownIt("commonmark").enable("table")


class Tags(HTMLParser):
    """The tags of a page, in their order; each that is opened must be closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.open = [], []
        self.feed(PARSER.render(text))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


SHORT = """\
### ❌ FAIL <b>new</b> must not replace old: 1 of 2 checks fails

- Caution: 4 topics cannot show anything to be significant.

AP, 4 topics. It loses <b>0.125</b> on average.

|  | check | value | limit | how sure |
| :--- | :--- | ---: | :--- | :--- |
| ❌ | largest loss | 0.500 | at most 0.2 | 1 topic loses more |
| ✅ | topics hurt | 1 (25%) | at most 50% | unsure; 95% interval 5% to 70% |

- To be sure, it takes about 16 topics for topics hurt.

| topic | <code>old</code> | <code>new</code> | change |
| :--- | ---: | ---: | ---: |
| <code>1</code> | 0.600 | 0.100 | −0.500 |
"""


def test_a_short_one():
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 4, "new": [0.1, 0.6, 0.6, 0.6]}, measure="AP")
    assert rr.gate(scores, "new", "old", max_loss=0.2, max_hurt=0.5).to_markdown() == SHORT


def test_the_worst_topics_are_seen_and_the_others_open_with_a_click():
    qrels, runs = example_files()
    text = rr.gate(qrels, {"neural": runs["neural"]}, {"bm25": runs["bm25"]}, max_loss=0.1).to_markdown()
    seen, folded = text.split("<details>")
    assert re.findall(r"<code>(\d+)</code>", seen)[:2] == ["133", "118"]
    assert len(re.findall(r"\n\| <code>\d+</code> \|", seen)) == 5
    assert "<summary>5 more topics that broke a limit</summary>" in folded
    assert len(re.findall(r"\n\| <code>\d+</code> \|", folded)) == 5
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 6, "new": [0.1] * 6}, measure="AP")
    assert "<summary>1 more topic that broke a limit</summary>" in rr.gate(scores, "new", "old").to_markdown()


def test_comparisons_that_fail_come_first_and_those_that_pass_are_folded():
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 4, "a": [0.6] * 4, "b": [0.1, 0.6, 0.6, 0.6]})
    text = rr.gate(scores, ["a", "b"], "old", max_loss=0.2).to_markdown()
    assert text.startswith("### ❌ FAIL 1 of 2 comparisons fails\n\n#### ❌ FAIL <b>b</b> must not replace old\n")
    assert "<details><summary>✅ PASS a against old, score</summary>\n\n✅ PASS <b>a</b> may replace old" in text


def test_segments_have_a_table():
    text = hostile_gate(HARMLESS).to_markdown()
    assert "| ❌ | <code>segment harmless</code> | 2 topics | mean loss: 0.250, at most 0.01 |" in text


@pytest.mark.parametrize("name", HOSTILE)
def test_names_change_nothing_but_letters(name):
    text = hostile_gate(name).to_markdown()
    tags, expected = Tags(text).tags, Tags(hostile_gate(HARMLESS).to_markdown()).tags
    if not name.strip():  # of which there is nothing to show
        tags, expected = ([each for each in some if each[0] != "code"] for some in (tags, expected))
    assert tags == expected
    assert text.replace("\n", "").isprintable()
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("name", ["topic", "|`<@" * 20, "日本語" * 20])
@pytest.mark.parametrize("n_topics", [200, 3000])
def test_it_is_never_too_long_however_many_topics(n_topics, name):
    topics = [f"{name}{i}" for i in range(n_topics)]
    scores = rr.Effectiveness.from_rows({"old": [0.6] * n_topics, "new": [0.1] * n_topics}, topics=topics)
    segments = {topic: f"{name}{i % 97}" for i, topic in enumerate(topics)}
    budget = rr.GateBudget(segments=segments, fewest_in_segment=1, must_not_break=tuple(topics))
    text = rr.gate(scores, "new", "old", budget=budget).to_markdown()
    assert 10_000 < len(text.encode()) <= MOST_BYTES
    assert "more, in the output of the gate." in text or n_topics == 200
    Tags(text)


def test_it_is_never_too_long_however_many_comparisons():
    names = [f"{'|`<@' * 20}{i}" for i in range(100)]
    scores = rr.Effectiveness.from_rows({"old": [0.6] * 30, **{name: [0.1] * 30 for name in names}})
    text = rr.gate(scores, names, "old").to_markdown()
    assert MOST_BYTES / 2 < len(text.encode()) <= MOST_BYTES
    assert re.search(r"\n… and \d+ more, in the output of the gate\.\n$", text)
    Tags(text)
