"""What every world holds to. A subclass names a factory, a task and a walk that solves it, and pytest does the rest."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from protocols.environment import Task
from protocols.errors import UsageError, WorldFault
from protocols.worlds import World, WorldState
from tests.contracts.walk import Transcript, Walk, make_world, transcript

_ROOT = Path(__file__).parents[2]

HOSTILE = (
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[31m\x07\x7f",
    "\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680",
    "\ud800",
    "%s {0} \\1 $(x)",
    "x" * 10_000,
    "9" * 10_000,
    "(" * 10_000,
    ", " * 5_000,
    "a\nb\r\nc\u2028d",
)


class WorldContract:
    """The suite. `pytest` collects it through subclasses whose name begins with `Test`."""

    factory: ClassVar[str]
    """What makes the world: `package.module:callable`, without arguments."""
    task: ClassVar[Task]
    walk: ClassVar[tuple[str, ...]]
    """Actions that the world carries out, the last of which solves the task."""
    hostile: ClassVar[tuple[str, ...]] = ()
    """Odd input of the world's own kind, beside what is odd everywhere."""

    @pytest.fixture
    def world(self) -> World:
        return make_world(self.factory)

    @pytest.fixture
    def state(self, world: World) -> WorldState:
        return world.open(self.task)

    def test_tasks_are_distinct_and_every_split_can_be_opened(self, world: World) -> None:
        assert world.splits
        for split in world.splits:
            tasks = world.tasks(split)
            assert tasks
            assert len(set(tasks)) == len(tasks)
            for name in (tasks[0], tasks[-1]):
                assert world.open(Task(name=name, seed=0)).opening.observation

    def test_facts_have_the_same_keys_for_every_task(self, world: World) -> None:
        keys = {tuple(world.facts(task)) for split in world.splits for task in world.tasks(split)}
        assert len(keys) == 1

    def test_an_unknown_split_is_a_usage_error_naming_those_there_are(self, world: World) -> None:
        with pytest.raises(UsageError, match=world.splits[0]):
            world.tasks("no such split")

    def test_an_unknown_task_is_a_usage_error_naming_the_nearest(self, world: World) -> None:
        mistyped = Task(name=self.task.name[:-1] + "#", seed=0)
        with pytest.raises(UsageError, match=self.task.name):
            world.open(mistyped)
        with pytest.raises(UsageError, match=self.task.name):
            world.facts(mistyped.name)
        with pytest.raises(UsageError, match=self.task.name):
            world.restore(mistyped, b"")

    def test_the_opening_is_its_setting_and_its_goal_and_never_changes(self, state: WorldState) -> None:
        first = state.opening
        assert first.observation.startswith(first.setting)
        assert first.goal in first.observation
        assert first.goal not in first.setting
        for action in self.walk:
            state.step(action)
            assert state.opening == first
        assert state.fork().opening == first

    def test_the_walk_is_carried_out_and_solves_the_task(self, state: WorldState) -> None:
        outcomes = [state.step(action) for action in self.walk]
        assert not [outcome for outcome in outcomes if outcome.rejected]
        assert [outcome.done for outcome in outcomes] == [False] * (len(outcomes) - 1) + [True]
        assert outcomes[-1].reward == 1.0

    def test_a_reward_never_falls_and_stays_when_the_task_is_done(self, state: WorldState) -> None:
        earned = 0.0
        for action in (*self.walk, *HOSTILE, *self.walk):
            reward = state.step(action).reward
            assert earned <= reward <= 1.0
            earned = reward

    def test_a_done_state_accepts_no_action(self, state: WorldState) -> None:
        for action in self.walk:
            state.step(action)
        before = state.snapshot()
        for action in self.walk:
            outcome = state.step(action)
            assert outcome.rejected
            assert outcome.done
        assert state.snapshot() == before

    def test_no_action_raises_and_the_walk_can_still_be_taken(self, state: WorldState) -> None:
        for action in (*HOSTILE, *self.hostile):
            assert not state.step(action).done
        assert [state.step(action).done for action in self.walk][-1]

    def test_a_rejected_action_leaves_no_trace(self, state: WorldState) -> None:
        before = state.snapshot()
        for action in (*HOSTILE, *self.hostile):
            outcome = state.step(action)
            assert not outcome.rejected or state.snapshot() == before
            before = state.snapshot()

    def test_the_same_task_gives_the_same_walk(self) -> None:
        assert self._transcript() == self._transcript()

    @pytest.mark.parametrize("hash_seed", ["1", "2"])
    def test_another_process_with_another_hash_seed_gives_the_same_walk(self, hash_seed: str) -> None:
        there = subprocess.run(
            [sys.executable, "-m", "tests.contracts.walk"],
            input=msgspec.json.encode(self._walk()),
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=_ROOT,
            check=True,
            capture_output=True,
        )
        assert msgspec.json.decode(there.stdout, type=Transcript) == self._transcript()

    def test_a_fork_goes_its_own_way(self, state: WorldState) -> None:
        for place, action in enumerate(self.walk):
            before = state.snapshot()
            fork = state.fork()
            assert fork.snapshot() == before
            assert [fork.step(later).done for later in self.walk[place:]][-1]
            assert state.snapshot() == before
            other = state.fork()
            state.step(action)
            assert other.snapshot() == before

    def test_a_snapshot_changes_nothing_and_goes_on_where_it_was_taken(self, world: World, state: WorldState) -> None:
        for place in range(len(self.walk) + 1):
            restored = world.restore(self.task, state.snapshot())
            assert restored.snapshot() == state.snapshot()
            assert restored.opening == state.opening
            rest = self.walk[place:]
            fork = state.fork()
            assert [restored.step(action) for action in rest] == [fork.step(action) for action in rest]
            if rest:
                state.step(rest[0])

    def test_a_snapshot_is_what_a_replay_arrives_at(self, world: World, state: WorldState) -> None:
        for place, action in enumerate(self.walk):
            state.step(action)
            again = world.open(self.task)
            for earlier in self.walk[: place + 1]:
                again.step(earlier)
            assert again.snapshot() == state.snapshot()

    def test_a_damaged_snapshot_is_a_fault_or_a_state_and_nothing_worse(self, world: World, state: WorldState) -> None:
        own = state.snapshot()
        for position in range(len(own)):
            for bits in (0x01, 0x80, 0xFF):
                damaged = bytearray(own)
                damaged[position] ^= bits
                with suppress(WorldFault):
                    world.restore(self.task, bytes(damaged)).step("inventory")

    def test_a_foreign_snapshot_is_a_fault(self, world: World, state: WorldState) -> None:
        for foreign in self._foreign(world, state.snapshot()):
            with pytest.raises(WorldFault):
                world.restore(self.task, foreign)

    def _foreign(self, world: World, own: bytes) -> Iterator[bytes]:
        yield from (b"", b"\x00", b"snapshot", b"\xc1" * 100, own[:-1], own[: len(own) // 2], own + b"\x00")
        tasks = [task for split in world.splits for task in world.tasks(split) if task != self.task.name]
        yield world.open(Task(name=tasks[0], seed=self.task.seed)).snapshot()
        yield world.open(Task(name=self.task.name, seed=self.task.seed + 1)).snapshot()

    def _walk(self) -> Walk:
        return Walk(factory=self.factory, task=self.task, actions=self.walk)

    def _transcript(self) -> Transcript:
        return transcript(self._walk())
