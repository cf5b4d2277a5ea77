"""Walks: steps in words, carried out on a page that is shown, and what to do next: on the way, off it, and back."""

from pathlib import Path

import msgspec
import pytest
from msgspec import convert

from quintet.environments.webarena.actions import read_web_action, web_action_text
from quintet.environments.webarena.observation.page_text import ShownElement, ShownPage
from quintet.environments.webarena.tasks.walks import Walk, WalkStep, advise, is_step, read_walks, step_action
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


SHOP = "http://onestopmarket.com"
FORM = (["type", "textbox", "Text", "ten"], ["click", "option", "Blue"], ["click", "button", "Send"])
WALK = convert(
    [
        ["__SHOPPING__/", [["click", "link", "Mugs"]]],
        ["__SHOPPING__/form", FORM],
        ["__SHOPPING__/form", [["stop", "4"]]],
    ],
    Walk,
)
HOME = f"[1] RootWebArea 'Shop'\n\t[2] link 'Mugs'\n\t[3] link 'Cart'\nURL: {SHOP}/"
FILLED = f"[4] textbox 'Text' required: True\n[5] option 'Blue'\n[6] button 'Send'\nURL: {SHOP}/form"
CART = f"[7] button 'Buy'\nURL: {SHOP}/cart"
MUGS, TEXT, BLUE, SEND = "click [2]", "type [4] [ten] [1]", "click [5]", "click [6]"


def test_it_goes_from_step_to_step() -> None:
    done: list[str] = []
    for shown, action in (
        (HOME, MUGS),
        (FILLED, TEXT),
        (FILLED, BLUE),
        (FILLED, SEND),
        (FILLED, "stop [4]"),
    ):
        assert advise(WALK, done, f"{shown}\n\nOBJECTIVE: Say ten") == (action,)
        done.append(action)
    assert advise(WALK, done, "The task has ended.") == ()


def test_what_is_no_step_and_leads_nowhere_is_passed_over_and_several_tries_end_at_the_last_step() -> None:
    assert advise(WALK, [MUGS, "scroll [down]", "I wonder.", "type [4] [eleven] [1]"], FILLED) == (TEXT,)
    assert advise(WALK, [MUGS, TEXT, BLUE, SEND, "click [9]", "click [9]"], FILLED) == ("stop [4]",)


def test_from_another_page_it_goes_back_to_the_one_before_and_does_what_is_to_be_done_there_again() -> None:
    back = f"goto [{SHOP}/]"
    assert advise(WALK, ["click [3]"], CART) == (back,)
    assert advise(WALK, ["click [3]", back], HOME) == (MUGS,)
    form = f"goto [{SHOP}/form]"
    assert advise(WALK, [MUGS, TEXT, "click [3]"], CART) == (form,)
    assert advise(WALK, [MUGS, TEXT, "click [3]", form], FILLED) == (TEXT,)
    assert advise(WALK, [f"goto [{SHOP}/cart]"], CART) == (back,)


def test_a_page_that_lacks_what_the_walk_names_is_loaded_anew_once() -> None:
    lower, form = f"[6] button 'Send'\nURL: {SHOP}/form", f"goto [{SHOP}/form]"
    done = [MUGS, TEXT, "scroll [down]"]
    assert advise(WALK, done, lower) == (form,)
    assert advise(WALK, [*done, form], FILLED) == (TEXT,)
    assert advise(WALK, [*done, form], lower) is None
