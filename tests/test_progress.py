from __future__ import annotations

import io
import itertools
from types import SimpleNamespace

import pytest

from riskrank import progress
from riskrank.progress import Progress, overall


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal_and_clock(monkeypatch):
    """A terminal, and a clock that goes on by a second whenever it is looked at."""
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    seconds = itertools.count(0.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    return screen


def test_a_terminal_sees_what_is_done_how_much_and_how_long_it_takes(monkeypatch):
    terminal = terminal_and_clock(monkeypatch)
    with Progress("training", 4) as bar:
        bar.update(1, "0.5")
        bar.update(4, "0.7")
    first, last = terminal.getvalue().strip("\r\n").split("\r")
    assert first == "training " + "█" * 6 + "░" * 18 + " 1/4 0:01 < 0:03  0.5"
    assert last.rstrip() == "training " + "█" * 24 + " 4/4 0:02  0.7"
    assert terminal.getvalue().endswith("\n")


def test_a_shorter_line_covers_the_one_before(monkeypatch):
    terminal = terminal_and_clock(monkeypatch)
    bar = Progress("x", 2)
    bar.say("something long")
    bar.say("short")
    assert terminal.getvalue() == "\rx: something long" + "\r" + "x: short".ljust(len("x: something long"))


def test_steps_that_were_done_before_do_not_count_in_the_time_that_is_left(monkeypatch):
    terminal = terminal_and_clock(monkeypatch)
    Progress("x", 4, done=2).update(3)
    assert "3/4 0:01 < 0:01" in terminal.getvalue()


def test_what_is_no_terminal_sees_nothing_unless_it_wants_to(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr("sys.stderr", screen)
    with Progress("x", 2) as bar:
        bar.say("loading")
        bar.update(2)
    assert screen.getvalue() == ""
    Progress("x", 2, show=True).update(2)
    assert "2/2" in screen.getvalue()
    monkeypatch.setattr("sys.stderr", None)  # as in a program without a console
    Progress("x", 2, show=True).update(2)


def test_the_work_around_hears_of_every_step():
    heard = []
    token = overall.set(heard.append)
    try:
        bar = Progress("x", 5, show=False)
        assert [len(part) for part in bar.counted(["ab", "c", "defg"])] == [2, 1, 4]
    finally:
        overall.reset(token)
    assert heard == [2, 3, 5]  # never beyond the total


@pytest.mark.parametrize(("seconds", "clock"), [(0, "0:00"), (61.4, "1:01"), (3599.6, "1:00:00"), (7322, "2:02:02")])
def test_times_are_written_as_on_a_clock(seconds, clock):
    assert progress._clock(seconds) == clock
