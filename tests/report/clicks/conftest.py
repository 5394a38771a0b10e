from __future__ import annotations

import pytest

from ...tradeoff.synthetic_clicks import synthetic_click_sweep
from .click_sweeps import MODELS, pages_of


@pytest.fixture(scope="session")
def sweep():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))
