from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from msgspec import convert

from quintet.environments.webarena.progress import WebSnapshot
from quintet.environments.webarena.session import WEB_TASK_ENDED, SessionTask, WebSession
from quintet.environments.webarena.tasks.schema import WebTask
from quintet.environments.webarena.tasks.walks import Walk
from quintet.errors import ProcessLost
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from tests.actors.environments.webarena.fake_window import FakeNode, FakeSite, FakeSites, FakeWindow
from tests.actors.environments.webarena.official import web_task

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window

HOME = "http://s1.localhost:4000"
TASK = Task(name="webarena-7", seed=0)
WALK = convert(
    [
        ["__SHOPPING__/", [["click", "link", "Mugs"]]],
        ["__SHOPPING__/mugs", [["click", "button", "Buy"]]],
        ["__SHOPPING__/cart", [["stop", "$9"]]],
    ],
    Walk,
)


def site() -> FakeSite:
    return FakeSite(
        address=HOME,
        pages={
            "/": [FakeNode("heading", "Shop"), FakeNode("link", "Mugs", "/mugs"), FakeNode("textbox", "Search")],
            "/mugs": [
                FakeNode("heading", "Mugs"),
                FakeNode("StaticText", f"A blue mug, $9, see {HOME}/mugs"),
                FakeNode("button", "Buy", "/cart"),
            ],
            "/cart": [FakeNode("heading", "Cart"), FakeNode("StaticText", "1 blue mug")],
        },
    )


def task_of_mugs(**changed: object) -> WebTask:
    asks = {"start_url": "__SHOPPING__/", "intent": "What does a blue mug cost?"}
    return web_task(7, **{**asks, "eval": {"reference_answers": {"exact_match": "$9"}}, **changed})


class Played:
    """A session on the fake site."""

    def __init__(
        self, task: WebTask | None = None, *, keeps_changes: bool = False, walk: Walk | None = WALK, note: str = ""
    ) -> None:
        self.site = site()
        self.sites = FakeSites(self.site, note)
        self.window = FakeWindow(self.site)
        asked = task or task_of_mugs()
        start = SessionTask(
            task=TASK, web_task=asked, walk=walk, max_steps=30, observation_chars=7680, pictures=True, verified=False
        )
        self.session = WebSession(
            start, self.sites, cast("Window", self.window), keeps_changes=keeps_changes, restore=self.restore
        )

    @classmethod
    async def begun(cls, task: WebTask | None = None, **options: Any) -> "Played":
        played = cls(task, **options)
        await played.session.begin()
        return played

    async def steps(self, *actions: str) -> list[Outcome]:
        return [await self.session.step(action) for action in actions]

    async def restore(self, task: Task, snapshot: bytes) -> WebSession:
        other = Played()
        await other.session.resume(self.held(snapshot))
        return other.session

    def held(self, snapshot: bytes) -> WebSnapshot:
        return msgspec.msgpack.decode(snapshot, type=WebSnapshot)


def number(played: Played, role: str, name: str) -> int:
    line = next(line for line in played.session.observation.splitlines() if f"{role} '{name}'" in line)
    return int(line.strip().removeprefix("[").partition("]")[0])


async def test_the_opening_is_the_first_page_with_the_task_after_it_and_a_note_before_it() -> None:
    opening = (await Played.begun()).session.opening
    assert opening.setting.startswith("Tab 0 (current): Shop\n\n[1] RootWebArea 'Shop'")
    assert opening.setting.endswith("\nURL: http://onestopmarket.com/")
    assert opening.goal == "What does a blue mug cost"
    assert opening.observation == f"{opening.setting}\n\nOBJECTIVE: {opening.goal}"
    recorded = (await Played.begun(note="From a recording.")).session.opening
    assert recorded.setting.startswith("From a recording.\nTab 0")


async def test_an_action_shows_the_page_that_it_leads_to_at_its_public_address() -> None:
    played = await Played.begun()
    (outcome,) = await played.steps(f"```click [{number(played, 'link', 'Mugs')}]```")
    assert "A blue mug, $9, see http://onestopmarket.com/mugs" in outcome.observation
    assert outcome.observation.endswith("URL: http://onestopmarket.com/mugs")
    assert outcome.observation == played.session.observation
    assert HOME not in outcome.observation
    assert (outcome.reward, outcome.done, outcome.rejected, outcome.lasting) == (0.0, False, False, False)
    assert played.session.picture == b"\xff\xd8" + f"{HOME}/mugs".encode()


async def test_what_happened_besides_stands_above_the_page() -> None:
    played = await Played.begun()
    played.window.said.append(f'{HOME} asked "Sure?" and was answered yes.')
    (outcome,) = await played.steps("scroll [down]")
    assert outcome.observation.startswith('http://onestopmarket.com asked "Sure?" and was answered yes.\nTab 0')


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("I would click the link.", ""),
        ("click [99]", "There is no element 99."),
        ("goto [http://evil.example/]", "goto: expected an address on one of the sites, got http://evil.example/"),
        ("go_back", "It cannot be done here."),
        ("click [\ud800]", ""),
    ],
)
async def test_an_action_that_cannot_be_carried_out_is_an_outcome_in_one_sentence(action: str, said: str) -> None:
    played = await Played.begun()
    before = played.session.observation
    (outcome,) = await played.steps(action)
    assert outcome.rejected
    assert not outcome.done
    assert said in outcome.observation
    assert "RootWebArea" not in outcome.observation
    assert played.session.observation == before


@pytest.mark.parametrize(("answer", "reward"), [("$9", 1.0), ("$8", 0.0), ("", 0.0)])
async def test_stop_ends_the_task_with_its_reward(answer: str, reward: float) -> None:
    played = await Played.begun()
    first, second = await played.steps(f"stop [{answer}]", "scroll [down]")
    assert (first.reward, first.done, first.rejected, first.observation) == (reward, True, False, WEB_TASK_ENDED)
    assert (second.reward, second.done, second.rejected) == (reward, True, True)
    assert played.session.observation == WEB_TASK_ENDED
    assert await played.session.expert() == await played.session.naive() == ()


async def test_a_published_stop_is_evaluated_as_a_stop_without_an_answer() -> None:
    checks = {"eval_types": ["url_match"], "reference_answers": None, "reference_url": "__SHOPPING__/mugs"}
    played = await Played.begun(task_of_mugs(eval=checks))
    await played.steps("goto [http://onestopmarket.com/mugs]")
    assert played.window.last_url == f"{HOME}/mugs"
    *_, last = await played.steps("what", "shall", "I do?")
    assert (last.reward, last.done, last.rejected) == (1.0, True, True)
    assert last.observation.endswith("The task has ended: three actions in a row could not be read.")


async def test_a_published_stop_after_an_action_that_was_carried_out_shows_its_page() -> None:
    played = await Played.begun()
    *_, last = await played.steps(*["scroll [down]"] * 3)
    assert last.done
    assert not last.rejected
    assert "RootWebArea" in last.observation
    assert played.session.observation == last.observation


async def test_a_judge_is_left_what_it_must_grade() -> None:
    played = await Played.begun(task_of_mugs(eval={"reference_answers": {"fuzzy_match": ["nine dollars"]}}))
    (ended,) = await played.steps("stop [about $9]")
    assert (ended.reward, [each.target for each in ended.to_grade]) == (0.0, ["nine dollars"])
    graded = await played.session.graded((True,))
    assert (graded.reward, graded.done, graded.to_grade) == (1.0, True, ())
    again = await played.session.fork()
    assert (await again.step("scroll [down]")).reward == 1.0


async def test_the_expert_finds_its_way_back_and_passes_over_what_was_rejected() -> None:
    played = await Played.begun()
    await played.steps("unreadable", "click [99]")
    assert await played.session.expert() == (f"click [{number(played, 'link', 'Mugs')}]",)
    await played.steps("goto [http://onestopmarket.com/cart]")
    assert await played.session.expert() == ("goto [http://onestopmarket.com/]",)
    rewards = [0.0]
    while advised := await played.session.expert():
        rewards.append((await played.session.step(advised[0])).reward)
    assert rewards[-1] == 1.0
    without = (await Played.begun(walk=None)).session
    assert (await without.expert(), await without.naive()) == (None, ("stop [N/A]",))


@pytest.mark.parametrize("keeps", [True, False])
async def test_what_a_users_site_was_sent_lasts_and_on_ours_nothing_does(keeps: bool) -> None:
    played = await Played.begun(keeps_changes=keeps)
    (looked,) = await played.steps("goto [http://onestopmarket.com/mugs]")
    bought, scrolled = await played.steps(f"click [{number(played, 'button', 'Buy')}]", "scroll [down]")
    assert (looked.lasting, bought.lasting, scrolled.lasting) == (False, keeps, False)


async def test_a_snapshot_goes_on_where_it_was_taken() -> None:
    played = await Played.begun()
    await played.steps("goto [http://onestopmarket.com/mugs]", "unreadable")
    snapshot = await played.session.snapshot()
    other = await played.restore(TASK, snapshot)
    assert other.observation == played.session.observation
    assert other.opening == played.session.opening
    assert await other.snapshot() == snapshot == await played.session.snapshot()
    assert HOME.encode() not in snapshot
    # Two unreadable ones more are three in a row, in both.
    for session in (played.session, other):
        assert [(await session.step("no")).done for _ in range(2)] == [False, True]


async def test_a_page_that_is_restored_otherwise_is_found() -> None:
    played = await Played.begun()
    await played.steps(f"type [{number(played, 'textbox', 'Search')}] [blue mug] [0]")
    held = played.held(await played.session.snapshot())
    restored, repeated = Played(), await Played.begun()
    assert not await restored.session.resume(held)
    assert restored.session.observation != played.session.observation
    assert await repeated.session.repeat(held)
    assert repeated.session.observation == played.session.observation


@pytest.mark.parametrize(
    ("actions", "hidden"),
    [
        (["type [4] [mug] [0]", "new_tab"], True),
        (["type [4] [mug] [0]", "goto [http://onestopmarket.com/cart]", "new_tab"], False),
        (["new_tab", "press [Tab]", "close_tab"], False),
        (["scroll [down]", "new_tab"], False),
    ],
)
async def test_what_was_typed_in_a_tab_that_was_left_is_brought_back_by_its_actions_only(
    actions: Sequence[str], hidden: bool
) -> None:
    played = await Played.begun()
    outcomes = await played.steps(*actions)
    assert not [outcome for outcome in outcomes if outcome.rejected]
    assert played.held(await played.session.snapshot()).hidden == hidden


async def test_a_session_is_closed_once() -> None:
    played = await Played.begun()
    await played.session.close()
    await played.session.close()
    assert (played.window.closed, played.sites.closed) == (1, 1)


async def test_a_browser_that_ends_is_not_hidden_as_an_outcome() -> None:
    played = await Played.begun()
    played.window.dead = True
    with pytest.raises(ProcessLost):
        await played.steps("scroll [down]")
    await played.session.close()
