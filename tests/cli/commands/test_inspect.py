"""inspect: what a model is."""

from __future__ import annotations

import json

import riskrank as rr

from ..letor_files import save_model


def test_inspect_tells_what_a_model_is(riskrank, letor_files):
    save_model(
        letor_files / "model",
        letor_files,
        parameters={"objective": rr.URisk(alpha=5)},
        baseline=rr.Feature(1),
        valid=rr.read_letor(letor_files / "valid.txt"),
    )
    text = riskrank("inspect", "model", "--features", 2, "--rows", 2)
    assert (text.status, text.err) == (0, "")
    for part in (
        "LambdaMART of 4 trees, 4 used (all 4 trees done)",
        "urisk of nDCG@10; truncation 30",
        "alpha 5",
        "feature:1",
        "25 queries, ",
        "Features that matter most",
        "valid risk",
    ):
        assert part in text.out
    content = json.loads(riskrank("inspect", "model", "--json").out)
    card = json.loads((letor_files / "model" / "card.json").read_text())
    assert card.items() <= {**content, "format": 1}.items()
    assert len(content["history"]["valid_risk"]) == 4
    assert set(content["importances"]) == {"gain", "splits"}
    assert list(content["importances"]["gain"]) == [str(number) for number in range(1, 21)]
