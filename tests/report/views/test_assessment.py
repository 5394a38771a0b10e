from __future__ import annotations

import riskrank as rr


def test_user_text_is_escaped_on_pages_and_in_notebooks():
    evil = '<script>alert(1)</script>"&_%'
    scores = rr.Effectiveness.from_rows({evil: [0.1, 0.2], "b": [0.3, 0.1]}, topics=['"><img src=x>', "2"])
    result = rr.assess(scores, baseline="b")
    for html in (result.to_html(), result._repr_html_()):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
