"""The question that the user role asks: what a simulated user says next."""

from collections.abc import Iterator, Sequence
from typing import Final

from quintet.messages.simulating import CALLS, LEAVES, AnswerAsUser, UserAnswered, UserCalled
from quintet.parsing.answers import on_one_line
from quintet.questions.question import RequestQuestion
from quintet.questions.shapes import Text
from quintet.roles.turn_text import SILENCE

_HOW_TO_CALL: Final = f""" If you must use a tool first, because the agent asks you to or because you cannot answer \
otherwise, answer {CALLS} and one call in Python's syntax instead: {CALLS} look_up(name='Ann'). Then you are asked \
again, with what it returned; the agent sees neither. Say of your tools only what they returned."""


class AnswerAsUserQuestion(RequestQuestion[AnswerAsUser, str, UserAnswered | UserCalled]):
    """What a user with a scenario answers an agent. The user role's only question.

    Source: as of `AnswerAsUser`. Differs: the prompt is ours; one mark ends the conversation, for whatever reason.
    """

    asks = AnswerAsUser
    shape = Text(
        name="user_answer",
        about="What the user says next.",
        kind=None,
        wanted="answer",
        key="answer",
        label="Answer: ",
        described=f"what you say next, with {LEAVES} at its end if the conversation is over",
    )

    def says(self, about: AnswerAsUser) -> Iterator[str]:
        yield "Your situation:\n" + "\n".join(about.scenario)
        # On one line each, so that no message can bring a speaker of its own.
        lines = (f"{each.speaker.capitalize()}: {on_one_line(each.text) or SILENCE}" for each in about.conversation)
        if about.tools:
            yield "Your tools:\n" + "\n".join(about.tools.values())
        yield "The conversation so far, in which you are the user:\n" + "\n".join(lines)
        yield f"What do you say next?{_HOW_TO_CALL if about.tools else ''}"

    def reply(self, request: AnswerAsUser, found: Sequence[str]) -> UserAnswered | UserCalled:
        _, mark, call = found[0].partition(CALLS)
        if mark and request.tools:
            return UserCalled(call=on_one_line(call))
        before, mark, _ = found[0].partition(LEAVES)
        return UserAnswered(text=before.strip(), leaves=bool(mark))

    def headline(self, reply: UserAnswered | UserCalled) -> str:
        if isinstance(reply, UserCalled):
            return reply.call
        return f"{reply.text} (leaves)".strip() if reply.leaves else reply.text


SIMULATING = (AnswerAsUserQuestion(),)
