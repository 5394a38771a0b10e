"""A page inside a notebook."""

from __future__ import annotations

import html
import re

from .page_text import with_charts


@with_charts
def test_a_notebook_gets_a_frame_with_the_page_in_it(assessment, sweep, texts):
    for source, text in zip((assessment, sweep), texts, strict=True):
        frame = source._repr_html_()
        inner = re.fullmatch(r'<iframe srcdoc="([^"<>]*)" style="[^"<>]*" title="[^"<>]*"></iframe>', frame)[1]
        assert html.unescape(inner) == text
