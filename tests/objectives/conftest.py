from __future__ import annotations

import pytest

from .cases import Case, make_case


@pytest.fixture(scope="session")
def case() -> Case:
    return make_case()
