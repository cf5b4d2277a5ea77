"""The viewer's pages in a real Chromium: `make test-web`."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import pytest

from quintet.launch.writable_run import WritableRun
from quintet.view.folder import ViewedFolder
from quintet.view.one_file import MOST_PICTURES, write_page
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.web.browser import Watched
from tests.web.recorded import Served, elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web

_INJECT = """() => {
    const injected = document.createElement("div");
    injected.innerHTML = '<img src="https://example.org/picture">';
    document.body.append(injected);
}"""
"""Markup that got into the page after all."""
_GO_WHEN_DRAWN = """new MutationObserver((_, observer) => {
    if (!document.querySelector("table.runs")) return;
    observer.disconnect();
    location.hash = "/episode/./beehive%2F0%2F0";
}).observe(document, { childList: true, subtree: true })"""
"""Somebody chooses an episode after the list of runs is drawn and before anything else happens."""


def _opens_in(browser: "Browser", url: str, address: str, selector: str) -> tuple[float, float]:
    """Milliseconds from the start of a load to the first paint, and to what a person came for."""
    watched = Watched(browser)
    watched.page.goto(url)  # the token becomes a cookie
    watched.page.goto("about:blank")
    watched.page.goto(f"{url.split('?')[0]}#{address}")
    watched.page.locator(selector).first.wait_for()
    shown = watched.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
    )
    painted = watched.page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert watched.errors == []
    watched.page.close()
    return painted, shown


@pytest.mark.parametrize(
    ("address", "selector"),
    [("/run/many", "a.row"), ("/episode/tree/beehive%2F0%2F0/tree", ".node[role=listitem]")],
    ids=["10,000 episodes", "10,000 nodes"],
)
def test_ten_thousand_are_painted_within_a_second(browser: "Browser", url: str, address: str, selector: str) -> None:
    timed = [_opens_in(browser, url, address, selector) for _ in range(3)]
    print(f"{address}: first paint {min(timed)[0]:.0f} ms, first rows {min(each[1] for each in timed):.0f} ms")
    assert min(painted for painted, _ in timed) < 1000
    assert min(shown for _, shown in timed) < 3000  # a busy machine shows it late


def test_of_ten_thousand_episodes_only_those_in_sight_are_in_the_page_and_all_can_be_reached(tab: Watched) -> None:
    page = tab.page
    tab.go("/run/many")
    page.wait_for_function("() => document.querySelector('.filters')?.textContent.includes('10,000 of 10,000')")
    assert page.locator("a.row").count() < 120
    page.evaluate("() => { const rows = document.querySelector('.virtual'); rows.scrollTop = rows.scrollHeight }")
    rows = "[...document.querySelectorAll('a.row')]"
    page.wait_for_function(f"() => {rows}.some(row => row.textContent.includes('/49/0'))")
    page.locator(".chips button:has-text('failed')").click()
    page.wait_for_function(f"() => {rows}.every(row => row.querySelector('.verdict').textContent === 'failed')")
    page.locator(".chips button:has-text('all')").click()
    page.locator("input[type=search]").fill("acacia boat/7/")
    page.wait_for_function("() => document.querySelectorAll('a.row').length === 1")


def test_episodes_that_were_cut_short_are_told_from_those_with_a_completion_that_was_cut_off(tab: Watched) -> None:
    tab.go("/run/marked")
    for how, task in (("cut short", "stick"), ("cut off", "beehive")):
        tab.page.locator(f".chips button:has-text('{how}')").click()
        tab.page.wait_for_function("() => document.querySelectorAll('.row[role=listitem]').length === 1")
        assert tab.page.locator(".row .task").inner_text().startswith(task)
        assert tab.page.locator(".row .why em").all_inner_texts() == [how]


def test_the_nodes_of_a_tree_can_be_folded_hidden_and_followed_to_the_conversation(tab: Watched) -> None:
    page = tab.page
    tab.go("/episode/tree/beehive%2F0%2F0/tree")
    page.locator(".node[role=listitem]").first.wait_for()
    assert page.locator(".node[role=listitem]").count() < 120
    assert "10,000 nodes" in page.locator(".filters").inner_text()
    page.locator("input[type=checkbox]").click()
    page.wait_for_function("() => !document.querySelector('.node.pruned')")
    page.locator("button:has-text('to the chosen leaf')").click()
    assert "Node 4" in page.locator(".detail").inner_text()
    page.locator(".node .fold").first.click()
    page.wait_for_function("() => document.querySelectorAll('.node[role=listitem]').length === 1")
    page.locator(".detail > a").click()
    page.locator(".conversation").wait_for()


def _is_harmless(tab: Watched, selector: str) -> None:
    tab.page.locator(selector).first.wait_for()
    assert tab.page.evaluate("() => window.hacked") is None
    assert tab.page.evaluate("() => document.querySelectorAll('#app :is(img, script, style, iframe, b b)').length") == 0
    assert tab.page.evaluate(
        "() => [...document.querySelectorAll('a')].every(each => !each.href.startsWith('javascript'))"
    )
    assert tab.page.evaluate("() => getComputedStyle(document.body).display") == "block"


def _show_hostile(tab: Watched, run: str) -> None:
    tab.go(f"/episode/{run}/beehive%2F0%2F0")
    _is_harmless(tab, ".block.call")
    assert "alert(" in tab.page.locator(".block.call").inner_text()
    assert "${7*7} {{7*7}}" in tab.page.locator(".block.call > .text").first.inner_text()
    tab.page.locator("input[type=search]").fill("${7*7} {{7*7}}")
    tab.page.locator(".found:text-is('4 turns')").wait_for()
    assert tab.page.evaluate("() => CSS.highlights.get('found').size") == 5
    assert tab.page.locator("details.reasoning[open]").count() == 1
    _is_harmless(tab, ".block.call")
    tab.page.locator("button.link").first.click()
    _is_harmless(tab, ".message")
    tab.go(f"/episode/{run}/beehive%2F0%2F0/tree")
    _is_harmless(tab, ".node[role=listitem]")


def test_what_models_say_is_text_and_never_markup_also_in_one_file_which_asks_for_nothing(
    tab: Watched, browser: "Browser", runs: Path, tmp_path: Path
) -> None:
    _show_hostile(tab, "hostile")
    file = tmp_path / "run.html"
    file.write_text(write_page(ViewedFolder(runs / "hostile")).text, encoding="utf-8")
    watched = Watched(browser)
    watched.page.goto(file.as_uri())
    watched.page.locator("a.row").first.wait_for()
    _show_hostile(watched, ".")
    watched.page.evaluate(_INJECT)
    assert any("Content Security Policy" in each for each in watched.errors), "expected the policy to refuse an image"
    assert [each for each in watched.requests if not each.startswith(("file:", "data:", "https://example.org"))] == []
    watched.page.close()


def _sees_pictures(page: "Page") -> None:
    page.wait_for_function("() => document.querySelectorAll('.block img').length === 3")
    page.evaluate("() => [...document.querySelectorAll('.block img')].forEach(each => each.scrollIntoView())")
    page.wait_for_function("() => [...document.querySelectorAll('.block img')].every(each => each.naturalWidth === 8)")
    page.locator("button[aria-label=picture]").first.click()
    page.locator("button[aria-label=picture][aria-expanded=true]").wait_for()


def test_a_step_has_its_picture_beside_it_from_a_server_and_in_one_file(
    tab: Watched, browser: "Browser", runs: Path, tmp_path: Path
) -> None:
    tab.go("/episode/seen/beehive%2F0%2F0")
    _sees_pictures(tab.page)
    for most, pictures in ((MOST_PICTURES, 3), (0, 0)):
        file = tmp_path / f"{most}.html"
        file.write_text(write_page(ViewedFolder(runs / "seen"), most_pictures=most).text, encoding="utf-8")
        watched = Watched(browser)
        watched.page.goto(file.as_uri())
        watched.go("/episode/./beehive%2F0%2F0")
        watched.page.locator(".block.step").first.wait_for()
        if pictures:
            _sees_pictures(watched.page)
        else:
            page = "document.querySelector('.conversation').innerText"
            watched.page.wait_for_function(f"() => {page}.split('left out of this file').length === 4")
        assert watched.errors == []
        watched.page.close()


def test_an_address_that_is_chosen_while_the_list_is_drawn_is_kept(
    browser: "Browser", runs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "run.html"
    file.write_text(write_page(ViewedFolder(runs / "seen")).text, encoding="utf-8")
    watched = Watched(browser)
    watched.page.add_init_script(_GO_WHEN_DRAWN)
    watched.page.goto(file.as_uri())
    watched.page.locator(".block.step").first.wait_for()
    watched.page.close()


def test_a_conversation_is_read_turn_by_turn_with_prompts_folded(tab: Watched) -> None:
    page = tab.page
    tab.go("/run/adapt")
    page.locator(".over-time [aria-label^='tokens over time: ']").wait_for()
    page.locator("a.row").first.click()
    page.locator(".block.call").first.wait_for()
    assert page.locator(".prompt").count() == 0
    page.locator("button.link").first.click()
    page.locator(".message.user").first.wait_for()
    page.locator(".request[role=listitem]").first.wait_for()
    page.locator("a[aria-label='the next episode']").click()
    page.wait_for_function("() => !document.querySelector('.prompt')")
    page.locator(".tabs a:has-text('Costs')").click()
    page.locator("table.costs").wait_for()


def test_versions_are_compared_and_a_tuple_leads_to_where_it_was_recalled(tab: Watched) -> None:
    page = tab.page
    tab.go("/run/autoplan/versions")
    page.locator(".diff .added").first.wait_for()
    tab.go("/run/ldm2/memory")
    page.locator(".tuple").first.wait_for()
    page.locator(".tuple details summary").first.click()
    page.locator(".recalls a").first.click()
    page.locator(".block").first.wait_for()


def test_a_run_is_followed_while_it_grows_and_missed_when_it_is_gone(browser: "Browser", tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1000.0\noutput = 1000.0\n', encoding="utf-8")
    record = samples.record("react", ("beehive", "cake"), limits={"prices": str(prices)})
    path = tmp_path / "run"
    elsewhere(lambda: samples.write(path, record, {"beehive": Went()}))
    with Served(tmp_path) as url, WritableRun.open(path) as folder:
        watched = Watched(browser)
        watched.page.goto(url)
        watched.page.locator(".badge.live").wait_for()
        watched.page.wait_for_function("() => document.querySelectorAll('.verdict.good').length === 1")
        watched.page.locator(".over-time [aria-label='cost over time: $0.11, in 100 ms']").wait_for()
        elsewhere(lambda: samples.journal(folder, {"cake": Went()}))
        watched.page.wait_for_function("() => document.querySelectorAll('.verdict.good').length === 2")
        watched.page.locator(".over-time [aria-label^='cost over time: $0.22, ']").wait_for()
        assert watched.page.locator(".over-time [aria-label^='calls in flight: up to ']").count() == 1
        folder.close()
        shutil.rmtree(path)
        watched.page.locator("[role=alert]").first.wait_for()
        assert "removed or renamed" in watched.page.locator("[role=alert]").first.inner_text()
        watched.page.close()


def test_two_viewers_at_once_do_not_disturb_each_other_and_show_nothing_without_their_tokens(
    browser: "Browser", runs: Path, url: str
) -> None:
    with ExitStack() as opened:
        other = opened.enter_context(Served(runs))
        watched = Watched(browser)
        watched.page.goto(url.split("?")[0])
        assert "open the address that `quintet view` printed" in watched.page.locator("body").inner_text()
        watched.errors.clear()
        for each in (url, other, url, other):
            watched.page.goto(each.split("?")[0] if watched.requests.count(each) else each)
            watched.page.locator("table.runs").wait_for()
        assert watched.errors == []
        watched.page.close()


@pytest.mark.parametrize("run", ["../elsewhere", "/etc", "missing"])
def test_a_path_outside_is_refused_in_words(browser: "Browser", url: str, run: str) -> None:
    watched = Watched(browser)
    watched.page.goto(url)
    watched.go(f"/run/{quote(run, safe='')}")
    watched.page.locator("[role=alert]").first.wait_for()
    assert "expected a run" in watched.page.locator("[role=alert]").first.inner_text()
    watched.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_drawn_in_light_and_dark(browser: "Browser", url: str, scheme: Literal["light", "dark"]) -> None:
    watched = Watched(browser, scheme)
    watched.page.goto(url)
    addresses = ["/", *(f"/run/{run}" for run in ("adapt", "many", "ldm2"))]
    addresses += [f"/run/ldm2/{tab}" for tab in ("report", "costs", "versions", "memory", "settings")]
    for address in addresses:
        watched.go(address)
        watched.page.wait_for_function("() => !document.querySelector('.waiting') && document.querySelector('h1')")
    paper = watched.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 20, 26)"}[scheme]
    assert watched.errors == []
    watched.page.close()
