"""The text of pages, taken apart."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser


def content(text):
    """What the page's script reads."""
    return re.search(r'id="riskrank-data">(.*?)</script>', text, flags=re.DOTALL)[1]


def markup(text):
    """What is seen without the script."""
    return text.split("<script")[0]


def text_of(fragment):
    """The words of some markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", fragment)).split())


def finding(page):
    """What is said first."""
    said = html.unescape(re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", page, flags=re.DOTALL)[1]))
    return said.replace("\N{NO-BREAK SPACE}", " ")


def rows_of(page, kind):
    """The text of the cells of a table's body, by the table's class."""
    table = re.search(rf'<table class="{kind}">(.*?)</table>', page, flags=re.DOTALL)[1]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table.split("</thead>")[1], flags=re.DOTALL)
    return [[text_of(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, flags=re.DOTALL)] for row in rows]


def unknowns(page):
    """Numbers that are not known, in what is seen."""
    seen = re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)
    return re.findall(r"\bnan\b|\binf\b|\bNone\b", seen)


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
