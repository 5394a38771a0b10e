"""Features of impressions against their meanings, without a look at what came later; and the memory behind them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.clicks import click_memory as module
from riskrank.clicks.click_memory import BYTES, SMALLEST, ClickMemory
from riskrank.clicks.features import FEATURES
from riskrank.clicks.impressions import Impressions, one_batch
from riskrank.errors import ParameterError

from .plain_features import (
    LONG_ENOUGH,
    LOOK_BACK,
    NAMES,
    Document,
    Page,
    assert_same,
    batches,
    by_name,
    dwell_times,
    expected_rows,
    features_by_day,
    features_in_order,
    impressions,
    logs,
    random_log,
    some_documents,
)

LEAST = SMALLEST * BYTES


@given(logs())
@settings(max_examples=30)
def test_in_the_order_of_the_log_every_feature_is_what_its_meaning_says(log):
    assert_same(features_in_order(log), expected_rows(log, by_day=False))


@given(logs())
@settings(max_examples=30)
def test_by_days_every_feature_is_what_its_meaning_says(log):
    assert_same(features_by_day(log), expected_rows(log, by_day=True))


@pytest.mark.parametrize("by_day", [True, False])
def test_sessions_longer_than_the_look_back_count_their_last_30_pages(by_day):
    log = random_log(np.random.default_rng(5), 5, 60)
    assert max(Counter(page.owner for page in log).values()) > LOOK_BACK + 5
    features = (features_by_day if by_day else features_in_order)(log)
    assert_same(features, expected_rows(log, by_day=by_day))
    assert features[:, NAMES.index("session_pages")].max() == LOOK_BACK


@given(logs(), st.floats(0.1, 100))
@settings(max_examples=10)
def test_smoothing_is_the_weight_of_what_is_known_in_general(log, smoothing):
    features = features_in_order(log, smoothing=smoothing)
    assert_same(features, expected_rows(log, by_day=False, smoothing=smoothing))


@given(logs(least_sessions=2), st.lists(st.integers(0, 20), min_size=1, max_size=4))
@settings(max_examples=20)
def test_features_do_not_depend_on_how_the_log_is_cut(log, cuts):
    np.testing.assert_array_equal(features_in_order(log, cuts), features_in_order(log))
    np.testing.assert_array_equal(features_by_day(log, cuts), features_by_day(log))


@given(logs())
@settings(max_examples=15)
def test_in_order_is_features_and_then_remembering_session_by_session(log):
    one, other = ClickMemory(), ClickMemory()
    whole = impressions(log)
    features = one.features_in_order(whole, whole.satisfied(LONG_ENOUGH))
    rows = []
    for part in batches(log, range(len(log))):
        satisfied = part.satisfied(LONG_ENOUGH)
        rows.append(other.features(part, satisfied))
        other.remember(part, satisfied)
    np.testing.assert_array_equal(features, np.concatenate(rows))
    assert one.n_keys == other.n_keys


# Nothing of what came later.


@given(logs(least_sessions=2), st.data())
@settings(max_examples=30)
def test_nothing_from_a_page_on_is_known_to_it_in_the_order_of_the_log(log, data):
    at = data.draw(st.integers(0, len(log) - 1))
    other = [*log[:at], changed_clicks(data, log[at]), *(changed(data, page) for page in log[at + 1 :])]
    n_known = sum(len(page.documents) for page in log[: at + 1])
    np.testing.assert_array_equal(features_in_order(other)[:n_known], features_in_order(log)[:n_known])


@given(logs(least_sessions=2), st.data())
@settings(max_examples=30)
def test_nothing_of_the_same_and_later_days_is_known_but_the_session_so_far(log, data):
    at = data.draw(st.integers(0, len(log) - 1))
    page, other, kept = log[at], [], []
    for place, each in enumerate(log):
        is_known = each.day < page.day or (each.owner == page.owner and place < at)
        kept.append(is_known or place == at)
        other.append(each if is_known else changed_clicks(data, each) if place == at else changed(data, each))

    def rows(some):
        return np.repeat(kept, [len(each.documents) for each in some])

    np.testing.assert_array_equal(features_by_day(other)[rows(other)], features_by_day(log)[rows(log)])


@given(logs(), st.data())
@settings(max_examples=15)
def test_a_document_s_features_do_not_depend_on_the_others_of_its_page(log, data):
    at = data.draw(st.integers(0, len(log) - 1))
    rank = data.draw(st.integers(0, len(log[at].documents) - 1))
    others = data.draw(some_documents(with_domains=True))
    documents = [others[k % len(others)] for k in range(len(log[at].documents))]
    documents[rank] = log[at].documents[rank]
    row = sum(len(page.documents) for page in log[:at]) + rank
    changed_log = [*log[:at], replace(log[at], documents=tuple(documents)), *log[at + 1 :]]
    np.testing.assert_array_equal(features_in_order(changed_log)[row], features_in_order(log)[row])


@given(logs(least_sessions=2), st.data())
@settings(max_examples=20)
def test_what_stood_on_withheld_pages_is_never_remembered(log, data):
    log = [replace(page, is_withheld=page.is_withheld or page.session % 2 == 0) for page in log]
    other = [
        replace(page, documents=data.draw(some_documents(with_domains=True))) if page.session % 2 == 0 else page
        for page in log
    ]

    def rows(some):
        return np.repeat([page.session % 2 == 1 for page in some], [len(page.documents) for page in some])

    for features in (features_in_order, features_by_day):
        np.testing.assert_array_equal(features(other)[rows(other)], features(log)[rows(log)])


def changed_clicks(data, page):
    """The same page with other clicks."""
    times = data.draw(st.lists(dwell_times, min_size=len(page.documents), max_size=len(page.documents)))
    return replace(
        page, documents=tuple(replace(each, dwell=time) for each, time in zip(page.documents, times, strict=True))
    )


def changed(data, page):
    """Another page in the same place."""
    return replace(
        page,
        query=data.draw(st.integers(0, 2)),
        documents=data.draw(some_documents(with_domains=True)),
        terms=tuple(data.draw(st.lists(st.integers(0, 3), max_size=2, unique=True))),
    )


# By hand.


def test_a_session_by_hand():
    log = [
        Page(1, 7, (Document(1, 10), Document(2, 20, 40.0), Document(3, 10)), terms=(1, 2)),
        Page(1, 8, (Document(2, 20, 5.0), Document(1, 10), Document(1, 10, 12.0)), terms=(2, 3)),
        Page(1, 7, (Document(1, 10), Document(2, 20), Document(4, 10), Document(5, 50)), terms=(1, 2, 3, 4)),
    ]
    one, two, four, five = by_name(features_in_order(log))[6:]
    # Page 1: document 2 is clicked, document 1 above it is passed over, document 3 below is not.
    # Page 2: document 2 is clicked (too shortly to satisfy), document 1 is passed over at 2 and clicked at 3.
    # Terms: {1, 2} and {1, 2, 3, 4} share 2 of 4, {2, 3} and {1, 2, 3, 4} share 2 of 4 as well.
    assert [row["session_pages"] for row in (one, two, four, five)] == [2] * 4
    assert (one["session_shown"], one["session_clicked"], one["session_skipped"]) == (3, 1, 2)
    assert (two["session_shown"], two["session_clicked"], two["session_satisfied"]) == (2, 2, 1)
    assert (one["session_query_clicked"], two["session_query_clicked"]) == (0, 1)
    assert (four["session_shown"], four["session_domain_shown"]) == (0, 4)  # documents 1, 3, 1 and 1 are of domain 10
    assert (four["session_domain_clicked"], four["session_domain_skipped"]) == (1, 2)
    assert five["session_domain_shown"] == 0
    assert (two["similar_terms"], two["similar_clicked"], one["similar_skipped"]) == (0.5, 0.5 + 0.5, 0.5 + 0.5)


def test_a_user_by_hand():
    clicked, preferred = 3.0, 60.0
    log = [
        Page(1, 7, (Document(1, 10), Document(2, 10, preferred)), user=5, day=1, terms=(1, 2)),
        Page(1, 8, (Document(2, 10, clicked), Document(1, 10)), user=5, day=1, terms=(2, 3)),
        Page(2, 7, (Document(1, 10, preferred),), user=6, day=1, terms=(1, 2)),  # somebody else
        Page(3, 7, (Document(2, 10), Document(1, 10)), user=5, day=2, terms=(2, 4)),
    ]
    two, one = by_name(features_by_day(log))[5:]
    # User 5 saw 2 pages, one of them for query 7. Document 2: clicks for both queries, satisfied for 7.
    # Document 1: passed over once, for query 7; on page 2 it stood below the click.
    # Terms 2 and 4: term 2 was in both queries for which document 2 was clicked, term 4 in none: (2 + 0) / 2 = 1.
    assert (two["user_pages"], two["user_query_pages"]) == (2, 1)
    assert (two["user_clicked"], two["user_satisfied"], two["user_skipped"]) == (2, 1, 0)
    assert (two["user_query_clicked"], two["user_query_satisfied"], two["user_query_skipped"]) == (1, 1, 0)
    assert (one["user_clicked"], one["user_skipped"], one["user_query_skipped"]) == (0, 1, 1)
    assert (one["user_domain_clicked"], one["user_domain_skipped"]) == (2, 1)
    assert (two["user_terms_clicked"], one["user_terms_clicked"]) == (1, 0)


def test_rates_by_hand():
    preferred = 30.0
    log = [
        Page(1, 7, (Document(1, 10, preferred), Document(2, 20))),
        Page(1, 8, (Document(2, 20, preferred), Document(3, 10))),
        Page(2, 7, (Document(1, 10), Document(2, 20))),
        Page(2, 9, (Document(2, 20), Document(4, 40))),
        Page(3, 7, (Document(2, 20),)),
        Page(3, 8, (Document(2, 20), Document(9))),
    ]
    first, last, unknown = by_name(features_in_order(log, smoothing=2.0))[8:]
    # Before session 3, 8 documents were shown, 2 with satisfied clicks: 1 / 4 over all.
    # Document 2: shown 4 times, satisfied once: (1 + 2 / 4) / (4 + 2) = 0.25; its domain is its own.
    # For query 7: shown twice, never satisfied: (0 + 2 * 0.25) / (2 + 2) = 0.125.
    assert (first["query_pages"], first["query_document_shown"]) == (2, 2)
    assert (first["document_rate"], first["domain_rate"]) == pytest.approx((0.25, 0.25))
    assert first["query_document_rate"] == first["after_rate"] == pytest.approx(0.125)
    # For query 8: shown once, satisfied: (1 + 2 * 0.25) / (1 + 2) = 0.5. Query 7 was followed by 8 and by 9, and
    # document 2 was shown after it twice, satisfied once: (1 + 2 * 0.5) / (2 + 2) = 0.5.
    assert last["succession"] == 0.5
    assert (last["query_document_rate"], last["after_rate"]) == pytest.approx((0.5, 0.5))
    # Of document 9 and its domain nothing is known: as all are.
    assert unknown["document_rate"] == unknown["domain_rate"] == unknown["after_rate"] == pytest.approx(0.25)


def test_the_first_page_of_a_log_knows_its_order_and_scores_only():
    log = [Page(1, 7, (Document(1, 10, 50.0, 1.5), Document(2, 20, math.nan, -2.0)), user=1, terms=(1,))]
    features = features_in_order(log)
    assert features[:, :2].tolist() == [[-1, 1.5], [-2, -2]]
    assert not features[:, 2:].any()


def test_the_same_session_number_of_another_user_is_another_session():
    preferred = (Document(1, 1, 90.0),)
    features = by_name(features_in_order([Page(1, 7, preferred, user=1), Page(1, 7, preferred, user=2)]))
    assert (features[1]["session_pages"], features[1]["session_clicked"], features[1]["query_pages"]) == (0, 0, 1)


def test_users_without_a_name_are_not_one_user():
    preferred = (Document(1, 1, 90.0),)
    features = by_name(features_in_order([Page(1, 7, preferred, terms=(1,)), Page(2, 7, preferred, terms=(1,))]))
    assert {name: value for name, value in features[1].items() if name.startswith("user") and value} == {}


def test_documents_without_a_domain_do_not_share_one():
    log = [Page(1, 7, (Document(1, -1, 90.0),), user=1), Page(1, 7, (Document(2),), user=1), Page(2, 7, (Document(3),))]
    features = by_name(features_in_order(log))
    assert [row["session_domain_shown"] for row in features] == [0, 0, 0]
    assert features[2]["domain_rate"] == 0.5  # one of two documents satisfied


def test_a_term_that_stands_twice_in_a_query_counts_once():
    preferred = (Document(1, 1, 90.0),)
    log = [Page(1, 7, preferred, user=1, terms=(4, 4)), Page(2, 8, preferred, user=1, terms=(4,))]
    assert by_name(features_in_order(log))[1]["user_terms_clicked"] == 1  # one click for a query with term 4


# Memory.


def pages_of_new_documents(n_pages, n_documents, *, first=1000):
    """Sessions of a page each, with a query and documents that never came before."""
    return [
        Page(first + i, first + i, tuple(Document(first + i * n_documents + k) for k in range(n_documents)))
        for i in range(n_pages)
    ]


@pytest.fixture(scope="module")
def large_log():
    """More keys than the smallest table takes: users, domains and terms that come again and again."""
    rng = np.random.default_rng(3)
    n, k = 3000, 5
    sizes = rng.integers(1, 4, n)
    session = np.repeat(np.arange(n), sizes)[:n]
    document = rng.integers(0, 9000, n * k)
    return Impressions(
        session=session, user=session % 211, day=session // 600, time=np.zeros(n, np.int64),
        query=rng.integers(0, 500, n), is_withheld=rng.random(n) < 0.05, document_offset=np.arange(n + 1) * k,
        document=document, domain=document // 3,
        dwell=np.where(rng.random(n * k) < 0.4, rng.choice([5.0, 90.0], n * k), np.nan),
        score=np.zeros(n * k), term_offset=np.arange(n + 1) * 2, term=rng.integers(0, 50, 2 * n),
    )  # fmt: skip


def streamed(log, *, by_day):
    memory = ClickMemory()
    if not by_day:
        return memory.features_in_order(log, log.satisfied()), memory
    rows = []
    for day in range(5):
        part = log.take(log.day == day)
        rows.append(memory.features(part, part.satisfied()))
        memory.remember(part, part.satisfied())
    return np.concatenate(rows), memory


@pytest.mark.parametrize("by_day", [True, False])
def test_a_table_that_grows_changes_no_feature(large_log, monkeypatch, by_day):
    features, memory = streamed(large_log, by_day=by_day)
    assert memory.n_keys > SMALLEST  # it had to grow
    assert memory.n_bytes > LEAST
    assert memory.n_lost == 0
    monkeypatch.setattr(module, "SMALLEST", 1 << 19)  # large enough from the beginning
    at_once, never_grown = streamed(large_log, by_day=by_day)
    np.testing.assert_array_equal(features, at_once)
    assert never_grown.n_keys == memory.n_keys


def test_a_grown_table_counts_as_a_dictionary_does(large_log):
    features, _ = streamed(large_log, by_day=False)
    pairs, queries, users = Counter(), Counter(), Counter()
    wanted = []
    starts = [*np.flatnonzero(np.diff(large_log.session, prepend=-1)), len(large_log)]
    for begin, end in pairwise(starts):
        for page in range(begin, end):
            query, user = large_log.query[page], large_log.user[page]
            shown = large_log.document[5 * page : 5 * page + 5]
            wanted += [(queries[query], users[user], pairs[query, document]) for document in shown]
        for page in range(begin, end):
            if not large_log.is_withheld[page]:
                query = large_log.query[page]
                queries[query] += 1
                users[large_log.user[page]] += 1
                pairs.update((query, document) for document in large_log.document[5 * page : 5 * page + 5])
    columns = [NAMES.index(name) for name in ("query_pages", "user_pages", "query_document_shown")]
    np.testing.assert_array_equal(features[:, columns], wanted)


@pytest.fixture(scope="module")
def full():
    """A memory that is full: first three pages that are known, then new ones until long after it is full."""
    known = [Page(i, 1, (Document(1, -1, 90.0), Document(2))) for i in range(3)]
    new = impressions(pages_of_new_documents(3500, 10))
    memory = ClickMemory(most_bytes=LEAST)
    for part in (impressions(known), new):
        memory.remember(part, part.satisfied())
    return memory, new


def test_a_full_table_is_as_large_as_it_may_be(full):
    memory, _ = full
    assert memory.n_bytes == LEAST
    assert 0.85 * SMALLEST < memory.n_keys < SMALLEST


def test_keys_that_find_no_place_are_counted(full):
    memory, new = full
    # A page of 10 new documents is 1 query, 10 documents and 10 pairs of them; the known ones 1 + 2 + 2.
    assert memory.n_keys + memory.n_lost == len(new) * 21 + 5


def test_a_full_table_still_counts_what_it_knows(full):
    memory, _ = full
    again = impressions([Page(i, 1, (Document(1, -1, 90.0), Document(2))) for i in range(10**6, 10**6 + 4)])
    lost = memory.n_lost
    memory.remember(again, again.satisfied())
    asked = impressions([Page(10**7, 1, (Document(1), Document(2), Document(999_999)))])
    one, two, unknown = by_name(memory.features(asked, asked.satisfied()))
    assert memory.n_lost == lost
    assert one["query_pages"] == one["query_document_shown"] == two["query_document_shown"] == 7
    # All in all 7 satisfied clicks on 7 * 2 + 35,000 documents.
    overall = 7 / 35_014
    assert one["document_rate"] == pytest.approx((7 + 10 * overall) / 17)
    assert two["document_rate"] == pytest.approx((0 + 10 * overall) / 17)
    assert (unknown["query_document_shown"], unknown["document_rate"]) == pytest.approx((0, overall))


def test_a_full_table_knows_nothing_of_what_it_lost(full):
    memory, new = full
    last = new.take(np.array([len(new) - 1]))
    row = by_name(memory.features(last, last.satisfied()))[0]
    assert (row["query_pages"], row["query_document_shown"]) == (0, 0)


def test_a_table_grows_up_to_the_bytes_that_it_may_have():
    part = impressions(
        pages_of_new_documents(5500, 10)
    )  # 115,500 keys: more than 0.9 · 65,536, less than 0.9 · 131,072
    for most, places in ((LEAST, 1), (2 * LEAST - 1, 1), (2 * LEAST, 2)):
        memory = ClickMemory(most_bytes=most)
        memory.remember(part, part.satisfied())
        assert memory.n_bytes == places * LEAST
        assert memory.n_keys + memory.n_lost == 5500 * 21
        assert (memory.n_lost == 0) == (places == 2)


def test_a_session_of_any_length_is_remembered_while_there_are_places():
    part = impressions([replace(page, session=1) for page in pages_of_new_documents(2500, 10)])
    memory = ClickMemory()
    memory.features_in_order(part, part.satisfied())
    assert memory.n_lost == 0


def test_nothing_is_remembered_of_no_pages():
    memory, none = ClickMemory(), Impressions.none()
    assert memory.features(none, none.satisfied()).shape == (0, len(FEATURES))
    assert memory.features_in_order(none, none.satisfied()).shape == (0, len(FEATURES))
    memory.remember(none, none.satisfied())
    assert memory.n_keys == memory.n_lost == 0


def test_remembering_a_log_in_pieces_is_remembering_it():
    log = random_log(np.random.default_rng(9), 12, 4)
    whole, pieces = ClickMemory(), ClickMemory()
    for part in batches(log, range(5)):
        pieces.remember(part, part.satisfied())
    all_of_it = one_batch(batches(log, range(5)))
    whole.remember(all_of_it, all_of_it.satisfied())
    np.testing.assert_array_equal(
        whole.features(all_of_it, all_of_it.satisfied()), pieces.features(all_of_it, all_of_it.satisfied())
    )


@pytest.mark.parametrize(
    "options",
    [
        {"smoothing": 0},
        {"smoothing": -1.0},
        {"smoothing": float("nan")},
        {"most_bytes": LEAST - 1},
        {"most_bytes": 1e9},
    ],
)
def test_a_memory_that_makes_no_sense_is_refused(options):
    with pytest.raises(ParameterError, match=next(iter(options))) as told:
        ClickMemory(**options)
    assert "\n" not in str(told.value)
