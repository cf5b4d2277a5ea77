"""The stand-in and its levels, which differ by their error rate alone."""

from collections.abc import Awaitable, Callable, Mapping
from textwrap import shorten
from typing import Any

from msgspec import Struct, to_builtins

from quintet.errors import ModelFault
from quintet.messages.completion import Complete
from quintet.messages.curation import ReviewAttempt, ReviseNotes
from quintet.messages.execution import Decide, Retarget
from quintet.messages.grading import Grade
from quintet.messages.memory import Summarize
from quintet.messages.noting import WriteNotes
from quintet.messages.planning import Decompose, MakePlan, RevisePlan
from quintet.messages.programs import Extract, WriteProgram
from quintet.messages.prompts import Prompt
from quintet.messages.reflection import Align, Choose, Compare, GiveAnswer, Judge, JudgeAttempt, LookBack, Value
from quintet.models.completion import complete_with
from quintet.models.stand_in import acting, curating, noting, programming, reflecting, remembering
from quintet.models.stand_in.copies import Copies
from quintet.models.stand_in.question import AnswerFields, AskedQuestion
from quintet.models.stand_in.slips import Draw, Slips
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.acting import ActionToRewrite
from quintet.questions.reflecting import ReflectOn
from quintet.questions.remembering import ItemsToSort, TypesToChooseFrom
from quintet.questions.shape import SHAPES

FALLIBLE_RATE = 0.1
WEAK_RATE = 0.3
"""The default error rates: round numbers, chosen before anything was measured."""

_ASSUMPTIONS: Mapping[Draw, str] = {
    "goal": (
        "an expert that errs, no language model: the same thing goes wrong again, and other words of a goal are a new "
        "draw; that is an assumption, under which it helps to decompose a task (model.draw=thing is the other)"
    ),
    "thing": (
        "an expert that errs, no language model: the same thing goes wrong again, whatever the words of a goal; that "
        "is an assumption, under which it does not help to decompose a task (model.draw=goal is the other)"
    ),
}

_ANSWERS: Mapping[type[Struct], Callable[[AskedQuestion, Any], Awaitable[AnswerFields]]] = {
    Decide: acting.decide_turn,
    ActionToRewrite: acting.keep_action,
    Retarget: acting.retarget,
    Decompose: acting.decompose,
    MakePlan: acting.make_plan,
    RevisePlan: acting.revise_plan,
    WriteProgram: programming.write_program,
    Extract: programming.extract,
    Value: reflecting.value,
    Choose: reflecting.choose_best,
    Compare: reflecting.compare,
    Align: reflecting.align,
    Judge: reflecting.judge,
    JudgeAttempt: reflecting.judge_attempt,
    GiveAnswer: reflecting.give_answer,
    LookBack: reflecting.look_back,
    ReflectOn: reflecting.reflect_on,
    ReviewAttempt: curating.review_attempt,
    ReviseNotes: curating.revise_notes,
    WriteNotes: noting.write_notes,
    Summarize: remembering.summarize,
    ItemsToSort: remembering.sort,
    TypesToChooseFrom: remembering.find_type,
    Grade: remembering.grade,
}
"""By what is asked about."""

_LONGEST = 600
"""Characters of a text in short."""

_PUZZLED = "I only answer questions about a task."
"""The answer to a conversation of a method's own."""
_PASS_ON = "a model around it needs `answer` too, which passes it on"


class StandIn:
    """An expert that errs, with a probability in [0, 1]; `draw` says what a slip is drawn from."""

    def __init__(self, level: str, error_rate: float, draw: Draw) -> None:
        self._level = level
        self._rate = error_rate
        self._draw: Draw = draw
        self._copies = Copies()

    @property
    def name(self) -> str:
        options = [f"{self._rate:g}"] * (self._level == "fallible") + [self._draw] * (self._draw != "goal")
        shown = f"({', '.join(options)})" if options else ""
        return f"sim-{self._level}{shown} (simulated)"

    @property
    def assumption(self) -> str:
        """What a slip is drawn from; empty if it never slips."""
        return f"{self.name}: {_ASSUMPTIONS[self._draw]}" if self._rate else ""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Raise a `ModelFault`: without a question there is nothing to answer."""
        raise ModelFault(f"{self.name}: expected the typed question beside the prompt ({_PASS_ON}), got none")

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        """Answer a question; a `ModelFault` if its copy of the world failed, or the question is none that it knows."""
        if isinstance(asked.about, Complete):
            return complete_with(_PUZZLED, prompt, sampling)
        seed = sampling.seed if sampling.temperature > 0 else None
        task = None if asked.trail is None else asked.trail.task
        question = AskedQuestion(asked, prompt, Slips(self._rate, self._draw, task, seed), self._copies)
        shape = SHAPES[asked.question]
        answer = _ANSWERS.get(type(asked.about))
        fields = _by_shape(asked) if answer is None else await answer(question, asked.about)
        text = shape.write(fields, structured=sampling.form is not None)
        return complete_with(text, prompt, sampling)

    async def aclose(self) -> None:
        """Close its copies of the world."""
        self._copies.close()

    def __reduce__(self) -> tuple[type["StandIn"], tuple[str, float, Draw]]:
        return StandIn, (self._level, self._rate, self._draw)


def _by_shape(asked: Asked) -> AnswerFields:
    """The answer to a question that no way decides, such as a plug-in's: the example of its shape.

    Where that is one text, it is the beginning of the longest text that is asked about.
    """
    example = SHAPES[asked.question].example_fields
    texts = [each for each in to_builtins(asked.about).values() if isinstance(each, str)]
    match list(example.items()):
        case [(name, str())] if texts:
            return {name: shorten(max(texts, key=len).strip(), _LONGEST, placeholder=" ...")}
        case _:
            return example


def strong(draw: Draw = "goal") -> StandIn:
    """Never slips."""
    return StandIn("strong", 0.0, draw)


def fallible(error_rate: float = FALLIBLE_RATE, draw: Draw = "goal") -> StandIn:
    """Slips with the probability `error_rate`; a `ValueError` if it is no probability."""
    if not 0 <= error_rate <= 1:
        raise ValueError(f"error_rate: expected a number from 0 to 1, got {error_rate!r}")
    return StandIn("fallible", error_rate, draw)


def weak(draw: Draw = "goal") -> StandIn:
    """Slips more often."""
    return StandIn("weak", WEAK_RATE, draw)
