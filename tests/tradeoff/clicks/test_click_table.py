"""The table of clicks: every column against a plain count, and the models that validation chooses, not the test."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy import stats

import riskrank as rr
from riskrank.clicks import page_writer
from riskrank.clicks.prepared import Prepared
from riskrank.errors import FileError, ParameterError
from riskrank.tradeoff.clicks.click_table import (
    NEAR,
    PARITY,
    STANDARD,
    chosen_models,
    click_table,
    click_table_on,
)

from ..plain_clicks import PlainPages
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
from ..synthetic_sweeps import judged, synthetic_sweep

NUMBERS = (
    "n", "effectiveness", "gain", "gain_per_reranked", "reranked", "risk_share", "gain_share", "kendall_tau",
    "kendall_tau_reranked", "p_value", "gain_nDCG@10",
)  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("clicks")


@pytest.fixture(scope="module")
def prepared(place):
    """In many files, so that there are several batches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_writer, "DOCUMENTS_IN_FILE", 300)
        clicks = prepared_clicks(place)
    assert len(list((clicks.folder / "test").iterdir())) > 2
    return clicks


@pytest.fixture(scope="module")
def swept(prepared, place):
    return rr.click_sweep(prepared, **GRIDS, **SMALL, folder=place / "models")


def plain_table(sweep, data):
    """All columns of all chosen models, by a plain count."""
    chosen = chosen_models(sweep)
    counted = {}
    for i in set(chosen.values()):
        counted[i] = PlainPages(data, data.feature(1), sweep.model(i).predict(data))
    return {
        method: {**counted[i].columns(counted[sweep.reference_model]), "gain_nDCG@10": np.mean(counted[i].ndcg_changes)}
        for method, i in chosen.items()
    }


def same_rows(rows, expected):
    assert [row.method for row in rows] == list(expected)
    for row in rows:
        columns = row.to_dict()
        assert list(columns) == ["method", "parameter", *NUMBERS]
        for column in NUMBERS:
            value = pytest.approx(expected[row.method][column], rel=1e-7, abs=1e-12, nan_ok=True)
            assert columns[column] == value, (row.method, column)


def same_tables(one, other):
    same_rows(one, {row.method: row.to_dict() for row in other})
    for row, expected in zip(one, other, strict=True):
        assert row.parameter == expected.parameter
        assert row.other_gains == pytest.approx(expected.other_gains, rel=1e-7, abs=1e-12)


# The columns.


def test_every_column_is_what_a_plain_count_finds(swept, prepared):
    rows = click_table(swept)
    assert [row.method for row in rows] == [
        STANDARD, PREFERENCE, RISK, PARITY, NEAR, LOWEST, "Preference and Risk",
    ]  # fmt: skip
    same_rows(rows, plain_table(swept, prepared.read("test")))


def test_columns_by_hand():
    # Changes of Standard Gain: +0.4, −0.2, 0, +0.2, so a gain of 0.1 and a mean loss of 0.05. Three pages re-ranked.
    # The other one: +0.2, −0.1, 0, 0: 0.025 and 0.025, on two pages. τ is 1 − 2 × distance.
    test = judged(
        [[0.4, -0.2, 0.0, 0.2], [0.2, -0.1, 0.0, 0.0]],
        distance=[[0.1, 0.2, 0.3, 0.0], [0.05, 0.15, 0.0, math.nan]],
        is_reranked=[[True, True, True, False], [True, True, False, False]],
    )
    full, other = click_table(synthetic_click_sweep([(RISK, 0), (PREFERENCE, 0.5)], test))
    assert (full.method, full.parameter, full.n) == (STANDARD, "α = 0", 4)
    assert (other.method, other.parameter, other.n) == (PREFERENCE, "β = 0.5", 4)
    assert (full.effectiveness, other.effectiveness) == pytest.approx((0.6, 0.525))
    assert (full.gain, other.gain) == pytest.approx((0.1, 0.025))
    assert (full.gain_per_reranked, other.gain_per_reranked) == pytest.approx((0.4 / 3, 0.05))
    assert (full.reranked, other.reranked) == (0.75, 0.5)
    assert (full.risk_share, other.risk_share) == pytest.approx((1.0, 0.5))
    assert (full.gain_share, other.gain_share) == pytest.approx((1.0, 0.25))
    assert (full.kendall_tau, other.kendall_tau) == pytest.approx((0.7, 2.6 / 3))  # one page has one document
    assert (full.kendall_tau_reranked, other.kendall_tau_reranked) == pytest.approx((0.6, 0.8))
    for row, changes in zip((full, other), test.values - test.baseline, strict=True):
        assert row.p_value == pytest.approx(stats.ttest_1samp(changes, 0.0).pvalue)


def test_a_model_that_changes_nothing_has_no_test_and_no_tau_of_what_it_changes():
    _, row = click_table(synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], judged([[0.2, -0.1], [0, 0]])))
    assert (row.gain, row.reranked, row.kendall_tau, row.gain_share, row.risk_share) == (0, 0, 1, 0, 0)
    for column in ("gain_per_reranked", "kendall_tau_reranked", "p_value"):
        assert math.isnan(getattr(row, column)), column


def test_shares_of_nothing_are_not_known():
    models = [(RISK, 0), (RISK, 5)]
    harmless = click_table(synthetic_click_sweep(models, judged([[0.2, 0.1], [0.1, 0.0]])))
    assert all(math.isnan(row.risk_share) for row in harmless)
    assert [row.gain_share for row in harmless] == pytest.approx([1, 1 / 3])
    useless = click_table(synthetic_click_sweep(models, judged([[0.1, -0.2], [0.0, -0.05]])))
    assert all(math.isnan(row.gain_share) for row in useless)
    assert [row.risk_share for row in useless] == pytest.approx([1, 0.25])


def test_the_table_is_the_same_from_disk(swept, place):
    same_tables(click_table(rr.ClickSweep.load(place / "models")), click_table(swept))


def test_the_frame_of_a_sweep_is_its_table(swept):
    frame = swept.table
    rows = [row.to_dict() for row in click_table(swept)]
    assert frame.columns == list(rows[0])
    assert [pytest.approx(row, nan_ok=True) for row in rows] == frame.to_dicts()


# On other pages.


@pytest.mark.parametrize("part", ["test", "valid"])
def test_in_one_pass_the_columns_are_the_same(swept, prepared, part):
    rows = click_table_on(swept, prepared, part)
    same_rows(rows, plain_table(swept, prepared.read(part)))
    if part == "test":
        same_tables(rows, click_table(swept))


def test_a_sweep_from_disk_judges_other_clicks_as_well(swept, prepared, place):
    same_tables(click_table_on(rr.ClickSweep.load(place / "models"), prepared), click_table(swept))


def test_models_are_chosen_by_validation_and_not_by_the_pages_at_hand(swept, prepared):
    chosen = {method: swept.settings[i].value for method, i in chosen_models(swept).items()}
    for row in click_table_on(swept, prepared, "train"):
        assert f" = {chosen[row.method]:g}" in row.parameter


def test_each_model_is_loaded_and_asked_once(swept, prepared, monkeypatch):
    loaded = []
    model = type(swept).model
    monkeypatch.setattr(type(swept), "model", lambda self, i, fold=1: loaded.append(i) or model(self, i, fold))
    click_table_on(swept, prepared)
    assert sorted(loaded) == sorted(set(chosen_models(swept).values()))


def with_features(prepared, features):
    return Prepared(prepared.folder, {**prepared.card, "features": list(features)})


def test_other_features_are_refused(swept, prepared):
    names = prepared.features
    with pytest.raises(ParameterError, match="other features than prepared has .differing: domain_rate.. Prepare the"):
        click_table_on(swept, with_features(prepared, names[:-1]))
    with pytest.raises(ParameterError, match="differing: mine"):
        click_table_on(swept, with_features(prepared, [*names, "mine"]))
    with pytest.raises(ParameterError, match="their order differs"):
        click_table_on(swept, with_features(prepared, [names[0], *names[:0:-1]]))


def test_a_part_that_is_not_there_is_refused(swept, prepared):
    with pytest.raises(ParameterError, match="part must be one of train, valid, test, got 'history'"):
        click_table_on(swept, prepared, "history")


def test_a_sweep_that_knows_no_features_cannot_be_judged_elsewhere(swept, prepared, tmp_path):
    with pytest.raises(ParameterError, match="this sweep has no folder with its models"):
        click_table_on(dataclasses.replace(swept, folder=None), prepared)
    for content in (None, "{", "[]", json.dumps({"format": "riskrank clicks"})):
        if content is not None:
            (tmp_path / "clicks.json").write_text(content)
        with pytest.raises(FileError, match="is not a sweep over clicks .it has no readable clicks.json"):
            click_table_on(dataclasses.replace(swept, folder=tmp_path), prepared)


# Which models.


MODELS = [
    (RISK, 0), (RISK, 1), (RISK, 5), (PREFERENCE, 0.1), (PREFERENCE, 0.5), (LOWEST, 1), (LOWEST, 2), (BOTH, 0.1),
    ("Preference and Risk, α = 5", 0.2),
]  # fmt: skip
# Gain and share re-ranked on validation. Against the reference model's 0.10 at 0.8, the areas are: of beta 0.1
# (0.25 × 0.095 / 2 + 0.55 × 0.195 / 2) / 0.08 = 0.82, of beta 0.5 0.5 (below the coin's line); of alpha 1
# (0.5 × 0.08 / 2 + 0.3 × 0.09) / 0.08 = 0.59, of alpha 5 (0.1 × 0.02 / 2 + 0.7 × 0.06) / 0.08 = 0.54.
VALID = (
    (0.10, 0.8), (0.08, 0.5), (0.02, 0.1), (0.095, 0.25), (0.02, 0.2), (0.05, 1.0), (0.07, 1.0), (0.08, 0.2),
    (0.02, 0.1),
)  # fmt: skip
OTHER_WAY = (
    (0.10, 0.8), (0.01, 0.9), (0.08, 0.1), (0.01, 0.75), (0.085, 0.05), (0.09, 1.0), (0.01, 1.0), (0.01, 0.9),
    (0.09, 0.1),
)  # fmt: skip
CHOSEN = {STANDARD: 0, PREFERENCE: 3, RISK: 1, PARITY: 0, NEAR: 2, LOWEST: 6, "Preference and Risk": 7}


def test_models_are_chosen_on_validation_where_the_test_would_choose_others():
    sweep = synthetic_click_sweep(MODELS, points(*OTHER_WAY), valid=points(*VALID))
    assert chosen_models(sweep) == CHOSEN
    by_test = chosen_models(synthetic_click_sweep(MODELS, points(*OTHER_WAY)))
    assert by_test == {
        STANDARD: 0, PREFERENCE: 4, RISK: 2, PARITY: 2, NEAR: 2, LOWEST: 5, "Preference and Risk": 8,
    }  # fmt: skip


def test_the_numbers_are_those_of_the_test():
    rows = click_table(synthetic_click_sweep(MODELS, points(*OTHER_WAY), valid=points(*VALID)))
    by_method = {row.method: row for row in rows}
    assert list(by_method) == list(CHOSEN)
    for method, i in CHOSEN.items():
        gain, share = OTHER_WAY[i]
        assert by_method[method].gain == pytest.approx(gain)
        assert by_method[method].reranked == pytest.approx(share)


def test_parameters_are_named_in_the_letters_of_the_paper():
    rows = click_table(synthetic_click_sweep(MODELS, points(*OTHER_WAY), valid=points(*VALID)))
    assert {row.method: row.parameter for row in rows} == {
        STANDARD: "α = 0", PREFERENCE: "β = 0.1", RISK: "α = 1", PARITY: "α = 0", NEAR: "α = 5", LOWEST: "β = 2",
        "Preference and Risk": "β = 0.1, α = 1",
    }  # fmt: skip


def test_without_validation_the_test_has_to_do():
    assert chosen_models(synthetic_click_sweep(MODELS, points(*VALID))) == CHOSEN


def plain_area(point, full):
    """Under the best mixture of the order shown, the model and the reference model, at each share re-ranked."""
    corners = [(0.0, 0.0), (point[1], point[0]), (full[1], full[0])]
    at = np.linspace(0, full[1], 1001)
    best = []
    for x in at:
        heights = [y for cost, y in corners if cost <= x]
        for left, low in corners:
            for right, high in corners:
                if left <= x < right:
                    heights.append(low + (high - low) * (x - left) / (right - left))
        best.append(max(heights))
    return np.trapezoid(best, at) / (full[0] * full[1])


@pytest.mark.parametrize("seed", range(10))
def test_the_largest_area_is_the_one_under_mixtures(seed):
    rng = np.random.default_rng(seed)
    full = (0.1, 0.8)
    drawn = [(round(gain, 3), share) for gain, share in zip(rng.uniform(-0.02, 0.12, 8),
                                                           rng.integers(1, 20, 8) / 20, strict=True)]  # fmt: skip
    models = [(RISK, 0), *((PREFERENCE, k + 1) for k in range(8))]
    sweep = synthetic_click_sweep(models, points(full, *drawn))
    areas = [plain_area(point, full) for point in drawn]
    best = chosen_models(sweep)[PREFERENCE] - 1
    assert areas[best] == pytest.approx(max(areas), abs=2e-3)


def test_of_equal_areas_the_first_is_chosen():
    sweep = synthetic_click_sweep(
        [(RISK, 0), (PREFERENCE, 1), (PREFERENCE, 2)], points((0.1, 0.8), (0.05, 0.2), (0.05, 0.2))
    )
    assert chosen_models(sweep)[PREFERENCE] == 1


@pytest.mark.parametrize("full", [(-0.05, 0.8), (0.0, 0.5), (0.0, 0.0)])
def test_where_standard_gain_gains_nothing_the_largest_gain_is_chosen(full):
    gains = ((0.01, 0.9), (0.04, 1.0), (0.02, 0.1))
    models = [(RISK, 0), *((PREFERENCE, k + 1) for k in range(3)), (RISK, 1), (RISK, 2), (BOTH, 1), (BOTH, 2)]
    sweep = synthetic_click_sweep(models, points(full, *gains, (-0.02, 0.1), (-0.01, 1.0), (0.3, 0.5), (0.1, 0.1)))
    chosen = chosen_models(sweep)
    assert (chosen[STANDARD], chosen[PREFERENCE], chosen[RISK], chosen["Preference and Risk"]) == (0, 2, 5, 6)
    rows = click_table(sweep)
    assert all(math.isnan(row.gain_share) for row in rows)


def test_gain_parity_and_near_rerank_are_seen_from_the_chosen_preference_model():
    models = [(RISK, 0), (RISK, 1), (RISK, 2), (RISK, 10), (PREFERENCE, 0.1)]
    valid = points((0.10, 0.9), (0.08, 0.7), (0.05, 0.4), (0.01, 0.2), (0.06, 0.25))
    chosen = chosen_models(synthetic_click_sweep(models, points(*[(0.1, 0.5)] * 5), valid=valid))
    assert chosen[PARITY] == 2  # 0.05 is nearest to 0.06
    assert chosen[NEAR] == 3  # 20 % are nearest to 25 %
    bold = points((0.10, 0.9), (0.08, 0.7), (0.05, 0.4), (0.01, 0.2), (0.12, 0.95))
    chosen = chosen_models(synthetic_click_sweep(models, points(*[(0.1, 0.5)] * 5), valid=bold))
    assert (chosen[PARITY], chosen[NEAR]) == (0, 0)  # Standard Gain is one of the risk-sensitive models


@pytest.mark.parametrize(
    ("models", "methods"),
    [
        ([(RISK, 0)], [STANDARD]),
        ([(RISK, 0), (RISK, 1)], [STANDARD, RISK]),
        ([(RISK, 0), (PREFERENCE, 1)], [STANDARD, PREFERENCE]),
        ([(RISK, 0), (LOWEST, 1)], [STANDARD, LOWEST]),
        ([(RISK, 0), (BOTH, 1)], [STANDARD, "Preference and Risk"]),
        ([(RISK, 0), (RISK, 1), (PREFERENCE, 1)], [STANDARD, PREFERENCE, RISK, PARITY, NEAR]),
        ([(RISK, 0), (RISK, 1), (LOWEST, 1), (BOTH, 1)], [STANDARD, RISK, LOWEST, "Preference and Risk"]),
    ],
)
def test_a_series_that_was_left_out_has_no_row(models, methods):
    sweep = synthetic_click_sweep(models, points(*[(0.1, 0.5)] * len(models)))
    assert list(chosen_models(sweep)) == methods
    assert [row.method for row in click_table(sweep)] == methods


def test_a_sweep_that_is_not_over_clicks_is_refused():
    plain = synthetic_sweep(judged([[0.1, -0.1], [0.0, 0.1]]))
    without_standard = synthetic_click_sweep([(RISK, 1), (RISK, 2)], points((0.1, 0.5), (0.1, 0.5)))
    for sweep in (plain, without_standard):
        with pytest.raises(ParameterError, match="this is not a sweep over clicks: it has no Risk Sensitive") as told:
            click_table(sweep)
        assert "\n" not in str(told.value)
