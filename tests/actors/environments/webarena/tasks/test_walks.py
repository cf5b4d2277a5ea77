"""Walks: steps in words, carried out on a page that is shown."""

from pathlib import Path

import msgspec
import pytest

from quintet.environments.webarena.actions import read_web_action, web_action_text
from quintet.environments.webarena.observation.page_text import ShownElement, ShownPage
from quintet.environments.webarena.tasks.walks import WalkStep, is_step, read_walks, step_action
from quintet.errors import UsageError

PAGE = ShownPage(
    "http://onestopmarket.com/",
    [
        ShownElement(2, "link", "My Account"),
        ShownElement(3, "link", "Delete"),
        ShownElement(4, "textbox", "Search"),
        ShownElement(5, "link", "Delete"),
    ],
)


@pytest.mark.parametrize(
    ("step", "action"),
    [
        (("click", "link", "My Account"), "click [2]"),
        (("click", "link", "Delete"), "click [3]"),
        (("click", "link", "Delete", 2), "click [5]"),
        (("hover", "link", "Delete"), "hover [3]"),
        (("type", "textbox", "Search", "blue [mug]", False), "type [4] [blue [mug]] [0]"),
        (("type", "textbox", "Search", "mug"), "type [4] [mug] [1]"),
        (("press", "Enter"), "press [Enter]"),
        (("scroll", "up"), "scroll [up]"),
        (("goto", "__SHOPPING__/cart"), "goto [http://onestopmarket.com/cart]"),
        (("new_tab",), "new_tab"),
        (("tab_focus", 1), "tab_focus [1]"),
        (("close_tab",), "close_tab"),
        (("go_back",), "go_back"),
        (("go_forward",), "go_forward"),
        (("stop",), "stop []"),
        (("stop", "3 mugs"), "stop [3 mugs]"),
    ],
)
def test_a_step_becomes_the_action_on_the_page_and_is_known_by_it(step: tuple[object, ...], action: str) -> None:
    read = msgspec.convert(step, WalkStep)
    found = step_action(read, PAGE)
    assert found is not None
    assert web_action_text(found) == action
    assert is_step(read, read_web_action(action))
    assert not is_step(read, read_web_action("press [Tab]"))


@pytest.mark.parametrize(
    "step", [("click", "link", "Account"), ("hover", "link", "Delete", 3), ("type", "a", "b", "c")]
)
def test_an_element_that_is_not_there_has_no_action(step: tuple[object, ...]) -> None:
    assert step_action(msgspec.convert(step, WalkStep), PAGE) is None


def test_walks_are_read_by_task_name(tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text('{"1000": [["__SHOPPING__/", [["click", "link", "Orders"]]], ["about:blank", [["stop", "3"]]]]}')
    assert [*read_walks(file)] == ["webarena-1000"]


@pytest.mark.parametrize(
    "walks",
    [
        '{"1000": []}',
        '{"1000": [["__SHOPPING__/", []]]}',
        '{"1000": [["__SHOPPING__/", [["click", "link", "Orders"]]]]}',
        '{"shop": [["__SHOPPING__/", [["stop"]]]]}',
        '{"1000": [["__SHOPPING__/", [["tap", "link", "Orders"], ["stop"]]]]}',
        '{"1000": [["__SHOPPING__/", [["stop", "3", 4]]]]}',
        '{"1000": [["__SHOPPING__/", [["click", "link", "Orders", 0], ["stop"]]]]}',
        "[",
    ],
)
def test_a_walk_that_is_none_is_refused(walks: str, tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text(walks)
    with pytest.raises(UsageError, match=r"^walk"):
        read_walks(file)
