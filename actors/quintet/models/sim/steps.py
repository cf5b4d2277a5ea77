"""Answers about a plan for one task: its steps, whether an action serves one of them, and whether one is reached.

A step that can be read as a goal is pursued and judged as one; any other leaves the goal of the task. Whether an action
serves a step is seen from what was answered before and after it. Nothing that was refused serves, nor what changed
nothing, nor a place that was searched in vain: the source goes back from an order that does not show the thing.

Source: Devil's Advocate, sections 3.1 to 3.3 and figures 3 and 4.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace

from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.memory import MemoryAnswers
from quintet.models.sim.mind import Mind
from quintet.models.sim.pursuit import describe
from quintet.models.sim.requests import StepRequestKind
from quintet.models.sim.transcript import Exchange, Reading, TaskT, goals_in

_AROUND_ACTION = re.compile(
    r"^[ \t]*(?:(?:the )?(?P<action>action)|(?P<when>before|after)(?: the action)?)[ \t]*:\s*",
    re.IGNORECASE | re.MULTILINE,
)
_THEN_AND_NOW = re.compile(
    r"^[ \t]*(?:the (?P<action>action)\b[^\n:]*|what (?:was|is) seen (?P<when>then|now))[ \t]*:\s*",
    re.IGNORECASE | re.MULTILINE,
)
_SEEN = re.compile(r"^[ \t]*what is seen[ \t]*:\s*", re.MULTILINE | re.IGNORECASE)
_NUMBERED = re.compile(r"\b([a-z]+) (\d{1,9})\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"(?<=\[)\d{1,9}(?=\])")
_LISTED_THING = re.compile(r"^[ \t]*\[(\d{1,9})\] (\S[^\n]*)$", re.MULTILINE)


class StepAnswers(MemoryAnswers[TaskT]):
    """The part of a player that plans one task, and judges its steps."""

    @abstractmethod
    def plan_steps(self, reading: Reading[TaskT], mind: Mind) -> Iterable[str]:
        """The steps of a plan for a task, at least one, with what the past shows of it."""

    @abstractmethod
    def with_goal(self, task: TaskT, goal: str, times: int) -> TaskT | None:
        """The task with another goal, to be reached so many times in all; None: the text is no goal of this world."""

    @abstractmethod
    def serves(self, reading: Reading[TaskT], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether a step of the world serves the goal of the reading.

        Args:
            reading: its goal is the step of the plan.
            before: what was seen before.
            done: the action, and what was seen after it.
            mind: how well it is read.
        """

    @abstractmethod
    def progress(self, reading: Reading[TaskT], mind: Mind) -> float:
        """How far the steps have come, in [0, 1]; 1: the goal is reached; 0 also where there is no way to it."""

    @abstractmethod
    def shorten(self, goal: str, observation: str) -> str | None:
        """What an observation shows that matters for a goal; None: the goal is not of this world."""

    def describe_step(self, reading: Reading[TaskT], before: str, action: str, after: str) -> str:
        """One sentence about an action, such that what matters of it can be read back."""
        return describe(action, after)

    def answer_about_steps(self, kind: StepRequestKind, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """The answer to a request; None if the conversation is not about this world, or cannot be read."""
        match kind:
            case "steps":
                reading = self.read(messages)
                return None if reading is None else _listed(self.plan_steps(reading, mind))
            case "alignment":
                return self._align(messages, mind)
            case "verdict":
                return self._judge(messages, mind)
            case "condensed":
                return self._condense(messages[-1].content)
            case "retargeted":
                return _retarget(messages[-1].content)

    def aimed_at_step(self, reading: Reading[TaskT]) -> Reading[TaskT] | None:
        """The reading with the step that is pursued as its goal; None: there is none, or it is no goal."""
        pursuit = reading.pursuit
        aimed = None if pursuit.step is None else self.with_goal(reading.task, pursuit.step, pursuit.times)
        return None if aimed is None else replace(reading, task=aimed)

    def _align(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        *_, last = messages
        head, shown = _labelled(_AROUND_ACTION, last.content)
        reading = self.read((*messages[:-1], user(head)))
        if reading is None or "action" not in shown or "after" not in shown:
            return None
        action, after = shown["action"], shown["after"]
        before, done = self.read_exchange("", shown.get("before", "")), self.read_exchange(f"Action: {action}", after)
        serves = self.serves(self.aimed_at_step(reading) or reading, before, done, mind)
        step = reading.pursuit.step or reading.task.wording
        serves = serves != mind.misreading.wrong(reading.task.wording, "serves", step, action)
        return f"{self.describe_step(reading, shown.get('before', ''), action, after)}\n{_yes_or_no(serves)}"

    def _judge(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """A step that is no goal counts as completed, since nothing shows what it would take."""
        reading = self.read(messages)
        if reading is None:
            return None
        step = reading.pursuit.step
        aimed = reading if step is None else self.aimed_at_step(reading)
        completed = aimed is None or self.progress(aimed, mind) >= 1
        return f"I compare what was done with this: {step or reading.task.wording}.\n{_yes_or_no(completed)}"

    def _condense(self, message: str) -> str | None:
        goals, seen = goals_in(message), _SEEN.search(message)
        if not goals or seen is None:
            return None
        short = self.shorten(goals[0], message[seen.end() :].strip())
        return None if short is None else f"Short description: {short}"


def _labelled(form: re.Pattern[str], message: str) -> tuple[str, dict[str, str]]:
    """The text before the first label, and what follows each, up to the next one."""
    labels = [*form.finditer(message)]
    if not labels:
        return message, {}
    ends = [*(label.start() for label in labels[1:]), len(message)]
    said = {
        (label["when"] or "action").lower(): message[label.end() : end].strip()
        for label, end in zip(labels, ends, strict=True)
    }
    return message[: labels[0].start()].rstrip(), said


def _retarget(message: str) -> str | None:
    """The action with the numbers that things of its kinds have now, in the same order."""
    _, shown = _labelled(_THEN_AND_NOW, message)
    if "action" not in shown or "now" not in shown:
        return None
    if things := _LISTED_THING.findall(shown.get("then", "")):
        return f"New action is: {_renumbered(shown['action'], things, _LISTED_THING.findall(shown['now']))}"
    before, now = _numbers(shown.get("then", "")), _numbers(shown["now"])

    def moved(name: re.Match[str]) -> str:
        kind, number = name[1].lower(), name[2]
        there = now.get(kind, [])
        place = before.get(kind, []).index(number) if number in before.get(kind, []) else len(there)
        return name[0] if number in there or place >= len(there) else f"{name[1]} {there[place]}"

    return f"New action is: {_NUMBERED.sub(moved, shown['action'])}"


def _renumbered(action: str, then: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]) -> str:
    """The action on the thing in the same words, the same one of those that have them: `[12] link 'Next'`."""
    words = dict(then)

    def moved(number: re.Match[str]) -> str:
        same = [each for each, said in then if said == words.get(number[0])]
        there = [each for each, said in now if said == words.get(number[0])]
        place = same.index(number[0]) if number[0] in same else len(there)
        return there[place] if place < len(there) else number[0]

    return _IN_BRACKETS.sub(moved, action, count=1)


def _numbers(text: str) -> dict[str, list[str]]:
    """By kind of thing: the numbers that name things, in the order of the text."""
    found: dict[str, list[str]] = {}
    for kind, number in _NUMBERED.findall(text):
        found.setdefault(kind.lower(), []).append(number)
    return found


def _listed(steps: Iterable[str]) -> str:
    return "\n".join(["List", *(f"{number}. {step}" for number, step in enumerate(steps, 1))])


def _yes_or_no(said: bool) -> str:
    return "YES" if said else "NO"
