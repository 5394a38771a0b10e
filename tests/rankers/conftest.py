from __future__ import annotations

import pytest

from riskrank.data.letor.writer import letor_text
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.trees.engine import ENGINES


@pytest.fixture(scope="session")
def _queries():
    return web_search_data(60, documents_per_query=12, n_features=20)


@pytest.fixture(scope="session")
def train(_queries):
    return _queries.take(slice(0, 40))


@pytest.fixture(scope="session")
def valid(_queries):
    return _queries.take(slice(40, 60))


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope="session")
def letor():
    """Data as LETOR text."""
    return letor_text
