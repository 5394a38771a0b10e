"""Small sweeps through the command."""

from __future__ import annotations

SMALL = ("--trees", 6, "--leaves", 4, "--rate", 0.3)
PARTS = ("--valid", "valid.txt", "--test", "test.txt", "-b", "feature:8")  # a weak baseline: there is much to gain
BARE = ["sweep", "train.txt", "-b", "feature:8", "-o", "out"]
SWEEP = ["sweep", "train.txt", *PARTS, "--trees", 2, "-o", "out"]
ALONE = ("--alpha", 0, "--leaves", 3, "--jobs", 1)  # side by side, models may take the error away


def swept(riskrank, *arguments):
    """What a sweep prints."""
    done = riskrank("sweep", "train.txt", *PARTS, *SMALL, *arguments, "-o", "out")
    assert (done.status, done.err) == (0, "")
    return done.out
