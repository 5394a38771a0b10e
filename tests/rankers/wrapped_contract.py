"""What rankers around a ranker promise: the contract of all rankers, and what is their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError, RiskrankError
from riskrank.rankers.selective.wrapped import Wrapped

from .contract import RankerContract, qid_of, with_features
from .selective.small_models import TEXT, inner

PREDICT = """
import sys
import numpy as np
import riskrank as rr
saved = np.load(sys.argv[2])
np.save(sys.argv[3], rr.load(sys.argv[1]).predict(saved["features"], qid=saved["qid"]))
"""


class WrappedContract(RankerContract):
    """Rankers that always use their model keep the contract of rankers, where a baseline is given and arrays without
    `qid` are taken as one query.
    """

    @pytest.fixture(autouse=True)
    def _with_a_baseline_and_one_query(self, monkeypatch):
        fit, predict = Wrapped.fit, Wrapped.predict

        def fit_with_baseline(ranker, *arguments, baseline=TEXT, **options):
            return fit(ranker, *arguments, baseline=baseline, **options)

        def predict_one_query(ranker, x, **options):
            if not isinstance(x, rr.RankingData) and not options:
                options = {"qid": np.zeros(len(x))}
            return predict(ranker, x, **options)

        monkeypatch.setattr(Wrapped, "fit", fit_with_baseline)
        monkeypatch.setattr(Wrapped, "predict", predict_one_query)

    def wrap(self, ranker):
        """Around a ranker, so that its model is always used."""
        raise NotImplementedError

    def make(self, **parameters):
        return self.wrap(inner(**parameters))

    test_no_documents_get_no_scores = None  # but instead:

    def test_without_documents_there_is_no_query_to_go_by(self, fitted, valid):
        with pytest.raises(RiskrankError, match="no documents"):
            fitted.predict(valid.features[:0], qid=[])

    def test_a_saved_ranker_comes_back_as_it_was(self, fitted, folder, valid):
        back = rr.load(folder)
        assert type(back) is type(fitted)
        np.testing.assert_array_equal(back.predict(valid), fitted.predict(valid))
        assert back.card_ == fitted.card_
        back.save(folder)  # over itself
        np.testing.assert_array_equal(rr.load(folder).predict(valid), fitted.predict(valid))
        assert not [path for path in folder.parent.iterdir() if path != folder]

    def test_the_card_says_what_the_model_is(self, fitted, folder, train):
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        assert card.pop("model") == sha256((folder / "model" / "card.json").read_bytes()).hexdigest()
        assert {path.name for path in folder.iterdir()} == {".riskrank.json", "card.json", "model"}
        assert {**fitted.card_, "format": 1, "files": {}} == card
        assert card["kind"] == type(fitted).__name__
        assert card["training_data"]["queries"] == train.n_queries
        assert card["training_data"]["documents"] == train.n_documents
        assert card["features"] == train.n_features
        assert card["versions"]["riskrank"] == rr.__version__
        assert card["baselines"] == ["feature:1"]

    def test_a_saved_ranker_needs_nothing_but_its_folder(self, fitted, folder, valid, tmp_path):
        np.savez(tmp_path / "data.npz", features=valid.features, qid=qid_of(valid))
        moved = folder.rename(tmp_path / "moved")
        paths = [str(moved), str(tmp_path / "data.npz"), str(tmp_path / "scores.npy")]
        subprocess.run([sys.executable, "-W", "error", "-c", PREDICT, *paths], check=True)
        np.testing.assert_array_equal(np.load(tmp_path / "scores.npy"), fitted.predict(valid))

    def test_the_number_of_threads_does_not_spoil_scores(self, train, valid):
        one, two = (self.make(n_threads=n).fit(train) for n in (1, 2))
        np.testing.assert_allclose(one.predict(valid), two.predict(valid), rtol=1e-4, atol=1e-6)

    def test_every_part_of_a_model_must_be_there(self, folder, tmp_path):
        parts = [path.relative_to(folder) for path in folder.rglob("[!.]*")]
        assert len(parts) == 5
        for part in parts:
            copy = tmp_path / f"without {part.parent.name} {part.name}"
            shutil.copytree(folder, copy)
            if (copy / part).is_dir():
                shutil.rmtree(copy / part)
            else:
                (copy / part).unlink()
            with pytest.raises(FileError, match=part.name):
                rr.load(copy)

    def test_nan_is_a_missing_value(self, train, valid):
        rng = np.random.default_rng(0)
        holes, others = (np.where(rng.random(d.features.shape) < 0.2, np.nan, d.features) for d in (train, valid))
        holes[:, 0], others[:, 0] = train.features[:, 0], valid.features[:, 0]  # a baseline needs all of its scores
        scores = self.make().fit(with_features(train, holes)).predict(with_features(valid, others))
        assert np.isfinite(scores).all()
        assert len(np.unique(scores)) > 5

    @pytest.mark.parametrize("content", ["", "{", "[]"])
    def test_a_damaged_history_is_refused(self, folder, content):
        super().test_a_damaged_history_is_refused(folder / "model", content)
        with pytest.raises(FileError, match="history.json"):
            rr.load(folder)

    def test_a_damaged_engine_file_is_refused(self, folder):
        """In this process: its digest is wrong, so no engine ever sees it."""
        file = folder / "model" / "model.txt"
        whole = file.read_bytes()
        for content in (b"garbage", whole[: len(whole) // 2], b""):
            file.write_bytes(content)
            with pytest.raises(FileError, match="model.txt"):
                rr.load(folder)
