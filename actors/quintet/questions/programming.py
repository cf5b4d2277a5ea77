"""The planner's questions about programs: a plan as a program, and what a program asks while it is carried out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quintet.messages.message import Unanswered
from quintet.messages.programs import Extract, Extracted, FailedProgram, ProgramWritten, WriteProgram
from quintet.parsing.programs import ProgramRefused, parse_program, read_program
from quintet.ports.model import Completion
from quintet.questions.question import TaskQuestion
from quintet.questions.shapes import Text
from quintet.roles.turn_text import SILENCE, as_sentence, turns_as_texts

_EXAMPLE = """\
def solution(agent, start_from=1):
    if start_from <= 1:
        seen = agent.act("the first action")
        assert agent.accepted, "it was refused: " + seen"""


class ProgramShape(Text[str]):
    """A program, as it is."""

    free = False

    @property
    def example_fields(self) -> Mapping[str, Any]:
        return {self.key: _EXAMPLE}


class WriteProgramQuestion(TaskQuestion[WriteProgram, str, ProgramWritten]):
    """A plan as a program. What is not in the language is said to the model, and asked for once more.

    Source: AdaPlanner (Sun et al., 2023).
    """

    asks = WriteProgram
    shape = ProgramShape(
        name="program",
        about="A program that reaches a goal.",
        reader=read_program,
        wanted="program",
        key="program",
        described="the whole program, with its line breaks",
        keeps_lines=True,
    )

    def says(self, about: WriteProgram) -> Iterator[str]:
        if about.failed is not None:
            yield from _failure(about.failed)
        for why in about.refused:
            yield f"What was written then could not be carried out: {as_sentence(why)}"
        if about.refused:
            yield "Write the whole program again, in the language alone, and short enough to come to its end."

    def read(self, about: WriteProgram, completion: Completion) -> str | Unanswered:
        why = _why_refused(completion)
        return Unanswered(reason=f"the program was refused: {why}") if why else super().read(about, completion)

    def doubt(self, about: WriteProgram, found: str | Unanswered, completion: Completion) -> str:
        why = _why_refused(completion)
        return f"I cannot carry that out: {why}" if why else super().doubt(about, found, completion)

    def reply(self, request: WriteProgram, found: Sequence[str]) -> ProgramWritten:
        return ProgramWritten(program=found[0])

    def headline(self, reply: ProgramWritten) -> str:
        lines = len(reply.program.splitlines())
        return f"a program of {lines} line" + "s" * (lines != 1)


class ExtractQuestion(TaskQuestion[Extract, str, Extracted]):
    """What a program needs to know of what was seen last.

    Source: as of `Extract`.
    """

    asks = Extract
    shape = Text[str](
        name="extracted",
        about="What was asked for, taken from what was seen.",
        wanted="answer",
        key="found",
        label="Found: ",
        described="the answer alone",
    )

    def says(self, about: Extract) -> Iterator[str]:
        if about.observation:
            yield f"What was seen last:\n{about.observation.strip() or SILENCE}"
        yield f"The question: {about.question}"

    def reply(self, request: Extract, found: Sequence[str]) -> Extracted:
        return Extracted(text=found[0])

    def headline(self, reply: Extracted) -> str:
        return reply.text


def _why_refused(completion: Completion) -> str:
    """Why the program in a whole completion is refused; empty: it is not, or there is none."""
    code = read_program(completion.text) if completion.finish == "stop" else None
    if code is None:
        return ""
    try:
        parse_program(code)
    except ProgramRefused as refused:
        return str(refused)
    return ""


def _failure(failed: FailedProgram) -> Iterator[str]:
    yield f"This program was carried out:\n{failed.program}"
    yield "What was done so far:"
    yield from turns_as_texts(failed.turns)
    yield f"It failed in step {failed.step}. {as_sentence(failed.reason)}"
    if failed.anew:
        yield "Everything begins anew now: nothing of this has happened. Write a program that does better, from step 1."
    else:
        yield (
            f"Write the whole program again, and do better from step {failed.step} on. It is called with "
            f"start_from={failed.step}, goes on from how things stand now, and its variables keep their values."
        )


PROGRAMMING = (WriteProgramQuestion(), ExtractQuestion())
