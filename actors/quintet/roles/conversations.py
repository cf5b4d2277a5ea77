"""Prompts about a task: instructions, prompt parts, setting and goal; then turns; then a question."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from typing import Final, Literal, TypeAlias, assert_never

from quintet.messages.execution import Turn
from quintet.messages.notes import Note
from quintet.messages.parts import (
    Demonstrations,
    FreeText,
    History,
    Inventory,
    LastAction,
    Notebook,
    NotesTaken,
    OpenPage,
    PromptPart,
    Recollection,
    Reflections,
    Situation,
    TaskPlan,
    TaskSteps,
)
from quintet.messages.prompts import Prompt, system, user
from quintet.roles.example_turns import example_turns
from quintet.roles.turn_text import as_messages, as_sentence

ExamplesShown: TypeAlias = Literal["text", "turns"]

_AROUND_A_PROMPT: Final = 1_000
"""What a kept prompt takes beside its text, in characters."""


class Conversations:
    """Builds prompts, and keeps the latest: a longer history costs only its new turns.

    Args:
        memory: about how many characters of prompts are kept.
        examples: `turns`: worked examples are turns before the task; `text`: they stand below the instructions.
    """

    def __init__(self, *, memory: int = 32 * 2**20, examples: ExamplesShown = "text") -> None:
        self._examples: ExamplesShown = examples
        self._kept: OrderedDict[Hashable, tuple[Prompt, int]] = OrderedDict()
        self._free = memory

    def opening(self, instructions: str, setting: str, goal: str, parts: Sequence[PromptPart] = ()) -> Prompt:
        """The prompt before the first turn: the instructions and the task, with examples before it or between them."""
        turns = [part for part in parts if isinstance(part, Demonstrations)] if self._examples == "turns" else []
        before, beside, growing = _by_place([part for part in parts if part not in turns])
        above = paragraphs(instructions, *before)
        shown = paragraphs(*(part.text for part in turns))
        task = paragraphs(setting, *beside, f"Goal: {as_sentence(goal)}", *growing)
        beginning = self._known((above, shown)) or self._keep((above, shown), _beginning(above, shown))
        return self._known((beginning, task)) or self._keep((beginning, task), _with_task(beginning, task))

    def after(self, prompt: Prompt, turns: Iterable[Turn]) -> Prompt:
        """A prompt with turns after it, each a link of its own."""
        for turn in turns:
            prompt = self._known((prompt, turn)) or self._keep((prompt, turn), prompt.extend(*as_messages(turn)))
        return prompt

    def _known(self, key: Hashable) -> Prompt | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return kept[0]

    def _keep(self, key: Hashable, prompt: Prompt) -> Prompt:
        size = _AROUND_A_PROMPT + sum(len(message.content) for message in prompt.node.appended)
        self._kept[key] = prompt, size
        self._free -= size
        while self._free < 0:
            _, (_, freed) = self._kept.popitem(last=False)
            self._free += freed
        return prompt


def _beginning(instructions: str, examples: str) -> Prompt:
    """What the prompts of all tasks have in common, once for all of them."""
    prompt = Prompt(system(instructions))
    for message in example_turns(examples):
        prompt = prompt.extend(message)
    return prompt


def _with_task(beginning: Prompt, task: str) -> Prompt:
    # Some endpoints refuse two messages of one role in a row.
    seen = beginning.node.appended[-1]
    return beginning.reworded(paragraphs(seen.content, task)) if seen.role == "user" else beginning.extend(user(task))


def with_question(prompt: Prompt, *question: str) -> Prompt:
    """A prompt that ends in a question, in paragraphs; without a question, the prompt itself.

    The question goes into the last message, since some endpoints refuse two messages of one role in a row. Later
    prompts of the conversation are without it.
    """
    if not question:
        return prompt
    return prompt.reworded(paragraphs(prompt.node.appended[-1].content, *question), lasting=prompt.lasting)


def paragraphs(*texts: str) -> str:
    """Texts with blank lines between them, without the empty ones."""
    return "\n\n".join(text for text in texts if text)


def numbered(texts: Iterable[str]) -> str:
    """Texts as a numbered list."""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def _by_place(parts: Sequence[PromptPart]) -> tuple[list[str], list[str], list[str]]:
    """The texts before the task, those with it, and below its goal what changes while it is pursued, the step last."""
    before: list[str] = []
    beside: list[str] = []
    growing: list[str] = []
    now: list[str] = []
    for part in parts:
        match part:
            case Demonstrations(text=text):
                before.append(text)
            case TaskPlan(text=text):
                before.append(f"A plan for tasks of this kind:\n\n{text}")
            case Notebook(recalled=notes):
                before += [paragraphs("What was learnt from other tasks:", *map(_note_text, notes))] if notes else []
            case Reflections(texts=texts):
                before += [paragraphs("What was learnt from failed attempts at this task:", *texts)] if texts else []
            case Inventory(text=text):
                beside.append(text)
            case LastAction(action=action, observation=observation):
                answer = f"\nIt was answered: {observation.strip()}" if observation.strip() else ""
                beside.append(f"The last action that was carried out: {action}{answer}")
            case OpenPage(text=text, product=product):
                found = [f"The product that was found: [{product}]"] if product else []
                beside += [f"The page that is open now:\n{text.strip()}", *found]
            case TaskSteps(steps=steps, current=current):
                growing.append(f"The plan for this task:\n{numbered(steps)}")
                now += [] if current is None else [f"The step to do now: {current}. {steps[current - 1]}"]
            case History(texts=texts):
                growing += [f"What was done so far:\n{bullets(texts)}"] if texts else []
            case NotesTaken(texts=texts):
                growing += [f"Notes that were taken:\n{bullets(texts)}"] if texts else []
            case FreeText(text=text):
                beside.append(text)
            case Recollection() | Situation():
                pass  # said with a turn: see quintet.roles.recollection
            case _:
                assert_never(part)
    return before, beside, [*growing, *now]


def _note_text(note: Note) -> str:
    """A note as one paragraph, so that blank lines separate notes."""
    said = "\n".join(line for line in note.text.splitlines() if line.strip())
    return "\n".join(text for text in (note.title and f"## {note.title}", note.description, said) if text)


def bullets(texts: Iterable[str]) -> str:
    """Texts as a list without numbers."""
    return "\n".join(f"- {text}" for text in texts)
