import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.textcraft.commands import (
    Craft,
    Get,
    LookUp,
    Unclear,
    craft_action,
    get_action,
    item_name,
    parse_command,
)

NAMES = st.from_regex(r"[a-z]{1,6}( [a-z]{1,6}){0,2}", fullmatch=True).filter(lambda name: "using" not in name)
COUNTS = st.integers(0, 999_999_999)


@given(COUNTS, NAMES)
def test_get_reads_a_count_and_a_name(count: int, name: str) -> None:
    assert parse_command(f"get {count} {name}") == Get(count, name)


@given(COUNTS, NAMES, st.lists(st.tuples(COUNTS, NAMES), min_size=1, max_size=9))
def test_craft_reads_a_target_and_ingredients_and_ignores_the_targets_count(
    count: int, target: str, given_: list[tuple[int, str]]
) -> None:
    ingredients = ", ".join(f"{count} {name}" for count, name in given_)
    assert parse_command(f"craft {count} {target} using {ingredients}") == Craft(target, tuple(given_))
    assert parse_command(f"craft {target} using {ingredients}") == Craft(target, tuple(given_))


@given(st.text() | st.from_regex(r"(get|craft|inventory|[0-9]| using |,|_| )*"))
def test_any_text_is_read_as_something(action: str) -> None:
    read = parse_command(action)
    if isinstance(read, Unclear):
        assert re.match("Could not execute |Wrong item format: ", read.reply)


@given(st.text())
def test_what_is_no_action_is_echoed_as_given(action: str) -> None:
    assert parse_command(f"think: {action}") == Unclear(f"Could not execute think: {action}")


@pytest.mark.parametrize(
    "action",
    [
        "Get 1 stick",
        " get 1 stick",
        "get stick",
        "get one stick",
        "get 1",
        "craft stick",
        "craft a using",
        "Inventory",
        "",
    ],
)
def test_an_action_is_matched_from_the_start_and_by_case(action: str) -> None:
    assert parse_command(action) == Unclear(f"Could not execute {action}")


@pytest.mark.parametrize("action", ["inventory", "inventory: now", "inventory\nget 1 stick"])
def test_what_follows_inventory_is_ignored(action: str) -> None:
    assert parse_command(action) == LookUp()


def test_an_action_ends_at_the_first_line_break() -> None:
    assert parse_command("get 2 stick\nget 3 diamond") == Get(2, "stick")
    assert parse_command("craft stick using 2 bamboo\n, 1 diamond") == Craft("stick", ((2, "bamboo"),))


def test_the_last_using_parts_target_and_ingredients() -> None:
    assert parse_command("craft a using 1 b using 2 c") == Craft("a using 1 b", ((2, "c"),))


@pytest.mark.parametrize(
    ("ingredients", "wrong"),
    [
        ("stick", "stick"),
        ("2 bamboo and stick, x", "x"),
        ("2 bamboo,", ""),
        ("", ""),
        ("-2 bamboo", "-2 bamboo"),
        ("9999999999 bamboo", "9999999999 bamboo"),
        ("2", "2"),
        ("1 a, b, c", "b"),
    ],
)
def test_the_first_ingredient_without_count_and_item_is_named(ingredients: str, wrong: str) -> None:
    assert parse_command(f"craft 1 stick using {ingredients}") == Unclear(f"Wrong item format: {wrong}")


def test_blanks_around_an_ingredient_and_zeros_before_a_count_do_not_matter() -> None:
    assert parse_command("craft 4 stick using  02 planks ,\t1 a") == Craft("stick", ((2, "planks"), (1, "a")))
    assert parse_command("get " + "0" * 5_000 + "7 stick") == Get(7, "stick")


def test_a_count_of_ten_digits_is_no_count() -> None:
    assert parse_command("get 999999999 stick") == Get(999_999_999, "stick")
    assert isinstance(parse_command("get 1000000000 stick"), Unclear)


def test_an_underscore_may_stand_for_a_blank() -> None:
    assert item_name("dark_oak log") == "dark oak log"
    assert parse_command("craft stick using 2 oak_planks") == Craft("stick", ((2, "oak planks"),))


MODDED = st.from_regex(r"([ac]| |using){1,9}", fullmatch=True)


@given(COUNTS, MODDED, st.lists(st.tuples(COUNTS, MODDED), min_size=1, max_size=4))
def test_what_is_written_is_read_again_whatever_the_names(count: int, item: str, used: list[tuple[int, str]]) -> None:
    written = parse_command(craft_action(count, item, tuple(used)))
    assert isinstance(written, Craft)
    assert (item_name(written.target), written.given) == (item, tuple(used))
    got = parse_command(get_action(count, item))
    assert isinstance(got, Get)
    assert (got.count, item_name(got.target)) == (count, item)
