"""What every ranker promises. A test class inherits this and makes its ranker in `make`."""

from __future__ import annotations

import dataclasses
import gc
import json
import shutil
import subprocess
import sys
import weakref
from hashlib import sha256

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, FileError, ParameterError, RiskrankError, TrainingError
from riskrank.files.file_list import LIST

READABLE = (LIST, "card.json", "history.json")
PREDICT = """
import sys
import numpy as np
import riskrank as rr
np.save(sys.argv[3], rr.load(sys.argv[1]).predict(np.load(sys.argv[2])))
"""
LOAD = """
import sys
import riskrank as rr
for folder in sys.argv[1:]:
    try:
        rr.load(folder)
    except rr.errors.FileError as error:
        print(error)
"""


def with_features(data, features):
    return dataclasses.replace(data, features=features)


def with_labels(data, labels):
    return dataclasses.replace(data, labels=labels)


def qid_of(data):
    return np.repeat(np.asarray(data.query_ids), np.diff(data.query_offsets))


def in_turns(data):
    """Rows with the queries mixed: the first document of each query, then the second of each, and so on."""
    place = np.arange(data.n_documents) - np.repeat(data.query_offsets[:-1], np.diff(data.query_offsets))
    return np.argsort(place, kind="stable")


class RankerContract:
    """Inherit it and define `make`; `train` and `valid` are small data of 20 features, the first a text score."""

    has_cycles = False  # in what it learns with, which only the garbage collector finds

    def make(self, **parameters):
        """A small ranker that is not fitted."""
        raise NotImplementedError

    def make_patient(self):
        """One that takes its time, for data of few queries."""
        return self.make()

    @pytest.fixture
    def fitted(self, train):
        return self.make().fit(train)

    @pytest.fixture
    def folder(self, fitted, tmp_path):
        fitted.save(tmp_path / "model")
        return tmp_path / "model"

    def test_nothing_of_a_training_keeps_its_data(self, train, valid):
        """As a rule not even until garbage is collected: sweeps would fill the memory."""
        self.make().fit(train, baseline=rr.Feature(1), valid=valid)  # loops that are compiled here leave cycles behind
        own, other = (dataclasses.replace(data) for data in (train, valid))
        known = [weakref.ref(own), weakref.ref(other)]
        gc.collect()
        gc.disable()
        try:
            model = self.make().fit(own, baseline=rr.Feature(1), valid=other)
            del own, other
            if self.has_cycles:
                gc.collect()
            assert [each() for each in known] == [None, None]
        finally:
            gc.enable()
        assert len(model.predict(train)) == len(train)

    def test_fit_gives_the_ranker_itself(self, train):
        ranker = self.make()
        assert ranker.fit(train) is ranker

    def test_every_document_gets_a_finite_score_in_the_order_given(self, fitted, valid):
        scores = fitted.predict(valid)
        assert scores.shape == (valid.n_documents,)
        assert scores.dtype == np.float64
        assert np.isfinite(scores).all()
        assert len(np.unique(scores)) > 5
        order = np.random.default_rng(0).permutation(valid.n_documents)
        np.testing.assert_array_equal(fitted.predict(valid.features[order]), scores[order])
        np.testing.assert_array_equal(fitted.predict(valid.features[:1]), scores[:1])

    def test_no_documents_get_no_scores(self, fitted, valid):
        assert fitted.predict(valid.features[:0]).shape == (0,)

    def test_any_kind_of_array_is_taken(self, fitted, valid):
        scores = fitted.predict(valid)
        for features in (valid.features.astype(np.float64), np.asfortranarray(valid.features), valid.features.tolist()):
            np.testing.assert_array_equal(fitted.predict(features), scores)

    def test_queries_may_come_mixed(self, fitted, train, valid):
        order = in_turns(train)
        mixed = self.make().fit(train.features[order], train.labels[order], qid=qid_of(train)[order])
        np.testing.assert_array_equal(mixed.predict(valid), fitted.predict(valid))

    def test_queries_come_by_id_or_by_size(self, fitted, train, valid):
        by_id = self.make().fit(train.features, train.labels, qid=qid_of(train))
        by_size = self.make().fit(train.features, train.labels, group=np.diff(train.query_offsets))
        for ranker in (by_id, by_size):
            np.testing.assert_array_equal(ranker.predict(valid), fitted.predict(valid))

    def test_a_saved_ranker_comes_back_as_it_was(self, fitted, folder, valid):
        back = rr.load(folder)
        assert type(back) is type(fitted)
        np.testing.assert_array_equal(back.predict(valid), fitted.predict(valid))
        assert back.card_ == fitted.card_
        assert back.get_params()["random_state"] == fitted.get_params()["random_state"]
        back.save(folder)  # over itself
        np.testing.assert_array_equal(rr.load(folder).predict(valid), fitted.predict(valid))
        assert not [path for path in folder.parent.iterdir() if path != folder]

    def test_a_measure_may_be_a_value_or_its_text(self, train, valid, tmp_path):
        scores = []
        for measure in ("AP", rr.parse_measure("AP")):
            ranker = self.make(valid_measure=measure)
            learned = getattr(ranker, "ranker", ranker)
            if "measure" in learned.get_params():
                learned.set_params(measure=measure)
            ranker.fit(train, valid=valid, checkpoint=tmp_path / "checkpoint", checkpoint_every=1)
            ranker.save(tmp_path / "model")
            scores.append(rr.load(tmp_path / "model").predict(valid))
        np.testing.assert_array_equal(*scores)

    def test_the_card_says_what_the_model_is(self, fitted, folder, train):
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        digests = card.pop("files")
        assert digests == {name: sha256((folder / name).read_bytes()).hexdigest() for name in digests}
        assert {path.name for path in folder.iterdir()} == {LIST, "card.json", *digests}
        assert {**fitted.card_, "format": 1} == card
        assert card["kind"] == type(fitted).__name__
        assert card["training_data"]["queries"] == train.n_queries
        assert card["training_data"]["documents"] == train.n_documents
        assert card["features"] == train.n_features
        assert card["versions"]["riskrank"] == rr.__version__

    def test_a_saved_ranker_needs_nothing_but_its_folder(self, fitted, folder, valid, tmp_path):
        np.save(tmp_path / "features.npy", valid.features)
        moved = folder.rename(tmp_path / "moved")
        paths = [str(moved), str(tmp_path / "features.npy"), str(tmp_path / "scores.npy")]
        subprocess.run([sys.executable, "-W", "error", "-c", PREDICT, *paths], check=True)
        np.testing.assert_array_equal(np.load(tmp_path / "scores.npy"), fitted.predict(valid))

    def test_the_same_seed_gives_the_same_model(self, fitted, train, valid):
        again = self.make().fit(train)
        np.testing.assert_array_equal(again.predict(valid), fitted.predict(valid))
        np.testing.assert_array_equal(fitted.fit(train).predict(valid), again.predict(valid))

    def test_the_number_of_threads_does_not_spoil_scores(self, train, valid):
        one, two = (self.make(n_threads=n).fit(train) for n in (1, 2))
        np.testing.assert_allclose(one.predict(valid), two.predict(valid), rtol=1e-4, atol=1e-6)
        scores = one.predict(valid)
        np.testing.assert_array_equal(one.set_params(n_threads=2).predict(valid), scores)

    def test_the_callers_arrays_are_left_alone(self, train):
        features, labels, qid = np.array(train.features), np.array(train.labels), qid_of(train)
        kept = features.copy(), labels.copy(), qid.copy()
        self.make().fit(features, labels, qid=qid).predict(features)
        for now, before in zip((features, labels, qid), kept, strict=True):
            np.testing.assert_array_equal(now, before)

    def test_data_of_another_width_are_refused(self, fitted, valid):
        with pytest.raises(AlignmentError, match="the model has 20 features, the data have 5"):
            fitted.predict(valid.features[:, :5])

    def test_infinite_features_are_refused(self, train):
        features = np.array(train.features)
        features[7, 2] = np.inf
        with pytest.raises(AlignmentError, match="feature 3 of document 8 is infinite"):
            self.make().fit(with_features(train, features))

    def test_only_a_fitted_ranker_predicts_scores_and_is_saved(self, train, tmp_path):
        ranker = self.make()
        for use in (lambda: ranker.predict(train), lambda: ranker.score(train), lambda: ranker.save(tmp_path / "m")):
            with pytest.raises(ParameterError, match="is not fitted yet"):
                use()
        assert not list(tmp_path.iterdir())

    def test_a_card_of_a_newer_format_is_refused(self, folder):
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        (folder / "card.json").write_text(json.dumps({**card, "format": 99}))
        with pytest.raises(FileError, match="card.json: has format 99, this riskrank reads up to 1. Update riskrank"):
            rr.load(folder)

    @pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 1, "kind": "LambdaMART"}'])
    def test_a_damaged_card_is_refused(self, folder, content):
        (folder / "card.json").write_text(content)
        with pytest.raises(RiskrankError, match="card|update|Update"):
            rr.load(folder)

    def test_every_part_of_a_model_must_be_there(self, folder, tmp_path):
        for path in folder.glob("[!.]*"):
            copy = tmp_path / f"without {path.name}"
            shutil.copytree(folder, copy)
            (copy / path.name).unlink()
            with pytest.raises(FileError, match=path.name):
                rr.load(copy)

    @pytest.mark.parametrize("content", ["", "{", "[]"])
    def test_a_damaged_history_is_refused(self, folder, content):
        (folder / "history.json").write_text(content)
        with pytest.raises(FileError, match="history.json"):
            rr.load(folder)

    def test_a_damaged_engine_file_is_refused(self, folder, tmp_path):
        """In a process of its own: an engine may end the one that hands it nonsense."""
        (name,) = (path.name for path in folder.iterdir() if path.name not in READABLE)
        whole = (folder / name).read_bytes()
        damaged = {"garbage": b"garbage", "truncated": whole[: len(whole) // 2], "emptied": b""}
        copies = [shutil.copytree(folder, tmp_path / damage) for damage in damaged]
        for copy, content in zip(copies, damaged.values(), strict=True):
            (copy / name).write_bytes(content)
        done = subprocess.run([sys.executable, "-c", LOAD, *copies], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        messages = done.stdout.splitlines()
        assert len(messages) == len(copies)
        assert all(str(copy / name) in line for copy, line in zip(copies, messages, strict=True))

    def test_what_is_no_model_is_refused(self, tmp_path):
        (tmp_path / "empty").mkdir()
        (tmp_path / "file").write_text("text")
        for name in ("empty", "file", "nowhere"):
            with pytest.raises(FileError, match=f"{name}: is not a model of riskrank"):
                rr.load(tmp_path / name)

    def test_a_foreign_folder_is_not_written_over(self, fitted, tmp_path):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "thesis.txt").write_text("all of it")
        (tmp_path / "file").write_text("text")
        for name in ("mine", "file"):
            with pytest.raises(FileError, match="exists and is not a model of riskrank"):
                fitted.save(tmp_path / name)
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "mine", "thesis.txt"]

    def test_other_files_in_a_models_folder_survive(self, fitted, folder, valid):
        (folder / "notes.txt").write_text("keep")
        fitted.save(folder)
        assert (folder / "notes.txt").read_text() == "keep"
        link = folder.with_name("link")
        link.symlink_to(folder)
        fitted.save(link)
        assert link.is_symlink()
        assert (folder / "notes.txt").read_text() == "keep"
        np.testing.assert_array_equal(rr.load(link).predict(valid), fitted.predict(valid))

    def test_nan_is_a_missing_value(self, train, valid):
        rng = np.random.default_rng(0)
        holes, others = (np.where(rng.random(d.features.shape) < 0.2, np.nan, d.features) for d in (train, valid))
        scores = self.make().fit(with_features(train, holes)).predict(others)
        assert np.isfinite(scores).all()
        assert len(np.unique(scores)) > 5

    def test_constant_features_teach_nothing_and_break_nothing(self, train):
        flat = np.ones((train.n_documents, 3))
        ranker = self.make().fit(with_features(train, flat))
        scores = ranker.predict(flat)
        np.testing.assert_array_equal(scores, np.full(train.n_documents, scores[0]))
        half = np.array(train.features)
        half[:, 1:] = 7
        assert len(np.unique(self.make().fit(with_features(train, half)).predict(half))) > 5

    def test_queries_of_one_document_or_without_relevant_ones_do_no_harm(self, train):
        features = np.vstack([train.features, train.features[:9]])
        labels = np.concatenate([train.labels, [3, 0], np.zeros(7)])
        sizes = [*np.diff(train.query_offsets), 1, 1, 7]
        ranker = self.make().fit(features, labels, group=sizes)
        assert np.isfinite(ranker.predict(features)).all()
        assert ranker.score(features, labels, group=sizes) > 0.5

    @pytest.mark.parametrize("label", [0, 2])
    def test_labels_that_are_all_equal_teach_nothing(self, train, label):
        with pytest.raises(TrainingError, match="no query has documents whose order matters"):
            self.make().fit(with_labels(train, np.full(train.n_documents, label)))

    def test_a_query_may_have_very_many_documents(self):
        rng = np.random.default_rng(0)
        features = rng.normal(size=(12_003, 3))
        labels = np.digitize(features[:, 1], [1.0, 2.0])
        ranker = self.make_patient().fit(features, labels, group=[12_000, 3])
        assert np.corrcoef(ranker.predict(features), labels)[0, 1] > 0.5

    def test_labels_may_be_large(self, train):
        ranker = self.make().fit(with_labels(train, 10 * train.labels))
        assert train.labels.max() * 10 > 31
        assert np.isfinite(ranker.predict(train)).all()

    def test_without_documents_nothing_is_learned(self, train):
        with pytest.raises(RiskrankError, match="document"):
            self.make().fit(np.zeros((0, 3)), [], qid=[])
        with pytest.raises(RiskrankError, match="document|quer"):
            self.make().fit(rr.RankingData(np.zeros((0, 3)), [], [0], ()))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "labels are missing"),
            ({"y": [0, 1]}, "pass either qid= .* or group="),
            ({"y": [0, 1], "qid": [1, 1], "group": [2]}, "pass either qid= .* or group="),
            ({"y": [0, 1], "qid": [1]}, "2 documents need as many query ids, got 1"),
            ({"y": [0, 1], "group": [3]}, "group sizes must add up to the 2 documents, got 3"),
            ({"y": [0, 1], "group": [2, 0]}, "every query needs at least one document"),
            ({"y": [0, 1, 1], "group": [3]}, "features must be 3 documents × features"),
            ({"y": [0, np.nan], "group": [2]}, "labels must be finite numbers"),
            ({"y": ["a", "b"], "group": [2]}, "label"),
        ],
    )
    def test_arrays_that_do_not_fit_together_are_refused(self, arguments, message):
        with pytest.raises(RiskrankError, match=message):
            self.make().fit(np.array([[1.0], [2.0]]), **arguments)
