"""What pages do that nobody wants: outcomes in sentences, and no other window is stopped."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from quintet.environments.webarena.actions import Click, GoBack, GoTo, NewTab, Press, Scroll
from quintet.environments.webarena.browser.page_reader import MOST_ELEMENTS
from quintet.environments.webarena.browser.requests import RequestWatch
from quintet.environments.webarena.browser.tab import Patience
from quintet.errors import WorldFault
from tests.actors.environments.webarena.browser.playground import Playground, playground

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.web

_EMPTY = "about:blank"


@pytest.fixture(scope="module")
def play() -> Iterator[Playground]:
    with playground() as made:
        made.page("/one", "<title>One</title><h1>One</h1>")
        yield made


@pytest.fixture(scope="module")
def brief() -> Iterator[Playground]:
    """Waits only briefly, for pages that would keep it waiting."""
    with playground(Patience(navigation=3, settling=3, action=3, capture=3, requests=0.5)) as made:
        made.page("/one", "<title>One</title><h1>One</h1>")
        yield made


async def _never(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError("it is cancelled")


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    await response.write(b"<title>Endless</title><h1>What came</h1>" + b" " * 2_000)
    await asyncio.Event().wait()
    return response


_DIALOGS = {
    "alert('Hello\\n\\u001b[31mthere')": ('The page said "Hello [31mthere".',),
    "document.title = confirm('Sure?')": ('The page asked "Sure?"; it was answered with OK.',),
    "document.title = prompt('Name?', 'x')": ('The page asked for a text, "Name?"; it was cancelled.',),
}


@pytest.mark.parametrize("script", _DIALOGS)
async def test_a_dialog_is_answered_and_told(play: Playground, script: str) -> None:
    view = await play.window(play.page("/dialog", f'<title>D</title><button onclick="{script}">Ask</button>'))
    assert not await view.click("button", "Ask")
    assert view.window.notes() == _DIALOGS[script]
    if "title" in script:
        assert view.window.tabs[0].title == ("true" if "confirm" in script else "null")


async def test_a_page_that_asks_whether_to_leave_it_is_left(play: Playground) -> None:
    stays = "<title>Stays</title><button>Touch</button><script>onbeforeunload = e => e.preventDefault()</script>"
    view = await play.window(play.page("/stays", stays))
    await view.click("button", "Touch")
    assert not await view.act(GoTo(play.url("/one")))
    assert view.url == play.url("/one")
    assert view.window.notes() == ("The page asked whether to leave it; it was left.",)


async def test_a_download_and_a_file_are_refused(play: Playground) -> None:
    async def file(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b"x", headers={"Content-Disposition": 'attachment; filename="bill.pdf"'})

    play.page("/file", file)
    page = "<title>Files</title><a href=/file>Get</a><a href=/file target=_blank>New</a><input type=file>"
    view = await play.window(play.page("/files", page + "<button onclick=document.querySelector('input').click()>B"))
    refused = 'The download of "bill.pdf" was refused.'
    assert not await view.click("link", "Get")
    assert view.window.notes() == (refused,)
    assert not await view.act(GoTo(play.url("/file")))
    assert (view.url, view.window.notes()) == (play.url("/files"), (refused,))
    assert not await view.click("link", "New")
    assert [tab.url for tab in view.window.tabs] == [play.url("/files")]
    view.window.notes()
    chooser = next(n for n, each in view.tree.elements.items() if "hoose" in each.name)
    assert "no file can be chosen here" in await view.act(Click(chooser))
    assert not await view.click("button", "B")
    assert view.window.notes() == ("The page asked for a file; no file can be chosen here.",)


async def test_requests_to_other_hosts_are_refused_however_they_are_made(play: Playground) -> None:
    elsewhere = play.page("/elsewhere", "<title>Elsewhere</title>", host="other.s2.localhost")
    page = f"""<title>Links</title><a href={elsewhere}>Link</a><a href={elsewhere} target=_blank>New</a>
        <a href=/redirects>Redirect</a><img src={elsewhere}><output>waits</output>
        <script>const say = e => document.querySelector("output").textContent = e;
        fetch("{elsewhere}", {{mode: "no-cors"}}).catch(say)</script>"""

    async def redirects(_: web.Request) -> web.StreamResponse:
        raise web.HTTPFound(elsewhere)

    play.page("/redirects", redirects)
    view = await play.window(play.page("/links", page))
    assert "Failed to fetch" in view.text
    reason = "Requests to other.s2.localhost are refused, as it is none of the sites"
    others = ("http://example.com:22/", "file:///etc/passwd", "javascript:alert(1)", "chrome://version")
    for url in (elsewhere, *others):
        assert "refused, as it is none of the sites." in await view.act(GoTo(url))
    assert await view.act(GoTo(elsewhere)) == reason + "."
    play.asked.clear()
    for link in ("Link", "Redirect"):
        assert not await view.click("link", link)
        assert view.window.notes() == (f"{reason}. The tab shows {play.url('/links')} again.",)
        assert view.url == play.url("/links")
    assert not await view.click("link", "New")
    assert f"{reason}. The new tab was closed." in view.window.notes()
    assert [tab.url for tab in view.window.tabs] == [play.url("/links")]
    assert "GET /elsewhere" not in play.asked


async def test_a_page_that_does_not_load_is_told_with_the_browsers_reason(play: Playground) -> None:
    async def breaks(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    breaking = play.page("/breaks", breaks)
    view = await play.window(play.page("/links", "<title>Links</title><a href=/breaks>Link</a>"))
    reason = f"{breaking} did not load (net::ERR_EMPTY_RESPONSE)"
    assert await view.act(GoTo(breaking)) == f"{reason}."
    assert view.url == play.url("/links")
    assert not await view.click("link", "Link")
    assert view.window.notes() == (f"{reason}. The tab shows {play.url('/links')} again.",)
    with pytest.raises(WorldFault, match="ERR_EMPTY_RESPONSE"):
        await play.window(breaking)


async def test_a_server_that_does_not_answer_leaves_the_page_as_it_is(brief: Playground) -> None:
    never = brief.page("/never", _never)
    view = await brief.window(brief.page("/links", "<title>Links</title><a href=/never>Link</a>"))
    assert await view.act(GoTo(never)) == f"{never} did not answer in 3 seconds."
    assert not await view.click("link", "Link")
    assert "did not finish loading in 3 seconds" in view.window.notes()[0]
    assert view.url == brief.url("/links")
    assert "link 'Link'" in view.text


async def test_an_endless_page_is_shown_as_far_as_it_came(brief: Playground) -> None:
    brief.page("/endless", _endless)
    view = await brief.window(brief.page("/links", "<title>Links</title><a href=/endless>Link</a>"))
    assert not await view.click("link", "Link")
    assert view.window.notes() == ("The page did not finish loading in 3 seconds. This much of it came.",)
    assert "heading 'What came'" in view.text
    assert not await view.act(GoBack())
    assert view.url == brief.url("/links")


async def test_an_endless_stream_of_a_script_is_waited_for_once(brief: Playground) -> None:
    brief.page("/endless", _endless)
    stream = "<title>Stream</title><button>Again</button><script>fetch('/endless')</script>"
    view = await brief.window(brief.page("/stream", stream))
    mark = brief.asked.count("GET /endless")
    assert not await view.click("button", "Again")
    assert (view.window.notes(), brief.asked.count("GET /endless")) == ((), mark)


_NEVER_SETTLES = {
    "reloads as it loads": "location.reload()",
    "goes elsewhere by a timer": "setInterval(() => location = '/unsettled?' + Math.random(), 5)",
    "goes elsewhere when it has loaded": "onload = () => setTimeout(() => location = '/unsettled?' + Math.random())",
    "adds and removes frames": """setInterval(() => {
        const frame = document.createElement("iframe"); frame.src = "/one";
        document.body.append(frame); setTimeout(() => frame.remove(), 7);
    }, 5)""",
}


@pytest.mark.parametrize(
    "how", [how if "loads" in how else pytest.param(how, marks=pytest.mark.slow) for how in _NEVER_SETTLES]
)
async def test_a_page_that_never_settles_is_an_outcome_whatever_is_done_in_it(brief: Playground, how: str) -> None:
    title = "<title>Unsettled</title><h1>Going</h1>"
    unsettled = brief.page("/unsettled", f"{title}<button>B</button><script>{_NEVER_SETTLES[how]}</script>")
    view = await brief.window(brief.url("/one"))
    window = view.window
    for action in (GoTo(unsettled), Press("Control+a"), Scroll("down")):
        await view.act(action)
        await window.evaluate(None, "() => document.title")
        await window.html(None)
        await window.picture()
    assert any(words in note for note in window.notes() for words in ("did not finish loading", "does not answer"))
    await window.restore(window.tabs, window.current, await window.cookies())
    await view.act(NewTab())
    assert not await view.act(GoTo(brief.url("/one"))), "another tab is not stopped"
    assert "heading 'One'" in view.text


async def test_a_page_that_closes_its_tab_while_it_is_read_is_read_as_nothing(play: Playground) -> None:
    view = await play.window(play.page("/links", "<title>Links</title><button onclick=window.open('/one')>B</button>"))
    assert not await view.click("button", "B")
    assert await view.window.evaluate(None, "async () => { close(); await new Promise(() => {}); }") == ""
    await view.look()
    assert view.url == play.url("/links")
    assert "The page closed its tab." in view.window.notes()


async def test_a_click_on_a_list_that_is_disabled_does_nothing(play: Playground) -> None:
    page = "<title>List</title><select disabled aria-label=L><option>a<option>b</select>"
    view = await play.window(play.page("/list", page))
    before = view.text
    assert not await view.click("combobox", "L")
    assert (view.text, view.window.notes()) == (before, ())


_HANGS = {
    "while it loads": "<title>Hangs</title><script>while (true) {}</script>",
    "when it is clicked": "<title>Hangs</title><script>onmousedown = () => { while (true) {} }</script>",
    "a moment later": "<title>Hangs</title><script>onclick = () => setTimeout(() => { while (true) {} }, 60)</script>",
    "by dialogs": "<title>Hangs</title><script>onclick = () => { while (true) alert('again') }</script>",
}


@pytest.mark.parametrize("when", _HANGS)
async def test_a_script_that_does_not_end_empties_its_tab_and_stops_no_other_window(
    brief: Playground, when: str
) -> None:
    brief.page("/hangs", _HANGS[when] + "<button>B</button>")
    other = await brief.window(brief.page("/links", "<title>Links</title><a href=/hangs>Link</a>"))
    view = await brief.window(brief.url("/links"))

    async def hang() -> None:
        await view.click("link", "Link")
        if when != "while it loads":
            await view.click("button", "B")
        for _ in range(100):  # a page may be seen once more before it hangs
            if view.url != _EMPTY:
                await view.look()

    hanging = asyncio.create_task(hang())
    acted = 0
    while not hanging.done():
        assert not await other.act(GoTo(brief.url("/one")))
        assert not await other.act(GoBack())
        acted += 1
    await hanging
    assert acted > 1
    assert any("does not answer; its tab was emptied." in note for note in view.window.notes())
    assert view.url == _EMPTY
    assert not await view.act(GoTo(brief.url("/one")))
    assert "heading 'One'" in view.text


async def test_a_call_that_is_cancelled_leaves_a_window_that_can_be_closed(brief: Playground) -> None:
    clicked = asyncio.Event()

    async def told(_: web.Request) -> web.StreamResponse:
        clicked.set()
        return web.Response()

    brief.page("/clicked", told)
    page = """<title>Hangs</title><button>B</button><script>onclick = () => {
        const asked = new XMLHttpRequest(); asked.open("GET", "/clicked", false); asked.send(); for (;;);
    }</script>"""
    view = await brief.window(brief.page("/hangs", page))
    acting = asyncio.create_task(view.click("button", "B"))
    await clicked.wait()
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    await view.window.close()
    await brief.window(brief.url("/one"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<h1>Top</h1>" + ("<p>" + "word " * 2_000) * 1_000, "elements and 10,000,0"),
        ("<b>x</b>" * MOST_ELEMENTS, "which are too many to show."),
    ],
    ids=["ten megabytes", "too many elements"],
)
async def test_a_page_that_is_too_large_is_not_shown_and_can_be_left(play: Playground, content: str, said: str) -> None:
    large = play.page("/large", f"<title>Large</title>{content}")
    view = await play.window(play.url("/one"))
    assert not await view.act(GoTo(large))
    assert view.text == "RootWebArea 'A page too large to show'"
    assert said in view.window.notes()[0]
    assert not await view.act(GoBack())
    assert "heading 'One'" in view.text


async def test_a_label_of_a_megabyte_with_escape_sequences_is_shown_cut_and_plain(play: Playground) -> None:
    label = "&#27;[31m" + "word " * 200_000
    view = await play.window(play.page("/label", f"<title>&#27;[2J</title><button aria-label='{label}'>B</button>"))
    assert len(view.text) < 2_000
    assert "\x1b" not in view.text


async def test_a_page_that_crashes_is_an_outcome(play: Playground) -> None:
    from playwright.async_api import Error

    view = await play.window(play.url("/one"))
    with suppress(Error):
        await view.window.context.pages[0].goto("chrome://crash")
    await view.look()
    assert view.window.notes() == (f"The page at {play.url('/one')} crashed; its tab was emptied.",)
    assert not await view.act(GoTo(play.url("/one")))
    assert "heading 'One'" in view.text


async def test_what_a_script_asks_for_after_a_click_is_waited_for(
    play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = asyncio.Event()
    is_open = RequestWatch.open_since

    def open_since(requests: RequestWatch, mark: int, page: "Page") -> bool:
        found = is_open(requests, mark, page)
        if found:
            waited.set()
        return found

    monkeypatch.setattr(RequestWatch, "open_since", open_since)

    async def slow(_: web.Request) -> web.StreamResponse:
        waited.clear()
        await waited.wait()  # until the window has seen that no answer came yet
        return web.Response(text="came")

    play.page("/slow", slow)
    page = """<title>Fetch</title><button>Ask</button><output></output><script>onclick = async () => {
        const one = await (await fetch("/slow")).text(), two = await (await fetch("/slow?2")).text();
        document.querySelector("output").textContent = `${one}, ${two}` }</script>"""
    view = await play.window(play.page("/fetch", page))
    assert not await view.click("button", "Ask")
    assert "came, came" in view.text
