import re

import pytest

from quintet.environments.miniwob.page import PAGE_HOST, TaskPage
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.errors import WorldFault
from tests.actors.environments.miniwob.installed import in_browser, number, opened

pytestmark = in_browser


async def test_icons_and_shapes_are_told_by_their_tag_and_attributes() -> None:
    async with opened("click-color") as session:
        assert re.search(r"img 'div class=color data-color=\w+ style=background-color: \w+;'", session.observation)
    async with opened("click-shape") as session:
        assert re.search(r"img '(circle|rect|polygon|text) .*fill=\w+", session.observation)


async def test_a_thing_that_gets_words_is_told_by_them_from_then_on() -> None:
    async with opened("click-color") as session:
        first = number(session, "img 'div class=color")
        await session.page.window.evaluate(
            None, "() => { document.querySelector('#area .color').textContent = 'mine'; }"
        )
        await session.step("scroll [down]")  # rejected: the page does not scroll
        await session.step("press [Escape]")
        assert "StaticText 'mine'" in session.observation
        assert f"[{first}] img" not in session.observation


async def test_an_icon_takes_the_first_click_though_its_picture_changes_below_the_mouse() -> None:
    async with opened("social-media") as session:
        more = number(session, "img 'span class=more'")
        await session.step(f"click [{more}]")
        assert "StaticText 'Block @" in session.observation


async def test_an_icon_in_what_has_words_is_no_part_of_its_name() -> None:
    async with opened("click-collapsible") as session:
        assert re.search(r"tab 'Section #\d'", session.observation)


async def test_a_textarea_is_told_from_a_field_of_one_line() -> None:
    async with opened("click-widget") as session:
        assert session.asked == 'Click on a "textarea" widget.'
        assert number(session, "textbox ''") < (right := number(session, "textbox 'textarea'"))
        assert (await session.step(f"click [{right}]")).reward == 1


@pytest.mark.parametrize("key", ["Space", "F4", "Alt+ArrowDown"])
async def test_no_key_opens_the_picker_of_a_date_or_a_time_which_shows_the_machines(key: str) -> None:
    for name, part in (("enter-date", "Day"), ("enter-time", "Hours")):
        async with opened(name) as session:
            assert "Show" not in session.observation
            first = number(session, f"spinbutton '{part}'")
            await session.step(f"click [{first}]")
            before = session.observation
            await session.step(f"press [{key}]")
            assert session.observation == before


async def test_neither_the_goal_nor_the_score_stands_in_the_tree() -> None:
    async with opened("click-button", seed=3) as session:
        assert session.asked == 'Click on the "no" button.'
        assert "Click on the" not in session.opening.setting
        assert "Last reward" not in session.observation


async def test_a_goal_of_several_parts_is_told_in_words() -> None:
    async with opened("email-inbox-nl-turk") as session:
        assert " " in session.asked
        assert not session.asked.startswith("{")


async def test_time_passes_with_actions_alone() -> None:
    async with opened("click-test-2") as session:
        ask = "() => Date.now()"
        before = int(await session.page.window.evaluate(None, ask))
        assert int(await session.page.window.evaluate(None, ask)) == before
        await session.step("nonsense")
        await session.step("click [99]")
        assert int(await session.page.window.evaluate(None, ask)) == before
        await session.step("press [Escape]")
        assert int(await session.page.window.evaluate(None, ask)) == before + 1000


async def test_a_page_that_was_left_has_ended_without_a_reward() -> None:
    async with opened("click-test-2") as session:
        await session.page.window.evaluate(None, f"() => {{ location.href = 'http://{PAGE_HOST}/none.html'; }}")
        outcome = await session.step("press [Escape]")
        assert (outcome.done, outcome.reward) == (True, 0.0)


async def test_a_page_that_begins_no_task_is_a_fault() -> None:
    host = HostBrowser()
    try:
        window = await host.browser.window(hosts=[PAGE_HOST])
        with pytest.raises(WorldFault, match=r"expected a page that begins a task, got none .*no-such-page"):
            await TaskPage(window).begin("no-such-page", 0, 30)
    finally:
        await host.close()
