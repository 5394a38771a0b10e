from __future__ import annotations

import pytest

from .swept import BOLD, CAREFUL, swept


@pytest.fixture(scope="session")
def two_models():
    return swept(BOLD, CAREFUL, values=[0, 5])


@pytest.fixture(scope="session")
def guaranteed(two_models):
    """A point that a coin gives."""
    point = two_models.guarantee(0.004)
    assert point.probability < 1
    return point
