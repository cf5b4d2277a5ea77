"""Roles that ask a model questions: a table of requests, each answered by its question."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, get_args

from quintet.errors import UsageError
from quintet.messages.message import Message, ReplyT, Request, Unanswered, request_name
from quintet.messages.prompts import Prompt, assistant, user
from quintet.messages.wire import reply_type
from quintet.parsing.answers import answer_text, has_text
from quintet.ports.model import Completion
from quintet.questions.question import AboutT, Question, RequestQuestion, RequestT
from quintet.questions.shape import FoundT
from quintet.roles.branches import Branch, branches
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE

Procedure: TypeAlias = Callable[["Asker", Any], Awaitable[Message]]
"""Answers a request by more than one question."""


class Answered(NamedTuple, Generic[FoundT]):
    """What came of a question."""

    found: FoundT | Unanswered
    """The answer, or why there is none."""
    completion: Completion
    """The last one."""


class Asker:
    """Asks a role's questions. Keeps nothing but prompts, by name, which are the same when they are built anew."""

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self.model = model
        self.prompts = prompts
        self.conversations = Conversations(examples=model.examples)

    async def ask(
        self, question: Question[AboutT, FoundT], about: AboutT, prompt: Prompt | None = None
    ) -> Answered[FoundT]:
        """Ask by the question's own prompt or another; once more, with what was wrong, if it cannot be read."""
        prompt = prompt or self.show(question, about)
        sampling = self.model.sampling.overridden(question.sampling(about))
        return await self._settle(question, about, prompt, await self.model.answer(prompt, sampling, question, about))

    async def _settle(
        self, question: Question[AboutT, FoundT], about: AboutT, prompt: Prompt, first: Completion
    ) -> Answered[FoundT]:
        sampling = self.model.sampling.overridden(question.sampling(about))
        completion = self.model.as_text(first, question)
        found = question.read(about, completion)
        words = question.again(about, found, completion, structured=self.model.structured)
        if words and has_text(completion.finish):
            # The answer is shown in the form in which it came, without its reasoning.
            said = answer_text(first.text).strip() or SILENCE
            again = prompt.extend(assistant(said), user(words))
            completion = self.model.as_text(await self.model.answer(again, sampling, question, about), question)
            found = question.settle(found, question.read(about, completion))
        return Answered(found, completion)

    async def answer(
        self, question: RequestQuestion[RequestT, FoundT, ReplyT], request: RequestT
    ) -> ReplyT | Unanswered:
        """Answer a request by its question, in as many samples as it wants."""
        samples: int = getattr(request, "samples", 1)
        prompt = self.show(question, request)
        drawn: list[Answered[FoundT]]
        if samples == 1:
            drawn = [await self.ask(question, request, prompt)]
        else:
            sampling = self.model.sampling.overridden(question.sampling(request))
            completions = await self.model.answers(prompt, sampling, question, request, samples)
            async with branches() as group:
                begun: list[Branch[Answered[FoundT]]] = [
                    group.start(self._settle, question, request, prompt, completion) for completion in completions
                ]
            drawn = [branch.result() for branch in begun]
        answers = [each.found for each in drawn]
        found = [each for each in answers if not isinstance(each, Unanswered)]
        lacking = [each for each in answers if isinstance(each, Unanswered)]
        return question.reply(request, found) if found else lacking[0]

    def show(self, question: Question[AboutT, Any], about: AboutT) -> Prompt:
        """The prompt of a question. Its last line says how the answer ends, if its shape does."""
        ending = question.shape.ending(structured=self.model.structured)
        prompt = question.show(about, self.prompts, self.conversations)
        return with_question(prompt, ending) if ending else prompt


class Asking:
    """An actor that answers requests by questions, and further ones by procedures. Keeps nothing between requests."""

    def __init__(
        self,
        asker: Asker,
        questions: Iterable[RequestQuestion[Any, Any, Any]],
        procedures: Mapping[type[Request[Any]], Procedure] | None = None,
    ) -> None:
        self._asker = asker
        self._questions = {question.asks: question for question in questions}
        self._procedures = procedures or {}
        self.accepts = (*self._questions, *self._procedures)
        """The requests that it answers."""

    async def receive(self, request: Request[Any]) -> Message:
        question = self._questions.get(type(request))
        if question is None:
            return await self._procedures[type(request)](self._asker, request)
        reply: Message = await self._asker.answer(question, request)
        return reply


def asking_role(
    name: str,
    *questions: RequestQuestion[Any, Any, Any],
    completion_tokens: int,
    prompts: Path | None = None,
    apart: bool = False,
    procedures: Mapping[type[Request[Any]], tuple[Procedure, tuple[str, ...]]] | None = None,
) -> Role:
    """A role whose requests are questions: `roles = (asking_role("critic", ReviewQuestion(), ...),)` in a method.

    Args:
        name: of lower-case letters, digits and `_`.
        completion_tokens: the longest completion, unless configured.
        prompts: a folder of prompts for all worlds; see `Role.prompts`.
        procedures: for further requests, what answers them, and the prompts that they need.

    Raises:
        UsageError: a question names no request as what it asks, or one whose reply cannot be `Unanswered`; or a reply
            has no tag.
    """
    further = procedures or {}
    for each in questions:
        _check(name, each)

    def start(parts: ActorParts) -> Asking:
        asker = Asker(parts.model(), parts.prompts)
        return Asking(asker, questions, {request: answer for request, (answer, _) in further.items()})

    return Role(
        name=name,
        requests={
            **{each.asks: each.prompts or (request_name(each.asks),) for each in questions},
            **{request: needed for request, (_, needed) in further.items()},
        },
        start=start,
        completion_tokens=completion_tokens,
        prompts=prompts,
        apart=apart,
    )


def _check(role: str, question: RequestQuestion[Any, Any, Any]) -> None:
    where = f"role {role}: {type(question).__name__}"
    asks: type[Request[Any]] | None = getattr(question, "asks", None)
    if asks is None or Request not in getattr(asks, "__mro__", ()):
        raise UsageError(f"{where}: expected `asks`, the request that it answers, got {asks!r}")
    reply = reply_type(asks)
    replies = get_args(reply) or (reply,)
    if Unanswered not in replies:
        raise UsageError(f"{where}: expected {asks.__name__} to be a Request[... | Unanswered], got {reply!r}")
    for each in replies:
        if each.__struct_config__.tag is None:
            raise UsageError(f"{where}: expected {each.__name__} with a tag of its own, got none")
