"""The list of click features, by which names, help and kernel go."""

from __future__ import annotations

from riskrank.kernels.click_columns import COLUMN, FEATURES, GROUPS, N_FEATURES


def test_a_column_is_known_by_its_name_and_its_place():
    assert len({feature.name for feature in FEATURES}) == N_FEATURES
    for place, feature in enumerate(FEATURES):
        assert getattr(COLUMN, feature.name) == place


def test_the_presented_order_is_the_first_feature():
    """Which is the baseline of all that is learned from clicks."""
    assert COLUMN.presented == 0
    assert FEATURES[0].needs == ""


def test_every_feature_has_a_group_a_meaning_and_known_needs():
    for feature in FEATURES:
        assert feature.group in GROUPS
        assert feature.meaning
        assert set(feature.needs.split()) <= {"user", "domain", "term", "score"}
