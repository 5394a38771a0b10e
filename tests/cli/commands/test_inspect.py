"""inspect: what a model is."""

from __future__ import annotations

import json

import pytest

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


def test_letor_text_is_shown_like_a_table_by_numbers(riskrank, letor_files):
    done = riskrank("inspect", "valid.txt", "--features", 2)
    assert (done.status, done.err) == (0, "")
    first, labels, _, head, *rows = done.out.splitlines()
    assert first.startswith("valid.txt: 15 queries, ")
    assert labels.startswith("labels 0: ")
    assert head.split() == ["feature", "missing", "least", "median", "most"]
    assert [row.split()[:2] for row in rows] == [["feature", "1"], ["feature", "2"], ["…", "and"]]


@pytest.fixture
def model(letor_files):
    urisk = {"objective": rr.URisk(alpha=5)}
    return save_model(letor_files / "model", letor_files, parameters=urisk, baseline=rr.Feature(1))


def test_inspect_says_why_a_document_stands_above_another(riskrank, letor_files, model):
    data = rr.read_letor(letor_files / "valid.txt")
    query, ids = data.query_ids[1], data.ids[data.query_offsets[1] : data.query_offsets[2]]
    scores = dict(zip(data.ids, model.predict(data), strict=True))
    asked = ("inspect", "model", "--data", "valid.txt", "--why", query, "--documents", ids[2], ids[0])
    text = riskrank(*asked)
    assert (text.status, text.err) == (0, "")
    assert text.out.startswith(f"Query {query}: {len(ids)} documents.")
    assert f"{ids[2]} (rank " in text.out
    content = json.loads(riskrank(*asked, "--json").out)
    assert content["difference"] == scores[ids[2]] - scores[ids[0]]
    assert sum(part["adds"] for part in content["contributions"]) == pytest.approx(content["difference"], abs=1e-6)
    first_two = json.loads(riskrank("inspect", "model", "--data", "valid.txt", "--why", query, "--json").out)
    assert [first_two["first"], first_two["second"]] == sorted(ids, key=lambda each: -scores[each])[:2]


def test_inspect_says_what_would_be_lost_without_a_feature(riskrank, letor_files, model):
    asked = ("inspect", "model", "--data", "valid.txt", "--permutation", "--repeats", 2, "--seed", 4)
    text = riskrank(*asked)
    assert (text.status, text.err) == (0, "")
    assert "URisk (α = 5)" in text.out
    assert "against feature:1." in text.out
    content = json.loads(riskrank(*asked, "--json").out)
    expected = model.permutation_importance(letor_files / "valid.txt", target="risk", repeats=2, random_state=4)
    found = [each["mean"] for each in content["permutation_importances"]["risk"].values()]
    assert found == pytest.approx(expected.mean.tolist())
    other = json.loads(riskrank(*asked, "--json", "-m", "AP", "--alpha", 3, "-b", "feature:2").out)
    assert (other["measure"], other["alpha"], other["baselines"]) == ("AP", 3, ["feature:2"])


def test_of_a_mixed_ranker_it_is_the_model_within_that_is_told(riskrank, letor_files, model):
    mixed = rr.Mixed.of(model, baseline=rr.Feature(1), probability=0.5)
    mixed.save(letor_files / "mixed")
    data = rr.read_letor(letor_files / "valid.txt")
    used = mixed.uses_model(data)
    note = f"The model ranks {used.sum()} of {len(used)} queries"
    for i, said in ((int(used.argmax()), ", also this one."), (int(used.argmin()), "; feature:1 ranks this one")):
        text = riskrank("inspect", "mixed", "--data", "valid.txt", "--why", data.query_ids[i])
        assert note + said in " ".join(text.out.split())
    text = riskrank("inspect", "mixed", "--data", "valid.txt", "--permutation", "--repeats", 1)
    assert f"on {used.sum()} queries if" in " ".join(text.out.split())
    assert f"{note}: these." in " ".join(text.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--why", "26"), "--why needs documents: pass --data."),
        (("--permutation",), "--permutation needs documents: pass --data."),
        (("--data", "valid.txt"), "--data goes with either --why or --permutation."),
        (("--data", "valid.txt", "--why", "26", "--permutation"), "--data goes with either --why or"),
        (("--documents", "a", "b"), "--documents are those of a query: pass --why."),
        (("--data", "valid.txt", "--why", "nothing"), "there is no query 'nothing' in the data."),
        (("--data", "wide.txt", "--permutation"), "wide.txt: has 21 features, 20 are expected."),
        (("--data", "none.txt", "--permutation"), "none.txt: "),
        (("--data", "valid.txt", "--permutation", "-m", "nDGC"), "unknown measure 'nDGC'"),
    ],
)
def test_what_cannot_be_told_is_refused_in_one_line(arguments, message, riskrank, letor_files, model):
    refused = riskrank("inspect", "model", *arguments)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"riskrank: {message}")
    assert refused.err.count("\n") == 1


def test_an_unknown_document_is_told_with_the_nearest(riskrank, letor_files, model):
    data = rr.read_letor(letor_files / "valid.txt")
    first, query = data.ids[0], data.query_ids[0]
    refused = riskrank("inspect", "model", "--data", "valid.txt", "--why", query, "--documents", first, f"x{first}")
    assert (refused.status, refused.err) == (
        2, f"riskrank: query '{query}' has no document 'x{first}'. Did you mean '{first}'?\n",
    )  # fmt: skip
