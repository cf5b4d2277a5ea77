"""What the prompts about a goal say of where it begins: the setting if it lasts, and no page that is gone since."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from quintet.messages.parts import FreeText, LastAction, OpenPage, PromptPart
from quintet.methods.base.episode import Episode


@dataclass(frozen=True)
class GoalOpening:
    """Where a goal begins."""

    episode: Episode

    @property
    def takes_answer(self) -> bool:
        """Whether the goal is a whole task that its world ends with an answer."""
        return not self.episode.subgoal and bool(self.episode.answer_action(""))

    @property
    def ends_itself(self) -> bool:
        """Whether the world itself says when the goal is reached: it is a whole task, and takes no answer."""
        return not self.episode.subgoal and not self.episode.answer_action("")

    @property
    def seen(self) -> str:
        """What is seen first: in a world of pages the page that was handed on, if one was."""
        pages = [page for part in self.episode.inherited if (page := _page_of(part))]
        return pages[-1] if pages and self.episode.opens_on_page else self.episode.setting

    @cached_property
    def inherited(self) -> tuple[PromptPart, ...]:
        """The parts that came with the goal."""
        return self._kept(self.episode.inherited)

    @cached_property
    def parts(self) -> tuple[PromptPart, ...]:
        """The parts of the executor."""
        return self._kept(self.episode.parts)

    def _kept(self, parts: Iterable[PromptPart]) -> tuple[PromptPart, ...]:
        kept = [each for part in parts for each in (_without_page(part) if self.episode.opens_on_page else [part])]
        answer = self.episode.answer_action("the answer")
        if self.episode.subgoal and answer:
            kept.append(
                FreeText(text=f"A goal that asks to answer or finish the whole task ends by this action: {answer}")
            )
        return tuple(kept)


def _page_of(part: PromptPart) -> str:
    match part:
        case OpenPage(text=text):
            return text
        case LastAction(observation=observation):
            return observation
        case _:
            return ""


def _without_page(part: PromptPart) -> Iterator[PromptPart]:
    if not _page_of(part):
        yield part
    elif isinstance(part, OpenPage) and part.product:
        yield FreeText(text=f"The product that was found: [{part.product}]")
