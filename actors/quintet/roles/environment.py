"""The environment role: holds the sessions of one world."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never, cast

from quintet.errors import SessionGone, Suspension, WorldFault, one_line
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
    ListActions,
    Open,
    Opened,
    Session,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    Task,
)
from quintet.messages.paths import Path, is_within
from quintet.ports.world import World, WorldState
from quintet.roles.context import current
from quintet.roles.role import ActorParts, Role
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot

EnvironmentReply: TypeAlias = Opened | Stepped | ActionsListed | ExpertAdvised | Forked | Snapshotted | Closed

_LONGEST = 200


@dataclass
class _Held:
    task: Task
    state: WorldState


class Environment:
    """Opens, steps, forks, snapshots and closes sessions. A session's name is the path that made it.

    A world's code is synchronous, so the steps of a session are taken one at a time in the order they arrive.
    """

    def __init__(self, world: World, *, host: str) -> None:
        self._world = world
        self._host = host
        self._sessions: dict[tuple[int, str], _Held] = {}

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._sessions)

    async def receive(self, request: EnvironmentRequest) -> EnvironmentReply:
        try:
            return self._answer(request)
        except Suspension as error:
            # A plug-in has no say in what suspends a run.
            raise WorldFault(f"{self._world.name}: {type(error).__name__}: {one_line(error)}") from error

    def _answer(self, request: EnvironmentRequest) -> EnvironmentReply:
        match request:
            case Open():
                return self._open(request)
            case Step():
                outcome = self._find(request.session).state.step(request.action)
                if not 0 <= outcome.reward <= 1:
                    raise WorldFault(f"{self._world.name}: reward: expected within [0, 1], got {outcome.reward}")
                return Stepped(
                    observation=outcome.observation,
                    reward=outcome.reward,
                    done=outcome.done,
                    rejected=outcome.rejected,
                    lasting=outcome.lasting,
                )
            case ListActions():
                listed = self._find(request.session).state.admissible()
                return ActionsListed(actions=self._checked("admissible", listed))
            case AskExpert():
                advice = self._find(request.session).state.expert()
                return ExpertAdvised(actions=self._checked("expert", advice))
            case Fork():
                held = self._copied(request.session)
                return Forked(session=self._hold(held.task, held.state.fork()))
            case Snapshot():
                state = self._copied(request.session).state
                return Snapshotted(snapshot=encode_snapshot(SessionSnapshot(state.observation, state.snapshot())))
            case Close():
                self._sessions.pop(self._key(request.session), None)
                return Closed()
            case CloseBranch():
                # A session's id is the path that made it, as in an episode's release.
                self.release(request.branch, current().incarnation)
                return Closed()
            case _:
                assert_never(request)

    def release(self, episode: Path, incarnation: int) -> None:
        """Close every session that an incarnation of the episode, up to this one, still holds."""
        for key in [key for key in self._sessions if key[0] <= incarnation and is_within(Path(key[1]), episode)]:
            del self._sessions[key]

    def _open(self, request: Open) -> Opened:
        task, taken = request.task, None if request.snapshot is None else decode_snapshot(request.snapshot)
        state = self._world.open(task) if taken is None else self._world.restore(task, taken.state)
        opening, seen = state.opening, state.observation
        return Opened(
            session=self._hold(task, state),
            observation=seen,
            setting=opening.setting,
            goal=opening.goal,
            exact=taken is None or seen == taken.seen,
        )

    def _hold(self, task: Task, state: WorldState) -> Session:
        session = Session(id=current().path, host=self._host)
        self._sessions[self._key(session)] = _Held(task, state)
        return session

    def _checked(self, member: str, found: object) -> tuple[str, ...] | None:
        # What a plug-in returns may be of any type.
        if found is None:
            return None
        actions = cast("tuple[object, ...]", found) if isinstance(found, tuple) else ()
        texts = tuple(action for action in actions if isinstance(action, str))
        if not isinstance(found, tuple) or len(texts) != len(actions):
            got = f"{found!r}"[:_LONGEST]
            raise WorldFault(f"{self._world.name}: {member}: expected a tuple of texts or None, got {got}")
        return texts

    def _find(self, session: Session) -> _Held:
        held = self._sessions.get(self._key(session))
        if held is None:
            raise SessionGone(f"session {session.id}: expected an open session on {self._host}, got one closed or lost")
        return held

    def _copied(self, session: Session) -> _Held:
        """A session that is to be copied."""
        if self._world.forks == "none":
            raise WorldFault(f"{self._world.name}: expected a world that copies its states, got one that cannot")
        return self._find(session)

    def _key(self, session: Session) -> tuple[int, str]:
        # Two incarnations of an episode give the same ids; only one of them is alive.
        return current().incarnation, session.id


def _start(parts: ActorParts) -> Environment:
    return Environment(parts.world, host=parts.host)


ENVIRONMENT_ROLE = Role(
    name="environment",
    requests=dict.fromkeys((Open, Step, ListActions, AskExpert, Fork, Snapshot, Close, CloseBranch), ()),
    start=_start,
    at_session=True,
)
