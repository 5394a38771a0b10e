from __future__ import annotations

import math
from dataclasses import replace

import pytest

from riskrank.clicks import World, prepare, write_log
from riskrank.clicks.impressions import one_batch

from .prepared_pages import frames


@pytest.fixture(scope="session")
def pages_of():
    """Impressions as plain values, a dictionary per page; None stands for NaN, so that pages can be compared."""

    def told(parts):
        return [page for part in parts for page in _pages(part)]

    return told


def _pages(part):
    for i in range(len(part)):
        shown = slice(part.document_offset[i], part.document_offset[i + 1])
        yield {
            "session": int(part.session[i]),
            "user": int(part.user[i]),
            "day": int(part.day[i]),
            "time": int(part.time[i]),
            "query": int(part.query[i]),
            "is_withheld": bool(part.is_withheld[i]),
            "document": part.document[shown].tolist(),
            "domain": part.domain[shown].tolist(),
            "dwell": _without_nan(part.dwell[shown]),
            "score": _without_nan(part.score[shown]),
            "terms": part.term[part.term_offset[i] : part.term_offset[i + 1]].tolist(),
        }


def _without_nan(values):
    return [None if math.isnan(value) else value for value in values.tolist()]


@pytest.fixture(scope="module")
def world():
    """A few days of users who come back."""
    log = one_batch(list(World(pages_per_user=20).log(500)))
    return replace(log, day=log.day // 3)


@pytest.fixture(scope="module")
def logs(world, tmp_path_factory):
    """The same log in all layouts, and what the oldest of them cannot have: users, days, domains and terms."""
    folder = tmp_path_factory.mktemp("logs")
    write_log([world], folder / "2013.txt", layout="2013")
    write_log([world], folder / "2013.gz", layout="2013")
    write_log([world], folder / "2011.txt", layout="2011")
    write_log([world], folder / "table.parquet", layout="table")
    write_log([world], folder / "table.csv", layout="table")
    return folder


@pytest.fixture
def prepare_frames(tmp_path):
    """Prepared pages of a log as frames, by part."""

    def run(log, **options):
        return frames(prepare(log, tmp_path / f"made{len(list(tmp_path.iterdir()))}", **options))

    return run
