"""An environment behind OpenEnv's protocol as a world: `openenv:ADDRESS` on the command line."""

from collections.abc import Collection, Mapping
from functools import partial
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Struct

from quintet.environments.adapters.plain import run_now
from quintet.environments.openenv.address import NotOffered, ServerAddress
from quintet.environments.openenv.connection import ServerError, SessionConnection
from quintet.environments.openenv.forms import action_form, observation_form
from quintet.environments.openenv.state import OpenEnvState, SessionReading
from quintet.environments.openenv.task_lists import TaskLists, fetch_tasks
from quintet.environments.options import check_positive
from quintet.errors import UsageError, WorldFault, one_line
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncWorld
from quintet.ports.effects import Effect
from quintet.ports.task_names import unknown_task

_RULES: Final = "1"


class _Server(Struct, frozen=True, kw_only=True):
    """What a server says of itself."""

    metadata: Mapping[str, Any]
    schema: Mapping[str, Any]
    extension: Mapping[str, Any]
    """`x-quintet` of its OpenAPI document: whether it forks sessions and writes them down."""
    tasks: TaskLists


class OpenEnvWorld(AsyncWorld):
    """An environment on an OpenEnv server, by the server's address.

    The server is asked at once what it is. Where it lists tasks, these are the world's, else a task is a seed. An
    action is a text if the environment's has one field, which is a text, else JSON that is checked against the schema,
    which the prompt shows. The reward so far is the sum of rewards, scaled to [0, 1], and never falls.

    What the server refuses (`VALIDATION_ERROR`, `EXECUTION_ERROR`) is a rejected action, which the model is told. A
    server that is away, hangs, floods or answers nonsense is a fault of the episode.

    Args:
        address: as OpenEnv's `base_url`: `http://HOST:PORT`, with a path if it has one.
        key: the environment variable of a token that is sent as `Authorization: Bearer`; None: none is sent.
        tasks: how many seeds are tasks of the split `test` (from 0) and, after them, of `train`, if the server lists
            no tasks.
        reset: further options of a reset.
        goal: the instruction, where neither the metadata's `goal` nor the opening has one.
        observation: the field of an observation that is shown; None: the only one if it is a text, else all as JSON.
        rejected: the field of the metadata that says that an action was rejected.
        admissible: the field of the metadata with the actions that are possible now.
        returns: the sums of rewards that count as 0 and as 1.
        forks: `auto`: by the server's own copies where it makes some, else by repeating actions in another session if
            two sessions were seen to begin alike; `replay` always repeats, `none` never copies.
        places: how many sessions each host may hold, as many as the server has for it; None: any number.
        seconds: how long the server may take for an answer.
        frame_bytes: how large one may be.

    Raises:
        UsageError: an option is wrong, or there is no OpenEnv server.

    Source: `openenv` 0.10.
    """

    name = "openenv"
    name_option: ClassVar[str] = "address"
    """What follows the colon in `openenv:ADDRESS`."""
    counts_rejections = True

    def __init__(
        self,
        address: Annotated[str, Effect.CONTACTS],
        *,
        key: Annotated[str | None, Effect.SENDS] = None,
        tasks: int = 100,
        reset: Annotated[Mapping[str, Any] | None, Effect.PASSES] = None,
        goal: Annotated[str, Effect.NONE] = "complete the task",
        observation: Annotated[str | None, Effect.NONE] = None,
        rejected: Annotated[str, Effect.NONE] = "rejected",
        admissible: Annotated[str, Effect.NONE] = "admissible",
        returns: tuple[float, float] = (0.0, 1.0),
        forks: Literal["auto", "replay", "none"] = "auto",
        places: int | None = None,
        seconds: float = 60.0,
        frame_bytes: int = 16 * 2**20,
    ) -> None:
        for option, value in (("tasks", tasks), ("places", places)):
            check_positive(option, value, self.name)
        low, high = returns
        if not low < high:
            raise UsageError(f"returns: expected a lower and a higher sum of rewards, got {low} and {high} (openenv)")
        self._address = ServerAddress.of(address, key, seconds, frame_bytes)
        self._reset = dict(reset or {})
        self.places = places
        server = run_now(self._ask_server(tasks))
        self._lists = server.tasks
        self.splits = tuple(server.tasks.splits)
        self._reading = SessionReading(
            action=action_form(server.schema.get("action", {})),
            observation=observation_form(server.schema.get("observation", {}), observation),
            goal=goal,
            rejected=rejected,
            admissible=admissible,
            returns=returns,
        )
        extension = server.extension
        self._copies = forks == "auto" and all(extension.get(each) is True for each in ("forks", "snapshots"))
        if self._copies:
            self.forks = "copy"
        elif forks == "auto":
            self.forks = "replay" if not extension and run_now(self._begins_alike()) else "none"
        else:
            self.forks = forks
        self.repeats = self.forks != "none"
        texts = (server.schema, self._reset, goal, observation, rejected, admissible, returns, tasks)
        digest = blake2b(repr(texts).encode(), digest_size=4).hexdigest()
        self.version = f"{_RULES}+{server.metadata.get('name')}+{server.metadata.get('version')}+{digest}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return self._lists.splits[split]

    def check_task(self, task: str) -> None:
        if task not in self._lists.resets:
            raise unknown_task(task, self._lists.resets, self.name)

    async def get_ready(self, tasks: Collection[str]) -> None:
        async with self._address.client() as http:
            try:
                await self._address.fetch(http, "/health")
            except NotOffered:
                raise UsageError(f"environment openenv:{self._address.url}: expected /health, got none") from None

    async def open(self, task: Task) -> OpenEnvState:
        self.check_task(task.name)
        asked = {"seed": task.seed % 2**31, **self._reset, **self._lists.resets[task.name]}
        connection = await SessionConnection.open(self._address)
        try:
            begun = await connection.ask("reset", asked, answer="observation")
            take_over = partial(SessionConnection.open, self._address) if self._copies else None
            return OpenEnvState(connection, self._reading, begun, partial(self.open, task), take_over)
        except ServerError as error:
            await connection.close()
            raise WorldFault(f"{task.name}: reset: expected a task that begins, got: {one_line(error)}") from error
        except BaseException:
            await connection.close()
            raise

    async def restore(self, task: Task, snapshot: bytes) -> OpenEnvState:
        state = await self.open(task)
        await state.load(snapshot)
        return state

    async def _ask_server(self, seeds: int) -> _Server:
        async with self._address.client() as http:
            found: dict[str, Mapping[str, Any]] = {}
            for path in ("/metadata", "/schema", "/openapi.json"):
                try:
                    answer = await self._address.fetch(http, path)
                except NotOffered:
                    answer = None
                if not isinstance(answer, dict):
                    expected = f"expected an OpenEnv server's {path}, got none"
                    raise UsageError(f"environment openenv:{self._address.url}: {expected}")
                found[path] = answer
            return _Server(
                metadata=found["/metadata"],
                schema=found["/schema"],
                extension=found["/openapi.json"].get("info", {}).get("x-quintet", {}),
                tasks=await fetch_tasks(self._address, http, seeds),
            )

    async def _begins_alike(self) -> bool:
        """Whether a task begins alike in two sessions that are there at once; False: there is room for one alone."""
        task = Task(name=next(iter(self._lists.resets)), seed=0)
        try:
            first = await self.open(task)
        except WorldFault as fault:
            raise UsageError(f"environment {one_line(fault)}") from fault
        try:
            second = await self.open(task)
            await second.close()
            return first.digest == second.digest
        except WorldFault:
            return False
        finally:
            await first.close()
