"""Answers for a memory: which subgoals are complete, the past in short, types of texts, and where processes part.

A summary has plain sentences about what the past shows and what matters for the goal: where its things were seen, which
places were searched, what was taken, made, laid or treated, what is held, what was refused. Its last sentence names the
last action, whose outcome is the present observation. The player reads the sentences back as if it saw all that happen;
what a summary leaves out, it does not know. To write it, every level reads the whole past, as it reads a past job, so
the summary mends the memory of a level that reads the last steps only.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic

from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.comparison import find_parting
from quintet.models.sim.hindsight import without_passed_over
from quintet.models.sim.mind import Mind
from quintet.models.sim.pursuit import NO_PURSUIT, Pursuit, read_pursuit
from quintet.models.sim.recollection import LastMessage, ShownState, read_recollection
from quintet.models.sim.requests import MemoryRequestKind
from quintet.models.sim.sorting import Topic, find_type, share_out
from quintet.models.sim.transcript import Exchange, Reading, TaskT, read_conversation

_LAST_ACTION = re.compile(r"\bmy last action was:? (?P<action>.+?)\.?\s*\Z", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!])\s+")


class MemoryAnswers(ABC, Generic[TaskT]):
    """The part of a player that writes and reads what a memory holds."""

    @abstractmethod
    def read_task(self, text: str) -> TaskT | None:
        """The task at the end of a text, perhaps after worked examples; None if there is none of this world."""

    @abstractmethod
    def read_exchange(self, answer: str, observation: str) -> Exchange:
        """One step: an answer with an action, and the observation."""

    @abstractmethod
    def subgoals(self, reading: Reading[TaskT], mind: Mind) -> Iterable[tuple[str, bool]]:
        """The subgoals of the task, and whether each is complete."""

    @abstractmethod
    def sum_up(self, task: TaskT, steps: Sequence[Exchange]) -> Iterable[str]:
        """What steps show that matters for the task, in sentences."""

    @abstractmethod
    def hear(self, sentence: str) -> Iterable[Exchange]:
        """What a sentence of a summary says, as steps; none if it says nothing that this world knows."""

    @abstractmethod
    def outlasting(self, steps: Sequence[Exchange]) -> Iterable[Exchange]:
        """What steps showed that still holds after all of them were undone."""

    @abstractmethod
    def topic(self, text: str) -> Topic | None:
        """What a goal or an observation speaks of; None if it is not of this world."""

    def answer_for_memory(self, kind: MemoryRequestKind, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        """The answer to a request; None if the conversation is not about this world, or cannot be read."""
        match kind:
            case "evaluation":
                return self._evaluate(messages, mind)
            case "past":
                return self._sum_up(messages, mind)
            case "clusters":
                return share_out(messages, self.topic, mind.misreading)
            case "index":
                return find_type(messages, self.topic, mind.misreading)
            case "comparison":
                return find_parting(messages, mind.misreading)

    def read(self, messages: Sequence[ChatMessage]) -> Reading[TaskT] | None:
        """The conversation, with what its last message recalls."""
        shown, pursuit = LastMessage("", "", None), NO_PURSUIT
        if messages and messages[-1].role == "user":
            shown = read_recollection(messages[-1].content)
            before, pursuit = read_pursuit(shown.before)
            messages = (*messages[:-1], user(before))
        reading = read_conversation(messages, self.read_task, self.read_exchange)
        if reading is None:
            return None
        texts = (*reading.texts, *pursuit.texts(), *([shown.examples] if shown.examples else []))
        reading = replace(reading, texts=texts, pursuit=pursuit)
        if shown.situation is None and not pursuit.done:
            return reading
        done = tuple(self._done(pursuit))
        return replace(reading, past=(*done, *(self._seen_now(shown.situation, done) if shown.situation else ())))

    def _done(self, pursuit: Pursuit) -> Iterator[Exchange]:
        """The steps of the pursuit that still count, after what the undone ones showed that still holds."""
        deeds = [(deed, self.read_exchange(f"Action: {deed.action}", deed.observation)) for deed in pursuit.deeds()]
        yield from self.outlasting([step for deed, step in deeds if deed.undone])
        yield from (step for deed, step in deeds if not deed.undone)

    def _seen_now(self, situation: ShownState, done: Sequence[Exchange]) -> Iterator[Exchange]:
        """What a summary says, and what is seen now, unless that was told already as the answer to a step."""
        summary = situation.summary
        last = _LAST_ACTION.search(summary)
        for sentence in _SENTENCE.split(summary[: last.start()] if last else summary):
            yield from self.hear(sentence)
        now = self.read_exchange(f"Action: {last['action']}" if last else "", situation.observation)
        if all(" ".join(now.observation.split()) != step.observation for step in done):
            yield now

    def _evaluate(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        reading = self.read(messages)
        if reading is None:
            return None
        whole = replace(reading, steps=(), past=reading.steps)
        lines = enumerate(self.subgoals(whole, mind), 1)
        return "\n".join(
            f"subgoal {number}: {goal} - {'complete' if complete else 'incomplete'}"
            for number, (goal, complete) in lines
        )

    def _sum_up(self, messages: Sequence[ChatMessage], mind: Mind) -> str | None:
        reading = self.read(messages)
        if reading is None or not reading.steps:
            return None
        *steps, last = reading.steps
        seen = without_passed_over(reading.task.wording, steps, mind.misreading)
        told = [*self.sum_up(reading.task, seen), f"My last action was: {last.action}."]
        return "Summary: " + " ".join(told)
