"""PreferenceLambdaMART: LambdaMART on other labels, to the last bit, whatever else is asked of it."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from sklearn.base import clone

import riskrank as rr
from riskrank.clicks.preference_gains import lowest_click_plus_one, preference_gains
from riskrank.errors import AlignmentError, ParameterError, RiskrankError

from ..interrupting import Crash, crash, interrupting

LINEAR = "nDCG(dcg='log2')@10"
SHOWN = rr.Feature(1)
SMALL = {"n_trees": 8, "n_leaves": 5, "n_threads": 1}
ASKED = 3  # the number of the feature that says how often a query was asked


def clicked(n_pages, seed, grades=1):
    """Pages of 1 to 9 documents in presented order: that order, what tells of clicks, a count of the page, noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 10, n_pages)
    place = np.concatenate([np.arange(size) for size in sizes])
    taste = rng.normal(size=len(place))
    asked = np.repeat(rng.integers(0, 40, n_pages), sizes)
    features = np.column_stack([-place, taste, asked, rng.normal(size=(len(place), 3))])
    wanted = 1.2 * taste - 0.5 * place + rng.normal(size=len(place))
    labels = np.digitize(wanted, [0.4, 1.6][:grades])
    return rr.RankingData.from_arrays(features, labels, group=sizes)


@pytest.fixture(scope="module")
def pages():
    return clicked(120, 0)


@pytest.fixture(scope="module")
def others():
    return clicked(60, 1)


def plain_gains(data, beta):
    """Eq. 1 of the paper, for every pair of documents of a page."""
    gains = np.zeros(data.n_documents)
    for start, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        for i in range(start, end):
            for j in range(start, end):
                if data.labels[i] > data.labels[j]:
                    gains[i] += 1
                elif data.labels[i] == data.labels[j] and i < j:
                    gains[i] += beta
    return gains


def with_gains(data, beta):
    gains = preference_gains(data.labels, beta=beta, offsets=data.query_offsets)
    return dataclasses.replace(data, labels=gains)


def examined(data):
    """The rows down to one below the lowest click, page by page; all rows of a page without a click."""
    rows, sizes = [], []
    for start, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        clicks = [row for row in range(start, end) if data.labels[row] > 0]
        own = list(range(start, min(end, clicks[-1] + 2) if clicks else end))
        rows += own
        sizes.append(len(own))
    return np.array(rows), np.array(sizes)


def cut(data):
    """The data without what nobody looked at."""
    rows, sizes = examined(data)
    return rr.RankingData.from_arrays(data.features[rows], data.labels[rows], group=sizes)


def betas_by_page(data, beta, halfway=10.0):
    asked = data.feature(ASKED)[data.query_offsets[:-1]].astype(np.float64)
    return beta * asked / (asked + halfway)


def preference(objective=None, **parameters):
    return rr.PreferenceLambdaMART(objective, **{**SMALL, **parameters})


def usual(objective=None, **parameters):
    return rr.LambdaMART(rr.Gain(LINEAR) if objective is None else objective, **{**SMALL, **parameters})


@pytest.fixture
def trees(tmp_path):
    """The trees of a model as its engine writes them."""

    def written(ranker):
        folder = tmp_path / "model"
        ranker.save(folder)
        (name,) = (path.name for path in folder.iterdir() if path.name.startswith("model."))
        return (folder / name).read_bytes()

    return written


def same(one, other, trees):
    assert trees(one) == trees(other)
    for column in ("train_effectiveness", "valid_effectiveness"):
        np.testing.assert_array_equal(one.history_[column], other.history_[column])
    assert one.best_steps_ == other.best_steps_


# What it learns from.


@pytest.mark.parametrize("beta", [0.25, 0.5, 1.0])  # sums of these are exact
def test_the_trees_are_those_of_lambdamart_on_the_gains_of_every_pair(pages, beta, engine, trees):
    own = preference(beta=beta, engine=engine).fit(pages)
    relabelled = dataclasses.replace(pages, labels=plain_gains(pages, beta))
    same(own, usual(engine=engine).fit(relabelled), trees)


@pytest.mark.parametrize("beta", [0.01, 0.2, 3.0])
def test_any_beta_is_lambdamart_on_preference_gains(pages, beta, trees):
    same(preference(beta=beta).fit(pages), usual().fit(with_gains(pages, beta)), trees)


def test_clicks_of_several_grades_are_preferred_by_grade(trees):
    graded = clicked(120, 2, grades=2)
    assert set(graded.labels) == {0, 1, 2}
    expected = usual().fit(dataclasses.replace(graded, labels=plain_gains(graded, 0.25)))
    same(preference(beta=0.25).fit(graded), expected, trees)


def test_without_beta_only_clicks_count(pages, others):
    # A click then gains the number of documents without one, the same for all of a page: nDCG divides it out.
    own = preference(beta=0).fit(pages, valid=others)
    plain = usual().fit(pages, valid=others)
    np.testing.assert_allclose(own.predict(others), plain.predict(others), rtol=1e-9, atol=1e-12)
    for column, data in (("train_effectiveness", pages), ("valid_effectiveness", others)):
        # Where all documents were clicked none is preferred, and such a page counts 0 instead of 1.
        idle = np.mean(np.minimum.reduceat(data.labels, data.query_offsets[:-1]))
        np.testing.assert_allclose(own.history_[column], plain.history_[column] - idle, rtol=1e-12)


def test_with_more_weight_on_the_order_less_is_reranked(pages, others):
    runs = {
        str(beta): preference(beta=beta, n_trees=40, learning_rate=0.2).fit(pages).predict(others)
        for beta in (0, 0.3, 1)
    }
    changes = rr.rank_changes({"shown": others.feature(1), **runs}, "shown", data=others)
    shares = [changes[name].reranked for name in runs]
    assert shares[0] > shares[1] > shares[2]


def test_the_measure_takes_gains_as_they_are_unless_told_otherwise(pages, trees):
    assert preference().training_objective == rr.Gain(LINEAR)
    own = preference(rr.Gain("nDCG@5"), beta=0.5).fit(pages)
    same(own, usual(rr.Gain("nDCG@5")).fit(with_gains(pages, 0.5)), trees)


def test_score_judges_by_clicks_alone(pages, others):
    model = preference(beta=0.5).fit(pages)
    values = rr.evaluate(others, {"m": model.predict(others)}, LINEAR)["m"]
    assert model.score(others) == pytest.approx(values.mean())


def test_the_callers_clicks_are_left_alone(pages):
    before = np.array(pages.labels)
    preference(only_examined=True).fit(pages)
    np.testing.assert_array_equal(pages.labels, before)


# Only what was examined.


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_only_examined_is_training_on_the_cut_pages(pages, others, beta, engine, trees):
    assert cut(pages).n_documents < 0.9 * pages.n_documents
    own = preference(beta=beta, only_examined=True, engine=engine).fit(pages, valid=others)
    same(own, preference(beta=beta, engine=engine).fit(cut(pages), valid=cut(others)), trees)
    relabelled = [dataclasses.replace(each, labels=plain_gains(each, beta)) for each in map(cut, (pages, others))]
    same(own, usual(engine=engine).fit(relabelled[0], valid=relabelled[1]), trees)


def test_what_is_kept_of_a_page_is_what_the_test_keeps(pages):
    kept = lowest_click_plus_one(pages.labels, offsets=pages.query_offsets)
    np.testing.assert_array_equal(np.flatnonzero(kept), examined(pages)[0])


def test_the_lowest_click_may_be_one_that_did_not_satisfy(pages):
    first, last = pages.query_offsets[:-1], pages.query_offsets[1:] - 1
    is_clicked = pages.labels > 0
    is_clicked[last] = True
    to_the_end, _ = preference(only_examined=True).training_view(dataclasses.replace(pages, is_clicked=is_clicked), [])
    assert to_the_end.n_documents == pages.n_documents
    is_clicked = np.zeros(pages.n_documents, bool)
    is_clicked[first] = True
    two, _ = preference(only_examined=True).training_view(dataclasses.replace(pages, is_clicked=is_clicked), [])
    assert np.diff(two.query_offsets).tolist() == np.minimum(last - first + 1, 2).tolist()
    assert len(two.is_clicked) == two.n_documents


def test_pages_that_come_mixed_are_cut_all_the_same(pages, others, trees):
    order = np.argsort(-pages.feature(1), kind="stable")  # the first document of every page, then the second, …
    qid = np.repeat(np.asarray(pages.query_ids), np.diff(pages.query_offsets))
    shown = pages.feature(1).astype(np.float64)
    ranker = preference(rr.URisk(LINEAR, alpha=3), beta=0.5, only_examined=True)
    whole = clone(ranker).fit(pages, baseline=shown)
    mixed = clone(ranker).fit(pages.features[order], pages.labels[order], qid=qid[order], baseline=shown[order])
    np.testing.assert_array_equal(mixed.predict(others), whole.predict(others))


def test_the_card_says_what_was_learned_from(pages):
    model = preference(only_examined=True).fit(pages)
    assert model.card_["training_data"]["documents"] == cut(pages).n_documents
    assert model.card_["training_data"]["queries"] == pages.n_queries
    assert model.card_["kind"] == "PreferenceLambdaMART"


# A beta for each query.


@pytest.mark.parametrize("only_examined", [False, True])
def test_a_beta_feature_is_a_beta_for_each_query(pages, others, only_examined, trees):
    parameters = {"beta": 0.7, "beta_halfway": 4.0, "only_examined": only_examined}
    own = preference(**parameters, beta_feature=ASKED).fit(pages, valid=others)
    seen = [cut(each) if only_examined else each for each in (pages, others)]
    gains = [with_gains(each, betas_by_page(each, 0.7, 4.0)) for each in seen]
    same(own, usual().fit(gains[0], valid=gains[1]), trees)


def test_a_query_that_was_never_asked_has_no_beta(pages, trees):
    """Nor has one whose count is not known, or makes no sense."""
    for count in (0, np.nan, -5):
        features = np.array(pages.features)
        features[:, ASKED - 1] = count
        data = dataclasses.replace(pages, features=features)
        same(preference(beta=0.5, beta_feature=ASKED).fit(data), preference(beta=0).fit(data), trees)


def test_a_query_that_was_asked_halfway_often_has_half_the_beta(pages, trees):
    features = np.array(pages.features)
    features[:, ASKED - 1] = 16
    data = dataclasses.replace(pages, features=features)
    by_feature = preference(beta=0.5, beta_feature=ASKED, beta_halfway=16).fit(data)
    same(by_feature, preference(beta=0.25).fit(data), trees)


def test_features_are_numbered_as_in_the_source(pages, trees):
    from_zero = dataclasses.replace(pages, first_feature=0)
    own = preference(beta_feature=ASKED - 1).fit(from_zero)
    same(own, preference(beta_feature=ASKED).fit(pages), trees)
    preference(beta_feature=0).fit(from_zero)
    for data, number, known in ((pages, 0, "1 to 6"), (from_zero, 6, "0 to 5"), (pages, 7, "1 to 6")):
        with pytest.raises(ParameterError, match=f"feature must be from {known}, got {number}"):
            preference(beta_feature=number).fit(data)


# Validation.


def test_validation_pages_get_gains_in_the_same_way(pages, others, trees):
    same(
        preference(beta=0.3).fit(pages, valid=others),
        usual().fit(with_gains(pages, 0.3), valid=with_gains(others, 0.3)),
        trees,
    )


def test_early_stopping_goes_by_the_gains_of_validation_pages(pages, others, trees):
    patience = {"n_trees": 60, "learning_rate": 0.5, "early_stopping": 4}
    own = preference(beta=0.3, **patience).fit(pages, valid=others)
    same(own, usual(**patience).fit(with_gains(pages, 0.3), valid=with_gains(others, 0.3)), trees)
    assert own.best_steps_ < 60


def test_validation_pages_may_come_as_arrays(pages, others, trees):
    qid = np.repeat(np.asarray(others.query_ids), np.diff(others.query_offsets))
    arrays = (others.features, others.labels, qid)
    same(preference().fit(pages, valid=arrays), preference().fit(pages, valid=others), trees)


# Baselines.


def baselines_of(data):
    """The order shown in every form, and whether it is known on other data too."""
    return {"a feature": SHOWN, "an array": data.feature(1).astype(np.float64)}


@pytest.mark.parametrize("kind", ["a feature", "an array"])
@pytest.mark.parametrize("only_examined", [False, True])
def test_risk_sensitive_targets_stand_on_the_gains(pages, others, kind, only_examined, trees):
    objective = rr.URisk(LINEAR, alpha=4)
    own = preference(objective, beta=0.3, only_examined=only_examined).fit(
        pages,
        baseline=baselines_of(pages)[kind],
        valid=others,
        valid_baseline=None if kind == "a feature" else baselines_of(others)[kind],
    )
    seen = [cut(each) if only_examined else each for each in (pages, others)]
    train, valid = (with_gains(each, 0.3) for each in seen)
    expected = usual(objective).fit(train, baseline=SHOWN, valid=valid)
    same(own, expected, trees)
    assert trees(own) != trees(preference(beta=0.3, only_examined=only_examined).fit(pages))


@pytest.mark.parametrize("only_examined", [False, True])
def test_several_baselines_are_cut_with_the_pages(pages, others, only_examined, trees):
    objective = rr.GeoRisk(LINEAR, alpha=2)
    fourth = [each.feature(4).astype(np.float64) for each in (pages, others)]
    own = preference(objective, only_examined=only_examined).fit(
        pages, baseline={"shown": SHOWN, "own": fourth[0]}, valid=others,
        valid_baseline={"shown": SHOWN, "own": fourth[1]},
    )  # fmt: skip
    seen = [cut(each) if only_examined else each for each in (pages, others)]
    train, valid = (with_gains(each, 0.2) for each in seen)
    by_features = {"shown": SHOWN, "own": rr.Feature(4)}
    same(own, usual(objective).fit(train, baseline=by_features, valid=valid), trees)


def test_a_fitted_ranker_can_be_the_baseline(pages, others, trees):
    old = usual(n_trees=2).fit(pages)
    objective = rr.URisk(LINEAR, alpha=2)
    own = preference(objective, only_examined=True).fit(pages, baseline=old, valid=others)
    scores = [old.predict(each) for each in (pages, others)]
    by_scores = preference(objective, only_examined=True).fit(
        pages, baseline=scores[0], valid=others, valid_baseline=scores[1]
    )
    same(own, by_scores, trees)


@pytest.mark.parametrize("only_examined", [False, True])
def test_a_model_may_start_from_the_order_shown(pages, others, only_examined, trees):
    objective = rr.URisk(LINEAR, alpha=1)
    own = preference(objective, start="baseline", only_examined=only_examined).fit(pages, baseline=SHOWN, valid=others)
    seen = [with_gains(cut(each) if only_examined else each, 0.2) for each in (pages, others)]
    expected = usual(objective, start="baseline").fit(seen[0], baseline=SHOWN, valid=seen[1])
    same(own, expected, trees)
    np.testing.assert_array_equal(own.predict(others), expected.predict(others))


def test_scores_as_a_baseline_say_nothing_of_validation_pages(pages, others):
    ranker = preference(rr.URisk(LINEAR), only_examined=True)
    with pytest.raises(AlignmentError, match="pass valid_baseline="):
        ranker.fit(pages, baseline=pages.feature(1), valid=others)
    with pytest.raises(RiskrankError, match=f"{pages.n_documents}"):
        ranker.fit(pages, baseline=cut(pages).feature(1))  # one score for each document, looked at or not


# Keeping.


def test_a_saved_model_knows_all_its_parameters(pages, others, tmp_path):
    ranker = preference(
        rr.URisk(LINEAR, alpha=2), beta=0.4, only_examined=True, beta_feature=ASKED, beta_halfway=7.5, random_state=3
    )
    ranker.fit(pages, baseline=SHOWN).save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    assert isinstance(back, rr.PreferenceLambdaMART)
    assert back.get_params() == ranker.get_params()
    np.testing.assert_array_equal(back.predict(others), ranker.predict(others))
    np.testing.assert_array_equal(back.fit(pages, baseline=SHOWN).predict(others), ranker.predict(others))
    parameters = json.loads((tmp_path / "model" / "card.json").read_text(encoding="utf-8"))["parameters"]
    assert {name: parameters[name] for name in ("beta", "only_examined", "beta_feature", "beta_halfway")} == {
        "beta": 0.4, "only_examined": True, "beta_feature": ASKED, "beta_halfway": 7.5,
    }  # fmt: skip


def test_numbers_of_numpy_are_kept_as_numbers(pages, tmp_path):
    ranker = preference(beta=np.float64(0.5), beta_feature=np.int64(ASKED), only_examined=np.bool_(True))
    ranker.fit(pages).save(tmp_path / "model")
    assert rr.load(tmp_path / "model").beta_feature == ASKED


def test_the_two_kinds_of_lambdamart_are_told_apart(pages, tmp_path):
    preference().fit(pages).save(tmp_path / "model")
    with pytest.raises(ParameterError, match="is a PreferenceLambdaMART, not a LambdaMART. Load it with riskrank.load"):
        rr.LambdaMART.load(tmp_path / "model")


def test_it_can_be_cloned_and_its_parameters_set(pages, trees):
    ranker = preference(beta=0.4, only_examined=True, beta_feature=ASKED)
    copy = clone(ranker)
    assert copy.get_params() == ranker.get_params()
    same(copy.set_params(beta=0.5, beta_feature=None).fit(pages), preference(beta=0.5, only_examined=True).fit(pages),
         trees)  # fmt: skip


def test_training_goes_on_from_a_checkpoint_with_the_same_beta_only(pages, others, tmp_path, trees):
    objective = rr.URisk(LINEAR, alpha=2)
    given = {"baseline": SHOWN, "checkpoint": tmp_path / "checkpoint", "checkpoint_every": 2}
    broken = preference(interrupting(objective, crash, at=5), beta=0.4, only_examined=True)
    with pytest.raises(Crash):
        broken.fit(pages, **given)
    for changed in ({"beta": 0.5}, {"only_examined": False}, {"beta_feature": ASKED}):
        with pytest.raises(RiskrankError, match="checkpoint"):
            preference(objective, **{"beta": 0.4, "only_examined": True, **changed}).fit(pages, **given, resume=True)
    resumed = preference(objective, beta=0.4, only_examined=True).fit(pages, **given, resume=True)
    same(resumed, preference(objective, beta=0.4, only_examined=True).fit(pages, baseline=SHOWN), trees)


# What is refused.


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"beta": -0.1}, "beta must be a number from 0, got -0.1"),
        ({"beta": np.nan}, "beta must be a number from 0, got nan"),
        ({"beta": np.inf}, "beta must be a number from 0, got inf"),
        ({"beta": "0.2"}, "beta must be a number from 0, got '0.2'"),
        ({"beta": True}, "beta must be a number from 0, got True"),
        ({"beta": None}, "beta must be a number from 0, got None"),
        ({"beta": [0.1, 0.2]}, "beta must be a number from 0, got"),
        ({"only_examined": "yes"}, "only_examined must be True or False, got 'yes'"),
        ({"only_examined": 1}, "only_examined must be True or False, got 1"),
        ({"beta_feature": -1}, "beta_feature must be a whole number from 0, got -1"),
        ({"beta_feature": 1.5}, "beta_feature must be a whole number from 0, got 1.5"),
        ({"beta_feature": "3"}, "beta_feature must be a whole number from 0, got '3'"),
        ({"beta_feature": True}, "beta_feature must be a whole number from 0, got True"),
        ({"beta_feature": 99}, "feature must be from 1 to 6, got 99"),
        ({"beta_halfway": 0}, "beta_halfway must be a number above 0, got 0"),
        ({"beta_halfway": -1.0}, "beta_halfway must be a number above 0, got -1.0"),
        ({"beta_halfway": np.nan}, "beta_halfway must be a number above 0, got nan"),
        ({"n_trees": 0}, "n_trees must be a whole number from 1, got 0"),
        ({"objective": 5}, r"objective must be one like URisk\('nDCG@10', alpha=5\), or its name, got 5"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(pages, parameters, message):
    with pytest.raises(ParameterError, match=message) as caught:
        preference(**parameters).fit(pages)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("only_examined", [False, True])
def test_clicks_that_are_not_whole_are_refused(pages, others, only_examined):
    def halved(data):
        return dataclasses.replace(data, labels=data.labels / 2)

    ranker = preference(only_examined=only_examined)
    for train, valid in ((halved(pages), others), (pages, halved(others))):
        with pytest.raises(AlignmentError, match="satisfied clicks must be true or false, or whole grades") as caught:
            ranker.fit(train, valid=valid)
        assert "\n" not in str(caught.value)
    with pytest.raises(AlignmentError, match="whole grades"):  # nor are gains that were made before
        ranker.fit(with_gains(pages, 0.5))
