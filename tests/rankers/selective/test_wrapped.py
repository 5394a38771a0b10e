"""What rankers around a ranker have beyond the contract of all rankers, whichever queries they leave to it."""

from __future__ import annotations

import dataclasses
import json
import pickle
import shutil
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import clone

import riskrank as rr
from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import AlignmentError, FileError, ParameterError

from ..contract import qid_of
from .small_models import TEXT, first_documents, inner, rows_of


class WrappedPromises:
    """`make` gives one that uses its model on some of the queries of `valid`."""

    kind: type
    some: ClassVar[dict]  # parameters that use the model on some queries
    all: ClassVar[dict]  # … on all of them
    none: ClassVar[dict]

    def make(self, **parameters):
        return self.kind(inner(), **{**self.some, **parameters})

    def of(self, model, *, baseline=TEXT, **parameters):
        return self.kind.of(model, baseline=baseline, **{**self.some, **parameters})

    @pytest.fixture
    def model(self, train):
        return inner().fit(train)

    @pytest.fixture
    def fitted(self, train):
        return self.make().fit(train, baseline=TEXT)

    @pytest.fixture
    def folder(self, fitted, tmp_path):
        fitted.save(tmp_path / "saved")
        return tmp_path / "saved"

    def test_a_query_has_the_scores_of_the_model_or_those_of_the_baseline(self, fitted, model, valid):
        scores, own, other = fitted.predict(valid), model.predict(valid), valid.feature(1)
        used = fitted.uses_model(valid)
        assert 3 < used.sum() < valid.n_queries - 3
        for q, uses_model in enumerate(used):
            rows = rows_of(valid, q)
            np.testing.assert_array_equal(scores[rows], (own if uses_model else other)[rows])

    def test_a_plain_model_in_its_place_leaves_nothing_of_it_but_what_users_put_there(self, folder, model, tmp_path):
        shutil.copytree(folder, tmp_path / "annotated")
        (tmp_path / "annotated" / "model" / "notes.txt").write_text("keep")
        for place in (folder, tmp_path / "annotated"):
            model.save(place)
            assert type(rr.load(place)) is type(model)
        names = {str(path.relative_to(folder)) for path in folder.rglob("*")}
        assert names == {".riskrank.json", "card.json", "history.json", "model.txt"}
        kept = {str(path.relative_to(tmp_path / "annotated")) for path in (tmp_path / "annotated").rglob("*")}
        assert kept == {*names, "model", "model/notes.txt"}

    def test_what_somebody_changed_of_the_model_within_stays_where_it_is(self, folder, model):
        (folder / "model" / "card.json").write_text("{}")
        model.save(folder)
        assert [path.read_text() for path in (folder / "model").iterdir()] == ["{}"]

    def test_used_always_it_is_the_model_and_never_the_baseline(self, model, valid):
        np.testing.assert_array_equal(self.of(model, **self.all).predict(valid), model.predict(valid))
        np.testing.assert_array_equal(self.of(model, **self.none).predict(valid), valid.feature(1))

    def test_fit_trains_the_ranker_within_and_leaves_the_given_one_alone(self, train, valid):
        given = inner(objective=rr.URisk("AP", alpha=2))
        wrapped = self.kind(given, **self.all).fit(train, baseline=TEXT)
        alone = inner(objective=rr.URisk("AP", alpha=2)).fit(train, baseline=TEXT)
        np.testing.assert_array_equal(wrapped.predict(valid), alone.predict(valid))
        assert not hasattr(given, "card_")
        assert wrapped.ranker is given
        assert wrapped.ranker_.card_["baselines"] == ["feature:1"]

    def test_fit_hands_on_validation_checkpoints_and_arrays(self, train, valid, tmp_path):
        given = inner(early_stopping=1, n_trees=40)
        wrapped = self.kind(given, **self.all).fit(
            train.features, train.labels, qid=qid_of(train), baseline=train.feature(1), valid=valid,
            valid_baseline=valid.feature(1).astype(np.float64), checkpoint=tmp_path / "checkpoint", checkpoint_every=2,
        )  # fmt: skip
        alone = inner(early_stopping=1, n_trees=40).fit(train, valid=valid)
        assert wrapped.ranker_.card_["trees"] == alone.card_["trees"] < 40
        np.testing.assert_array_equal(wrapped.predict(valid, baseline=valid.feature(1)), alone.predict(valid))

    def test_around_a_fitted_model_is_what_fit_gives(self, fitted, model, valid):
        around = self.of(model)
        assert around.ranker_ is model
        np.testing.assert_array_equal(around.predict(valid), fitted.predict(valid))
        assert {**around.card_, "created": ""} == {**fitted.card_, "created": ""}

    def test_a_letor_file_is_scored_line_by_line(self, fitted, valid, letor, tmp_path):
        (tmp_path / "valid.txt").write_text(letor(valid))
        for path in (tmp_path / "valid.txt", str(tmp_path / "valid.txt")):
            np.testing.assert_array_equal(fitted.predict(path), fitted.predict(valid))
            np.testing.assert_array_equal(fitted.uses_model(path), fitted.uses_model(valid))

    def test_arrays_are_scored_in_their_order(self, fitted, valid):
        order = np.random.default_rng(0).permutation(valid.n_documents)
        scores = fitted.predict(valid.features[order], qid=qid_of(valid)[order])
        np.testing.assert_array_equal(scores, fitted.predict(valid)[order])
        lists = fitted.predict(valid.features.tolist(), qid=qid_of(valid).tolist())
        np.testing.assert_array_equal(lists, fitted.predict(valid))

    def test_scores_of_a_baseline_come_in_the_order_of_the_arrays(self, fitted, valid):
        order = np.random.default_rng(0).permutation(valid.n_documents)
        other = np.random.default_rng(1).normal(size=valid.n_documents)
        expected = fitted.predict(valid, baseline=other)
        assert set(expected) & set(other)
        scores = fitted.predict(valid.features[order], qid=qid_of(valid)[order], baseline=other[order])
        np.testing.assert_array_equal(scores, expected[order])

    def test_queries_may_come_by_size(self, fitted, valid):
        numbered = dataclasses.replace(valid, query_ids=tuple(str(q + 1) for q in range(valid.n_queries)))
        scores = fitted.predict(valid.features, group=np.diff(valid.query_offsets))
        np.testing.assert_array_equal(scores, fitted.predict(numbered))

    def test_arrays_without_queries_are_refused(self, fitted, valid):
        sizes = np.diff(valid.query_offsets)
        for options in ({}, {"qid": qid_of(valid), "group": sizes}):
            with pytest.raises(ParameterError, match="goes by the query: pass RankingData, or arrays with qid="):
                fitted.predict(valid.features, **options)
        with pytest.raises(AlignmentError, match="need as many query ids"):
            fitted.predict(valid.features, qid=[1, 2])

    def test_a_model_that_starts_from_the_baseline_gets_its_scores(self, train, valid):
        start = inner(start="baseline")
        wrapped = self.kind(start, **self.all).fit(train, baseline=TEXT)
        alone = inner(start="baseline").fit(train, baseline=TEXT)
        np.testing.assert_array_equal(wrapped.predict(valid), alone.predict(valid))
        order = np.random.default_rng(0).permutation(valid.n_documents)
        scores = wrapped.predict(valid.features[order], qid=qid_of(valid)[order])
        np.testing.assert_array_equal(scores, alone.predict(valid)[order])
        own, other = self.of(alone).both_scores(valid)
        np.testing.assert_array_equal(own, alone.predict(valid))
        np.testing.assert_array_equal(other, valid.feature(1))

    def test_documents_that_the_baseline_lacks_are_not_retrieved(self, model, valid):
        run = first_documents(valid)
        scores = self.of(model, baseline=run, **self.none).predict(valid)
        for q in range(valid.n_queries):
            own, listed = scores[rows_of(valid, q)], valid.feature(1)[rows_of(valid, q)][:3]
            assert (np.argsort(-own[:3], kind="stable") == np.argsort(-listed, kind="stable")).all()
            assert (own[3:] == -np.inf).all()
        listed = baseline_scores(run, valid)[0].scores
        values = rr.evaluate(valid, {"mixed": scores, "run": listed}, "nDCG@10")
        np.testing.assert_array_equal(values["mixed"], values["run"])

    def test_a_model_that_starts_from_a_baseline_gets_its_scores_where_documents_are_lacking(self, train, valid):
        model = inner(start="baseline").fit(train, baseline=first_documents(train))
        run = first_documents(valid)
        scores = self.of(model, baseline=run, **self.all).predict(valid)
        np.testing.assert_array_equal(scores, model.predict(valid, baseline=run))

    def test_a_run_or_a_fitted_ranker_can_be_the_baseline(self, train, valid, model):
        trees = rr.RegressionTrees(n_trees=3, n_leaves=4, n_threads=1).fit(train)
        never = self.of(model, baseline=trees, **self.none)
        np.testing.assert_array_equal(never.predict(valid), trees.predict(valid))
        assert never.card_["baselines"] == [trees.label]

    def test_it_is_scored_by_the_measure_of_its_ranker(self, model, fitted, valid):
        for ranker in (fitted, self.of(inner(objective=rr.Gain("AP")).fit(valid))):
            measure = ranker.ranker_.training_objective.measure
            expected = rr.evaluate(valid, {"m": ranker.predict(valid)}, measure).matrix.mean()
            assert ranker.score(valid) == pytest.approx(expected)
            assert ranker.score(valid.features, valid.labels, qid=qid_of(valid)) == pytest.approx(expected)

    def test_it_shows_what_its_model_shows(self, fitted, model):
        assert fitted.n_features_in_ == 20
        assert fitted.unit == "trees"
        assert fitted.label == f"{self.kind.__name__} Gain('nDCG@10')"
        np.testing.assert_array_equal(fitted.history_["train_effectiveness"], model.history_["train_effectiveness"])
        for kind, values in model.importances().items():
            np.testing.assert_array_equal(fitted.importances()[kind], values)

    # Models on disk.

    def test_saved_and_restored_it_ranks_the_same(self, fitted, folder, valid):
        for back in (rr.load(folder), self.kind.load(folder)):
            np.testing.assert_array_equal(back.predict(valid), fitted.predict(valid))
            np.testing.assert_array_equal(back.uses_model(valid), fitted.uses_model(valid))
            assert back.score(valid) == fitted.score(valid)
            assert back.get_params()["ranker__n_trees"] == 5

    def test_pickled_it_ranks_the_same(self, fitted, valid):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(valid), fitted.predict(valid))

    def test_only_a_feature_is_known_again_after_loading(self, model, valid, tmp_path):
        given = {"run": first_documents(valid), "scores": valid.feature(1), "text": "feature:1", "feature": TEXT}
        for name, baseline in given.items():
            wrapped = self.of(model, baseline=baseline)
            wrapped.save(tmp_path / name)
            back = rr.load(tmp_path / name)
            if name in ("run", "scores"):
                with pytest.raises(ParameterError, match=f"{self.kind.__name__} needs its baseline .* pass baseline="):
                    back.predict(valid)
                scores = back.predict(valid, baseline=baseline)
            else:
                scores = back.predict(valid)
            np.testing.assert_array_equal(scores, wrapped.predict(valid, baseline=baseline))

    @pytest.mark.parametrize("part", ["model.txt", "history.json", "card.json"])
    def test_a_damaged_model_within_is_refused(self, folder, part):
        file = folder / "model" / part
        file.write_bytes(file.read_bytes()[:-20])
        with pytest.raises(FileError, match=part):
            rr.load(folder)

    def test_another_model_in_the_place_of_the_one_within_is_refused(self, folder, train):
        inner(n_trees=2).fit(train).save(folder / "model")
        with pytest.raises(FileError, match="model: is not the model that the card belongs to. Save it again"):
            rr.load(folder)

    @pytest.mark.parametrize(
        "change",
        [
            {"model": None},
            pytest.param({"baselines": []}),
            {"baselines": ["feature:x"]},
            {"baselines": None},
            {"parameters": {"colour": "red"}},
            {"parameters": None},
        ],
    )
    def test_a_card_that_was_tampered_with_is_refused(self, folder, change):
        card = json.loads((folder / "card.json").read_text())
        (folder / "card.json").write_text(json.dumps({**card, **change}))
        with pytest.raises(FileError, match="card"):
            rr.load(folder)

    def test_one_kind_does_not_load_another(self, folder, fitted):
        for kind in (rr.LambdaMART, *({rr.Mixed, rr.Selective} - {self.kind})):
            with pytest.raises(ParameterError, match=f"is a {self.kind.__name__}, not a {kind.__name__}"):
                kind.load(folder)
        with pytest.raises(ParameterError, match=f"is a LambdaMART, not a {self.kind.__name__}"):
            self.kind.load(folder / "model")

    def test_kinds_of_models_may_take_each_others_place(self, folder, fitted, model, valid):
        model.save(folder)
        np.testing.assert_array_equal(rr.load(folder).predict(valid), model.predict(valid))
        fitted.save(folder)
        np.testing.assert_array_equal(rr.load(folder).predict(valid), fitted.predict(valid))

    def test_what_is_not_a_model_is_not_written_over(self, fitted, tmp_path):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "model").write_text("my thesis")
        with pytest.raises(FileError, match="mine: exists and is not a model of riskrank"):
            fitted.save(tmp_path / "mine")
        assert [path.name for path in tmp_path.rglob("*")] == ["mine", "model"]
        fitted.save(tmp_path / "saved")
        shutil.rmtree(tmp_path / "saved" / "model")
        (tmp_path / "saved" / "model").mkdir()
        (tmp_path / "saved" / "model" / "thesis.txt").write_text("all of it")
        fitted.save(tmp_path / "saved")
        assert type(rr.load(tmp_path / "saved")) is type(fitted)
        assert (tmp_path / "saved" / "model" / "thesis.txt").read_text() == "all of it"

    # What is refused.

    def test_one_that_is_not_fitted_is_refused(self, valid, tmp_path):
        wrapped = self.make()
        uses = (wrapped.predict, wrapped.uses_model, wrapped.both_scores, lambda _: wrapped.save(tmp_path / "m"))
        for use in uses:
            with pytest.raises(ParameterError, match=f"this {self.kind.__name__} is not fitted yet. Call fit or of"):
                use(valid)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("ranker", [None, "LambdaMART", rr.LambdaMART, rr.Feature(1)])
    def test_what_is_not_a_ranker_is_refused(self, train, ranker):
        with pytest.raises(ParameterError, match="ranker must be a ranker like LambdaMART"):
            self.kind(ranker, **self.some).fit(train, baseline=TEXT)
        with pytest.raises(ParameterError, match=r"of\(\) takes a fitted ranker"):
            self.of(ranker)

    def test_a_ranker_that_is_not_fitted_has_to_be_fitted(self):
        with pytest.raises(ParameterError, match=r"of\(\) takes a fitted ranker; use fit to train one"):
            self.of(inner())

    def test_without_a_baseline_nothing_is_trained(self, train, monkeypatch):
        monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
        with pytest.raises(ParameterError, match=f"{self.kind.__name__} needs the baseline that ranks the other"):
            self.make().fit(train)

    def test_several_baselines_are_refused_when_it_ranks(self, model, valid):
        with pytest.raises(ParameterError, match="needs exactly one baseline, got 2"):
            self.of(model).predict(valid, baseline=[TEXT, rr.Feature(2)])

    def test_several_baselines_are_refused_before_training(self, train, monkeypatch):
        monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
        with pytest.raises(ParameterError, match="exactly one baseline"):
            self.make().fit(train, baseline=[TEXT, rr.Feature(2)])

    def test_scores_as_a_baseline_say_nothing_of_other_documents(self, train):
        wrapped = self.make().fit(train, baseline=train.feature(1))
        others = dataclasses.replace(train, features=train.features[::-1])
        with pytest.raises(ParameterError, match="pass baseline="):
            wrapped.predict(others)

    def test_data_of_another_width_are_refused(self, fitted, valid):
        with pytest.raises(AlignmentError, match="the model has 20 features, the data have 5"):
            fitted.predict(valid.features[:, :5], qid=qid_of(valid))

    # As scikit-learn has it.

    def test_a_clone_has_the_parameters_and_nothing_else(self, fitted):
        copy = clone(fitted)
        assert not hasattr(copy, "card_")
        mine, theirs = (ranker.get_params() for ranker in (copy, fitted))
        assert repr(mine.pop("ranker")) == repr(theirs.pop("ranker"))
        assert mine == theirs
        assert mine["ranker__n_trees"] == 5

    def test_parameters_are_set_by_name_also_those_within(self, train):
        wrapped = self.make().set_params(**self.none, ranker__n_trees=2)
        assert wrapped.fit(train, baseline=TEXT).ranker_.card_["trees"] == 2
        assert not wrapped.uses_model(train).any()
        with pytest.raises(ValueError, match="colour"):
            wrapped.set_params(colour="red")

    def test_features_count_from_where_they_did_in_training(self, train, valid, model):
        first = dataclasses.replace(valid, first_feature=0)
        model = inner().fit(dataclasses.replace(train, first_feature=0))
        ranker = self.of(model, baseline=rr.Feature(0), **self.none)
        np.testing.assert_array_equal(ranker.predict(first), valid.features[:, 0])

    def test_the_features_of_arrays_count_from_where_they_did_in_training(self, train, valid):
        model = inner().fit(dataclasses.replace(train, first_feature=0))
        ranker = self.of(model, baseline=rr.Feature(2), **self.none)
        scores = ranker.predict(valid.features, qid=qid_of(valid))
        np.testing.assert_array_equal(scores, valid.features[:, 2])

    def test_the_scores_of_both_are_given(self, fitted, model, valid):
        own, other = fitted.both_scores(valid)
        np.testing.assert_array_equal(own, model.predict(valid))
        np.testing.assert_array_equal(other, baseline_scores(TEXT, valid)[0].scores)


class TestMixed(WrappedPromises):
    kind = rr.Mixed
    some: ClassVar = {"probability": 0.5}
    all: ClassVar = {"probability": 1}
    none: ClassVar = {"probability": 0}


class TestSelective(WrappedPromises):
    kind = rr.Selective
    some: ClassVar = {"predictor": rr.Aggregate("max", 1), "threshold": 18.0}
    all: ClassVar = {"predictor": rr.Aggregate("max", 1), "threshold": -1e9}
    none: ClassVar = {"predictor": rr.Aggregate("max", 1), "threshold": 1e9}
