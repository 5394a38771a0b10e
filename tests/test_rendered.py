"""The door through which results show themselves."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from riskrank.errors import ParameterError
from riskrank.rendered import Charted, Rendered


class Watch(Rendered):
    """A result that people look at."""

    view = "watch"


@pytest.fixture
def watch(monkeypatch):
    """With a view of its own."""
    view = ModuleType("riskrank.report.views.watch")
    view.text = lambda result: "ticking"
    view.notebook = lambda result: "<b>ticking</b>"
    view.page = lambda result: "<!doctype html>ticking"
    monkeypatch.setitem(sys.modules, view.__name__, view)
    return Watch()


def test_a_result_is_shown_by_its_view(watch):
    assert repr(watch) == "ticking"
    assert watch._repr_html_() == "<b>ticking</b>"


def test_a_page_is_returned_or_written(watch, tmp_path):
    assert watch.to_html() == "<!doctype html>ticking"
    assert watch.to_html(tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_text() == "<!doctype html>ticking"


def test_a_chart_that_nobody_knows_is_refused():
    with pytest.raises(ParameterError, match="unknown chart 'nonsense'"):
        Charted().chart("nonsense")
