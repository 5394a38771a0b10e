"""The guarantee by simulation, and what is tested in which order."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections import Counter

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import AlignmentError, ParameterError, RiskrankError
from riskrank.tradeoff import control_risk
from riskrank.tradeoff.risk_control.p_values import betting, exact_binomial, hoeffding_bentkus, mixture

exact = functools.partial(control_risk, method="binomial")
RNG = np.random.default_rng(0)
LOSSES = RNG.beta(0.5, 6, size=(4, 300)) * np.array([[0.2], [0.5], [0.8], [1.0]])


def hurt(*counts, n=100):
    """Points × queries: this many of the first queries hurt."""
    return [[1.0] * count + [0.0] * (n - count) for count in counts]


# Of 100 queries, with a budget of 0.1: P(Bin ≤ 0) = 0.00003, ≤ 2: 0.0019, ≤ 4: 0.024, ≤ 5: 0.058, ≤ 6: 0.117.


# What is tested, and in which order.


def test_testing_stops_at_the_first_point_that_fails():
    control = exact(hurt(2, 5, 6, 0), budget=0.1)
    assert control.is_safe.tolist() == [True, True, False, False]
    np.testing.assert_allclose(control.p_value[:3], scipy.stats.binom.cdf([2, 5, 6], 100, 0.1), rtol=1e-9)
    assert np.isnan(control.p_value[3])
    assert control.mean_loss.tolist() == [0.02, 0.05, 0.06, 0]
    assert (control.budget, control.confidence, control.n_queries, control.method) == (0.1, 0.9, 100, "binomial")


def test_a_sequence_is_an_order_of_its_own():
    control = exact(hurt(2, 5, 6, 0), budget=0.1, sequences=[[3, 0, 2, 1]])
    assert control.is_safe.tolist() == [True, False, False, True]
    assert np.isnan(control.p_value).tolist() == [False, True, False, False]


def test_several_sequences_share_what_the_confidence_leaves():
    points = hurt(5, 4, 2, 6)
    alone = exact(points, budget=0.1, sequences=[[1, 0]])
    assert alone.is_safe.tolist() == [True, True, False, False]
    assert alone.level == pytest.approx(0.1)
    shared = exact(points, budget=0.1, sequences=[[1, 0], [2, 3]])
    assert shared.level == pytest.approx(0.05)
    assert shared.is_safe.tolist() == [False, True, True, False]  # 0.058 is more than 0.05
    of_five = exact(points, budget=0.1, sequences=[[1], [0], [2], [3], [2]])
    assert of_five.level == pytest.approx(0.02)
    assert of_five.is_safe.tolist() == [False, False, True, False]  # 0.024 is more than 0.02


def test_a_sequence_goes_on_where_another_has_stopped():
    control = exact(hurt(9, 0, 2, 0), budget=0.1, sequences=[[0, 1], [2, 3]])
    assert control.is_safe.tolist() == [False, False, True, True]
    assert np.isnan(control.p_value).tolist() == [False, True, False, False]


def test_a_point_may_stand_in_two_sequences():
    control = exact(hurt(9, 0, 2), budget=0.1, sequences=[[0, 1], [2, 1]])
    assert control.is_safe.tolist() == [False, True, True]


def test_points_outside_all_sequences_are_not_safe():
    control = exact(hurt(0, 0), budget=0.1, sequences=[[1]])
    assert control.is_safe.tolist() == [False, True]
    assert np.isnan(control.p_value[0])


def test_more_confidence_leaves_fewer_points():
    counts = [control_risk(LOSSES, budget=0.08, confidence=c).is_safe.sum() for c in (0.5, 0.9, 0.99, 1 - 1e-12)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


@given(st.floats(0.02, 0.5), st.floats(0.02, 0.5))
def test_safe_points_stay_safe_with_a_larger_budget_by_a_bound_on_the_mean(one, other):
    less, more = (control_risk(LOSSES, budget=b, method="hoeffding-bentkus").is_safe for b in sorted([one, other]))
    assert (less <= more).all()


# Which test.


def test_losses_between_are_tested_by_the_method_asked_for():
    by_bounds = control_risk(LOSSES, budget=0.3, method="hoeffding-bentkus")
    assert by_bounds.method == "hoeffding-bentkus"
    np.testing.assert_allclose(by_bounds.p_value, hoeffding_bentkus(LOSSES, 0.3), rtol=1e-12)
    by_bets = control_risk(LOSSES, budget=0.3)
    assert by_bets.method == "betting"
    order = by_digest(range(300))
    np.testing.assert_allclose(by_bets.p_value, betting(LOSSES[:, order], 0.3, level=0.1), rtol=1e-12)
    by_stakes = control_risk(LOSSES, budget=0.3, method="mixture")
    assert by_stakes.method == "mixture"
    np.testing.assert_allclose(by_stakes.p_value, mixture(LOSSES, 0.3, level=0.1), rtol=1e-12)


def test_bets_are_set_for_the_level_of_a_sequence():
    options = {"budget": 0.3, "sequences": [[0, 1], [2, 3]]}
    order = by_digest(range(300))
    p = control_risk(LOSSES, **options).p_value
    np.testing.assert_allclose(p, betting(LOSSES[:, order], 0.3, level=0.05), rtol=1e-12)
    p = control_risk(LOSSES, **options, method="mixture").p_value
    np.testing.assert_allclose(p, mixture(LOSSES, 0.3, level=0.05), rtol=1e-12)


def test_shares_of_queries_hurt_may_be_tested_by_the_exact_binomial():
    points = hurt(0, 2, 5)
    np.testing.assert_array_equal(exact(points, budget=0.1).p_value, exact_binomial(points, 0.1))


def test_the_exact_binomial_is_for_losses_of_nothing_or_all():
    with pytest.raises(AlignmentError, match="use another method") as caught:
        exact([[0.0, 1.0, 0.5]], budget=0.1)
    assert "\n" not in str(caught.value)
    with pytest.raises(AlignmentError, match="use another method"):
        exact([[0.0, 1.0], [0.0, 0.5]], budget=0.1)
    assert exact([[0.0, 1.0], [0.0, 0.5]], budget=0.1, largest=[1, 0.5]).p_value[0] > 0.1


def test_the_test_does_not_depend_on_the_losses():
    points = np.array(hurt(2, 5))
    for method in ("betting", "mixture", "hoeffding-bentkus"):
        control = control_risk(points, budget=0.1, method=method)
        nearly = control_risk(np.minimum(points, 1 - 1e-12), budget=0.1, method=method)
        assert control.method == method
        np.testing.assert_allclose(control.p_value, nearly.p_value, rtol=1e-6)


def test_the_order_in_which_bets_are_made_does_not_follow_the_losses():
    growing = np.sort(LOSSES[3])
    falling = growing[::-1]
    bets = [betting(row, 0.08, level=0.1)[0] for row in (growing, falling)]
    assert bets[0] < 0.01 < bets[1]  # in order, the gambler would win first, or lose first
    assert abs(growing.mean() - 0.08) < 0.01
    p = [control_risk([row], budget=0.08).p_value[0] for row in (growing, falling)]
    assert min(p) > 0.05


IDS = [f"query {i}" for i in range(300)]


def by_digest(names):
    return sorted(range(len(names)), key=lambda i: hashlib.blake2b(str(names[i]).encode(), digest_size=8).digest())


def test_bets_are_made_in_the_order_of_the_digests_of_the_queries_ids():
    p = control_risk(LOSSES, budget=0.12, query_ids=IDS).p_value
    np.testing.assert_array_equal(p[0], betting(LOSSES[0, by_digest(IDS)], 0.12, level=0.1)[0])
    others = control_risk(LOSSES, budget=0.12, query_ids=[f"{name}, renamed" for name in IDS]).p_value
    assert not np.array_equal(p, others)


@given(st.permutations(range(300)))
def test_the_order_in_which_queries_with_ids_are_given_changes_nothing(order):
    one = control_risk(LOSSES, budget=0.08, query_ids=IDS)
    other = control_risk(LOSSES[:, order], budget=0.08, query_ids=[IDS[i] for i in order])
    np.testing.assert_array_equal(one.p_value, other.p_value)
    np.testing.assert_array_equal(one.is_safe, other.is_safe)
    assert 0 < one.is_safe.sum() < 4


@given(st.permutations(range(300)))
def test_a_mixture_of_stakes_needs_no_ids_for_that(order):
    one, other = (control_risk(rows, budget=0.08, method="mixture") for rows in (LOSSES, LOSSES[:, order]))
    np.testing.assert_array_equal(one.p_value, other.p_value)


def test_ids_of_other_queries_are_refused():
    with pytest.raises(AlignmentError, match="each of the 300 queries needs an id, got 299"):
        control_risk(LOSSES, budget=0.1, query_ids=IDS[1:])


def test_a_seed_is_accepted_warned_of_and_changes_nothing():
    expected = control_risk(LOSSES, budget=0.12).p_value
    for seed in (0, 1, 2):
        with pytest.warns(DeprecationWarning, match="random_state has no effect"):
            control = control_risk(LOSSES, budget=0.12, random_state=seed)
        np.testing.assert_array_equal(control.p_value, expected)


# The largest loss.


@pytest.mark.parametrize("method", ["betting", "mixture", "hoeffding-bentkus"])
def test_a_model_used_half_of_the_time_may_lose_twice_the_budget_when_used(method):
    half = control_risk(LOSSES / 2, budget=0.05, largest=0.5, method=method)
    whole = control_risk(LOSSES, budget=0.1, method=method)
    np.testing.assert_allclose(half.p_value, whole.p_value, rtol=1e-9)
    assert half.is_safe.tolist() == whole.is_safe.tolist()
    np.testing.assert_allclose(half.mean_loss, whole.mean_loss / 2)


def test_each_point_may_have_a_largest_loss_of_its_own():
    shares = np.array([0.25, 0.5, 1.0])
    control = exact(np.array(hurt(4, 4, 4)) * shares[:, None], budget=0.1, largest=shares)
    # A model used on a quarter of queries may hurt 0.1 / 0.25 = 40 % of them.
    np.testing.assert_allclose(control.p_value, scipy.stats.binom.cdf(4, 100, [0.4, 0.2, 0.1]), rtol=1e-9)


def test_points_that_cannot_lose_more_than_the_budget_are_safe_without_a_test():
    shares = [0.02, 0.05, 0.06]
    control = control_risk([[p] * 10 for p in shares], budget=0.05, largest=shares)
    assert control.is_safe.tolist() == [True, True, False]
    assert control.p_value.tolist() == [0, 0, 1]


def test_one_query_is_enough_to_be_asked_and_too_few_to_be_sure():
    for method in ("betting", "mixture", "hoeffding-bentkus", "binomial"):
        assert not control_risk([[0.0]], budget=0.1, method=method).is_safe.any()
    assert exact([[0.0]], budget=0.95).is_safe.all()


def test_one_row_of_losses_is_one_point():
    assert control_risk(LOSSES[0], budget=0.1).is_safe.tolist() == [True]


# The best of the safe.


def test_the_best_is_the_safe_point_with_the_largest_gain():
    control = exact(hurt(0, 2, 5, 6), budget=0.1)
    assert control.best([0.1, 0.3, 0.2, 0.9]) == 1
    assert control.best([0.1, 0.2, 0.2, 0.9]) == 1
    assert control.best([-0.1, -0.3, 0.01, 0.9]) == 2


def test_nothing_is_best_where_nothing_is_safe_or_gains():
    nothing = exact(hurt(30, 0), budget=0.1)
    assert not nothing.is_safe.any()
    assert nothing.best([0.5, 0.5]) is None
    safe = exact(hurt(0, 2), budget=0.1)
    assert safe.is_safe.all()
    assert safe.best([0.0, -0.1]) is None


# Mistakes.


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ([[0.1, 1.1]], "between 0 and 1"),
        ([[-0.1, 0.1]], "between 0 and 1"),
        ([[0.1, np.nan]], "between 0 and 1"),
        ([[0.1, np.inf]], "between 0 and 1"),
        ([], "points × queries"),
        ([[], []], "points × queries"),
        (np.zeros((2, 2, 2)), "points × queries"),
    ],
)
def test_losses_without_a_bound_are_refused(losses, words):
    with pytest.raises(AlignmentError, match=words) as caught:
        control_risk(losses, budget=0.1)
    assert "\n" not in str(caught.value)


def test_losses_above_the_largest_given_are_refused():
    with pytest.raises(AlignmentError, match="largest"):
        control_risk([[0.1, 0.3]], budget=0.1, largest=0.25)
    third = 0.1 * 3  # a last bit above 0.3
    assert exact([[0.0, third]], budget=0.1, largest=0.3).p_value[0] == pytest.approx(1 - (1 / 3) ** 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *(({"budget": b}, "budget must lie between 0 and 1") for b in (0, 1, -0.1, 5, np.nan, np.inf)),
        *(({"confidence": c}, "confidence must lie between 0 and 1") for c in (0, 1, 95, -1, np.nan)),
        *(({"method": m}, "method must be one of betting, mixture, hoeffding-bentkus") for m in ("normal", "", None)),
        *(({"largest": x}, "largest losses") for x in (0, -1, 1.5, np.nan, [0.5, 0.5, 0.5, 0])),
        *(({"sequences": s}, "positions of the 4") for s in ([], [[]], [[4]], [[0, -1]], [[0], [1, 7]])),
    ],
)
def test_senseless_options_are_refused(options, words):
    with pytest.raises(ParameterError, match=words) as caught:
        control_risk(np.zeros((4, 10)), **{"budget": 0.1, **options})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param({"sequences": [0, 1, 2, 3]}, "positions of the 4", id="one sequence, not in a list"),
        pytest.param({"sequences": [[0, 0.5]]}, "positions of the 4", id="half a position"),
        pytest.param({"sequences": [["first"]]}, "positions of the 4", id="a name"),
        pytest.param({"largest": [0.5, 0.5]}, "one number, or one for each of 4 points", id="too few largest losses"),
        pytest.param({"budget": "0.1"}, "budget must lie between 0 and 1, got '0.1'", id="text"),
        pytest.param({"losses": [[0.1, 0.2], [0.1]]}, "losses must be operating points × queries", id="ragged losses"),
    ],
)
def test_arguments_of_a_wrong_shape_are_refused_in_our_words(options, words):
    arguments = {"losses": np.zeros((4, 10)), "budget": 0.1, **options}
    with pytest.raises(RiskrankError, match=words):
        control_risk(**arguments)


@pytest.mark.parametrize("gain", [[0.1, 0.2, 0.3], 0.1])
def test_gains_of_other_points_are_refused(gain):
    with pytest.raises(AlignmentError, match="each of the 2 operating points needs a gain"):
        exact(hurt(0, 2), budget=0.1).best(gain)


def test_a_gain_that_is_not_known_does_not_hide_the_others():
    assert exact(hurt(0, 2), budget=0.1).best([np.nan, 0.2]) == 1


# The guarantee.

BUDGET, DELTA, N_QUERIES = 0.05, 0.1, 500


def population(risks, *, is_hurt, together=0.7, n=20_000):
    """Losses and gains of points with these true risks on many queries, some of which are hard for all points."""
    rng = np.random.default_rng(0)
    hard = rng.normal(size=n)
    losses, gains = [], []
    for risk in risks:
        score = together * hard + np.sqrt(1 - together**2) * rng.normal(size=n)
        if is_hurt:
            row = np.zeros(n)
            row[np.argsort(-score)[: round(risk * n)]] = 1
        else:
            row = np.maximum(0, score)
            row *= risk / row.mean()
        losses.append(row)
        gains.append(3 * risk * rng.exponential(size=n) - row)  # the bolder, the more there is to gain
    return np.array(losses), np.array(gains)


def redraw(losses, gains, redraws, **options):
    """Draw calibration queries many times: redraws with a bad choice, or any bad point; the share of budget used."""
    rng = np.random.default_rng(1)
    risk = losses.mean(axis=1)
    is_bad = risk > BUDGET * (1 + 1e-9)
    chosen_bad = any_bad = used = 0
    for _ in range(redraws):
        drawn = rng.integers(losses.shape[1], size=N_QUERIES)
        # The loss of a query is a function of its id, so that the order of bets hangs on the losses as much as it can.
        seen = Counter()
        options["query_ids"] = [f"{query}, {seen.update([query]) or seen[query]}" for query in drawn.tolist()]
        control = control_risk(losses[:, drawn], budget=BUDGET, confidence=1 - DELTA, **options)
        best = control.best(gains[:, drawn].mean(axis=1))
        any_bad += (control.is_safe & is_bad).any()
        if best is not None:
            chosen_bad += is_bad[best]
            used += risk[best] / BUDGET
    return chosen_bad, any_bad, used / redraws


def most(redraws, rate=DELTA):
    """The most redraws that the guarantee allows but once in 1,000 times."""
    return scipy.stats.binom.isf(1e-3, redraws, rate)


# From a third of the budget to nearly twice as much, up and down on the way.
RISING = BUDGET * (np.linspace(0.3, 1.8, 18) + 0.1 * np.sin(2.1 * np.arange(18)))
EVEN_AND_ODD = [list(range(0, 18, 2)), list(range(1, 18, 2))]


@pytest.mark.parametrize(
    ("is_hurt", "method", "sequences", "redraws"),
    [
        (False, "betting", None, 1000),
        (False, "betting", EVEN_AND_ODD, 1000),
        (False, "mixture", None, 1000),
        (False, "mixture", EVEN_AND_ODD, 1000),
        (False, "hoeffding-bentkus", None, 300),
        (False, "hoeffding-bentkus", EVEN_AND_ODD, 300),
        (True, "binomial", None, 1000),
        (True, "binomial", EVEN_AND_ODD, 300),
    ],
)
def test_the_true_risk_is_within_the_budget_and_most_of_the_budget_is_used(is_hurt, method, sequences, redraws):
    losses, gains = population(RISING, is_hurt=is_hurt)
    chosen_bad, any_bad, used = redraw(losses, gains, redraws, method=method, sequences=sequences)
    assert chosen_bad <= any_bad <= most(redraws)
    assert used > 0.5


def test_bets_on_who_is_hurt_are_valid_but_cautious():
    losses, gains = population(RISING, is_hurt=True)
    chosen_bad, any_bad, used = redraw(losses, gains, 1000, method="betting")
    assert chosen_bad <= any_bad <= most(1000)
    assert used > 0.3  # the exact binomial uses more than half


def test_a_model_used_more_and_more_often_stays_within_the_budget():
    losses, gains = population([2 * BUDGET], is_hurt=False)
    shares = np.arange(1, 21)[:, None] / 20
    chosen_bad, any_bad, used = redraw(shares * losses, shares * gains, 1000, largest=shares[:, 0])
    assert chosen_bad <= any_bad <= most(1000)
    assert used > 0.7


# All points are a little worse than the budget: whatever is chosen, is wrong.
WORST = BUDGET * np.array([1.001, 1.002, 1.003])


@pytest.mark.parametrize(
    ("is_hurt", "method", "least"),
    [(False, "betting", 0.02), (False, "mixture", 0.0), (False, "hoeffding-bentkus", 0.0), (True, "binomial", 0.05)],
)
def test_points_just_beyond_the_budget_are_rarely_chosen(is_hurt, method, least):
    chosen_bad, any_bad, _ = redraw(*population(WORST, is_hurt=is_hurt), 1000, method=method)
    assert least * 1000 <= chosen_bad <= any_bad <= most(1000)


@pytest.mark.parametrize(("is_hurt", "redraws"), [(False, 1000), (True, 500)])
def test_four_sequences_together_are_wrong_no_more_often_than_one(is_hurt, redraws):
    losses, _ = population(np.repeat(WORST[:1], 4), is_hurt=is_hurt, together=0.0)
    rng = np.random.default_rng(1)
    wrong = careless = 0
    for _ in range(redraws):
        sample = losses[:, rng.integers(losses.shape[1], size=N_QUERIES)]
        options = {"budget": BUDGET, "confidence": 1 - DELTA, "sequences": [[0], [1], [2], [3]]}
        control = exact(sample, **options) if is_hurt else control_risk(sample, **options)
        wrong += control.is_safe.any()
        careless += (control.p_value <= DELTA).any()  # if each of them had all of δ
    assert wrong <= most(redraws)
    assert careless > DELTA * redraws > wrong


def test_losses_that_happen_to_be_all_or_nothing_do_not_break_the_guarantee():
    # Losses of 0, 0.99 and 1 with a mean of 0.411, above the budget; every sample of six queries, with its probability.
    budget = 0.41
    nearly, whole = 0.1, 0.411 - 0.99 * 0.1
    values, probabilities = np.array([0, 0.99, 1]), np.array([1 - nearly - whole, nearly, whole])
    delta = scipy.stats.binom.cdf(1, 6, budget) * (1 + 1e-9)  # 0.2181
    wrong = 0.0
    for sample in itertools.product(range(3), repeat=6):
        places = list(sample)
        control = control_risk(values[places], budget=budget, confidence=1 - delta)
        wrong += probabilities[places].prod() * control.is_safe[0]
    assert wrong <= delta
