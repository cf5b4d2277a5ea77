"""A question with its draws, the expert's way where it stands, and what its prompt shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from quintet.messages.environment import Trail
from quintet.messages.execution import Turn
from quintet.messages.prompts import Prompt
from quintet.models.stand_in.copies import Copies, Way
from quintet.models.stand_in.slips import Slips, says, thing_of
from quintet.ports.model import Asked
from quintet.roles.turn_text import actions_of

AnswerFields: TypeAlias = Mapping[str, Any]
"""Of an answer, as its shape writes them."""


_MARK = "(answer)"
"""Stands for an answer."""


@dataclass(frozen=True)
class AskedQuestion:
    """What an answer depends on."""

    asked: Asked
    prompt: Prompt
    slips: Slips
    copies: Copies

    @property
    def begun(self) -> Trail | None:
        """Where its turns begin, or where it is asked; None: it is about no session."""
        return self.asked.trail

    def after(self, turns: tuple[Turn, ...]) -> Trail | None:
        """Where it stands after some of its turns."""
        return self.then(actions_of(turns))

    def then(self, actions: tuple[str, ...]) -> Trail | None:
        """Where it stands after some actions."""
        return None if self.begun is None else self.begun.then(*actions)

    async def way(self, at: Trail | None, seen: str = "") -> Way:
        """The expert's way from somewhere; nobody knows one where there is no session."""
        world = self.asked.world
        return Way(None) if at is None or world is None else await self.copies.way(world.world, at, seen)

    async def way_from_start(self) -> Way:
        """The expert's way from the start of the task."""
        return await self.way(None if self.begun is None else Trail(task=self.begun.task))

    def answer_in(self, way: Way) -> str | None:
        """The answer that the next action of a way gives; None: it gives none."""
        if self.asked.world is None or not way.actions:
            return None
        before, _, after = self.asked.world.world.answer_action(_MARK).partition(_MARK)
        action = way.actions[0]
        is_answer = bool(before) and action.startswith(before) and action.endswith(after)
        return action.removeprefix(before).removesuffix(after) if is_answer else None

    def slips_on(self, action: str, goal: str, *apart: str) -> bool:
        """Whether an action goes wrong: it is drawn, and the prompt does not name it.

        Args:
            action: the right one.
            goal: in whose words it is drawn.
            apart: texts of the prompt that are no advice: the setting and what was seen.
        """
        thing = thing_of(action)
        return self.slips.go_wrong(thing, goal) and not says(thing_of(self._advice((*apart, goal))), thing)

    def _advice(self, apart: tuple[str, ...]) -> str:
        """The prompt's instructions, its task and its last message, without these texts, the longest first."""
        text = self._ends
        for each in sorted(apart, key=len, reverse=True):  # a long one may contain a short one
            text = text.replace(each.strip(), " ") if each.strip() else text
        return text

    @cached_property
    def _ends(self) -> str:
        messages = self.prompt.messages()
        return "\n".join(message.content for message in (*messages[:2], *messages[2:][-1:]))


def part_of(goal: str, way: Way) -> int:
    """How many actions of a way have been done once a goal is reached that names some of them; 0: it names none."""
    named = [says(goal, action) for action in way.actions or ()]
    if True not in named:
        return 0
    first = named.index(True)
    rest = named[first:]
    return first + (rest.index(False) if False in rest else len(rest))


def left_of(goal: str, begun: Way, now: Way) -> tuple[str, ...] | None:
    """The actions that are left until a goal is reached; none: it is. None: the expert knows no way.

    Args:
        goal: a part of the task's if it names actions of the way from where it was begun, else the task's own.
        begun: that way.
        now: the way from where it is asked.
    """
    if now.actions is None:
        return None
    part = part_of(goal, begun)
    after = len(begun.actions or ()) - part if part else 0
    return now.actions[: max(0, len(now.actions) - after)]
