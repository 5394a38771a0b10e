"""What becomes of topics that a system did not answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.parameters import one_of

if TYPE_CHECKING:
    from riskrank.typing import Missing

WAYS = ("zero", "intersect", "error")  # those of riskrank.typing.Missing, which only type checkers load


def check_missing(missing: Missing) -> None:
    """Refuse anything but the three ways."""
    one_of("missing", missing, WAYS)
