"""plot: charts of sweeps and evaluations as files."""

from __future__ import annotations

import json

import pytest

from ..mistakes import told_in_one_line

pytest.importorskip("vl_convert", reason="needs Altair and vl-convert")


def test_evaluations_are_plotted(riskrank, sweep_files):
    runs = ("feature:1", "feature:8", "-m", "AP", "-m", "P@5")
    done = riskrank("evaluate", "test.txt", *runs, "--json", "-o", "result.json")
    assert (done.status, done.err) == (0, "")
    for arguments in (("-m", "AP"), ("-m", "P@5", "-c", "topics", "--system", "feature:8", "--alpha", 5)):
        done = riskrank("plot", "result.json", *arguments, "-o", "chart.svg", "--width", 300, "--height", 200)
        assert (done.status, done.out, done.err) == (0, "", "")
        assert (sweep_files / "chart.svg").read_text().startswith("<svg")
        (sweep_files / "chart.svg").unlink()
    assert riskrank("plot", "one.json", "-o", "chart.json", "--width", 300).status == 0
    assert json.loads((sweep_files / "chart.json").read_text())["width"] == 300


@pytest.mark.parametrize(
    ("name", "somebodys"), [("a.pdf", b"%PDF-1.4 thesis"), ("a.png", b"\x89PNG photo"), ("a.svg", b"<svg>logo</svg>")]
)
def test_only_drawings_of_ours_are_replaced(riskrank, tmp_path, name, somebodys):
    (tmp_path / "scores.csv").write_text("topic,old,new\n1,0.1,0.5\n2,0.3,0.2\n3,0.4,0.6\n")
    (tmp_path / name).write_bytes(somebodys)
    plot = ("plot", "scores.csv", "-b", "old", "-o", name)
    assert "holds something else" in riskrank(*plot).err
    assert (tmp_path / name).read_bytes() == somebodys
    assert riskrank(*plot, "--force").status == 0
    assert riskrank(*plot, "-c", "georisk").status == 0


def test_a_matrix_of_scores_is_plotted_against_a_baseline(riskrank, tmp_path):
    (tmp_path / "scores.csv").write_text("topic,old,new\n1,0.1,0.5\n2,0.3,0.2\n3,0.4,0.6\n")
    assert riskrank("plot", "scores.csv", "-b", "old", "-o", "chart.json").status == 0
    assert '"new"' in (tmp_path / "chart.json").read_text()


def test_what_charts_can_be_told_is_an_option_of_its_own(riskrank, tmp_path):
    (tmp_path / "scores.csv").write_text("topic,old,new,other\n1,0.1,0.5,0.2\n2,0.3,0.2,0.2\n3,0.4,0.6,0.2\n")
    for arguments in (("georisk", "--largest-alpha", 7), ("helped-hurt", "--systems", "new")):
        assert riskrank("plot", "scores.csv", "-b", "old", "-o", "chart.json", "-c", *arguments).status == 0
        text = (tmp_path / "chart.json").read_text()
        assert '"alpha": 7.0' in text if arguments[0] == "georisk" else '"other"' not in text


# What people get wrong.


PLOT = ["plot", "one.json", "-o", "out.png"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*PLOT, "-c", "risk-gian"], "unknown chart 'risk-gian'. Did you mean 'risk-gain'?"),
        ([*PLOT, "-c", "convergence"], "the chart convergence needs a sweep"),
        ([*PLOT, "--system", "feature:8"], "the chart risk-gain has no --system"),
        ([*PLOT, "-c", "topics", "--system", "feature:9"], "no system 'feature:9'. There are: feature:8"),
        ([*PLOT, "-c", "topics", "--alpha", -1], "--alpha must be a number from 0"),
        ([*PLOT, "-c", "georisk", "--alpha", 1], "the chart georisk has no --alpha"),
        ([*PLOT, "--largest-alpha", 1], "the chart risk-gain has no --largest-alpha"),
        ([*PLOT, "-c", "georisk", "--largest-alpha", 0], "--largest-alpha must be a number above 0"),
        ([*PLOT, "-c", "helped-hurt", "--systems", "nobody"], "no system 'nobody'"),
        ([*PLOT, "-m", "RR"], "one.json has no measure RR; it has AP"),
        (["plot", "two.json", "-o", "out.png"], "two.json holds several measures (AP, P@5): name one with --measure"),
        (["plot", "one.json", "-o", "out.jpg"], "out.jpg must end in one of .png, .svg, .pdf, .html, .json"),
        (["plot", "one.json", "-o", "out"], "out must end in one of"),
        (["plot", "one.json", "-o", "nowhere/out.png"], "nowhere/out.png: cannot be written"),
        (["plot", "one.json", "-o", "one.json"], "one.json: is one of the inputs"),
        (["plot", "nothing.json", "-o", "out.png"], "nothing.json: no such file"),
        (["plot", "words.json", "-o", "out.png"], "words.json: is not a riskrank assessment"),
        (["plot", "foreign", "-o", "out.png"], "foreign: is not a finished sweep of riskrank"),
    ],
    ids=lambda x: x if isinstance(x, str) else " ",
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2_and_nothing_is_written(riskrank, sweep_files, foreign, arguments, message):
    told_in_one_line(riskrank, sweep_files, arguments, message)


def test_a_picture_without_any_pixels_is_refused(riskrank, sweep_files):
    told_in_one_line(riskrank, sweep_files, [*PLOT, "--scale", 0], "scale")


def test_a_baseline_for_what_has_one_is_refused(riskrank, sweep_files):
    told_in_one_line(riskrank, sweep_files, [*PLOT, "-b", "feature:8"], "baseline")
