"""Reading a grammar, and texts with everything put in that they refer to."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, grammar_text
from quintet.environments.alfworld.games.grammar import (
    Alternative,
    Saying,
    expand,
    objective,
    read_grammar,
    states_objective,
    without_objective,
)

SENTENCE = "Your task is to: put some cd on desk."
LOOK = 'action look { template :: "look"; feedback :: "#seen#"; }'


def test_the_objective_is_found() -> None:
    assert objective(grammar_text(CLASSIC, SENTENCE)) == SENTENCE


@pytest.mark.parametrize(
    "sentence", ["#look.feedback#", "{o.name}", "[x]", 'say \\"hello\\"', "a ;b", "a|b", "a <b>", "a\tb"]
)
def test_an_objective_made_of_rules_is_left_to_the_official_engine(sentence: str) -> None:
    assert objective(grammar_text(NEW, sentence)) is None
    assert objective("no grammar") is None


def test_games_differ_only_in_their_objective() -> None:
    plain = without_objective(grammar_text(NEW, SENTENCE))
    assert plain == grammar_text(NEW, "")
    assert not states_objective(plain)


def test_an_action_has_a_template_an_answer_and_texts_of_its_own() -> None:
    text = '# a comment, "quoted\naction Look { template :: "look"; # another\n feedback :: "You\nsee #x#";'
    text += ' grammar :: """\n# a line\n{"x": [{"condition": "a(b:c)", "rhs": "y"}, {"rhs": "z", "weight": 2}]}"""; }'
    grammar = read_grammar(text)
    assert grammar.actions == {"look": Saying("look", "You\nsee #x#")}
    assert grammar.symbols == {"x": (Alternative("y", "a(b:c)"), Alternative("z"))}


def test_the_last_of_one_name_counts() -> None:
    grammar = read_grammar('grammar :: """{"x": [{"rhs": "1"}]}"""; grammar :: """{"x": [{"rhs": "2"}]}""";' + LOOK * 2)
    assert grammar.symbols == {"x": (Alternative("2"),)}
    assert len(grammar.actions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "?",
        "action",
        "action look",
        "look",
        "action look { template }",
        LOOK.replace("::", ":", 1),
        LOOK.replace(";", "", 1),
        LOOK.removesuffix("}"),
        LOOK.replace("feedback", "pddl"),
        LOOK.replace('"look"', '"""look"""'),
        LOOK + "}",
        'grammar :: "{}";',
        'grammar :: """[]""";',
        'grammar :: """{"x": "y"}""";',
        'grammar :: """{"x": [{}]}""";',
        'grammar :: """{}',
    ],
)
def test_what_is_no_grammar_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_grammar(text)


@given(st.text('"ag{};:#\n x', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert read_grammar(text).actions.keys() is not None


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
