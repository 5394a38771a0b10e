"""The text of pages, taken apart."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from riskrank.report.charts.catalogue import has_charts

with_charts = pytest.mark.skipif(not has_charts(), reason="needs Altair")


def content(text):
    """What the page's script reads."""
    return re.search(r'id="riskrank-data">(.*?)</script>', text, flags=re.DOTALL)[1]


def markup(text):
    """What is seen without the script."""
    return text.split("<script")[0]


class Tree(HTMLParser):
    """Are all elements closed, in order?"""

    EMPTY = ("meta", "br", "input", "link", "img")

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.titles = [], [], []

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["title"]:
            self.titles.append(data)
