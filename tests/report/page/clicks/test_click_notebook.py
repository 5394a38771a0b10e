"""What a notebook shows of a sweep over clicks."""

from __future__ import annotations

import re

from riskrank.tradeoff.clicks.click_table import method_standings

from ....tradeoff.synthetic_clicks import synthetic_click_sweep
from ...clicks.click_sweeps import MODELS, pages_of
from ..page_text import text_of
from .hand_worked import PAGES, hand_worked


def test_a_notebook_gets_the_finding_a_picture_and_the_methods():
    view = hand_worked(valid=PAGES)._repr_html_()
    assert "<script" not in view
    assert "<iframe" not in view
    assert view.count("<tr>") == 4
    assert "it keeps 57% of the gain" in text_of(view)
    assert "3 methods, 100 test pages, against the order shown." in text_of(view)
    assert view.count('class="dot ') == 3


def test_of_many_methods_the_leader_and_the_next_are_listed():
    sweep = synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))
    view = sweep._repr_html_()
    assert view.count("<tr>") == 6
    assert "The first 5 of 6 methods" in text_of(view)
    assert re.search(r'<span class="name"[^>]*>([^<]*)<', view)[1] == method_standings(sweep).leader
