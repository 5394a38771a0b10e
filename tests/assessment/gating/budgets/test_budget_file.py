from __future__ import annotations

from datetime import date

import pytest

import riskrank as rr
from riskrank.assessment.gating.budgets.budget_file import read_budget
from riskrank.errors import FileError
from riskrank.risk import Budget

WHOLE = """\
measures = ["map", "nDCG@10"]
must_not_break = ["q1", "q2"]
segments = "segments.csv:device"
fewest_in_segment = 5
weights = "weights.csv"

[limits]
max_hurt = 0.1
tolerance = 0.05
strict = true

[measure."AP"]
max_risk = 0.02

[segment.mobile]
max_hurt = 0.3

[[accepted]]
topic = "q3"
reason = "out of stock"
until = 2027-01-31
at_most = 0.5
"""


def written(tmp_path, text):
    path = tmp_path / "budget.toml"
    path.write_text(text)
    return path


def test_all_that_a_file_can_say(tmp_path):
    budget = read_budget(written(tmp_path, WHOLE))
    assert budget.measures == ("AP", "nDCG@10")
    assert budget.limits == Budget(max_hurt=0.1, tolerance=0.05, strict=True)
    assert budget.by_measure == {"AP": Budget(max_risk=0.02, strict=True)}
    assert budget.by_segment == {"mobile": Budget(max_hurt=0.3, tolerance=0.05, strict=True)}
    assert budget.segments == tmp_path / "segments.csv:device"
    assert budget.weights == tmp_path / "weights.csv"
    assert budget.fewest_in_segment == 5
    assert budget.must_not_break == ("q1", "q2")
    assert budget.accepted == (rr.AcceptedLoss("q3", "out of stock", date(2027, 1, 31), at_most=0.5),)


def test_common_limits_are_checked_by_the_default_measure_beside_those_with_their_own(tmp_path):
    text = '[limits]\nmax_hurt = 0.5\n[measure."RR"]\nmax_hurt = 0.1\n'
    assert read_budget(written(tmp_path, text)).measures == ("nDCG@10", "RR")


def test_a_measure_with_limits_counts_without_being_listed(tmp_path):
    assert read_budget(written(tmp_path, '[measure."RR"]\nmax_hurt = 0.1\n')).measures == ("RR",)


def test_an_empty_budget_has_the_default_limits(tmp_path):
    budget = read_budget(written(tmp_path, "# nothing\n"))
    assert budget == rr.GateBudget()
    assert not budget.limits_for("nDCG@10").is_empty


def test_topics_that_must_not_break_in_a_file_of_their_own(tmp_path):
    assert read_budget(written(tmp_path, 'must_not_break = "heads.txt"\n')).must_not_break == tmp_path / "heads.txt"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[limits]\nmax_hrt = 0.1\n", 2, "unknown key 'max_hrt'. Did you mean 'max_hurt'?"),
        ("\nmeasure_s = 1\n", 2, "unknown key 'measure_s'"),
        ("[limits]\n\nmax_hurt = 2\n", 3, "max_hurt must be a number from 0 to 1, got 2"),
        ("[limits]\nmax_hurt = 'x'\n", 2, "max_hurt must be a number from 0 to 1, got 'x'"),
        ("[limits]\ntolerance = 0.1\n", 2, "tolerance needs max_hurt"),
        ("measures = ['nDGC@10']\n", 1, "unknown measure 'nDGC@10'. Did you mean 'nDCG'?"),
        ("measures = 'AP'\n", 1, "measures must be a list of texts"),
        ("[measure.'nope@3']\nmax_hurt = 0.1\n", 1, "unknown measure 'nope@3'"),
        ("[measure.AP]\nmax_hurt = 0.1\nx = 1\n", 3, "unknown key 'x'"),
        ("segments = 's.csv'\n[segment.a]\nlevel = 3\n", 3, "level must lie between 0 and 1, got 3"),
        ("measures = ['AP']\n[measure.RR]\nmax_hurt = 0.1\n", 2, "RR is not among measures: its limits check nothing."),
        ("measures = [true]\n", 1, "measures must be a list of texts"),
        ("limits = 3\n", 1, "limits must be a table of limits"),
        ("measure = 3\n", 1, "measure must be a table"),
        ("[accepted]\ntopic = 'a'\n", 1, "accepted is written [[accepted]]"),
        ("[[accepted]]\ntopic = 'a'\nreason = 'b'\n", 1, "an accepted loss needs until = …."),
        ("\n[[accepted]]\ntopic = 'a'\nreason = ' '\nuntil = 2027-01-01\n", 4, "needs a reason"),
        ("[[accepted]]\ntopic = 'a'\nreason = 'b'\nuntil = '2027'\n", 4, "until must be a date"),
        ("[[accepted]]\ntopic = 'a'\nreason = 'b'\nuntil = 2027-01-01T00:00:00\n", 4, "until must be a date"),
        (
            "[[accepted]]\ntopic = 'a'\nreason = 'b'\nuntil = 2027-01-01\n[[accepted]]\ntopc = 'a'\n",
            6,
            "unknown key 'topc'",
        ),
        (
            "[[accepted]]\ntopic = 'a'\nreason = 'b'\nuntil = 2027-01-01\nat_most = 0\n",
            5,
            "at_most must be a number above 0",
        ),
        ("fewest_in_segment = 0\n", 1, "fewest_in_segment must be a whole number from 1"),
        ("weights = 3\n", 1, "weights must be the path of a file"),
        ("x = = 1\n", 1, "is not TOML: Invalid value (at line 1, column 5)."),
        ("x = " + "[" * 20_000, None, "is not TOML that can be read"),
        (f"[limits]\nmax_loss = {'9' * 400}\n", 2, "max_loss must be a number from 0"),
        (f"[limits]\nmax_loss = {'9' * 6000}\n", None, "is not TOML that can be read"),
        ("[limits]\nlevel = 0.1\nno_significant_loss = false\n", 3, "no_significant_loss = false sets no limit, so"),
        ("max_hurt = 0.1\n", 1, "unknown key 'max_hurt'. It belongs below [limits]."),
        ("segments = 's.csv'\n[segment.a]\n", 2, "segment 'a' has no limit"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(tmp_path, text, line, message):
    with pytest.raises(FileError) as caught:
        read_budget(written(tmp_path, text))
    assert message in str(caught.value)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "is a binary file, text is needed."),
        (b"x = '\xff'\n", "is not UTF-8 text. Convert it first."),
        (b"", "is empty."),
        (None, "no such file."),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path, content, message):
    path = tmp_path / "budget.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        read_budget(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_lines_are_right_whatever_ends_them(tmp_path, start, end):
    lines = ["[limits]", "", "# a comment", "max_hurt = 2", "[[accepted]]", "topic = 'a'"]
    path = tmp_path / "budget.toml"
    path.write_bytes((start + end.join(lines)).encode())
    with pytest.raises(FileError, match=r"budget.toml:4: max_hurt must be a number from 0 to 1, got 2\."):
        read_budget(path)
    lines[3] = "max_hurt = 0.2"
    path.write_bytes((start + end.join(lines)).encode())
    with pytest.raises(FileError, match=r"budget.toml:5: an accepted loss needs reason = …\."):
        read_budget(path)


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("\nsegments = 'no.csv:device'\n", 2, "no.csv:device"),
        ("weights = 'no.csv'\n", 1, "no.csv"),
        ("must_not_break = 'no.txt'\n", 1, "no.txt"),
    ],
)
def test_files_that_are_not_there_are_named_with_the_line_that_names_them(tmp_path, text, line, name):
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4], "new": [0.5, 0.4]})
    path = written(tmp_path, text)
    with pytest.raises(FileError) as caught:
        rr.gate(scores, "new", "old", budget=path)
    assert str(caught.value) == f"{path}:{line}: {tmp_path / name}: no such file."
    instead = {"segments": {"1": "a"}, "weights": {"1": 1.0, "2": 1.0}, "must_not_break": ["1"]}
    key = text.split("=")[0].strip()
    assert rr.gate(scores, "new", "old", budget=path, **{key: instead[key]}).passed


def test_what_only_the_data_show_is_named_with_its_line(tmp_path):
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.4], "new": [0.5, 0.4]}, topics=["q1", "q2"], measure="AP")
    (tmp_path / "segments.csv").write_text("topic,segment\nq1,a\nq2,b\n")
    for text, line, message in (
        ("segments = 'segments.csv'\n[segment.c]\nmax_hurt = 0.1\n", 2, "segment 'c' has no topic"),
        ("\n[segment.c]\nmax_hurt = 0.1\n", 2, "limits of a segment need segments="),
        ("[[accepted]]\ntopic = 'q9'\nreason = 'b'\nuntil = 2100-01-01\n", 2, "accepted: no topic 'q9'"),
        ("\nmust_not_break = ['q3']\n", 2, "must_not_break: no topic 'q3'"),
        (
            "[[accepted]]\ntopic = 'q1'\nreason = 'b'\nuntil = 2020-01-01\n",
            4,
            "the accepted loss of 'q1' expired on 2020-01-01",
        ),
    ):
        with pytest.raises(FileError, match=message) as caught:
            rr.gate(scores, "new", "old", budget=written(tmp_path, text))
        assert caught.value.line == line
