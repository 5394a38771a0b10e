"""The command as a whole: what it says of itself, and to somebody who mistypes."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "command", [("simulate-clicks",), ("clicks",), *(("clicks", each) for each in ("prepare", "train", "evaluate"))]
)
def test_every_command_explains_itself(riskrank, command):
    done = riskrank(*command, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"riskrank {' '.join(command)} " in done.out


def test_a_command_that_does_not_exist_is_told(riskrank):
    done = riskrank("clicks", "evaluat")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: ")
