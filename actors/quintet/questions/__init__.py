"""The questions that roles ask models, each one object, by role; and the shapes of their answers."""

from collections.abc import Mapping
from typing import Any

from msgspec import convert

from quintet.messages.message import Unanswered, request_name
from quintet.messages.wire import reply_type
from quintet.questions.acting import ACTING, RETARGET
from quintet.questions.curating import CURATING, REVIEWING
from quintet.questions.judging import GRADING, JUDGING
from quintet.questions.noting import NOTING
from quintet.questions.planning import PLANNING
from quintet.questions.programming import PROGRAMMING
from quintet.questions.question import Question, RequestQuestion, headline_of
from quintet.questions.reflecting import REFLECT, REFLECTING
from quintet.questions.remembering import REMEMBERING

QUESTIONS: tuple[Question[Any, Any], ...] = (
    *ACTING,
    *PLANNING,
    *PROGRAMMING,
    REFLECT,
    *REFLECTING,
    *JUDGING,
    *REVIEWING,
    *CURATING,
    *NOTING,
    *GRADING,
    *REMEMBERING,
)
"""All of ours."""

_BY_REQUEST: Mapping[str, RequestQuestion[Any, Any, Any]] = {
    request_name(each.asks): each
    for each in (RETARGET, *PLANNING, *PROGRAMMING, *REFLECTING, *JUDGING, *REVIEWING, *CURATING, *NOTING, *GRADING)
}


def headline(request: str, reply: Mapping[str, Any]) -> str:
    """A reply in a few words, for transcripts.

    Args:
        request: its name.
        reply: as JSON says it. One to a request that is no question of ours is shown by its fields.

    Raises:
        ValidationError: it is no reply to the request, as this version knows it.
    """
    question = _BY_REQUEST.get(request)
    if question is None:
        return f"no answer: {reply['reason']}" if reply.get("type") == _UNANSWERED else headline_of(reply)
    answer = convert(reply, reply_type(question.asks))
    return question.failure(answer) if isinstance(answer, Unanswered) else question.headline(answer)


_UNANSWERED = Unanswered.__struct_config__.tag
