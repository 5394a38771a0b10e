from __future__ import annotations

from hypothesis import given

from riskrank import evaluate

from .examples import QRELS, RUN, check_against, exactly, queries, value, value_with_tie


def test_a_worked_example():
    # gains 2/2 at rank 2, 1/2 at rank 4
    assert value("RBP") == exactly(0.2 * (0.8 + 0.5 * 0.8**3))
    assert value("RBP@2") == exactly(0.2 * 0.8)
    assert value("RBP(p=0.5,rel=1)") == exactly(0.5 * (0.5 + 0.5**3))


def test_a_worked_example_with_a_tie():
    # gain 2/2 at rank 2 or 3, 1/2 at rank 4
    assert value_with_tie("RBP") == exactly(0.2 * ((0.8 + 0.8**2) / 2 + 0.5 * 0.8**3))


@given(queries)
def test_it_is_the_gain_that_a_patient_user_sees(content):
    def slow(grades, highest):
        gains = (grade / highest * 0.7 ** (rank - 1) for rank, grade in enumerate(grades, start=1))
        return 0.3 * sum(gains) if highest else 0.0

    check_against(slow, content, "RBP(p=0.7)")


def test_it_says_what_a_document_gains():
    assert evaluate(QRELS, RUN, "RBP").description == "rank-biased precision, gains grade / 2"
    assert evaluate(QRELS, RUN, "RBP(rel=2)").description == "rank-biased precision, gains 1 from grade 2"
