import asyncio
import gc
from pathlib import Path
from weakref import WeakSet

import pytest

from quintet.environments.webarena.browser import browser as module
from quintet.environments.webarena.host_browser import HostBrowser


class CountedBrowser:
    """Opens no window, and counts."""

    made: "list[CountedBrowser]" = []

    def __init__(self, chromium: object, *, pause: float) -> None:
        self.windows, self.users = 0, WeakSet[HostBrowser]()
        self.closed = False
        self.made.append(self)

    async def window(self, **given: object) -> None:
        self.windows += 1

    async def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[CountedBrowser]:
    monkeypatch.setattr(module, "Browser", CountedBrowser)
    monkeypatch.setattr(CountedBrowser, "made", [])
    return CountedBrowser.made


async def test_worlds_on_one_loop_share_a_browser_that_the_last_one_ends() -> None:
    one, other, unused = HostBrowser(), HostBrowser(), HostBrowser()
    await one.browser.window(hosts=["a"])
    await other.browser.window(hosts=["b"])
    (browser,) = CountedBrowser.made
    await unused.close()
    await one.close()
    await one.close()
    assert (browser.windows, browser.closed) == (2, False)
    await other.close()
    assert browser.closed
    await one.browser.window(hosts=["a"])
    assert len(CountedBrowser.made) == 2


async def test_a_world_that_is_dropped_leaves_the_browser_to_the_next() -> None:
    dropped = HostBrowser()
    await dropped.browser.window(hosts=["a"])
    del dropped
    gc.collect()
    following = HostBrowser()
    await following.browser.window(hosts=["a"])
    (browser,) = CountedBrowser.made
    assert not browser.closed
    await following.close()
    assert browser.closed


def test_another_loop_or_executable_has_another_browser() -> None:
    async def open_two() -> None:
        await HostBrowser().browser.window(hosts=["a"])
        await HostBrowser(Path("/opt/chromium")).browser.window(hosts=["a"])

    for made in (2, 4):
        asyncio.run(open_two())
        assert len(CountedBrowser.made) == made
