"""Questions: what a role asks a model. Each is one object."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct, to_builtins

from quintet.messages.message import ReplyT, Request, Unanswered
from quintet.messages.parts import PromptPart
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import missing_answer, reason
from quintet.ports.model import Completion, Legibility, SamplingOverride
from quintet.questions.shape import FoundT, Shape
from quintet.roles.conversations import Conversations, paragraphs, with_question

AboutT = TypeVar("AboutT", bound=Struct)
RequestT = TypeVar("RequestT", bound=Request[Any])


class Question(ABC, Generic[AboutT, FoundT]):
    """What a role asks a model about a message, or about a step of its own work. It has no state.

    Asked is once, and once more with what was wrong if the answer cannot be read.
    """

    asks: ClassVar[type[Any]]
    """What the question is about."""
    shape: Shape[Any]
    """Of the answer."""
    wanted: ClassVar[str] = ""
    """What is looked for, in words which follow `I found no` and `left out the`; empty: the shape's."""

    def instructions(self, about: AboutT) -> str:
        """The name of the prompt that instructs the model."""
        return str(self.asks.__struct_config__.tag)

    def says(self, about: AboutT) -> Iterable[str]:
        """What the prompt shows, and asks at its end, in paragraphs. None: the role builds the prompt itself."""
        return ()

    def show(self, about: AboutT, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        """The prompt.

        Args:
            about: what is asked about.
            texts: the prompts by name.
            conversations: the role's.
        """
        asked = user(paragraphs(*self.says(about)))
        lasting = None if getattr(about, "samples", 1) > 1 else 0
        return Prompt(system(texts[self.instructions(about)]), asked, lasting=lasting)

    def sampling(self, about: AboutT) -> SamplingOverride | None:
        """How far completions vary; None: as the role is configured."""
        override: SamplingOverride | None = getattr(about, "sampling", None)
        return override

    def wants(self, about: AboutT) -> str:
        """What is looked for; see `wanted`."""
        return self.wanted or self.shape.wanted

    def find(self, about: AboutT, text: str) -> FoundT | None:
        """The answer in the text of a whole completion; None: there is none."""
        found: FoundT | None = self.shape.read(text)
        return found

    def read(self, about: AboutT, completion: Completion) -> FoundT | Unanswered:
        """The answer in a completion. One that was cut off is not read."""
        found = self.find(about, completion.text) if completion.finish == "stop" else None
        return (
            Unanswered(reason=f"the model {reason(completion.finish, self.wants(about))}") if found is None else found
        )

    def legibility(self, about: AboutT, completion: Completion) -> Legibility:
        """What is found in a completion that stopped by itself."""
        if isinstance(self.read(about, completion), Unanswered):
            return "unread"
        return "free" if self.shape.free else "read"

    def doubt(self, about: AboutT, found: FoundT | Unanswered, completion: Completion) -> str:
        """Why to ask once more, in words for the model without a full stop; empty: the answer is accepted."""
        return missing_answer(completion.finish, self.wants(about)) if isinstance(found, Unanswered) else ""

    def reminder(self, about: AboutT, *, structured: bool) -> str:
        """How to answer, for the second time."""
        return f"Please answer in this form:\n\n{self.shape.example(structured=structured)}"

    def again(self, about: AboutT, found: FoundT | Unanswered, completion: Completion, *, structured: bool) -> str:
        """What is said to the model where it is asked once more; empty: the answer is accepted."""
        doubt = self.doubt(about, found, completion)
        return f"{doubt}. {self.reminder(about, structured=structured)}" if doubt else ""

    def settle(self, first: FoundT | Unanswered, second: FoundT | Unanswered) -> FoundT | Unanswered:
        """What counts of two answers: the second one, if it is any."""
        return second if isinstance(first, Unanswered) or not isinstance(second, Unanswered) else first


class RequestQuestion(Question[RequestT, FoundT], Generic[RequestT, FoundT, ReplyT]):
    """A question that a request asks: what was found becomes its reply."""

    prompts: ClassVar[tuple[str, ...]] = ()
    """The prompts that the request needs; empty: the one of its name."""

    @abstractmethod
    def reply(self, request: RequestT, found: Sequence[FoundT]) -> ReplyT | Unanswered:
        """The reply.

        Args:
            request: what was asked.
            found: in each sample that could be read; one, unless the request has `samples`.
        """

    def headline(self, reply: ReplyT) -> str:
        """The reply in a few words, for transcripts, where the completion is shown too."""
        return headline_of(to_builtins(reply))

    def failure(self, reply: Unanswered) -> str:
        """The same where there is no answer."""
        return f"no {self.shape.wanted}: {reply.reason}"


def headline_of(reply: Mapping[str, Any]) -> str:
    """Any message in a few words: what it is, and its fields."""
    said = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in reply.items() if key != "type")
    name = str(reply.get("type", "")).replace("_", " ")
    return f"{name}: {said}" if name and said else name or said


class _AboutTask(Protocol):
    """A request about a task."""

    @property
    def setting(self) -> str: ...

    @property
    def goal(self) -> str: ...


class TaskQuestion(RequestQuestion[RequestT, FoundT, ReplyT]):
    """A question about a task: its setting and goal come first, then turns, then what the question itself says."""

    def parts(self, request: RequestT) -> tuple[PromptPart, ...]:
        """What the task is shown with."""
        return getattr(request, "parts", ())

    def show(self, about: RequestT, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        task: _AboutTask = about  # type: ignore[assignment]
        begun = conversations.opening(texts[self.instructions(about)], task.setting, task.goal, self.parts(about))
        return with_question(conversations.after(begun, getattr(about, "turns", ())), *self.says(about))
