from __future__ import annotations

import re

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files

from ..page_text import Tree, content, markup

QRELS, RUNS = example_files()
LIMITS = {"max_risk": 0.01, "max_loss": 0.3, "max_hurt": 0.3}


def plain(text):
    """Its words."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


@pytest.fixture(scope="module")
def failed():
    return rr.gate(QRELS, {"neural": RUNS["neural"]}, {"bm25": RUNS["bm25"]}, **LIMITS)


@pytest.fixture(scope="module")
def page(failed):
    return failed.to_html()


def test_it_is_one_well_formed_page_whose_policy_lets_only_its_script_run(page):
    tree = Tree()
    tree.feed(page)
    assert tree.open == []
    assert len(tree.ids) == len(set(tree.ids))
    assert tree.titles == ["FAIL: neural against bm25"]
    assert "script-src &#39;sha256-" in page
    assert "http" not in markup(page).replace("http-equiv", "")


def test_the_verdict_stands_first_with_the_check_that_decides(page):
    text = markup(page)
    words = plain(text.split("<main>")[1])
    assert words.strip().startswith(
        "✗ FAIL neural must not replace bm25: 2 of 3 checks fail. Its mean loss is 0.087, 8.7 times the limit. "
        "It gains +0.154 on average"
    )
    assert '<span class="is-loss">0.087</span>' in text
    assert "<span>exit code 1</span>" in text


def test_topics_stand_with_the_limit_and_both_rankings_without_the_script(page, failed):
    text = markup(page)
    assert "limit of a topic’s loss, −0.3" in text
    assert text.count("data-topic=") == len(failed.scores.topics)
    worst = plain(text.split("data-topic-detail")[1])
    assert "133 nDCG@10 0.984 → 0.231 −0.753" in worst
    assert text.count('class="document"') == 20
    assert content(page).count('"of":{"1":') == len(failed.scores.topics)


def test_details_are_closed_and_have_the_method_and_what_a_build_prints(page, failed):
    text = markup(page)
    assert "<details open" not in text
    assert "Mean of max(0, baseline − candidate) per topic." in text
    printed = text.split("<pre>")[1].split("</pre>")[0]
    assert printed.strip() == repr(failed).strip()


def test_each_of_several_comparisons_says_which_it_is_and_has_its_own_output():
    rivals = {name: RUNS[name] for name in ("neural", "hybrid")}
    result = rr.gate(QRELS, rivals, {"bm25": RUNS["bm25"]}, ["nDCG@10", "AP"], **LIMITS)
    text = markup(result.to_html())
    for each, part in zip(result.comparisons, text.split("<article ")[1:], strict=True):
        assert f"{each.candidate} against bm25, {each.measure}, 50 topics" in plain(part.split("<h1")[0])
        printed = plain(part.split("<pre>")[1].split("</pre>")[0])
        assert printed.startswith(
            f"{'PASS' if each.passed else 'FAIL'} {each.candidate} {'may' if each.passed else 'must not'} "
        )
        assert printed.count(" replace bm25") == 1
    assert "gains = grade" not in text.split("<main>")[0]


def test_cautions_stand_before_any_number():
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9]})
    result = rr.gate(scores, "new", "old", max_risk=0.5)
    for text in (result.to_html().split("<main>")[1], result._repr_html_().split("</style>")[1]):
        assert "3 topics cannot" in text
        assert text.index("Caution:") < text.index("PASS")


@pytest.mark.parametrize(
    "limits", [{}, {"min_trisk": -2}, {"min_urisk": -0.3, "alpha": 2}, {"max_risk": 0, "max_loss": 0}]
)
@pytest.mark.parametrize(
    "rows",
    [
        {"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9]},
        {"old": [0.5, 0.4, 0.3], "new": [0.5, 0.4, 0.3]},
        {"old": [0.5, 0.4], "new": [0.4, 0.3]},
        {"old": [3.0, -4.0, 1.0], "new": [-5.0, 2.0, 1.0]},
    ],
    ids=["some", "equal", "all the same", "negative"],
)
def test_odd_scores_and_every_limit_have_a_page(rows, limits):
    result = rr.gate(rr.Effectiveness.from_rows(rows), "new", "old", **limits)
    for text in (result.to_html(), result._repr_html_()):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert "nan" not in markup(text).split("</style>")[1].lower()


@pytest.mark.parametrize("rows", [{"old": [0.5], "new": [0.4]}, {"new": [0.5, 0.2]}], ids=["one topic", "itself"])
def test_one_topic_and_a_system_against_itself(rows):
    scores = rr.Effectiveness.from_rows(rows)
    result = rr.gate(scores, "new", next(iter(rows)), max_risk=0.2)
    assert "✓" in result.to_html()


HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "</script><script>alert(3)</script>"]


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(0)
    new, old, topic = HOSTILE
    topics, documents = [topic, "<b>t</b>", "plain"], ["<i>d</i>", '"><img src=x onerror=alert(4)>', "</li>"]
    qrels = {each: {document: 1 + int(rng.integers(2)) for document in documents[:2]} for each in topics}
    runs = [{each: {document: float(rng.random()) for document in documents} for each in topics} for _ in range(2)]
    return rr.gate(qrels, {new: runs[0]}, {old: runs[1]}, max_risk=0.0001, max_loss=0.0001)


def test_names_of_systems_topics_and_documents_are_text(hostile):
    page = hostile.to_html()
    assert page.count("<script") == 2
    for name in ("<img", "<b>t", "<i>d", "alert(1)</script>"):
        assert name not in page
    tree = Tree()
    tree.feed(page)
    assert tree.open == []
    assert "<script" not in hostile._repr_html_()
    assert "<img" not in hostile._repr_html_()


def test_a_notebook_shows_the_verdict_and_the_checklist(failed):
    text = failed._repr_html_()
    body = text.split("</style>")[1]
    for word in ("<script", "<iframe", "http", "url(", "@import", " id="):
        assert word not in text
    assert "neural must not replace bm25: 2 of 3 checks fail." in plain(body)
    assert body.count('class="bullet"') == 3
    assert len(text.encode()) < 20_000
