"""Sentences whose parts know what they are, so that a terminal and a page can mark them each in its own way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from riskrank.errors import counted, one_line, plural

if TYPE_CHECKING:
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.typing import Floats

__all__ = [
    "Role",
    "Word",
    "Words",
    "all_of",
    "counted",
    "glued",
    "joined",
    "listed",
    "listed_first",
    "one_sentence",
    "plain",
    "plural",
    "queries_counted",
    "short_name",
    "topics_counted",
    "words",
]

LONGEST_NAME = 40
LONGEST_SENTENCE = 1000
SETTING = re.compile("([α-ω]) = ")

Role = Literal["", "strong", "gain", "loss"]


class Word(NamedTuple):
    """Some text, and what it is: a name or number that matters, something gained, something lost."""

    text: str
    role: Role = ""


Words = tuple[Word, ...]


def topics_counted(scores: Effectiveness) -> str:
    """How many topics there are; where they have weights, also as how many of equal weight they count."""
    return _counted_by_weight(len(scores.topics), scores.unit, scores.relative_weights)


def queries_counted(test: JudgedQueries) -> str:
    """The same of test queries."""
    return _counted_by_weight(len(test.queries), "test query", test.relative_weights)


def _counted_by_weight(number: int, unit: str, weights: Floats | None) -> str:
    if weights is None:
        return counted(number, unit)
    from riskrank.weights import effective_number  # here, because help needs words and no NumPy

    return f"{counted(number, unit)}, weighted: they count as {effective_number(weights):,.1f}".removesuffix(".0")


def glued(text: str) -> str:
    """Text in which "α = 1" and "1 + α" stay on one line.

    >>> len(glued("at α = 1, name = 1").split(" ")), len(glued("weigh 1 + α").split(" "))
    (5, 2)
    """
    space = "\N{NO-BREAK SPACE}"
    return SETTING.sub(f"\\1{space}={space}", text).replace("1 + α", f"1{space}+{space}α")


def words(*parts: str | Word | Words) -> Words:
    """Parts in one row; plain text has no role."""
    row: list[Word] = []
    for part in parts:
        if isinstance(part, Word):
            row.append(part)
        elif isinstance(part, str):
            row += [Word(part)] if part else []
        else:
            row += part
    return tuple(row)


def joined(*sentences: Words) -> Words:
    """Sentences with spaces between them; empty ones are left out."""
    row: Words = ()
    for sentence in sentences:
        row = words(row, " " if row and sentence else "", sentence)
    return row


def plain(parts: Words) -> str:
    """The text alone.

    >>> plain(words("it gains ", Word("+0.1", "gain"), "."))
    'it gains +0.1.'
    """
    return "".join(part.text for part in parts)


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def listed_first(names: list[str], n_letters: int) -> str:
    """The first names, as many as fit into so many letters, and how many more there are.

    >>> listed_first(["a", "bc", "d"], 10), listed_first(["a", "bc", "d"], 2), listed_first(["long"], 2)
    ('a, bc and d', 'a and 2 more', 'long')
    """
    n_named = 1
    while n_named < len(names) and sum(map(len, names[: n_named + 1])) <= n_letters:
        n_named += 1
    n_more = len(names) - n_named
    return listed([*names[:n_named], *([f"{n_more:,} more"] if n_more else [])])


def all_of(count: int) -> str:
    """All of so many things.

    >>> all_of(2), all_of(3)
    ('both', 'all 3')
    """
    return "both" if count == 2 else f"all {count:,}"


def short_name(name: str) -> str:
    """A user's name in a sentence: safe on one line, the middle of a long one left out."""
    return one_line(name, limit=LONGEST_NAME)


def one_sentence(text: str) -> str:
    """A sentence with users' names in it, safe on one line."""
    return one_line(text, limit=LONGEST_SENTENCE)
