"""The registries of rankers: ours, those of other packages, and the way from a saved model back to its kind."""

from __future__ import annotations

import json
from importlib import metadata
from types import SimpleNamespace

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers import RANKERS, WRAPPERS, load_ranker
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.selective.wrapped import Wrapped

from .outside_ranker import BestFeature


@pytest.mark.parametrize(("registry", "base"), [(RANKERS, Ranker), (WRAPPERS, Wrapped)], ids=["rankers", "wrappers"])
def test_every_kind_is_known_under_the_name_of_its_public_class(registry, base):
    for name in registry:
        assert registry[name] is getattr(rr, name)
        assert registry[name].__name__ == name
        assert issubclass(registry[name], base)


@pytest.mark.parametrize("spelling", ["LambdaMART", "lambdamart", "lambda-mart", "lambda_mart"])
def test_names_are_read_in_any_case_and_with_hyphens(spelling):
    assert RANKERS.named(spelling) is rr.LambdaMART


def test_an_unknown_ranker_gets_a_suggestion():
    with pytest.raises(ParameterError, match="unknown ranker 'LambdaMRAT'. Did you mean 'LambdaMART'. Known: AdaRank"):
        RANKERS.named("LambdaMRAT")


@pytest.fixture
def outside(monkeypatch):
    """Another package that offers a ranker; not loaded before somebody asks for its name."""
    loaded = []
    entry = SimpleNamespace(name="BestFeature", load=lambda: loaded.append("BestFeature") or BestFeature)
    others = metadata.entry_points

    def entry_points(**selected):  # engines ask too
        return [entry] if selected == {"group": "riskrank.rankers"} else others(**selected)

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    yield loaded
    if "BestFeature" in RANKERS:
        del RANKERS["BestFeature"]


def test_a_ranker_of_another_package_is_known_by_name(outside):
    assert RANKERS.named("LambdaMART") is rr.LambdaMART
    assert outside == []
    assert RANKERS.named("best-feature") is BestFeature
    assert outside == ["BestFeature"]


def test_a_model_of_another_package_is_loaded(train, valid, outside, tmp_path):
    model = BestFeature(n_tries=3).fit(train)
    model.save(tmp_path / "model")
    for load in (rr.load, load_ranker):
        back = load(tmp_path / "model")
        assert type(back) is BestFeature
        np.testing.assert_array_equal(back.predict(valid), valid.feature(3))
        assert back.card_ == model.card_


def test_a_model_of_another_package_may_be_wrapped(train, valid, outside, tmp_path):
    mixed = rr.Mixed(BestFeature(n_tries=3), probability=0.5).fit(train, baseline=rr.Feature(1))
    mixed.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), mixed.predict(valid))


def test_the_command_line_trains_ranks_and_shows_a_ranker_of_another_package(
    train, valid, outside, letor, riskrank, tmp_path
):
    (tmp_path / "train.txt").write_text(letor(train))
    (tmp_path / "valid.txt").write_text(letor(valid))
    options = ("--ranker", "bestfeature", "--set", "n_tries=4", "-m", "AP", "--seed", 7)
    done = riskrank("train", "train.txt", *options, "-o", "model")
    assert (done.status, done.err) == (0, "")
    assert "BestFeature" in done.out
    model = rr.load(tmp_path / "model")
    assert (model.measure, model.n_tries, model.random_state) == ("AP", 4, 7)
    np.testing.assert_array_equal(model.predict(valid), valid.feature(4))
    assert riskrank("rank", "model", "valid.txt", "-o", "model.run").status == 0
    assert json.loads(riskrank("inspect", "model", "--json").out)["kind"] == "BestFeature"


def test_without_its_package_a_model_says_what_it_is(train, tmp_path):
    BestFeature(n_tries=3).fit(train).save(tmp_path / "model")
    with pytest.raises(
        ParameterError, match="holds a BestFeature, which this riskrank does not know. Update riskrank, or"
    ):
        rr.load(tmp_path / "model")


def test_a_wrapper_is_no_ranker_to_be_wrapped(train, tmp_path):
    mixed = rr.Mixed(BestFeature(n_tries=1), probability=0.5).fit(train, baseline=rr.Feature(1))
    mixed.save(tmp_path / "model")
    with pytest.raises(ParameterError, match="model holds a Mixed, which this riskrank does not know"):
        load_ranker(tmp_path / "model")
