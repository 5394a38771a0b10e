"""Sweeps over clicks, and sweeps whose series vary parameters of their own: what is trained, kept and refused."""

from __future__ import annotations

import inspect
import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError, ParameterError, RiskrankError
from riskrank.tradeoff.clicks import click_sweep as sweeping_clicks
from riskrank.tradeoff.clicks.click_series import sweep_features
from riskrank.tradeoff.clicks.click_sweep import PAPER
from riskrank.tradeoff.grid import Setting

from ..made_up import judged, made_up
from ..made_up_clicks import BOTH, GRIDS, LOWEST, PREFERENCE, RISK, SMALL, made_up_clicks, points, prepared_clicks
from ..test_sweep import same_sweeps

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


class Trainings:
    """Notes the models that are trained; one that is told to fails."""

    def __init__(self, monkeypatch, *, fails_at=None):
        self.models = []
        fit = rr.LambdaMART.fit

        def noted(model, *arguments, **options):
            self.models.append((type(model).__name__, getattr(model, "beta", None)))
            if len(self.models) == fails_at:
                raise KeyboardInterrupt
            return fit(model, *arguments, **options)

        monkeypatch.setattr(rr.LambdaMART, "fit", noted)


# The models.


def test_the_series_are_those_of_the_paper_and_both_together(swept):
    assert swept.settings == (
        *(Setting(RISK, "alpha", value) for value in (0.0, 1.0, 5.0)),
        *(Setting(PREFERENCE, "beta", value) for value in (0.05, 0.3)),
        *(Setting(LOWEST, "beta", value) for value in (0.5, 1.0)),
        Setting(BOTH, "beta", 0.1),
    )
    assert swept.full == 0
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
    np.testing.assert_allclose(swept.model(swept.full).predict(test), plain.predict(test), atol=1e-12)


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
    found = quick(graded)
    assert found.measure == "nDCG@10"
    assert list(found.test.others) == ["AP"]


def test_the_measure_may_be_another_one(prepared):
    found = quick(prepared, measure="RR", measures=["nDCG@3"])
    assert found.measure == "RR"
    assert list(found.test.others) == ["nDCG@3"]


def test_an_empty_grid_leaves_a_series_out(prepared):
    assert quick(prepared).series == (RISK,)
    assert quick(prepared, betas=(0.1,), both_alphas=(1, 2.5), both_betas=()).series == (RISK, PREFERENCE)
    several = quick(prepared, lowest_betas=(1,), both_alphas=(1, 2.5), both_betas=(0.1,))
    assert several.series == (RISK, LOWEST, "Preference and Risk, α = 1", "Preference and Risk, α = 2.5")
    assert [several.model(i).objective.alpha for i in (2, 3)] == [1, 2.5]


def test_both_together_has_betas_of_its_own(prepared):
    found = quick(prepared, betas=(0.1,), both_alphas=(3,), both_betas=(0.2, 0.4))
    assert [found.settings[i].value for i in found.of("Preference and Risk, α = 3")] == [0.2, 0.4]


def test_beta_by_query_grows_with_how_often_a_query_was_asked(prepared):
    found = quick(prepared, betas=(0.4,), lowest_betas=(1,), both_alphas=(1,), both_betas=(0.4,), beta_by_query=True)
    number = prepared.number("query_pages")
    by_series = {setting.series: found.model(i) for i, setting in enumerate(found.settings)}
    assert {model.beta_feature for name, model in by_series.items() if name != RISK} == {number}
    expected = rr.PreferenceLambdaMART(beta=0.4, beta_feature=number, **{**TREES, "n_trees": 2})
    expected.fit(prepared.read("train"), valid=prepared.read("valid"), baseline=SHOWN)
    test = prepared.read("test")
    np.testing.assert_array_equal(by_series[PREFERENCE].predict(test), expected.predict(test))


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
    assert [line.split()[0] for line in repr(plain).splitlines()[3:7]] == ["baseline", "Risk", "Risk", "Risk"]
    for i in (0, len(swept) - 1):
        np.testing.assert_array_equal(
            back.model(i).predict(prepared.read("test")), swept.model(i).predict(prepared.read("test"))
        )


def test_called_again_it_trains_nothing(swept, prepared, place, monkeypatch):
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    again = rr.click_sweep(prepared, **GRIDS, **SMALL, folder=place / "models")
    same_sweeps(again, swept)


def test_more_betas_train_those_only(prepared, tmp_path, monkeypatch):
    given = {"betas": (0.1,), "folder": tmp_path / "models", "n_jobs": 1}
    quick(prepared, **given)
    trainings = Trainings(monkeypatch)
    found = quick(prepared, **{**given, "betas": (0.1, 0.2)})
    assert trainings.models == [("PreferenceLambdaMART", 0.2)]
    assert [setting.value for setting in found.settings] == [0, 0.1, 0.2]


def test_what_differs_in_how_it_learns_is_trained_anew(prepared, tmp_path, monkeypatch):
    given = {"betas": (0.1,), "folder": tmp_path / "models", "n_jobs": 1}
    quick(prepared, **given)
    trainings = Trainings(monkeypatch)
    quick(prepared, **given, beta_by_query=True)
    assert trainings.models == [("PreferenceLambdaMART", 0.1)]


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
    assert trainings.models == [("PreferenceLambdaMART", 0.2), ("PreferenceLambdaMART", 1.0)]
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
        ({"measures": ["nDGC@10"]}, "nDGC"),
        ({"n_jobs": 0}, "n_jobs must be a whole number from 1 or None, got 0"),
        ({"n_trees": 0}, "n_trees must be a whole number from 1, got 0"),
        ({"n_leaves": 1}, "n_leaves must be a whole number from 2, got 1"),
        ({"learning_rate": -1}, "learning_rate must be a number above 0, got -1"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
    ],
)
def test_what_makes_no_sweep_is_refused_before_training(prepared, tmp_path, options, message, monkeypatch):
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
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


# Sweeps whose series vary parameters of their own.


@pytest.fixture(scope="module")
def parts():
    data = web_search_data(36, documents_per_query=8, n_features=20, random_state=1)
    return [data.take(slice(*ends)) for ends in ((0, 16), (16, 24), (24, 36))]


def trees(**parameters):
    return rr.LambdaMART(rr.URisk("nDCG@10", alpha=2.0), **{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})


def varied(parts, rankers=None, **options):
    train, valid, test = parts
    given = {
        "parameter": {"risk": "alpha", "leaves": "n_leaves"}, "values": {"risk": (5, 0), "leaves": (3, 6)},
        "valid": valid, "test": test, "n_jobs": 1, "baseline": SHOWN, **options,
    }  # fmt: skip
    return rr.sweep(train, {"risk": trees(), "leaves": trees()} if rankers is None else rankers, **given)


def test_each_series_varies_its_own_parameter_over_its_own_values(parts):
    found = varied(parts)
    assert found.settings == (
        Setting("risk", "alpha", 0.0), Setting("risk", "alpha", 5.0),
        Setting("leaves", "n_leaves", 3.0), Setting("leaves", "n_leaves", 6.0),
    )  # fmt: skip
    assert [found.model(i).objective.alpha for i in range(4)] == [0, 5, 2, 2]
    assert [found.model(i).n_leaves for i in range(4)] == [4, 4, 3, 6]
    assert [setting.label for setting in found.settings] == [
        "risk, α = 0", "risk, α = 5", "leaves, n_leaves = 3", "leaves, n_leaves = 6",
    ]  # fmt: skip
    assert found.parameter == "value"
    assert found.summary["value"].to_list() == [0, 5, 3, 6]
    assert "leaves, n_leaves = 6 keeps" in repr(found) or "gains nothing" in repr(found)


def test_models_are_those_of_a_sweep_of_their_own(parts):
    found = varied(parts)
    alone = varied(parts, {"leaves": trees()}, parameter="n_leaves", values=(3, 6))
    for i in (0, 1):
        np.testing.assert_array_equal(found.model(2 + i).predict(parts[2]), alone.model(i).predict(parts[2]))


def test_only_one_of_the_two_may_differ_by_series(parts):
    by_values = varied(parts, parameter="alpha", values={"risk": (0, 1), "leaves": 2})
    assert [setting.value for setting in by_values.settings] == [0, 1, 2]
    assert by_values.parameter == "alpha"
    by_parameter = varied(parts, values=(3, 5))
    assert [(setting.parameter, setting.value) for setting in by_parameter.settings] == [
        ("alpha", 3), ("alpha", 5), ("n_leaves", 3), ("n_leaves", 5),
    ]  # fmt: skip


def test_the_same_parameter_named_by_series_keeps_its_name(parts):
    assert varied(parts, parameter={"risk": "alpha", "leaves": "alpha"}, values=(0,)).parameter == "alpha"


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
def test_series_without_a_parameter_or_values_are_refused(parts, tmp_path, options, message):
    with pytest.raises(ParameterError, match=message) as told:
        varied(parts, folder=tmp_path / "sweep", **options)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "sweep").exists()


def test_such_a_sweep_comes_back_from_disk(parts, tmp_path):
    found = varied(parts, folder=tmp_path / "sweep")
    back = rr.Sweep.load(tmp_path / "sweep")
    same_sweeps(back, found)
    assert back.summary.equals(found.summary)
    assert repr(back) == repr(found)
    assert back.model(3).n_leaves == 6
    folders = sorted(str(path.relative_to(tmp_path / "sweep" / "models")) for path in
                     (tmp_path / "sweep" / "models").glob("*/*"))  # fmt: skip
    assert folders == ["leaves/n_leaves=3", "leaves/n_leaves=6", "risk/alpha=0", "risk/alpha=5"]


def test_such_a_sweep_called_again_trains_nothing(parts, tmp_path, monkeypatch):
    found = varied(parts, folder=tmp_path / "sweep")
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))
    same_sweeps(varied(parts, folder=tmp_path / "sweep"), found)


def test_the_same_value_of_two_parameters_is_two_models(parts, tmp_path):
    rankers = {"one": trees(), "two": trees()}
    found = varied(
        parts, rankers, parameter={"one": "alpha", "two": "n_leaves"}, values=(3,), folder=tmp_path / "sweep"
    )
    assert [(found.model(i).objective.alpha, found.model(i).n_leaves) for i in (0, 1)] == [(3, 4), (2, 3)]


def test_a_parameter_that_was_another_one_before_is_trained_anew(parts, tmp_path):
    varied(parts, {"one": trees()}, parameter="alpha", values=(3,), folder=tmp_path / "sweep")
    found = varied(parts, {"one": trees()}, parameter={"one": "n_leaves"}, values=(3,), folder=tmp_path / "sweep")
    assert found.model(0).n_leaves == 3
    assert rr.Sweep.load(tmp_path / "sweep").settings == (Setting("one", "n_leaves", 3.0),)


@pytest.mark.parametrize("parameter", ["alpha", "n_leaves"])
def test_sweeps_saved_before_series_had_parameters_still_load(tmp_path, parameter):
    sweep = made_up(judged([[0.1, -0.1], [0.0, 0.2]]), parameter=parameter, series=["a", "b"], values=[3, 5])
    sweep.save(tmp_path / "sweep")
    file = tmp_path / "sweep" / "sweep.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content.pop("parameters") == {"a": parameter, "b": parameter}
    file.write_text(json.dumps(content), encoding="utf-8")
    same_sweeps(rr.Sweep.load(tmp_path / "sweep"), sweep)


def test_made_up_sweeps_over_clicks_come_back_with_their_parameters(tmp_path):
    sweep = made_up_clicks([(RISK, 0), (PREFERENCE, 0.1), (BOTH, 0.1)], points((0.1, 0.5), (0.08, 0.1), (0.05, 0.1)))
    sweep.save(tmp_path / "sweep")
    back = rr.ClickSweep.load(tmp_path / "sweep")
    assert back.settings == sweep.settings
    assert repr(back) == repr(sweep)
    with pytest.raises(ParameterError, match="this sweep has no models: it was read from its results alone"):
        back.model(0)


@pytest.mark.parametrize("damaged", ["alpha", [["a", "alpha"]], {"Risk Sensitive": 5}])
def test_damaged_parameters_of_series_are_told_or_do_no_harm(tmp_path, damaged):
    made_up_clicks([(RISK, 0)], points((0.1, 0.5))).save(tmp_path / "sweep")
    file = tmp_path / "sweep" / "sweep.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "parameters": damaged}))
    try:
        found = rr.ClickSweep.load(tmp_path / "sweep")
    except FileError as error:
        assert "is not a sweep of riskrank, or it is damaged" in str(error)
    else:
        assert repr(found)
