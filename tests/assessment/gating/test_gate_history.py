from __future__ import annotations

import gzip
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

import riskrank as rr
from riskrank.assessment.gating.gate_history import GateHistory, append_to_history
from riskrank.errors import FileError

SCORES = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.4]}, measure="AP")
RESULT = rr.gate(SCORES, "new", "old", max_loss=0.1, max_hurt=0.6)


def test_lines_are_added_and_read_back_in_order(tmp_path):
    path = tmp_path / "history.jsonl"
    append_to_history(RESULT, path, label="v1", time=datetime(2026, 1, 2, tzinfo=UTC))
    append_to_history(RESULT, path)
    first, second = GateHistory.read(path).gates
    assert (first.label, first.time, first.passed) == ("v1", datetime(2026, 1, 2, tzinfo=UTC), False)
    assert second.label == "new"
    (comparison,) = first.comparisons
    assert (comparison.measure, comparison.n_topics, comparison.gain) == ("AP", 4, pytest.approx(0.05))
    assert (comparison.candidate_mean, comparison.baseline_mean) == pytest.approx((0.5, 0.45))
    assert [(check.name, check.limit, check.holds) for check in comparison.checks] == [
        ("hurt", 0.6, True),
        ("loss", 0.1, False),
    ]


def test_many_jobs_may_write_at_once(tmp_path):
    path = tmp_path / "history.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: append_to_history(RESULT, path, label=f"v{i}"), range(40)))
    assert {gate.label for gate in GateHistory.read(path).gates} == {f"v{i}" for i in range(40)}


def test_of_a_line_that_does_not_fit_on_the_disk_nothing_is_kept(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "history.jsonl"
    append_to_history(RESULT, path)
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, limits[1]))
    try:
        with pytest.raises(FileError, match="history.jsonl: cannot be written"):
            append_to_history(RESULT, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["some notes\n", "{}\n", '{"format": "riskrank gate"'])
def test_nothing_is_appended_to_other_files(tmp_path, content):
    (tmp_path / "notes").write_text(content)
    with pytest.raises(FileError, match="notes:1: is not a gate's history"):
        append_to_history(RESULT, tmp_path / "notes")
    assert (tmp_path / "notes").read_text() == content


def test_a_packed_history_is_read_but_not_added_to(tmp_path):
    append_to_history(RESULT, tmp_path / "history")
    packed = gzip.compress((tmp_path / "history").read_bytes())
    (tmp_path / "history").write_bytes(packed)
    assert len(GateHistory.read(tmp_path / "history").gates) == 1
    with pytest.raises(FileError, match="is compressed, no line can be added to it"):
        append_to_history(RESULT, tmp_path / "history")
    assert (tmp_path / "history").read_bytes() == packed


@pytest.mark.parametrize("content", ["", '{"form', '{"format": "riskrank gate history", "vers'])
def test_a_first_line_that_was_cut_off_is_a_history_all_the_same(tmp_path, content):
    (tmp_path / "history.jsonl").write_text(content)
    append_to_history(RESULT, tmp_path / "history.jsonl", label="v1")
    *cut_off, last = (tmp_path / "history.jsonl").read_text().splitlines()
    assert (cut_off, json.loads(last)["label"]) == ([content] if content else [], "v1")


def test_nothing_yet_is_a_history_without_releases(tmp_path):
    (tmp_path / "history.jsonl").touch()
    assert GateHistory.read(tmp_path / "history.jsonl").gates == ()


@pytest.mark.parametrize(
    "line", ["\0\0", "{}", "3", "[]", '{"format": "x"}', '{"format": "riskrank gate history"}', "[" * 100_000]
)
def test_other_lines_are_refused(tmp_path, line):
    (tmp_path / "history.jsonl").write_text(line + "\n")
    with pytest.raises(FileError, match=r"history.jsonl:1: is not a line"):
        GateHistory.read(tmp_path / "history.jsonl")


@pytest.mark.parametrize("number", ["Infinity", "1e308", '"a"'])
def test_numbers_that_are_no_scores_are_refused(tmp_path, number):
    append_to_history(RESULT, tmp_path / "history.jsonl")
    line = re.sub(r'"gain": [^,]+', f'"gain": {number}', (tmp_path / "history.jsonl").read_text())
    (tmp_path / "history.jsonl").write_text(line)
    with pytest.raises(FileError, match=r"history.jsonl:1: is not a line"):
        GateHistory.read(tmp_path / "history.jsonl")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.97])
def test_a_line_that_was_cut_off_is_left_out_with_a_caution(tmp_path, part):
    path = tmp_path / "history.jsonl"
    append_to_history(RESULT, path, label="v1")
    line = path.read_bytes()
    path.write_bytes(line + line[: int(part * len(line))])
    append_to_history(RESULT, path, label="v3")
    history = GateHistory.read(path)
    assert [gate.label for gate in history.gates] == ["v1", "v3"]
    assert history.cautions == (
        f"{path}:2: the line was cut off, perhaps when a job was killed; it is left out. Delete it.",
    )
    for form in ("__repr__", "to_html", "_repr_html_"):
        assert "Caution:" in getattr(history, form)()


def test_every_cut_of_a_line_is_known_as_one(tmp_path):
    path = tmp_path / "history.jsonl"
    append_to_history(RESULT, path, label='grüner\\ "Tee"')
    line = path.read_bytes().rstrip(b"\n")
    for length in range(1, len(line)):
        path.write_bytes(line[:length] + b"\n")
        assert GateHistory.read(path).gates == ()


def test_a_line_that_is_broken_within_is_refused_without_nested_brackets(tmp_path):
    path = tmp_path / "history.jsonl"
    append_to_history(RESULT, path)
    path.write_text(path.read_text().replace('"passed": ', '"passed" '))
    with pytest.raises(FileError) as caught:
        GateHistory.read(path)
    assert re.search(r":1: is not a line of a gate's history: [^()]*\([^()]*\)\. Delete the line\.$", str(caught.value))


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(FileError, match="cannot be written"):
        append_to_history(RESULT, tmp_path / "no folder" / "history.jsonl")
