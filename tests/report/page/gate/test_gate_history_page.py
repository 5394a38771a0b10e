from __future__ import annotations

import re
from dataclasses import replace

import pytest

from riskrank.assessment.gating.gate_history import GateHistory

from ....assessment.gating.past_gates import creeping, past_gates


def texts(page, tag):
    return [re.sub(r"<[^>]+>", "", each) for each in re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", page, flags=re.DOTALL)]


def test_it_says_what_was_found_and_has_a_plot_for_each_limit():
    page = creeping(12).to_html()
    assert texts(page, "h1") == ["12 releases, all passed. Mean loss: 40% of the limit at first, 90% now."]
    assert texts(page, "h3") == ["Topics hurt", "Mean loss", "URisk", "Topics hurt in mobile", "nDCG@10"]
    assert page.count('role="img"') == 5
    assert page.count("<tbody>") == 1
    assert page.count('<td class="is-gain">') == 12
    assert page.index("<td>2026-01-12</td>") < page.index("<td>2026-01-01</td>")


def test_an_empty_history_has_a_page():
    assert texts(GateHistory(()).to_html(), "h1") == ["There are no releases yet."]
    assert "There are no releases yet." in GateHistory(())._repr_html_()


@pytest.mark.parametrize("n_releases", [1, 2, 200])
def test_pages_stay_small(n_releases):
    page = creeping(n_releases).to_html()
    assert len(page.encode()) < 150_000
    assert page.count("</tr>") == n_releases + 1


def test_a_notebook_shows_the_finding_and_the_last_releases():
    cell = creeping(12)._repr_html_()
    assert "The changes of 12 releases in a row add up to" in cell
    assert cell.count('role="img"') == 2
    assert "v12" in cell
    assert "<script" not in cell


def test_names_are_no_markup():
    name = "<script>alert(1)</script>"
    history = creeping(2)
    gates = [replace(gate, label=name) for gate in history.gates]
    page = past_gates(*([*gate.comparisons] for gate in gates)).to_html()
    hostile = GateHistory(tuple(gates)).to_html()
    assert hostile.count("<script") == page.count("<script")
    assert "&lt;script&gt;" in hostile
