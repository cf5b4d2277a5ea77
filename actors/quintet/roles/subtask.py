"""The subtask role: the actor in which a method's coroutine runs. An episode is the outermost one."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Literal, cast

from msgspec.structs import replace

from quintet.errors import EpisodeBudgetSpent, HostLost
from quintet.events import Cancelled, CutShort, Offer
from quintet.events.recording import Recording
from quintet.messages.environment import Open, Session
from quintet.messages.parts import Notebook, PromptPart, Recollection
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.offer import LatestOffer
from quintet.ports.world import TASK_TYPE, World
from quintet.roles.context import current
from quintet.roles.recollection import with_goal_type, with_notes
from quintet.roles.role import ActorParts, Role, RunMethod


class _Opening:
    """How long the episode's world took to open only because it waited for a place, which is no working time."""

    def __init__(self) -> None:
        self._ended = asyncio.Event()
        self._waited = 0.0

    def end(self, waited: float) -> None:
        """It is open."""
        self._waited = waited
        self._ended.set()

    async def waited(self) -> float:
        """Seconds; known once it is open. A deadline of its own ends an opening that takes too long."""
        await self._ended.wait()
        return self._waited


_AGAIN = 1.0
"""Seconds until a lost question is asked again."""


def early_end(recording: Recording) -> CutShort | Cancelled | None:
    """The recorded early end of the episode, if any. A replay looks for it first, and then runs nothing."""
    record = recording.here(CutShort.kind) or recording.here(Cancelled.kind)
    if record is None:
        return None
    assert isinstance(record.event, CutShort | Cancelled)
    return record.event


def early_answer(end: CutShort | Cancelled) -> Solved | Unsolved:
    """The answer of an episode that ended early: its offer; without one its reward and session are unknown."""
    offer = end.offer if isinstance(end, CutShort) else None
    if offer is None:
        return Unsolved(session=None, reward=0.0, done=False, reason=end.reason)
    answer = Solved if offer.state == "solved" else Unsolved
    return answer(
        session=Session(id=offer.session, host=""),  # no host: it is over with its episode
        reward=offer.reward,
        done=offer.done,
        claimed=offer.claimed,
        depth=offer.depth,
        reason=end.reason,
    )


async def _cut_short_now(reason: Literal["time limit", "episode budget"], offer: Offer | None) -> Solved | Unsolved:
    context = current()
    event = CutShort(path=context.path, reason=reason, offer=offer)
    await context.commit(event)
    return early_answer(event)


async def _never_queued() -> float:
    return 0.0


class Subtask:
    """Runs a run's methods. Keeps nothing between requests.

    Args:
        methods: outermost first; each is the inner method of the one before it.
        world: of the run.
        time_limit: working time of an episode in seconds, None for no limit. When it runs out, `CutShort` is journaled
            at the episode's own path.
        queued: seconds that the running episode has waited for permits so far; not working time.
    """

    def __init__(
        self,
        methods: Sequence[RunMethod],
        world: World,
        *,
        time_limit: float | None = None,
        queued: Callable[[], Awaitable[float]] = _never_queued,
    ) -> None:
        self._outermost = methods[0]
        self._world = world
        self._methods = {each.name: each for each in methods}
        self._time_limit = time_limit
        self._queued = queued

    async def receive(self, request: Solve) -> Solved | Unsolved:
        if request.session is not None:
            return await self._solve(request, LatestOffer())
        return await self._run_episode(request)

    async def _solve(self, request: Solve, latest: LatestOffer) -> Solved | Unsolved:
        run = self._run_method(request.by)
        recalled = replace(request, parts=tuple([await self._recall(run, each, request) for each in request.parts]))
        answer = cast("object", await run.method.solve(self._episode(run, recalled, latest)))  # a plug-in's
        if not isinstance(answer, Solved | Unsolved):
            raise TypeError(f"method {run.method.name}: expected solve to return Solved or Unsolved, got {answer!r}")
        return answer

    async def _recall(self, run: RunMethod, part: PromptPart, request: Solve) -> PromptPart:
        """A part as the request's goal needs it: of a memory with the goal's type, of a notebook with notes for it."""
        match part:
            case Recollection():
                return await with_goal_type(run.roles, part, request.goal, batch=part.batch)
            case Notebook():
                task_type = self._world.metadata(request.task.name).get(TASK_TYPE, "")
                return await with_notes(run.roles, part, request.goal, task_type)
            case _:
                return part

    async def _run_episode(self, request: Solve) -> Solved | Unsolved:
        timer = asyncio.timeout(None)
        latest, opening = LatestOffer(), _Opening()
        try:
            async with timer, self._limiting(timer, opening):
                opened = await self._run_method(request.by).roles.ask(Open(task=request.task))
                opening.end(opened.waited)
                begun = replace(request, session=opened.session, setting=opened.setting, goal=opened.goal)
                return await self._solve(begun, latest)
        except TimeoutError:
            if not timer.expired():
                raise
            return await _cut_short_now("time limit", latest.offer)
        except EpisodeBudgetSpent:
            return await _cut_short_now("episode budget", latest.offer)

    @asynccontextmanager
    async def _limiting(self, timer: asyncio.Timeout, opening: _Opening) -> AsyncGenerator[None, None]:
        """Let the timer expire once the episode has worked for as long as it may."""
        if self._time_limit is None:
            yield
            return
        watching = asyncio.create_task(self._watch(timer, opening, self._time_limit))
        try:
            yield
        finally:
            watching.cancel()

    async def _watch(self, timer: asyncio.Timeout, opening: _Opening, limit: float) -> None:
        # The time spent in queues is asked for only when the limit would otherwise be reached.
        loop = asyncio.get_running_loop()
        started = loop.time()
        left = limit
        while left > 0:
            await asyncio.sleep(left)
            try:
                idle = await opening.waited() + await self._queued()
                left = started + limit + idle - loop.time()
            except HostLost:
                left = _AGAIN  # the question or its answer was lost on the way, and no episode with it
        timer.reschedule(loop.time())

    def _run_method(self, name: str) -> RunMethod:
        run = self._methods.get(name) if name else self._outermost
        if run is None:
            raise LookupError(f"method: expected one of {', '.join(self._methods)}, got {name!r}")
        return run

    def _episode(self, run: RunMethod, request: Solve, latest: LatestOffer) -> Episode:
        assert request.session is not None
        return Episode(
            roles=run.roles,
            path=current().path,
            task=request.task,
            session=request.session,
            setting=request.setting,
            goal=request.goal,
            depth=request.depth,
            parts=(*run.demonstrations(request.task), *request.parts),
            last_action=request.last_action,
            last_observation=request.last_observation,
            failed=request.failed,
            inherited=request.parts,
            sampling=request.sampling,
            purpose=request.purpose,
            subgoal=request.subgoal,
            by=request.by,
            inner=run.inner,
            opens_on_page=self._world.opens_on_page,
            answer_action=self._world.answer_action,
            latest=latest,
        )


def _start(parts: ActorParts) -> Subtask:
    return Subtask(parts.methods, parts.world, time_limit=parts.episode_seconds, queued=parts.queued)


SUBTASK_ROLE = Role(name="subtask", requests={Solve: ()}, start=_start, at_session=True)
