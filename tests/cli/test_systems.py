from __future__ import annotations

import os
import threading

import pytest

from riskrank.cli.systems import baseline_name, local_files, named_systems, with_baselines
from riskrank.errors import AlignmentError

from .shell import shell


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("bm25.run", "a/new.run", "b/new.run"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("1 Q0 a 1 1 t\n")


def test_names_are_given_or_come_from_files_and_folders(runs):
    systems = named_systems(["bm25.run", "x=bm25.run", "a/new.run", "b/new.run", "feature:3"])
    assert list(systems) == ["bm25", "x", "a/new", "b/new", "feature:3"]
    assert systems["x"] == "bm25.run"
    with pytest.raises(AlignmentError, match="two systems are named 'a/new'. Name them: name=path"):
        named_systems(["a/new.run", "a/new.run"])


def test_baselines_that_are_other_files_join_the_systems(runs):
    assert with_baselines(["a/new.run"], ["bm25.run", "new", "mean"]) == ["a/new.run", "bm25.run"]
    assert with_baselines(["a/new.run"], ["./a/new.run"]) == ["a/new.run"]
    assert with_baselines([], ["bm25.run"]) == []


def test_a_baseline_is_given_by_its_name_or_file(runs):
    named = {"x": "bm25.run", "new": "a/new.run"}
    assert [baseline_name(wanted, named) for wanted in ("x", "./bm25.run", "a/new.run", "mean")] == [
        "x", "x", "new", "mean",
    ]  # fmt: skip


def test_files_stay_and_pipes_are_copied(runs, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=(tmp_path / "pipe").write_text, args=("piped",))
    writing.start()
    with local_files("bm25.run", {"x": "a/new.run", "p": "pipe", "f": "feature:3"}) as (judgments, systems):
        assert (judgments, systems["x"], systems["f"]) == ("bm25.run", "a/new.run", "feature:3")
        with open(systems["p"]) as copy:
            assert copy.read() == "piped"
    writing.join()
    assert not os.path.exists(systems["p"])


def test_runs_and_qrels_may_come_through_pipes(example, tmp_path):
    plain = shell("riskrank evaluate example/qrels.txt example/bm25.run h=example/hybrid.run", tmp_path)
    for command in (
        "riskrank evaluate <(cat example/qrels.txt) example/bm25.run h=<(gzip -c example/hybrid.run)",
        "cat example/hybrid.run | riskrank evaluate example/qrels.txt example/bm25.run h=-",
    ):
        piped = shell(command, tmp_path)
        assert (piped.returncode, piped.stdout, piped.stderr) == (0, plain.stdout, "")


def test_swapped_arguments_get_a_hint(example, tmp_path):
    done = shell("riskrank evaluate example/bm25.run example/neural.run", tmp_path)
    assert done.returncode == 2
    assert "It looks like a run: qrels come first." in done.stderr
    done = shell("riskrank evaluate example/qrels.txt example/qrels.txt", tmp_path)
    assert "It looks like qrels, a run is needed." in done.stderr
