"""What features do, in words."""

from __future__ import annotations

import json

import numpy as np
import pytest

from riskrank.data.feature_columns import FeatureColumns
from riskrank.rankers.explaining.permutation import PermutationImportance
from riskrank.rankers.explaining.query_explanation import QueryExplanation, RankedDocument
from riskrank.report.explanations.explanation_text import permutation_json, permutation_text, query_json, query_text

COLUMNS = FeatureColumns(3, names=("bm25", "age", "price"))


def explanation(start=0.0, scores=(2.0, 1.5)):
    first, second = RankedDocument("new", 1, scores[0], 2), RankedDocument("old", 2, scores[1], 0)
    values = np.array([[12.5, -1.0, np.nan], [10.0, 3.0, 7.0]])
    parts = np.array([0.75, -0.3, 0.05, start])
    return QueryExplanation("q 1", (first, second), first, second, COLUMNS, values, parts)


def importance(target, means, baselines=("text",)):
    values = np.array([[mean - 0.01, mean + 0.01] for mean in means])
    return PermutationImportance(target, "nDCG@10", baselines, 5.0, COLUMNS, 0.1, values)


def test_a_query_is_told_with_the_features_that_make_the_difference():
    assert query_text(explanation(), n_features=2) == (
        "Query q 1: 2 documents.\n"
        "\n"
        "rank  document  label   score\n"
        "   1  new           2  2.0000\n"
        "   2  old           0  1.5000\n"
        "\n"
        "new (rank 1) stands above old (rank 2): it scores 0.5000 more. What each\n"
        "feature adds to that:\n"
        "\n"
        "feature   new  old     adds\n"
        "bm25     12.5   10  +0.7500\n"
        "age        −1    3  −0.3000\n"
        "1 other             +0.0500\n"
        "sum                 +0.5000"
    )
    assert "missing    7  +0.0500" in query_text(explanation(), n_features=3)
    assert "what the model starts from" in query_text(explanation(start=0.2))
    assert "it has the same score" in query_text(explanation(scores=(1.0, 1.0)))


def test_the_json_of_a_query_has_all_features():
    content = json.loads(query_json(explanation(), note="one"))
    assert content["documents"][0] == {"document": "new", "rank": 1, "score": 2.0, "label": 2}
    assert content["contributions"][2] == {"feature": "price", "first": None, "second": 7.0, "adds": 0.05}
    assert (content["difference"], content["start"], content["note"]) == (0.5, 0.0, "one")


def test_permutations_are_told_with_what_causes_losses():
    found = {
        "gain": importance("gain", [0.2, 0.05, 0.01]),
        "risk": importance("risk", [0.1, -0.05, 0.0]),
        "urisk": importance("urisk", [0.7, 0.0, 0.01]),
    }
    text = permutation_text(found, n_queries=12, n_features=2)
    said = " ".join(text.split())
    assert "on 12 queries if the values of a feature were permuted over all documents" in said
    assert "by how much nDCG@10 and URisk fall and risk grows, as the mean of 2 repeats ± their spread." in said
    lines = text.splitlines()
    assert "bm25     +0.2000 ±0.0141  +0.1000 ±0.0141  +0.7000 ±0.0141" in lines
    assert not any(line.startswith("price") for line in lines)
    assert said.endswith("Risk is 0.1000 against text. What causes losses: there would be less without age (0.0500).")
    harmless = permutation_text({**found, "risk": importance("risk", [0.1, 0.0, 0.0])}, n_queries=12)
    assert " ".join(harmless.split()).endswith("There is no feature without which there would clearly be less.")


def test_without_a_baseline_the_measure_is_all():
    found = {"gain": importance("gain", [0.2, 0.05, 0.01], baselines=())}
    text = permutation_text(found, n_queries=1, note="A note.")
    assert "Risk" not in text
    assert "A note." in text
    assert "feature          nDCG@10" in text
    nothing = PermutationImportance("gain", "nDCG@10", (), 5.0, COLUMNS, 0.1, np.zeros((3, 2)))
    assert permutation_text({"gain": nothing}, n_queries=1).endswith("Nothing: the model looks at no feature.")


def test_the_json_of_permutations_has_every_feature_and_quantity():
    content = json.loads(permutation_json({"gain": importance("gain", [0.2, 0.05, 0.01])}))
    assert content["permutation_importances"]["gain"]["age"] == {
        "mean": pytest.approx(0.05),
        "spread": pytest.approx(0.01 * 2**0.5),
    }
    assert content["intact"] == {"gain": 0.1}
    assert (content["measure"], content["repeats"], content["baselines"]) == ("nDCG@10", 2, ["text"])
