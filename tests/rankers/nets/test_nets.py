"""Nets, the standardisation in front of them, modules of a user's own, and the file they are kept in."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError, TrainingError

from ..contract import with_features

torch = pytest.importorskip("torch", reason="nets need PyTorch")
nn = torch.nn

from riskrank.rankers.nets.nets import FARTHEST, Standardise  # noqa: E402 (needs PyTorch)

from .small_nets import Own, net_of, own, weights  # noqa: E402 (needs PyTorch)

# Standardisation.


def learned(*columns):
    features = np.column_stack(columns).astype(np.float32)
    standardise = Standardise(features.shape[1])
    standardise.learn(features)
    return standardise, features


def standard(standardise, features, dtype=torch.float64):
    return standardise(torch.tensor(features, dtype=dtype)).numpy()


def signed_log(values):
    return np.sign(values) * np.log1p(np.abs(values))


def test_features_get_mean_0_and_spread_1():
    rng = np.random.default_rng(0)
    columns = (rng.uniform(3, 5, 900), rng.normal(1e6, 10, 900), rng.lognormal(0, 2, 900), rng.integers(0, 2, 900))
    standardised = standard(*learned(*columns))
    inside = np.abs(standardised).max(axis=0) < FARTHEST
    assert inside.sum() >= 3
    np.testing.assert_allclose(standardised[:, inside].mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(standardised[:, inside].std(axis=0), 1, atol=1e-9)
    np.testing.assert_allclose(standardised[:, 0], (columns[0] - columns[0].mean()) / columns[0].std(), atol=1e-6)


def test_long_tails_are_taken_on_a_logarithmic_scale_in_both_directions():
    rng = np.random.default_rng(0)
    counts, both = rng.lognormal(3, 2, 900), rng.lognormal(3, 2, 900) * rng.choice([-1, 1], 900)
    standardise, features = learned(counts, both, rng.uniform(0, 1, 900))
    assert standardise.is_log.tolist() == [1, 1, 0]
    logs = signed_log(features[:, :2].astype(np.float64))
    np.testing.assert_allclose(
        standard(standardise, features)[:, :2], (logs - logs.mean(axis=0)) / logs.std(axis=0), atol=1e-9
    )


@pytest.mark.parametrize("values", [np.random.default_rng(0).normal(size=900), np.linspace(-1, 1, 900)])
def test_features_without_long_tails_are_only_shifted_and_scaled(values):
    standardise, features = learned(values)
    assert standardise.is_log.tolist() == [0]
    np.testing.assert_allclose(
        standard(standardise, features)[:, 0], (values - values.mean()) / values.std(), atol=1e-5
    )


def test_missing_and_constant_values_become_0_whatever_comes_later():
    nothing, flat, some = np.full(4, np.nan), np.full(4, 7.0), np.array([1.0, np.nan, 2.0, 6.0])
    standardise, features = learned(nothing, flat, some)
    standardised = standard(standardise, features)
    np.testing.assert_array_equal(standardised[:, :2], 0)
    assert standardised[1, 2] == 0
    assert standardised[[0, 2, 3], 2].mean() == pytest.approx(0)
    later = standard(standardise, [[5.0, 8.0, np.nan], [np.nan, np.nan, np.nan], [-1e30, 1e30, 3.0]])
    np.testing.assert_array_equal(later[:, :2], 0)
    np.testing.assert_array_equal(later[:2, 2], 0)


def test_the_usual_value_of_a_feature_scores_like_a_missing_one():
    rng = np.random.default_rng(0)
    standardise, _ = learned(rng.normal(3, 1, 900), rng.exponential(5, 900) ** 3, np.full(900, 7.0))
    assert standardise.is_log.tolist() == [0, 1, 0]
    usual = standardise.usual_values()
    assert np.isnan(usual).tolist() == [False, False, True]
    np.testing.assert_allclose(standard(standardise, [[*usual[:2], 7.0]], torch.float64), 0, atol=1e-12)


def test_what_is_far_out_is_taken_for_8_standard_deviations():
    standardise, _ = learned(np.linspace(10, 20, 50))
    for dtype in (torch.float32, torch.float64):
        standardised = standard(standardise, [[1e30], [-1e30], [3e38], [15.0]], dtype)
        np.testing.assert_allclose(standardised[:, 0], [8, -8, 8, 0], atol=1e-6)


def test_a_monotone_scale_keeps_the_order_of_every_feature():
    rng = np.random.default_rng(1)
    standardise, features = learned(*(rng.standard_t(2, 300) * scale for scale in (1e-6, 1.0, 1e4)))
    order = np.argsort(features, axis=0)
    assert (np.diff(np.take_along_axis(standard(standardise, features), order, axis=0), axis=0) >= 0).all()


@pytest.mark.parametrize(("smallest", "spread"), [(1.6e9, 5000), (1e7, 30)], ids=["seconds", "numbers"])
def test_training_sees_the_features_that_prediction_sees(smallest, spread):
    """Times in seconds, say: large, and not far apart."""
    standardise, features = learned(smallest + np.random.default_rng(0).exponential(spread, 900))
    single, double = (standard(standardise, features, dtype) for dtype in (torch.float32, torch.float64))
    np.testing.assert_allclose(single, double, atol=0.01)
    assert len(np.unique(single)) == len(np.unique(features))


def test_the_scale_is_that_of_the_training_data_only(train, valid):
    with_valid = net_of(net="linear").fit(train, valid=with_features(valid, 1000 * valid.features))
    ranker = net_of(net="linear").fit(train)
    expected, _ = learned(*train.features.T)
    for name, value in weights(expected).items():
        np.testing.assert_array_equal(weights(ranker.standardise_)[name], value)
        np.testing.assert_array_equal(weights(with_valid.standardise_)[name], value)
    ranker.predict(1000 * valid.features)
    np.testing.assert_array_equal(weights(ranker.standardise_)["shift"], weights(expected)["shift"])


def test_the_unit_of_a_feature_does_not_matter():
    """Uniform on [2, 3] is far from 0 and has no tails: only its mean and spread count."""
    features = np.random.default_rng(0).uniform(2, 3, (60, 4))
    labels = np.digitize(features[:, 0], [2.5, 2.8])
    factors = 2.0 ** np.array([3, 5, 1, 8])
    one, other = (
        net_of(standardise=True, n_epochs=3).fit(each, labels, group=[10] * 6).predict(each)
        for each in (features, features * factors)
    )
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_without_standardisation_the_net_gets_bare_features(train, valid, tmp_path):
    ranker = net_of(net="linear", standardise=False).fit(train)
    assert ranker.standardise_ is None
    layer = weights(ranker.net_)
    np.testing.assert_allclose(
        ranker.predict(valid), valid.features @ layer["0.weight"][0] + layer["0.bias"][0], rtol=1e-4, atol=1e-5
    )
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    assert back.standardise_ is None
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))


def test_bare_features_must_not_be_missing(train):
    features = np.array(train.features)
    features[3, 2] = np.nan
    with pytest.raises((ParameterError, TrainingError), match="missing|NaN|standardise"):
        net_of(standardise=False).fit(with_features(train, features))


@pytest.mark.parametrize("use", ["predict", "valid"])
def test_bare_features_must_not_be_missing_later_either(use, train, valid):
    features = np.array(valid.features)
    features[3, 2] = np.nan
    ranker = net_of(standardise=False).fit(train)
    with pytest.raises((ParameterError, TrainingError), match="missing|NaN|standardise"):
        ranker.predict(features) if use == "predict" else ranker.fit(train, valid=with_features(valid, features))


# The file, and scores from it.


def by_hand(folder, features):
    """Scores with NumPy alone."""
    from safetensors.numpy import load_file

    kept = load_file(folder / "model.safetensors")
    x = features.astype(np.float64)
    x = np.where(kept["standardise.is_log"] == 1, signed_log(x), x)
    x = np.clip(np.nan_to_num((x - kept["standardise.shift"]) * kept["standardise.scale"]), -8, 8)
    layers = sorted({name.split(".")[1] for name in kept if name.startswith("net.")}, key=int)
    is_tanh = json.loads((folder / "card.json").read_text(encoding="utf-8"))["parameters"]["net"] == "two-layer"
    for layer in layers:
        x = x @ kept[f"net.{layer}.weight"].T.astype(np.float64) + kept[f"net.{layer}.bias"]
        if layer != layers[-1]:
            x = np.tanh(x) if is_tanh else np.maximum(x, 0)
    return x[:, 0]


@pytest.mark.parametrize(
    ("net", "hidden", "shapes"),
    [
        ("linear", None, [(1, 20)]),
        ("two-layer", None, [(10, 20), (1, 10)]),
        ("two-layer", 3, [(3, 20), (1, 3)]),
        ("mlp", (7, 5), [(7, 20), (5, 7), (1, 5)]),
        ("mlp", None, [(128, 20), (64, 128), (1, 64)]),
    ],
)
def test_the_file_alone_gives_the_scores(net, hidden, shapes, train, valid, tmp_path):
    from safetensors.numpy import load_file

    ranker = net_of(net=net, hidden=hidden).fit(train)
    ranker.save(tmp_path)
    kept = load_file(tmp_path / "model.safetensors")
    assert {name.split(".")[0] for name in kept} == {"net", "standardise"}
    assert [value.shape for name, value in sorted(kept.items()) if name.endswith("weight")] == shapes
    assert {name for name in kept if name.startswith("s")} == {f"standardise.{x}" for x in ("shift", "scale", "is_log")}
    holes = np.where(np.random.default_rng(0).random(valid.features.shape) < 0.1, np.nan, valid.features)
    for features in (valid.features, holes):
        np.testing.assert_allclose(by_hand(tmp_path, features), ranker.predict(features), rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(rr.load(tmp_path).predict(holes), ranker.predict(holes))


@pytest.mark.parametrize("net", ["linear", "two-layer", "mlp"])
def test_scores_do_not_depend_on_which_documents_are_scored_together(net, train, valid):
    ranker = net_of(net=net, hidden=None).fit(train)
    rng = np.random.default_rng(0)
    for features in (valid.features, rng.normal(size=(500, 20)) * 10.0 ** rng.integers(-3, 4, 20)):
        together = ranker.predict(features)
        for size in (1, 2, 3, 5, 8, 17, 64, len(features) - 1):
            rows = rng.choice(len(features), size, replace=False)
            np.testing.assert_array_equal(ranker.predict(features[rows]), together[rows])


# Modules of a user's own.


class Wrong(Own):
    def __init__(self, spoil):
        super().__init__()
        self.spoil = spoil

    def forward(self, x):
        return self.spoil(super().forward(x))


def test_a_module_is_used_as_it_is_given_and_left_alone(train):
    module = own()
    before = weights(module)
    still = net_of(net=module, n_epochs=1, learning_rate=1e-30, weight_decay=0.0).fit(train)
    for name, value in weights(still.net_).items():
        np.testing.assert_array_equal(value, before[name])
    moved = net_of(net=module).fit(train)
    assert isinstance(moved.net_, Own)
    assert (weights(moved.net_)["first.weight"] != before["first.weight"]).any()
    for name, value in weights(module).items():
        np.testing.assert_array_equal(value, before[name])
    assert moved.net is module
    assert module.first.weight.grad is None
    assert module.training
    np.testing.assert_array_equal(net_of(net=module).fit(train).predict(train), moved.predict(train))


def test_a_module_may_give_a_column_or_a_flat_vector(train, valid):
    column, flat = (net_of(net=own(is_flat=is_flat)).fit(train) for is_flat in (False, True))
    np.testing.assert_array_equal(column.predict(valid), flat.predict(valid))
    np.testing.assert_allclose(flat.predict(valid.features[:1]), flat.predict(valid)[:1], rtol=1e-5)
    assert len(np.unique(flat.predict(valid))) > 5


def test_a_module_learns_what_the_same_net_of_ours_learns(train, valid):
    ours = net_of(net="two-layer", hidden=6, n_epochs=1, learning_rate=1e-30, weight_decay=0.0).fit(train)
    theirs = nn.Sequential(nn.Linear(20, 6), nn.Tanh(), nn.Linear(6, 1))
    theirs.load_state_dict(ours.net_.state_dict())
    one = net_of(net="two-layer", hidden=6, n_epochs=4).fit(train)
    np.testing.assert_allclose(net_of(net=theirs, n_epochs=4).fit(train).predict(valid), one.predict(valid), atol=1e-6)


@pytest.mark.parametrize(
    ("spoil", "shape"),
    [
        (lambda s: torch.cat([s, s], dim=1), r"\(438, 2\)"),
        (lambda s: s.T, r"\(1, 438\)"),
        (lambda s: s[1:], r"\(437, 1\)"),
        (lambda s: s.sum(), r"\(\)"),
        (lambda s: s[:, :, None], r"\(438, 1, 1\)"),
    ],
    ids=["two columns", "a row", "too few", "a number", "deep"],
)
def test_a_module_must_give_one_score_per_document(spoil, shape, train):
    ranker = net_of(net=Wrong(spoil))
    with pytest.raises(ParameterError, match=f"one score per document: 438 rows of features gave .* shape {shape}"):
        ranker.fit(train)
    assert not hasattr(ranker, "net_")


def test_a_module_of_another_width_is_refused_in_one_line(train):
    with pytest.raises(ParameterError, match="the net fails on rows of 20 features: mat1 and mat2") as caught:
        net_of(net=nn.Linear(3, 1)).fit(train)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("net", [Wrong(lambda s: (s, s)), nn.Flatten()], ids=["gives a tuple", "has no weights"])
def test_a_module_that_cannot_learn_is_refused(net, train):
    with pytest.raises(ParameterError, match="net"):
        net_of(net=net).fit(with_features(train, train.features[:, :1]) if isinstance(net, nn.Flatten) else train)


class Mirror(nn.Module):
    """With a tensor that PyTorch knows nothing of, like masks and constants often are."""

    def __init__(self):
        super().__init__()
        self.turned = torch.eye(20).flip(0)

    def forward(self, x):
        return x @ self.turned


def test_a_sequence_with_parts_of_the_users_own_may_hold_plain_tensors(train, valid):
    scores = net_of(net=nn.Sequential(Mirror(), own())).fit(train).predict(valid)
    assert len(np.unique(scores)) > 5


class Busy(nn.Module):
    """With all that a module may keep: running means, counts, shared and transposed weights, dropout."""

    def __init__(self):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(20), nn.Dropout(0.2)
        self.one, self.two = nn.Linear(20, 20), nn.Linear(20, 20)
        self.two.weight = self.one.weight
        self.out = nn.Parameter(torch.linspace(-1, 1, 20)[None, :].t())

    def forward(self, x):
        return torch.relu(self.two(torch.relu(self.one(self.drop(self.norm(x)))))) @ self.out


def test_all_that_a_module_keeps_is_saved(train, valid, tmp_path):
    ranker = net_of(net=Busy()).fit(train, valid=valid)
    assert weights(ranker.net_)["norm.num_batches_tracked"] > 0
    ranker.save(tmp_path)
    back = rr.LambdaNet.load(tmp_path, net=Busy())
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))
    assert back.net_.one.weight is back.net_.two.weight
    np.testing.assert_array_equal(ranker.predict(valid), ranker.predict(valid))  # no dropout, no new means
