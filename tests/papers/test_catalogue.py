"""Claims about every paper."""

from __future__ import annotations

from importlib import import_module

import pytest

from riskrank.errors import ParameterError
from riskrank.papers.catalogue import PAPERS
from riskrank.papers.recorded import recorded_outcomes


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_equation_names_a_function_that_exists(key):
    paper = PAPERS[key]
    assert paper.key == key
    assert paper.equations
    for equation in paper.equations:
        module, _, name = equation.code.partition(":")
        assert callable(getattr(import_module(module), name)), equation


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_experiment_has_a_name_of_its_own_and_a_recorded_state(key):
    keys = [experiment.key for experiment in PAPERS[key].experiments]
    assert len(keys) == len(set(keys))
    recorded = {name for paper, name in recorded_outcomes() if paper == key}
    assert recorded == set(keys)


def test_experiments_are_found_as_people_write_them():
    paper = PAPERS["dincer2016"]
    for written in ("table-5", "Table 5", "table5", "TABLE_5"):
        assert paper.experiment(written).key == "table-5"
    with pytest.raises(ParameterError, match=r"dincer2016 has no 'table-9'\. It has: "):
        paper.experiment("table-9")
