"""Walks: steps in words, resolved on a page."""

from pathlib import Path

import msgspec
import pytest

from quintet.environments.webarena.actions import read_web_action, web_action_text
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.tree import PageElement, PageTree
from quintet.environments.webarena.tasks.walks import StepNotHere, WalkStep, read_walks, resolve_step
from quintet.errors import UsageError

ADDRESSES = SiteAddresses({"shopping": "http://shopping.s3.localhost:81"})


def page(*elements: tuple[str, str]) -> PageTree:
    return PageTree("", {number: PageElement(number, *each, box=None) for number, each in enumerate(elements, start=1)})


PAGE = page(
    ("RootWebArea", "Shop"),
    ("link", "My Account"),
    ("link", "Delete"),
    ("textbox", "Search"),
    ("link", "Delete"),
    ("link", "My Accounts"),
    ("button", "Add to Cart"),
    ("link", ""),
    ("link", "Sort by: price"),
    ("link", "Sort by: price"),
)


def resolve(*step: object) -> str:
    read = msgspec.convert(step, WalkStep)
    return resolve_step(read, PAGE, ADDRESSES)


@pytest.mark.parametrize(
    ("step", "action"),
    [
        (("click", "link", "My Account"), "click [2]"),
        (("click", "link", "Delete"), "click [3]"),
        (("click", "link", "Delete", 2), "click [5]"),
        (("click", "button", "add to"), "click [7]"),
        (("click", "link", ""), "click [8]"),
        (("click", "link", "price", 2), "click [10]"),
        (("hover", "link", "My Accounts"), "hover [6]"),
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
def test_a_step_becomes_the_action_on_the_open_page(step: tuple[object, ...], action: str) -> None:
    assert resolve(*step) == action
    assert web_action_text(read_web_action(action)) == action


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            ("click", "link", "Account"),
            "expected link 'Account' on the page, got 'My Account', 'Delete', 'My Accounts', ",
        ),
        (("click", "link", "Delete", 3), "expected 3 of link 'Delete' on the page"),
        (("type", "searchbox", "Search", "x"), "expected searchbox 'Search' on the page, got none of that role"),
    ],
)
def test_an_element_that_is_not_there_is_said_with_those_that_are(step: tuple[object, ...], expected: str) -> None:
    with pytest.raises(StepNotHere) as error:
        resolve(*step)
    assert str(error.value).startswith(expected)


def test_walks_are_read_by_task_name(tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text('{"1000": [["click", "link", "Orders"], ["stop", "3"]]}')
    assert [*read_walks(file)] == ["webarena-1000"]


@pytest.mark.parametrize(
    "walks",
    [
        '{"1000": []}',
        '{"1000": [["click", "link", "Orders"]]}',
        '{"shop": [["stop"]]}',
        '{"1000": [["tap", "link", "Orders"], ["stop"]]}',
        '{"1000": [["stop", "3", 4]]}',
        '{"1000": [["click", "link", "Orders", 0], ["stop"]]}',
        "[",
    ],
)
def test_a_walk_that_is_none_is_refused(walks: str, tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text(walks)
    with pytest.raises(UsageError, match=r"^walk"):
        read_walks(file)
