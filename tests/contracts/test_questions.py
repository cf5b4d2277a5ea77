"""Every text of a typed question stands in its prompt, so that no model is told more than the prompt says.

A random model goes down the branches of every method in every world, and of every learner.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import Struct
from msgspec.structs import replace

from quintet.api import evaluate, open_run
from quintet.messages.notes import Note
from quintet.messages.parts import SectionRecall, Situation
from quintet.messages.prompts import Prompt
from quintet.messages.reflection import Choose
from quintet.methods.base.method import LearnerSpec
from quintet.plugins.catalogue import method, names
from quintet.ports.model import Asked, Completion, Sampling
from quintet.testing.random_model import RandomModel

WORLDS = ("textcraft", "alfworld", "hotpotqa", "webshop")
PLAYED = [(by, world) for by in names("method") for world in WORLDS if world in method(by).worlds]
LEARNERS = [name for name in names("method") if method(name).learner is not None]
_NAMES = frozenset(
    {
        "phase",
        "depth",
        "part",
        "task",
        "task_type",
        "criterion",
        "retrieval",
        "control",
        "source",
        "session",
        "tools_of",
        "of",
    }
)
"""Fields in the program's words: how calls are counted, the name of a task, where a tuple is from."""
_SHOWN = 500
"""Characters of a text that stand in the prompt at least: long examples are cut."""


class Reader(RandomModel):
    """Notes the texts of questions that do not stand in their prompts."""

    def __init__(self) -> None:
        super().__init__()
        self.questions = 0
        self.unsaid: list[tuple[str, str]] = []

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self.questions += 1
        said = plain("\n".join(message.content for message in prompt.messages()))
        self.unsaid += [
            (asked.question, text) for text in texts(shown(asked.about)) if plain(text)[:_SHOWN] not in said
        ]
        return await super().answer(prompt, sampling, asked)


def learner_of(by: str) -> type[LearnerSpec[Any]]:
    learner = method(by).learner
    assert learner is not None
    return learner


def plain(text: str) -> str:
    return " ".join(text.split())


def shown(about: Struct) -> Struct:
    """A question without what its prompt hides: what was seen last in an option that has ended."""
    if not isinstance(about, Choose):
        return about
    options = tuple(
        (*turns[:-1], replace(turns[-1], observation="")) if turns and number in about.ended else turns
        for number, turns in enumerate(about.options, 1)
    )
    return replace(about, options=options)


def texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Situation(evaluation=evaluation) if evaluation:  # its lines stand on one
            yield from (*evaluation.splitlines(), value.observation, value.summary)
        case Note(title=title, description=description, text=text):
            yield from (title, description, text)
        case SectionRecall():
            pass
        case tuple():
            for each in cast("tuple[object, ...]", value):
                yield from texts(each)
        case Struct():
            for name in value.__struct_fields__:
                if name not in _NAMES:
                    yield from texts(getattr(value, name))
        case _:
            pass


@pytest.mark.parametrize(("by", "world"), PLAYED)
def test_a_prompt_says_all_that_the_question_says(by: str, world: str) -> None:
    reader = Reader()
    evaluate(by, world, model=reader, tasks=1, settings={"limits": {"episode_calls": 25}})
    assert reader.questions > 0
    assert reader.unsaid == []


@pytest.mark.real_time
@pytest.mark.parametrize("by", LEARNERS)
async def test_a_learners_prompt_does_so_too(by: str, tmp_path: Path) -> None:
    reader = Reader()
    batch = {"batch": 2} if "batch" in learner_of(by).options.model_fields else {}
    settings = {"run": {"learn": True}, "learning": {"tasks": 4, **batch}, "limits": {"episode_calls": 40}}

    async with open_run(by, "textcraft", model=reader, tasks=2, journal=tmp_path / "run", settings=settings) as run:
        async for _ in run.run(run.left()):
            pass
    assert reader.questions > 0
    assert reader.unsaid == []
