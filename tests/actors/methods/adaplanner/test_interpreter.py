"""What programs do: what they mean where they work, and that nothing gets out where they do not."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.methods.adaplanner.interpreter import MOST_WORK, AgentCall, AgentReply, Interpreter, ProgramStopped
from quintet.methods.adaplanner.values import LONGEST_LIST, LONGEST_VALUE, ProgramValue
from quintet.parsing.programs import FUNCTIONS, LARGEST_NUMBER, VALUE_METHODS, ProgramRefused, parse_program

HEAD = "def solution(agent, start_from=1):\n"


def seen(call: AgentCall) -> AgentReply:
    return AgentReply(f"You see: {call.text}.", accepted="burn" not in call.text)


class Run(NamedTuple):
    calls: list[str]
    """`! action`, `? question`."""
    stopped: str
    step: int
    variables: Mapping[str, ProgramValue]


def run(body: str, world: Callable[[AgentCall], AgentReply] = seen, most: int = 100, **begun: Any) -> Run:
    """Run a body, four blanks to the right of where it stands here."""
    text = HEAD + "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    interpreter = Interpreter(parse_program(text), **begun)
    calls: list[str] = []
    stopped = ""
    running = interpreter.run()
    reply: AgentReply | None = None
    try:
        while len(calls) < most:
            call = next(running) if reply is None else running.send(reply)
            calls.append(f"{'!' if call.is_action else '?'} {call.text}")
            reply = world(call)
    except StopIteration:
        pass
    except ProgramStopped as error:
        stopped = str(error)
    return Run(calls, stopped, interpreter.step, interpreter.variables)


def value(expression: str) -> ProgramValue:
    found = run(f"x = {expression}")
    assert not found.stopped, found.stopped
    return found.variables["x"]


def test_actions_and_questions_leave_the_program_and_what_comes_back_is_text() -> None:
    found = run(
        """
place = "desk 1"
seen = agent.act(f"go to {place}")
what = agent.ask("what is " + "there?")
agent.act(what)
"""
    )
    assert found.calls == ["! go to desk 1", "? what is there?", "! You see: what is there?."]
    assert found.variables["seen"] == "You see: go to desk 1."
    assert (found.stopped, found.step) == ("", 1)


def test_a_loop_looks_through_places_until_it_breaks() -> None:
    found = run(
        """
number = 0
for place in ("a", "b", "c"):
    if place == "a":
        continue
    number += 1
    seen = agent.act(place)
    if "b." in seen:
        break
while True:
    number += 1
    if number >= 4:
        return
agent.act("never")
"""
    )
    assert found.calls == ["! b"]
    assert found.variables["number"] == 4


def test_an_assertion_that_fails_stops_it_with_its_message_and_its_step() -> None:
    body = """
if start_from <= 1:
    agent.act("look")
if start_from <= 2:
    seen = agent.act("burn")
    assert agent.accepted, f"no: {seen}"
agent.act("never")
"""
    found = run(body)
    assert found.calls == ["! look", "! burn"]
    assert (found.stopped, found.step) == ("line 6: the assertion failed: no: You see: burn.", 2)
    again = run(body, start_from=2, variables=found.variables)
    assert again.calls == ["! burn"]
    assert run("x = 1\nassert x > 2").stopped == "line 3: the assertion failed: x > 2"


def test_the_step_is_the_last_one_that_was_begun_in_whatever_order_they_stand() -> None:
    body = "if start_from <= 2:\n    agent.act('b')\nif start_from <= 1:\n    agent.act('a')\n    assert False, 'no'"
    assert run(body).step == 1
    looped = "for x in 'ab':\n    if start_from <= 1: assert x == 'a'\n    if start_from <= 2: agent.act(x)"
    assert (run(looped).calls, run(looped).step) == (["! a"], 1)


def test_it_goes_on_with_the_values_of_names() -> None:
    found = run("agent.act(place)", variables={"place": "desk 1", "start_from": 7}, start_from=3)
    assert found.calls == ["! desk 1"]
    assert found.variables["start_from"] == 3


def test_what_was_accepted_is_that_of_the_last_action() -> None:
    assert run('agent.act("burn")\nagent.ask("why?")\nx = agent.accepted').variables["x"] is False
    assert run('agent.act("burn")\nagent.act("look")\nx = agent.accepted').variables["x"] is True


@pytest.mark.parametrize(
    "expression",
    [
        "1 + 2 - -3",
        "'a' + 'b' + f'{1}{None}{True}'",
        "[1, 'a'] + [None]",
        "f'{[1, None]} {[]}'",
        "'mug 1, mug 2'.split(', ')[1]",
        "'a-b'.replace('-', ' ').title().upper()",
        "', '.join(['a', 'b'])",
        "len('abc') == 3 and not 'z' in 'abc' or False",
        "1 < 2 <= 2 != 3",
        "'b' not in ['a'] is False",
        "'abc'[-1] + 'abc'[1:] + 'abc'[:1]",
        "'x' if [] else 'y'",
        "int('12') + len(str(5))",
        "' a '.strip().startswith('a')",
        "[1, 1].count(1) + 'aa'.count('a') + 'ab'.find('b')",
        "'7'.isdigit() and 'a\\nb'.splitlines() == ['a', 'b']",
        "0 or '' or None",
    ],
)
def test_an_expression_means_what_it_means_in_python(expression: str) -> None:
    if "is" not in expression.split():
        assert value(expression) == eval(expression)  # one of the list above


def test_is_compares_values_since_there_are_no_objects() -> None:
    assert value("'ab' is 'a' + 'b'") is True
    assert value("1 is not None") is True


def test_a_loop_over_a_list_that_grows_ends() -> None:
    found = run("names = ['a', 'b']\nfor name in names:\n    names.append(name)\nagent.act(','.join(names))")
    assert found.calls == ["! a,b,a,b"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("x = y", "line 2: the name y has no value yet"),
        ("x = 'a' + 1", 'line 2: can only concatenate str (not "int") to str'),
        ("x = ['a'][3]", "line 2: list index out of range"),
        ("x = [['a']]", "line 2: expected a text, a number, a truth or None in a list, got a list"),
        ("x = ['a']\nx.append(x)", "line 3: expected a text, a number, a truth or None in a list, got a list"),
        ("x = 5\nx.append(1)", "line 3: expected another use of .append, got it on a number with a number"),
        ("x = None\nx.strip()", "line 3: expected another use of .strip, got it on None with nothing"),
        ("x = ','.join([1])", "line 2: expected texts to join, got a number"),
        ("x = 'a'.replace('a')", "line 2: expected two texts in .replace"),
        ("x = len(5)", "line 2: expected other arguments of len, got a number"),
        ("x = int('mug')", "line 2: invalid literal for int() with base 10: 'mug'"),
        ("x = int(None)", "line 2: expected other arguments of int, got None"),
        ("x = 5[0]", "line 2: expected a text or a list before [...], got a number"),
        ("x = 'a' < 1", "line 2: '<' not supported between instances of 'str' and 'int'"),
        ("for x in 5:\n    pass", "line 2: expected a list after `in`, got a number"),
        ("agent.act(5)", "line 2: expected a text in agent.act, got a number"),
        ("agent.ask(' ')", "line 2: expected a text in agent.ask, got an empty one"),
    ],
)
def test_what_goes_wrong_is_said_in_words_with_its_line(body: str, why: str) -> None:
    assert run(body).stopped == why


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("while True:\n    pass", "the program works too long"),
        ("while True:\n    for x in 'ab':\n        continue", "the program works too long"),
        ("x = 'ab'\nwhile True:\n    x = x + x", "at most 20,000 characters"),
        ("x = 'ab'\nwhile True:\n    x = f'{x}{x}'", "at most 20,000 characters"),
        ("x = 'ab'\nwhile True:\n    x += x", "at most 20,000 characters"),
        ("x = 'bb'\nwhile True:\n    x = x.replace('b', x)", "at most 20,000 characters"),
        ("x = 'ab'\nwhile True:\n    x = x.join([x, x, x])", "at most 20,000 characters"),
        ("x = ['ab']\nwhile True:\n    x += x", "a list of at most 10,000"),
        ("x = ['ab']\nwhile True:\n    x.append('b')", "the program works too long"),
        ("x = range(100000000)", "a list of at most 10,000"),
        ("x = 1\nwhile True:\n    x += x", "a number of at most 1,000,000,000"),
    ],
)
def test_what_would_not_end_or_would_grow_is_stopped(body: str, why: str) -> None:
    assert why in run(body).stopped


def test_looking_through_long_texts_is_work() -> None:
    long = "x = agent.act('read')\n"

    def world(_call: AgentCall) -> AgentReply:
        return AgentReply("a" * 10 * LONGEST_VALUE)

    assert len(str(run(long, world).variables["x"])) == LONGEST_VALUE
    assert "works too long" in run(f"{long}while 'b' not in x:\n    pass", world).stopped
    assert "works too long" in run(f"{long}y = x.strip(x)", world).stopped


def test_a_long_text_splits_into_its_words() -> None:
    words = run("y = x.split()\nagent.act(y[-1])", variables={"x": "a " * (LONGEST_VALUE // 2)}).variables["y"]
    assert isinstance(words, list)
    assert len(words) == LONGEST_LIST
    assert run("y = x.split(',')", variables={"x": "," * LONGEST_LIST}).stopped == (
        "line 2: expected a list of at most 10,000, got 10,001"
    )


def test_a_list_of_numbers_is_work() -> None:
    found = run(f"n = 0\nwhile True:\n    n += 1\n    x = range({LONGEST_LIST})")
    assert "works too long" in found.stopped
    number = found.variables["n"]
    assert isinstance(number, int)
    assert number <= MOST_WORK // (LONGEST_LIST // 10)


LONG: Mapping[str, ProgramValue] = {"x": "a" * LONGEST_VALUE}
MANY = f"[{', '.join('x' for _ in range(1_000))}]"
"""A list of many of them, which costs little to write down."""


@pytest.mark.parametrize("use", [f"assert False, {MANY}", f"y = f'{{{MANY}}}'", f"y = str({MANY})"])
def test_a_long_list_does_not_become_a_longer_text(use: str) -> None:
    assert run(use, variables=LONG).stopped == "line 2: the program works too long; is there a loop without an end?"


def test_a_long_list_is_named_where_it_is_no_action() -> None:
    assert run(f"agent.act({MANY})", variables=LONG).stopped == "line 2: expected a text in agent.act, got a list"


def test_a_loop_over_a_long_text_that_is_left_at_once_is_work() -> None:
    found = run("n = 0\nwhile True:\n    n += 1\n    for each in x:\n        break", variables=LONG)
    assert "works too long" in found.stopped
    number = found.variables["n"]
    assert isinstance(number, int)
    assert number <= MOST_WORK // (LONGEST_VALUE // 100)


VALUES: Mapping[str, ProgramValue] = {"x": "a b", "y": 2, "names": ["a", "b"]}
"""Of names when a program begins."""
OPERATORS = ("+", "-", "==", "<", "in", "not in", "and", "or", "is")
HOSTILE_NAMES = ("agent", "start_from", "len", "__class__", "__builtins__", "os")
HOSTILE_OPERATORS = ("*", "**", "%", "//", "@", ":=")
HOSTILE_METHODS = ("format", "__class__", "mro", "encode", "__getattribute__", "f_globals")
HOSTILE_FUNCTIONS = ("eval", "exec", "open", "getattr", "__import__", "type", "x")
HOSTILE_LINES = ("import os", "global x", "del x", "raise x", "yield x", "x, y = names", "break", "class A: pass")


def bodies(*, hostile: bool) -> st.SearchStrategy[str]:
    """Programs of what the language has; `hostile`: and of what it does not have."""

    def of(own: tuple[str, ...], others: tuple[str, ...]) -> st.SearchStrategy[str]:
        return st.sampled_from((*own, *(others if hostile else ())))

    names = of(tuple(VALUES), HOSTILE_NAMES)
    atoms = st.one_of(
        names,
        st.sampled_from(["'a'", "''", "0", "-1", "None", "True", "[]", "['a', 'b']", "agent.accepted", "range(9)"]),
        st.text("ab{}\\'\"%\n", max_size=5).map(repr),
    )

    def compound(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(parts, max_size=2).map(", ".join)
        return st.one_of(
            st.builds("({} {} {})".format, parts, of(OPERATORS, HOSTILE_OPERATORS), parts),
            st.builds("({}).{}({})".format, parts, of(VALUE_METHODS, HOSTILE_METHODS), several),
            st.builds("{}({})".format, of(FUNCTIONS, HOSTILE_FUNCTIONS), several),
            st.builds("{}[{}]".format, parts, parts),
            st.builds("[{}, {}]".format, parts, parts),
            st.builds("f'{{{}}}{{{}}}'".format, names, names),
            *([st.builds("({}).{}".format, parts, of((), HOSTILE_METHODS))] if hostile else []),
        )

    parts = st.recursive(atoms, compound, max_leaves=4)
    lines = st.one_of(
        st.builds("{} = {}".format, names, parts),
        st.builds("{} += {}".format, names, parts),
        st.builds("{} = agent.act({})".format, names, parts),
        st.builds("agent.ask({})".format, parts),
        st.builds("assert {}, {}".format, parts, parts),
        parts,
        of(("return", "pass"), HOSTILE_LINES),
    )

    def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        heads = st.one_of(
            st.builds("while {}:".format, parts),
            st.builds("for {} in {}:".format, names, parts),
            st.builds("if {}:".format, parts),
            st.just("if start_from <= 2:"),
        )
        body = st.lists(inner, min_size=1, max_size=3).map(indented)
        return st.builds("{}\n{}".format, heads, body)

    return st.lists(st.recursive(lines, blocks, max_leaves=4), min_size=1, max_size=5).map("\n".join)


def indented(body: list[str]) -> str:
    return "\n".join(f"    {line}" for part in body for line in part.splitlines())


def is_bounded(value: ProgramValue) -> bool:
    match value:
        case str():
            return len(value) <= LONGEST_VALUE
        case list():
            items: Sequence[object] = value
            nested = any(isinstance(each, list) for each in items)
            return len(value) <= LONGEST_LIST and not nested and all(map(is_bounded, value))
        case _:
            return value is None or (type(value) in (bool, int) and abs(value) <= LARGEST_NUMBER)


def check(body: str) -> None:
    """It makes calls with texts until it ends or stops in words, and all that it has are small values."""
    found = run(body, variables=VALUES)
    assert all(call[2:].strip() for call in found.calls)
    assert not found.stopped or found.stopped.startswith("line ")
    assert all(map(is_bounded, found.variables.values()))


@given(bodies(hostile=False))
@settings(max_examples=150)
def test_whatever_a_program_does_it_ends_in_words_and_with_small_values(body: str) -> None:
    check(body)


@given(bodies(hostile=True))
@settings(max_examples=100)
def test_a_program_with_what_the_language_does_not_have_is_refused_or_does_without(body: str) -> None:
    with suppress(ProgramRefused):
        check(body)


def test_its_work_is_bounded_whatever_it_does() -> None:
    steps = 0

    def world(_call: AgentCall) -> AgentReply:
        nonlocal steps
        steps += 1
        return AgentReply("")

    found = run("while True:\n    agent.ask('again?')", world, most=10 * MOST_WORK)
    assert "works too long" in found.stopped
    assert steps < MOST_WORK
