from __future__ import annotations

import numpy as np

from riskrank.cluster.known_extremes import KnownExtremes, extremes_of


def asked(*questions):
    peers = KnownExtremes()
    for values in questions:
        peers.largest(np.array(values))
    return {"asked": peers.asked}


def test_what_is_largest_of_all_is_known_the_second_time():
    answers, again = extremes_of([asked([1.0, 5.0, 1.0]), asked([3.0, 2.0, 1.0]), asked([0.0, 0.0, 0.0])])
    assert answers == [[3, 5, 1]]
    assert again == [0, 1]  # the third does not need it
    assert KnownExtremes(answers).largest(np.array([1.0, 5.0, 1.0])).tolist() == [3, 5, 1]


def test_whoever_has_the_answers_does_nothing_again():
    assert extremes_of([asked([3.0, 1.0]), asked([2.0, 0.0])])[1] == []
    assert extremes_of([asked(), asked()]) == ([], [])


def test_infinite_values_are_sent_as_numbers_and_stand_for_nothing():
    peers = KnownExtremes()
    assert peers.largest(np.array([-np.inf, 2.0])).tolist() == [0, 2]
    assert np.isfinite(peers.asked).all()
