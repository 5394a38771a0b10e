from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from riskrank import Feature, LambdaMART, RankingData, evaluate
from riskrank.data.feature import feature_of
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError, ParameterError


@pytest.mark.parametrize("key", [1.5, "", True, None])
def test_a_feature_is_given_by_a_whole_number_or_a_name(key):
    with pytest.raises(ParameterError, match="a feature is given by its number or name, like Feature.110."):
        Feature(key)


def test_a_feature_scores_documents_by_its_column():
    data = RankingData.from_arrays([[1.0, 4.0], [2.0, 3.0]], [0, 1], group=[2])
    assert Feature(2).scores(data).tolist() == [4, 3]
    assert Feature(2).scores(data).dtype == np.float64


def test_the_text_form_is_read_back():
    for feature in (Feature(110), Feature("bm25"), Feature("bm25: title")):
        assert Feature.named(str(feature)) == feature
    for text in ("feature:x", "feature:", "feature:-1", "feature:1234567890", "column:", "scores.txt"):
        with pytest.raises(FileError, match=f"{text}: a feature is given by its number or name, like feature:110"):
            Feature.named(text)


def test_what_is_no_feature_is_something_else():
    assert feature_of("feature:110") == Feature(110)
    assert feature_of("column:bm25") == Feature("bm25")
    assert [feature_of(text) for text in ("feature:x", "bm25.run", "")] == [None, None, None]


def test_numpys_numbers_will_do_and_the_text_form_is_the_command_lines():
    assert Feature(np.int64(3)) == Feature(3)
    assert (str(Feature(np.int64(3))), repr(Feature(3))) == ("feature:3", "Feature(3)")


def test_a_feature_does_not_rank_documents_without_a_value():
    data = web_search_data(20, documents_per_query=10, n_features=20)
    features = np.array(data.features)
    features[::3, 0] = np.nan
    holes = dataclasses.replace(data, features=features)
    lacking = np.where(np.isnan(features[:, 0]), -np.inf, features[:, 0])
    scores = evaluate(holes, {"holes": Feature(1), "lacking": lacking}, "AP")
    assert scores["holes"].tolist() == scores["lacking"].tolist()
    for start in ("zero", "baseline"):
        ranker = LambdaMART("urisk", n_trees=3, start=start).fit(holes, baseline=Feature(1))
        assert np.isfinite(ranker.predict(holes)).all()
