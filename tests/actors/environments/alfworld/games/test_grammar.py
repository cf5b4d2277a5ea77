"""Reading a grammar."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, grammar_text
from quintet.environments.alfworld.games.grammar import (
    Alternative,
    Saying,
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
