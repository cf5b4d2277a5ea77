"""The environment role: opens, steps, forks and closes the sessions of one world."""

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeAlias, assert_never, cast

from msgspec.structs import replace

from quintet.environments.adapters.called import CalledState, CalledWorld
from quintet.environments.adapters.members import Member
from quintet.environments.adapters.plain import beneath
from quintet.errors import ActorCrashed, ProcessLost, Suspension, UsageError, WorldFault, one_line
from quintet.events import SessionForked, SessionOpened, StepTaken
from quintet.messages.environment import (
    ActionsListed,
    AskExpert,
    Close,
    CloseBranch,
    Closed,
    EnvironmentRequest,
    ExpertAdvised,
    Fork,
    Forked,
    GetReady,
    ListActions,
    ListTools,
    NotReady,
    Open,
    Opened,
    Ready,
    Session,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    ToolsListed,
    Vacate,
    Vacated,
)
from quintet.messages.grading import Grade, Graded
from quintet.messages.message import Unanswered
from quintet.messages.paths import Path, episode_of
from quintet.messages.simulating import AnswerAsUser, UserAnswered, UserCalled
from quintet.plugins.code_places import defined_at
from quintet.ports.roles import Roles
from quintet.ports.world import AnswerToGrade, Outcome, World
from quintet.roles.context import current
from quintet.roles.open_sessions import OpenSessions, leave_place
from quintet.roles.pictures import checked_picture, note_picture
from quintet.roles.places import HeldPlace, SessionPlaces, Tenant
from quintet.roles.question_roles import WORLD_ROLES
from quintet.roles.role import ActorParts, Role
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot

EnvironmentReply: TypeAlias = (
    Opened
    | Stepped
    | ActionsListed
    | ToolsListed
    | ExpertAdvised
    | Forked
    | Snapshotted
    | Closed
    | Vacated
    | Ready
    | NotReady
)

_log = logging.getLogger("quintet.environment")

_LONGEST = 200


class Environment:
    """Opens, steps, forks, snapshots and closes sessions. A session's name is the path that made it.

    The steps of a session are taken one at a time in the order they arrive, those of different sessions at once if the
    world waits or blocks. A session whose call is cancelled is closed, since how far the call came is unknown.
    In a world that has places, each session has one until it is closed. An episode waits for its first only, and keeps
    one until it ends.

    Args:
        world: of any kind; an `AsyncWorld` as `as_world` returns it.
        workers: the most calls at a time of a world that blocks.
        judge: the roles, through which it asks the run's judge; None: the run has none.
        user: the same for the run's user.
    """

    def __init__(
        self, world: World, *, host: str, workers: int = 1, judge: Roles | None = None, user: Roles | None = None
    ) -> None:
        self._called = CalledWorld(world, workers)
        self._world = self._called.definition
        self._host = host
        self._judge = judge
        self._user = user
        self._places = None if self._world.places is None else SessionPlaces(self._world.places)
        self._sessions = OpenSessions(self._world.name, host)
        self._opening: set[asyncio.Task[Any]] = set()
        """Requests that the world is making a state for."""

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._sessions)

    @property
    def places_held(self) -> int:
        """How many places are taken or kept."""
        return 0 if self._places is None else self._places.held

    @property
    def places_awaited(self) -> int:
        """How many are waited for."""
        return 0 if self._places is None else self._places.waiting

    async def receive(self, request: EnvironmentRequest) -> EnvironmentReply:
        if isinstance(request, Step):
            return await self._step(request)
        with self._in_world():
            reply = await self._answer(request)
        if isinstance(request, Open) and isinstance(reply, Opened):
            opened = SessionOpened if request.snapshot is None else SessionForked
            self._note_picture(self._sessions.find(reply.session).state, opened.kind)
        return reply

    async def _answer(
        self,
        request: Open | ListActions | ListTools | AskExpert | Fork | Snapshot | Close | CloseBranch | Vacate | GetReady,
    ) -> EnvironmentReply:
        match request:
            case Open():
                return await self._open(request)
            case ListActions():
                return ActionsListed(actions=await self._ask(request.session, "admissible"))
            case ListTools():
                return ToolsListed(tools=self._sessions.find(request.session).state.offered)
            case AskExpert():
                return ExpertAdvised(actions=await self._ask(request.session, request.policy))
            case Fork():
                return await self._fork(request.session)
            case Snapshot():
                return await self._snapshot(request.session)
            case Close():
                self._sessions.drop(request.session)
                return Closed()
            case CloseBranch():
                self._sessions.drop_below(request.branch, current().incarnation)
                return Closed()
            case Vacate():
                await self._vacate()
                return Vacated()
            case GetReady():
                return await self._get_ready(request)
            case _:
                assert_never(request)

    def release(self, episode: Path, incarnation: int) -> None:
        """Close every session that an incarnation of the episode, up to this one, still holds."""
        self._sessions.drop_below(episode, incarnation)
        if self._places is not None:
            self._places.release(episode, incarnation)

    async def aclose(self) -> None:
        """Close every session, and then the world."""
        await self._sessions.aclose()
        await self._called.aclose()

    async def _open(self, request: Open) -> Opened:
        task, taken = request.task, None
        if request.snapshot is not None:
            taken = decode_snapshot(request.snapshot, task, self._world.version)
        place, waited = await self._take_place()
        with self._making(place):
            state = await (self._called.open(task) if taken is None else self._called.restore(task, taken.state))
            return Opened(
                session=self._sessions.hold(task, state, place),
                observation=state.observation,
                setting=state.opening.setting,
                goal=state.opening.goal,
                exact=taken is None or state.observation == taken.seen,
                waited=waited,
            )

    async def _fork(self, session: Session) -> Forked:
        if self._world.forks == "none":
            raise WorldFault(f"{self._world.name}: expected a world that copies its states, got one that cannot")
        task = self._sessions.find(session).task
        place, _ = await self._take_place()  # at once, since the episode holds the one of its origin
        with self._making(place):
            fork: CalledState = await self._sessions.call(session, lambda state: state.call("fork"))
            return Forked(session=self._sessions.hold(task, fork, place))

    async def _snapshot(self, session: Session) -> Snapshotted:
        if not self._world.takes_snapshots:
            expected = "a world that copies its states or goes back to snapshots"
            raise WorldFault(f"{self._world.name}: expected {expected}, got one that can neither")

        async def take(state: CalledState) -> SessionSnapshot:
            return SessionSnapshot(task, self._world.version, state.observation, await state.call("snapshot"))

        task = self._sessions.find(session).task
        return Snapshotted(snapshot=encode_snapshot(await self._sessions.call(session, take)))

    async def _take_place(self) -> tuple[HeldPlace | None, float]:
        """A place for a session of the running episode, and for how many seconds it was waited for, off its clock.

        Episodes wait on the host where they are at home, and never elsewhere, where a spread branch opens copies: there
        they neither wait nor count. So whoever waits holds no place that anybody else waits for.
        """
        context = current()
        if self._places is None or context.home not in (None, self._host):
            return None, 0.0
        tenant = Tenant(episode_of(context.path), context.incarnation)
        if self._places.is_free_for(tenant):
            return await self._places.take(tenant), 0.0
        _log.info("%s waits for a place", tenant.episode, extra={"path": context.path})
        loop = asyncio.get_running_loop()
        began = loop.time()
        with context.off_clock():
            place = await self._places.take(tenant)
        return place, loop.time() - began

    @contextmanager
    def _making(self, place: HeldPlace | None) -> Generator[None, None, None]:
        """A block in which the world makes a state. If it fails, or is cancelled, the state's place is given back."""
        task = asyncio.current_task()
        assert task is not None
        self._opening.add(task)
        try:
            yield
        except BaseException:
            leave_place(place)
            raise
        finally:
            self._opening.discard(task)

    async def _vacate(self) -> None:
        """Close every session of any episode, and wait until they are closed."""
        while self._sessions or self._sessions.closing or self._opening:
            self._sessions.drop_all()
            if busy := {*self._sessions.closing, *self._opening}:
                await asyncio.wait(busy)

    async def _get_ready(self, request: GetReady) -> Ready | NotReady:
        try:
            await self._world.get_ready(request.tasks)
        except UsageError as error:
            return NotReady(reason=one_line(error))
        return Ready()

    @contextmanager
    def _in_world(self) -> Generator[None, None, None]:
        """A block that calls the world. A plug-in has no say in what suspends a run."""
        try:
            yield
        except ProcessLost:
            raise
        except Suspension as error:
            raise WorldFault(f"{self._world.name}: {type(error).__name__}: {one_line(error)}") from error

    async def _step(self, request: Step) -> Stepped:
        outcome = await self._sessions.call(request.session, lambda state: self._outcome(state, request.action))
        for name, value in (("reward", outcome.reward), *outcome.figures.items()):
            if not 0 <= value <= 1:
                raise self._bug(f"{name}: expected within [0, 1], got {value}")
        return Stepped(
            observation=outcome.observation,
            reward=outcome.reward,
            done=outcome.done,
            rejected=outcome.rejected,
            lasting=outcome.lasting,
            tells_reward=outcome.tells_reward,
            final_answer=outcome.final_answer,
            figures=outcome.figures,
        )

    def _note_picture(self, state: CalledState, kind: str) -> None:
        with self._in_world():
            picture = checked_picture(state, self._world.name)
        if picture:
            note_picture(picture, kind)

    async def _outcome(self, state: CalledState, action: str) -> Outcome:
        """The final outcome of an action, with what the run's user and its judge say, where there is one to ask."""
        with self._in_world():
            outcome: Outcome = await state.call("step", action)
        if not isinstance(outcome, Outcome):  # pyright: ignore[reportUnnecessaryIsInstance]  a plug-in's
            raise self._bug(f"step: expected an Outcome, got {outcome!r:.{_LONGEST}}")
        if self._user is not None:
            outcome = await self._heard(self._user, state, outcome)
        self._note_picture(state, StepTaken.kind)
        if not outcome.to_grade or self._judge is None:
            return outcome
        with current().off_clock():
            verdicts = tuple([await _grade(self._judge, answer) for answer in outcome.to_grade])
        with self._in_world():
            graded: Outcome = await state.call("graded", verdicts)
            return replace(graded, final_answer=outcome.final_answer)

    async def _heard(self, user: Roles, state: CalledState, outcome: Outcome) -> Outcome:
        """The outcome once the user has used its tools and answered; as it was, if the user has no answer."""
        while (message := outcome.to_user) is not None:
            asked = AnswerAsUser(scenario=message.scenario, conversation=message.conversation, tools=message.tools)
            with current().off_clock():
                answer = await user.ask(asked)
            match answer:
                case UserAnswered(text=text, leaves=leaves):
                    with self._in_world():
                        outcome = await state.call("answered", text, leaves)
                case UserCalled(call=call):
                    with self._in_world():
                        outcome = await state.call("user_called", call)
                case Unanswered(reason=reason):
                    _log.warning("no answer of the user: %s", reason, extra={"path": current().path})
                    return outcome
        return outcome

    async def _ask(self, session: Session, member: Member) -> tuple[str, ...] | None:
        """What a state says of actions; a plug-in may return anything."""
        found: object = await self._sessions.call(session, lambda state: state.call(member))
        if found is None:
            return None
        actions = cast("tuple[object, ...]", found) if isinstance(found, tuple) else ()
        texts = tuple(action for action in actions if isinstance(action, str))
        if not isinstance(found, tuple) or len(texts) != len(actions):
            raise self._bug(f"{member}: expected a tuple of texts or None, got {f'{found!r}'[:_LONGEST]}")
        return texts

    def _bug(self, what: str) -> ActorCrashed:
        """A wrong answer of the world's code, with the place of its class."""
        return ActorCrashed(f"{defined_at(type(beneath(self._world)))}: {self._world.name}: {what}")


async def _grade(judge: Roles, answer: AnswerToGrade) -> bool | None:
    """The judge's verdict; None: it gave none."""
    graded = await judge.ask(
        Grade(question=answer.question, target=answer.target, answer=answer.answer, criterion=answer.criterion)
    )
    match graded:
        case Graded(correct=correct):
            return correct
        case Unanswered(reason=reason):
            _log.warning("no verdict: %s", reason, extra={"path": current().path})
            return None


def _start(parts: ActorParts) -> Environment:
    judge, user = (parts.roles if role.name in parts.world_roles else None for role in WORLD_ROLES)
    return Environment(parts.world, host=parts.host, workers=parts.workers, judge=judge, user=user)


ENVIRONMENT_ROLE = Role(
    name="environment",
    requests=dict.fromkeys(
        (Open, Step, ListActions, ListTools, AskExpert, Fork, Snapshot, Close, CloseBranch, Vacate, GetReady), ()
    ),
    start=_start,
    at_session=True,
)
