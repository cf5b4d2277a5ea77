"""What every runtime keeps: the same results, isolation of faults, suspension, resume, and nothing left behind."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from actors.environment import Environment
from deploy.assembly import Assembly, Limits
from deploy.journal.writer import SqliteJournal
from deploy.runtime.host import Host
from deploy.runtime.runtime import Runtime
from protocols.errors import ModelFault
from protocols.events import CallMade, EpisodeEnded, StepTaken
from protocols.models import Completion, Sampling
from protocols.prompts import Prompt
from tests.simulation.content import content
from tests.simulation.scenes import GOALS, Slow, contest, planned
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

    def test_no_acknowledged_call_is_made_twice(self) -> None:
        slow = contest().models["executor"]
        assert isinstance(slow, Slow)
        assembly = contest(model=slow)
        journal = SqliteJournal(":memory:")
        self.results(assembly, journal)
        calls = slow.calls
        assert calls >= len([record for record in journal.reader.records() if isinstance(record.event, CallMade)]) > 0
        self.results(assembly, journal)
        assert slow.calls == calls

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
