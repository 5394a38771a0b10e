"""clicks features: what can be computed of a page."""

from __future__ import annotations

from riskrank.clicks.features import FEATURES

from .click_commands import done_well


def test_features_are_listed_with_group_and_meaning(riskrank):
    done = done_well(riskrank, "clicks", "features")
    header, *lines = done.out.splitlines()
    assert header.split() == ["feature", "group", "meaning"]
    assert [line.split(maxsplit=2) for line in lines] == [[each.name, each.group, each.meaning] for each in FEATURES]
    assert done.err == ""
