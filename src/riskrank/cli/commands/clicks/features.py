"""`riskrank clicks features`: what can be computed of a page."""

from __future__ import annotations

from riskrank.cli.output import emit


def command() -> None:
    """List the features that prepare can compute, with their groups."""
    from riskrank.clicks.features import FEATURES
    from riskrank.report.text.formatting import aligned

    header = ["feature", "group", "meaning"]
    emit(aligned(header, [[each.name, each.group, each.meaning] for each in FEATURES], left=header))
