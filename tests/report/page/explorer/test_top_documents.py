"""The first documents of rankings, against a plain sort."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.data.trec.runs import read_runs
from riskrank.errors import ParameterError
from riskrank.report.page.explorer.top_documents import DEPTH, Listed, SideBySide, TopDocuments

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "z": -1}}


def heads(rankings, system, topic, baseline="run"):
    """A system's documents with their grades."""
    return [each[:2] for each in rankings.beside(system, baseline, [topic])[topic].system]


def test_the_order_is_that_of_trec_eval():
    run = {"1": {"a": 1.0, "b": 3.0, "c": 1.0, "d": 2.0}, "2": {"z": 1.0, "a": 1.0 + 1e-12}}
    rankings = TopDocuments(QRELS, {"run": run}, ("1", "2"))
    # by score, then by document id, both falling; scores that differ beyond float32 are tied
    assert heads(rankings, "run", "1") == [("b", 0), ("d", None), ("c", 1), ("a", 2)]
    assert heads(rankings, "run", "2") == [("z", -1), ("a", 1)]


def test_only_the_first_ten_are_kept():
    run = {"1": {f"d{k:03}": float(k) for k in range(50)}}
    top = heads(TopDocuments(QRELS, {"run": run}, ("1",)), "run", "1")
    assert top == [(f"d{k:03}", None) for k in range(49, 39, -1)]
    assert DEPTH == 10


def test_each_document_has_its_rank_in_the_other_ranking():
    old = {"1": {f"d{k:02}": float(-k) for k in range(1, 21)}}
    new = {"1": {"d15": 3.0, "d01": 2.0, "x": 1.0}}
    pair = TopDocuments(QRELS, {"old": old, "new": new}, ("1",)).beside("new", "old", ["1"])["1"]
    assert [(each.document, each.elsewhere) for each in pair.system] == [("d15", 15), ("d01", 1), ("x", None)]
    assert [each.document for each in pair.baseline] == [f"d{k:02}" for k in range(1, 11)]
    assert [each.elsewhere for each in pair.baseline] == [2, *[None] * 9]


def test_a_topic_that_a_system_does_not_answer_is_empty():
    rankings = TopDocuments(QRELS, {"run": {"1": {"a": 1.0}}, "other": {"2": {"a": 1.0}}}, ("1", "2"))
    pair = rankings.beside("other", "run", ["1", "2"])
    assert (len(pair["1"].baseline), pair["1"].system) == (1, [])
    assert (pair["2"].baseline, len(pair["2"].system)) == ([], 1)
    assert "run" in rankings
    assert "nobody" not in rankings


def test_files_give_the_rankings_of_their_lines():
    qrels, runs = example_files()
    topics = rr.read_qrels(qrels).topics
    rankings = TopDocuments(qrels, runs, topics)
    judged = rr.read_qrels(qrels).frame.select("topic", "document", "grade")
    grades = {(topic, document): grade for topic, document, grade in judged.iter_rows()}
    for name, run in read_runs(runs).items():
        shown = rankings.beside(name, "bm25", topics)
        rows = run.frame.select("topic", "score", "document").iter_rows()
        lines = sorted(((topic, np.float32(score), document) for topic, score, document in rows), reverse=True)
        for topic, group in itertools.groupby(lines, key=lambda line: line[0]):
            head = [(document, grades.get((topic, document))) for _, _, document in list(group)[:10]]
            assert [each[:2] for each in shown[topic].system] == head


def test_labelled_features_are_ranked_by_score_and_then_as_they_stand():
    data = web_search_data(12, documents_per_query=15, n_features=20)
    scores = np.round(data.feature(1), 0)  # many ties
    rankings = TopDocuments(data, {"rounded": scores, "constant": np.zeros(data.n_documents)}, data.query_ids)
    for q, query in enumerate(data.query_ids):
        rows = range(*data.query_offsets[q : q + 2])
        for name, run in (("rounded", scores), ("constant", np.zeros(data.n_documents))):
            order = sorted(rows, key=lambda row: (-run[row], row))[:10]
            documents = [(str(data.ids[row]), data.labels[row]) for row in order]
            assert heads(rankings, name, query, baseline="constant") == documents


def test_half_of_what_rankings_need_is_refused():
    assessment = rr.assess(rr.evaluate(QRELS, {"a": {"1": {"a": 1.0}}}, "P@1"), baseline="a")
    for half in ({"qrels": QRELS}, {"runs": {}}):
        with pytest.raises(ParameterError, match="rankings need both qrels= and runs="):
            assessment.to_html(**half)


def page_content(text):
    data = text.split('id="riskrank-data">')[1].split("</script>")[0]
    return json.loads(data)


def shown_ranking(content, topic, system, side):
    """Documents and grades of a topic in the page's data."""
    ranked = content["topics"]["rankings"][str(topic)]
    return [(ranked["documents"][k], ranked["grades"][k]) for k, _ in ranked["of"][str(system)][side]]


def test_the_command_writes_the_page_of_runs_with_their_rankings(riskrank, example, tmp_path):
    runs = {name: example / f"{name}.run" for name in ("bm25", "neural")}
    done = riskrank("evaluate", example / "qrels.txt", *runs.values(), "-b", "bm25", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    assessment = rr.assess(rr.evaluate(example / "qrels.txt", runs, "nDCG@10"), baseline="bm25")
    assessment.to_html(tmp_path / "same.html", qrels=example / "qrels.txt", runs=runs)
    named = (tmp_path / "page.html").read_text()
    assert named.replace("<span>qrels.txt</span>", "", 1) == (tmp_path / "same.html").read_text()
    content = page_content((tmp_path / "page.html").read_text())[0]
    worst = content["topics"]["kept"]["1"]["topics"][0]
    name = assessment["neural"].worst_topic
    assert content["topics"]["names"][worst] == name
    both = TopDocuments(example / "qrels.txt", runs, assessment.scores.topics).beside("neural", "bm25", [name])[name]
    for side in (0, 1):
        assert shown_ranking(content, worst, 1, side) == [each[:2] for each in both[side]]


def test_the_command_writes_the_page_of_labelled_features_with_their_rankings(riskrank, example, tmp_path):
    lines = (example / "test.txt").read_text().splitlines()
    first_two = list(dict.fromkeys(line.split()[1] for line in lines))[:2]
    (tmp_path / "small.txt").write_text("\n".join(line for line in lines if line.split()[1] in first_two))
    done = riskrank("evaluate", "small.txt", "feature:1", "feature:2", "-m", "AP", "-m", "P@5", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    data = rr.read_letor(tmp_path / "small.txt")
    contents = page_content((tmp_path / "page.html").read_text())
    assert len(contents) == 2
    for content in contents:
        for number, topic in enumerate(content["topics"]["names"]):
            rows = range(*data.query_offsets[data.query_ids.index(topic) :][:2])
            for place in (0, 1):
                order = sorted(rows, key=lambda row: (-data.feature(place + 1)[row], row))[:10]
                top = [(str(data.ids[row]), data.labels[row]) for row in order]
                assert shown_ranking(content, number, 1, place) == top


def test_two_rankings_know_what_all_their_documents_begin_with():
    old, new = ([Listed(f"https://shop.example/p/{k}", None, None)] for k in (17, 4))
    assert SideBySide(old, new).beginning == "https://shop.example/p/"
    assert SideBySide(old, [Listed("4", None, None)]).beginning == ""
