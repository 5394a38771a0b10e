from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.assessment.reference import resolve_baseline
from riskrank.errors import AlignmentError

from .examples import SCORES


def test_a_system_is_known_to_be_one():
    for given in ("new", ["new"], ("new",)):
        reference = resolve_baseline(SCORES, given, "mean")
        assert (reference.name, reference.system) == ("new", "new")
        assert reference.scores.tolist() == SCORES["new"].tolist()


def test_combinations_are_no_system():
    several = resolve_baseline(SCORES, ["old", "new"], "max")
    assert (several.name, several.system) == ("max of old, new", None)
    assert several.scores.tolist() == [0.6, 0.4, 0.9, 0.6]
    assert resolve_baseline(SCORES, "median", "mean").name == "median of 3 systems"
    assert resolve_baseline(SCORES, [0.1, 0.2, 0.3, 0.4], "mean").name == "given scores"


@pytest.mark.parametrize("name", ["mean", "median", "max"])
def test_a_system_that_is_called_like_a_combination_must_be_told_from_it(name):
    scores = rr.Effectiveness.from_rows({name: [0.1, 0.2], "new": [0.3, 0.6]})
    with pytest.raises(AlignmentError, match=f"'{name}' could be the system of that name or the {name} of all systems"):
        resolve_baseline(scores, name, "mean")
    assert resolve_baseline(scores, [name], "mean").scores.tolist() == [0.1, 0.2]
    assert resolve_baseline(scores, [name, "new"], "max").scores.tolist() == [0.3, 0.6]


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        ("nwe", "baseline 'nwe' is not among the systems: old, new, same. .* Did you mean 'new'"),
        ([0.1], r"a score for each of the 4 topics, got shape \(1,\)"),
        ([], r"a score for each of the 4 topics, got shape \(0,\)"),
        (["old", 3], "the name of a system, several of them, or a score per topic"),
        (["old", "x"], "no system 'x'"),
    ],
)
def test_what_is_no_baseline_is_refused(baseline, message):
    with pytest.raises(AlignmentError, match=message):
        resolve_baseline(SCORES, baseline, "mean")
