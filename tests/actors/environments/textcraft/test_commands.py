import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.textcraft.commands import (
    Command,
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


def _unclear(ingredients: str, wrong: str) -> tuple[str, Command]:
    return f"craft 1 stick using {ingredients}", Unclear(f"Wrong item format: {wrong}")


@pytest.mark.parametrize(
    ("action", "read"),
    [
        *((text, Unclear(f"Could not execute {text}")) for text in ("", "Get 1 stick", " get 1 stick", "Inventory")),
        *((text, Unclear(f"Could not execute {text}")) for text in ("get stick", "get one stick", "get 1")),
        *((text, Unclear(f"Could not execute {text}")) for text in ("craft stick", "craft a using", "think: so")),
        *((text, LookUp()) for text in ("inventory", "inventory: now", "inventory\nget 1 stick")),
        ("get 2 stick\nget 3 diamond", Get(2, "stick")),
        ("craft stick using 2 bamboo\n, 1 diamond", Craft("stick", ((2, "bamboo"),))),
        ("craft a using 1 b using 2 c", Craft("a using 1 b", ((2, "c"),))),
        ("craft 4 stick using  02 planks ,\t1 a", Craft("stick", ((2, "planks"), (1, "a")))),
        ("craft stick using 2 oak_planks", Craft("stick", ((2, "oak planks"),))),
        ("get " + "0" * 5_000 + "7 stick", Get(7, "stick")),
        ("get 999999999 stick", Get(999_999_999, "stick")),
        ("get 1000000000 stick", Unclear("Could not execute get 1000000000 stick")),
        _unclear("stick", "stick"),
        _unclear("2 bamboo and stick, x", "x"),
        _unclear("2 bamboo,", ""),
        _unclear("", ""),
        _unclear("-2 bamboo", "-2 bamboo"),
        _unclear("9999999999 bamboo", "9999999999 bamboo"),
        _unclear("2", "2"),
        _unclear("1 a, b, c", "b"),
    ],
)
def test_an_action_is_matched_from_the_start_by_case_and_up_to_the_first_line_break(action: str, read: Command) -> None:
    assert parse_command(action) == read


MODDED = st.from_regex(r"([ac]| |using){1,9}", fullmatch=True)


@given(COUNTS, MODDED, st.lists(st.tuples(COUNTS, MODDED), min_size=1, max_size=4))
def test_what_is_written_is_read_again_whatever_the_names(count: int, item: str, used: list[tuple[int, str]]) -> None:
    written = parse_command(craft_action(count, item, tuple(used)))
    assert isinstance(written, Craft)
    assert (item_name(written.target), written.given) == (item, tuple(used))
    got = parse_command(get_action(count, item))
    assert isinstance(got, Get)
    assert (got.count, item_name(got.target)) == (count, item)
