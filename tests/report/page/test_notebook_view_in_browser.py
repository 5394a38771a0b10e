"""What a notebook shows, in a real browser: in notebooks of every theme."""

from __future__ import annotations

import pytest

from ..browsing import needs_browser, saved

pytestmark = needs_browser

LOADED = "return document.readyState === 'complete'"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("body", "is_dark"),
    [("", False), ('style="background: #111" data-jp-theme-light="false"', True), ('data-jp-theme-light="true"', False),
     ('class="vscode-dark" style="background: #1e1e1e"', True)],
    ids=["any", "JupyterLab, dark", "JupyterLab, light", "VS Code, dark"],
)  # fmt: skip
def test_text_can_be_read_whatever_the_theme_of_the_notebook_and_of_the_system(
    tab, place, assessed, scheme, body, is_dark
):
    cell = saved(place / "cell.html", f"<!doctype html><body {body}>{assessed[0]._repr_html_()}</body>")
    tab.prefer(scheme)
    tab.open(cell, until=LOADED)
    for selector in (".notebook p, .notebook th, .notebook td, .notebook b", ".notebook svg text"):
        assert min(ratio for _, ratio in tab.contrasts(selector)) >= 4.5
    ground = tab.run("return getComputedStyle(document.querySelector('.notebook')).backgroundColor")
    assert ground == ("rgb(19, 22, 25)" if is_dark else "rgb(255, 255, 255)")
    assert tab.requests() == [cell.as_uri()]
    assert tab.console() == []


@pytest.mark.parametrize("width", [1000, 390])
def test_it_is_low_and_as_wide_as_the_cell(tab, place, assessed, width):
    tab.resize(width)
    head = '<!doctype html><meta name="viewport" content="width=device-width">'
    tab.open(saved(place / "cell.html", f"{head}<body>{assessed[0]._repr_html_()}</body>"), until=LOADED)
    assert tab.run("return document.documentElement.scrollWidth") == width
    if width > 900:
        assert tab.run("return document.querySelector('.notebook').offsetHeight") <= 420
