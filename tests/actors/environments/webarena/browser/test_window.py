"""What can be done in a window: the published actions, in a real browser."""

from collections.abc import Iterator, Sequence

import pytest
from aiohttp import web

from quintet.environments.webarena.actions import (
    Click,
    CloseTab,
    FocusTab,
    GoBack,
    GoForward,
    GoTo,
    Hover,
    NewTab,
    Press,
    Scroll,
    Type,
)
from quintet.environments.webarena.browser.tab_row import MOST_TABS
from quintet.environments.webarena.browser.tabs import WebCookie
from quintet.environments.webarena.observation.tree import PageElement
from tests.actors.environments.webarena.browser.playground import Playground, playground

pytestmark = pytest.mark.web

_FORM = """<title>Form</title><form action=/sent><label>Name <input name=name value=old></label>
<label>Text <textarea name=text></textarea></label><select name=size aria-label=Size><option>Small<option>Large
<option disabled>Gone</select><button>Send</button></form><output></output><a href=/two>Two</a>
<script>document.querySelector("select").onchange = e => {
    document.querySelector("output").textContent = "size " + e.target.value }</script>"""


@pytest.fixture(scope="module")
def play() -> Iterator[Playground]:
    with playground() as made:
        made.page("/one", "<title>One</title><h1>One</h1><a href=/two>Two</a>")
        made.page("/two", "<title>Two</title><h1>Two</h1><a href=/three>Three</a>")
        made.page("/three", "<title>Three</title><h1>Three</h1>")
        made.page("/form", _FORM)
        made.page("/sent", "<title>Sent</title>sent")
        yield made


async def test_a_click_follows_a_link_and_going_back_loads_the_address_before_it_anew(play: Playground) -> None:
    view = await play.window(play.url("/one"))
    assert await view.act(GoBack()) == "There is no page before this one in this tab."
    assert not await view.click("link", "Two")
    assert not await view.click("link", "Three")
    assert view.window.tabs[0].title == "Three"
    play.asked.clear()
    assert not await view.act(GoBack())
    assert not await view.act(GoBack())
    assert play.asked == ["GET /two", "GET /one"]
    assert not await view.act(GoForward())
    assert view.url == play.url("/two")
    assert view.window.tabs[0].history == tuple(map(play.url, ("/one", "/two", "/three")))
    assert not await view.act(GoTo(play.url("/form")))
    assert view.window.tabs[0].history == tuple(map(play.url, ("/one", "/two", "/form")))
    assert await view.act(GoForward()) == "There is no page after this one in this tab."
    assert view.window.notes() == ()


async def test_typing_replaces_what_a_field_holds_and_enter_sends_the_form_and_a_link_takes_none(
    play: Playground,
) -> None:
    view = await play.window(play.url("/form"))
    link = view.number("link", "Two")
    assert await view.act(Type(link, "words")) == f"Element [{link}] takes no text."
    assert view.url == play.url("/form")
    assert not await view.act(Type(view.number("textbox", "Name"), "", enter=False))
    assert await view.window.evaluate(None, "() => document.querySelector('input').value") == ""
    assert not await view.act(Type(view.number("textbox", "Name"), "new [x]", enter=False))
    assert "StaticText 'new [x]'" in view.text
    assert not await view.act(Type(view.number("textbox", "Text"), "two\nlines " + "x" * 300, enter=False))
    assert not await view.act(Type(view.number("textbox", "Name"), "last", enter=True))
    assert view.url.startswith(play.url("/sent?name=last&text=two"))
    assert not view.window.sent_changes


@pytest.mark.parametrize(
    ("role", "texts", "value"),
    [
        ("Date", ("01/02/2003", "05/20/2010"), "2010-05-20"),
        ("Date", ("1/2/2003",), "2003-01-02"),
        ("InputTime", ("01:02 AM", "9:37 PM"), "21:37"),
        ("InputTime", ("1:05 PM",), "13:05"),
        ("DateTime", ("01/02/2003, 1:02 AM", "5/20/2010 9:37 PM"), "2010-05-20T21:37"),
    ],
)
async def test_a_date_and_a_time_are_typed_from_their_first_part_on(
    play: Playground, role: str, texts: Sequence[str], value: str
) -> None:
    fields = "<input type=date><input type=time><input type=datetime-local>"
    view = await play.window(play.page("/when", f"<title>When</title>{fields}"))
    for text in texts:
        assert not await view.act(Type(view.number(role, ""), text, enter=False))
    read = "() => [...document.querySelectorAll('input')].map(each => each.value).join('')"
    assert await view.window.evaluate(None, read) == value


async def test_an_option_of_a_closed_list_is_chosen_by_a_click_and_by_its_words(play: Playground) -> None:
    view = await play.window(play.url("/form"))
    size = view.number("combobox", "Size")
    assert not await view.act(Click(size))
    assert not await view.click("option", "Large")
    assert "size Large" in view.text
    assert not await view.act(Type(size, "sma"))
    assert "size Small" in view.text
    assert await view.act(Type(size, "huge")) == f"Element [{size}] has no such option."
    gone = view.number("option", "Gone")
    assert await view.act(Click(gone)) == f"Element [{gone}] cannot be chosen now."
    assert view.url == play.url("/form")


async def test_keys_are_pressed_by_their_names_and_by_other_names_of_them(play: Playground) -> None:
    view = await play.window(play.url("/form"))
    await view.act(Type(view.number("textbox", "Name"), "abc", enter=False))
    assert not await view.act(Press("ctrl+a"))
    assert not await view.act(Press("Backspace"))
    assert not await view.act(Press("z"))
    assert await view.window.evaluate(None, "() => document.querySelector('input').value") == "z"
    assert await view.act(Press("Banana")) == "There is no key 'Banana'."
    assert not await view.act(Press("return"))
    assert view.url.startswith(play.url("/sent"))


async def test_scrolling_goes_by_the_viewport_to_the_pages_ends_and_an_element_out_of_view_is_scrolled_to(
    play: Playground,
) -> None:
    tall = "<title>Tall</title><p>top</p><p style='margin-top:900px'>bottom <a href=/two>Far away</a></p>"
    view = await play.window(play.page("/tall", tall))
    assert "bottom" not in view.text
    assert not await view.act(Scroll("down"))
    assert "bottom" in view.text
    assert view.window.tabs[0].scroll[1] > 0
    assert await view.act(Scroll("down")) == "The page does not scroll further down."
    assert not await view.act(Scroll("up"))
    assert await view.act(Scroll("up")) == "The page does not scroll further up."
    assert "Far away" not in view.text
    assert not await view.click("link", "Far away")
    assert view.url == play.url("/two")


async def test_a_menu_opens_under_the_mouse_and_closes_on_the_next_page(play: Playground) -> None:
    menu = """<title>Menu</title><style>ul { display: none } div:hover ul { display: block }</style>
        <div><button>Menu</button><ul><li><a href=/menu>Again</a></ul></div>"""
    view = await play.window(play.page("/menu", menu))
    assert "Again" not in view.text
    assert not await view.act(Hover(view.number("button", "Menu")))
    assert "Again" in view.text
    assert not await view.click("link", "Again")
    assert "Again" not in view.text


async def test_tabs_are_opened_focused_and_closed_by_number(play: Playground) -> None:
    view = await play.window(play.url("/one"), play.url("/two"))
    window = view.window
    assert (window.current, [tab.url for tab in window.tabs]) == (0, [play.url("/one"), play.url("/two")])
    assert [tab.title for tab in window.tabs] == ["One", "Two"]
    assert await view.act(FocusTab(2)) == "There is no tab 2; the last is tab 1."
    assert not await view.act(FocusTab(1))
    assert "heading 'Two'" in view.text
    assert not await view.act(NewTab())
    assert (window.current, view.url) == (2, "about:blank")
    assert not await view.act(GoTo(play.url("/three")))
    assert window.tabs[2].history == ("about:blank", play.url("/three"))
    assert not await view.act(CloseTab())
    assert window.current == 1
    assert not await view.act(CloseTab())
    assert not await view.act(CloseTab())
    assert (window.current, [tab.url for tab in window.tabs]) == (0, ["about:blank"])
    assert window.notes() == ()


async def test_there_are_only_so_many_tabs(play: Playground) -> None:
    view = await play.window(play.url("/one"))
    for _ in range(MOST_TABS - 1):
        assert not await view.act(NewTab())
    assert await view.act(NewTab()) == f"There are {MOST_TABS} tabs already."
    play.page("/opens", "<title>Opens</title><a href=/two target=_blank>New</a>")
    await view.act(GoTo(play.url("/opens")))
    assert not await view.click("link", "New")
    assert view.window.notes() == (f"The page opened a tab, which was closed: there are {MOST_TABS}.",)
    assert len(view.window.tabs) == MOST_TABS


_NEW = "<a href=/two target=_blank>New</a>", "<a onclick=\"window.open('/two')\" href=#>New</a>"


@pytest.mark.parametrize("link", _NEW)
async def test_a_tab_that_a_page_opens_is_the_current_one(play: Playground, link: str) -> None:
    view = await play.window(play.page("/opens", f"<title>Opens</title>{link}"))
    assert not await view.click("link", "New")
    assert view.window.notes() == ("The page opened a new tab, which is now the current one.",)
    assert (view.window.current, view.url) == (1, play.url("/two"))
    assert view.window.tabs[1].history == (play.url("/two"),)
    assert "heading 'Two'" in view.text


async def test_a_page_that_closes_itself_leaves_the_tab_before_it_or_an_empty_one(play: Playground) -> None:
    play.page("/closes", "<title>Closes</title><button onclick='window.close()'>Close</button>")
    opens = "<title>Opens</title><a onclick=\"window.open('/closes')\" href=#>New</a>"
    view = await play.window(play.page("/opens", opens))
    await view.click("link", "New")
    view.window.notes()
    assert not await view.click("button", "Close")
    assert view.window.notes() == ("The page closed its tab.",)
    assert [tab.title for tab in view.window.tabs] == ["Opens"]
    await view.click("link", "New")
    await view.act(FocusTab(0))
    await view.act(CloseTab())
    view.window.notes()
    assert not await view.click("button", "Close")
    assert view.window.notes() == ("The page closed its tab.",)
    assert [tab.url for tab in view.window.tabs] == ["about:blank"]


async def test_what_is_sent_other_than_by_get_counts_as_a_change(play: Playground) -> None:
    async def add(_: web.Request) -> web.StreamResponse:
        raise web.HTTPSeeOther("/two")

    play.page("/add", add)
    post = "<title>Post</title><form method=post action=/add><button>Add</button></form>"
    view = await play.window(play.page("/post", post))
    sent = [view.window.sent_changes]
    assert not await view.click("button", "Add")
    assert view.url == play.url("/two")
    sent.append(view.window.sent_changes)
    view.window.clear_changes()
    await view.act(GoBack())
    assert [*sent, view.window.sent_changes] == [False, True, False]


async def test_an_element_that_went_away_cannot_be_clicked(play: Playground) -> None:
    goes = "<title>Goes</title><button id=a>A</button><button onclick=a.remove()>B</button><button hidden>C</button>"
    view = await play.window(play.page("/goes", goes))
    number, before = view.number("button", "A"), view.tree.elements
    await view.click("button", "B")
    assert await view.window.carry_out(Click(number), before) == f"Element [{number}] is gone from the page."
    assert await view.act(Click(999)) == "There is no element [999] on this page."
    bare = {1: PageElement(None, "button", "", None)}
    assert await view.window.carry_out(Click(1), bare) == "Element [1] is no part of the page's document."
    await view.act(GoTo(play.url("/two")))
    assert await view.window.carry_out(Click(number), before) == f"Element [{number}] is gone from the page."


async def test_a_restored_window_shows_the_same_and_goes_back_as_the_first_did(play: Playground) -> None:
    play.page("/tall", "<title>Tall</title><a href=/one>One</a><p style='margin-top:900px'>bottom</p>")
    first = await play.window(play.url("/one"))
    await first.act(GoTo(play.url("/tall")))
    await first.act(NewTab())
    await first.act(GoTo(play.url("/two")))
    await first.act(FocusTab(0))
    await first.act(Scroll("down"))
    cookie = WebCookie(name="cart", value="7", domain="site.s1.localhost")
    tabs, current = first.window.tabs, first.window.current
    second = await play.window()
    await second.window.restore(tabs, current, (cookie,))
    await second.look()
    assert (second.tree.text, second.window.tabs, second.window.current) == (first.tree.text, tabs, current)
    assert await second.window.cookies() == (cookie,)
    assert not await second.act(GoBack())
    assert second.url == play.url("/one")


async def test_an_evaluator_reads_pages_and_leaves_the_tabs_as_they_are(play: Playground) -> None:
    play.page("/opens", "<title>Opens</title><script>open('/two')</script><h1>Read me</h1>")
    view = await play.window(play.url("/form"))
    await view.act(Type(view.number("textbox", "Name"), "typed", enter=False))
    before, window = view.text, view.window
    assert "<h1>Read me</h1>" in await window.html(play.url("/opens"))
    assert "Form" in await window.html(None)
    heading = "() => document.querySelector('h1').outerText"
    assert await window.evaluate(play.url("/two"), heading) == "Two"
    assert await window.evaluate(play.url("/three"), heading, ["() => nonsense(", "document.body.click()"]) == "Three"
    assert await window.evaluate(None, "() => document.querySelector('input').value") == "typed"
    assert await window.evaluate(None, "() => [1 < 2, null, 3].map(String).join()") == "true,null,3"
    for script, value in {"1 < 2": "True", "null": "", "3": "3", "nothing.here": ""}.items():
        assert await window.evaluate(None, f"() => {script}") == value
    await view.look()
    assert (view.text, len(window.tabs), window.notes()) == (before, 1, ())
    assert (await window.picture()).startswith(b"\xff\xd8\xff")


async def test_text_that_is_put_in_without_keys_is_seen_at_once(play: Playground) -> None:
    url = play.page("/", '<title>Note</title><input aria-label="Word"><textarea aria-label="Text"></textarea>')
    view, long = await play.window(url), "word " * 60 + "end"
    for field in ("Text", "Word"):
        await view.act(Type(view.number("textbox", field), long, enter=False))
        assert long in view.text
        await view.act(Press("Control+a"))
        await view.act(Press("Control+x"))
        assert "word" not in view.text
        await view.act(Press("Control+v"))
        assert long in view.text
        await view.act(Type(view.number("textbox", field), "", enter=False))
