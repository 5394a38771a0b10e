"""What evaluate and gate read: through pipes, and in the wrong order."""

from __future__ import annotations

from .shell import shell


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
