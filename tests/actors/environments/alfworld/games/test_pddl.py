"""Reading PDDL."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.games.game import ForeignGameError
from quintet.environments.alfworld.games.pddl import Expression, read_declarations, read_expression, read_problem

names = st.text("abcxyz019_-?=", min_size=1, max_size=8)
lists: st.SearchStrategy[Expression] = st.recursive(
    st.lists(names, max_size=4).map(tuple),
    lambda inner: st.lists(st.one_of(names, inner), max_size=4).map(tuple),
    max_leaves=20,
)


def spelled(expression: Expression) -> str:
    parts = [part if isinstance(part, str) else spelled(part) for part in expression]
    return f"( {' '.join(parts)})"


@given(lists)
def test_what_is_spelled_is_read(expression: Expression) -> None:
    assert read_expression(spelled(expression)) == expression


@given(st.text("()ab ;\n-?", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(read_expression(text), tuple)


def test_case_and_comments_do_not_matter() -> None:
    assert read_expression("(Define ; (a comment\n (X a))") == ("define", ("x", "a"))


@pytest.mark.parametrize("text", ["", "word", "(a))", "((a)", "(a) (b)", "(a) b", "(" * 300 + ")" * 300])
def test_what_is_no_single_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_expression(text)


@pytest.mark.parametrize("fact", ["(= (total-cost) 0)", "(not (a b))"])
def test_costs_and_negative_facts_are_left_to_the_official_engine(fact: str) -> None:
    with pytest.raises(ForeignGameError, match="expected plain facts at the start"):
        read_problem(f"(define (problem p) (:objects) (:init {fact}) (:goal (and)))")


def test_names_share_the_type_that_follows_them_and_are_objects_without_one() -> None:
    declared = read_declarations(("a", "b", "-", "room", "c", "-", "agent", "d"))
    assert declared == {"a": "room", "b": "room", "c": "agent", "d": "object"}


@pytest.mark.parametrize(
    "items", [("a", "-"), (("a",), "-", "object"), ("a", "-", ("object",)), ("a", "-", "room", "a", "-", "agent")]
)
def test_names_of_another_form_or_twice_are_refused(items: Expression) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_declarations(items)


def test_a_problem_is_its_declarations_facts_and_goal() -> None:
    problem = read_problem("(define (problem p) (:objects A - object) (:init (openable A) (openable A)) (:goal (and)))")
    assert problem.types == {"a": "object"}
    assert problem.facts == {"openable": [("a",), ("a",)]}
    assert problem.goal == ("and",)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(defun x)", "define"),
        ("(define (problem p) (:objects) (:goal (and)))", ":init"),
        ("(define (problem p) (:objects) (:init) (:goal))", "one condition"),
        ("(define (problem p) (:objects) (:init) (:goal reached))", "one condition"),
        ("(define (problem p) (:objects) (:init ((a) b)) (:goal (and)))", "facts such as"),
        ("(define (problem p) (:objects) (:init a) (:goal (and)))", "facts such as"),
    ],
)
def test_what_is_no_problem_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_problem(text)
