from typing import Any

import msgspec
import pytest

from quintet.environments.miniwob.package import miniwob_version, page_names
from quintet.environments.miniwob.session import MiniwobSnapshot
from quintet.environments.miniwob.world import Miniwob
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.miniwob.installed import in_browser, needs_package, opened, walk, world_of

MOVING = ("chase-circle", "moving-items", "click-pie", "terminal", "stock-market", "choose-date", "social-media")
"""Pages that move by themselves, or that the package calls nondeterministic."""


@needs_package
def test_the_splits_are_adaplanners_53_tasks_and_all_130() -> None:
    world = Miniwob()
    assert [len(world.tasks(split)) for split in world.splits] == [53, 130]
    assert world.tasks("adaplanner")[0] == "choose-list"
    assert world.metadata("terminal") == {"task type": "feedback"}
    with pytest.raises(UsageError, match="click-test"):
        world.metadata("click-tset")


@needs_package
def test_the_content_of_each_split_is_its_own_and_names_the_package() -> None:
    world = Miniwob()
    some, every = (world.content(split) for split in world.splits)
    assert some["pages"] != every["pages"]
    assert some["package"] == every["package"] == miniwob_version()
    assert world.version.startswith(f"2+{miniwob_version()}+max_steps=30")


@needs_package
@pytest.mark.parametrize("option", ["places", "max_steps", "observation_chars"])
def test_an_option_that_is_no_count_is_refused_by_its_name(option: str) -> None:
    given: dict[str, Any] = {option: 0}
    with pytest.raises(UsageError, match=f"^{option}: expected >= 1, got 0"):
        Miniwob(**given)


class TestInABrowser:
    pytestmark = in_browser

    @pytest.mark.parametrize("every", [26, pytest.param(1, marks=pytest.mark.slow)])
    async def test_each_page_begins_a_task_that_its_seed_repeats(self, every: int) -> None:
        async with world_of() as world:
            for name in page_names()[::every]:
                first, second = [await world.open(Task(name=name, seed=7)) for _ in range(2)]
                assert first.opening == second.opening, name
                assert first.opening.goal not in ("", first.opening.setting), name
                assert await first.snapshot() == await second.snapshot(), name
                await first.close()
                await second.close()

    async def test_another_seed_is_another_episode(self) -> None:
        async with opened("click-button", 1) as one, opened("click-button", 2) as other:
            assert one.opening != other.opening

    async def test_the_same_actions_find_the_same_page_however_much_it_moves(self) -> None:
        async with world_of() as world:
            for name in MOVING:
                one, other = [await world.open(Task(name=name, seed=5)) for _ in range(2)]
                for action in ("hover [6]", "click [6]", "press [Tab]"):
                    assert await one.step(action) == await other.step(action), (name, action)
                assert await one.snapshot() == await other.snapshot(), name
                await one.close()
                await other.close()

    async def test_a_fork_goes_on_where_it_was_taken_and_leaves_the_other_alone(self) -> None:
        async with opened("login-user") as session:
            actions = await walk(session, most=2)
            fork = await session.fork()
            assert fork.observation == session.observation
            await walk(fork)
            assert (await fork.step("click [1]")).reward == 1
            await fork.close()
            assert len(actions) == 2
            await walk(session)
            assert (await session.step("click [1]")).reward == 1

    async def test_a_page_that_the_same_actions_do_not_find_again_is_a_fault(self) -> None:
        async with world_of() as world:
            task = Task(name="login-user", seed=0)
            session = await world.open(task)
            held = msgspec.msgpack.decode(await session.snapshot(), type=MiniwobSnapshot)
            await session.close()
            other = msgspec.structs.replace(held, digest=b"other")
            with pytest.raises(WorldFault, match="expected the page that was seen, got another"):
                await world.restore(task, msgspec.msgpack.encode(other))
            with pytest.raises(WorldFault, match="expected one of miniwob, got"):
                await world.restore(task, b"nothing")

    async def test_advice_is_the_experts_and_needs_the_page_once(self) -> None:
        async with world_of() as world:
            task = Task(name="login-user", seed=0)
            session = await world.open(task)
            done = list[str]()
            while advised := await session.expert():
                assert await world.advise(task, done, session.observation) == advised
                done += advised
                await session.step(advised[0])
            assert len(done) == 3
            assert await world.advise(task, done, session.observation) == ()
            assert await world.advise(Task(name="click-pie", seed=0), [], session.opening.observation) is None
            await session.close()
