"""Reads programs: finds one in a completion, and checks that it is in the language of programs.

The language is a small part of Python, which nobody runs as Python: `quintet.methods.adaplanner.interpreter` carries it
out. A program is one function, `def solution(agent, start_from=1)`. All that is not listed here is refused, in words.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from quintet.parsing.answers import answer_text

LONGEST_PROGRAM: Final = 16_000
"""Characters."""
LARGEST_NUMBER: Final = 10**9

ASKS: Final = ("act", "ask")
"""Calls of the agent. Each stands alone, or is all that is to the right of `=`."""
FUNCTIONS: Final = ("int", "len", "print", "range", "str")
VALUE_METHODS: Final = (
    *("append", "count", "endswith", "find", "isdigit", "join", "lower", "lstrip", "removeprefix", "removesuffix"),
    *("replace", "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper"),
)

_DEEPEST = 40
"""Levels of a syntax tree."""
_LONGEST_SHOWN = 60
"""Characters of what is refused."""
_MOST_FAULTS = 5
"""That are told of one program; the first ones."""
_SIGNATURE = "def solution(agent, start_from=1)"
_KEPT = ("agent", "start_from", *FUNCTIONS)
"""Names that no program may give a value."""

_OPERATORS = (ast.operator, ast.unaryop, ast.cmpop)
_PLAIN: Final = (
    *(ast.Pass, ast.List, ast.Tuple, ast.JoinedStr, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Slice),
    *(ast.Subscript, ast.IfExp, ast.Assert, ast.Return, ast.Expr, ast.If),
    *(ast.Load, ast.Store, ast.Add, ast.Sub, ast.Not, ast.USub, ast.And, ast.Or, ast.In, ast.NotIn, ast.Is, ast.IsNot),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
"""Nodes of which only the parts are looked at."""

_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*$", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no message can carry."""
_START = re.compile(r"^[ \t]*def[ \t]+solution\b", re.MULTILINE)


class ProgramRefused(ValueError):
    """It is no program in this language; the text says why."""


class Program(NamedTuple):
    """A program that was checked."""

    text: str
    body: tuple[ast.stmt, ...]
    """The statements of its function."""

    @property
    def steps(self) -> int:
        """How many steps it has: `if start_from <= N:`."""
        return sum(step_of(each) is not None for each in self.body)


def step_of(statement: ast.stmt) -> int | None:
    """The number of the step that a statement of a program's function is; None: it is none."""
    match statement:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id="start_from"), ops=[ast.LtE()], comparators=[ast.Constant(value=int(number))]
            )
        ):
            return max(1, number)
        case _:
            return None


def agent_call(node: ast.AST) -> str | None:
    """Which of `ASKS` a node calls; None: none."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="agent"), attr=name)) if name in ASKS:
            return name
        case _:
            return None


def read_program(completion: str) -> str | None:
    """The text of the last program in a whole completion, unchecked; None: there is none. Any text is allowed."""
    text = answer_text(completion)
    starts = [*_START.finditer(text)]
    if not starts:
        return None
    code = _FENCE.split(text[starts[-1].start() :])[0].expandtabs(4)
    first, *rest = code.lstrip("\n").splitlines()
    margin = len(first) - len(first.lstrip())
    lines = [first[margin:]]
    for line in rest:
        if line.strip() and not line.startswith(" " * (margin + 1)):
            break
        lines.append(line[margin:].rstrip())
    return "\n".join(lines).rstrip()


def parse_program(text: str) -> Program:
    """The program in a text that is nothing else.

    Raises:
        ProgramRefused: it is not in the language, or too long; its text names the first faults.
    """
    if len(text) > LONGEST_PROGRAM:
        raise ProgramRefused(f"expected at most {LONGEST_PROGRAM:,} characters, got {len(text):,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = _body(ast.parse(text))
    except SyntaxError as error:
        where = "" if error.lineno is None else f"line {error.lineno}: "
        raise ProgramRefused(f"{where}expected Python, got this: {error.msg}") from None
    except (ValueError, MemoryError, RecursionError):
        raise ProgramRefused("expected a program, got a text that is no code, or nested too deeply") from None
    if body is None:
        raise ProgramRefused(f"expected one function, {_SIGNATURE}, and nothing around it")
    _check_all(body)
    return Program(text, tuple(body))


def _body(module: ast.Module) -> list[ast.stmt] | None:
    """The statements of a module's one function; None: it has another head, or is not alone.

    An annotation that is a name, a text or None is taken as nothing, and nobody evaluates it.
    """
    match module.body:
        case [ast.FunctionDef(args=arguments, body=body) as function]:
            function.body = [ast.Pass()]
            function.returns = _unless_name(function.returns)
            for each in arguments.args:
                each.annotation = _unless_name(each.annotation)
            return body if ast.unparse(function) == f"{_SIGNATURE}:\n    pass" else None
        case _:
            return None


def _unless_name(annotation: ast.expr | None) -> ast.expr | None:
    return None if isinstance(annotation, ast.Name | ast.Constant) else annotation


def _check_all(body: list[ast.stmt]) -> None:
    """Check every statement.

    Raises:
        ProgramRefused: its text has the first faults, in their order. Within one only a block is looked at further.
    """
    left: list[tuple[ast.AST, int, bool]] = [(each, 1, False) for each in reversed(body)]
    faults: dict[str, None] = {}
    while left and len(faults) <= _MOST_FAULTS:
        node, depth, looped = left.pop()
        looped = looped or isinstance(node, ast.For | ast.While)
        try:
            if depth > _DEEPEST and isinstance(node, ast.expr | ast.stmt):
                raise ProgramRefused(f"{_where(node)}expected at most {_DEEPEST} levels, got more")
            parts: Sequence[ast.AST] = [*_checked_parts(node, looped)]
        except ProgramRefused as refused:
            faults[str(refused)] = None
            parts = _block(node) if depth <= _DEEPEST else []
        left += [(part, depth + 1, looped) for part in reversed(parts)]
    if faults:
        further = ["and more"] if len(faults) > _MOST_FAULTS else []
        raise ProgramRefused("; ".join([*list(faults)[:_MOST_FAULTS], *further]))


def _block(node: ast.AST) -> list[ast.stmt]:
    """The statements in a loop or another block that is refused."""
    match node:
        case (
            ast.For(body=body)
            | ast.While(body=body)
            | ast.With(body=body)
            | ast.Try(body=body)
            | ast.FunctionDef(body=body)
        ):
            return body
        case _:
            return []


def _checked_parts(node: ast.AST, looped: bool) -> Iterator[ast.AST]:
    """Check a node by itself, and give those of its parts that are to be checked; `looped`: it is in a loop."""
    match node:
        case ast.Expr(value=ast.Call() as call) if agent_call(call):
            yield from _arguments(call, exactly=1)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if agent_call(call):
            _check_name(node, name)
            yield from _arguments(call, exactly=1)
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=value)
        ):
            _check_name(node, name)
            yield value
        case ast.For(target=ast.Name(id=name), iter=several, body=body, orelse=[]):
            _check_name(node, name)
            yield from (several, *body)
        case ast.While(test=test, body=body, orelse=[]):
            yield from (test, *body)
        case ast.Break() | ast.Continue() if looped:
            return
        case ast.Constant(value=bool() | None):
            return
        case ast.Constant(value=str(text)) if not _SURROGATE.search(text):
            return
        case ast.Constant(value=int(number)) if number <= LARGEST_NUMBER:
            return
        case ast.Name(id=name) if name != "agent" and not name.startswith("__"):
            return
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            yield value
        case ast.Attribute(value=ast.Name(id="agent"), attr="accepted"):
            return
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            yield from _arguments(node)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in VALUE_METHODS:
            yield value
            yield from _arguments(node)
        case ast.Subscript(slice=ast.Slice(step=ast.expr())):
            raise _refused(node)
        case _ if isinstance(node, _PLAIN):
            parts = [*ast.iter_child_nodes(node)]
            if any(isinstance(each, _OPERATORS) and not isinstance(each, _PLAIN) for each in parts):
                raise _refused(node)
            yield from parts
        case _:
            raise _refused(node)


def _check_name(statement: ast.stmt, name: str) -> None:
    if name in _KEPT or name.startswith("__"):
        raise ProgramRefused(f"{_where(statement)}expected another name for a value, got {name[:_LONGEST_SHOWN]}")


def _arguments(call: ast.Call, *, exactly: int | None = None) -> Iterator[ast.AST]:
    if call.keywords or (exactly is not None and len(call.args) != exactly):
        number = "one argument" if exactly else "arguments"
        raise ProgramRefused(f"{_where(call)}expected {number} without a name in `{_shown(call)}`")
    yield from call.args


def _refused(node: ast.AST) -> ProgramRefused:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="agent"), attr=name)) if name in ASKS:
            got = f"agent.{name} within an expression; write it alone, or as: name = agent.{name}(...)"
        case ast.Call(func=ast.Attribute(attr=name)):
            got = f"a call of .{name[:_LONGEST_SHOWN]}; the methods are {', '.join(VALUE_METHODS)}"
        case ast.Call():
            got = f"a call of `{_shown(node.func)}`; the functions are {', '.join(FUNCTIONS)}"
        case ast.Attribute():
            got = f"the attribute `{_shown(node)}`; the only one is agent.accepted"
        case _:
            got = f"`{_shown(node)}`"
    return ProgramRefused(f"{_where(node)}expected what the language has, got {got}")


def _shown(node: ast.AST) -> str:
    """The beginning of a node's text, or what it is."""
    try:
        text = ast.unparse(node).strip().splitlines()[0]
    except (AttributeError, IndexError, RecursionError, ValueError):
        text = ""
    return (text or type(node).__name__)[:_LONGEST_SHOWN]


def _where(node: ast.AST) -> str:
    line = getattr(node, "lineno", None)
    return "" if line is None else f"line {line}: "
