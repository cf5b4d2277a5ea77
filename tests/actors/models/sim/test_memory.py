"""Summaries are read back as if their writer's past had been seen."""

from collections.abc import Sequence
from functools import cache

import pytest

from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.alfworld.picture import Picture, picture_after
from quintet.models.sim.alfworld.player import AlfworldPlayer
from quintet.models.sim.alfworld.task import kind_in, read_house_task
from quintet.models.sim.model import fallible
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.player import TextcraftPlayer
from quintet.models.sim.textcraft.task import read_craft_task
from quintet.models.sim.transcript import Exchange
from tests.actors.models.sim.answers import action_in, said

ACT = system("Write one action.\nAction: one action")


@cache
def played(name: str, task: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A task as text, and the actions and observations of a player that errs."""
    world = TextCraft() if name == "textcraft" else AlfWorld(causes=True)
    state = world.open(Task(name=task, seed=0))
    text = f"{state.opening.setting}\n\nGoal: {state.opening.goal}."
    prompt, steps = Prompt(ACT, user(text)), list[tuple[str, str]]()
    for _ in range(40):
        action = action_in(said(fallible(0.2), prompt))
        outcome = state.step(action)
        steps.append((action, outcome.observation))
        prompt = prompt.extend(assistant(f"Action: {action}"), user(outcome.observation))
        if outcome.done:
            break
    return text, tuple(steps)


def tasks(name: str) -> Sequence[str]:
    world = TextCraft() if name == "textcraft" else AlfWorld()
    found = world.tasks(world.splits[-1])
    return found[:: len(found) // 12][:12]


def _relevant(seen: Picture, wanted: set[str | None]) -> object:
    things = {place: [name for name in names if kind_in(name) in wanted] for place, names in seen.contents.items()}
    return (seen.here, things, seen.held, seen.treated, seen.laid, seen.lit, seen.refused, seen.failed_inside)


@pytest.mark.parametrize("end", [1, 5, 12, 40])
def test_a_household_is_pictured_the_same_after_its_summary(end: int) -> None:
    player = AlfworldPlayer()
    for name in tasks("alfworld"):
        text, steps = played("alfworld", name)
        task = read_house_task(text)
        assert task is not None
        past = [player.read_exchange(f"Action: {action}", said) for action, said in steps[:end]]
        told = " ".join(player.sum_up(task, past))
        heard = [step for sentence in told.split(". ") for step in player.hear(sentence)]
        wanted: set[str | None] = {task.goal.thing, task.goal.lamp}
        assert _relevant(picture_after("", heard), wanted) == _relevant(picture_after("", past), wanted), told


@pytest.mark.parametrize("end", [1, 5, 12, 40])
def test_items_are_believed_the_same_after_their_summary(end: int) -> None:
    player = TextcraftPlayer()
    for name in tasks("textcraft"):
        text, steps = played("textcraft", name)
        task = read_craft_task(text)
        assert task is not None
        past = [player.read_exchange(f"Action: {action}", said) for action, said in steps[:end]]
        told = " ".join(player.sum_up(task, past))
        heard = [step for sentence in told.split(". ") for step in player.hear(sentence)]
        one, other = believe((), heard), believe((), past)
        assert +one.carried == +other.carried, told
        assert (one.crafted, one.not_found, one.refused) == (other.crafted, other.not_found, other.refused), told


def test_a_summary_of_nothing_seen_says_nothing() -> None:
    text, _ = played("textcraft", tasks("textcraft")[0])
    task = read_craft_task(text)
    assert task is not None
    assert list(TextcraftPlayer().sum_up(task, [Exchange("get 1 stick", "")])) == []
