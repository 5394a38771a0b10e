"""The feature columns of impressions, in order: one list for their names, their help and the kernel that fills them.

A new feature is an entry here and its computation in `riskrank.kernels.click_features`.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass


@dataclass(frozen=True)
class ClickFeature:
    """A column: its name, the group by which it is switched, what it says, and what a log must have for it."""

    name: str
    group: str
    meaning: str
    needs: str = ""  # one or several of user, domain, term and score


def _several(group: str, needs: str, **meanings: str) -> tuple[ClickFeature, ...]:
    return tuple(ClickFeature(name, group, meaning, needs) for name, meaning in meanings.items())


FEATURES = (
    ClickFeature("presented", "presented", "minus the position at which it was shown: the baseline"),
    ClickFeature("original_score", "presented", "the search engine's own score", "score"),
    *_several(
        "session", "",
        session_pages="earlier pages of the session",
        session_clicked="clicks on this document earlier in the session",
        session_satisfied="satisfied clicks on it earlier in the session",
        session_skipped="times it was passed over earlier in the session: not clicked, above a click",
        session_shown="times it was shown earlier in the session",
    ),
    *_several(
        "session", "domain",
        session_domain_clicked="clicks on documents of its domain earlier in the session",
        session_domain_skipped="documents of its domain passed over earlier in the session",
        session_domain_shown="documents of its domain shown earlier in the session",
    ),
    ClickFeature("session_query_clicked", "session", "clicks on it for this very query earlier in the session"),
    *_several(
        "similarity", "term",
        similar_terms="terms that this query shares with the one before, of all their terms (Jaccard)",
        similar_clicked="clicks on it earlier in the session, each weighted by the terms that the queries share",
        similar_skipped="times it was passed over earlier in the session, weighted in the same way",
    ),
    *_several(
        "similarity", "",
        succession="how often this query followed the one before it, of all times that one was followed by any",
        after_rate="smoothed share of satisfied clicks on it when it was shown after the query before",
    ),
    *_several(
        "user", "user",
        user_pages="pages that the user saw before",
        user_clicked="the user's clicks on it before",
        user_satisfied="the user's satisfied clicks on it before",
        user_skipped="times the user passed it over before",
    ),
    *_several(
        "user", "user domain",
        user_domain_clicked="the user's clicks on its domain before",
        user_domain_skipped="times the user passed over documents of its domain before",
    ),
    *_several(
        "user", "user",
        user_query_pages="times the user asked this query before",
        user_query_clicked="the user's clicks on it for this query before (personal navigation)",
        user_query_satisfied="the user's satisfied clicks on it for this query before",
        user_query_skipped="times the user passed it over for this query before",
    ),
    *_several(
        "user", "user term",
        user_terms_clicked="the user's clicks on it for queries with a term of this one, the mean over its terms",
    ),
    *_several(
        "everyone", "",
        query_pages="times anybody asked this query before",
        query_document_shown="times it was shown for this query before",
        query_document_rate="smoothed share of satisfied clicks on it for this query",
        document_rate="smoothed share of satisfied clicks on it for any query",
    ),
    ClickFeature("domain_rate", "everyone", "smoothed share of satisfied clicks on its domain", "domain"),
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))
N_FEATURES = len(FEATURES)
COLUMN = namedtuple("Columns", [feature.name for feature in FEATURES])(*range(N_FEATURES))  # by name
