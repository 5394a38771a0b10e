from __future__ import annotations

import ir_measures
import pytest

from riskrank.errors import MeasureError
from riskrank.measures import parse_measure

SAME_AS_IR_MEASURES = (
    "nDCG@10", "nDCG", "AP", "AP@100", "AP(rel=2)@5", "RR", "RR@10", "RR(rel=2)", "P@5", "P(rel=2)@5", "R@100",
    "ERR@20", "Success@1", "Success(rel=3)@5", "Bpref", "Bpref(rel=2)", "RBP", "RBP(p=0.9)", "RBP(rel=1)@10",
    "nDCG(dcg='exp-log2')@10",
)  # fmt: skip


@pytest.mark.parametrize("text", SAME_AS_IR_MEASURES)
def test_names_print_as_in_ir_measures_and_round_trip(text):
    assert str(parse_measure(text)) == str(ir_measures.parse_measure(text)) == text
    assert parse_measure(str(parse_measure(text))) == parse_measure(text)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("map", "AP"),
        ("map_cut_100", "AP@100"),
        ("recip_rank", "RR"),
        ("mrr@10", "RR@10"),
        ("P_10", "P@10"),
        ("P.5", "P@5"),
        ("recall_100", "R@100"),
        ("Recall@5", "R@5"),
        ("success_1", "Success@1"),
        ("WTA", "Success@1"),
        ("bpref", "Bpref"),
        ("gm_map", "GM(AP)"),
        ("GM(nDCG@10)", "GM(nDCG@10)"),
        ("gm(ap)", "GM(AP)"),
        ("Gm( ndcg_cut_10 )", "GM(nDCG@10)"),
        ("GM(P(rel=2)@5)", "GM(P(rel=2)@5)"),
        ("nDCG(dcg='log2')@10", "nDCG(dcg='log2')@10"),
        ("pairwise", "PairAccuracy"),
    ],
)
def test_names_of_trec_eval_and_others_are_understood(alias, name):
    assert str(parse_measure(alias)) == name
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "unknown measure 'nDGC@10'. Did you mean 'nDCG'"),
        ("ap_", "unknown measure 'ap_'. Did you mean 'AP'"),
        ("n_dcg@10", "unknown measure 'n_dcg@10'. Did you mean 'nDCG'"),
        ("P", "P needs a cut-off, for example P@10"),
        ("nDCG@0", "must be a whole number from 1, got 0"),
        ("nDCG@1.5", "whole number"),
        ("nDCG@-1", "whole number"),
        ("nDCG@True", "whole number"),
        ("AP(rel=0)", "rel of AP must be a grade above 0"),
        ("AP(q=1)", "AP has no parameter 'q'; it takes cutoff, rel"),
        ("nDCG(dcg='x')@10", "'log2' .* or 'exp-log2'"),
        ("nDCG(gains={1:-1})@10", "gains of nDCG must map"),
        ("RBP(p=1.5)", "between 0 and 1"),
        ("GM", "GM needs a measure"),
        ("GM(nonsense)", "unknown measure 'nonsense'"),
        ("GM(AP, RR)", "cannot read the measure"),
        ("AP(RR)", "cannot read the measure"),
        ("nonsense(AP)", "unknown measure|cannot read"),
        ("", "cannot read the measure"),
        ("nDCG@10 + AP", "cannot read the measure"),
        ("__import__('os')", "unknown measure|cannot read"),
        ("a.b", "cannot read"),
        ("(" * 500, "cannot read"),
    ],
)
def test_mistakes_are_explained(text, message):
    with pytest.raises(MeasureError, match=message) as caught:
        parse_measure(text)
    assert "\n" not in str(caught.value)
