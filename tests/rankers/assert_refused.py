"""How a ranker refuses what it is asked for."""

from __future__ import annotations

import pytest

import riskrank as rr


def assert_refused(error, message, data, *, fit=None, **parameters):
    """LambdaMART says so in one line, before anything is learned."""
    ranker = rr.LambdaMART(**{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})
    with pytest.raises(error, match=message) as caught:
        ranker.fit(data, **fit or {})
    assert str(caught.value).count("\n") == 0
    assert not hasattr(ranker, "model_")
