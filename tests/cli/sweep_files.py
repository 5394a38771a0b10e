"""Small files to sweep over and to plot."""

from __future__ import annotations

import riskrank as rr
from riskrank.assessment.json import assessments_to_json
from riskrank.data.example import example_features
from riskrank.data.letor.writer import write_letor


def small_sweep_texts(folder):
    """A small part of the example's features, and evaluations of two of them, written to a folder."""
    texts = {}
    for name, data in example_features(n_queries=160, documents_per_query=12, n_features=20).items():
        write_letor(data, folder / name, digits=4)
        texts[f"{name}.txt"] = (folder / name).read_text()
    texts["train.scores"] = "1\n" * texts["train.txt"].count("\n")
    texts["words.json"] = '{"a": 1}'
    test = rr.read_letor(folder / "test")
    scores = rr.evaluate(test, {f"feature:{n}": test.feature(n) for n in (1, 8)}, ["AP", "P@5"])
    assessments = [rr.assess(each, "feature:1") for each in scores.values()]
    texts["one.json"], texts["two.json"] = (assessments_to_json(assessments[:n]) for n in (1, 2))
    return texts
