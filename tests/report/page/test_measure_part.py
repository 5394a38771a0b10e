"""One measure of a report: what is there for few systems, for many, and where nothing can be shown."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.words import glued
from riskrank.report.page.measure_part import measure_part


def assessed(n_systems, *, far=0, n_topics=40, **options):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, n_topics)
    rows = {"base": base}
    rows |= {f"s{i}": np.clip(base + rng.normal(0.01 * (i % 3), 0.05, n_topics), 0, 1) for i in range(n_systems - far)}
    rows |= {f"far{i}": base * 0 for i in range(far)}
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1), **options)


def part_of(assessment):
    return measure_part(assessment, 0, rankings=None)


@pytest.mark.parametrize(("n_systems", "first_rows", "cut"), [(8, 8, None), (9, 12, 12)])
def test_from_nine_systems_on_the_table_is_cut(n_systems, first_rows, cut):
    part = part_of(assessed(n_systems))
    assert (part.first_rows, part.data["firstRows"], part.is_few) == (first_rows, cut, n_systems == 8)


@pytest.mark.parametrize(("n_far", "names"), [(2, "far0, far1"), (7, "far0, far1, far2, far3, far4, far5 and 1 more")])
def test_systems_off_the_chart_are_named_with_their_mean_loss(n_far, names):
    assessment = assessed(40, far=n_far)
    risk = f"{assessment['far0'].risk:.4f}"
    assert part_of(assessment).hero.off == f"Off the chart, mean loss {risk}: {names}."


def test_every_stop_has_its_sentence_weight_and_place():
    part = part_of(assessed(3))
    data, grid = part.data, part.hero.rail.alphas
    assert len(data["live"]) == len(data["weights"]) == len(data["places"]) == len(grid)
    assert data["live"][data["start"]] == glued(part.live)
    assert (data["weights"][0], data["weights"][-1]) == ("1", "11")
    assert (data["places"][0], data["places"][-1]) == (0, 100)
    json.dumps(data, allow_nan=False)


def test_columns_are_those_that_have_something_to_show():
    keys = [key for key, _, _ in part_of(assessed(3)).columns]
    assert "zrisk" in keys
    assert "tau" not in keys
    negative = rr.assess(rr.Effectiveness.from_rows({"base": [-1.0, 0.5, 1.0], "new": [0.0, 1.0, 0.5]}), "base")
    assert "zrisk" not in [key for key, _, _ in part_of(negative).columns]


@pytest.mark.parametrize(
    ("rows", "has_explorer"),
    [({"base": [0.5], "new": [0.7]}, True), ({"base": [0.5, 0.2], "new": [0.5, 0.2]}, True), ({"base": [0.5]}, False)],
    ids=["one topic", "equal", "alone"],
)
def test_where_nothing_can_be_tested_there_is_no_picture(rows, has_explorer):
    part = part_of(rr.assess(rr.Effectiveness.from_rows(rows), "base"))
    assert (part.hero, part.facts, part.live, part.data["live"]) == (None, None, "", [])
    assert (part.explorer is not None) == has_explorer
    assert part.table_heading == "Systems"
