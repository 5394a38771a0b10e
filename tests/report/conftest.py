from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from .browsing import start

    driver = start(tmp_path_factory.mktemp("browser"))
    yield driver
    driver.quit()


@pytest.fixture
def tab(browser):
    from .browsing import Tab

    yield Tab(browser)
    Tab(browser).prefer()
    Tab(browser).resize()


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """A folder for pages."""
    return tmp_path_factory.mktemp("pages")
