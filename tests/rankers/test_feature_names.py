"""Features have names from the table to the saved model, whatever the ranker."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError
from riskrank.rankers.trees.engine import engine_named

NAMES = ["bm25 (title)", "bm25_(title)", "größe", "clicks/day", "x,y"]
RANKERS = {
    "lightgbm": rr.LambdaMART(n_trees=5, n_leaves=4, min_docs_in_leaf=2),
    "xgboost": rr.LambdaMART(n_trees=5, n_leaves=4, engine="xgboost"),
    "adarank": rr.AdaRank(n_rounds=3),
}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    features = rng.normal(size=(120, 5))
    labels = (features[:, 0] + 0.5 * features[:, 3] > 0.4).astype(int)
    return pd.DataFrame(features, columns=NAMES), labels, np.repeat(np.arange(12), 10)


@pytest.fixture(params=RANKERS)
def fitted(request, table):
    frame, labels, qid = table
    ranker = RANKERS[request.param]
    return type(ranker)(**ranker.get_params(deep=False)).fit(frame, labels, qid=qid)


class Streamed:
    """A table that speaks Arrow's protocol and has nothing else."""

    def __init__(self, columns):
        self.table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Interchanged:
    """A table that speaks the protocol of dataframes and has nothing else."""

    def __init__(self, columns):
        self.table = pa.table(columns)

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.table.__dataframe__(nan_as_null, allow_copy)


FORMS = {
    "pandas": pd.DataFrame,
    "pandas with Arrow's types": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas with its own types": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "arrow": pa.table,
    "batch": pa.RecordBatch.from_pydict,
    "stream": Streamed,
    "interchange": Interchanged,
}


@pytest.mark.parametrize("form", FORMS)
def test_columns_in_another_order_give_the_same_scores(fitted, table, form):
    frame = table[0]
    shuffled = FORMS[form]({name: frame[name].to_numpy() for name in reversed(NAMES)})
    np.testing.assert_array_equal(fitted.predict(shuffled), fitted.predict(frame))
    np.testing.assert_array_equal(fitted.predict(frame.to_numpy()), fitted.predict(frame))


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_any_kind_with_queries_and_missing_values_is_learned_from(table, form):
    frame, labels, qid = table
    columns = {"qid": qid, **{name: frame[name].to_numpy(copy=True) for name in NAMES}}
    columns[NAMES[0]][:7] = np.nan
    ranker = RANKERS["lightgbm"].fit(FORMS[form](columns), labels)
    expected = RANKERS["lightgbm"].fit(pd.DataFrame(columns)[NAMES], labels, qid=qid)
    assert ranker.feature_names_in_.tolist() == NAMES
    np.testing.assert_array_equal(ranker.predict(FORMS[form](columns)), expected.predict(pd.DataFrame(columns)[NAMES]))


def test_columns_that_cannot_be_told_apart_by_texts_are_refused_but_where_they_are_numbered(table):
    features, labels, qid = table[0].to_numpy(), *table[1:]
    ranker = RANKERS["lightgbm"].fit(pd.DataFrame(features), labels, qid=qid)
    assert ranker.card_["feature_names"] is None
    np.testing.assert_array_equal(ranker.predict(pd.DataFrame(features)), ranker.predict(features))
    with pytest.raises(AlignmentError, match="columns must have texts as names, got 4, 3, 2, 1, 0. Name them by texts"):
        ranker.predict(pd.DataFrame(features)[[4, 3, 2, 1, 0]])
    with pytest.raises(AlignmentError, match="columns must have texts as names, got a, 1, 2, 3, 4. Name them by texts"):
        ranker.predict(pd.DataFrame(features).rename(columns={0: "a"}))


def test_a_file_is_ranked_by_the_columns_that_the_model_knows_and_needs_no_labels(table, tmp_path):
    frame, labels, qid = table
    ranker = RANKERS["lightgbm"].fit(frame, labels, qid=qid)
    frame.assign(words="text", qid=qid)[["words", *reversed(NAMES), "qid"]].to_csv(tmp_path / "t.csv", index=False)
    np.testing.assert_allclose(ranker.predict(tmp_path / "t.csv"), ranker.predict(frame))
    mixed = rr.Mixed.of(ranker, baseline=rr.Feature(NAMES[0]))
    np.testing.assert_allclose(mixed.predict(tmp_path / "t.csv"), mixed.predict(frame, qid=qid))
    assert len(mixed.uses_model(tmp_path / "t.csv")) == 12


def test_other_columns_are_left_out_with_a_warning(fitted, table):
    frame = table[0]
    with pytest.warns(UserWarning, match="columns that the model does not know are left out: price, stock\\.") as told:
        scores = fitted.predict(frame.assign(price=1.0, stock=7))
    assert [each.filename for each in told] == [__file__]
    np.testing.assert_array_equal(scores, fitted.predict(frame))


def test_a_lacking_column_is_refused_with_the_nearest_name(fitted, table):
    with pytest.raises(AlignmentError, match="the data lack the model's feature 'größe'. Did you mean 'grösse'?"):
        fitted.predict(table[0].rename(columns={"größe": "grösse"}))


def test_a_saved_model_knows_its_features(fitted, table, tmp_path):
    fitted.save(tmp_path / "model")
    assert json.loads((tmp_path / "model" / "card.json").read_text())["feature_names"] == NAMES
    again = rr.load(tmp_path / "model")
    assert again.feature_names_in_.tolist() == NAMES
    np.testing.assert_array_equal(again.predict(table[0][NAMES[::-1]]), fitted.predict(table[0]))
    for values in again.importances().values():
        assert values.shape == (5,)


def test_a_card_with_names_that_do_not_fit_is_refused(fitted, tmp_path):
    fitted.save(tmp_path / "model")
    path = tmp_path / "model" / "card.json"
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "feature_names": NAMES[:4]}))
    with pytest.raises(rr.errors.RiskrankError, match="5 features need as many names, got 4"):
        rr.load(tmp_path / "model")


@pytest.mark.parametrize("engine", ["lightgbm", "xgboost"])
def test_the_engine_s_file_has_the_names_in_plain_letters(engine, table, tmp_path):
    frame, labels, qid = table
    ranker = RANKERS[engine].fit(frame, labels, qid=qid)
    booster = ranker.booster_
    names = booster.feature_name() if engine == "lightgbm" else booster.feature_names
    assert names == ["bm25__title_", "bm25__title__2", "größe", "clicks_day", "x_y"]
    model = engine_named(engine).read_model(ranker.model_text_, "model")
    np.testing.assert_array_equal(model.importances()["gain"], ranker.importances()["gain"])
    assert ranker.importances()["gain"].argmax() == 0


def test_validation_data_go_by_name_too(table):
    frame, labels, qid = table
    ranker = rr.LambdaMART(n_trees=5, n_leaves=4, min_docs_in_leaf=2, valid_measure="nDCG@10")
    first = ranker.fit(frame, labels, qid=qid, valid=(frame, labels, qid)).history_["watched"]
    again = ranker.fit(frame, labels, qid=qid, valid=(frame[NAMES[::-1]], labels, qid)).history_["watched"]
    np.testing.assert_array_equal(first, again)


def test_a_baseline_is_a_feature_by_name(table):
    frame, labels, qid = table
    by_name = rr.LambdaMART(rr.URisk(alpha=5), n_trees=5, n_leaves=4, min_docs_in_leaf=2)
    by_name.fit(frame, labels, qid=qid, baseline="column:größe")
    by_number = rr.LambdaMART(rr.URisk(alpha=5), n_trees=5, n_leaves=4, min_docs_in_leaf=2)
    by_number.fit(frame, labels, qid=qid, baseline=rr.Feature(3))
    np.testing.assert_array_equal(by_name.predict(frame), by_number.predict(frame))
    assert by_name.card_["baselines"] == ["column:größe"]


def test_an_infinite_value_is_told_by_name(table):
    frame, labels, qid = table
    bad = frame.copy()
    bad.loc[7, "clicks/day"] = np.inf
    with pytest.raises(AlignmentError, match="clicks/day of document 8 is infinite"):
        rr.LambdaMART(n_trees=2).fit(bad, labels, qid=qid)
