"""What a walk says to do next, without a browser: on its way, off it, and back."""

from msgspec import convert

from quintet.environments.webarena.tasks.walks import Walk, advise

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
PAGE = f"[4] textbox 'Text' required: True\n[5] option 'Blue'\n[6] button 'Send'\nURL: {SHOP}/form"
CART = f"[7] button 'Buy'\nURL: {SHOP}/cart"
MUGS, TEXT, BLUE, SEND = "click [2]", "type [4] [ten] [1]", "click [5]", "click [6]"


def test_it_goes_from_step_to_step() -> None:
    done: list[str] = []
    for shown, action in ((HOME, MUGS), (PAGE, TEXT), (PAGE, BLUE), (PAGE, SEND), (PAGE, "stop [4]")):
        assert advise(WALK, done, f"{shown}\n\nOBJECTIVE: Say ten") == (action,)
        done.append(action)
    assert advise(WALK, done, "The task has ended.") == ()


def test_what_is_no_step_and_leads_nowhere_is_passed_over() -> None:
    done = [MUGS, "scroll [down]", "I wonder.", "type [4] [eleven] [1]"]
    assert advise(WALK, done, PAGE) == (TEXT,)


def test_from_another_page_it_goes_back_to_the_one_before_and_does_what_is_to_be_done_there_again() -> None:
    back = f"goto [{SHOP}/]"
    assert advise(WALK, ["click [3]"], CART) == (back,)
    assert advise(WALK, ["click [3]", back], HOME) == (MUGS,)
    form = f"goto [{SHOP}/form]"
    assert advise(WALK, [MUGS, TEXT, "click [3]"], CART) == (form,)
    assert advise(WALK, [MUGS, TEXT, "click [3]", form], PAGE) == (TEXT,)
    assert advise(WALK, [f"goto [{SHOP}/cart]"], CART) == (back,)


def test_a_page_that_lacks_what_the_walk_names_is_loaded_anew_once() -> None:
    lower, form = f"[6] button 'Send'\nURL: {SHOP}/form", f"goto [{SHOP}/form]"
    done = [MUGS, TEXT, "scroll [down]"]
    assert advise(WALK, done, lower) == (form,)
    assert advise(WALK, [*done, form], PAGE) == (TEXT,)
    assert advise(WALK, [*done, form], lower) is None


def test_several_tries_end_at_the_last_step() -> None:
    done = [MUGS, TEXT, BLUE, SEND, "click [9]", "click [9]"]
    assert advise(WALK, done, PAGE) == ("stop [4]",)
