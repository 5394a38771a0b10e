from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.topics_needed import EFFECTS, topics_needed
from riskrank.errors import ParameterError

RNG = np.random.default_rng(1)
OLD = RNG.uniform(0.2, 0.6, 40)
ROWS = {"old": OLD, "new": OLD + RNG.laplace(0.01, 0.05, 40), "same": OLD, "wild": OLD + RNG.normal(0, 50, 40)}


def needed(**options):
    systems = topics_needed(rr.assess(rr.Effectiveness.from_rows(ROWS), "old", **options))
    return {each.system: each for each in systems}


def test_every_system_but_the_baseline_has_the_power_of_its_test_at_each_effect():
    systems = needed(level=0.1)
    assert list(systems) == ["new", "same", "wild"]
    powers = [rr.risk.power(ROWS["new"], OLD, effect=effect, level=0.1) for effect in EFFECTS]
    assert systems["new"].n_topics == {each.effect: each.n_topics for each in powers}
    assert systems["new"].smallest_gain == powers[0].smallest_effect


def test_a_system_whose_changes_do_not_differ_needs_nobody_knows_how_many():
    same = needed()["same"]
    assert same.n_topics == {}
    assert math.isnan(same.smallest_gain)
    assert same.row() == {
        "system": "same",
        "n_topics_0.01": None,
        "n_topics_0.02": None,
        "n_topics_0.05": None,
        "smallest_gain": None,
    }


def test_a_row_has_a_column_for_each_effect_and_none_where_a_million_topics_are_too_few():
    wild = needed()["wild"]
    assert wild.n_topics[0.01] is None
    assert wild.row() == {
        "system": "wild",
        **{f"n_topics_{effect:g}": wild.n_topics[effect] for effect in EFFECTS},
        "smallest_gain": wild.smallest_gain,
    }


def test_a_level_that_draws_cannot_tell_is_refused():
    with pytest.raises(ParameterError, match=r"level must be at least 0\.001 for power"):
        needed(level=1e-9)
