"""Text in Markdown that says what it says: no name of a user's is markup, a link, a mention or another cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

# Markup of Markdown and HTML; and what GitHub and GitLab look for in the finished text, where escapes are gone: @user,
# #1, :tada:, GH-1, https://… A comment, which nobody sees, keeps them from finding it.
MARKUP = re.compile(r"""[@#:!$%&~](?=[\w"+/-])|(?<=www)\.|gh(?=-\d)|[#$&*<>@\[\\\]^_`{|}~]""", re.IGNORECASE)
BREAK = "<!-- -->"
CODE, BOLD = "<code>{}</code>", "<b>{}</b>"
FOLDED = "<details><summary>{}</summary>\n\n{}\n\n</details>"
FOUND_LATER = "@#:!$%&~"


def escaped(text: str, *, limit: int = 1000) -> str:
    """A text of any letters, on one line, as Markdown.

    >>> escaped("a|b, **c**"), escaped("@d")
    ('a&#124;b, &#42;&#42;c&#42;&#42;', '&#64;<!-- -->d')
    """
    return MARKUP.sub(_as_letters, one_line(text, limit=limit))


def _as_letters(match: re.Match[str]) -> str:
    letters = match[0] if len(match[0]) > 1 else f"&#{ord(match[0])};"
    return letters + (BREAK if len(match[0]) > 1 or match[0] in FOUND_LATER else "")


def code(name: str, *, limit: int = 60) -> str:
    """A name in the letters of code."""
    return CODE.format(escaped(name, limit=limit)) if name.strip() else ""


def bold(text: str) -> str:
    """What matters in a sentence."""
    return BOLD.format(escaped(text))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """Cells in Markdown, as a table; the columns `right` are flush right."""
    rule = ["---:" if i in right else ":---" for i in range(len(header))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def folded(summary: str, content: str) -> str:
    """What opens with a click."""
    return FOLDED.format(summary, content)
