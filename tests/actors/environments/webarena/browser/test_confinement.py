"""What a page, an evaluator or a call that is cut short cannot do."""

import asyncio
import os
from collections.abc import Iterator

import pytest
from aiohttp import web

from quintet.environments.webarena.actions import Press, Type
from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.browser.tab import Patience
from tests.actors.environments.webarena.browser.playground import Playground, View, playground
from tests.actors.environments.webarena.browser.processes import below, left_of

pytestmark = pytest.mark.web

_REACHES = """<title>Reaches</title><script>
const hosts = ["127.0.0.1", "127.9.9.9", "[::1]", "other.localhost", "site.s2.localhost", "169.254.169.254"];
const asked = hosts.map(host => fetch(`http://${host}:${location.port}/secret`, {mode: "no-cors"}));
const away = fetch("/away", {mode: "no-cors"});
const socket = new Promise(resolve => {
    new WebSocket(`ws://127.0.0.1:${location.port}/secret`).onerror = resolve;
});
Promise.allSettled([...asked, away, socket]).then(ends => {
    document.body.append(ends.map(end => end.status).join(" "));
});
</script><body><iframe src="/away"></iframe><img src="/away"></body>"""


@pytest.fixture
def play() -> Iterator[Playground]:
    with playground() as made:
        yield made


@pytest.fixture
def brief() -> Iterator[Playground]:
    with playground(Patience(action=1.0)) as made:
        yield made


@pytest.mark.parametrize("bare", [False, True], ids=["with a port", "bare"])
async def test_a_page_of_a_site_on_this_machine_reaches_no_other_host_of_it(play: Playground, *, bare: bool) -> None:
    async def away(request: web.Request) -> web.StreamResponse:
        return web.HTTPFound(f"http://127.0.0.1:{request.url.port}/secret")

    play.page("/away", away)
    url = play.page("/", _REACHES, host="localhost")
    host = url.removeprefix("http://").rstrip("/")
    window = await play.browser.window(hosts=["localhost" if bare else host])
    await window.open([url])
    text = await View(window).look()
    assert "rejected rejected rejected rejected rejected rejected rejected fulfilled" in text
    assert not any("secret" in asked for asked in play.asked)


async def test_an_evaluator_loads_pages_of_the_sites_only(play: Playground) -> None:
    view = await play.window(play.page("/", "<title>Site</title>"))
    for url in ("file:///etc/passwd", f"view-source:{play.url('/')}", "chrome://version", play.url("/", "other.test")):
        assert await view.window.html(url) == ""
        assert await view.window.evaluate(url, "() => document.documentElement.outerHTML") == ""
    assert "Site" in await view.window.html(play.url("/"))


async def test_an_evaluator_leaves_a_page_whose_script_does_not_end(brief: Playground) -> None:
    view = await brief.window(brief.page("/", "<title>Site</title>"))
    assert await view.window.evaluate(brief.url("/"), "() => { for (;;); }") == ""
    assert len(view.window.context.pages) == 1
    assert "Site" in await view.window.html(None)


def test_a_start_that_is_cancelled_at_any_moment_leaves_no_process() -> None:
    async def body(turns: int) -> bool:
        browser = Browser()
        opening = asyncio.create_task(browser.window(hosts=()))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        late = opening.done()
        await asyncio.wait([opening])
        assert opening.cancelled() or late
        await browser.close()
        return late

    for turns in (2, 5, 10, 40):
        asyncio.run(body(turns))
        assert left_of(below(os.getpid()), 5) == []


async def test_a_window_that_is_cancelled_is_not_left_in_the_browser() -> None:
    browser = Browser()
    first = await browser.window(hosts=())
    opened = first.context.browser
    assert opened is not None
    for turns in range(1, 12, 2):
        opening = asyncio.create_task(browser.window(hosts=()))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
    assert opened.contexts == [first.context]
    await first.close()
    await browser.close()


async def test_a_browser_that_is_closed_while_it_starts_ends() -> None:
    browser = Browser()
    opening = asyncio.create_task(browser.window(hosts=()))
    await asyncio.sleep(0)
    await browser.close()
    await asyncio.wait([opening])
    assert opening.exception() is not None
    assert below(os.getpid()) == []


async def test_what_one_window_copies_no_other_pastes(play: Playground) -> None:
    url = play.page("/", '<title>Field</title><input aria-label="Word"><input aria-label="Other">')
    one, other = await play.window(url), await play.window(url)
    await other.act(Type(other.number("textbox", "Word"), "", enter=False))
    await one.act(Type(one.number("textbox", "Word"), "secret", enter=False))
    await one.act(Press("Control+a"))
    await one.act(Press("Control+c"))
    await other.act(Press("Control+v"))
    assert "secret" not in other.text
    await one.act(Press("Tab"))
    await one.act(Press("Control+v"))
    fields = "() => [...document.querySelectorAll('input')].map(field => field.value).join()"
    assert await one.window.evaluate(None, fields) == "secret,secret"
