"""Which features there are, and the choice among them."""

from __future__ import annotations

import pytest

from riskrank.clicks.features import FEATURES, GROUPS, chosen_features
from riskrank.errors import ParameterError

NAMES = [feature.name for feature in FEATURES]


def names(columns):
    return [NAMES[column] for column in columns]


def test_there_are_32_features_with_names_of_their_own():
    assert len(set(NAMES)) == len(NAMES) == 32
    assert not set(NAMES) & set(GROUPS) - {"presented"}


def test_all_features_are_chosen_unless_some_are_named():
    assert chosen_features() == list(range(32))


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_its_features_and_the_presented_order(group):
    chosen = names(chosen_features([group]))
    if group == "presented":
        assert chosen == ["presented", "original_score"]
    else:
        assert chosen == ["presented", *(feature.name for feature in FEATURES if feature.group == group)]


def test_groups_and_names_may_be_mixed_and_come_in_their_own_order():
    wanted = ["domain_rate", "user_pages", "similarity", "user_pages", "similar_terms"]
    similar = ["similar_terms", "similar_clicked", "similar_skipped", "succession", "after_rate"]
    assert names(chosen_features(wanted)) == ["presented", *similar, "user_pages", "domain_rate"]


def test_no_features_are_the_presented_order():
    assert names(chosen_features([])) == ["presented"]


@pytest.mark.parametrize(
    ("lacking", "marks"),
    [
        ("user", ("user_",)),
        ("domain", ("domain",)),
        ("term", ("similar_", "terms")),
        ("score", ("original_score",)),
    ],
)
def test_features_that_a_log_cannot_have_are_left_out(lacking, marks):
    left_out = [name for name in NAMES if any(mark in name for mark in marks)]
    assert left_out
    assert names(chosen_features(without=[lacking])) == [name for name in NAMES if name not in left_out]
    assert names(chosen_features(left_out, without=[lacking])) == ["presented"]


def test_a_log_that_lacks_everything_has_what_needs_nothing():
    assert len(chosen_features(without=["user", "domain", "term", "score"])) == 13


@pytest.mark.parametrize(("wrong", "hint"), [("sesion", "'session'"), ("user_clickd", "'user_clicked'")])
def test_a_feature_that_does_not_exist_is_refused_with_the_nearest_name(wrong, hint):
    with pytest.raises(ParameterError, match=f"'{wrong}'.*Did you mean {hint}") as told:
        chosen_features(["user", wrong])
    assert "\n" not in str(told.value)
