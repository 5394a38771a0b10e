"""Pipes, closed and full outputs: what shells and CI systems do to a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from riskrank.cli.output import is_coloured

from .shell import shell


def test_a_reader_that_leaves_early_is_no_failure_of_the_gate(example, tmp_path):
    gate = "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run --json"
    done = shell(f"set -o pipefail; {gate} | true", tmp_path)
    assert done.returncode in (0, 141)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_status_2(example, tmp_path):
    done = shell("riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "riskrank: cannot write the output (No space left on device).\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command",
    [
        "riskrank evaluate example/qrels.txt example/bm25.run example/hybrid.run --html page.html > /dev/full",
        "riskrank evaluate example/qrels.txt example/bm25.run example/hybrid.run --html page.html --json -o /dev/full",
        "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run --html page.html > /dev/full",
        "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run --html page.html --junit /dev/full",
    ],
)
def test_no_page_stands_where_another_output_cannot_be_written(example, tmp_path, command):
    (tmp_path / "page.html").write_text("<!doctype html> riskrank of yesterday")
    before = sorted(tmp_path.iterdir())
    done = shell(command, tmp_path)
    assert done.returncode == 2
    assert "(No space left on device)" in done.stderr
    assert (tmp_path / "page.html").read_text() == "<!doctype html> riskrank of yesterday"
    assert sorted(tmp_path.iterdir()) == before


def test_a_page_stands_where_the_reader_of_another_output_left(example, tmp_path):
    evaluate = "riskrank evaluate example/qrels.txt example/*.run --per-topic --json --html page.html"
    done = shell(f"set -o pipefail; {evaluate} | head -c 1", tmp_path)
    assert (done.returncode, done.stderr) == (141, "")
    assert "</html>" in (tmp_path / "page.html").read_text()


def test_a_closed_stdout_is_no_traceback(example, tmp_path):
    done = shell("riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run >&-", tmp_path)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_an_input_is_never_overwritten(example, tmp_path):
    before = (tmp_path / "example" / "hybrid.run").read_text()
    evaluate = "riskrank evaluate example/qrels.txt example/bm25.run x=example/hybrid.run"
    gate = "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run"
    rank = "riskrank rank model example/test.txt"
    for command in (
        f"{rank} -o example/test.txt",
        f"{rank} -b example/hybrid.run -o example/hybrid.run",
        f"{evaluate} -o example/hybrid.run",
        f"{evaluate} --html example/hybrid.run",
        f"{gate} --junit example/hybrid.run",
        f"{gate} --html example/hybrid.run",
        f"{gate} --html example/qrels.txt",
        f"{gate.replace('example/hybrid', 'x=example/hybrid')} --html example/hybrid.run",
    ):
        done = shell(command, tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "is one of the inputs" in done.stderr
    assert (tmp_path / "example" / "hybrid.run").read_text() == before


def test_text_has_plain_letters_where_the_locale_knows_no_others_but_data_are_utf_8(example, tmp_path):
    evaluate = "riskrank evaluate example/qrels.txt example/bm25.run 新=example/hybrid.run"
    plain = shell(f"PYTHONIOENCODING=ascii {evaluate}", tmp_path)
    assert plain.returncode == 0
    assert plain.stdout.isascii()
    assert "|--" in plain.stdout
    assert "+ significant gain  . inconclusive  - significant loss" in plain.stdout
    assert (
        shell(f"PYTHONIOENCODING=ascii {evaluate} --json", tmp_path).stdout
        == shell(f"{evaluate} --json", tmp_path).stdout
    )


@pytest.mark.parametrize(
    ("terminal", "environment", "coloured"),
    [(True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False), (True, {"TERM": "dumb"}, False)],
)
def test_only_terminals_get_colours(monkeypatch, terminal, environment, coloured):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert is_coloured() == coloured
    assert not is_coloured(Path("file"))
