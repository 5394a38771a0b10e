from __future__ import annotations

from riskrank.assessment.gating.budgets.key_lines import KeyLines
from riskrank.errors import ParameterError

TEXT = """\
first = 1
[limits]
max_hurt = 0.1
"quoted key" = 2
[measure."nDCG@10"]  # remark
max_hurt = 0.2
[[accepted]]
topic = "a"
[[accepted]]
topic = "b"
"""


def line_of(*key):
    return KeyLines.of("x.toml", TEXT).error("…", *key).line


def test_keys_are_found_in_their_tables():
    assert line_of("first") == 1
    assert line_of("limits", "max_hurt") == 3
    assert line_of("limits", "quoted key") == 4
    assert line_of("measure", "nDCG@10", "max_hurt") == 6
    assert [line_of("accepted", i, "topic") for i in (0, 1)] == [8, 10]


def test_what_is_not_there_is_looked_for_in_its_table():
    assert line_of("limits", "tolerance") == 2
    assert line_of("accepted", 1, "reason") == 9
    assert line_of("nothing", "at all") == 1


def test_errors_are_located_by_their_parameters():
    error = ParameterError("tolerance needs max_hurt.", "tolerance", "max_hurt")
    assert KeyLines.of("x.toml", TEXT).located(error, "limits").line == 3
    assert str(KeyLines.of("x.toml", TEXT).located(error, "limits")) == "x.toml:3: tolerance needs max_hurt."


def test_the_first_of_several_keys_that_is_there():
    lines = KeyLines.of("budget.toml", "[limits]\nmax_hurt = 0.1\n")
    assert lines.first(("segment", "a", "max_hurt"), ("limits", "max_hurt"), ("limits",)) == 2
    assert lines.first(("nonsense",)) == 1
