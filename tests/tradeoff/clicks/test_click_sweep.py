"""Sweeps over clicks: what is trained, kept and refused."""

from __future__ import annotations

import inspect
import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.tradeoff.clicks import click_sweep as sweeping_clicks
from riskrank.tradeoff.clicks.click_sweep import PAPER
from riskrank.tradeoff.clicks.click_table import sweep_features
from riskrank.tradeoff.grid import Setting

from ..small_sweeps import Trainings, same_sweeps, untrainable
from ..synthetic_clicks import (
    BOTH,
    GRIDS,
    LOWEST,
    PREFERENCE,
    RISK,
    SMALL,
    points,
    prepared_clicks,
    synthetic_click_sweep,
)

LINEAR = "nDCG(dcg='log2')@10"
SHOWN = rr.Feature(1)
TREES = {name: SMALL[name] for name in SMALL if name not in ("verbose", "n_jobs")}
ONLY_STANDARD = {"alphas": (0,), "betas": (), "lowest_betas": (), "both_alphas": ()}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("clicks")


@pytest.fixture(scope="module")
def prepared(place):
    return prepared_clicks(place)


@pytest.fixture(scope="module")
def graded(place):
    return prepared_clicks(place, name="graded", grades=(30, 200))


@pytest.fixture(scope="module")
def swept(prepared, place):
    return rr.click_sweep(prepared, **GRIDS, **SMALL, folder=place / "models")


def quick(prepared, **options):
    return rr.click_sweep(prepared, **{**ONLY_STANDARD, **SMALL, "n_trees": 2, **options})


# The models.


def test_the_series_are_those_of_the_paper_and_both_together(swept):
    assert swept.settings == (
        *(Setting(RISK, "alpha", value) for value in (0.0, 1.0, 5.0)),
        *(Setting(PREFERENCE, "beta", value) for value in (0.05, 0.3)),
        *(Setting(LOWEST, "beta", value) for value in (0.5, 1.0)),
        Setting(BOTH, "beta", 0.1),
    )
    assert swept.reference_model == 0
    assert swept.parameter == "value"
    assert isinstance(swept, rr.ClickSweep)


def test_every_model_is_the_one_trained_by_itself(swept, prepared):
    train, valid, test = (prepared.read(part) for part in ("train", "valid", "test"))
    expected = {
        (RISK, 0): rr.LambdaMART(rr.URisk(LINEAR, alpha=0.0), **TREES),
        (RISK, 5): rr.LambdaMART(rr.URisk(LINEAR, alpha=5.0), **TREES),
        (PREFERENCE, 0.3): rr.PreferenceLambdaMART(beta=0.3, **TREES),
        (LOWEST, 1): rr.PreferenceLambdaMART(beta=1.0, only_examined=True, **TREES),
        (BOTH, 0.1): rr.PreferenceLambdaMART(rr.URisk(LINEAR, alpha=1.0), beta=0.1, **TREES),
    }
    for (series, value), ranker in expected.items():
        model = swept.model(swept.find(value, series))
        own = ranker.fit(train, baseline=SHOWN, valid=valid)
        assert type(model) is type(own)
        np.testing.assert_array_equal(model.predict(test), own.predict(test), err_msg=series)


def test_standard_gain_learns_from_clicks_alone(swept, prepared):
    plain = rr.LambdaMART(rr.Gain(LINEAR), **TREES).fit(prepared.read("train"))
    test = prepared.read("test")
    np.testing.assert_allclose(swept.model(swept.reference_model).predict(test), plain.predict(test), atol=1e-12)


def test_all_are_judged_by_clicks_against_the_order_shown(swept, prepared):
    assert swept.measure == "AP"
    assert swept.baseline == "feature:1"
    for judged_set, part in ((swept.test, "test"), (swept.valid, "valid")):
        data = prepared.read(part)
        assert set(data.labels) == {0, 1}
        runs = {"shown": data.feature(1), **{str(i): swept.model(i).predict(data) for i in range(len(swept))}}
        values = rr.evaluate(data, runs, ["AP", "nDCG@10"])
        np.testing.assert_array_equal(judged_set.baseline, values["AP"]["shown"])
        np.testing.assert_array_equal(judged_set.values, values["AP"].matrix[1:])
        np.testing.assert_allclose(judged_set.others["nDCG@10"], values["nDCG@10"].matrix.mean(axis=1))
    assert len(swept.test.queries) == prepared.parts["test"]


def test_clicks_of_several_grades_are_judged_by_ndcg(graded):
    assert set(graded.read("train").labels) == {0, 1, 2}
    sweep = quick(graded)
    assert sweep.measure == "nDCG@10"
    assert list(sweep.test.others) == ["AP"]


def test_the_measure_may_be_another_one(prepared):
    sweep = quick(prepared, measure="RR", measures=["nDCG@3"])
    assert sweep.measure == "RR"
    assert list(sweep.test.others) == ["nDCG@3"]


def test_an_empty_grid_leaves_a_series_out(prepared):
    assert quick(prepared).series == (RISK,)
    assert quick(prepared, betas=(0.1,), both_alphas=(1, 2.5), both_betas=()).series == (RISK, PREFERENCE)
    several = quick(prepared, lowest_betas=(1,), both_alphas=(1, 2.5), both_betas=(0.1,))
    assert several.series == (RISK, LOWEST, "Preference and Risk, α = 1", "Preference and Risk, α = 2.5")
    assert [several.model(i).objective.alpha for i in (2, 3)] == [1, 2.5]


def test_both_together_has_betas_of_its_own(prepared):
    sweep = quick(prepared, betas=(0.1,), both_alphas=(3,), both_betas=(0.2, 0.4))
    assert [sweep.settings[i].value for i in sweep.members("Preference and Risk, α = 3")] == [0.2, 0.4]


def test_beta_by_query_grows_with_how_often_a_query_was_asked(prepared):
    sweep = quick(prepared, betas=(0.4,), lowest_betas=(1,), both_alphas=(1,), both_betas=(0.4,), beta_by_query=True)
    number = prepared.number("query_pages")
    by_series = {setting.series: sweep.model(i) for i, setting in enumerate(sweep.settings)}
    assert {model.beta_feature for name, model in by_series.items() if name != RISK} == {number}
    expected = rr.PreferenceLambdaMART(beta=0.4, beta_feature=number, **{**TREES, "n_trees": 2})
    expected.fit(prepared.read("train"), valid=prepared.read("valid"), baseline=SHOWN)
    test = prepared.read("test")
    np.testing.assert_array_equal(by_series[PREFERENCE].predict(test), expected.predict(test))


def test_standard_gain_and_risk_learn_the_measure_that_is_asked_for(prepared):
    sweep = quick(prepared, alphas=(0, 2), betas=(0.1,), risk_measure="AP")
    assert [str(sweep.model(i).objective.measure) for i in (0, 1)] == ["AP", "AP"]
    assert sweep.model(2).objective is None  # preference gains have their own
    expected = rr.LambdaMART(rr.URisk("AP", alpha=2), **{**TREES, "n_trees": 2})
    expected.fit(prepared.read("train"), valid=prepared.read("valid"), baseline=SHOWN)
    test = prepared.read("test")
    np.testing.assert_array_equal(sweep.model(1).predict(test), expected.predict(test))


def test_the_grids_of_the_paper_are_its_grids():
    # §3: beta 0.01 … 0.09, 0.1 … 1; alpha_risk 0 … 0.9, 1 … 10; Lowest-Click-Plus-One 0.1 … 2.
    assert list(PAPER["betas"]) == pytest.approx([*np.arange(1, 10) / 100, *np.arange(1, 11) / 10])
    assert list(PAPER["alphas"]) == pytest.approx([*np.arange(10) / 10, *range(1, 11)])
    assert list(PAPER["lowest_betas"]) == pytest.approx(np.arange(1, 21) / 10)
    assert set(PAPER) <= set(inspect.signature(sweeping_clicks.click_sweep).parameters)


# The folder.


def test_a_folder_serves_as_well_as_what_was_prepared(prepared):
    same_sweeps(quick(prepared.folder), quick(prepared))
    same_sweeps(quick(str(prepared.folder)), quick(prepared))


def test_a_sweep_knows_its_features_wherever_it_goes(swept, prepared, place):
    assert sweep_features(swept) == list(prepared.features)
    assert sweep_features(rr.ClickSweep.load(place / "models")) == list(prepared.features)
    assert json.loads((place / "models" / "clicks.json").read_text()) == prepared.card


def test_it_comes_back_from_disk_as_it_was(swept, prepared, place):
    back = rr.ClickSweep.load(place / "models")
    same_sweeps(back, swept)
    assert repr(back) == repr(swept)
    plain = rr.Sweep.load(place / "models")  # what any sweep can be read as
    assert all(f"\nRisk Sensitive, α = {alpha} " in repr(plain) for alpha in (0, 1))
    for i in (0, len(swept) - 1):
        np.testing.assert_array_equal(
            back.model(i).predict(prepared.read("test")), swept.model(i).predict(prepared.read("test"))
        )


def test_called_again_it_trains_nothing(swept, prepared, place, monkeypatch):
    untrainable(monkeypatch)
    again = rr.click_sweep(prepared, **GRIDS, **SMALL, folder=place / "models")
    same_sweeps(again, swept)


def test_more_betas_train_those_only(prepared, tmp_path, monkeypatch):
    given = {"betas": (0.1,), "folder": tmp_path / "models", "n_jobs": 1}
    quick(prepared, **given)
    trainings = Trainings(monkeypatch)
    sweep = quick(prepared, **{**given, "betas": (0.1, 0.2)})
    assert trainings.kinds_and_betas == [("PreferenceLambdaMART", 0.2)]
    assert [setting.value for setting in sweep.settings] == [0, 0.1, 0.2]


def test_what_differs_in_how_it_learns_is_trained_anew(prepared, tmp_path, monkeypatch):
    given = {"betas": (0.1,), "folder": tmp_path / "models", "n_jobs": 1}
    quick(prepared, **given)
    trainings = Trainings(monkeypatch)
    quick(prepared, **given, beta_by_query=True)
    assert trainings.kinds_and_betas == [("PreferenceLambdaMART", 0.1)]


def test_interrupted_it_goes_on_where_it_was(prepared, tmp_path, monkeypatch):
    given = {"betas": (0.1, 0.2), "lowest_betas": (1,), "folder": tmp_path / "models", "n_jobs": 1}
    with monkeypatch.context() as patch:
        Trainings(patch, fails_at=3)
        with pytest.raises(KeyboardInterrupt):
            quick(prepared, **given)
    with pytest.raises(FileError, match="is a sweep that was interrupted: run it again to go on"):
        rr.ClickSweep.load(tmp_path / "models")
    trainings = Trainings(monkeypatch)
    done = quick(prepared, **given)
    assert trainings.kinds_and_betas == [("PreferenceLambdaMART", 0.2), ("PreferenceLambdaMART", 1.0)]
    same_sweeps(done, quick(prepared, **{**given, "folder": None}))


# What is refused.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alphas": ()}, "alphas must hold 0, which is Standard Gain: all others are seen against it"),
        ({"alphas": (1, 5)}, "alphas must hold 0"),
        ({"alphas": (0, -2)}, "alphas must be numbers from 0, got -2"),
        ({"alphas": (0, math.nan)}, "alphas must be numbers from 0, got nan"),
        ({"alphas": (0, "1")}, "alphas must be numbers from 0, got '1'"),
        ({"betas": (-0.1,)}, "betas must be numbers from 0 to 1 .*, got -0.1"),
        ({"betas": (math.nan,)}, "betas must be numbers from 0 to 1 .*, got nan"),
        ({"betas": (1.1,)}, "betas must be numbers from 0 to 1 .beyond, the order shown outweighs clicks., got 1.1"),
        ({"betas": ("0.1",)}, "betas must be numbers from 0 to 1 .*, got '0.1'"),
        ({"lowest_betas": (math.inf,)}, "lowest_betas must be numbers from 0, got inf"),
        ({"both_betas": (-1,)}, "both_betas must be numbers from 0 to 1 .*, got -1"),
        ({"both_alphas": (-1,), "betas": (0.1,)}, "both_alphas must be numbers from 0, got -1"),
        ({"measure": "nDGC@10"}, "nDGC"),
        ({"risk_measure": "nDGC@10"}, "nDGC"),
        ({"measures": ["nDGC@10"]}, "nDGC"),
        ({"n_jobs": 0}, "n_jobs must be a whole number from 1, got 0"),
        ({"n_trees": 0}, "n_trees must be a whole number from 1, got 0"),
        ({"n_leaves": 1}, "n_leaves must be a whole number from 2, got 1"),
        ({"learning_rate": -1}, "learning_rate must be a number above 0, got -1"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
    ],
)
def test_what_makes_no_sweep_is_refused_before_training(prepared, tmp_path, options, message, monkeypatch):
    untrainable(monkeypatch)
    with pytest.raises(RiskrankError, match=message) as told:
        quick(prepared, **{"folder": tmp_path / "models", **options})
    assert "\n" not in str(told.value)
    assert not (tmp_path / "models").exists()


def test_what_was_not_prepared_is_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    for name in ("file", "folder", "nowhere"):
        with pytest.raises(FileError, match=f"{name}: is not a folder of prepared clicks"):
            quick(tmp_path / name)


def test_beta_by_query_needs_the_feature(place):
    few = prepared_clicks(place, name="few", features=["session"])
    with pytest.raises(ParameterError, match="these data have no feature query_pages. They have: presented, session_"):
        quick(few, betas=(0.1,), beta_by_query=True)


def test_models_are_not_taken_for_prepared_clicks(swept, place):
    with pytest.raises(FileError, match="is not a folder of prepared clicks"):
        quick(place / "models")


@pytest.mark.parametrize("options", [{"alphas": 0}, {"betas": 0.1}, {"lowest_betas": 1}, {"both_alphas": 1}])
def test_one_number_is_a_grid_of_one(prepared, options):
    assert len(quick(prepared, **{"both_betas": (0.1,), **options})) <= 2


def test_the_other_engine_will_do(prepared):
    trees = {"n_trees": 2, "n_leaves": 5, "n_threads": 1, "verbose": False}
    assert len(rr.click_sweep(prepared, **ONLY_STANDARD, **trees, engine="xgboost")) == 1


# Parameters of each series on disk.


def test_synthetic_sweeps_over_clicks_come_back_with_their_parameters(tmp_path):
    sweep = synthetic_click_sweep(
        [(RISK, 0), (PREFERENCE, 0.1), (BOTH, 0.1)], points((0.1, 0.5), (0.08, 0.1), (0.05, 0.1))
    )
    sweep.save(tmp_path / "sweep")
    back = rr.ClickSweep.load(tmp_path / "sweep")
    assert back.settings == sweep.settings
    assert repr(back) == repr(sweep)
    with pytest.raises(ParameterError, match="this sweep has no models: it was read from its results alone"):
        back.model(0)


@pytest.mark.parametrize("damaged", ["alpha", [["a", "alpha"]], None])
def test_damaged_parameters_of_series_are_told(tmp_path, damaged):
    synthetic_click_sweep([(RISK, 0)], points((0.1, 0.5))).save(tmp_path / "sweep")
    file = tmp_path / "sweep" / "sweep.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "parameters": damaged}))
    with pytest.raises(FileError, match="is not a sweep of riskrank, or it is damaged"):
        rr.ClickSweep.load(tmp_path / "sweep")
