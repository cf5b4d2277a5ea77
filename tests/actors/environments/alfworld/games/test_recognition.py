"""Which rules a game plays by: those of a known release, whatever its objective; any others are refused."""

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.games.dialect import CLASSIC, DIALECTS, NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import Rules, objective, rules_of
from tests.actors.environments.alfworld.homes import SENTENCE, released


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("sentence", [SENTENCE, "Your task is to: UNKNOWN GOAL.", ""])
def test_what_we_write_is_recognised_whatever_the_objective(dialect: GameDialect, sentence: str) -> None:
    grammar = grammar_text(dialect, sentence)
    for sinks in (False, True):
        game = Game(pddl_domain=domain_text(dialect, sinks=sinks), grammar=grammar, pddl_problem="")
        assert rules_of(game) == Rules(dialect, sinks)


def test_blanks_and_comments_and_cases_of_a_domain_make_no_difference() -> None:
    game = released(NEW)
    spaced = game.pddl_domain.replace("(and", "(AND ; a comment (or\n\t")
    assert rules_of(replace(game, pddl_domain=spaced, grammar=f"\n{game.grammar}\n")) == rules_of(game)


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("domain", "(isHot ?o)", "(isCool ?o)"),
        ("domain", "(heatable ?o))\n", ")\n"),
        ("domain", ")", ""),
        ("domain", "(:action look", "(:action peer"),
        ("grammar", "You arrive at", "You are now at"),
        ("grammar", "You open the", "You  open the"),
        ("grammar", "action help", "action aid"),
    ],
)
def test_a_game_by_other_rules_is_refused_and_says_where_they_are(part: str, old: str, new: str) -> None:
    game = released(NEW)
    field = {"domain": "pddl_domain"}.get(part, part)
    text: str = getattr(game, field)
    assert old in text
    with pytest.raises(ForeignGameError, match=rf"^{part}: expected that of an ALFWorld release .*, got another$"):
        rules_of(replace(game, **{field: text.replace(old, new)}))


def test_a_domain_and_a_grammar_of_two_dialects_are_no_game() -> None:
    with pytest.raises(ForeignGameError, match="grammar: expected"):
        rules_of(replace(released(NEW), grammar=released(CLASSIC).grammar))


def test_the_objective_is_found_where_it_is_a_plain_sentence() -> None:
    grammar = grammar_text(CLASSIC, SENTENCE)
    assert objective(grammar) == SENTENCE
    assert objective("no grammar") is None


@pytest.mark.parametrize(
    "sentence", ["#look.feedback#", "{o.name}", "[x]", 'say \\"hello\\"', "a ;b", "a|b", "a <b>", "a\tb"]
)
def test_an_objective_made_of_rules_is_left_to_the_official_engine(sentence: str) -> None:
    assert objective(grammar_text(NEW, sentence)) is None
