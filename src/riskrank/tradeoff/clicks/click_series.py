"""The series of a sweep over clicks by name, and what they were trained on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from riskrank.errors import FileError, ParameterError

if TYPE_CHECKING:
    from riskrank.tradeoff.sweep import Sweep

CARD = "clicks.json"  # what the models were trained on
RISK, PREFERENCE, LOWEST = "Risk Sensitive", "Weight-Initial-Pref", "Lowest-Click-Plus-One"
BOTH = "Preference and Risk"  # the beginning of the names of its series, one for each alpha


def sweep_features(sweep: Sweep) -> list[str]:
    """The names of the features that the models of a click sweep were trained on."""
    if sweep.folder is None:
        raise ParameterError("this sweep has no folder with its models.")
    try:
        return list(json.loads((sweep.folder / CARD).read_text(encoding="utf-8"))["features"])
    except (OSError, ValueError, KeyError, TypeError):
        raise FileError(sweep.folder, f"is not a sweep over clicks (it has no good {CARD}).") from None
