"""What an episode went through, read from the journal that it wrote."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel

from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Fork, Open, Session, Step
from quintet.messages.execution import Decide, Execute, Turn
from quintet.messages.learning import Experience
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.autoplan.config import AutoPlanConfig
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.ports.model import Completion, Sampling
from quintet.runtime.experience import experience
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import Limits, RunSpec
from tests.actors.fakes import GOAL, SETTING, TASK, Kitchen
from tests.simulation.virtual import run

OPENING = f"{SETTING} Please {GOAL}."
APART = {name: f"Say the {name}." for name in ("execute", "execute.thought", "execute.formalizer")}
TOGETHER = {name: f"You are the {name}." for name in ("execute", "decide", "decompose", "demonstrations")}
PLAN = "Step 1: take salt\nStep 2: serve\nExecution Order: (Step 1 AND Step 2)"

SALT = Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt.")
BURNT = Turn(completion="Action: burn", observation="It is burnt.")
SERVED = Turn(completion="Action: serve", observation="Supper is served.")


class Saying:
    """Says one text after the other, whoever asks; and nothing more for an hour."""

    name = "saying"

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if not self._texts:
            await asyncio.sleep(3600)
        return Completion(text=self._texts.pop(0))


def lived(method: Method[Any], *texts: str, seconds: float | None = None) -> Experience:
    """An episode of a method in the kitchen, its model saying these texts, within so many seconds."""
    spec = RunSpec(
        method=method,
        world=Kitchen(),
        models=dict.fromkeys(("executor", "planner"), Saying(*texts)),
        sampling=dict.fromkeys(("executor", "planner"), Sampling(stop=("###",))),
        prompts=APART if isinstance(method, AutoPlan) else TOGETHER,
        seed=0,
        limits=Limits(episode=seconds),
    )
    path = episode_path(TASK.name, 0, 0)

    async def scene() -> Experience:
        journal = SqliteJournal(":memory:")
        async with LocalRuntime(spec, journal, concurrency=1) as runtime:
            (end,) = [end async for end in runtime.run([Planned(path, Solve(task=TASK))])]
            assert end.fault is None
            return experience(TASK.name, journal.reader.records(path))

    return run(scene())


class Nothing(BaseModel):
    """Nothing to set."""


Coroutine = Callable[[Episode], Awaitable[Session]]


def method(coroutine: Coroutine) -> Method[Nothing]:
    """One that does this, and names the session that it leaves."""

    class Own(Method[Nothing]):
        name = "own"
        version = "1"
        requests = (Execute,)

        async def solve(self, episode: Episode) -> Solved | Unsolved:
            return Solved(session=await coroutine(episode), reward=1.0, done=True)

    return Own(Nothing())


async def step(episode: Episode, session: Session, action: str) -> None:
    await episode.ask(Step(session=session, action=action))


async def execute(episode: Episode, session: Session) -> None:
    ask = Execute(session=session, setting=SETTING, goal=GOAL, max_calls=9, patience=3)
    await episode.ask(ask)


def test_autoplan_s_turns_are_told_as_the_executor_said_them_put_together() -> None:
    said = ("Thought: salt.", "Action: the salt", "Action: take salt", "now.", "dish up", "serve")
    assert lived(AutoPlan(AutoPlanConfig()), *said) == Experience(
        task="supper",
        opening=OPENING,
        turns=(SALT, Turn(completion="Thought: now.\nAction: serve", observation="Supper is served.")),
    )


def test_an_action_is_no_thought_where_there_was_none() -> None:
    said = ("", "take the salt", "take salt", "<think>Serve?</think>", "Thought: why not.\nAction: serve", "serve")
    salt = Turn(completion="Action: take salt", observation="You take salt.")
    assert lived(AutoPlan(AutoPlanConfig()), *said).turns == (salt, SERVED)


def test_a_turn_without_an_action_gives_its_thought_to_no_other() -> None:
    said = ("Thought: lost.", "Thought: still lost.", "", "take salt", "take salt", "Thought: lost.", "")
    salt = Turn(completion="Action: take salt", observation="You take salt.")
    assert lived(AutoPlan(AutoPlanConfig(max_steps=3)), *said).turns == (salt,)


def test_a_claim_is_no_step() -> None:
    assert lived(AutoPlan(AutoPlanConfig()), "salt.", "take salt", "take salt", "done.", "task completed").turns == (
        SALT,
    )
    assert lived(React(ReactConfig()), "salt.\nAction: take salt", "Thought: done. Task completed.").turns == (SALT,)


def test_where_thought_and_action_are_one_completion_both_are_read_from_it() -> None:
    said = ("Hm.", "Thought: salt.\nAction: take salt\nand more", "Hm.", "Action: burn", "Action: task failed")
    assert lived(React(ReactConfig()), *said).turns == (SALT, BURNT)


def test_what_was_thought_until_time_was_up_is_told() -> None:
    assert lived(AutoPlan(AutoPlanConfig()), "salt.", "take salt", "take salt", "now.", seconds=60).turns == (SALT,)


def test_a_planner_s_words_are_nobody_s_thoughts_and_the_controller_has_none() -> None:
    said = ("Thought: no.\nAction: task failed", PLAN, "salt.\nAction: take salt", "Action: task completed")
    told = lived(
        Adapt(AdaptConfig(rollback=False, hand_on="inventory")), *said, "Action: serve", "Action: task completed"
    )
    bare = Turn(completion="Action: inventory", observation="You carry: nothing")
    salty = Turn(completion="Action: inventory", observation="You carry: salt")
    assert told.turns == (bare, bare, SALT, salty, SERVED)


def test_an_attempt_that_was_rolled_back_is_left_out() -> None:
    said = ("Action: taste", "Action: task failed", PLAN, "salt.\nAction: take salt", "Action: task completed")
    told = lived(Adapt(AdaptConfig()), *said, "Action: serve", "Action: task completed")
    assert told == Experience(task="supper", opening=OPENING, turns=(SALT, SERVED))


def test_of_several_trials_the_last_is_told() -> None:
    async def again(episode: Episode) -> Session:
        await execute(episode, episode.session)
        opened = await episode.ask(Open(task=episode.task))
        await execute(episode, opened.session)
        return opened.session

    told = lived(method(again), "Action: burn", "Action: task failed", "Action: serve", "Action: task completed")
    assert told == Experience(task="supper", opening=OPENING, turns=(SERVED,))


def test_sessions_acted_in_at_once_are_not_mixed() -> None:
    async def branch(episode: Episode, action: str) -> Session:
        forked = await episode.ask(Fork(session=episode.session))
        await step(episode, forked.session, "wait")
        await step(episode, forked.session, action)
        return forked.session

    async def search(episode: Episode) -> Session:
        async with episode.branches() as group:
            forks = [group.start(branch, episode, action) for action in ("burn", "serve")]
        return forks[1].result()

    waited = Turn(completion="Action: wait", observation="")
    assert lived(method(search)).turns == (waited, SERVED)


def test_executors_at_once_keep_their_thoughts_apart() -> None:
    async def both(episode: Episode) -> Session:
        forked = await episode.ask(Fork(session=episode.session))
        async with episode.branches() as group:
            group.start(execute, episode, forked.session)
            group.start(execute, episode, episode.session)
        return episode.session

    said = ("sugar.\nAction: take sugar", "salt.\nAction: take salt", "Action: task failed", "Action: task failed")
    assert lived(method(both), *said).turns == (SALT,)


def test_a_method_that_acts_itself_has_no_thoughts_whomever_it_asks() -> None:
    async def asks(episode: Episode) -> Session:
        candidates = await episode.ask(Decide(setting=SETTING, goal=GOAL))
        assert candidates.candidates
        await step(episode, episode.session, "burn")
        return episode.session

    assert lived(method(asks), "salt.\nAction: take salt").turns == (BURNT,)


def test_an_episode_that_did_nothing_has_no_turns() -> None:
    assert lived(React(ReactConfig()), "Action: task failed") == Experience(
        task="supper", opening=OPENING, turns=(), reason="the model claims failure"
    )
    assert experience("supper", []) == Experience(task="supper", opening="", turns=())
