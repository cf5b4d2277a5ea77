"""The library of tasks, and our own: each is solved by its walk, step by step in words, in a real browser."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import convert
from msgspec.structs import fields

from quintet.environments.webarena.actions import WebStop, read_web_action, web_action_text
from quintet.environments.webarena.evaluators.compare import is_exact
from quintet.environments.webarena.evaluators.evaluate import answer_holds, answers_to_grade
from quintet.environments.webarena.observation.page_text import ShownElement, ShownPage
from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.tasks.library import TaskLibrary, open_library
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, EvalType, JudgeUse, TaskKind
from quintet.environments.webarena.tasks.walks import Walk, WalkPage, WalkStep, advise, is_step, read_walks, step_action
from quintet.environments.webarena.world import WebArena
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from tests.actors.environments.webarena.live import world_of
from tests.actors.environments.webarena.official import program_evaluation, task_record, web_task, write_records

IMPOSSIBLE = {"reference_answers": {"fuzzy_match": "N/A"}, "string_note": "Nobody sells it."}
ENDS_AT = {"eval_types": ["url_match"], "reference_answers": None, "reference_url": "__SHOPPING__/cart"}
LIBRARY = TaskLibrary(
    [
        web_task(5, intent_template_id=1),
        web_task(4, intent_template_id=1, eval={"reference_answers": {"fuzzy_match": ["a", "b"]}}),
        web_task(8, eval=IMPOSSIBLE),
        web_task(6, eval=ENDS_AT),
        web_task(7, eval=program_evaluation({"url": "__SHOPPING__/cart"}), sites=["shopping", "reddit"]),
        web_task(9, eval=program_evaluation({}), sites=["reddit"]),
        web_task(10, eval=program_evaluation({}) | ENDS_AT | {"eval_types": ["url_match", "program_html"]}),
    ]
)


def test_splits_are_all_tasks_those_of_a_site_those_of_a_kind_and_one_of_each_template() -> None:
    numbers = {split: [int(name.partition("-")[2]) for name in names] for split, names in LIBRARY.splits.items()}
    assert next(iter(LIBRARY.splits)) == "test"
    assert numbers == {
        "test": [5, 4, 8, 6, 7, 9, 10],
        "shopping": [5, 4, 8, 6, 10],
        "reddit": [9],
        "several": [7],
        "read": [5, 4],
        "navigate": [6, 9],
        "change": [7, 10],
        "impossible": [8],
        "templates": [5, 8, 6, 7, 9, 10],
    }


def test_metadata_are_the_sites_the_kind_and_the_use_of_a_judge() -> None:
    assert LIBRARY.metadata("webarena-7") == {"task type": "reddit+shopping", "kind": "change", "judge": "never"}
    assert LIBRARY.metadata("webarena-4")["judge"] == "always"
    assert LIBRARY.metadata("webarena-8")["judge"] == "unless exact"
    with pytest.raises(UsageError, match=r"^task: expected one such as webarena-5 .*, got 'webarena-55' \(webarena\)$"):
        LIBRARY.metadata("webarena-55")


def test_a_task_is_refused_without_a_site_of_its_or_without_a_judge_that_it_needs() -> None:
    def refusals(judged: bool, *sites: str) -> dict[str, str]:
        found = {name: LIBRARY.refusal(name, judged=judged, sites=sites) for name in LIBRARY.tasks}  # type: ignore[arg-type]
        return {name.removeprefix("webarena-"): why for name, why in found.items() if why}

    assert refusals(True, "shopping", "reddit") == {}
    assert refusals(False, "shopping", "reddit") == {"4": "needs a judge", "8": "needs a judge"}
    assert refusals(True, "shopping") == {"7": "needs the site reddit", "9": "needs the site reddit"}
    assert refusals(True)["7"] == "needs the site reddit and the site shopping"


def test_the_digest_follows_tasks_and_walks() -> None:
    tasks = list(LIBRARY.tasks.values())
    assert TaskLibrary(tasks).digest == LIBRARY.digest
    walk = (WalkPage("__SHOPPING__/", (WebStop("3"),)),)
    others = [TaskLibrary(tasks[1:]), TaskLibrary(tasks, {"webarena-5": walk})]
    assert LIBRARY.digest not in {other.digest for other in others}


def test_a_users_file_has_no_walks(tmp_path: Path) -> None:
    library = open_library(write_records(tmp_path, task_record(3)))
    assert (library.splits["test"], library.walks) == (("webarena-3",), {})


OWN = open_library(None)
TASKS = OWN.tasks.values()
AT_ONCE = 2
WRONG = {"read": "stop [I could not find it.]", "impossible": "stop [I could not find it.]"}


def test_there_are_some_of_each_kind_and_on_several_sites() -> None:
    assert Counter(task.kind for task in TASKS).keys() == set(get_args(TaskKind))
    assert Counter(task.judge for task in TASKS).keys() == set(get_args(JudgeUse))
    assert Counter(task.judge for task in TASKS)["always"] == 1
    assert len(OWN.splits["several"]) >= 3
    asked = Counter((task.intent, task.start_url) for task in TASKS)
    assert max(asked.values()) == 1


def test_they_use_every_action_and_every_evaluator() -> None:
    steps = {type(step) for walk in OWN.walks.values() for page in walk for step in page.steps}
    assert steps == set(get_args(WalkStep))
    assert {each for task in TASKS for each in task.eval.eval_types} == set(get_args(EvalType))
    answers = [task.eval.reference_answers for task in TASKS if task.eval.reference_answers]
    assert all(any(getattr(each, way.name) for each in answers) for way in fields(answers[0]))
    checks = [check for task in TASKS for check in task.eval.program_html]
    for way in ("exact_match", "must_include"):
        assert any(getattr(check.required_contents, way) for check in checks), way
    assert any(check.prep_actions for check in checks)
    assert {"", "last"} <= {check.locator for check in checks} | {check.url for check in checks}
    called = {text.partition("(")[0] for check in checks for text in (check.url, check.locator) if "func:" in text}
    assert called == {
        "func:reddit_get_post_url",
        "func:shopping_get_latest_order_url",
        "func:gitlab_get_project_memeber_role",
        "func:shopping_get_sku_latest_review_author",
        "func:shopping_get_sku_latest_review_rating",
    }
    assert any(" |OR| " in (task.eval.reference_url or "") for task in TASKS)


def test_each_has_a_walk_whose_answer_holds() -> None:
    assert OWN.walks.keys() == OWN.tasks.keys()
    for name, task in OWN.tasks.items():
        last = OWN.walks[name][-1].steps[-1]
        assert isinstance(last, WebStop)
        references = task.eval.reference_answers
        assert references is None or answer_holds(references, last.answer), name
        assert bool(answers_to_grade(task, last.answer)) == (task.judge == "always"), name
        assert is_exact(NOT_ACHIEVABLE, last.answer) == (task.kind == "impossible"), name


async def follow(world: WebArena, session: WebSession, name: str, steps: int) -> list[Outcome]:
    """Take so many steps of the walk: those that the expert advises, and the world without a browser too."""
    done: list[str] = []
    outcomes: list[Outcome] = []
    for _ in range(steps):
        advised = await session.expert()
        assert advised == await world.advise(Task(name=name, seed=0), done, session.observation)
        assert advised, f"the walk leads nowhere from here:\n{session.observation}"
        done += advised
        outcomes.append(await session.step(advised[0]))
        assert not outcomes[-1].rejected, f"{advised[0]}: {outcomes[-1].observation}"
    return outcomes


def length(name: str) -> int:
    return sum(len(page.steps) for page in OWN.walks[name])


async def solved(world: WebArena, session: WebSession, name: str) -> float:
    """The reward of the whole walk; a judge, if the task has one, finds its answer correct."""
    *_, outcome = await follow(world, session, name, length(name))
    assert outcome.done
    return (await session.graded((True,))).reward if outcome.to_grade else outcome.reward


async def fallen_short(world: WebArena, session: WebSession, name: str) -> float:
    """The reward of a wrong answer, or of a walk without its last action."""
    if wrong := WRONG.get(OWN.tasks[name].kind):
        outcome = await session.step(wrong)
        return (await session.graded((False,))).reward if outcome.to_grade else outcome.reward
    await follow(world, session, name, length(name) - 2)
    return (await session.step("stop []")).reward


@pytest.mark.web
@pytest.mark.parametrize(("play", "reward"), [(solved, 1.0), (fallen_short, 0.0)])
async def test_a_walk_solves_its_task_and_one_that_falls_short_earns_nothing(
    play: Callable[[WebArena, WebSession, str], Awaitable[float]], reward: float
) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(world: WebArena, name: str) -> float:
        async with places:
            session = await world.open(Task(name=name, seed=0))
            try:
                return await play(world, session, name)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error
            finally:
                await session.close()

    async with world_of() as world:
        found = await asyncio.gather(*(one(world, name) for name in OWN.tasks))
    assert dict(zip(OWN.tasks, found, strict=True)) == dict.fromkeys(OWN.tasks, reward)


PAGE = ShownPage(
    "http://onestopmarket.com/",
    [
        ShownElement(2, "link", "My Account"),
        ShownElement(3, "link", "Delete"),
        ShownElement(4, "textbox", "Search"),
        ShownElement(5, "link", "Delete"),
    ],
)


@pytest.mark.parametrize(
    ("step", "action"),
    [
        (("click", "link", "My Account"), "click [2]"),
        (("click", "link", "Delete"), "click [3]"),
        (("click", "link", "Delete", 2), "click [5]"),
        (("hover", "link", "Delete"), "hover [3]"),
        (("type", "textbox", "Search", "blue [mug]", False), "type [4] [blue [mug]] [0]"),
        (("type", "textbox", "Search", "mug"), "type [4] [mug] [1]"),
        (("press", "Enter"), "press [Enter]"),
        (("scroll", "up"), "scroll [up]"),
        (("goto", "__SHOPPING__/cart"), "goto [http://onestopmarket.com/cart]"),
        (("new_tab",), "new_tab"),
        (("tab_focus", 1), "tab_focus [1]"),
        (("close_tab",), "close_tab"),
        (("go_back",), "go_back"),
        (("go_forward",), "go_forward"),
        (("stop",), "stop []"),
        (("stop", "3 mugs"), "stop [3 mugs]"),
    ],
)
def test_a_step_becomes_the_action_on_the_page_and_is_known_by_it(step: tuple[object, ...], action: str) -> None:
    read = msgspec.convert(step, WalkStep)
    found = step_action(read, PAGE)
    assert found is not None
    assert web_action_text(found) == action
    assert is_step(read, read_web_action(action))
    assert not is_step(read, read_web_action("press [Tab]"))


@pytest.mark.parametrize(
    "step", [("click", "link", "Account"), ("hover", "link", "Delete", 3), ("type", "a", "b", "c")]
)
def test_an_element_that_is_not_there_has_no_action(step: tuple[object, ...]) -> None:
    assert step_action(msgspec.convert(step, WalkStep), PAGE) is None


def test_walks_are_read_by_task_name(tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text('{"1000": [["__SHOPPING__/", [["click", "link", "Orders"]]], ["about:blank", [["stop", "3"]]]]}')
    assert [*read_walks(file)] == ["webarena-1000"]


@pytest.mark.parametrize(
    "walks",
    [
        '{"1000": []}',
        '{"1000": [["__SHOPPING__/", []]]}',
        '{"1000": [["__SHOPPING__/", [["click", "link", "Orders"]]]]}',
        '{"shop": [["__SHOPPING__/", [["stop"]]]]}',
        '{"1000": [["__SHOPPING__/", [["tap", "link", "Orders"], ["stop"]]]]}',
        '{"1000": [["__SHOPPING__/", [["stop", "3", 4]]]]}',
        '{"1000": [["__SHOPPING__/", [["click", "link", "Orders", 0], ["stop"]]]]}',
        "[",
    ],
)
def test_a_walk_that_is_none_is_refused(walks: str, tmp_path: Path) -> None:
    file = tmp_path / "x.walks.json"
    file.write_text(walks)
    with pytest.raises(UsageError, match=r"^walk"):
        read_walks(file)


SHOP = "http://onestopmarket.com"
FORM = (["type", "textbox", "Text", "ten"], ["click", "option", "Blue"], ["click", "button", "Send"])
WALK = convert(
    [
        ["__SHOPPING__/", [["click", "link", "Mugs"]]],
        ["__SHOPPING__/form", FORM],
        ["__SHOPPING__/form", [["stop", "4"]]],
    ],
    Walk,
)
HOME = f"[1] RootWebArea 'Shop'\n\t[2] link 'Mugs'\n\t[3] link 'Cart'\nURL: {SHOP}/"
FILLED = f"[4] textbox 'Text' required: True\n[5] option 'Blue'\n[6] button 'Send'\nURL: {SHOP}/form"
CART = f"[7] button 'Buy'\nURL: {SHOP}/cart"
MUGS, TEXT, BLUE, SEND = "click [2]", "type [4] [ten] [1]", "click [5]", "click [6]"


def test_it_goes_from_step_to_step() -> None:
    done: list[str] = []
    for shown, action in (
        (HOME, MUGS),
        (FILLED, TEXT),
        (FILLED, BLUE),
        (FILLED, SEND),
        (FILLED, "stop [4]"),
    ):
        assert advise(WALK, done, f"{shown}\n\nOBJECTIVE: Say ten") == (action,)
        done.append(action)
    assert advise(WALK, done, "The task has ended.") == ()


def test_what_is_no_step_and_leads_nowhere_is_passed_over_and_several_tries_end_at_the_last_step() -> None:
    assert advise(WALK, [MUGS, "scroll [down]", "I wonder.", "type [4] [eleven] [1]"], FILLED) == (TEXT,)
    assert advise(WALK, [MUGS, TEXT, BLUE, SEND, "click [9]", "click [9]"], FILLED) == ("stop [4]",)


def test_from_another_page_it_goes_back_to_the_one_before_and_does_what_is_to_be_done_there_again() -> None:
    back = f"goto [{SHOP}/]"
    assert advise(WALK, ["click [3]"], CART) == (back,)
    assert advise(WALK, ["click [3]", back], HOME) == (MUGS,)
    form = f"goto [{SHOP}/form]"
    assert advise(WALK, [MUGS, TEXT, "click [3]"], CART) == (form,)
    assert advise(WALK, [MUGS, TEXT, "click [3]", form], FILLED) == (TEXT,)
    assert advise(WALK, [f"goto [{SHOP}/cart]"], CART) == (back,)


def test_a_page_that_lacks_what_the_walk_names_is_loaded_anew_once() -> None:
    lower, form = f"[6] button 'Send'\nURL: {SHOP}/form", f"goto [{SHOP}/form]"
    done = [MUGS, TEXT, "scroll [down]"]
    assert advise(WALK, done, lower) == (form,)
    assert advise(WALK, [*done, form], FILLED) == (TEXT,)
    assert advise(WALK, [*done, form], lower) is None
