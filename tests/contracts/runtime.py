"""What every runtime keeps: the same results, isolation of faults, suspension, resume, and nothing left behind."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import msgspec
import pytest

from actors.environment import Environment
from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly, Limits
from deploy.runtime.host import Host
from deploy.runtime.runtime import Runtime
from protocols.environment import Open, Step, Task
from protocols.errors import HostLost, JournalFault, ModelFault, UsageError
from protocols.events import CallMade, EpisodeEnded, SessionOpened, StepTaken
from protocols.models import Completion, Sampling
from protocols.paths import Path
from protocols.prompts import Prompt
from protocols.worlds import Outcome, World, WorldState
from tests.simulation.content import content
from tests.simulation.scenes import GOALS, Script, Slow, adapt, contest, planned
from tests.simulation.virtual import run


class FailingFor:
    """Fails whenever a word is in the prompt."""

    name = "failing"

    def __init__(self, word: str, error: Exception) -> None:
        self._word = word
        self._error = error
        self.inner = contest().models["executor"]

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if any(self._word in message.content for message in prompt.messages()):
            raise self._error
        return await self.inner.complete(prompt, sampling)


class Hostile:
    """Does `what` whenever the goal is a lantern."""

    def __init__(self, name: str, what: Callable[[], Any]) -> None:
        self.name = name
        self._what = what
        self._inner = contest().models["executor"]

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if any("craft lantern" in message.content for message in prompt.messages()):
            return cast("Completion", self._what())
        return await self._inner.complete(prompt, sampling)


def _raise(error: BaseException) -> None:
    raise error


HOSTILE = [
    Hostile("exit", lambda: _raise(SystemExit(3))),
    Hostile("generator exit", lambda: _raise(GeneratorExit())),
    Hostile("surrogate", lambda: _raise(ValueError("\udc80"))),
    Hostile("host lost", lambda: _raise(HostLost("endpoint"))),
    Hostile("journal fault", lambda: _raise(JournalFault("endpoint"))),
    Hostile("nothing", lambda: None),
    Hostile("no text", lambda: Completion(text=None)),  # type: ignore[arg-type]
]


class Renamed:
    """A world whose observations changed."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    def open(self, task: Task) -> Any:
        return RenamedState(self._world.open(task), self.change)

    @staticmethod
    def change(outcome: Outcome) -> Outcome:
        return msgspec.structs.replace(outcome, observation=outcome.observation.replace("Got", "Have"))


class Generous(Renamed):
    """A world that earns more than there is."""

    @staticmethod
    def change(outcome: Outcome) -> Outcome:
        return msgspec.structs.replace(outcome, reward=float("nan"))


class RenamedState:
    """A state of such a world."""

    def __init__(self, state: WorldState, change: Callable[[Outcome], Outcome]) -> None:
        self._state = state
        self._change = change
        self.opening = state.opening

    def step(self, action: str) -> Outcome:
        return self._change(self._state.step(action))

    def fork(self) -> "RenamedState":
        return RenamedState(self._state.fork(), self._change)

    def snapshot(self) -> bytes:
        return self._state.snapshot()


class RuntimeContract:
    """Subclass it and say how to open the runtime."""

    @staticmethod
    def open(assembly: Assembly, journal: SqliteJournal) -> Runtime:
        """A runtime with room for two episodes a host."""
        raise NotImplementedError

    @staticmethod
    def hosts(runtime: Runtime) -> Sequence[Host]:
        """Every host in this process, to look for leaks."""
        raise NotImplementedError

    def results(self, assembly: Assembly, journal: SqliteJournal) -> dict[str, EpisodeEnded]:
        """Run every goal that has not ended, by name."""

        async def scene() -> dict[str, EpisodeEnded]:
            done = {record.event.path for record in journal.reader.ended()}
            episodes = [episode for episode in planned(assembly) if episode.path not in done]
            async with self.open(assembly, journal) as runtime:
                ended = {end.path.split("/")[0]: end async for end in runtime.run(episodes)}
                await self.assert_nothing_is_left(runtime)
            return ended

        return run(scene())

    async def assert_nothing_is_left(self, runtime: Runtime) -> None:
        """After a virtual minute nobody asks, answers or holds a session."""
        await asyncio.sleep(60)
        for host in self.hosts(runtime):
            assert host.idle
            for actor in host.actors.values():
                assert not isinstance(actor, Environment) or actor.sessions == 0

    def test_every_episode_ends_once(self) -> None:
        assert set(self.results(contest(), SqliteJournal(":memory:"))) == set(GOALS)

    def test_the_same_seed_gives_the_same_content_and_another_seed_another(self) -> None:
        first, second, other = (SqliteJournal(":memory:") for _ in range(3))
        self.results(contest(seed=1), first)
        self.results(contest(seed=1), second)
        self.results(contest(seed=2), other)
        assert content(first) == content(second)
        assert content(first) != content(other)

    @pytest.mark.parametrize("error", [ModelFault("endpoint: no answer"), ZeroDivisionError("plug-in")])
    def test_one_episodes_fault_ends_no_other(self, error: Exception) -> None:
        assembly = contest(model=FailingFor("craft lantern", error))
        ended = self.results(assembly, SqliteJournal(":memory:"))
        assert {goal for goal, end in ended.items() if end.state == "faulted"} == {"lantern"}
        fault = ended["lantern"].fault
        assert fault is not None
        assert str(error) in fault.text
        assert (fault.kind == "ActorCrashed") == isinstance(error, ZeroDivisionError)

    def test_a_run_left_early_writes_no_end_and_resumes_to_the_same_content(self) -> None:
        assembly = contest()
        whole, broken = SqliteJournal(":memory:"), SqliteJournal(":memory:")
        self.results(assembly, whole)

        async def leave_after_the_first() -> None:
            async with self.open(assembly, broken) as runtime:
                async for _ in (episodes := runtime.run(planned(assembly))):
                    await episodes.aclose()
                await self.assert_nothing_is_left(runtime)

        run(leave_after_the_first())
        assert len(broken.reader.ended()) == 1
        assert len(self.results(assembly, broken)) == len(GOALS) - 1
        assert content(broken) == content(whole)

    def test_cancelling_a_run_reaches_every_descendant(self) -> None:
        assembly = contest()
        journal = SqliteJournal(":memory:")

        async def scene() -> None:
            async with self.open(assembly, journal) as runtime:

                async def consume() -> None:
                    async for _ in runtime.run(planned(assembly)):
                        pass

                consuming = asyncio.create_task(consume())
                await asyncio.sleep(2.5)
                consuming.cancel()
                await asyncio.wait([consuming])
                await self.assert_nothing_is_left(runtime)

        run(scene())
        kinds = {type(record.event) for record in journal.reader.records()}
        assert kinds >= {CallMade, StepTaken}
        assert journal.reader.ended() == []

    def test_no_committed_call_is_made_again(self) -> None:
        slow = contest().models["executor"]
        assert isinstance(slow, Slow)
        assembly = contest(model=slow)
        journal = SqliteJournal(":memory:")

        async def break_off(seconds: float) -> None:
            async with self.open(assembly, journal) as runtime:

                async def consume() -> None:
                    async for _ in runtime.run(planned(assembly)):
                        pass

                consuming = asyncio.create_task(consume())
                await asyncio.sleep(seconds)
                consuming.cancel()
                await asyncio.wait([consuming])

        for seconds in (1.3, 2.6, 3.9):
            run(break_off(seconds))
            committed = sum(isinstance(record.event, CallMade) for record in journal.reader.records())
            before = slow.calls
            run(break_off(1e-6))  # long enough to replay, too short for any call
            assert slow.calls - before <= 2 * 3 * 3, "more than what was in flight was asked for again"
            assert sum(isinstance(record.event, CallMade) for record in journal.reader.records()) == committed
        self.results(assembly, journal)
        calls = slow.calls

        async def replay() -> list[EpisodeEnded]:
            async with self.open(assembly, journal) as runtime:
                return [end async for end in runtime.run(planned(assembly))]

        assert len(run(replay())) == len(GOALS)
        assert slow.calls == calls

    @pytest.mark.parametrize("hostile", HOSTILE, ids=lambda model: model.name)
    def test_a_hostile_model_ends_its_own_episode_and_no_other(self, hostile: Hostile) -> None:
        journal = SqliteJournal(":memory:")
        ended = self.results(contest(model=hostile), journal)
        assert {goal for goal, end in ended.items() if end.state == "faulted"} == {"lantern"}
        assert len(journal.reader.ended()) == len(GOALS)

    def test_a_world_that_changed_diverges_and_the_line_is_named(self) -> None:
        assembly = contest()
        journal = SqliteJournal(":memory:")
        self.results(assembly, journal)
        other = replace(assembly, world=Renamed(assembly.world))

        async def replay() -> list[EpisodeEnded]:
            async with self.open(other, journal) as runtime:
                return [end async for end in runtime.run(planned(other))]

        for end in run(replay()):
            assert end.fault is not None
            assert end.fault.kind == "Divergence"
            assert "line 1: expected 'Got" in end.fault.text

    def test_a_reward_outside_its_range_is_the_worlds_fault(self) -> None:
        assembly = contest()
        ended = self.results(replace(assembly, world=Generous(assembly.world)), SqliteJournal(":memory:"))
        assert {end.fault and end.fault.kind for end in ended.values()} == {"WorldFault"}

    def test_an_episode_is_run_once_at_a_time(self) -> None:
        assembly = contest()

        async def twice() -> None:
            async with self.open(assembly, SqliteJournal(":memory:")) as runtime:
                with pytest.raises(UsageError, match="expected each episode once"):
                    [end async for end in runtime.run(planned(assembly) * 2)]
                assert len([end async for end in runtime.run(planned(assembly))]) == len(GOALS)

        run(twice())

    def test_a_visit_is_journaled_and_leaves_no_session(self) -> None:
        assembly = contest()
        journal = SqliteJournal(":memory:")

        async def visit() -> None:
            async with self.open(assembly, journal) as runtime:
                async with runtime.visit() as roles:
                    opened = await roles.environment().ask(Open(task=Task(name="beehive", seed=1)))
                    await roles.environment(opened.session).ask(Step(session=opened.session, action="inventory"))
                await self.assert_nothing_is_left(runtime)

        run(visit())
        kinds = [type(record.event) for record in journal.reader.records(Path("~visit/0/0"))]
        assert kinds == [SessionOpened, StepTaken]

    def test_an_episode_out_of_time_keeps_the_reward_it_earned(self) -> None:
        journal = SqliteJournal(":memory:")
        sticks = Script("Action: get 2 bamboo", "Action: craft 1 stick using 2 bamboo", "Action: inventory")
        assembly = replace(adapt(Slow(sticks, least=2.0)), limits=Limits(episode=6.0))

        async def scene() -> list[EpisodeEnded]:
            async with self.open(assembly, journal) as runtime:
                return [end async for end in runtime.run(planned(assembly, ("stick",)))]

        (ended,) = run(scene())
        assert (ended.state, ended.reason, ended.reward) == ("unsolved", "time limit", 1.0)

    def test_an_episode_out_of_time_ends_unsolved_and_its_replay_too(self) -> None:
        assembly = replace(contest(), limits=Limits(episode=2.5))
        journal = SqliteJournal(":memory:")
        ended = self.results(assembly, journal)
        assert {(end.state, end.reason) for end in ended.values()} == {("unsolved", "time limit")}

        async def replay() -> list[EpisodeEnded]:
            unlimited = replace(assembly, limits=Limits())
            async with self.open(unlimited, journal) as runtime:
                return [end async for end in runtime.run(planned(unlimited))]

        assert {end.reason for end in run(replay())} == {"time limit"}
