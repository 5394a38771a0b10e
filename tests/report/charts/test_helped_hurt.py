"""Queries helped and hurt."""

from __future__ import annotations

from .specs import values


def test_the_helped_and_hurt_are_counted(assessment, sweep):
    rows = values(assessment.chart("helped-hurt"))[0]
    for system in assessment.systems[1:]:
        own = {row["bucket"]: row["queries"] for row in rows if row["system"] == system.system}
        assert sum(own.values()) == system.wins + system.losses
        assert len(own) == 22
    # from 0.5 by +0.4, +0.2 and −0.2: +80 %, +40 %, −40 %
    own = {row["bucket"]: row["queries"] for row in values(sweep.chart("helped-hurt"))[0][:22]}
    assert [bucket for bucket, count in own.items() if count] == ["−40 to −30%", "+40 to +50%", "+80 to +90%"]
    assert list(own)[9:11] == ["−10 to 0%", "0 to +10%"]
    assert list(own)[-2:] == ["+100% or more", "from zero"]


def test_some_systems_can_be_picked_for_the_histogram(assessment):
    rows = values(assessment.chart("helped-hurt", systems=["bold"]))[0]
    assert {row["system"] for row in rows} == {"bold"}
