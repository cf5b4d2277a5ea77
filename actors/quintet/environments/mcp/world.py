"""The tools of an MCP server as a world: a goal, the server's tools, and an answer that a check or the judge scores."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import msgspec

from quintet.environments.content import content_digest
from quintet.environments.mcp.server import CallLimits, ToolServer
from quintet.environments.mcp.task_file import ToolTask, read_tool_tasks
from quintet.environments.options import check_positive
from quintet.environments.tool_world.held_context import HeldContext
from quintet.environments.tool_world.rubric import Scorer
from quintet.environments.tool_world.world import ToolWorld
from quintet.errors import UsageError, WorldFault
from quintet.plugins.extras import require_extra
from quintet.plugins.functions import find_function, load_function
from quintet.ports.effects import Effect
from quintet.ports.world import AnswerToGrade

if TYPE_CHECKING:
    from quintet.environments.mcp.connection import ServerConnection

_RULES: Final = "1"
_CHECK: Final = "environment.check"


class ServerSession:
    """A task that is being solved by a server's tools, as a check sees it."""

    def __init__(self, task: ToolTask, connection: "ServerConnection") -> None:
        self.task = task
        self.connection = connection

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool of the server, to see what was done."""
        return await self.connection.call(tool, arguments)


class McpWorld(ToolWorld):
    """Goals that are reached by the tools of a server of the Model Context Protocol: `mcp:COMMAND` or `mcp:URL`.

    Args:
        server: a command, with its words, that is started for each session and speaks over its standard input and
            output; or an address that begins with `http://` or `https://`, by streamable HTTP.
        goal: the instruction of a single task, in place of `tasks`.
        tasks: a file of tasks: `FILE.toml` with a table for each, or JSON lines; each has `name` and `goal`, and may
            have `answer`, a correct one for the judge, and `data` for `check`.
        check: `FILE.py:F`, a function or a coroutine function of a `ServerSession` and the answer, which returns what
            they are worth, in [0, 1]. None: the judge grades tasks that have an `answer`; without one nobody knows
            the reward, which counts as 0.
        repeats: whether sessions share nothing and the same calls are answered alike: sessions are then copied, and
            interrupted ones resumed, by repeating their calls, which have to be answered as before.
        shared: whether the sessions of a host share one server, and what their calls do to it.
        variables: names of environment variables that the command is given beside a few that hold no secret.
        headers: headers of every request to the address, each as the name of the environment variable that has it.
        seconds: after which a call is given up.
        start_seconds: that a server may take to start and to list its tools.
        shown: characters of an answer, and of a tool's description, that are shown.
        listed: characters that the descriptions of all tools may have; a server with longer ones is refused.

    Raises:
        PackageMissing: the extra `mcp` is not installed.
        UsageError: an option is wrong.

    Source: the Model Context Protocol, by its package `mcp`.
    """

    name_option: ClassVar[str] = "server"
    """What follows the colon in `mcp:COMMAND`."""

    def __init__(
        self,
        server: Annotated[str, Effect.REACHES],
        *,
        goal: Annotated[str | None, Effect.NONE] = None,
        tasks: Annotated[Path | str | None, Effect.NONE] = None,
        check: Annotated[Path | str | None, Effect.IMPORTS] = None,
        repeats: bool = False,
        shared: bool = False,
        variables: Annotated[Sequence[str], Effect.SENDS] = (),
        headers: Annotated[Mapping[str, str] | None, Effect.SENDS] = None,
        seconds: float = 30.0,
        start_seconds: float = 60.0,
        shown: int = 8_000,
        listed: int = 200_000,
    ) -> None:
        require_extra("mcp", "mcp", "mcp")
        if shared and repeats:
            raise UsageError("environment.repeats: expected sessions with a server each, got shared = true")
        for option, limit in (("seconds", seconds), ("start_seconds", start_seconds)):
            if not limit > 0:
                raise UsageError(f"environment.{option}: expected > 0, got {limit:g}")
        check_positive("shown", shown, "mcp")
        check_positive("listed", listed, "mcp")
        self.server = ToolServer(server, variables=variables, headers=headers)
        self._limits = CallLimits(seconds, start_seconds, shown, listed)
        self._shared: HeldContext | None = None
        self._is_shared = shared
        found = _tasks(goal, tasks)
        place, digest = (None, "") if check is None else find_function(str(check), _CHECK)
        judged = check is None and _have_answers(found)
        super().__init__(
            "mcp",
            {task.name: task for task in found},
            question=lambda _: "",
            goal=lambda task: task.goal.strip().rstrip(" .!?"),
            tools=lambda session: session.connection.tools,
            rubric=_rubric(place, judged=judged),
            judged=judged,
            session=self._session,
            forks="replay" if repeats else "none",
            version=f"{_RULES}+{content_digest([msgspec.to_builtins(found), digest])}",
        )
        self.repeats = repeats

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        return {"tasks": content_digest([msgspec.to_builtins(each) for each in self._samples.values()])}

    def lacking(self) -> str:
        return self.server.lacking()

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Reach the server once, so that one that cannot be used is refused before the first episode."""
        if lacking := self.lacking():
            raise UsageError(lacking)
        held = HeldContext(self._connected(), self.name)
        try:
            await held.enter()
            await held.exit()
        except WorldFault as fault:
            raise UsageError(str(fault)) from fault

    async def aclose(self) -> None:
        await super().aclose()
        if self._shared is not None:
            await _exit(self._shared)

    @asynccontextmanager
    async def _session(self, task: ToolTask) -> AsyncGenerator[ServerSession]:
        async with self._connected() as connection:
            yield ServerSession(task, connection)

    def _connected(self) -> "AbstractAsyncContextManager[ServerConnection]":
        return self._shared_connection() if self._is_shared else self.server.connected(self._limits)

    @asynccontextmanager
    async def _shared_connection(self) -> "AsyncGenerator[ServerConnection]":
        """The connection of this host, which is made with the first session, and anew when it has ended."""
        held = self._shared
        if held is None or held.task.done() or (await _entered(held)).ended:
            if held is self._shared:  # no other session was faster
                self._shared = HeldContext(self.server.connected(self._limits), self.name)
            if held is not None and not held.task.done():
                await _exit(held)
        assert self._shared is not None
        yield await _entered(self._shared)


async def _exit(held: HeldContext) -> None:
    with suppress(WorldFault):  # of a server that has ended already
        await held.exit()


async def _entered(held: HeldContext) -> "ServerConnection":
    """What a context gives that several sessions wait for: one that is cancelled ends it for no other."""
    connection: ServerConnection = await asyncio.shield(asyncio.ensure_future(held.enter()))
    return connection


def _tasks(goal: str | None, file: Path | str | None) -> list[ToolTask]:
    if (goal is None) == (file is None):
        got = "neither" if goal is None else "both"
        raise UsageError(f"environment.goal: expected a goal, or else a file of tasks (environment.tasks), got {got}")
    found = [ToolTask(name="goal", goal=goal)] if goal is not None else list(read_tool_tasks(Path(str(file))).values())
    for task in found:
        if not task.goal.strip(" .!?\n"):
            raise UsageError(f"environment.goal: expected words, got {task.goal!r} (task {task.name})")
    return found


def _have_answers(tasks: Sequence[ToolTask]) -> bool:
    """Whether the judge has answers to grade by: all tasks have one, or none."""
    without = [task.name for task in tasks if task.answer is None]
    if without and len(without) < len(tasks):
        expected = "an answer in all tasks or in none, since no check is given"
        raise UsageError(f"environment.tasks: expected {expected}, got none in {without[0]!r}")
    return not without


def _rubric(check: str | None, *, judged: bool) -> Mapping[str, Scorer]:
    if check is not None:
        return {"check": load_function(check, _CHECK, "a ServerSession and an answer")}
    if judged:
        return {"judged": _to_grade}
    return {"reward known": lambda _, __: 0.0}  # a figure of reports


def _to_grade(session: ServerSession, answer: str) -> AnswerToGrade:
    task = session.task
    return AnswerToGrade(question=task.goal, target=str(task.answer), answer=answer)
