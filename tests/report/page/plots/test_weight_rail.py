"""The rail: lanes and counts are the verdicts on the grid, on the slider's own scale."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.plots.weight_rail import stop_place, weight_rail


def assessed(n_systems):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, 40)
    rows = {"base": base}
    rows |= {f"s{i}": np.clip(base + rng.normal(0.02 * i, 0.05, 40), 0, 1) for i in range(n_systems)}
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1, 20))


def rail_of(assessment):
    names = {i: each.system for i, each in enumerate(assessment.systems) if not each.is_baseline}
    return weight_rail(assessment.significance, names, asked=assessment.alphas)


def test_lanes_cover_the_rail_and_change_between_stops():
    assessment = assessed(4)
    rail, significance = rail_of(assessment), assessment.significance
    assert rail.alphas[-1] == 20
    for lane in rail.lanes:
        assert lane.spans[0].start == 0
        assert sum(span.width for span in lane.spans) == pytest.approx(100, abs=0.1)
        for alpha, verdict in zip(significance.alphas, significance.verdicts[lane.number], strict=True):
            place = rail.place(alpha)
            (span,) = [
                s
                for s in lane.spans
                if s.start <= place < s.start + s.width or (place == 100 == round(s.start + s.width))
            ][:1]
            assert span.verdict == {1.0: "gain", 0.0: "open", -1.0: "loss"}[verdict]
        last = significance.up_to(lane.number)
        sign = "≥" if last == 20 else "="
        said = "never significant" if last is None else f"significant up to α {sign} {last:g}"
        assert lane.note == said


def test_of_many_systems_areas_are_their_counts():
    assessment = assessed(12)
    rail = rail_of(assessment)
    assert rail.lanes == []
    heights = [tuple(map(float, point.split(","))) for point in rail.gains.split()][1:-1]
    for alpha, (place, height) in zip(rail.alphas, heights, strict=True):
        assert place == rail.place(alpha)
        assert height == pytest.approx(100 * assessment.significance.tally(alpha).gains / 12, abs=0.01)


def test_ticks_name_the_alphas_that_were_asked_for_and_do_not_meet():
    rail = rail_of(assessed(3))
    assert {"0", "1", "20"} <= {tick.text for tick in rail.ticks}
    places = [tick.place for tick in rail.ticks]
    assert min(np.diff(places)) >= 7


def test_a_single_stop_has_a_place():
    assert stop_place(0, 1) == 0


def test_rails_of_models_speak_of_weights():
    assessment = assessed(3)
    names = {1: "α = 0", 2: "α = 5"}
    rail = weight_rail(assessment.significance, names, by_weight=True)
    assert [tick.text for tick in rail.ticks if tick.place < 50][:2] == ["1×", "2×"]
    assert [lane.name for lane in rail.lanes] == list(names.values())
    assert all(lane.note == "never significant" or lane.note.endswith("×") for lane in rail.lanes)
