from __future__ import annotations

from riskrank.report.page.system_names import split_names


def test_what_names_share_is_told_from_what_is_their_own():
    names = ["pash_r3", "pash_r2", "p_d2q_bm25", "p_d2q_rm3", "bm25", "a/b/c", "trailing_"]
    assert [name.shared for name in split_names(names)] == ["pash_", "pash_", "p_d2q_", "p_d2q_", "", "", ""]
    assert ["".join(name[:2]) for name in split_names(names)] == [name.whole for name in split_names(names)] == names


def test_the_middle_of_a_long_name_is_left_out_and_its_title_has_all():
    long = "cross-encoder-ms-marco-MiniLM-L-12-v2-on-bm25-top-1000"
    (name,) = split_names([long])
    assert len(name.own) == 28
    assert name.title == name.whole == long
    assert "…" in name.own
