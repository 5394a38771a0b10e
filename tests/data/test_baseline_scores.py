"""Baselines in all the forms that users have them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from riskrank import RankingData, evaluate
from riskrank.data.baseline_scores import baseline_scores, lacking_last
from riskrank.data.feature import Feature
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.objectives import Gain, URisk
from riskrank.objectives.on_data.bound_objective import BoundObjective

LABELS = [2, 0, 1, 0, 1, 0, 0, 3]
QIDS = ["a", "a", "a", "b", "b", "c", "c", "c"]
IDS = [f"d{i}" for i in range(8)]
FEATURES = np.array([[i, (5 * i) % 8] for i in range(8)], dtype=float)
SCORES = np.array([0.1, 0.7, 0.3, 0.9, 0.2, 0.4, 0.8, 0.6])
RUN = {"a": {"d2": 9.0, "d0": 5.0, "elsewhere": 7.0}, "b": {"d4": 1.0, "d3": 0.5}}  # d1 and the query c are missing


@pytest.fixture
def data():
    return RankingData.from_arrays(FEATURES, LABELS, qid=QIDS, document_ids=IDS)


def effectiveness(baseline, data, measure="AP"):
    return BoundObjective(URisk(measure), data, baseline_scores(baseline, data)).baseline_values


def test_no_baseline_is_none(data):
    assert baseline_scores(None, data) == []


@pytest.mark.parametrize("baseline", [Feature(2), "feature:2"])
def test_a_feature_scores_documents_by_its_column(baseline, data):
    (scored,) = baseline_scores(baseline, data)
    assert scored.name == "feature:2"
    np.testing.assert_array_equal(scored.scores, FEATURES[:, 1])
    assert scored.answers.all()


@pytest.mark.parametrize("form", [np.asarray, list, tuple, pl.Series], ids=["array", "list", "tuple", "series"])
def test_scores_of_documents_are_taken_as_they_are(form, data):
    (scored,) = baseline_scores(form(SCORES.tolist()), data)
    assert scored.name == "scores"
    np.testing.assert_array_equal(scored.scores, SCORES)
    np.testing.assert_allclose(effectiveness(SCORES, data)[0], evaluate(data, {"x": SCORES}, "AP")["x"])


@pytest.mark.parametrize("form", [list, tuple, np.array], ids=["list", "tuple", "matrix"])
def test_several_arrays_are_several_baselines(form, data):
    several = baseline_scores(form([SCORES, -SCORES]), data)
    np.testing.assert_array_equal([each.scores for each in several], [SCORES, -SCORES])
    assert effectiveness([SCORES, -SCORES], data).shape == (2, 3)


def test_baselines_by_name_may_be_of_different_kinds(data):
    several = baseline_scores({"old": SCORES, "bm25": Feature(1), "run": RUN, "tf": "feature:2"}, data)
    assert [each.name for each in several] == ["old", "bm25", "run", "tf"]
    np.testing.assert_array_equal(several[1].scores, FEATURES[:, 0])
    assert several[2].answers.tolist() == [True, True, False]


def test_whatever_predicts_is_a_baseline_by_its_label(data):
    class Model:
        label = "production"

        def predict(self, given):
            assert given is data
            return SCORES

    (scored,) = baseline_scores(Model(), data)
    assert scored.name == "production"
    np.testing.assert_array_equal(scored.scores, SCORES)
    Model.label = "other"
    assert [each.name for each in baseline_scores({"named": Model(), "x": [1.0] * 8}, data)] == ["named", "x"]


def run_file(folder):
    path = folder / "bm25.run"
    lines = [f"{q} Q0 {d} {r} {s} x" for q, docs in RUN.items() for r, (d, s) in enumerate(docs.items(), start=1)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("form", ["dict", "path", "text", "frame"])
def test_a_run_ranks_documents_it_lacks_last_and_scores_queries_it_lacks_zero(form, data, tmp_path):
    path = run_file(tmp_path)
    rows = [(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]
    frame = pl.DataFrame(rows, schema=["qid", "docno", "score"], orient="row")
    (scored,) = baseline_scores({"dict": RUN, "path": path, "text": str(path), "frame": frame}[form], data)
    assert scored.answers.tolist() == [True, True, False]
    # Query a: d2, d0, then d1. Query b: d4, d3. Query c: nothing.
    assert np.isneginf(scored.scores).tolist() == [False, True, False, False, False, True, True, True]
    assert scored.scores[2] > scored.scores[0]
    assert scored.scores[4] > scored.scores[3]
    np.testing.assert_allclose(effectiveness(RUN, data, "AP"), [[1.0, 1.0, 0.0]])
    np.testing.assert_allclose(effectiveness(RUN, data, "RR"), [[1.0, 1.0, 0.0]])
    # Labels in the order of the run: 1, 2, 0 for query a, gains 1 and 3.
    expected = (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))
    np.testing.assert_allclose(effectiveness(RUN, data, "nDCG@10"), [[expected, 1.0, 0.0]])


def test_a_run_orders_ties_as_trec_eval_does(data):
    (scored,) = baseline_scores({"a": {"d0": 1.0, "d1": 1.0, "d2": 1.0}}, data)
    assert scored.scores[2] > scored.scores[1] > scored.scores[0]


def test_gradients_take_a_run(data):
    gradient, _ = URisk("AP", alpha=1.0).gradients(SCORES, data, RUN)
    assert np.abs(gradient).sum() > 0
    assert np.isfinite(gradient).all()


def test_a_file_of_scores_is_named_after_the_file_or_as_given(data, tmp_path):
    path = tmp_path / "old.scores"
    path.write_text("".join(f"{score}\n" for score in SCORES))
    (scored,) = baseline_scores(path, data)
    assert scored.name == "old"
    np.testing.assert_array_equal(scored.scores, SCORES)
    (named,) = baseline_scores({"production": str(path)}, data)
    assert named.name == "production"


def test_where_the_source_mixed_its_queries_files_follow_the_source_and_arrays_the_data(tmp_path):
    """Rows 0, 2, 4 belong to query x, rows 1 and 3 to query y."""
    features = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    data = RankingData.from_arrays(features, [0, 1, 1, 0, 2], qid=["x", "y", "x", "y", "x"])
    given = np.array([10.0, 11.0, 12.0, 13.0, 14.0])
    regrouped = [10, 12, 14, 11, 13]
    path = tmp_path / "scores.txt"
    path.write_text("".join(f"{score}\n" for score in given))
    for baseline in (given, given.tolist()):
        np.testing.assert_array_equal(baseline_scores(baseline, data)[0].scores, given)
        np.testing.assert_array_equal(baseline_scores(baseline, data, in_source_order=True)[0].scores, regrouped)
    for in_source_order in (False, True):
        from_file, several, feature = (
            baseline_scores(baseline, data, in_source_order=in_source_order)
            for baseline in (path, {"a": path, "b": Feature(1)}, Feature(1))
        )
        np.testing.assert_array_equal(from_file[0].scores, regrouped)
        np.testing.assert_array_equal(several[0].scores, regrouped)
        np.testing.assert_array_equal(feature[0].scores, [0, 2, 4, 1, 3])
    values = BoundObjective(URisk("AP"), data, baseline_scores(given, data)).baseline_values[0]
    np.testing.assert_allclose(values, evaluate(data, {"x": given}, "AP")["x"])


@pytest.mark.parametrize("objective", [URisk("nDCG@5"), URisk("AP")], ids=["positional", "ranked"])
def test_a_baseline_as_array_feature_or_file_gives_the_same_gradients(objective, data, tmp_path):
    column = FEATURES[:, 1]
    path = tmp_path / "column.txt"
    path.write_text("".join(f"{score}\n" for score in column))
    expected = objective.gradients(SCORES, data, column)
    for same in (Feature(2), "feature:2", [column], {"x": column}, path, column[None]):
        np.testing.assert_array_equal(objective.gradients(SCORES, data, same), expected)


def test_without_document_ids_a_run_names_them_by_their_line():
    data = RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 1, 0], qid=["x", "y", "x", "y"])
    (scored,) = baseline_scores({"x": {"3": 2.0, "1": 1.0}, "y": {"2": 1.0}}, data)
    assert scored.scores[1] > scored.scores[0] > -np.inf  # lines 1 and 3 are query x
    assert np.isneginf(scored.scores).tolist() == [False, False, False, True]
    with pytest.raises(
        AlignmentError, match="no document in common .without ids in the data, they are numbered from 1."
    ):
        baseline_scores(RUN, data)


@pytest.mark.parametrize("run", [{"a": {"zz": 1.0}}, {"nowhere": {"d0": 1.0}}])
def test_a_run_without_a_common_document_is_refused(run, data):
    with pytest.raises(AlignmentError, match="run 'run1' and the data have no document in common"):
        baseline_scores(run, data)


@pytest.mark.parametrize(
    ("baseline", "error", "message"),
    [
        (np.append(SCORES[:-1], np.nan), AlignmentError, "'scores' must be finite, got nan for document 8"),
        (np.append(SCORES[:-1], np.inf), AlignmentError, "must be finite, got inf"),
        (SCORES[:-1], AlignmentError, "needs a score for each of the 8 documents, got shape .7,."),
        ([SCORES, SCORES[:-1]], AlignmentError, "needs a score for each of the 8 documents"),
        ({"old": SCORES[:-1]}, AlignmentError, "system 'old' needs a score for each of the 8 documents"),
        ([], ParameterError, "the list of baselines is empty"),
        ((), ParameterError, "the list of baselines is empty"),
        ({}, ParameterError, "the list of baselines is empty"),
        ("feature:9", ParameterError, "feature must be from 1 to 2, got 9"),
        (Feature(0), ParameterError, "feature must be from 1 to 2, got 0"),
        ("feature:x", FileError, "a feature is given by its number"),
        ("nowhere.txt", FileError, "nowhere.txt"),
    ],
)  # fmt: skip
def test_baselines_that_do_not_fit_are_refused(baseline, error, message, data):
    with pytest.raises(error, match=message):
        baseline_scores(baseline, data)


def test_documents_that_a_baseline_lacks_may_stand_below_all_others(data):
    np.testing.assert_array_equal(lacking_last(np.array([3.0, -np.inf, 1.0])), [3, 0, 1])
    np.testing.assert_array_equal(lacking_last(np.array([300.0, -np.inf, 100.0])), [300, 80, 100])
    np.testing.assert_array_equal(lacking_last(np.array([1.0, 2.0])), [1, 2])
    by_rank = baseline_scores(RUN, data)[0].finite_scores  # minus the rank
    np.testing.assert_array_equal(by_rank[:5], [-3, -4, -1, -2, -1])


def test_a_score_file_of_another_length_is_refused(data, tmp_path):
    path = tmp_path / "short.txt"
    path.write_text("1.0\n2.0\n")
    with pytest.raises(FileError, match="must hold a score for each of the 8 documents, got 2"):
        baseline_scores(path, data)


def test_risk_needs_a_baseline_and_gain_does_not(data):
    with pytest.raises(ParameterError, match="URisk needs a baseline. Pass baseline=, like Feature.110."):
        URisk("AP").gradients(SCORES, data)
    assert np.abs(Gain("AP").gradients(SCORES, data)[0]).sum() > 0
