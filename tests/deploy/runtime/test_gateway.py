"""Refs and the gateway of a run: concurrent asks, other threads, what an answer took, and what a closed run says."""

import asyncio
import pickle
import sqlite3
import threading
from contextlib import closing, nullcontext
from dataclasses import replace
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Any

import pytest

from quintet.api import open_run
from quintet.config.settings import from_table
from quintet.errors import BudgetSpent, RunBusy, RunClosed, UsageError
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.completion import Complete
from quintet.messages.environment import ListActions
from quintet.messages.message import Unanswered
from quintet.messages.planning import Decompose, Decomposed
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Sampling
from quintet.quota.prices import Price
from quintet.runtime.gateway import refuse_other_request
from quintet.runtime.refs import Ref, RefAnswer
from quintet.testing.replay import with_model

pytestmark = pytest.mark.real_time

SETTING = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"
Plan = RefAnswer[Decomposed | Unanswered]
STICK = Decompose(setting=SETTING, goal="craft stick")


def opened(journal: FilePath | str | None = None, **options: Any) -> Any:
    return open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=journal, **options)


def plan(answer: Plan) -> str:
    assert isinstance(answer.reply, Decomposed)
    return str(answer.reply.plan)


async def test_a_ref_is_asked_concurrently_and_every_answer_says_what_it_took() -> None:
    async with opened() as run:
        planner, goals = run.ref("planner"), ["craft stick", "craft oak planks"] * 4
        asks = (planner.ask(Decompose(setting=SETTING, goal=goal)) for goal in goals)
        answers: list[Plan] = await asyncio.gather(*asks)
    assert len({answer.path for answer in answers}) == 8
    assert {answer.calls for answer in answers} == {1}
    assert all(answer.usage.prompt_tokens > 0 and answer.usage.completion_tokens > 0 for answer in answers)
    assert "stick" in plan(answers[0]), "of a task that nobody plays its plan is the goal"
    assert plan(answers[0]) != plan(answers[1])
    assert {answer.dollars for answer in answers} == {None}, "a simulated model has no price"


PRICE = Price(input=Decimal(2), cached_input=Decimal(1), output=Decimal(10))


def prepared(**tables: Any) -> Prepared:
    given = {"method": {"name": "adapt"}, "environment": {"name": "textcraft"}, "run": {"tasks": 1}}
    return prepare([from_table({**given, **tables}, "a test")])


@pytest.mark.parametrize("kept", [True, False])
async def test_an_answer_has_its_cost_and_the_budget_holds_whether_visits_are_kept_or_not(
    kept: bool, tmp_path: FilePath
) -> None:
    answers: list[Plan] = []
    limited = prepared(limits={"budget_tokens": 20_000})
    priced = replace(limited, prices={model.name: PRICE for model in limited.spec.models.values()})
    with WritableRun.create(tmp_path / "run", priced) if kept else nullcontext(priced) as run:
        async with open_evaluation(run, keep_visits=kept) as evaluation:
            planner = evaluation.ref("planner")

            async def ask_on() -> None:
                while True:
                    answers.append(await planner.ask(STICK))

            with pytest.raises(BudgetSpent):
                await ask_on()
    assert 0 < sum(answer.usage.prompt_tokens + answer.usage.completion_tokens for answer in answers) <= 20_000
    for answer in answers:
        usage = answer.usage
        assert answer.dollars == pytest.approx((usage.prompt_tokens * 2 + usage.completion_tokens * 10) / 1e6)
    if kept:
        with closing(sqlite3.connect(tmp_path / "run" / "journal.sqlite")) as journal:
            calls = [path for (path,) in journal.execute("SELECT path FROM calls ORDER BY id")]
        assert calls == [f"{answer.path}/1/1" for answer in answers]


async def test_a_ref_answers_on_loops_of_other_threads() -> None:
    async with opened() as run:
        planner = run.ref("planner")
        answers = await asyncio.gather(*(elsewhere(planner) for _ in range(3)))
    assert len({answer.path for answer in answers}) == 3
    assert len({str(answer.reply) for answer in answers}) == 1


async def elsewhere(planner: Ref) -> Plan:
    """Ask on a loop of another thread."""
    return await asyncio.to_thread(lambda: asyncio.run(planner.ask(STICK)))


class Stuck:
    """A model that answers nobody."""

    name = "stuck"

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.dropped = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked.release()
        try:
            await asyncio.Event().wait()
        finally:
            self.dropped += 1
        raise AssertionError


def stuck(model: Stuck) -> Prepared:
    run = prepared()
    return replace(run, spec=with_model(run.spec, model))


async def test_closing_the_run_fails_what_is_in_flight_here_and_on_other_threads() -> None:
    model = Stuck()
    async with open_evaluation(stuck(model)) as run:
        planner = run.ref("planner")
        asking = [asyncio.create_task(planner.ask(STICK)), asyncio.create_task(elsewhere(planner))]
        for _ in range(2):
            await asyncio.to_thread(model.asked.acquire)
    errors = await asyncio.gather(*asking, return_exceptions=True)
    assert [str(error) for error in errors] == ["planner: expected an open run, got one that was closed"] * 2
    assert {type(error) for error in errors} == {RunClosed}
    assert model.dropped == 2


async def test_a_caller_that_leaves_is_dropped_at_the_role_too_wherever_it_was() -> None:
    model = Stuck()

    async def leave(planner: Ref) -> None:
        asking = asyncio.create_task(planner.ask(STICK))
        await asyncio.to_thread(model.asked.acquire)
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()

    async with open_evaluation(stuck(model)) as run:
        planner = run.ref("planner")
        await leave(planner)
        assert model.dropped == 1
        await asyncio.to_thread(lambda: asyncio.run(leave(planner)))
    assert model.dropped == 2


async def test_an_ask_too_many_is_refused_at_once_and_one_that_has_left_makes_room() -> None:
    model = Stuck()
    async with open_evaluation(stuck(model), max_asks=2) as run:
        planner = run.ref("planner")
        asking = [asyncio.create_task(planner.ask(STICK)), asyncio.create_task(elsewhere(planner))]
        for _ in range(2):
            await asyncio.to_thread(model.asked.acquire)
        for ask in (planner.ask(STICK), elsewhere(planner)):
            with pytest.raises(RunBusy, match=r"^planner: expected at most 2 asks at once \(max_asks\), got one more$"):
                await ask
        asking[0].cancel()
        await asyncio.wait(asking[:1])
        asking[0] = asyncio.create_task(planner.ask(STICK))
        await asyncio.to_thread(model.asked.acquire)
    errors = await asyncio.gather(*asking, return_exceptions=True)
    assert {type(error) for error in errors} == {RunClosed}


async def test_a_bound_of_no_asks_is_refused() -> None:
    with pytest.raises(UsageError, match="max_asks: expected at least 1, got 0"):
        async with opened(max_asks=0):
            pass


async def test_a_request_that_the_role_does_not_answer_and_a_role_that_the_run_has_not_are_refused() -> None:
    async with opened() as run:
        with pytest.raises(UsageError, match=r"expected a role of this run, executor, planner, .*got 'critic'"):
            run.ref("critic")
        with pytest.raises(UsageError, match=r"expected a request that planner answers, .*Decompose.*got ListActions"):
            await run.ref("planner").ask(ListActions(session=None))  # type: ignore[arg-type]


def test_a_request_that_names_another_role_is_refused() -> None:
    accepted = {"critic": ("Complete",)}
    refuse_other_request(accepted, "critic", Complete(role="critic", messages=(user("?"),)))
    with pytest.raises(UsageError, match="expected a request of critic, got one of voter"):
        refuse_other_request(accepted, "critic", Complete(role="voter", messages=(user("?"),)))


async def test_a_closed_run_refuses_its_refs_on_every_thread() -> None:
    async with opened() as run:
        planner: Ref = run.ref("planner")
    for ask in (planner.ask(STICK), elsewhere(planner)):
        with pytest.raises(RunClosed, match="planner: expected an open run, got one that was closed"):
            await ask


async def test_a_ref_of_a_run_in_one_process_is_not_pickled() -> None:
    async with opened() as run:
        with pytest.raises(UsageError, match=r"expected a run on Ray \(runtime\.kind\) to hand a ref to another"):
            pickle.dumps(run.ref("planner"))


def test_a_ref_of_a_run_whose_loop_is_gone_says_that_it_is_closed() -> None:
    async def leave() -> tuple[Any, Ref]:
        run = opened()
        return run, (await run.__aenter__()).ref("planner")

    loop = asyncio.new_event_loop()
    _run, ref = loop.run_until_complete(leave())
    loop.close()
    with pytest.raises(RunClosed, match="planner: expected an open run, got one that was closed"):
        asyncio.run(ref.ask(STICK))
