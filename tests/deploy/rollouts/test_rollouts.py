"""Groups for a trainer: their worlds, the versions of the weights, updates, staleness, an early end, and a restart."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from quintet.api import read_run
from quintet.errors import UsageError
from quintet.messages.prompts import Prompt
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.rollouts import RolloutGroup, TrainedPolicy, rollouts
from quintet.training.export import export_training
from tests.deploy.export.exported import table

pytestmark = pytest.mark.real_time

if TYPE_CHECKING:
    from quintet.launch.evaluation import Evaluation

TASKS = ("beehive", "stick")


class GivesUp:
    """Ends an attempt at once, or after a look around, by the call's seed. Counts, and waits while it is held."""

    name = "gives-up"

    def __init__(self) -> None:
        self.calls = 0
        self.in_flight = 0
        self.held = asyncio.Event()
        self.held.set()
        self.six = asyncio.Event()
        """So many are in flight."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.calls += 1
        self.in_flight += 1
        if self.in_flight == 6:
            self.six.set()
        try:
            await self.held.wait()
        finally:
            self.in_flight -= 1
        looks = len(prompt.messages()) < 4 and (sampling.seed or 0) % 2
        return Completion(text="Action: inventory" if looks else "Action: task failed")


async def turns_of_the_loop(count: int = 2000) -> None:
    """So many that calls would begin if they might."""
    for _ in range(count):
        await asyncio.sleep(0)


async def go_on(_: RolloutGroup) -> None:
    """Train on nothing."""


async def played(
    policy: TrainedPolicy, train: Callable[[RolloutGroup], Awaitable[None]] = go_on, **given: Any
) -> list[RolloutGroup]:
    found = list[RolloutGroup]()
    of_run: dict[str, Any] = {
        "method": "react",
        "environment": "textcraft",
        "tasks": TASKS,
        "group": 3,
        "rounds": 2,
        "in_flight": 1,
    }
    async with aclosing(rollouts(model=policy, **{**of_run, **given})) as groups:
        async for group in groups:
            found.append(group)
            await train(group)
    return found


def test_a_group_is_the_attempts_at_a_task_with_all_that_a_trainer_needs(tmp_path: Path) -> None:
    policy = TrainedPolicy(GivesUp())

    async def update(_: RolloutGroup) -> None:
        async with policy.update():
            pass

    found = asyncio.run(played(policy, update, journal=tmp_path / "run"))
    assert [group.name for group in found] == ["beehive/0", "stick/0", "beehive/1", "stick/1"]
    assert [len(group.rollouts) for group in found] == [3] * 4
    versions = [
        {call.event.completion.weights_version for each in group.rollouts for call in each.calls} for group in found
    ]
    assert versions == [{0}, {1}, {2}, {3}]
    first = found[0].rollouts[0].calls[0]
    assert first.prompt[0].role == "system"
    assert first.event.completion.text.startswith("Action: ")
    calls = read_run(tmp_path / "run").polars("calls")
    assert calls.select("path", "weights_version").unique("weights_version")["weights_version"].sort().to_list() == [
        0,
        1,
        2,
        3,
    ]
    export_training("grpo", tmp_path / "run", tmp_path / "grpo")
    rows = table(tmp_path / "grpo" / "train")
    assert {row["group"] for row in rows} == {f"run/{group.name}" for group in found}
    assert {row["attempts"] for row in rows} == {3}


def test_attempts_of_a_group_meet_one_world_and_those_of_the_next_another() -> None:
    found = asyncio.run(played(TrainedPolicy(GivesUp()), tasks=["beehive"]))
    openings = [{rollout.calls[0].event.prompt for rollout in group.rollouts} for group in found]
    assert [len(each) for each in openings] == [1, 1]
    assert openings[0] != openings[1], "TextCraft draws which recipes it shows"
    assert any(len({len(rollout.calls) for rollout in group.rollouts}) > 1 for group in found), "draws differ"


@asynccontextmanager
async def six_in_flight(policy: TrainedPolicy, model: GivesUp) -> AsyncGenerator[asyncio.Task[list[RolloutGroup]]]:
    """A round that plays, with six calls that wait."""
    model.held.clear()
    task = asyncio.create_task(played(policy, in_flight=4, rounds=1))
    await model.six.wait()
    yield task
    await task


async def update(policy: TrainedPolicy, model: GivesUp, turns: int) -> int:
    """Change the weights for so many turns of the loop, in which no call begins; how many had begun before."""
    async with policy.update():
        begun = model.calls
        assert model.in_flight == 0
        await turns_of_the_loop(turns)
        assert model.calls == begun, "none begins"
    return begun


def test_no_call_begins_while_weights_change_and_those_in_flight_have_answered_by_the_old_ones() -> None:
    async def check() -> None:
        policy = TrainedPolicy(model := GivesUp())
        async with six_in_flight(policy, model) as task:
            updating = asyncio.create_task(update(policy, model, 200))
            await turns_of_the_loop(50)
            assert not updating.done(), "calls are in flight"
            model.held.set()
            begun = await updating
            found = await task
        assert model.calls > begun, "it went on"
        versions = {
            call.event.completion.weights_version for group in found for each in group.rollouts for call in each.calls
        }
        assert versions == {0, 1}

    asyncio.run(check())


def test_a_run_that_begins_during_an_update_makes_its_first_call_by_the_new_weights() -> None:
    async def check() -> None:
        model = GivesUp()
        policy = TrainedPolicy(model)
        async with policy.update():
            task = asyncio.create_task(played(policy, rounds=1))
            await turns_of_the_loop()
            assert not policy.runs
            assert model.calls == 0
        (first, *_) = await task
        assert {call.event.completion.weights_version for each in first.rollouts for call in each.calls} == {1}

    asyncio.run(check())


def test_of_two_updates_the_first_to_end_lets_no_call_begin_in_the_other() -> None:
    async def check() -> None:
        policy = TrainedPolicy(model := GivesUp())
        async with six_in_flight(policy, model):
            model.held.set()
            await asyncio.gather(*(update(policy, model, turns) for turns in (50, 500)))
        assert policy.weights_version == 2

    asyncio.run(check())


def test_updates_take_place_one_after_another_in_each_event_loop() -> None:
    policy = TrainedPolicy(GivesUp())
    began = list[int]()

    async def update() -> None:
        async with policy.update():
            began.append(policy.weights_version)
            await asyncio.sleep(0)

    async def overlap() -> None:
        await asyncio.gather(update(), update(), update())

    for _ in range(2):
        asyncio.run(overlap())
    assert began == [*range(6)]


def test_what_would_wait_inside_an_update_for_its_end_is_refused() -> None:
    async def check() -> None:
        policy = TrainedPolicy(GivesUp())
        async with policy.update():
            with pytest.raises(UsageError, match="expected rollouts after the update has ended, got it inside"):
                await played(policy)
            with pytest.raises(UsageError, match="expected an update after the update has ended"):
                async with policy.update():
                    pass
        assert len(await played(policy, rounds=1)) == len(TASKS)
        assert policy.weights_version == 1

    asyncio.run(check())


def test_a_stand_in_is_no_policy() -> None:
    with pytest.raises(UsageError, match="expected a model that has weights, got a stand-in, sim-weak"):
        TrainedPolicy(catalogue.model("sim-weak"))


def test_a_failed_update_is_no_new_version() -> None:
    async def fail() -> None:
        policy = TrainedPolicy(GivesUp())
        with pytest.raises(OSError, match="no room"):
            async with policy.update():
                raise OSError("no room")
        assert policy.weights_version == 0

    asyncio.run(fail())


def test_a_run_may_end_while_an_update_waits_for_calls() -> None:
    policy = TrainedPolicy(GivesUp())

    class Ends:
        @asynccontextmanager
        async def paused(self) -> AsyncGenerator[None, None]:
            policy.runs.discard(cast("Evaluation", self))
            yield

    async def update() -> None:
        policy.runs.update(cast("list[Evaluation]", [Ends(), Ends()]))
        async with policy.update():
            assert not policy.runs

    asyncio.run(update())
    assert policy.weights_version == 1


def test_a_group_that_is_too_far_behind_is_dropped_and_named(caplog: pytest.LogCaptureFixture) -> None:
    policy = TrainedPolicy(GivesUp())

    async def update(_: RolloutGroup) -> None:
        policy.weights_version += 2

    given = {"in_flight": 2, "rounds": 1}
    assert [group.name for group in asyncio.run(played(policy, update, max_staleness=1, **given))] == ["beehive/0"]
    assert "stick/0: dropped: 2 versions of the weights behind" in caplog.text
    policy = TrainedPolicy(GivesUp())
    assert [group.staleness for group in asyncio.run(played(policy, update, **given))] == [0, 2]


def test_leaving_early_ends_what_runs_and_a_restart_makes_no_call_again(tmp_path: Path) -> None:
    async def leave() -> int:
        model = GivesUp()
        policy = TrainedPolicy(model)
        async with aclosing(
            rollouts(
                "react",
                "textcraft",
                model=policy,
                tasks=TASKS,
                group=3,
                rounds=2,
                in_flight=4,
                journal=tmp_path / "run",
            )
        ) as groups:
            async for _ in groups:
                model.held.clear()
                break
        assert not policy.runs
        assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        return model.calls

    before = asyncio.run(leave())
    again = GivesUp()
    found = asyncio.run(played(TrainedPolicy(again), in_flight=4, journal=tmp_path / "run", done=["beehive/0"]))
    assert {group.name for group in found} == {"stick/0", "beehive/1", "stick/1"}
    recorded = len(read_run(tmp_path / "run").polars("calls"))
    assert again.calls <= recorded <= before + again.calls
    third = GivesUp()
    assert len(asyncio.run(played(TrainedPolicy(third), journal=tmp_path / "run"))) == 4
    assert third.calls == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"group": 2, "rounds": 3}, "run.group: expected 3, as the run to resume has it, got 2"),
        ({"rounds": 5}, "run.epochs: expected 6, as the run to resume has it, got 15"),
        ({"method": "reflexion"}, "method.name: expected react, as the run to resume has it, got reflexion"),
        ({"method": "react:max_steps=3"}, "method.max_steps: expected 80, as the run to resume has it, got 3"),
        ({"environment": "shell"}, "environment.name: expected textcraft, as the run to resume has it, got shell"),
        (
            {"tasks": ["stick"]},
            r"run.tasks: expected \['beehive', 'stick'\], as the run to resume has it, got \['stick'\]",
        ),
        ({"tasks": None}, r"run.tasks: expected \['beehive', 'stick'\], as the run to resume has it, got None"),
    ],
)
def test_a_restart_of_another_run_is_refused(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    asyncio.run(played(TrainedPolicy(GivesUp()), journal=tmp_path / "run"))
    with pytest.raises(UsageError, match=rf"rollouts: {said} \(.*run\.json\)"):
        asyncio.run(played(TrainedPolicy(GivesUp()), journal=tmp_path / "run", **given))


def test_a_method_of_ones_own_is_compared_by_its_name(tmp_path: Path) -> None:
    asyncio.run(played(TrainedPolicy(GivesUp()), method=React(ReactConfig(max_steps=3)), journal=tmp_path / "run"))
    found = asyncio.run(
        played(TrainedPolicy(GivesUp()), method=React(ReactConfig(max_steps=3)), journal=tmp_path / "run")
    )
    assert len(found) == 4
    with pytest.raises(UsageError, match="max_steps: expected 3, as the run to resume has it, got 4"):
        asyncio.run(played(TrainedPolicy(GivesUp()), method=React(ReactConfig(max_steps=4)), journal=tmp_path / "run"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"group": 0}, "group: expected >= 1, got 0"),
        ({"in_flight": 0}, "in_flight: expected >= 1, got 0"),
        ({"max_staleness": -1}, "max_staleness: expected >= 0 or None, got -1"),
        ({"settings": {"runtime": {"kind": "ray"}}}, "settings: runtime.kind: expected local, got ray"),
        ({"settings": {"run.epochs": 2}}, "settings: run.epochs: expected 6, got 2"),
        ({"done": ["beehive"]}, "done: expected names of groups, such as beehive/0, got beehive"),
    ],
)
def test_what_cannot_be_played_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        asyncio.run(played(TrainedPolicy(GivesUp()), **given))


def test_a_policy_older_than_what_it_answered_is_refused(tmp_path: Path) -> None:
    asyncio.run(played(TrainedPolicy(GivesUp(), weights_version=1), journal=tmp_path / "run"))
    with pytest.raises(UsageError, match=r"model.weights_version: expected >= 1, as answered in beehive/0, got 0"):
        asyncio.run(played(TrainedPolicy(GivesUp()), journal=tmp_path / "run"))
