"""Searches of scikit-learn that go by risk."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.scorers import QUANTITIES

from .contract import in_turns, qid_of


class Given:
    """A ranker whose scores are known."""

    def __init__(self, scores):
        self.scores = scores

    def predict(self, X):
        return np.asarray(self.scores)


def small(**parameters):
    return rr.LambdaMART(**{"n_trees": 4, "n_leaves": 4, "n_threads": 1, **parameters})


def table(data, rows=slice(None)):
    names = ["bm25", *(f"f{i}" for i in range(1, data.n_features))]
    return pd.DataFrame(data.features[rows], columns=names).assign(qid=qid_of(data)[rows])


def test_four_documents_by_hand():
    """P@1 of the model: a 1, b 0; of the baseline: a 0, b 1. So d = +1, −1; URisk = (1 − (1 + 5) · 1) / 2 = −2.5."""
    frame = pd.DataFrame({"bm25": [1.0, 2.0, 2.0, 1.0], "qid": ["a", "a", "b", "b"]})
    labels, model = [1, 0, 1, 0], Given([2.0, 1.0, 1.0, 2.0])
    expected = {"urisk": -2.5, "gain": 0.0, "reward": 0.5, "risk": -0.5}
    for quantity, value in expected.items():
        scorer = rr.scorer(quantity, measure="P@1", alpha=5, baseline="column:bm25")
        assert scorer(model, frame, labels) == pytest.approx(value)
    assert rr.scorer("P@1")(model, frame, labels) == 0.5
    assert set(expected) == set(QUANTITIES)
    data = rr.RankingData.from_arrays(frame[["bm25"]], labels, qid=frame["qid"], feature_names=["bm25"])
    weighted = data.weighted({"a": 3, "b": 1})  # (3 · 1 − 1 · 6) / 4
    assert rr.scorer("urisk", measure="P@1", alpha=5, baseline=rr.Feature("bm25"))(model, weighted) == -0.75


def test_rows_may_be_mixed_and_baselines_come_in_every_form(train):
    rows = in_turns(train)
    frame, labels, model = table(train, rows), train.labels[rows], Given(train.feature(2)[rows])
    scores = rr.evaluate(train, {"model": train.feature(2), "text": train.feature(1)}, "nDCG@10")
    expected = rr.risk.urisk(scores["model"], scores["text"], alpha=2)
    text = train.feature(1)[rows].astype(np.float64)
    for baseline in ("column:bm25", rr.Feature("bm25"), rr.Feature(1), text):
        assert rr.scorer("urisk", alpha=2, baseline=baseline)(model, frame, labels) == pytest.approx(expected)
    by_routing = rr.scorer("urisk", alpha=2)(
        model, frame.drop(columns="qid"), labels, qid=frame["qid"], baseline=rr.Feature(1)
    )
    assert by_routing == pytest.approx(expected)


def test_a_search_over_a_pipeline_needs_no_routing(train):
    """Text columns are the pipeline's to make features of; the scorer reads query ids and the baseline alone."""
    frame = table(train).assign(language=np.where(np.arange(len(train)) % 2, "en", "de"))
    columns = ColumnTransformer(
        [
            ("scaled", StandardScaler(), ["bm25", "f1"]),
            ("coded", OneHotEncoder(sparse_output=False), ["language"]),
            ("kept", "passthrough", ["f2", "f3", "qid"]),
        ],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(columns, small(objective="urisk"))
    search = GridSearchCV(
        pipeline,
        {"lambdamart__objective__alpha": [0, 20]},
        cv=GroupKFold(3),
        scoring=rr.scorer("urisk", alpha=20, baseline="column:bm25"),
        error_score="raise",
    )
    search.fit(frame, train.labels, groups=frame["qid"], lambdamart__baseline="column:bm25")
    best = search.best_estimator_
    assert best[-1].objective == rr.URisk(alpha=search.best_params_["lambdamart__objective__alpha"])
    assert best[-1].feature_names_in_.tolist() == ["bm25", "f1", "language_de", "language_en", "f2", "f3"]
    scores = search.cv_results_["mean_test_score"]
    assert scores[0] != scores[1]
    assert len(search.predict(frame)) == len(frame)


def test_routing_hands_on_queries_and_baselines_unasked(train):
    qid, text = qid_of(train), train.feature(1).astype(np.float64)
    with sklearn.config_context(enable_metadata_routing=True):
        validated = cross_validate(
            small(objective="urisk:alpha=5"),
            train.features,
            train.labels,
            cv=GroupKFold(3),
            params={"qid": qid, "groups": qid, "baseline": text},
            scoring={"urisk": rr.scorer("urisk", alpha=5), "nDCG": rr.scorer("nDCG@10")},
            error_score="raise",
            return_estimator=True,
        )
    folds = GroupKFold(3).split(train.features, train.labels, qid)
    for i, (_, rows) in enumerate(folds):
        held_out = rr.RankingData.from_arrays(train.features[rows], train.labels[rows], qid=qid[rows])
        model = validated["estimator"][i]
        scores = rr.evaluate(held_out, {"model": model.predict(held_out), "text": held_out.feature(1)}, "nDCG@10")
        assert validated["test_urisk"][i] == pytest.approx(rr.risk.urisk(scores["model"], scores["text"], alpha=5))
        assert validated["test_nDCG"][i] == pytest.approx(scores["model"].mean())


def test_a_selective_ranker_is_scored_by_its_queries(train, valid):
    mixed = rr.Mixed(small(), probability=0.5).fit(train, baseline=rr.Feature(1))
    scores = rr.evaluate(valid, {"m": mixed.predict(valid), "b": valid.feature(1)}, "nDCG@10")
    scored = rr.scorer("gain", baseline=rr.Feature(1))(mixed, valid.features, valid.labels, qid=qid_of(valid))
    assert scored == pytest.approx((scores["m"] - scores["b"]).mean())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: rr.scorer("urisc"), "a scorer is one of gain, reward, risk, urisk, or a measure: "),
        (lambda d: rr.scorer("urisk", alpha=-1), "alpha"),
        (lambda d: rr.scorer("risk")(Given(d.labels), table(d), d.labels), "risk compares with a baseline: pass"),
        (lambda d: rr.scorer("AP")(Given(d.labels), d.features, d.labels), "a scorer needs labels, and query ids"),
        (
            lambda d: rr.scorer("risk", baseline="column:bm52")(Given(d.labels), table(d), d.labels),
            "there is no feature 'bm52'. Did you mean 'bm25'?",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused(call, message, train):
    with pytest.raises(ParameterError, match=message):
        call(train)


def test_scorers_go_to_other_processes_and_tell_what_they_are():
    scorer = rr.scorer("urisk", alpha=5, baseline=rr.Feature(1))
    assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)
    assert repr(scorer) == "scorer('urisk', measure='nDCG@10', alpha=5, baseline=Feature(1))"
    assert repr(rr.scorer("map")) == "scorer('AP')"
