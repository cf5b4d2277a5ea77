import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.programs import LONGEST_PROGRAM, Program, ProgramRefused, parse_program, read_program, step_of

HEAD = "def solution(agent, start_from=1):\n"


def program_or_why(text: str) -> Program | str:
    try:
        return parse_program(text)
    except ProgramRefused as refused:
        return str(refused)


def parsed(*lines: str) -> Program:
    return parse_program(HEAD + "\n".join(f"    {line}" for line in lines))


def test_a_program_is_found_without_what_stands_around_it() -> None:
    code = f"{HEAD}    seen = agent.act('look')\n\n    # done\n    return"
    assert read_program(code) == code
    assert read_program(f"I look.\n\n```python\n{code}\n```\nThat is all.") == code
    assert read_program(f"import os\n\n{code}\n\nsolution(agent)\n") == code
    assert read_program(f"  {code}".replace("\n", "\n  ")) == code
    assert read_program(code.replace("    ", "\t")) == code


def test_the_last_program_counts_and_reasoning_does_not() -> None:
    first, last = (f"{HEAD}    agent.act('{action}')" for action in ("look", "serve"))
    assert read_program(f"```\n{first}\n```\nNo, this:\n```\n{last}\n```") == last
    assert read_program(f"<think>{last}</think>{first}") == first
    assert read_program("agent.act('look')") is None
    assert read_program("") is None


def test_its_steps_are_what_start_from_chooses() -> None:
    program = parsed(
        "if start_from <= 1:",
        "    agent.act('look')",
        "if start_from <= 0: pass",
        "if start_from < 3: pass",
        "pass",
    )
    assert [step_of(each) for each in program.body] == [1, 1, None, None]
    assert program.steps == 2


@pytest.mark.parametrize(
    "line",
    [
        "'''A docstring.'''",
        "seen = agent.act(f'go to {place} {1 + 2}')",
        "for place in ['a', 'b']: agent.act(place)",
        "assert agent.accepted and 'x' in seen[1:3], 'no ' + seen",
        "while not found: found = agent.ask('what?')",
        "x = seen.lower().split(',')[0] if seen is not None else -1",
        "x += len(range(3))",
    ],
)
def test_what_the_language_has_is_accepted(line: str) -> None:
    assert len(parsed(line).body) == 1


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("import os", "`import os`"),
        ("from os import system", "`from os import system`"),
        ("eval('1')", "a call of `eval`"),
        ("__import__('os')", "a call of `__import__`"),
        ("getattr(agent, 'x')", "a call of `getattr`"),
        ("x = ().__class__.__bases__", "the attribute `().__class__.__bases__`"),
        ("x = agent.__init__", "the attribute `agent.__init__`"),
        ("x = __builtins__", "`__builtins__`"),
        ("x = agent", "`agent`"),
        ("agent.accepted = True", "`agent.accepted = True`"),
        ("x['a'] = 1", "`x['a'] = 1`"),
        ("x, y = 1, 2", "`x, y = (1, 2)`"),
        ("x = 'a'.format(1)", "a call of .format"),
        ("x = 'a'.__len__()", "a call of .__len__"),
        ("x = 'a' * 9", "`'a' * 9`"),
        ("x = 9 ** 9", "`9 ** 9`"),
        ("x = '%s' % 1", "`'%s' % 1`"),
        ("x = f'{1!r}'", "`{1!r}`"),
        ("x = f'{1:>999999999}'", "`{1:>999999999}`"),
        ("x = 'abc'[::2]", "`'abc'[::2]`"),
        ("x = lambda: 1", "`lambda: 1`"),
        ("x = [y for y in 'ab']", "`[y for y in 'ab']`"),
        ("x = {'a': 1}", "`{'a': 1}`"),
        ("x = (y := 1)", "`(y := 1)`"),
        ("x = 1.5", "`1.5`"),
        ("x = b'a'", "`b'a'`"),
        ("x = 10000000000", "`10000000000`"),
        ("def f(): pass", "`def f():`"),
        ("class A: pass", "`class A:`"),
        ("try: pass\n    finally: pass", "`try:`"),
        ("with agent: pass", "`with agent:`"),
        ("global x", "`global x`"),
        ("del x", "`del x`"),
        ("raise ValueError", "`raise ValueError`"),
        ("yield 1", "`(yield 1)`"),
        ("break", "`break`"),
        ("for x in 'ab': pass\n    else: pass", "`for x in 'ab':`"),
        ("for x, y in 'ab': pass", "`for x, y in 'ab':`"),
        ("x = agent.act('a') + 'b'", "agent.act within an expression"),
        ("if 'a' in agent.act('look'): pass", "agent.act within an expression"),
        ("agent.act(agent.ask('a'))", "agent.ask within an expression"),
        ("agent.quit()", "a call of .quit"),
    ],
)
def test_what_the_language_does_not_have_is_refused_in_words(line: str, got: str) -> None:
    with pytest.raises(ProgramRefused) as refused:
        parsed(line)
    assert str(refused.value).startswith(f"line 2: expected what the language has, got {got}")


def test_all_faults_are_named_in_their_order() -> None:
    lines = (
        "x = {'a': 1}",
        "y = 3 % 2",
        "for i, y in enumerate('ab'):",
        "    import os",
        "    x += 1",
        "x = [1.5, b'']",
    )
    got = ("2: {'a': 1}", "3: 3 % 2", "4: for i, y in enumerate('ab'):", "5: import os", "7: 1.5", "7: b''")
    refused = [
        "line {}: expected what the language has, got `{}`".format(*each.split(": ", maxsplit=1)) for each in got
    ]
    assert program_or_why(HEAD + "\n".join(f"    {line}" for line in lines[:4])) == "; ".join(refused[:4])
    assert program_or_why(HEAD + "\n".join(f"    {line}" for line in lines)) == "; ".join([*refused[:5], "and more"])


@pytest.mark.parametrize("line", ["x.{}()", "__{} = 1", "{}()", "x = a.{}", "agent.{}()"])
def test_what_is_refused_is_told_in_few_words_however_long_and_often_it_is(line: str) -> None:
    why = program_or_why(HEAD + f"    {line.format('a' * 700)}\n" * 20)
    assert isinstance(why, str)
    assert len(why) < 2_000
    assert why.endswith("; and more")


@pytest.mark.parametrize(
    "head",
    [
        "def solution(agent, start_from=1) -> None:",
        "def solution(agent: Agent, start_from: int=1):",
        "def solution(agent: 'Agent', start_from: int = 1) -> bool:",
    ],
)
def test_annotations_of_its_head_are_nothing(head: str) -> None:
    text = f"{head}\n    agent.act('look')"
    program = parse_program(text)
    assert (program.text, [ast.unparse(each) for each in program.body]) == (text, ["agent.act('look')"])


@pytest.mark.parametrize(
    "head",
    [
        "def solution(agent): pass",
        "def solution(agent, start_from=__import__('os')): pass",
        "def solution(agent=len, start_from=1): pass",
        "def solution(agent, start_from: __import__('os')=1): pass",
        "def solution(agent, start_from=1) -> __import__('os'): pass",
        "def solution(agent, start_from=1, *more): pass",
        "async def solution(agent, start_from=1): pass",
        f"@x\n{HEAD}    pass",
        f"{HEAD}    pass\nsolution(1)",
        "",
    ],
)
def test_a_program_has_one_head_alone(head: str) -> None:
    assert program_or_why(head) == "expected one function, def solution(agent, start_from=1), and nothing around it"


def test_half_a_character_is_refused() -> None:
    found = program_or_why(HEAD + r"    x = f'a\ud800{1}'")
    assert found == r"line 2: expected what the language has, got `'a\ud800'`"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HEAD}    agent = 1", "line 2: expected another name for a value, got agent"),
        (f"{HEAD}    len = 1", "line 2: expected another name for a value, got len"),
        (f"{HEAD}    for start_from in 'ab': pass", "line 2: expected another name for a value, got start_from"),
        (f"{HEAD}    __x += 1", "line 2: expected another name for a value, got __x"),
        (f"{HEAD}    agent.act()", "line 2: expected one argument without a name in `agent.act()`"),
        (f"{HEAD}    agent.act(text='a')", "line 2: expected one argument without a name in `agent.act(text='a')`"),
        (f"{HEAD}    print(end='')", "line 2: expected arguments without a name in `print(end='')`"),
        (f"{HEAD}    x = {'-' * 60}1", "line 2: expected at most 40 levels, got more"),
        (f"{HEAD}    x = (", "line 2: expected Python, got this: '(' was never closed"),
        (f"{HEAD}    x = {'-' * 9_000}1", "expected a program, got a text that is no code, or nested too deeply"),
        (HEAD + "#" * LONGEST_PROGRAM, f"expected at most 16,000 characters, got {LONGEST_PROGRAM + len(HEAD):,}"),
    ],
)
def test_what_is_no_program_is_refused_with_where_and_why(text: str, why: str) -> None:
    with pytest.raises(ProgramRefused) as refused:
        parse_program(text)
    assert str(refused.value) == why


def test_a_text_with_a_zero_is_refused() -> None:
    assert isinstance(program_or_why(f"{HEAD}    x = '\0'"), str)


def test_a_strange_escape_says_nothing_to_anybody(recwarn: Any) -> None:
    assert parsed(r"agent.act('\d')").body
    assert not recwarn.list


@given(st.text(max_size=200), st.sampled_from(["", HEAD, f"```\n{HEAD}", "<think>"]))
def test_any_text_is_read_and_what_is_read_is_refused_or_a_program(text: str, before: str) -> None:
    code = read_program(before + text)
    assert code is None or code.lstrip().startswith("def")
    program = program_or_why(code or text)
    if isinstance(program, Program):
        assert not any(isinstance(node, ast.Import | ast.Lambda) for each in program.body for node in ast.walk(each))
    else:
        assert program.startswith(("line ", "expected "))
