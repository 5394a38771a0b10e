"""Files that the tests of several commands share."""

from __future__ import annotations

import pytest

import riskrank as rr

from .letor_files import small_letor_texts
from .shop_tables import OWN, SMALL, shop_frame, write_shop
from .sweep_files import small_sweep_texts


@pytest.fixture(scope="session")
def letor_texts():
    return small_letor_texts()


@pytest.fixture
def letor_files(letor_texts, tmp_path):
    for name, text in letor_texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="session")
def sweep_texts(tmp_path_factory):
    return small_sweep_texts(tmp_path_factory.mktemp("features"))


@pytest.fixture
def sweep_files(sweep_texts, tmp_path):
    for name, text in sweep_texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def foreign(tmp_path):
    """A folder of somebody else's, which nothing may touch."""
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").write_text("all of it")
    return tmp_path / "foreign"


@pytest.fixture(scope="session")
def frame():
    return shop_frame()


@pytest.fixture
def shop(frame, tmp_path):
    write_shop(frame, tmp_path)
    return tmp_path


@pytest.fixture
def model(riskrank, shop):
    assert riskrank("train", "plain.parquet", *OWN, *SMALL, "-o", "model", cwd=shop).status == 0
    return rr.load(shop / "model")
