from __future__ import annotations

import re

import pytest

from riskrank.cli.panels import FEW, PANELS, panel_of

LONG = [
    "evaluate",
    "gate",
    "plot",
    "train",
    "rank",
    "sweep",
    "baselines",
    "clicks prepare",
    "clicks train",
    "simulate-clicks",
]


@pytest.mark.parametrize("command", LONG)
def test_the_options_of_long_commands_are_in_panels_by_their_purpose(riskrank, command):
    text = riskrank(*command.split(), "--help").out
    panels = re.findall(r"─ ([A-Z][a-z ]+) ─", text)
    assert panels[0] == "Arguments"
    assert panels[-1] == "Output"
    assert len(panels) > 3
    assert not {"Options", "Other"} & set(panels)


@pytest.mark.parametrize("command", ["demo", "clicks evaluate"])
def test_few_options_stay_together(riskrank, command):
    text = riskrank(*command.split(), "--help").out
    assert set(re.findall(r"─ ([A-Z][a-z ]+) ─", text)) <= {"Arguments", "Options"}
    assert len(re.findall(r"^│ +\*? *--", text, flags=re.MULTILINE)) <= FEW


def test_a_parameter_has_one_panel():
    names = [name for names in PANELS.values() for name in names]
    assert len(names) == len(set(names))


def test_what_is_compared_and_what_is_learned_from_are_called_so():
    assert panel_of("evaluate", "baseline") == "What to compare"
    assert panel_of("train", "baseline") == "Data"
    assert (panel_of("gate", "max_risk"), panel_of("sweep", "max_risk")) == ("Limits", "Operating point")
