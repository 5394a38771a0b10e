"""What workers could not do is raised by the driver as if it had happened there."""

from __future__ import annotations

import pytest

from riskrank.cluster.job_outcome import (
    Losses,
    LostClusterError,
    LostWorkerError,
    check_done,
    decoded,
    failure,
)
from riskrank.errors import FileError, ParameterError, RiskrankError, TrainingError

LOST = LostWorkerError("a worker was killed")


class OwnError(RiskrankError):
    """Of a kind that drivers do not know."""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileError("a/b.parquet", "is damaged.", line=3), FileError),
        (ParameterError("n_trees must be a whole number.", "n_trees"), ParameterError),
        (TrainingError("all gradients are zero."), TrainingError),
        (LOST, LostWorkerError),
        (OwnError("mine."), RiskrankError),
    ],
)
def test_errors_come_back_as_they_were(error, kind):
    with pytest.raises(kind) as told:
        decoded(failure(error))
    assert type(told.value) is kind
    assert str(told.value) == str(error)
    assert told.value.parameters == error.parameters
    if isinstance(error, FileError):
        assert (told.value.path, told.value.reason, told.value.line) == (error.path, error.reason, error.line)


def test_what_was_made_is_no_failure():
    check_done('{"files": {}}')
    assert decoded('{"files": {}}') == {"files": {}}


def test_work_is_given_up_after_three_losses_without_more_done_and_at_once_without_an_engine():
    losses = Losses()
    for n_done in (0, 0, 5, 5):
        losses.count(LOST, n_done, "Look.")
    with pytest.raises(TrainingError, match=r"^a worker was killed, 3 times. Look.$"):
        losses.count(LOST, 5, "Look.")
    with pytest.raises(TrainingError, match=r"^no scheduler. Look.$"):
        Losses().count(LostClusterError("no scheduler"), 0, "Look.")
