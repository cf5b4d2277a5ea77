"""Prompts about a task: instructions, prompt parts, setting and goal; then turns; then a question."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import assert_never

from quintet.messages.execution import Turn
from quintet.messages.parts import Demonstrations, Inventory, LastAction, PromptPart, Reflections, TaskPlan
from quintet.messages.prompts import Prompt, system, user
from quintet.roles.turn_text import as_messages


def opening_prompt(instructions: str, setting: str, goal: str, parts: Sequence[PromptPart] = ()) -> Prompt:
    """The prompt before the first turn."""
    before, beside = by_place(parts)
    return Prompt(
        system(paragraphs(instructions, *before)),
        user(paragraphs(setting, *beside, f"Goal: {goal}.")),
    )


def after_turns(prompt: Prompt, turns: Iterable[Turn]) -> Prompt:
    """A prompt with turns after it, each its own link of the chain."""
    return reduce(lambda before, turn: before.extend(*as_messages(turn)), turns, prompt)


def with_question(prompt: Prompt, question: str) -> Prompt:
    """A prompt that ends in a question.

    The question goes into the last message, since some endpoints refuse two messages of one role in a row.
    """
    return prompt.reworded(paragraphs(prompt.node.appended[-1].content, question))


def paragraphs(*texts: str) -> str:
    """Texts with blank lines between them, without the empty ones."""
    return "\n\n".join(text for text in texts if text)


def by_place(parts: Sequence[PromptPart]) -> tuple[list[str], list[str]]:
    """The texts before the task, and those with it."""
    before: list[str] = []
    beside: list[str] = []
    for part in parts:
        match part:
            case Demonstrations(text=text):
                before.append(text)
            case TaskPlan(text=text):
                before.append(f"A plan for tasks of this kind:\n\n{text}")
            case Reflections(texts=texts):
                before += [paragraphs("What was learnt from failed attempts at this task:", *texts)] if texts else []
            case Inventory(text=text):
                beside.append(text)
            case LastAction(action=action, observation=observation):
                answer = f"\nIt was answered: {observation.strip()}" if observation.strip() else ""
                beside.append(f"The last action that was carried out: {action}{answer}")
            case _:
                assert_never(part)
    return before, beside
