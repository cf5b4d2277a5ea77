"""Which rules a game plays by: what may vary between releases is read, and everything else is refused by name."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.alfworld.games.dialect import CLASSIC, DIALECTS, NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.domain import Tools
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import Rules, rules_of
from tests.actors.environments.alfworld.releases import (
    BASINS,
    SENTENCE,
    released,
    shuffled_domain,
    shuffled_grammar,
)

dialects = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)


def ours(dialect: GameDialect) -> Game:
    return Game(pddl_domain=domain_text(dialect), grammar=grammar_text(dialect, SENTENCE), pddl_problem="")


def refused(game: Game) -> str:
    with pytest.raises(ForeignGameError) as caught:
        rules_of(game)
    return str(caught.value)


@dialects
def test_what_we_write_is_recognised_whatever_the_objective(dialect: GameDialect) -> None:
    for sentence in (SENTENCE, "Your task is to: UNKNOWN GOAL.", ""):
        game = replace(ours(dialect), grammar=grammar_text(dialect, sentence))
        assert rules_of(game) == Rules(dialect=dialect, help=dialect.help, tools=Tools())


@dialects
def test_what_is_released_is_recognised_with_the_sinks_it_names(dialect: GameDialect) -> None:
    assert rules_of(released(dialect)) == Rules(dialect=dialect, help=dialect.help, tools=BASINS)


@given(st.integers(0), st.sampled_from([CLASSIC, NEW]))
def test_order_blanks_comments_cases_and_names_of_texts_make_no_difference(seed: int, dialect: GameDialect) -> None:
    game, chance = released(dialect), random.Random(seed)
    domain, grammar = shuffled_domain(game.pddl_domain, chance), shuffled_grammar(game.grammar, chance)
    other = Game(pddl_domain=domain, grammar=grammar, pddl_problem="")
    assert rules_of(other) == rules_of(game)


def test_help_says_what_the_file_says() -> None:
    other = replace(ours(NEW), grammar=grammar_text(NEW, SENTENCE).replace("#help.feedback#", "\n  Ask\n  a friend. "))
    assert rules_of(other).help == "Ask\n  a friend. "


def test_a_domain_without_help_has_none_whatever_its_grammar_says() -> None:
    assert rules_of(replace(ours(NEW), pddl_domain=domain_text(CLASSIC))).help is None


def test_costs_and_facts_that_nothing_asks_for_make_no_difference() -> None:
    domain = domain_text(NEW).replace("(checked ?r)", "(and (examined ?r) (increase (total-cost) 1))")
    assert rules_of(replace(ours(NEW), pddl_domain=domain)) == rules_of(ours(NEW))


def test_a_condition_about_a_type_that_is_not_declared_never_holds() -> None:
    wider = "(or (exists (?l - location, ?r - receptacle) (inReceptacle ?o ?r)) (holds ?a ?o))"
    start, found, end = domain_text(NEW).partition(":precondition (holds ?a ?o)")
    assert found
    assert rules_of(replace(ours(NEW), pddl_domain=f"{start}:precondition {wider}{end}")) == rules_of(ours(NEW))
    meant = refused(replace(ours(NEW), pddl_domain=f"{start}:precondition {wider.replace(',', '')}{end}"))
    assert "domain, examineobject, precondition: expected (holds ?a ?o), got (or (exists" in meant


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(isHot ?o)", "(isCool ?o)", "domain, coolobject, effect: expected (not (ishot ?o)), got (not (iscool ?o))"),
        (
            "(not (holdsAny ?a))",
            "(holdsAny ?a)",
            "domain, pickupobject, precondition: expected (not (holdsany ?a)), got",
        ),
        ("(heatable ?o))\n", ")\n", "domain, heatobject, precondition: expected (heatable ?o), got nothing more"),
        ("(:action look", "(:action peer", "domain: expected an action look, got none"),
        ("?co - object", "?it - object", "domain, sliceobject: expected parameters"),
        ("location receptacle", "location box receptacle", "domain, types: expected agent location"),
        ("(:predicates", "(:derived", "domain: expected only types, predicates, functions and actions, got (:derived"),
        (
            "(receptacleType ?r microwavetype)",
            "(not (receptacleType ?r microwavetype))",
            "expected (receptacletype ?r *)",
        ),
        (
            "(receptacleType ?r fridgetype)",
            "(receptacleType ?r fridgetype) (receptacleType ?r b)",
            "expected (receptacl",
        ),
        (":effect (checked ?l)", ":effect (increase (total-cost) 1)", "domain: expected an effect of look, got none"),
        ("(define", "(", "domain: expected (define ...)"),
        (")", "", "domain: expected every bracket closed"),
    ],
)
def test_a_domain_with_other_rules_is_refused_and_its_first_difference_named(old: str, new: str, said: str) -> None:
    domain = domain_text(NEW)
    assert old in domain
    assert said in refused(replace(ours(NEW), pddl_domain=domain.replace(old, new)))


def test_an_action_that_is_not_known_is_refused() -> None:
    further = " (:action peer :parameters (?a - agent) :precondition () :effect (checked ?a)))"
    domain = domain_text(NEW).rstrip().removesuffix(")") + further
    assert "domain: expected no action peer, got one" in refused(replace(ours(NEW), pddl_domain=domain))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("You arrive at", "You are now at", "grammar, gotolocation, feedback: expected 'You arrive at {r.name}"),
        ("You open the", "You  open the", "grammar, openobject, feedback: expected '"),
        ("{r.name}. #rec", "{lend.name}. #rec", "grammar, gotolocation, feedback: expected"),
        ('"move {o} to {r}"', '"lay {o} on {r}"', "expected 'put {o} in/on {r}' or 'move {o} to {r}', got 'lay"),
        ('"put.feedback": [{"rhs": "You move', '"put.feedback": [{"rhs": "You put', "putobject, feedback: expected"),
        (
            '{"rhs": "On the',
            '{"condition": "opened(r:receptacle)", "rhs": "On the',
            "grammar, examinereceptacle, feedback",
        ),
        ("Welcome to", "Back in", "grammar, #intro#: expected"),
        ('{"rhs": ", "}', '{"rhs": "; "}', "grammar, #list_separator#: expected ', ', got '; '"),
        ("action look {", "action peer {", "grammar: expected an action look, got none"),
        ("#put.feedback#", "#no.feedback#", "grammar: expected a text for #no.feedback#, got none"),
        ('"#look.feedback#"; }', '"#loop#"; grammar :: """{"loop": [{"rhs": "#loop#"}]}"""; }', "#loop#, got itself"),
        ("#help.feedback#", "#inventory.feedback#", "grammar: expected 'help' and a plain answer to it"),
        ("#help.feedback#", "Ask\\n a friend", "grammar: expected 'help' and a plain answer to it"),
        ("#help.feedback#", " // silence", "grammar: expected 'help' and a plain answer to it"),
        ("action help", "action aid", "grammar: expected an action help, as the domain has it, got none"),
        ('"intro": [', '"intro": {', "grammar: expected texts in JSON"),
        ("action look {", "action look (", "grammar: expected"),
        ('template :: "look";', "", "grammar: expected template and feedback of look, got feedback"),
    ],
)
def test_a_grammar_with_other_texts_is_refused_and_its_first_difference_named(old: str, new: str, said: str) -> None:
    grammar = grammar_text(NEW, SENTENCE)
    assert old in grammar
    assert said in refused(replace(ours(NEW), grammar=grammar.replace(old, new)))


def test_a_domain_and_a_grammar_of_different_dialects_are_refused() -> None:
    assert "help" in refused(replace(ours(CLASSIC), pddl_domain=domain_text(NEW)))


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from([CLASSIC, NEW]))
def test_any_texts_are_recognised_or_refused(domain: str, grammar: str, dialect: GameDialect) -> None:
    for one, other in ((domain, grammar), (domain_text(dialect), grammar), (domain, grammar_text(dialect, SENTENCE))):
        assert refused(Game(pddl_domain=one, grammar=other, pddl_problem=""))


@given(st.data(), st.sampled_from([CLASSIC, NEW]))
def test_a_damaged_text_is_recognised_as_the_same_or_refused(data: st.DataObject, dialect: GameDialect) -> None:
    game = ours(dialect)
    for which in ("pddl_domain", "grammar"):
        text: str = getattr(game, which)
        at = data.draw(st.integers(0, len(text) - 1))
        damaged = text[:at] + data.draw(st.sampled_from(["", "(", ")", "#", '"', "{", "x"])) + text[at + 1 :]
        with suppress(ForeignGameError):
            assert rules_of(replace(game, **{which: damaged})).dialect == dialect


def test_texts_that_grow_without_end_are_refused_soon() -> None:
    symbols = ", ".join(f'"s{n}": [{{"rhs": "#s{n + 1}##s{n + 1}#"}}]' for n in range(60))
    for last in ("", "x"):
        grammar = grammar_text(NEW, SENTENCE).replace("#look.feedback#", "#s0#")
        grammar += f'grammar :: """{{{symbols}, "s60": [{{"rhs": "{last}"}}]}}""";'
        assert "grammar" in refused(replace(ours(NEW), grammar=grammar))
    deep = ", ".join(f'"s{n}": [{{"rhs": "#s{n + 1}#"}}]' for n in range(20_000))
    grammar = grammar_text(NEW, SENTENCE).replace("#look.feedback#", "#s0#") + f'grammar :: """{{{deep}}}""";'
    assert "fewer texts inside each other" in refused(replace(ours(NEW), grammar=grammar))
    assert refused(replace(ours(NEW), grammar="#" * 100_000 + "?"))


def test_in_another_dialect_help_is_that_dialects_and_the_tools_are_the_games() -> None:
    rules = rules_of(released(NEW))
    assert rules.spoken(None) is rules.spoken(NEW) is rules
    assert rules.spoken(CLASSIC) == Rules(dialect=CLASSIC, help=None, tools=BASINS)
