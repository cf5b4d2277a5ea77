"""Dialects, and how a game's is recognised."""

import pytest

from actors.environments.alfworld.games.dialect import (
    CLASSIC,
    NEW,
    Dialect,
    domain_text,
    grammar_text,
    objective,
    recognised,
)

SENTENCE = "Your task is to: put some cd on desk."


@pytest.mark.parametrize("dialect", [CLASSIC, NEW], ids=lambda dialect: dialect.name)
def test_what_we_write_is_recognised_whatever_the_objective(dialect: Dialect) -> None:
    for sentence in (SENTENCE, "Your task is to: UNKNOWN GOAL.", ""):
        assert recognised(domain_text(dialect), grammar_text(dialect, sentence)) is dialect


def test_blanks_comments_and_case_of_a_domain_do_not_matter() -> None:
    domain = "; another comment\n" + domain_text(NEW).replace("\n", "\n\n").upper()
    assert recognised(domain, grammar_text(NEW, SENTENCE)) is NEW


def test_domain_and_grammar_of_different_dialects_are_no_pair() -> None:
    assert recognised(domain_text(CLASSIC), grammar_text(NEW, SENTENCE)) is None


@pytest.mark.parametrize("change", [("holdsAny", "holdsSome"), ("(isHot ?o)", "(isCool ?o)")])
def test_a_domain_with_other_rules_is_not_recognised(change: tuple[str, str]) -> None:
    assert recognised(domain_text(NEW).replace(*change), grammar_text(NEW, SENTENCE)) is None


def test_a_grammar_with_other_words_is_not_recognised() -> None:
    other = grammar_text(NEW, SENTENCE).replace("You arrive at", "You are now at")
    assert recognised(domain_text(NEW), other) is None


def test_blanks_within_a_sentence_are_part_of_it() -> None:
    spaced = grammar_text(NEW, SENTENCE).replace("You open the", "You  open the")
    assert recognised(domain_text(NEW), spaced) is None
    indented = grammar_text(NEW, SENTENCE).replace("\n", "\n\n    ")
    assert recognised(domain_text(NEW), indented) is NEW


def test_the_objective_is_found() -> None:
    assert objective(grammar_text(CLASSIC, SENTENCE)) == SENTENCE


@pytest.mark.parametrize(
    "sentence", ["#look.feedback#", "{o.name}", "[x]", 'say \\"hello\\"', "a ;b", "a|b", "a <b>", "a\tb"]
)
def test_an_objective_made_of_rules_is_left_to_the_official_engine(sentence: str) -> None:
    assert objective(grammar_text(NEW, sentence)) is None
    assert objective("no grammar") is None


@pytest.mark.parametrize("action", ["put a 1 in/on b 2", "move a 1 to b 2"])
def test_laying_down_is_said_in_the_dialects_own_words(action: str) -> None:
    assert (NEW.own(action), CLASSIC.own(action)) == ("move a 1 to b 2", "put a 1 in/on b 2")


@pytest.mark.parametrize(
    "action",
    ["go to desk 1", "put a 1 to b 2", "move a 1", "move a 1 in/on b 2", "put", "", "output a in/on b", "put in/on b"],
)
def test_everything_else_stays_as_it_is_said(action: str) -> None:
    assert NEW.own(action) == CLASSIC.own(action) == action
