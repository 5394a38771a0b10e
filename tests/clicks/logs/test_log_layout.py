"""LogLayout: what a layout must say of itself, and what it may leave out."""

from __future__ import annotations

import pytest

from riskrank.clicks.logs.log_layout import LogLayout
from riskrank.errors import ParameterError


class OnlyRead(LogLayout):
    name = "letters"

    def read(self, path, *, strict, report):
        return iter(())


def test_a_layout_must_say_how_it_is_read():
    with pytest.raises(TypeError, match="abstract"):
        LogLayout()
    assert list(OnlyRead().read("log", strict=False, report=None)) == []


def test_a_layout_that_leaves_detection_out_is_told_by_its_name_alone():
    assert not OnlyRead().detect(b"anything")
    assert OnlyRead.endings == ()


def test_a_layout_that_leaves_writing_out_is_only_read():
    with pytest.raises(ParameterError, match=r"^logs in the layout letters can be read, but not written\.$"):
        OnlyRead().write([], "log", name="log")
