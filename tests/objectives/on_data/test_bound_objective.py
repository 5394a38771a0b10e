"""An objective on data: the values of its queries, its gradients, and what it keeps from one step to the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from riskrank import RankingData, RankNet, URisk, evaluate
from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import ParameterError
from riskrank.measures.standard import AP
from riskrank.objectives import Gain
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.risk.urisk import urisk

from .. import naive
from ..cases import make_case


@pytest.mark.parametrize("measure", naive.MEASURES)
def test_the_value_of_each_query_is_the_evaluated_and_the_naive_one(measure):
    for seed in range(3):
        case = make_case(seed)
        bound, untied = BoundObjective(Gain(measure), case.data), case.baselines[0]
        for scores in (case.scores, untied):
            expected = evaluate(case.data, {"x": scores}, measure)["x"]
            np.testing.assert_allclose(bound.values(scores), expected, atol=1e-13)
        slowly = naive.values(naive.measure(measure, case.data), case.data, untied)
        np.testing.assert_allclose(bound.values(untied), slowly, atol=1e-13)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_the_values_after_a_step_are_those_of_the_measure_not_of_its_deeper_form(measure, case):
    """nDCG@5 is trained as nDCG@30; what is reported stays nDCG@5."""
    values = BoundObjective(Gain(measure), case.data).gradients(case.scores).values.reported
    np.testing.assert_allclose(values, evaluate(case.data, {"x": case.scores}, measure)["x"], atol=1e-13)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "ERR@5", "RBP", "P@5", "RR"])
def test_negative_labels_are_evaluated_as_zero(measure):
    case = make_case(labels=np.random.default_rng(1).integers(-2, 4, sum((5, 6, 7))), sizes=(5, 6, 7))
    values = BoundObjective(Gain(measure), case.data).values(case.scores)
    np.testing.assert_allclose(values, evaluate(case.data, {"x": case.scores}, measure)["x"], atol=1e-13)


def test_a_step_overwrites_the_arrays_of_the_last_one_and_nothing_else_is_remembered(case):
    bound = BoundObjective(Gain("nDCG@5"), case.data)
    first = bound.gradients(case.scores).gradient
    kept = first.copy()
    assert bound.gradients(-case.scores).gradient is first
    np.testing.assert_array_equal(bound.gradients(case.scores).gradient, kept)


def bound_to(case, objective):
    return BoundObjective(objective, case.data, baseline_scores(case.baselines, case.data))


def rows_of(data, queries):
    return np.concatenate([np.arange(*data.query_offsets[q : q + 2]) for q in queries])


@pytest.mark.parametrize(
    "objective", [URisk("nDCG@5"), URisk("AP"), RankNet(truncation=None, normalise=False)], ids=repr
)
def test_a_batch_gets_the_gradients_of_its_queries_and_leaves_those_of_others(objective, case):
    bound = bound_to(case, objective)
    state = bound.target_state(bound.query_values(case.scores))
    whole = [array.copy() for array in bound.gradients(case.scores)[:2]]
    values = bound.query_values(-case.scores)
    turned = [array.copy() for array in bound.gradients(-case.scores)[:2]]
    batch = np.array([4, 2])
    gradients = bound.batch_gradients(case.scores, batch, values, state)
    is_in_batch = np.isin(np.arange(case.data.n_documents), rows_of(case.data, batch))
    for actual, before, after in zip(gradients[:2], turned, whole, strict=True):
        np.testing.assert_array_equal(actual, np.where(is_in_batch, after, before))
    expected = bound.values(-case.scores)
    expected[batch] = bound.values(case.scores)[batch]
    np.testing.assert_array_equal(values.reported, expected)


@pytest.mark.parametrize("decimals", [9, 0], ids=["no ties", "ties"])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_baselines_are_measured_as_an_evaluation_does(measure, decimals, case):
    case = case._replace(baselines=case.baselines.round(decimals))
    expected = evaluate(case.data, dict(enumerate(case.baselines)), measure).matrix
    np.testing.assert_allclose(bound_to(case, URisk(measure)).baseline_values, expected, atol=1e-13)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "ERR@5"])
def test_the_order_of_tied_documents_in_the_data_changes_no_baseline(measure, case):
    query = case.data.query_numbers
    order = np.lexsort((-case.data.labels, query))
    turned = RankingData.from_arrays(case.data.features[order], case.data.labels[order], qid=query[order])
    tied = case.baselines.round(0)
    bound = bound_to(case._replace(baselines=tied), URisk(measure))
    other = bound_to(case._replace(data=turned, baselines=tied[:, order]), URisk(measure))
    np.testing.assert_allclose(bound.baseline_values, other.baseline_values, atol=1e-14)
    assert np.abs(bound.baselines_in_order - other.baselines_in_order).max() > 0.1


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "ERR@5"])
def test_a_model_like_a_baseline_with_ties_differs_from_it_nowhere(measure, case):
    tied = case.baselines[:1].round(0)
    bound = bound_to(case._replace(baselines=tied), URisk(measure))
    values = bound.query_values(0.25 * tied[0])
    state = bound.target_state(values)
    np.testing.assert_array_equal(state.effectiveness, state.baseline)  # to the last bit
    np.testing.assert_array_equal(values.reported, bound.baseline_values[0])


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_a_target_sees_the_model_in_the_order_of_the_data_if_no_baseline_has_ties(measure, case):
    bound = bound_to(case, URisk(measure))
    untied = case.scores - 1e-9 * np.arange(case.data.n_documents)
    np.testing.assert_allclose(bound.query_values(case.scores).trained, bound.query_values(untied).trained, atol=1e-14)


class ShuffledAP(AP):
    """A measure of somebody's own, of which only orders are known."""

    def per_topic(self, ranking):
        return super().per_topic(ranking)

    def swap_deltas(self, data):
        return replace(super().swap_deltas(data), tied_value=None)


def test_ties_of_a_baseline_are_shuffled_if_the_measure_has_no_closed_form(case):
    baselines = baseline_scores(case.baselines.round(0), case.data)
    shuffled, exact = (BoundObjective(URisk(each), case.data, baselines) for each in (ShuffledAP(), AP()))
    np.testing.assert_allclose(shuffled.baseline_values, exact.baseline_values, atol=0.05)
    assert np.abs(shuffled.baselines_in_order - exact.baseline_values).max() > 0.1
    np.testing.assert_allclose(shuffled.baselines_in_order, exact.baselines_in_order, atol=1e-14)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_documents_and_queries_that_a_run_lacks_are_not_retrieved(measure, case):
    """The best document of every query but the first, of which the run knows nothing."""
    ids, offsets = case.data.ids, case.data.query_offsets
    best = [a + int(np.argmax(case.data.labels[a:b])) for a, b in pairwise(offsets)]
    run = {query: {ids[row]: 1.0} for query, row in list(zip(case.data.query_ids, best, strict=True))[1:]}
    bound = BoundObjective(URisk(measure), case.data, baseline_scores(run, case.data))
    scores = np.isin(np.arange(case.data.n_documents), best).astype(float)
    assert bound.baseline_values[0, 0] == 0
    others = evaluate(case.data, {"x": np.where(scores > 0, 1.0, -np.inf)}, measure)["x"][1:]
    np.testing.assert_allclose(bound.baseline_values[0, 1:], others, atol=1e-13)


def test_the_cost_is_minus_what_the_objective_gives_the_model(case):
    bound = bound_to(case, URisk("AP", alpha=3.0))
    values = bound.values(case.scores)
    expected = urisk(values, bound.baseline_values.mean(axis=0), alpha=3.0)
    assert bound.cost(case.scores, values) == pytest.approx(-expected)


def test_an_objective_of_risk_needs_a_baseline(case):
    with pytest.raises(ParameterError, match=r"URisk needs a baseline. Pass baseline=, like Feature\(110\)."):
        BoundObjective(URisk(), case.data)
