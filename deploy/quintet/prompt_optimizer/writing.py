"""How a prompt is rewritten: a method asks a model of its own for a new text, and a world takes it or says why not."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Final

from pydantic import Field

from quintet.messages.environment import Step, Stepped, Task
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.options import MethodOptions
from quintet.ports.effects import Effect
from quintet.ports.world import Opening, Outcome, World, WorldState
from quintet.prompt_optimizer.slots import refusal
from quintet.questions.question import RequestQuestion
from quintet.questions.shapes import Text
from quintet.roles.asking import asking_role

TASK: Final = "prompt"
"""The one task of the world."""

_COMPLETION_TOKENS: Final = 4_096
_WRITTEN = re.compile(r"<prompt>\s*?\n?(.*?)(?:</prompt>|\Z)", re.DOTALL)


class PromptRewritten(Message, frozen=True, kw_only=True, tag="prompt_rewritten"):
    """A new text of a prompt, which nobody has looked at yet."""

    text: str


class RewritePrompt(Request["PromptRewritten | Unanswered"], frozen=True, kw_only=True, tag="rewrite_prompt"):
    """Ask for a better text of a prompt."""

    journaled: ClassVar[bool] = True

    name: str
    """The prompt's: `execute`."""
    text: str
    """As it is now."""
    examples: tuple[str, ...]
    """What was done under it, each with its reward."""
    refused: tuple[str, ...] = ()
    """Why texts that were written for this request could not be taken."""

    def subject(self) -> str:
        return self.name


def _written(text: str) -> str | None:
    found = _WRITTEN.findall(text)
    return found[-1].strip("\n") if found and found[-1].strip() else None


class _Rewriting(RequestQuestion[RewritePrompt, str, PromptRewritten]):
    asks = RewritePrompt
    shape = Text(
        name="rewritten_prompt",
        about="A prompt's new text.",
        wanted="prompt",
        key="prompt",
        label="<prompt>\n",
        described="the whole new prompt",
        keeps_lines=True,
        reader=_written,
        kind=None,
    )

    def says(self, about: RewritePrompt) -> Iterator[str]:
        yield f"The prompt {about.name!r} as it is now:\n\n<prompt>\n{about.text}\n</prompt>"
        for number, example in enumerate(about.examples, 1):
            yield f"Example {number}:\n\n{example}"
        for reason in about.refused:
            yield f"You have written a text that could not be taken: {reason}."
        yield "Write the prompt anew."

    def reply(self, request: RewritePrompt, found: Sequence[str]) -> PromptRewritten:
        return PromptRewritten(text=found[0])


WRITER: Final = asking_role(
    "prompt_writer", _Rewriting(), completion_tokens=_COMPLETION_TOKENS, prompts=Path(__file__).parent / "prompts"
)


class PromptWritingConfig(MethodOptions):
    """What is rewritten, from which examples."""

    prompt: Annotated[str, Effect.NONE]
    """Its name."""
    text: Annotated[str, Effect.NONE]
    """As it is now."""
    examples: Annotated[tuple[str, ...], Effect.NONE]
    """What was done under it, each with its reward."""
    tries: int = Field(default=3, ge=1)
    """How many texts it may write until one is taken."""


class PromptWriting(Method[PromptWritingConfig]):
    """Writes a prompt anew, and once more with the reason if the text cannot be taken."""

    name = "prompt-writing"
    version = "1"
    roles = (WRITER,)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        refused: list[str] = []
        last: Stepped | None = None
        for _ in range(self.config.tries):
            written = await episode.ask(
                RewritePrompt(
                    name=self.config.prompt,
                    text=self.config.text,
                    examples=self.config.examples,
                    refused=tuple(refused),
                )
            )
            if isinstance(written, Unanswered):
                return episode.conclude(last, reason=written.reason)
            last = await episode.ask(Step(session=episode.session, action=written.text))
            if not last.rejected:
                break
            refused.append(last.observation)
        return episode.conclude(last, reason="".join(refused[-1:]))

    def describe(self) -> Description:
        return Description(budget=str(self.config.tries))

    def most_calls(self) -> int:
        return 2 * self.config.tries  # an answer that cannot be read is asked for once more


class PromptDesk(World):
    """Takes a new text of a prompt, once, if it keeps the slots of the text before.

    Args:
        before: the text that it is to replace.
    """

    name = "prompt-desk"
    version = "1"

    def __init__(self, before: Annotated[str, Effect.NONE]) -> None:
        self._before = before

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return (TASK,)

    def open(self, task: Task) -> "PromptDeskState":
        self.check_task(task.name)
        return PromptDeskState(self._before)


class PromptDeskState(WorldState):
    """Before a text was taken, or after."""

    def __init__(self, before: str) -> None:
        setting, goal = "A new text of a prompt can be handed in, once.", "rewrite the prompt"
        super().__init__(Opening(observation=f"{setting} Goal: {goal}.", setting=setting, goal=goal))
        self.before = before

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject("A text was taken already")
        if reason := refusal(self.before, action):
            return self.reject(reason)
        return self.accept("The text is taken.", 1.0, done=True)

    def expert(self) -> tuple[str, ...]:
        return () if self.done else (self.before,)
