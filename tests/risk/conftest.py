from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def dincer2016():
    """The printed tables of the paper."""
    spec = importlib.util.spec_from_file_location("dincer2016_tables", Path(__file__).parent / "dincer2016_tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    return tables
