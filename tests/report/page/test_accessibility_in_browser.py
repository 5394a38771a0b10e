"""Pages against axe-core, which knows most of what WCAG asks of them, in the light and in the dark."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files

from ...tradeoff.synthetic_clicks import synthetic_click_sweep
from ..browsing import needs_browser, saved
from ..clicks.click_sweeps import MODELS, pages_of

pytest.importorskip("axe_playwright_python", reason="needs axe-core, as this package brings it")
pytestmark = needs_browser

READY = "return document.readyState === 'complete'"
RUN = """const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => done(violations.map(({id, help, nodes}) =>
    [id, help, nodes.slice(0, 5).map(({html, failureSummary}) => [html.slice(0, 200), failureSummary])])))"""


@pytest.fixture(scope="module")
def axe():
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def many():
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, 40)
    rows = {"base": base}
    rows |= {f"system_{i}": np.clip(base + rng.normal(0.02 * (i % 7 - 3), 0.05, 40), 0, 1) for i in range(65)}
    return rr.assess(rr.Effectiveness.from_rows({**rows, "far": base * 0}), "base", alphas=(0, 1, 5)).to_html()


def gate():
    qrels, runs = example_files()
    return rr.gate(qrels, runs["neural"], runs["bm25"], max_risk=0.01, max_loss=0.3, max_hurt=0.3).to_html()


def clicks():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1)).to_html()


@pytest.fixture(scope="module")
def pages(place, trec, risks):
    """Pages by name, made when they are asked for."""

    def made(name):
        if name in ("four systems", "sweep"):
            return trec if name == "four systems" else risks[0]
        text = {"many systems": many, "gate": gate, "clicks": clicks}[name]()
        return saved(place / f"{name}.html", text)

    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["four systems", "many systems", "gate", "sweep", "clicks"])
def test_axe_finds_nothing(tab, pages, axe, name, scheme):
    page = pages(name)
    tab.prefer(scheme)
    tab.open(page, until=READY)
    tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
    tab.run(axe)
    assert tab.driver.execute_async_script(RUN) == []
