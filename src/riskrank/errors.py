"""Every error riskrank raises on purpose, and its warning about data.

RiskrankError
├── FileError          a file cannot be read, or a line of it is malformed
│   └── InUseError     … or somebody else writes there
├── MeasureError       an effectiveness measure is badly parametrised
│   └── UnknownMeasureError   … or not known, or not with these parameters
├── AlignmentError     judgments, systems and baselines do not fit together
├── ParameterError     an argument is outside its domain
│   └── NotFittedError     … or a ranker is used that has not learned yet
└── TrainingError      an objective cannot teach a ranker anything

All are ``ValueError`` too. A message says what is wrong, where, and the way out; the command line
prints it as one line and exits with status 2. Data that are used in spite of
something odd are warned of by `DataWarning`; other warnings are plain ones of Python.
"""

from __future__ import annotations

import difflib
import inspect
import itertools
import warnings
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from riskrank.typing import PathLike

__all__ = [
    "AlignmentError",
    "DataWarning",
    "FileError",
    "MeasureError",
    "NotFittedError",
    "ParameterError",
    "RiskrankError",
    "TrainingError",
    "UnknownMeasureError",
]
LONGEST_WORD, MOST_WORDS = 100, 2000  # that are compared with a mistyped one


class RiskrankError(ValueError):
    """Base of all errors that riskrank raises on purpose.

    `parameters` are the names of arguments in its message, which the command line replaces by what its users type.
    """

    def __init__(self, message: str, *parameters: str) -> None:
        super().__init__(message)
        self.parameters = parameters


class FileError(RiskrankError):
    """A file cannot be read, or one of its lines is malformed."""

    def __init__(self, path: PathLike, message: str, *, line: int | None = None, is_newer: bool = False) -> None:
        self.is_newer = is_newer  # than this riskrank
        self.path = str(path)
        self.line = line
        self.reason = message
        where = one_line(self.path, limit=400) + ("" if line is None else f":{line}")
        super().__init__(f"{where}: {message}")


class InUseError(FileError):
    """Another process writes there at the moment."""


class DataWarning(UserWarning):
    """Data can be used, but are not quite what one would think."""


class MeasureError(RiskrankError):
    """An effectiveness measure is badly parametrised."""


class UnknownMeasureError(MeasureError):
    """A measure, or one of its parameters, is not known."""


class AlignmentError(RiskrankError):
    """Judgments, systems and baselines do not fit together."""


class ParameterError(RiskrankError):
    """An argument is outside its domain."""


class NotFittedError(ParameterError):
    """A ranker is used that has not learned yet; where rankers are scikit-learn's estimators, also its own error."""


class TrainingError(RiskrankError):
    """An objective gives gradients that cannot teach a ranker anything."""


def warn_caller(message: str) -> None:
    """Warn of data at the line of the program that called riskrank, however deep within it was noticed."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "riskrank":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, DataWarning, stacklevel=level)


def one_line(text: str, *, limit: int = 80) -> str:
    """Text from a user, made safe for a one-line message: control characters escaped, long text cut in the middle.

    >>> one_line("a\\tb")
    'a\\\\tb'
    """
    text = str(text)
    if len(text) > 2 * limit:  # what is left out need not be looked at
        text = text[:limit] + text[-limit:]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if len(shown) <= limit:
        return shown
    tail = limit // 3  # names of systems differ at their ends as often as at their beginnings
    return f"{shown[: limit - tail - 1]}…{shown[-tail:]}"


def quoted(text: str) -> str:
    """User text in quotes, safe for a one-line message."""
    return f"'{one_line(text, limit=40)}'"


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint naming the known word nearest to a mistyped one, or nothing.

    >>> nearest("nDGC", ["nDCG", "AP"])
    " Did you mean 'nDCG'?"
    """
    if len(str(word)) > LONGEST_WORD:  # looking for similar ones takes the product of two lengths
        return ""
    lowered = {name.lower(): name for name in itertools.islice(known, MOST_WORDS) if len(name) <= LONGEST_WORD}
    close = difflib.get_close_matches(str(word).lower(), list(lowered), n=1, cutoff=0.6)
    return f" Did you mean {quoted(lowered[close[0]])}?" if close else ""


def first_duplicate(names: Sequence[str]) -> str | None:
    """The first of the names that stands twice, or None.

    >>> first_duplicate(["a", "b", "b"])
    'b'
    """
    times = Counter(names)
    return next((name for name in times if times[name] > 1), None)


def listing(names: Iterable[object], *, limit: int = 8) -> str:
    """The first few names, and how many more there are.

    >>> listing(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    all_names = [one_line(str(name), limit=40) for name in names]
    rest = len(all_names) - limit
    shown = ", ".join(all_names[:limit])
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def counted(number: int, noun: str) -> str:
    """A count with its noun, which is singular for 1.

    >>> counted(1, "system"), counted(1200, "query")
    ('1 system', '1,200 queries')
    """
    return f"1 {noun}" if number == 1 else f"{number:,} {plural(noun)}"


def p_text(p: float, *, named: bool = False) -> str:
    """A p-value, in a table or `named` as such.

    >>> p_text(0.04), p_text(0.00001), p_text(0.04, named=True), p_text(0.0, named=True)
    ('0.0400', '<0.0001', 'p = 0.0400', 'p < 0.0001')
    """
    relation, number = ("<", "0.0001") if p < 0.0001 else ("=", f"{p:.4f}".replace("nan", "NaN"))
    return f"p {relation} {number}" if named else f"{relation}{number}".removeprefix("=")


def plural(noun: str) -> str:
    """Of the nouns that are counted here."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
