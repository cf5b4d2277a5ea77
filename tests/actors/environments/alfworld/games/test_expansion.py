"""Texts with everything put in that they refer to."""

import pytest

from quintet.environments.alfworld.games.expansion import expand
from quintet.environments.alfworld.games.grammar import Alternative

CLOSED = (Alternative("open", "openable(r:receptacle) & opened(r:receptacle)"), Alternative("closed"))


def test_what_a_text_refers_to_is_put_in() -> None:
    symbols = {"a": (Alternative("1 #b# 3"),), "b": (Alternative("2"),)}
    assert expand("0 #a##b#\n", symbols) == "0 1 2 32\n"


def test_the_first_alternative_that_surely_holds_is_the_last_that_counts() -> None:
    symbols = {"door": CLOSED}
    assert expand("#door#", symbols) == "<openable(r:receptacle) & opened(r:receptacle)?open|?closed>"
    assert expand("#door#", symbols, {"opened(r:receptacle)"}) == "<openable(r:receptacle)?open|?closed>"
    assert expand("#door#", symbols, {"opened(r:receptacle)", "openable(r:receptacle)"}) == "open"


def test_the_order_of_what_an_alternative_asks_for_makes_no_difference() -> None:
    turned = (Alternative("open", "opened(r:receptacle)&openable(r: receptacle)"), CLOSED[1])
    assert expand("#door#", {"door": turned}) == expand("#door#", {"door": CLOSED})


def test_a_list_says_by_itself_that_it_is_empty() -> None:
    items = (Alternative("[{o.name | in(o:object)}]", "in(o:object)"), Alternative("nothing"))
    empty = (Alternative("nothing"),)
    assert expand("#items#", {"items": items, "list_empty": empty}) == "[{o.name | in(o:object)}]"
    assert expand("#items#", {"items": items, "list_empty": (Alternative("none"),)}).startswith("<")
    other = (Alternative("[{o.name | on(o:object)}]", "in(o:object)"), Alternative("nothing"))
    assert expand("#items#", {"items": other, "list_empty": empty}).startswith("<")


def test_everything_has_a_name_so_that_its_id_is_never_said() -> None:
    assert expand("{r.name or r.id} {r.name or o.id}", {}) == "{r.name} {r.name or o.id}"


@pytest.mark.parametrize("text", ["#none#", "#a#", "#b#"])
def test_a_text_that_is_missing_or_refers_to_itself_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a text for #"):
        expand(text, {"a": (Alternative("#b#"),), "b": (Alternative("#a#"),)})
