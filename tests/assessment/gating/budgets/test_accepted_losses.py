from __future__ import annotations

from datetime import date, datetime

import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError

SCORES = rr.Effectiveness.from_rows({"old": [0.5, 0.6, 0.5], "new": [0.1, 0.5, 0.9]}, topics=["a", "b", "c"])
LOSS = rr.AcceptedLoss("a", "known", date(2027, 1, 31))
DAY = date(2027, 1, 31)


def gated(*accepted, **options):
    return rr.gate(SCORES, "new", "old", accepted=accepted, today=DAY, **options)


def test_an_accepted_loss_breaks_nothing_but_is_told():
    assert not gated(max_loss=0.2).passed
    result = gated(LOSS, max_loss=0.2)
    assert result.passed
    assert result.comparisons[0].accepted == (LOSS,)


def test_it_is_accepted_up_to_a_size_only():
    assert gated(rr.AcceptedLoss("a", "known", DAY, at_most=0.4), max_loss=0.2).passed
    result = gated(rr.AcceptedLoss("a", "known", DAY, at_most=0.3), max_loss=0.2)
    assert not result.passed
    assert [topic.accepted for topic in result.broken_topics] == [0.3]
    assert "Not accepted: a −0.400, which is more than 0.3." in repr(result)
    assert "a      0.500  0.100  −0.400  accepted only up to 0.3" in repr(result)
    again = rr.GateResult.from_json(result.to_json())
    assert again.broken_topics == result.broken_topics
    assert repr(again) == repr(result)


def test_what_does_not_lose_is_not_accepted():
    assert gated(rr.AcceptedLoss("c", "known", DAY), max_loss=0.9).comparisons[0].accepted == ()
    with pytest.raises(AlignmentError, match=r"accepted: no topic 'elsewhere'\."):
        gated(rr.AcceptedLoss("elsewhere", "known", DAY), max_loss=0.9)


def test_it_lasts_until_its_day_and_no_longer():
    with pytest.raises(
        ParameterError, match="the accepted loss of 'a' expired on 2027-01-31. Mend it, or accept it anew"
    ):
        rr.gate(SCORES, "new", "old", accepted=[LOSS], today=date(2027, 2, 1))


def test_a_topic_that_must_not_break_may_not_even_if_accepted():
    result = gated(LOSS, max_loss=0.2, must_not_break=["a"])
    assert [check.name for check in result.checks if not check.holds] == ["loss", "protected"]
    (compared,) = result.comparisons
    assert (compared.accepted, compared.not_accepted) == ((), (LOSS,))
    assert [topic.topic for topic in result.broken_topics] == ["a"]
    assert "Not accepted: a −0.400, since it must not break." in repr(result)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", "", DAY), "needs a reason"),
        (("a", "b", "2027-01-31"), "until must be a date"),
        (("a", "b", datetime(2027, 1, 31)), "until must be a date"),
        (("a", "b", DAY, -1), "at_most must be a number above 0"),
    ],
)
def test_senseless_acceptances_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        rr.AcceptedLoss(*arguments)
