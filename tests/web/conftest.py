"""The browser, the runs and the server that the web tests share."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import Watched, chromium
from tests.web.recorded import Served, write_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser(runs: Path) -> "Iterator[Browser]":
    assert runs.is_dir()  # written before: while Playwright runs, this thread has an event loop
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web") / "runs"
    write_runs(folder)
    return folder


@pytest.fixture(scope="session")
def url(runs: Path) -> Iterator[str]:
    with Served(runs) as found:
        yield found


@pytest.fixture
def tab(browser: "Browser", url: str) -> Iterator[Watched]:
    watched = Watched(browser)
    watched.page.goto(url)
    watched.page.locator("table.runs").wait_for()
    yield watched
    assert watched.errors == []
    elsewhere = [each for each in watched.requests if not each.startswith(url.split("/?")[0])]
    assert elsewhere == [], "expected requests to this machine only"
    watched.page.close()
