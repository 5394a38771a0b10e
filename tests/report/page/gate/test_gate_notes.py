from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.report.page.gate.gate_notes import gate_definitions

SCORES = rr.Effectiveness.from_rows({"old": [0.5, 0.4, 0.3], "new": [0.6, 0.1, 0.9]}, measure="AP")


@pytest.mark.parametrize(
    ("limits", "term", "said"),
    [
        ({"max_risk": 0.1}, "Mean loss (risk)", "Mean of max(0, baseline − candidate) per topic."),
        ({"max_loss": 0.1}, "Largest loss", "It has no interval: a larger one may always come."),
        ({"max_hurt": 0.1}, "Hurt", "Interval: Wilson’s."),
        ({"min_urisk": -1, "alpha": 2}, "URisk", "losses weigh 1 + α = 3."),
        ({"min_trisk": -2, "alpha": 2}, "TRisk", "URisk divided by its standard error; losses weigh 1 + α = 3."),
        ({}, "Significant loss", "URisk below 0 by the mirror-shift bootstrap’s test; losses weigh 1 + α = 2."),
        ({}, "Hurt by over 0.3", "A severe loss: below the baseline by more than 0.3. Interval: Wilson’s."),
        ({"max_worse": 0.1}, "Not worse", "What the mean change is at least, one-sided"),
        ({"min_gain": 0.1}, "Mean change", "losses and wins alike"),
        ({"must_not_break": ["1"]}, "Protected", "A topic on the list must not lose anything."),
        ({"max_risk": 0.1, "strict": True}, "Pass or fail", "A check must surely hold"),
    ],
)
def test_every_check_is_explained(limits, term, said):
    definitions = dict(gate_definitions(rr.gate(SCORES, "new", "old", **limits).comparison))
    assert said in definitions[term]
    assert definitions["AP"] == "Scores as given."
    assert definitions["Exit code"] == "0 pass, 1 fail, 2 bad input."
