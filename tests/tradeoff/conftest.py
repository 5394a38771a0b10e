"""Data and sweeps that several modules of tests share."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.tradeoff import sweep_plan

from .small_sweeps import PREDICTORS, TEXT, quick, ranker
from .synthetic_sweeps import judged, synthetic_sweep


@pytest.fixture(scope="session")
def parts():
    data = web_search_data(120, documents_per_query=20, n_features=20)
    return [data.take(slice(*ends)) for ends in ((0, 50), (50, 80), (80, 120))]


@pytest.fixture(scope="session")
def small():
    """For sweeps that are made many times."""
    data = web_search_data(36, documents_per_query=8, n_features=20, random_state=1)
    return [data.take(slice(*ends)) for ends in ((0, 16), (16, 24), (24, 36))]


@pytest.fixture
def two_cores(monkeypatch):
    """So that models side by side have a thread each, and are the same to the last bit, on any machine."""
    monkeypatch.setattr(sweep_plan, "usable_cores", lambda: 2)


@pytest.fixture(scope="session")
def swept(parts):
    rankers = {"URisk": ranker(), "for AP": ranker(rr.URisk("AP"))}
    return quick(parts, rankers, values=(5, 0, 1), measures=["AP", "nDCG@10", "RR"], predictors=PREDICTORS)


@pytest.fixture(scope="session")
def models(parts):
    """The models of that sweep, trained one by one."""
    train, valid, _ = parts
    return [
        ranker(rr.URisk(measure, alpha=alpha)).fit(train, baseline=TEXT, valid=valid)
        for measure in ("nDCG@10", "AP")
        for alpha in (0.0, 1.0, 5.0)
    ]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sweep"


@pytest.fixture
def by_hand():
    """Four queries; the first model has gain 0.2 and risk 0.05, the second 0.15 and 0.025, the third 0.05 and 0."""
    delta = [[0.6, 0.2, 0.2, -0.2], [0.4, 0.2, 0.1, -0.1], [0.2, 0.0, 0.0, 0.0]]
    predictors = {"p": np.array([1.0, 2.0, 3.0, 4.0])}
    test = judged(delta, baseline=0.3, predictors=predictors)
    return synthetic_sweep(test, thresholds={"p": [0.0, 2.5, 3.5, 4.0]}, series=["a", "a", "b"], values=[0, 1, 0])
