"""What evaluate prints beside its first screen, in each format."""

from __future__ import annotations

import csv
import json

import pytest

import riskrank as rr
from riskrank.cli.evaluation import text_options
from riskrank.errors import ParameterError
from riskrank.report.findings.digits import two_digits
from riskrank.report.text.system_table import USUAL_COLUMNS

EXAMPLE = ("evaluate", "example/qrels.txt", "example/bm25.run", "example/neural.run")


def test_columns_stand_between_commas_and_none_are_the_usual_ones():
    options = {"all_systems": False, "sort": "gain", "styled": False}
    assert text_options(columns=" gain, risk,", **options).columns == ("gain", "risk")
    assert text_options(columns="", **options).columns == USUAL_COLUMNS
    with pytest.raises(ParameterError, match="columns must be one of"):
        text_options(columns="gian", **options)


def test_several_measures_have_one_legend(riskrank, example):
    done = riskrank(*EXAMPLE, "-m", "nDCG@10", "-m", "AP", "-a", "0,1")
    assert done.out.count("▲ significant gain") == 1
    assert done.out.count("--html FILE") == 1
    assert "\nnDCG@10 (gains = grade), 1 system against bm25" in done.out
    assert "\nAP, 1 system against bm25" in done.out


def test_the_p_values_of_the_paper_stand_beside_the_others_if_asked_for(riskrank, example):
    assert "p (t)" not in riskrank(*EXAMPLE, "--tables").out
    assert "p (t)" in riskrank(*EXAMPLE, "--t-test").out


def test_all_pairs_and_the_topics_needed_are_in_every_format(riskrank, example, tmp_path):
    done = riskrank(*EXAMPLE, "--all-pairs", "--power", "--json", "--html", "page.html")
    (content,) = json.loads(done.out)["assessments"]
    (pair,) = content["all_pairs"]["pairs"]
    (needed,) = content["topics_needed"]
    assert {pair["system"], pair["other"]} == {"bm25", "neural"}
    assert needed["n_topics_0.05"] < needed["n_topics_0.02"] < needed["n_topics_0.01"]
    rr.Assessment.from_json(done.out)
    page = (tmp_path / "page.html").read_text()
    assert "All pairs: nDCG@10 (gains = grade), 1 comparison" in page
    assert "About how many topics it takes to see a gain" in page
    rows = list(csv.DictReader(riskrank(*EXAMPLE, "--all-pairs", "--csv").out.splitlines()))
    assert [(row["measure"], row["system"], float(row["p_max_t"])) for row in rows] == [
        ("nDCG@10", pair["system"], pair["p_max_t"])
    ]
    (row,) = csv.DictReader(riskrank(*EXAMPLE, "--power", "--csv").out.splitlines())
    assert int(row["n_topics_0.02"]) == needed["n_topics_0.02"]
    latex = riskrank(*EXAMPLE, "--all-pairs", "--power", "--latex").out
    assert latex.count(r"\begin{tabular}") == 3
    assert f" & {two_digits(needed['n_topics_0.02']):,} & " in latex


def test_all_pairs_and_the_topics_needed_are_told_if_asked_for(riskrank, example):
    done = riskrank(*EXAMPLE, "--all-pairs", "--power")
    title = "All pairs: nDCG@10 (gains = grade), 1 comparison on 50 topics, losses weigh as much as gains (α = 0)"
    assert title in done.out.replace("\n", " ")
    assert "About how many topics it takes to see a gain in 4 of 5 cases" in done.out
