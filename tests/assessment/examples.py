"""Three systems that the tests assess."""

from __future__ import annotations

import riskrank as rr

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.6], "same": [0.5, 0.4, 0.3, 0.6]},
    topics=["t1", "t2", "t3", "t4"],
    measure="AP",
)
