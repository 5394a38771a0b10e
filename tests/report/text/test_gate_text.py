"""What GitHub's runner takes for a command: a line that begins with ``::``, and ``##[`` wherever it stands."""

from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.text.gate_text import gate_text

HOSTILE = [
    "::error::gotcha",
    "  ::stop-commands::x",
    "a\n::error::gotcha",
    "a\r::error::gotcha",
    "a\x85::error::gotcha",
    "##[error]gotcha",
    "a ##[add-mask]gotcha",
    "\x1b[31mred",
    "50%0A::error::gotcha",
    "%0D%0A",
    "a,title=b::gotcha",
]


def commands(text):
    """The lines that are commands, and of each what it is called and its title."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    return [tuple(line.removeprefix("::").partition("::")[0].split(" title=")) for line in lines]


def hostile_gate(name, **budget):
    scores = rr.Effectiveness.from_rows(
        {name: [0.6, 0.6], "new": [0.1, 0.6]}, topics=[name, "other"], measure=f"AP {name}"
    )
    return rr.gate(scores, "new", name, **budget)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_users_make_no_command_of_their_own(name):
    result = hostile_gate(name, max_loss=0.2)
    assert [kind for kind, _ in commands(result.github_annotations())] == ["error", "error", "warning"]
    titles = [title for _, title in commands(result.github_annotations())]
    assert titles[0] == "riskrank gate"
    assert "," not in titles[1]
    assert ":" not in titles[1]
    assert commands(repr(result)) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_control_characters_of_names_are_shown(name):
    result = hostile_gate(name, max_loss=0.2)
    for text in (result.github_annotations(), repr(result)):
        assert text.replace("\n", "").isprintable()


def test_percent_signs_of_names_are_no_escapes():
    (_, topic, _) = hostile_gate("50%0A", max_loss=0.2).github_annotations().splitlines()
    assert topic == "::error title=riskrank%3A topic 50%250A::topic 50%250A: AP 50%250A 0.6000 → 0.1000 (-0.5000)"


def test_harmless_names_stay_as_they_are():
    result = hostile_gate("bm25::rm3, a#b [c]", max_loss=0.2)
    assert "FAIL  new may not replace bm25::rm3, a#b [c]" in repr(result)
    assert "\nbm25::rm3, a#b [c]  " in repr(result)


SCREEN = """\
FAIL  neural may not replace bm25: 2 of 3 checks fail (nDCG@10, gains = grade,
50 topics)

✗ mean loss     0.087     at most 0.01  8.7 times; 95% interval 0.045 to 0.155
✗ largest loss  0.753     at most 0.3   8 topics lose more
✓ topics hurt   14 (28%)  at most 30%   unsure; 95% interval 17% to 42%

topic   bm25  neural  change
133    0.984   0.231  −0.753
118    0.799   0.202  −0.598
113    0.585   0.000  −0.585
104    0.932   0.431  −0.501
146    0.530   0.073  −0.458
… and 9 more

It gains +0.154 on average (95% interval +0.046 to +0.261)."""


def test_the_first_screen():
    qrels, runs = example_files()
    result = rr.gate(
        qrels, {"neural": runs["neural"]}, {"bm25": runs["bm25"]}, max_risk=0.01, max_loss=0.3, max_hurt=0.3
    )
    assert repr(result) == SCREEN
    styled = gate_text(result, styled=True)
    assert styled.startswith("\x1b[33mFAIL\x1b[0m  \x1b[1mneural\x1b[0m may not")
    assert "\n\x1b[34m✓\x1b[0m topics hurt" in styled
