"""Every kind of result has a view with the same doors."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import riskrank as rr
from riskrank.rendered import Rendered
from riskrank.report import views

NAMES = sorted(path.stem for path in Path(views.__file__).parent.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("kind", [rr.Assessment, rr.ClickSweep, rr.GateHistory, rr.GateResult, rr.Sweep])
def test_a_result_names_its_view(kind):
    assert issubclass(kind, Rendered)
    assert kind.view in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_view_can_be_printed_shown_in_a_notebook_and_written_as_a_page(name):
    view = import_module(f"riskrank.report.views.{name}")
    for door in (view.text, view.notebook, view.page):
        first, *others = inspect.signature(door).parameters.values()
        assert first.default is inspect.Parameter.empty
        assert all(each.default is not inspect.Parameter.empty for each in others), "options may be left out"
