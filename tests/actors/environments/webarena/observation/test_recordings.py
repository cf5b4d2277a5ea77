from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from quintet.environments.webarena.observation.tree import read_tree
from tests.actors.environments.webarena.observation.recordings import PAGES, live, recorded
from tests.web.browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as started:
        yield started


@pytest.mark.parametrize("name", PAGES)
def test_this_chromium_answers_as_the_recorded_one(browser: "Browser", name: str) -> None:
    assert read_tree(live(browser, name)).text == read_tree(recorded(name)).text
