"""A question that is being answered by calls of tools."""

from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct

from quintet.environments.tool_world.held_context import HeldContext
from quintet.environments.tool_world.rubric import Rubric, RubricScores, maybe_await
from quintet.environments.tool_world.tool import FunctionTool, Tool, ToolSet, as_tool, offered
from quintet.errors import UsageError, WorldFault, one_line, utf8
from quintet.messages.tools import OfferedTool
from quintet.ports.async_world import AsyncState
from quintet.ports.world import Opening, Outcome

SUBMIT: Final = "submit"
_DIGEST: Final = 8
"""Bytes of the digest of an answer."""


class _Snapshot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds: the calls that were made, and what was answered."""

    calls: tuple[tuple[bytes, bytes], ...] = ()
    """Each as it was written, with the digest of its answer."""
    verdicts: tuple[bool | None, ...] | None = None
    """The judge's; None: it gave none yet."""


class ToolState(AsyncState):
    """A question that is being answered.

    Args:
        question: its text; it may be empty if the goal says all.
        goal: the instruction.
        tools: those of this session.
        context: what holds the session open.
        session: what `context` gives, for the rubric.
        reopen: opens the task anew, for a fork.

    Raises:
        UsageError: a tool has the name of the action that ends the task.
    """

    def __init__(
        self,
        question: str,
        goal: str,
        tools: ToolSet,
        rubric: Rubric,
        context: HeldContext,
        session: Any,
        reopen: Callable[[], Awaitable["ToolState"]],
    ) -> None:
        if SUBMIT in tools:
            raise UsageError(f"tools: expected other names than {SUBMIT}, which ends the task, got {', '.join(tools)}")
        self._tools = tools
        self._told = dict(tools)
        """The tools that the model was told of."""
        self._rubric = rubric
        self._context = context
        self._session = session
        self._reopen = reopen
        self._scores: RubricScores | None = None
        """Of the answer; None: there is none yet."""
        self._taken = _Snapshot()
        setting = f"{question}\n\nCall one of these tools at a time, with its arguments as JSON:\n{_listed(tools)}"
        setting = utf8(f'{setting}\n- {SUBMIT} {{"answer": "..."}}: give your answer, which ends the task').lstrip()
        self.offered = self._offered()
        self.opening = Opening(
            observation=f"{setting}\n\nGoal: {goal}.", setting=setting, goal=goal, tools=self.offered
        )
        self.observation = self.opening.observation

    async def step(self, action: str) -> Outcome:
        self._context.check()
        if self._scores is not None:
            return self._outcome("The task is over.", rejected=True)
        name, _, text = action.strip().partition(" ")
        try:
            given = msgspec.json.decode(text.encode(errors="replace") or b"{}", type=dict[str, Any])
            tool = FunctionTool(self._submit) if name == SUBMIT else as_tool(self._tools[name])
            tool.check(given)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            expected = f"expected one of {', '.join((*self._tools, SUBMIT))} with its arguments as JSON"
            return self._outcome(f"Not called: {expected}, got: {one_line(error)}", rejected=True)
        outcome = await (self._submit(**given) if name == SUBMIT else self._call(tool, given))
        self._taken = _Snapshot((*self._taken.calls, (action.encode(errors="surrogatepass"), _digest(outcome))))
        return outcome

    async def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        assert self._scores is not None
        self._scores = self._scores.graded(verdicts)
        self._taken = msgspec.structs.replace(self._taken, verdicts=verdicts)
        return self._outcome(self.observation, rejected=False)

    async def fork(self) -> "ToolState":
        fork = await self._reopen()
        await fork.load(await self.snapshot())
        return fork

    async def snapshot(self) -> bytes:
        return msgspec.msgpack.encode(self._taken)

    async def load(self, snapshot: bytes) -> None:
        """Repeat the calls of a snapshot, in a state that has just begun. If it cannot, the state is closed.

        Raises:
            WorldFault: a call is answered otherwise than before, or the bytes are no snapshot.
        """
        async with self._context.exited_on_error():
            try:
                taken = msgspec.msgpack.decode(snapshot, type=_Snapshot)
            except msgspec.MsgspecError as error:
                raise WorldFault(f"snapshot: expected calls of tools, got {one_line(error)}") from error
            await self._repeat(taken)

    async def close(self) -> None:
        await self._context.exit()

    async def _repeat(self, snapshot: _Snapshot) -> None:
        for number, (call, digest) in enumerate(snapshot.calls, start=1):
            action = call.decode(errors="surrogatepass")
            if _digest(await self.step(action)) != digest:
                raise WorldFault(
                    f"call {number}, {action!r:.100}: expected the answer that it had before, got another; "
                    "tools that do not repeat have forks none"
                )
        if snapshot.verdicts is not None:
            await self.graded(snapshot.verdicts)

    async def _call(self, tool: Tool, given: Mapping[str, Any]) -> Outcome:
        try:
            seen = utf8(str(await maybe_await(tool.call(given))))
        except WorldFault:
            raise
        except Exception as error:  # noqa: BLE001  the model is told what a tool raises, and may try again
            seen = f"{type(error).__name__}: {one_line(error)}"
        return self._outcome(f"{seen}{self._changes()}", rejected=False)

    def _changes(self) -> str:
        """What is to be told of tools that changed; empty: nothing."""
        before, now = self._told, dict(self._tools)
        if now == before:
            return ""
        self._told, self.offered = now, self._offered()
        gone = ", ".join(name for name in before if name not in now)
        new = _listed({name: tool for name, tool in now.items() if before.get(name) != tool})
        parts = (gone and f"No longer there: {gone}.", new and f"New, or other than before:\n{new}")
        return utf8("\n\nThe tools have changed. " + "\n".join(filter(None, parts)))

    def _offered(self) -> tuple[OfferedTool, ...]:
        return offered({**self._tools, SUBMIT: self._submit})

    async def _submit(self, answer: str) -> Outcome:
        """Give your answer, which ends the task."""
        self._scores = await self._rubric.score(self._session, str(answer))
        return self._outcome("Submitted.", rejected=False)

    def _outcome(self, seen: str, *, rejected: bool) -> Outcome:
        self.observation = self.observation if rejected else seen
        if self._scores is None:
            return Outcome(observation=seen, reward=0.0, done=False, rejected=rejected)
        return Outcome(
            observation=seen,
            reward=self._rubric.reward(self._scores),
            done=True,
            rejected=rejected,
            figures=self._scores.known,
            final_answer=not rejected,
            to_grade=() if rejected else tuple(self._scores.to_grade.values()),
        )


def _digest(outcome: Outcome) -> bytes:
    content = f"{outcome.reward!r}\0{outcome.done}\0{outcome.observation}"
    return blake2b(content.encode(errors="surrogatepass"), digest_size=_DIGEST).digest()


def _listed(tools: ToolSet) -> str:
    return "\n".join(f"- {name} {as_tool(tool).described()}" for name, tool in tools.items())
