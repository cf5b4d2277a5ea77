"""Marks of states and choices between attempts: samples of a model's verdict, drawn at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TypeVar

from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt
from quintet.messages.reflection import ChoiceFailed, Choose, Chosen, Value, Valued, ValueFailed
from quintet.parsing.answers import reason
from quintet.parsing.verdicts import HIGHEST_MARK, LOWEST_MARK, read_choice, read_mark
from quintet.ports.model import AnswerForm, Completion
from quintet.roles.branches import branches
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

_VerdictT = TypeVar("_VerdictT", int, float)


class Verdicts:
    """Asks for a mark or a choice, `samples` times at once. Each sample is asked for once more if it cannot be read.

    Args:
        model: the reflector's.
        prompts: `value` and `choose`, the instructions, which prescribe the form of the answer.
        conversations: the reflector's.

    Source: LATS (Zhou et al., 2024), section 4.1; Tree of Thoughts (Yao et al., 2023), section 3. Differs: no
    self-consistency is mixed into the value here, and one call marks one state.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str], conversations: Conversations) -> None:
        self._model = model
        self._prompts = prompts
        self._conversations = conversations

    async def value(self, request: Value) -> Valued | ValueFailed:
        scale = f"from {LOWEST_MARK} to {HIGHEST_MARK}"
        instructions = self._prompts[request_name(Value)]
        begun = self._conversations.opening(instructions, request.setting, request.goal, request.parts)
        state = self._conversations.after(begun, request.turns)
        prompt = with_question(state, f"How promising is this? Give your mark, {scale}.")
        samples = await self._draw(request, prompt, "value", read_mark, f"mark {scale}")
        marks = [mark for mark, _ in samples if mark is not None]
        if not marks:
            return ValueFailed(reason=f"the model {reason(samples[0][1].finish, f'mark {scale}')}")
        return Valued(value=(fmean(marks) - LOWEST_MARK) / (HIGHEST_MARK - LOWEST_MARK))

    async def choose(self, request: Choose) -> Chosen | ChoiceFailed:
        number = len(request.options)
        what = f"choice from 1 to {number}"
        begun = self._conversations.opening(self._prompts[request_name(Choose)], request.setting, request.goal)
        prompt = with_question(begun, *_options(request), f"Which option is best? Give your {what}.")
        samples = await self._draw(request, prompt, "choice", partial(read_choice, options=number), what)
        counts = Counter(choice for choice, _ in samples if choice is not None)
        if not counts:
            return ChoiceFailed(reason=f"the model {reason(samples[0][1].finish, what)}")
        votes = tuple(counts[each] for each in range(1, number + 1))
        return Chosen(number=votes.index(max(votes)) + 1, votes=votes)

    async def _draw(
        self,
        request: Value | Choose,
        prompt: Prompt,
        form: AnswerForm,
        read: Callable[[str], _VerdictT | None],
        what: str,
    ) -> Sequence[tuple[_VerdictT | None, Completion]]:
        sampling = replace(self._model.sampling.overridden(request.sampling), form=form)
        words = self._model.reminder(form)
        if request.samples == 1:
            return [await self._model.ask(prompt, sampling, read, what, words, request)]
        async with branches() as group:
            drawn = [
                group.start(self._model.ask, prompt, sampling, read, what, words, request)
                for _ in range(request.samples)
            ]
        return [branch.result() for branch in drawn]


def _options(request: Choose) -> Iterator[str]:
    """The options as text, one after the other. Nothing is said of what they earned."""
    for number, turns in enumerate(request.options, 1):
        yield f"Option {number}:"
        last = len(turns) - 1 if number in request.ended else None
        yield from (_shown(turn, seen=at != last) for at, turn in enumerate(turns))
        if not turns:
            yield SILENCE


def _shown(turn: Turn, *, seen: bool) -> str:
    observation = f"\nObservation: {turn.observation.strip() or SILENCE}" if seen else ""
    return f"{turn.completion.strip() or SILENCE}{observation}"
