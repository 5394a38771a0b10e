from __future__ import annotations

import pytest

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

    def text(data):
        lines = []
        for q, query in enumerate(data.query_ids):
            for row in range(data.query_offsets[q], data.query_offsets[q + 1]):
                features = " ".join(f"{i}:{value!r}" for i, value in enumerate(data.features[row].tolist(), start=1))
                lines.append(f"{data.labels[row]:g} qid:{query} {features}\n")
        return "".join(lines)

    return text
