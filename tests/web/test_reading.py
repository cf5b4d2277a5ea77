"""How a person gets to what they look for in a conversation, or in two, in a real Chromium."""

from typing import TYPE_CHECKING

import pytest

from tests.web.browser import Watched
from tests.web.recorded import FRAMES, TURNS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.web

LONG = "/episode/long/beehive%2F0%2F0"
BEFORE = 3
"""Blocks before the first turn of an episode of `samples`: the requests, and what the world says at first."""


def _open(tab: Watched, address: str) -> None:
    tab.go(address)
    tab.page.locator(".block.call").first.wait_for()


def _press(tab: Watched, *keys: str) -> None:
    for key in keys:
        tab.page.keyboard.press(key)


def _is_at(tab: Watched, block: int) -> None:
    tab.page.locator(f".block.goal[data-block='{block}']").wait_for()
    tab.page.wait_for_function("() => document.querySelectorAll('.block.goal').length === 1")
    assert tab.page.evaluate(f"() => location.hash.endsWith('&block={block}')"), "the address is that of the turn"


def test_words_are_found_in_thousands_of_turns_and_enter_goes_from_one_to_the_next(tab: Watched) -> None:
    _open(tab, LONG)
    _press(tab, "/")
    tab.page.keyboard.type("think: 234")
    numbers = [number for number in range(TURNS) if str(number).startswith("234")]
    found = tab.page.locator(".found")
    found.filter(has_text=f"{len(numbers)} turns").wait_for()
    tab.page.wait_for_function("() => !document.querySelector('.found').textContent.includes('reading')")
    for place, number in ((1, 234), (2, 2340), (3, 2341)):
        _press(tab, "Enter")
        _is_at(tab, BEFORE + 2 * number)
        assert found.inner_text() == f"{place} of {len(numbers)} turns"
    _press(tab, "Shift+Enter")
    _is_at(tab, BEFORE + 2 * 2340)
    assert tab.page.evaluate("() => CSS.highlights.get('found').size") > 0
    tab.page.locator("input[type=search]").fill("nowhere")
    found.filter(has_text="0 turns").wait_for()
    assert tab.page.evaluate("() => CSS.highlights.get('found').size") == 0


def test_what_is_found_beyond_the_first_lines_of_a_text_is_shown(tab: Watched) -> None:
    _open(tab, "/episode/adapt/polished%20granite%20stairs%2F0%2F0")
    cut = tab.page.locator(".block.step:has(.more)").first
    whole = tab.page.evaluate(
        "() => fetch('/api/blocks?run=adapt&episode=polished%20granite%20stairs').then(answer => answer.json())"
    )["blocks"][1]["text"]
    last = whole.splitlines()[-1]
    assert last not in cut.inner_text()
    tab.page.locator("input[type=search]").fill(last)
    tab.page.locator(".block.step").filter(has_text=last).first.wait_for()


def test_rejected_cut_off_and_failed_turns_are_reached_by_n_and_p(tab: Watched) -> None:
    _open(tab, "/episode/marked/beehive%2F0%2F0")
    assert tab.page.locator(".marks").inner_text() == "3 cut off, 2 rejected"
    for block in (3, 5, 6, 7):
        _press(tab, "n")
        _is_at(tab, block)
    _press(tab, "p")
    _is_at(tab, 6)
    tab.page.locator("button[aria-label='the next rejected, cut-off or failed turn']").click()
    _is_at(tab, 7)
    _press(tab, "n", "n")
    _is_at(tab, 3)
    _open(tab, "/episode/marked/cake%2F0%2F0")
    assert tab.page.locator(".marks").inner_text() == "1 failed"
    _press(tab, "n")
    assert "faulted" in tab.page.locator(".block.goal").inner_text()


def test_a_traceback_begins_with_what_was_raised_and_the_innermost_call(tab: Watched) -> None:
    _open(tab, "/episode/marked/cake%2F0%2F0")
    shown = tab.page.locator(".block.note").filter(has_text="ValueError")
    raised, innermost, *_ = shown.inner_text().splitlines()
    assert raised == "ValueError: expected a step"
    assert innermost.strip() == f'File "own.py", line {FRAMES - 1}, in depth_{FRAMES - 1}'
    assert "in depth_0" not in shown.inner_text()
    shown.locator("button.more").click()
    assert "in depth_0" in shown.inner_text()


def test_keys_go_from_turn_to_turn_and_from_episode_to_episode_and_are_listed(tab: Watched) -> None:
    _open(tab, LONG)
    _press(tab, "j", "ArrowDown", "j", "k")
    _is_at(tab, 1)
    _press(tab, *["j"] * 400)
    _is_at(tab, 401)
    _press(tab, "?")
    listed = tab.page.locator("dialog[open]").inner_text()
    assert "the next rejected, cut-off or failed turn" in listed
    _press(tab, "j", "Escape", "ArrowUp")
    _is_at(tab, 400)
    tab.page.locator("input[type=search]").click()
    _press(tab, "j", "k", "?", "Escape", "j")
    _is_at(tab, 401)
    assert tab.page.locator("input[type=search]").input_value() == "jk?"
    _open(tab, "/episode/marked/beehive%2F0%2F0")
    tab.page.locator("a[aria-label='the next episode']:not(.off)").wait_for()
    _press(tab, "ArrowRight")
    tab.page.locator("h1:text-is('cake/0/0')").wait_for()
    tab.page.locator("a[aria-label='the episode before']:not(.off)").wait_for()
    _press(tab, "ArrowLeft")
    tab.page.locator("h1:text-is('beehive/0/0')").wait_for()


def test_keys_go_from_row_to_row_of_runs_and_of_episodes(tab: Watched) -> None:
    _press(tab, "j", "j", "k", "ArrowDown")
    second = tab.page.locator(".runs .name a").nth(1).inner_text()
    assert tab.page.evaluate("() => document.activeElement.textContent") == second
    _press(tab, "Enter")
    tab.page.locator(".tabs").wait_for()
    tab.go("/run/many")
    tab.page.wait_for_function("() => document.querySelector('.filters')?.textContent.includes('10,000 of 10,000')")
    first = tab.page.locator("a.row .task").first.inner_text()
    _press(tab, *["j"] * 100)
    tab.page.wait_for_function("() => document.activeElement.matches('a.row')")
    task = tab.page.evaluate("() => document.activeElement.querySelector('.task').textContent")
    assert task != first
    _press(tab, "Enter")
    tab.page.locator(f"h1:text-is('{task}')").wait_for()


def test_a_permalink_leads_to_its_turn(tab: Watched, browser: "Browser", url: str) -> None:
    _open(tab, f"{LONG}?block=2000")
    _is_at(tab, 2000)
    link = tab.page.locator(".block[data-block='2004'] .permalink")
    link.click()
    _is_at(tab, 2004)
    path = tab.page.locator(".block.goal").get_attribute("data-path")
    without_place = f"{LONG}?at={path}"  # as a memory links to where it was recalled
    for address in (tab.page.evaluate("() => location.hash").removeprefix("#"), without_place):
        other = Watched(browser)
        other.page.goto(url)
        other.go(address)
        _is_at(other, 2004)
        assert other.errors == []
        other.page.close()


@pytest.mark.parametrize("asked", ["block=abc", "block=-5", "block=99999", "at=nowhere", "at=nowhere&block=99999"])
def test_an_address_of_no_turn_shows_the_conversation(asked: str, tab: Watched) -> None:
    _open(tab, f"/episode/marked/beehive%2F0%2F0?{asked}")
    _press(tab, "k", "j", "n")
    tab.page.locator(".block.goal").wait_for()


def test_two_episodes_are_read_side_by_side_from_their_first_difference(tab: Watched) -> None:
    tab.go("/compare/adapt/react")
    tab.page.locator("a.row.pairs").first.wait_for()
    assert "n = " in tab.page.locator(".figures").inner_text()
    _press(tab, "j", "Enter")
    tab.page.wait_for_function("() => document.querySelectorAll('.side .block.differs').length === 2")
    _open(tab, "/episode/seen/beehive%2F0%2F0")
    tab.page.locator("select").select_option(label="long: beehive/0")
    said = tab.page.locator(".heads")
    said.filter(has_text="The first difference: step 3").wait_for()
    differing = tab.page.locator(".turn[data-step='3'] .side .block.differs")
    tab.page.wait_for_function("() => document.querySelectorAll('.side .block.differs').length === 2")
    assert ["decompose" in text for text in differing.all_inner_texts()] == [True, False]
    tab.page.locator(".end:has-text('more')").wait_for()
    assert tab.page.locator(".turn[data-step]").count() < 200, "of 3,000 steps only some are in the page"
    tab.page.evaluate("() => document.querySelector('.conversation').scrollTop = 9999")
    tab.page.locator("button:has-text('The first difference')").click()
    tab.page.wait_for_function("() => document.querySelector('.conversation').scrollTop < 2000")
    tab.go("/compare/seen/seen/beehive%2F0%2F0/beehive%2F0%2F0")
    said.filter(has_text="No difference in 10 turns.").wait_for()


def test_an_episode_that_is_kept_is_compared_with_any_other(tab: Watched) -> None:
    _open(tab, "/episode/marked/beehive%2F0%2F0")
    tab.page.locator("select").select_option("keep")
    _open(tab, "/episode/marked/cake%2F0%2F0")
    tab.page.locator("select").select_option(label="marked: beehive/0/0")
    tab.page.locator(".heads").filter(has_text="The first difference: step").wait_for()
    headings = tab.page.locator(".heads .side > p:first-of-type").all_inner_texts()
    assert [text.split(":")[0] for text in headings] == ["cake/0/0", "beehive/0/0"]
