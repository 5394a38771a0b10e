"""The models of a sweep: one parameter over its values, or series with parameters of their own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.tradeoff.grid import Setting, slug, with_value

from .small_sweeps import TEXT, quick, ranker, same_sweeps, untrainable
from .synthetic_sweeps import judged, synthetic_sweep

pytestmark = pytest.mark.usefixtures("two_cores")


@pytest.mark.parametrize(
    ("parameter", "values", "read"),
    [
        ("n_leaves", (3, 5.0), lambda model: model.n_leaves),
        ("learning_rate", (0.05, 1), lambda model: model.learning_rate),
        ("n_trees", (1, 2), lambda model: model.card_["trees"]),
        ("sigma", (0.5, 2), lambda model: model.objective.sigma),
        ("truncation", (3, 10), lambda model: model.objective.truncation),
        ("min_docs_in_leaf", (5, 20), lambda model: model.min_docs_in_leaf),
    ],
)
def test_other_parameters_are_swept_as_well(small, parameter, values, read):
    swept = quick(small, parameter=parameter, values=values)
    assert [setting.value for setting in swept.settings] == list(values)
    assert [read(swept.model(i)) for i in range(2)] == list(values)
    assert swept.summary[parameter].to_list() == list(values)


def test_a_ranker_without_an_objective_is_swept_by_its_own_parameters(small):
    swept = quick(small, rr.RegressionTrees(n_trees=2, n_threads=1), parameter="n_leaves", values=(2, 4))
    assert swept.series == ("RegressionTrees",)
    expected = rr.RegressionTrees(n_trees=2, n_threads=1, n_leaves=4).fit(small[0], valid=small[1])
    np.testing.assert_array_equal(swept.model(1).predict(small[2]), expected.predict(small[2]))


def test_values_are_sorted_and_stand_once(small):
    assert [s.value for s in quick(small, values=(2, 0, 2.0, 1)).settings] == [0, 1, 2]
    assert [s.value for s in quick(small, values=3).settings] == [3]


def test_an_alpha_given_as_a_whole_number_does_not_make_the_others_whole():
    changed = with_value(ranker(rr.URisk("nDCG@10", alpha=1)), "alpha", 0.5, "URisk")
    assert changed.objective.alpha == 0.5


def test_a_parameter_that_is_none_may_get_a_value():
    changed = with_value(ranker(rr.URisk("nDCG@10", truncation=None)), "truncation", 5, "URisk")
    assert changed.objective.truncation == 5


def test_several_rankers_are_named_by_their_objectives(small):
    swept = quick(small, [ranker(n_trees=2), ranker(rr.SARO("nDCG@10"), n_trees=2)], values=(1,))
    assert swept.series == ("URisk", "SARO")


def test_values_that_differ_in_the_last_digits_are_different_models(small, tmp_path):
    swept = quick(small, values=(1, 1.0000001), folder=tmp_path / "sweep")
    assert [swept.model(i).objective.alpha for i in range(2)] == [1, 1.0000001]
    assert len(set(swept.effectiveness().systems)) == 3


def test_words_become_names_of_folders():
    assert slug("GeoRisk (α 5), v1.0") == "georisk-α-5-v1.0"
    assert slug("../..") == "series"
    assert Setting("a/b", "alpha", 0.5).place(Path("here"), 3) == Path("here/models/a-b/alpha=0.5/fold-3")


# Series with parameters of their own.


def trees(**parameters):
    return rr.LambdaMART(rr.URisk("nDCG@10", alpha=2.0), **{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})


def varied(small, rankers=None, **options):
    train, valid, test = small
    given = {
        "parameter": {"risk": "alpha", "leaves": "n_leaves"}, "values": {"risk": (5, 0), "leaves": (3, 6)},
        "valid": valid, "test": test, "n_jobs": 1, "baseline": TEXT, **options,
    }  # fmt: skip
    return rr.sweep(train, {"risk": trees(), "leaves": trees()} if rankers is None else rankers, **given)


def test_each_series_varies_its_own_parameter_over_its_own_values(small):
    swept = varied(small)
    assert swept.settings == (
        Setting("risk", "alpha", 0.0), Setting("risk", "alpha", 5.0),
        Setting("leaves", "n_leaves", 3.0), Setting("leaves", "n_leaves", 6.0),
    )  # fmt: skip
    assert [swept.model(i).objective.alpha for i in range(4)] == [0, 5, 2, 2]
    assert [swept.model(i).n_leaves for i in range(4)] == [4, 4, 3, 6]
    assert [setting.label for setting in swept.settings] == [
        "risk, α = 0", "risk, α = 5", "leaves, n_leaves = 3", "leaves, n_leaves = 6",
    ]  # fmt: skip
    assert swept.parameter == "value"
    assert swept.summary["value"].to_list() == [0, 5, 3, 6]


def test_models_are_those_of_a_sweep_of_their_own(small):
    swept = varied(small)
    alone = varied(small, {"leaves": trees()}, parameter="n_leaves", values=(3, 6))
    for i in (0, 1):
        np.testing.assert_array_equal(swept.model(2 + i).predict(small[2]), alone.model(i).predict(small[2]))


def test_only_one_of_the_two_may_differ_by_series(small):
    by_values = varied(small, parameter="alpha", values={"risk": (0, 1), "leaves": 2})
    assert [setting.value for setting in by_values.settings] == [0, 1, 2]
    assert by_values.parameter == "alpha"
    by_parameter = varied(small, values=(3, 5))
    assert [(setting.parameter, setting.value) for setting in by_parameter.settings] == [
        ("alpha", 3), ("alpha", 5), ("n_leaves", 3), ("n_leaves", 5),
    ]  # fmt: skip


def test_the_same_parameter_named_by_series_keeps_its_name(small):
    assert varied(small, parameter={"risk": "alpha", "leaves": "alpha"}, values=(0,)).parameter == "alpha"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameter": {"risk": "alpha"}}, "parameter must be given for every series; there is none for leaves"),
        ({"values": {"leaves": (3,)}}, "values must be given for every series; there is none for risk"),
        ({"parameter": {}}, "parameter must be given for every series; there is none for risk"),
        ({"values": {"risk": (0,), "leaves": ()}}, "a sweep needs at least one value of n_leaves"),
        ({"values": {"risk": (0,), "leaves": ("3",)}}, "values of n_leaves must be numbers, got '3'"),
        ({"values": {"risk": (0,), "leaves": (2.5,)}}, "n_leaves must be a whole number"),
        ({"parameter": {"risk": "alpha", "leaves": "luck"}}, "leaves has no parameter 'luck'; it has alpha"),
    ],
)
def test_series_without_a_parameter_or_values_are_refused(small, tmp_path, options, message):
    with pytest.raises(ParameterError, match=message) as told:
        varied(small, folder=tmp_path / "sweep", **options)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "sweep").exists()


def test_such_a_sweep_comes_back_from_disk(small, tmp_path):
    swept = varied(small, folder=tmp_path / "sweep")
    back = rr.Sweep.load(tmp_path / "sweep")
    same_sweeps(back, swept)
    assert back.summary.equals(swept.summary)
    assert repr(back) == repr(swept)
    assert back.model(3).n_leaves == 6
    folders = sorted(str(path.relative_to(tmp_path / "sweep" / "models")) for path in
                     (tmp_path / "sweep" / "models").glob("*/*"))  # fmt: skip
    assert folders == ["leaves/n_leaves=3", "leaves/n_leaves=6", "risk/alpha=0", "risk/alpha=5"]


def test_such_a_sweep_called_again_trains_nothing(small, tmp_path, monkeypatch):
    swept = varied(small, folder=tmp_path / "sweep")
    untrainable(monkeypatch)
    same_sweeps(varied(small, folder=tmp_path / "sweep"), swept)


def test_the_same_value_of_two_parameters_is_two_models(small, tmp_path):
    rankers = {"one": trees(), "two": trees()}
    swept = varied(
        small, rankers, parameter={"one": "alpha", "two": "n_leaves"}, values=(3,), folder=tmp_path / "sweep"
    )
    assert [(swept.model(i).objective.alpha, swept.model(i).n_leaves) for i in (0, 1)] == [(3, 4), (2, 3)]


def test_a_parameter_that_was_another_one_before_is_trained_anew(small, tmp_path):
    varied(small, {"one": trees()}, parameter="alpha", values=(3,), folder=tmp_path / "sweep")
    swept = varied(small, {"one": trees()}, parameter={"one": "n_leaves"}, values=(3,), folder=tmp_path / "sweep")
    assert swept.model(0).n_leaves == 3
    assert rr.Sweep.load(tmp_path / "sweep").settings == (Setting("one", "n_leaves", 3.0),)


@pytest.mark.parametrize("parameter", ["alpha", "n_leaves"])
def test_sweeps_saved_before_series_had_parameters_still_load(tmp_path, parameter):
    sweep = synthetic_sweep(judged([[0.1, -0.1], [0.0, 0.2]]), parameter=parameter, series=["a", "b"], values=[3, 5])
    sweep.save(tmp_path / "sweep")
    file = tmp_path / "sweep" / "sweep.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content.pop("parameters") == {"a": parameter, "b": parameter}
    file.write_text(json.dumps(content), encoding="utf-8")
    same_sweeps(rr.Sweep.load(tmp_path / "sweep"), sweep)
