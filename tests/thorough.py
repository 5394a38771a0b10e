"""Whether combinations are tried that hardly ever find more than the usual ones: RISKRANK_THOROUGH=1, for hours."""

from __future__ import annotations

import os

IS_THOROUGH = bool(os.environ.get("RISKRANK_THOROUGH"))
