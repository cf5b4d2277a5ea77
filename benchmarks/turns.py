"""Agent turns: one model call, one environment step and their journaled events."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measuring import ROUNDS, Figure, rate
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Task
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt, user
from quintet.messages.solving import Solve
from quintet.models.scripted import Scripted
from quintet.plugins.catalogue import method, world
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Model, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec

_TURNS = 40
_EPISODES = 128
_LONG = 2_000
_SHORT = 400
"""Episodes of few turns."""


def answers(turns: int) -> list[str]:
    """A model's answers: it acts in every turn but the last, in which it gives up."""
    return ["Thought: I look first.\nAction: get 2 diamond"] * (turns - 1) + ["Action: task failed"]


def scripted_react(turns: int, model: Model) -> RunSpec:
    """ReAct on TextCraft with a model that says `answers(turns)`."""
    react = method("react")
    prompts = find_prompts(react, "textcraft")
    return RunSpec(
        methods=(
            MethodSpec(
                name=react.name,
                method=react(react.options.model_validate({"max_steps": turns, "patience": turns})),
                models={"executor": model},
                sampling={"executor": Sampling()},
                prompts={name: prompts.text(name) for name in ("execute", "demonstrations")},
            ),
        ),
        world=world("textcraft"),
        seed=0,
    )


def turns_of_react(turns: int, number: int, concurrency: int) -> int:
    """Run episodes of so many turns, with a journal on disk; returns the turns of all."""
    spec = scripted_react(turns, Scripted(answers(turns)))
    episodes = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(number)
    ]

    async def run(folder: Path) -> int:
        journal = SqliteJournal(folder / "journal.sqlite")
        async with LocalRuntime(spec, journal, concurrency=concurrency) as runtime:
            async for end in runtime.run(episodes):
                assert end.state == "unsolved", end.why
        journal.close()
        return turns * number

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(run(Path(folder)))


def cpu_of_turn() -> float:
    """Seconds of CPU that a turn takes, with a journal on disk and eight episodes at a time."""
    started = time.process_time()
    done = turns_of_react(_TURNS, _EPISODES, 8)
    return (time.process_time() - started) / done


def _cpu_of_episode(turns: int) -> float:
    """Seconds of CPU that an episode of so many turns takes, of the best round, eight at a time."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        turns_of_react(turns, _SHORT, 8)
        best = min(best, (time.process_time() - started) / _SHORT)
    return best


def _bare() -> int:
    """The same model and world without any actor, message or journal."""
    model, textcraft = Scripted(["Action: get 2 diamond"] * _TURNS), world("textcraft")

    async def run() -> int:
        for epoch in range(_EPISODES):
            state = textcraft.open(Task(name="beehive", seed=epoch))
            prompt = Prompt(user(state.opening.observation))
            for _ in range(_TURNS):
                await model.complete(prompt, Sampling())
                state.step("get 2 diamond")
        return _TURNS * _EPISODES

    return asyncio.run(run())


def figures() -> Iterator[Figure]:
    """Turns per second per core, compared with the bare loop; and in a long episode, compared with short ones."""
    bare = rate(_bare)
    for concurrency in (64, 8):
        found = rate(partial(turns_of_react, _TURNS, _EPISODES, concurrency))
        per_turn = 1e6 / found - 1e6 / bare
        yield Figure(
            f"agent turns, journal on disk, {concurrency} episodes",
            found,
            "/s",
            f"{per_turn:.0f} us over the bare loop",
        )
    short, long = (rate(partial(turns_of_react, turns, _LONG // turns, 1)) for turns in (_TURNS, _LONG))
    title = f"agent turns, journal on disk, one episode of {_LONG:,}"
    yield Figure(title, long, "/s", f"{short / long:.2f} times as long as in one of {_TURNS}, {short:,.1f} /s")
    one, many = _cpu_of_episode(1), _cpu_of_episode(21)
    turn = (many - one) / 20
    title = "a short episode beyond its turns, CPU"
    yield Figure(title, 1e6 * (one - turn), "us", f"as much as {(one - turn) / turn:.2f} turns of {1e6 * turn:.0f} us")
