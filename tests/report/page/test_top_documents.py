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
from riskrank.report.page.top_documents import DEPTH, TopDocuments

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "z": -1}}


def test_the_order_is_that_of_trec_eval():
    run = {"1": {"a": 1.0, "b": 3.0, "c": 1.0, "d": 2.0}, "2": {"z": 1.0, "a": 1.0 + 1e-12}}
    rankings = TopDocuments(QRELS, {"run": run}, ("1", "2"))
    # by score, then by document id, both falling; scores that differ beyond float32 are tied
    assert rankings.top("run", "1") == [("b", 0), ("d", None), ("c", 1), ("a", 2)]
    assert rankings.top("run", "2") == [("z", -1), ("a", 1)]


def test_only_the_first_ten_are_kept():
    run = {"1": {f"d{k:03}": float(k) for k in range(50)}}
    top = TopDocuments(QRELS, {"run": run}, ("1",)).top("run", "1")
    assert top == [(f"d{k:03}", None) for k in range(49, 39, -1)]
    assert DEPTH == 10


def test_what_is_not_there_is_empty():
    rankings = TopDocuments(QRELS, {"run": {"1": {"a": 1.0}}}, ("1", "2"))
    assert rankings.top("run", "2") == []
    assert rankings.top("run", "3") == []
    assert rankings.top("nobody", "1") == []


def test_files_give_the_rankings_of_their_lines():
    qrels, runs = example_files()
    topics = rr.read_qrels(qrels).topics
    rankings = TopDocuments(qrels, runs, topics)
    judged = rr.read_qrels(qrels).frame.select("topic", "document", "grade")
    grades = {(topic, document): grade for topic, document, grade in judged.iter_rows()}
    for name, run in read_runs(runs).items():
        rows = run.frame.select("topic", "score", "document").iter_rows()
        lines = sorted(((topic, np.float32(score), document) for topic, score, document in rows), reverse=True)
        for topic, group in itertools.groupby(lines, key=lambda line: line[0]):
            head = [(document, grades.get((topic, document))) for _, _, document in list(group)[:10]]
            assert rankings.top(name, topic) == head


def test_labelled_features_are_ranked_by_score_and_then_as_they_stand():
    data = web_search_data(12, documents_per_query=15, n_features=20)
    scores = np.round(data.feature(1), 0)  # many ties
    rankings = TopDocuments(data, {"rounded": scores, "constant": np.zeros(data.n_documents)}, data.query_ids)
    for q, query in enumerate(data.query_ids):
        rows = range(*data.query_offsets[q : q + 2])
        for name, run in (("rounded", scores), ("constant", np.zeros(data.n_documents))):
            order = sorted(rows, key=lambda row: (-run[row], row))[:10]
            assert rankings.top(name, query) == [(str(data.ids[row]), data.labels[row]) for row in order]


def test_half_of_what_rankings_need_is_refused():
    assessment = rr.assess(rr.evaluate(QRELS, {"a": {"1": {"a": 1.0}}}, "P@1"), baseline="a")
    for half in ({"qrels": QRELS}, {"runs": {}}):
        with pytest.raises(ParameterError, match="rankings need both qrels= and runs="):
            assessment.to_html(**half)


def page_content(text):
    data = text.split('id="riskrank-data">')[1].split("</script>")[0]
    return json.loads(data)


def test_the_command_writes_the_page_of_runs_with_their_rankings(riskrank, example, tmp_path):
    pytest.importorskip("vl_convert")
    runs = {name: example / f"{name}.run" for name in ("bm25", "neural")}
    done = riskrank("evaluate", example / "qrels.txt", *runs.values(), "-b", "bm25", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    assessment = rr.assess(rr.evaluate(example / "qrels.txt", runs, "nDCG@10"), baseline="bm25")
    assessment.to_html(tmp_path / "same.html", qrels=example / "qrels.txt", runs=runs)
    assert (tmp_path / "page.html").read_text() == (tmp_path / "same.html").read_text()
    content = page_content((tmp_path / "page.html").read_text())[0]
    worst = content["kept"][1]["topics"][0]
    assert content["topics"][worst] == assessment["neural"].worst_topic
    shown = TopDocuments(example / "qrels.txt", runs, assessment.scores.topics)
    for place, name in enumerate(runs):
        top = [list(each) for each in shown.top(name, assessment["neural"].worst_topic)]
        assert content["rankings"][str(worst)][str(place)] == top


def test_the_command_writes_the_page_of_labelled_features_with_their_rankings(riskrank, example, tmp_path):
    pytest.importorskip("vl_convert")
    head = (example / "test.txt").read_text().splitlines()[:600]
    (tmp_path / "small.txt").write_text("\n".join(line for line in head if "qid:601 " in line or "qid:602 " in line))
    done = riskrank("evaluate", "small.txt", "feature:1", "feature:2", "-m", "AP", "-m", "P@5", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    data = rr.read_letor(tmp_path / "small.txt")
    contents = page_content((tmp_path / "page.html").read_text())
    assert [content["measure"] for content in contents] == ["AP", "P@5"]
    for content in contents:
        for number, topic in enumerate(content["topics"]):
            rows = range(*data.query_offsets[data.query_ids.index(topic) :][:2])
            for place in (0, 1):
                order = sorted(rows, key=lambda row: (-data.feature(place + 1)[row], row))[:10]
                top = [[str(data.ids[row]), data.labels[row]] for row in order]
                assert content["rankings"][str(number)][str(place)] == top
