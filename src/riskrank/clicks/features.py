"""Features of impressions: what was known of a document, its page and its user before the page was shown.

Nothing of a page's own clicks, nor of what came after it, is in them. Within a session, earlier pages count (the last
30 of them) with the clicks that were made until then. Beyond the session, sessions that ended on earlier days count
where a log has days, since the order of sessions within a day is not known; without days, all sessions that stand
before it in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.kernels.click_columns import FEATURES, GROUPS, ClickFeature

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["FEATURES", "GROUPS", "ClickFeature", "chosen_features"]


def chosen_features(wanted: Sequence[str] | None = None, *, without: Iterable[str] = ()) -> list[int]:
    """The columns of some groups or single features (default: all) that a log can have; `presented` is always one.

    `without`: what the log lacks of user, domain, term and score.
    """
    known = [*GROUPS, *(feature.name for feature in FEATURES)]
    wanted = [wanted] if isinstance(wanted, str) else wanted
    for name in wanted or ():
        if name not in known:
            hint = nearest(name, known)
            raise ParameterError(f"no feature or group {quoted(name)}.{hint} Groups: {listing(GROUPS)}.")
    lacking = set(without)
    return [
        column
        for column, feature in enumerate(FEATURES)
        if (column == 0 or wanted is None or feature.name in wanted or feature.group in wanted)
        and not lacking & set(feature.needs.split())
    ]
