"""Wang et al. 2012: all experiments, small, and what is printed."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.papers.paper import Workplace
from riskrank.papers.wang.wang_protocol import Search, Sizes
from riskrank.papers.wang2012 import PAPER

TINY = Sizes(Search((4,), (2, 3), (0.1,), (2, 3)), n_queries=40, documents_per_query=8, n_pages=60, page_trees=3)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Of all experiments, which share their models as in one call of the command."""
    work = Workplace(None, tmp_path_factory.mktemp("work"), False)
    return {each.key: each.run(work, TINY) for each in PAPER.experiments}


def cells(table):
    return {row.label: [number.ours for number in row.cells] for row in table.rows}


def test_every_table_and_figure_gives_something(outcomes):
    assert list(outcomes) == ["figure-1", "table-1", "table-2", "figure-2", "figure-3", "figure-4", "figure-5"]
    for key, outcome in outcomes.items():
        assert outcome.claims, key
        assert bool(outcome.figures) == key.startswith("figure"), key
        assert not outcome.compared, key  # nothing on generated data counts as agreeing
        assert any("generated" in each for each in outcome.departures)


def test_gain_is_reward_less_risk_in_our_tables_too(outcomes):
    table, baseline, chosen = outcomes["table-1"].tables
    ours = cells(table)
    gain = np.array(ours["NDCG@10"]) - cells(baseline)["BM25"][0]
    np.testing.assert_allclose(gain, np.array(ours["Reward"]) - ours["Risk"], atol=1e-9)
    found = cells(chosen)
    assert found["l = 2"][0] + found["l = 3"][0] == found["t = 2"][0] + found["t = 3"][0] == found["m = 4"][0] == 5
    location = cells(outcomes["table-2"].tables[0])
    np.testing.assert_allclose(location["ΔMRR"], np.array(location["Reward"]) - location["Risk"], atol=1e-9)


def test_claims_say_what_their_numbers_say(outcomes):
    ours = cells(outcomes["table-1"].tables[0])
    risk, decline, losses, share = outcomes["table-1"].claims
    assert ", ".join(f"{value:.3f}" for value in ours["Risk"]) in risk.evidence
    assert ", ".join(f"{value:.3f}" for value in ours["NDCG@10"]) in decline.evidence
    assert ", ".join(f"{value / 40:.1%}"[:-1] for value in ours["Losses"]) in losses.evidence
    assert f"{1 - ours['Risk'][3] / ours['Risk'][0]:.1%}" in share.evidence
    for claim, name in ((risk, "Risk"), (decline, "NDCG@10"), (losses, "Losses")):
        steps = np.diff(ours[name])
        assert claim.verdict != ("holds" if (steps >= 0).any() else "does not hold"), claim.said
    kept, left = (ours[name][3] / ours[name][0] for name in ("NDCG@10", "Risk"))
    assert share.verdict != ("holds" if kept <= left else "does not hold"), share.said
    (iterations,) = outcomes["figure-4"].tables
    claims = outcomes["figure-4"].claims
    for row, faster, always in zip(iterations.rows, claims[::3], claims[1::3], strict=True):
        bold, careful = (cell.ours for cell in row.cells)
        assert faster.evidence.startswith(f"{careful:.1f} against {bold:.1f} trees, ")
        assert faster.verdict != ("holds" if bold <= careful else "does not hold"), faster.said
        assert (always.verdict == "holds") == ("faster in 5 of 5" in always.evidence)
    computed = [claim.text for outcome in outcomes.values() for claim in outcome.claims if not claim.is_estimated]
    assert len(computed) == 3, computed  # who is helped and hurt, and twice who is faster in all folds
    assert not any(claim.on_paper_data for outcome in outcomes.values() for claim in outcome.claims)


def test_the_segment_has_a_spread_over_folds(outcomes):
    (table,) = outcomes["figure-2"].tables
    assert [row.label for row in table.rows] == ["Location", "MSLR"]
    assert [[number.printed for number in row.cells] for row in table.rows] == [[4.0, 0.04], [27.9, 1.3]]
    assert all(number.ours > 0 for row in table.rows for number in row.cells)


def test_bins_hold_all_queries(outcomes):
    for figure in outcomes["figure-5"].figures:
        for series in figure.series:
            assert sum(series.y) == pytest.approx(100)
    printed = [number.printed for number in outcomes["figure-5"].tables[0].rows[0].cells]
    assert printed == [42, None, None, 85, 90]


def test_the_command_tells_what_a_folder_lacks(riskrank, tmp_path):
    (tmp_path / "data").mkdir()
    done = riskrank("reproduce", "wang2012", "table-1", "--data", tmp_path / "data", "-o", tmp_path / "out")
    assert done.status == 2
    assert len(done.err.strip().splitlines()) == 1
    assert "lacks Fold1/train.txt, Fold1/vali.txt, " in done.err
    assert "MSLR-WEB10K of Microsoft Research" in done.err
    assert not (tmp_path / "out").exists()
