from __future__ import annotations

import pytest

from ...tradeoff.made_up_clicks import made_up_clicks
from .click_sweeps import MODELS, pages_of


@pytest.fixture(scope="session")
def sweep():
    return made_up_clicks(MODELS, pages_of(0), valid=pages_of(1))
