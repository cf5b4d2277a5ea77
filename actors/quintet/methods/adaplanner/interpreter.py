"""Carries out programs: an interpreter of its own, in which a program can reach nothing but its agent's two calls."""

import ast
from collections.abc import Callable, Generator, Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias, TypeVar

from quintet.methods.adaplanner.values import LONGEST_VALUE, Evaluator, ProgramValue, shown
from quintet.parsing.programs import Program, agent_call, step_of

MOST_WORK: Final = 20_000
"""Of a run: a statement or a part of an expression is one unit, and so are a hundred characters that it looks at."""


class AgentCall(NamedTuple):
    """What a program asks of its agent."""

    text: str
    is_action: bool
    """It is an action; else a question."""


class AgentReply(NamedTuple):
    """What came of a call."""

    text: str
    """What was seen, or the answer."""
    accepted: bool = True
    """Whether the world carried the action out; of an answer nothing."""


class ProgramStopped(Exception):
    """The program cannot go on; the text says why, and in which line."""


class _Flow(Enum):
    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


_T = TypeVar("_T")
_Running: TypeAlias = Generator[AgentCall, AgentReply, _Flow]


class Interpreter:
    """One run of a program.

    Args:
        start_from: the step with which it begins.
        variables: names that have values at its start.
    """

    def __init__(
        self, program: Program, *, start_from: int = 1, variables: Mapping[str, ProgramValue] | None = None
    ) -> None:
        self._program = program
        self._evaluator = Evaluator({**(variables or {}), "start_from": start_from}, work=MOST_WORK)
        self.step = start_from
        """The step that was begun last."""

    @property
    def variables(self) -> Mapping[str, ProgramValue]:
        """The names that have values now."""
        return self._evaluator.names

    def run(self) -> Generator[AgentCall, AgentReply, None]:
        """Carry it out. Each call is answered by `send`.

        Raises:
            ProgramStopped: an assertion or an expression failed, or it worked too long.
        """
        yield from self._block(self._program.body)

    def _block(self, body: Sequence[ast.stmt]) -> _Running:
        for statement in body:
            self._spend(statement)
            if (flow := (yield from self._statement(statement))) is not _Flow.NEXT:
                return flow
        return _Flow.NEXT

    def _statement(self, statement: ast.stmt) -> _Running:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                holds = bool(self._value(test))
                self.step = (step_of(statement) if holds else None) or self.step
                return (yield from self._block(body if holds else orelse))
            case ast.For(target=ast.Name(id=name), iter=several, body=body):
                for each in self._evaluated(self._evaluator.items, several):
                    self._evaluator.names[name] = each
                    if (flow := (yield from self._block(body))) in (_Flow.BREAK, _Flow.RETURN):
                        return _Flow.NEXT if flow is _Flow.BREAK else flow
            case ast.While(test=test, body=body):
                while self._value(test):
                    if (flow := (yield from self._block(body))) in (_Flow.BREAK, _Flow.RETURN):
                        return _Flow.NEXT if flow is _Flow.BREAK else flow
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call) if agent_call(call):
                self._assign(statement, (yield from self._agent(call)))
            case ast.Expr(value=value) | ast.Assign(value=value):
                self._assign(statement, self._value(value))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                before = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), target)
                self._evaluator.names[name] = self._value(ast.copy_location(ast.BinOp(before, op, value), target))
            case ast.Assert(test=test, msg=message):
                self._assert(test, message)
            case ast.Return(value=value):
                if value is not None:
                    self._value(value)
                return _Flow.RETURN
            case ast.Break():
                return _Flow.BREAK
            case ast.Continue():
                return _Flow.CONTINUE
            case _:
                pass
        return _Flow.NEXT

    def _spend(self, statement: ast.stmt) -> None:
        try:
            self._evaluator.spend(1)
        except ValueError as error:
            raise ProgramStopped(f"line {statement.lineno}: {error}") from None

    def _value(self, node: ast.expr) -> ProgramValue:
        return self._evaluated(self._evaluator.value, node)

    def _evaluated(self, evaluate: Callable[[ast.expr], _T], node: ast.expr) -> _T:
        try:
            return evaluate(node)
        except (TypeError, ValueError, IndexError) as error:
            raise ProgramStopped(f"line {node.lineno}: {error}") from None

    def _agent(self, call: ast.Call) -> Generator[AgentCall, AgentReply, str]:
        wanted = self._value(call.args[0])
        kind = agent_call(call)
        if not isinstance(wanted, str) or not wanted.strip():
            got = "an empty one" if isinstance(wanted, str) else shown(wanted)
            raise ProgramStopped(f"line {call.lineno}: expected a text in agent.{kind}, got {got}")
        reply = yield AgentCall(wanted, is_action=kind == "act")
        if kind == "act":
            self._evaluator.accepted = reply.accepted
        return reply.text[:LONGEST_VALUE]

    def _assign(self, statement: ast.Expr | ast.Assign, value: ProgramValue) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                self._evaluator.names[name] = value
            case _:
                pass

    def _assert(self, test: ast.expr, message: ast.expr | None) -> None:
        if not self._value(test):
            why = ast.unparse(test) if message is None else self._evaluated(self._evaluator.text, message)
            raise ProgramStopped(f"line {test.lineno}: the assertion failed: {why}")
