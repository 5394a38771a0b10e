from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest

import riskrank as rr
from riskrank.testing import assert_no_regression

SCORES = rr.Effectiveness.from_rows({"old": [0.5] * 30, "new": [0.9] * 29 + [0.1]}, measure="AP")
SUITE = """
import riskrank as rr
from riskrank.testing import assert_no_regression

SCORES = rr.Effectiveness.from_rows({"old": [0.5] * 30, "new": [0.9] * 29 + [0.1]}, measure="AP")

def test_release():
    assert_no_regression(SCORES, "new", "old", max_loss=0.3)
"""


def test_what_passes_says_nothing(capsys):
    assert assert_no_regression(SCORES, "new", "old", max_loss=0.5) is None
    assert capsys.readouterr() == ("", "")


def test_what_fails_says_the_checklist():
    with pytest.raises(AssertionError) as failure:
        assert_no_regression(SCORES, "new", "old", max_loss=0.3, max_hurt=0.5)
    assert str(failure.value) == repr(rr.gate(SCORES, "new", "old", max_loss=0.3, max_hurt=0.5))
    assert "✗ largest loss  0.400     at most 0.3" in str(failure.value)


def test_a_budget_file_may_say_the_limits(tmp_path):
    (tmp_path / "budget.toml").write_text("[limits]\nmax_loss = 0.3\n")
    with pytest.raises(AssertionError, match="largest loss"):
        assert_no_regression(SCORES, "new", "old", budget=tmp_path / "budget.toml")


def test_input_that_does_not_fit_is_no_failure():
    with pytest.raises(rr.RiskrankError, match="no system 'newest'"):
        assert_no_regression(SCORES, "newest", "old")


def test_it_takes_what_a_gate_takes():
    assert inspect.signature(assert_no_regression).parameters == inspect.signature(rr.gate).parameters
    assert rr.testing.assert_no_regression is assert_no_regression


def test_pytest_shows_the_line_of_the_test_and_the_checklist(tmp_path):
    (tmp_path / "test_release.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_release.py"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'assert_no_regression(SCORES, "new", "old", max_loss=0.3)' in done.stdout
    assert "FAIL  new must not replace old (AP, 30 topics)" in done.stdout
    assert "✗ largest loss  0.400  at most 0.3  1 topic loses more" in done.stdout
    assert "riskrank/testing.py" not in done.stdout
