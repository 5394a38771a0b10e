"""Headings say what their parts show."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.findings.headings import (
    changes_heading,
    losers_of,
    plot_heading,
    shared_losses_heading,
    table_heading,
    topics_heading,
)


@pytest.fixture(scope="module")
def example():
    qrels, runs = example_files()
    return rr.assess(rr.evaluate(qrels, runs, "nDCG@10"), "bm25", alphas=(0, 1, 5))


def assessed(rows, **options):
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", **options)


def many(shift=0.03, n_systems=12):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, 60)
    rows = {"base": base}
    return assessed(rows | {f"s{i}": np.clip(base + rng.normal(shift, 0.03, 60), 0, 1) for i in range(n_systems)})


def test_the_plot_of_the_example(example):
    assert plot_heading(example) == "hybrid has 19% of the risk of neural, and a gain that cannot be told from neural’s"


def test_the_plot_of_a_system_that_gains_most():
    assessment = many()
    systems = sorted((s for s in assessment if not s.is_baseline), key=lambda s: -s.gain)
    safer = sum(each.risk < systems[0].risk for each in systems)
    heading = plot_heading(assessment)
    if heading.startswith("No other"):
        rest = f"; {safer} risk{'s' if safer == 1 else ''} less" if safer else ", and none risks less"
        assert heading == f"No other system gains more than {systems[0].system}{rest}"


def test_the_plot_where_nothing_is_significant():
    rng = np.random.default_rng(0)
    base = rng.random(30)
    assert plot_heading(assessed({"base": base, "a": base + rng.normal(0.001, 0.3, 30), "b": base - 0.5})).endswith(
        ("gains most, but not significantly", "No system gains on average")
    )
    assert plot_heading(assessed({"base": base, "a": base - rng.random(30)})) == "a gains nothing"


def test_the_table_of_the_example_says_how_long_gains_last(example):
    up_to = {each.system: example.significance.up_to(i) for i, each in enumerate(example.systems)}
    assert table_heading(example) == (
        f"hybrid’s gain stays significant until losses weigh {1 + up_to['hybrid']:g} times as much, "
        f"neural’s until {1 + up_to['neural']:g} times"
    )


def test_the_table_of_many_systems_counts_those_that_last_longest():
    assessment = many()
    lasting = [assessment.significance.up_to(i) for i, s in enumerate(assessment.systems) if not s.is_baseline]
    largest = max(alpha for alpha in lasting if alpha is not None)
    count = lasting.count(largest)
    assert table_heading(assessment).startswith(f"{count} gain{'s stay' if count > 1 else ' stays'} significant ")


def test_gains_that_last_to_the_end_are_named():
    base = np.random.default_rng(5).random(400) / 2
    systems = {f"system{i}": base + 0.1 + 0.01 * i for i in range(9)}
    assert table_heading(assessed({"base": base, **systems})) == (
        "9 gains stay significant even when losses weigh 11 times as much: system8, system7, system6, system5, "
        "system4 and 4 more"
    )


def test_the_table_where_no_gain_is_significant():
    assert table_heading(many(shift=-0.05)) == "No gain is significant"


def test_topics_that_lose_most_are_named_with_their_losses(example):
    system = example["hybrid"]
    heading = topics_heading(example, system, losers_of(example))
    assert heading == f"hybrid hurts 7 of 50 topics; topic {system.worst_topic} loses most, −{system.worst_loss:.2f}"
    assessment = many()
    system = assessment["s1"]
    losing = losers_of(assessment)
    count = losing[assessment.scores.topics.index(system.worst_topic)]
    assert topics_heading(assessment, system, losing).endswith(f", and {count} of 12 systems hurt it")


def test_a_system_that_hurts_nothing():
    base = np.linspace(0.1, 0.8, 10)
    assessment = assessed({"base": base, "new": base + 0.1 * (base > 0.3)})
    assert topics_heading(assessment, assessment["new"], losers_of(assessment)) == "new hurts none of 10 topics"
    assert changes_heading(assessment, assessment["new"]) == "No topic loses; 7 topics improve"


def test_losers_are_counted_per_topic():
    assessment = assessed({"base": [0.5, 0.5, 0.5], "a": [0.4, 0.5, 0.6], "b": [0.3, 0.6, 0.4]})
    assert losers_of(assessment) == [2, 0, 1]


@pytest.mark.parametrize(
    ("rows", "text"),
    [({"new": [0.6, 0.3, 0.5]}, "1 topic improves; 1 loses more than a fifth"),
     ({"new": [0.6, 0.45, 0.6]}, "2 topics improve; none loses more than a fifth"),
     ({"new": [0.5, 0.5, 0.5]}, "No topic changes")],
)  # fmt: skip
def test_the_shape_of_changes(rows, text):
    assessment = assessed({"base": [0.5, 0.5, 0.5], **rows})
    assert changes_heading(assessment, assessment["new"]) == text


def test_topics_that_several_systems_lose(example):
    assert shared_losses_heading(example, 7) == "7 topics are hurt by two systems or more"
    assert shared_losses_heading(many(), 1) == "1 topic is hurt by more than half of the systems"
    assert shared_losses_heading(many(), 0) == "No topic is hurt by more than half of the systems"
