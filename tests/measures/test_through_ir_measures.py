from __future__ import annotations

import ir_measures
import numpy as np
import pytest

import riskrank as rr
from riskrank import RankingData, evaluate
from riskrank.errors import MeasureError

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "10": {"a": 0, "b": 2}}
RUN = {"1": {"a": 1.0}, "2": {"x": 2.0, "a": 1.0}, "99": {"a": 1.0}}


def test_other_measures_go_through_ir_measures():
    qrels = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 1}}
    run = {"x": {"1": {"b": 3.0, "a": 2.0, "c": 1.0}}}
    scores = evaluate(qrels, run, ["Rprec", "SetP", "P(judged_only=True)@1"])
    assert scores["Rprec"]["x"].tolist() == [0.5, 0.0]
    assert scores["SetP"]["x"].tolist() == pytest.approx([2 / 3, 0.0])
    data = RankingData.from_arrays(np.zeros((3, 1)), [0, 1, 1], group=[3])
    assert evaluate(data, {"x": [3.0, 2.0, 1.0]}, "Rprec")["x"].tolist() == [0.5]
    assert scores["Rprec"].description == "computed by ir_measures"


def test_tied_documents_of_feature_data_are_shuffled_for_them():
    data = RankingData.from_arrays(np.zeros((4, 1)), [0, 2, 0, 1], group=[4])
    # precision at 2, where the second and third documents are tied: 1/2 or 0
    assert evaluate(data, {"x": [9.0, 8.0, 8.0, 7.0]}, "Rprec")["x"].tolist() == pytest.approx([1 / 4], abs=1e-12)


def test_measures_of_ir_measures_as_objects_and_in_any_case():
    assert rr.evaluate(QRELS, {"a": RUN}, ir_measures.nDCG @ 10).measure == "nDCG@10"
    assert rr.evaluate(QRELS, {"a": RUN}, "rprec").measure == "Rprec"
    assert rr.evaluate(QRELS, {"a": RUN}, "GM(Rprec)").measure == "GM(Rprec)"
    assert str(rr.parse_measure("set_recall")) == "SetR"


def test_labels_that_are_no_grades_cannot_go_there():
    data = RankingData.from_arrays(np.zeros((2, 1)), [0, 0.5], group=[2])
    with pytest.raises(MeasureError, match="Rprec is computed by ir_measures, which needs whole labels"):
        evaluate(data, {"x": [3.0, 2.0]}, "Rprec")
