import pytest

from quintet.environments.miniwob.walks import WALKED
from quintet.environments.webarena.session import WEB_TASK_ENDED
from quintet.messages.environment import Task
from tests.actors.environments.miniwob.installed import in_browser, number, opened, walk, world_of

pytestmark = in_browser


# With seed 6 button TWO lies over the middle of ONE.
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 13))])
async def test_each_walk_earns_all(seed: int) -> None:
    async with world_of() as world:
        for name in WALKED:
            session = await world.open(Task(name=name, seed=seed))
            await walk(session)
            last = await session.step("click [1]")
            assert (last.done, last.reward, last.rejected, last.observation) == (True, 1.0, True, WEB_TASK_ENDED), name
            await session.close()


async def test_the_reward_is_the_raw_one_and_its_figure_falls_with_each_action() -> None:
    async with opened("click-test-2", max_steps=10) as session:
        for _ in range(3):
            assert (await session.step("press [Escape]")).figures == {}
        button = number(session, "button 'ONE'")
        outcome = await session.step(f"click [{button}]")
        assert outcome.reward == 1
        assert outcome.figures["decayed"] == pytest.approx(0.7)


async def test_a_wrong_click_ends_a_task_with_nothing() -> None:
    async with opened("click-test-2") as session:
        wrong = number(session, "button 'TWO'")
        outcome = await session.step(f"click [{wrong}]")
        assert (outcome.done, outcome.reward, outcome.figures) == (True, 0.0, {"decayed": 0.0})
        assert await session.expert() == ()


async def test_a_task_that_is_solved_in_part_earns_a_part() -> None:
    async with opened("click-checkboxes", seed=3) as session:  # four of five boxes
        actions = await walk(session, most=4)
        assert len(actions) == 4
        await session.step(actions[0])  # not any more
        assert await session.expert() is None
        submit = number(session, "button 'Submit'")
        outcome = await session.step(f"click [{submit}]")
        assert outcome.done
        assert outcome.reward == pytest.approx((4 - 1) / 5)  # the page takes one off for each wrong box


async def test_the_pages_time_is_over_after_so_many_actions() -> None:
    async with opened("click-test-2", max_steps=3) as session:
        ends = [(await session.step("press [Escape]")).done for _ in range(3)]
        assert ends == [False, False, True]


async def test_who_stops_earns_nothing() -> None:
    async with opened("click-test-2") as session:
        outcome = await session.step("stop [N/A]")
        assert (outcome.done, outcome.reward, outcome.rejected) == (True, 0.0, False)


@pytest.mark.parametrize("action", ["goto [http://miniwob/miniwob/click-test.html]", "go_back", "new_tab", "close_tab"])
async def test_the_page_stays_open(action: str) -> None:
    async with opened("click-test-2") as session:
        before = await session.snapshot()
        outcome = await session.step(action)
        assert outcome.rejected
        assert outcome.observation.startswith("There is one page")
        assert await session.snapshot() == before
