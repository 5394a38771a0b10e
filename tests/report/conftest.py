from __future__ import annotations

import sys

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files

from ..tradeoff.synthetic_sweeps import judged, synthetic_sweep

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new <1>": [0.6, 0.1, 0.9, 0.6]}, topics=["t1", "t2", "t3", "t4"], measure="AP"
)


@pytest.fixture(scope="session")
def assessment():
    """Two systems, four topics."""
    return rr.assess(SCORES, baseline="old")


@pytest.fixture(scope="session")
def sweep():
    """Two models, four queries."""
    return synthetic_sweep(judged([[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08]]))


@pytest.fixture(scope="session")
def texts(assessment, sweep):
    """Their pages."""
    return assessment.to_html(), sweep.to_html()


@pytest.fixture
def hidden(monkeypatch):
    """As if a library were not installed."""

    def hide(name):
        monkeypatch.setitem(sys.modules, name, None)
        for module in [each for each in sys.modules if each.startswith("riskrank.report.charts.")]:
            monkeypatch.delitem(sys.modules, module)
            monkeypatch.delattr(module, raising=False)

    return hide


# Larger ones, for the browser.


@pytest.fixture(scope="session")
def assessed():
    """Of the example; precision at 5 has many ties."""
    qrels, runs = example_files()
    scores = rr.evaluate(qrels, runs, ["nDCG@10", "P@5"])
    assert (scores["P@5"]["bm25"] == scores["P@5"]["neural"]).sum() > 3
    return [rr.assess(each, baseline="bm25", alphas=(0, 1, 5)) for each in scores.values()]


@pytest.fixture(scope="session")
def trec(place, assessed):
    """The page of the first of the two measures."""
    qrels, runs = example_files()
    assessed[0].to_html(place / "trec.html", qrels=qrels, runs=runs)
    return place / "trec.html"


@pytest.fixture(scope="session")
def risks(place):
    """Three models of one objective and two of another, with a predictor, and an operating point."""
    rng = np.random.default_rng(0)
    x = rng.random(120)
    rows = [np.where(rng.random(120) < 0.7 - 0.1 * k, 1, -0.6) * rng.random(120) * 0.1 * (4 - k) for k in range(3)]
    rows += [row * 0.5 for row in rows[:2]]
    part = judged(rows, baseline=0.5, distance=rng.random((5, 120)), predictors={"max feature:1": x})
    sweep = synthetic_sweep(
        part, series=["URisk"] * 3 + ["SARO"] * 2, values=[0, 1, 5, 0, 5], valid=part,
        thresholds={"max feature:1": np.linspace(0, 1, 21)},
    )  # fmt: skip
    point = sweep.choose("risk", max_risk=0.03)
    assert point.index is not None
    sweep.to_html(place / "sweep.html", point=point)
    return place / "sweep.html", sweep, point


# The browser.


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from .browsing import start

    driver = start(tmp_path_factory.mktemp("browser"))
    yield driver
    driver.quit()


@pytest.fixture
def tab(browser):
    from .browsing import Tab

    yield Tab(browser)
    Tab(browser).prefer()
    Tab(browser).resize()


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """A folder for pages."""
    return tmp_path_factory.mktemp("pages")
