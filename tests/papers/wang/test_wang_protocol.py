"""The protocol of Wang et al. 2012: parameters by validation on each fold, the reader's folds, and what they lack."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError, TrainingError
from riskrank.papers import data_folders
from riskrank.papers.paper import Workplace
from riskrank.papers.wang import wang_protocol
from riskrank.papers.wang.wang_protocol import (
    Chosen,
    Search,
    Sizes,
    best_parameters,
    mslr_seconds,
    mslr_study,
    rotated,
)

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep

TINY = Sizes(Search((4,), (2, 3), (0.1,), (2, 3)), n_queries=40, documents_per_query=8, n_pages=60, page_trees=3)
N_TESTED = 10


def letor(data):
    """The lines of a LETOR file."""
    queries = np.repeat(data.query_ids, np.diff(data.query_offsets))
    return "".join(
        f"{label:g} qid:{query} " + " ".join(f"{k}:{value:.3f}" for k, value in enumerate(row, start=1)) + "\n"
        for label, query, row in zip(data.labels, queries, data.features, strict=True)
    )


@pytest.fixture
def folder(tmp_path):
    """Five folds of ten queries, in the layout of MSLR."""
    data = web_search_data(N_TESTED, documents_per_query=6, n_features=136)
    for k, fold in enumerate(rotated(data), start=1):
        place = tmp_path / "data" / f"Fold{k}"
        place.mkdir(parents=True)
        for name, part in zip(("train", "vali", "test"), fold, strict=True):
            (place / f"{name}.txt").write_text(letor(part))
    return tmp_path / "data"


def test_every_query_is_tested_once_and_never_learned_from():
    folds = rotated(web_search_data(12, documents_per_query=3, n_features=20))
    assert sorted(query for *_, test in folds for query in test.query_ids) == sorted(str(i + 1) for i in range(12))
    for train, valid, test in folds:
        known = [set(part.query_ids) for part in (train, valid, test)]
        assert sum(map(len, known)) == len(set().union(*known)) == 12


def test_parameters_are_those_best_on_validation_queries():
    search = Search((500, 1000), (10,), (0.05, 0.075), (1, 3))
    curves = [[0.1, 0.2, 0.3], [0.4, 0.2, 0.2], [0.1, 0.9, 0.35], [0.0, 0.0, 0.4]]  # 0.9 is after 2 trees: not tried
    tried = synthetic_sweep(
        judged(np.zeros((4, 2))), values=[0.05, 0.075, 0.05, 0.075], parameter="learning_rate",
        series=["500 documents 10 leaves"] * 2 + ["1000 documents 10 leaves"] * 2,
        learning=tuple((np.array(curve),) for curve in curves),
    )  # fmt: skip
    assert best_parameters(tried, search) == Chosen(500, 10, 0.075, 1)  # of the two with 0.4, the first


def test_data_too_small_for_any_tree_are_told(folder, tmp_path):
    too_large = Sizes(Search((500,), (2, 3), (0.1,), (2, 3)))
    with pytest.raises(TrainingError, match=r"too few documents to learn from: 2 trees of leaves with 500 documents"):
        mslr_study(Workplace(folder, tmp_path / "work", False), (0,), too_large)


def test_a_fold_s_parameters_are_kept_for_all_alphas_and_all_models_see_the_predictor(folder, tmp_path, monkeypatch):
    work = Workplace(folder, tmp_path / "work", False)
    study = mslr_study(work, (0, 5), TINY)
    assert len(study.folds) == len(study.chosen) == 5
    for chosen, fold in zip(study.chosen, study.folds, strict=True):
        for i, alpha in enumerate((0, 5)):
            model = fold.model(i)
            assert model.n_features_in_ == 137
            assert (model.n_leaves, model.min_docs_in_leaf) == (chosen.n_leaves, chosen.min_docs_in_leaf)
            assert (model.learning_rate, model.n_trees) == (chosen.learning_rate, chosen.n_trees)
            assert (model.objective.alpha, model.objective.truncation) == (alpha, None)
            assert model.objective.normalise == "none"
    assert sorted(study.sweep.test.queries) == sorted(str(i + 1) for i in range(N_TESTED))
    assert study.predictor == "max feature:110"
    assert study.why_not == "the data have 10 queries, MSLR-WEB10K has 10,000"
    monkeypatch.setattr(data_folders, "MSLR_QUERIES", N_TESTED)
    assert mslr_study(work, (0,), TINY).why_not == ""  # numbers of the paper's data are compared


def test_an_interrupted_study_goes_on(folder, tmp_path, monkeypatch):
    whole = mslr_study(Workplace(folder, tmp_path / "whole", False), (0, 5), TINY).sweep
    work, real, calls = Workplace(folder, tmp_path / "work", False), wang_protocol.sweep, []

    def interrupted(*given, **options):
        calls.append(options["folder"])
        if len(calls) == 4:  # the second fold's parameters are known
            raise KeyboardInterrupt
        return real(*given, **options)

    monkeypatch.setattr(wang_protocol, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        mslr_study(work, (0, 5), TINY)
    finished = {file: file.stat().st_mtime_ns for file in work.place("mslr").rglob("finished.json")}
    assert len(finished) == 2 + 2 + 2  # of two searches and one fold
    monkeypatch.setattr(wang_protocol, "sweep", real)
    resumed = mslr_study(work, (0, 5), TINY).sweep
    assert {file: file.stat().st_mtime_ns for file in finished} == finished
    assert resumed.summary.equals(whole.summary, null_equal=True)


def test_the_estimate_falls_as_models_are_finished(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(wang_protocol, "usable_cores", lambda: 1)
    work = Workplace(folder, tmp_path / "work", False)
    before = mslr_seconds(4, work)
    assert before > mslr_seconds(1, work) > 0
    place = work.place("mslr") / "search-1"
    place.mkdir(parents=True)
    (place / "finished.json").touch()
    n_models = 5 * (27 + 4)
    assert mslr_seconds(4, work) == pytest.approx(before * (n_models - 1) / n_models)
    monkeypatch.setattr(wang_protocol, "usable_cores", lambda: 4)
    assert mslr_seconds(1, Workplace(folder, tmp_path / "none", False)) < before / 4
    assert mslr_seconds(1, Workplace(None, tmp_path, False)) == 0


def test_what_a_folder_lacks_is_told_in_one_line_before_any_work(folder, tmp_path):
    work = Workplace(folder, tmp_path / "work", False)
    cut = folder / "Fold5" / "test.txt"
    text = cut.read_text()
    cut.write_text(text[:-400])
    with pytest.raises(FileError, match=r"Fold5/test\.txt: is cut off: its last line has \d+ of 136 features"):
        mslr_study(work, (0,), TINY)
    cut.write_text(text)
    (folder / "Fold3" / "vali.txt").unlink()
    with pytest.raises(FileError, match=r"lacks Fold3/vali\.txt of 15 files\. Needed: MSLR-WEB10K of Microsoft"):
        mslr_study(work, (0,), TINY)
    assert not work.folder.exists()


def test_other_features_are_told(tmp_path):
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").write_text("0 qid:1 1:0.5 2:0.1\n")
    with pytest.raises(FileError, match=r"S1\.txt:1: has 2 features; the paper's data have 136\. Needed: MSLR-WEB10K"):
        mslr_study(Workplace(tmp_path, tmp_path / "work", False), (0,), TINY)


def test_letor_data_serve_to_try_it(shared_data, tmp_path):
    study = mslr_study(Workplace(shared_data / "mq2008", tmp_path / "work", False), (0,), TINY)
    assert study.predictor == "max feature:37"
    assert study.why_not == "other data than MSLR-WEB10K: queries with 46 features"
    assert len(study.sweep.test.queries) == 784
    assert study.sweep.test.baseline.mean() == pytest.approx(0.46422, abs=5e-6)
