"""Losses that are known and accepted for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from riskrank.errors import ParameterError, quoted
from riskrank.parameters import positive


@dataclass(frozen=True)
class AcceptedLoss:
    """A topic whose loss is accepted: why, until when (the last day), and perhaps at most how large it may be."""

    topic: str
    reason: str
    until: date
    at_most: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "topic", str(self.topic))
        if not isinstance(self.reason, str) or not self.reason.strip():
            raise ParameterError(f"the accepted loss of {quoted(self.topic)} needs a reason.", "reason")
        if type(self.until) is not date:
            raise ParameterError(f"until must be a date, like 2027-01-31, got {quoted(str(self.until))}.", "until")
        if self.at_most is not None:
            positive("at_most", self.at_most)

    def check_day(self, today: date) -> None:
        """Refuse an acceptance that has expired."""
        if today > self.until:
            raise ParameterError(
                f"the accepted loss of {quoted(self.topic)} expired on {self.until}. Mend it, or accept it anew.",
                "until",
            )

    def covers(self, change: float) -> bool:
        """Is this change a loss that was accepted?"""
        return change < 0 and (self.at_most is None or -change <= self.at_most + 1e-12)
