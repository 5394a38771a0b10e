"""Small sweeps that tests make many times, and what they compare."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr

TEXT = rr.Feature(1)
PREDICTORS = ("max feature:1", "margin", "gain")


def ranker(objective=None, **parameters):
    chosen = rr.URisk("nDCG@10") if objective is None else objective
    return rr.LambdaMART(chosen, **{"n_trees": 6, "n_leaves": 4, "n_threads": 1, **parameters})


def quick(parts, rankers=None, *, baseline=TEXT, **options):
    train, valid, test = parts
    rankers = ranker(n_trees=3) if rankers is None else rankers
    given = {"values": (0, 1), "valid": valid, "test": test, "n_jobs": 1, **options}
    return rr.sweep(train, rankers, baseline=baseline, **given)


def same_sweeps(one, other):
    """All but where the models are."""
    for name in (
        "measure",
        "parameter",
        "baseline",
        "settings",
        "is_valid_fresh",
        "unit",
        "n_folds",
        "learning_baseline",
    ):
        assert getattr(one, name) == getattr(other, name), name
    assert one.learning_baseline == other.learning_baseline
    np.testing.assert_array_equal(one.train_gain, other.train_gain)
    np.testing.assert_array_equal(one.train_risk, other.train_risk)
    for mine, theirs in zip(one.learning, other.learning, strict=True):
        for curve, expected in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(curve, expected)
    assert list(one.thresholds) == list(other.thresholds) == list(one.predictors) == list(other.predictors)
    for name, limits in one.thresholds.items():
        np.testing.assert_array_equal(limits, other.thresholds[name])
        assert json.dumps(one.predictors[name].to_dict()) == json.dumps(other.predictors[name].to_dict())
    for name in ("test", "valid", "calibration"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        if mine is not None:
            same_judged(mine, theirs)


def same_judged(one, other):
    assert one.queries == other.queries
    for name in ("fold", "baseline", "values", "distance", "is_reranked"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("predictors", "others"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert list(mine) == list(theirs)
        for label, values in mine.items():
            np.testing.assert_array_equal(values, theirs[label], err_msg=label)


def untrainable(monkeypatch):
    monkeypatch.setattr(rr.LambdaMART, "fit", lambda *_, **__: pytest.fail("trained"))


class Trainings:
    """Notes the models that are trained; one that is told to fails."""

    def __init__(self, monkeypatch, *, fails_at=None, error=KeyboardInterrupt):
        self.models = []
        fit = rr.LambdaMART.fit

        def noted(model, *arguments, **options):
            self.models.append(model)
            if len(self.models) == fails_at:
                raise error
            return fit(model, *arguments, **options)

        monkeypatch.setattr(rr.LambdaMART, "fit", noted)

    @property
    def alphas(self):
        return [model.objective.alpha for model in self.models]

    @property
    def kinds_and_betas(self):
        return [(type(model).__name__, getattr(model, "beta", None)) for model in self.models]

    def forget(self):
        self.models.clear()


def counted(function, calls):
    def call(*arguments):
        calls.append(None)
        return function(*arguments)

    return call


def trec_run(data, path, *, depth=None):
    """The text score as a TREC run, of the first documents of each query."""
    order = np.lexsort((-data.feature(1), np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))))
    ids, lines = data.ids, []
    for q, query in enumerate(data.query_ids):
        rows = order[slice(*data.query_offsets[q : q + 2])][:depth]
        lines += [f"{query} Q0 {ids[row]} {r} {-r} text\n" for r, row in enumerate(rows, start=1)]
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(lines)


def letor(data, *, first=1):
    lines = []
    for q, query in enumerate(data.query_ids):
        for row in range(data.query_offsets[q], data.query_offsets[q + 1]):
            features = " ".join(f"{i}:{x!r}" for i, x in enumerate(data.features[row].tolist(), start=first) if x)
            lines.append(f"{data.labels[row]:g} qid:{query} {features}\n")
    return "".join(lines)
