"""What a notebook shows of an assessment: small, offline, without a script."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr

from .page_text import Tree


def assessed(n_systems, n_topics=12):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, n_topics)
    rows = {"base": base}
    rows |= {f"s{i}": np.clip(base + rng.normal(0.02, 0.05, n_topics), 0, 1) for i in range(n_systems)}
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1))


@pytest.mark.parametrize("n_systems", [1, 3, 60])
def test_it_is_small_and_needs_nothing(n_systems):
    text = assessed(n_systems)._repr_html_()
    assert len(text.encode()) < 60_000
    for word in ("<script", "<iframe", "http", "url(", "@import", " id="):
        assert word not in text
    tree = Tree()
    tree.feed(text)
    assert tree.open == []
    assert text.count("<tr>") == 1 + min(n_systems, 5)
    assert text.count('class="plot') == 1


def test_every_rule_of_its_style_stays_inside_it():
    style = assessed(2)._repr_html_().split("<style>")[1].split("</style>")[0]
    selectors = [rule.split("{")[0].split("}")[-1].strip() for rule in style.split("\n") if "{" in rule]
    for selector in filter(None, selectors):
        assert selector.startswith("@media") or all(".riskrank" in part for part in _parts(selector)), selector


def _parts(selector):
    """At commas that are not inside brackets."""
    parts, depth = [""], 0
    for character in selector:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def test_cautions_come_before_the_finding_and_the_finding_before_the_table():
    text = assessed(3)._repr_html_()
    assert text.index("12 topics are few") < text.index('class="finding"') < text.index("<table>")


@pytest.mark.parametrize(
    "rows",
    [{"old": [0.5], "new": [0.7]}, {"old": [0.5, 0.2]}, {"old": [], "new": []}, {"old": [0.5, 0.2], "new": [0.5, 0.2]}],
    ids=["one topic", "alone", "no topics", "equal"],
)
def test_where_nothing_can_be_drawn_words_remain(rows):
    matrix = np.array(list(rows.values()))
    scores = rr.Effectiveness("m", tuple(rows), tuple(map(str, range(matrix.shape[1]))), matrix)
    text = rr.assess(scores, "old")._repr_html_()
    assert 'class="plot' not in text
    assert 'class="finding"' in text


def test_names_are_escaped():
    scores = rr.Effectiveness.from_rows({"<i>old": [0.1, 0.2, 0.4], "<b>new</b>": [0.3, 0.5, 0.2]})
    text = rr.assess(scores, "<i>old")._repr_html_()
    assert "<i>old" not in text
    assert "<b>new" not in text
    assert "&lt;b&gt;new&lt;/b&gt;" in text
