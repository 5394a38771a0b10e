from __future__ import annotations

import pytest

from riskrank.report.page.explorer.shared_beginning import shared_beginning, without_beginning


@pytest.mark.parametrize(
    ("names", "beginning"),
    [
        (["https://shop.example/p/17", "https://shop.example/p/18"], "https://shop.example/p/"),  # not the 1
        (["https://shop.example/p/17"], ""),
        (["https://a.example/", "https://b.example/"], ""),  # https:// is short
        (["clueweb12-041-0012", "clueweb12-041-0017"], "clueweb12-041-"),
        (["document-000017", "document-000018"], ""),
        ([], ""),
    ],
)
def test_only_whole_and_long_beginnings_are_shared(names, beginning):
    assert shared_beginning(names) == beginning


def test_what_differs_stays():
    assert without_beginning("https://shop.example/p/17", "https://shop.example/p/") == "…17"
    assert without_beginning("other", "https://shop.example/p/") == "other"
    assert without_beginning("other", "") == "other"
