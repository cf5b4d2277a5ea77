"""The model port: a prompt and sampling parameters in; text, usage and finish reason out."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal, Protocol, TypeAlias, runtime_checkable

from msgspec import Meta, Struct
from msgspec.structs import replace

from quintet.messages.environment import Trail
from quintet.messages.prompts import Prompt
from quintet.messages.tools import OfferedTool, ToolAnswer
from quintet.ports.tokens import CallTokens
from quintet.ports.world import PlayedWorld


class Sampling(Struct, frozen=True, kw_only=True):
    """How to draw a completion."""

    temperature: float = 0.0
    """At least 0; 0 is greedy."""
    top_p: float = 1.0
    """In (0, 1]."""
    max_tokens: int = 512
    """Of the completion; a longer one is cut and finishes by `length`. At least 1, or 0 in a call that embeds."""
    stop: tuple[str, ...] = ()
    seed: int | None = None
    """Derived from the run's seed and the call's path; None outside a run."""
    form: str | None = None
    """The answer must be JSON of the shape of this name; None: text, as the prompt says."""
    tools: tuple[OfferedTool, ...] = ()
    """The world's, where the answer is an action in a form: a model that calls tools may call one in its place. The
    journal has them with the answer (`Completion.tool_answer`)."""

    @property
    def embeds(self) -> bool:
        """Whether the messages of the prompt are embedded: the completion is their vectors, and has no tokens."""
        return self.max_tokens == 0

    def overridden(self, override: "SamplingOverride | None") -> "Sampling":
        """The same with a request's override; None changes nothing."""
        return self if override is None else replace(self, temperature=override.temperature, top_p=override.top_p)


class SamplingOverride(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request's own sampling parameters, in place of the role's."""

    temperature: Annotated[float, Meta(ge=0)]
    """0 is greedy."""
    top_p: Annotated[float, Meta(gt=0, le=1)]


Tokens: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]


class Usage(Struct, frozen=True, kw_only=True):
    """Tokens of one call, as the endpoint counts them."""

    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    cached_tokens: Tokens = 0
    """Of the prompt's, how many the endpoint had cached."""
    reasoning_tokens: Tokens = 0
    """Of the completion's, how many were spent on reasoning that is not in the text."""


Finish: TypeAlias = Literal[
    "stop", "length", "refusal", "content_filter", "tool_calls", "empty", "not_text", "context_full"
]
"""How a completion ended.

`stop`: by itself or at a stop sequence. `length`: cut off at its limit; never read as if whole. The others hold no
answer: `refusal` (the model declined), `content_filter` (the endpoint withheld it), `tool_calls` (only calls of tools,
none of which were offered), `empty` (null, or nothing but white space), `not_text` (an image, audio), `context_full`
(the prompt does not fit the model; nothing was drawn or charged).
"""


Legibility: TypeAlias = Literal["read", "unread", "free"]
"""What a role found in a completion that stopped by itself: `read`, an answer to its question; `unread`, none; `free`:
any text is an answer, so it says nothing of whether the model was understood."""


class Completion(Struct, frozen=True, kw_only=True):
    """What a model answered."""

    text: str
    finish: Finish = "stop"
    usage: Usage = Usage()
    reasoning: str = ""
    """Reasoning kept apart by the endpoint, as text; never parsed. Where it is encrypted, its items as JSON, which the
    endpoint alone gets back."""
    fingerprint: str = ""
    """The endpoint's name for the system that answered, so that a change is visible; `simulated` if it says that no
    language model answered."""
    tokens: CallTokens | None = None
    """None: the endpoint was not asked for them, or refused the prompt."""
    weights_version: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """The version of the weights that answered, of a model in training; None: of any other."""
    tool_answer: ToolAnswer | None = None
    """None: no tools were offered."""


@runtime_checkable
class Closes(Protocol):
    """A model, a world or an actor that keeps resources between calls: connections, a server, processes."""

    async def aclose(self) -> None:
        """Release it; no call may be in flight. A later call opens it again."""
        ...


@runtime_checkable
class ListPriced(Protocol):
    """A model that knows by which provider's list it is priced."""

    @property
    def model(self) -> str:
        """As the provider calls it."""
        ...

    @property
    def priced_by(self) -> str | None:
        """The provider, as the package `genai-prices` calls it; None: it has no list price."""
        ...

    @property
    def pays_to_cache(self) -> bool:
        """Whether what is not read from the provider's cache is charged as written to it."""
        ...


@runtime_checkable
class Billed(Protocol):
    """A model whose calls are let in by a key."""

    @property
    def account(self) -> str:
        """The endpoint, and the name of its key: calls with the same are let in or refused together."""
        ...


class Asked(Struct, frozen=True, kw_only=True):
    """The typed question behind a prompt."""

    question: str
    """Its name: that of its answer's shape; empty: a conversation of a method's own goes on."""
    about: Struct
    """What the role knows of it: the message that it answers, or what a step of its work is about. Everything that it
    says in words stands in the prompt."""
    trail: Trail | None = None
    """What was done at the task before the turns of the question, or before the question if it has none; None: it is
    about no session."""
    world: PlayedWorld | None = None
    """The run's; None outside a run."""
    legibility: Callable[[Completion], Legibility] | None = None
    """What the role will find in an answer, for the journal; None where a model gets it."""


@runtime_checkable
class TakesQuestions(Protocol):
    """A model that takes the typed question beside the prompt. Language models do not."""

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        """Draw one completion, as `Model.complete` does."""
        ...


@runtime_checkable
class DrawsSeveral(Protocol):
    """A model that may draw several completions of one prompt by one request."""

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        """The most completions that the next request for `n` may bring, from 1 to `n`; so many are reserved.

        If it is 1, the model is asked for one completion, not for several.
        """
        ...

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> Sequence[Completion]:
        """Draw up to `n` completions; who asks draws the others one by one.

        The usage of the first is that of the request, so the prompt counts once; the others have none. A `sampling`
        with a seed is for a model that turns out to draw one at a time, which then says so (`draws_at_once`); one that
        has drawn several gets none, since a server might draw all alike. Of several, no seed is recorded.

        Returns:
            None at all, for nothing, if the model turns out to draw one at a time: the first, too, is then asked for
            alone, with its seed.

        Raises:
            ModelFault: there is no completion.
        """
        ...


@runtime_checkable
class KeepsReasoning(Protocol):
    """A model that is sent its own reasoning again with the later prompts of a conversation."""

    def keep(self, prompt: Prompt, completion: Completion) -> None:
        """Take note of a completion that the journal has: one that was just drawn, or one of before a restart."""
        ...


@runtime_checkable
class PlaysExpert(Protocol):
    """No language model: it answers typed questions by what a world's expert would do."""

    @property
    def assumption(self) -> str:
        """What every figure of it depends on, in a sentence that is shown beside them."""
        ...


class Model(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """Shown with every figure."""
        ...

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion.

        Raises:
            ModelFault: there is no completion.
        """
        ...
