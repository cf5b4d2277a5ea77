"""Turns of the executor: how a thought and an action are had from a model, and how a turn is told afterwards."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias, assert_never

from msgspec.structs import replace

from actors.decision_text import read_action, read_decision, read_thought
from protocols.execution import Act, Candidate, Claim, Decision, Turn, Unreadable
from protocols.models import Completion, Model, Nucleus, Sampling
from protocols.prompts import ChatMessage, Prompt, assistant, system, user

Accepted: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether the world would carry out an action as it is."""

SILENCE = "(nothing)"
"""Stands for an empty observation or completion, since some endpoints refuse an empty message."""

_OBSERVATION = "\nObservation:"
"""Demonstrations show what the world answers under this label; a model that goes on writing would make answers up."""


class TurnTaking(Protocol):
    """A way to have the next thought and action."""

    async def decide(self, prompt: Prompt, drawn: Nucleus | None, accepted: Accepted | None = None) -> Candidate:
        """Have a model take the turn.

        Args:
            prompt: the conversation, whose last message is the model's to answer.
            drawn: how far completions vary; None: as configured.
            accepted: which actions need not be rewritten, where they are rewritten; None: all are.
        """
        ...


class Together:
    """Thought and action are one completion."""

    def __init__(self, model: Model, sampling: Sampling) -> None:
        self._model = model
        self._sampling = _ending(sampling, _OBSERVATION)

    async def decide(self, prompt: Prompt, drawn: Nucleus | None, accepted: Accepted | None = None) -> Candidate:
        completion = await self._model.complete(prompt, varied(self._sampling, drawn))
        return Candidate(completion=completion.text, decision=read_decision(completion.text))


class Apart:
    """A thought, then an action, then the action rewritten as the world takes it: a completion each.

    What the turn said is put together from what was read of the three. An action that the formalizer does not answer
    with another one stays as it is; a claim is not rewritten.

    Args:
        thought: asks for the thought; said after the last message, and for this one call only.
        formalizer: how to rewrite an action. Sees nothing else of the conversation.

    Source: AutoPlan, section 3.2.1, equations 2 to 5, and appendix A.1.
    """

    def __init__(self, model: Model, sampling: Sampling, *, thought: str, formalizer: str) -> None:
        self._model = model
        self._thought = thought
        self._formalizer = formalizer
        self._thinking = _ending(sampling, _OBSERVATION, "\nAction:")
        self._acting = _ending(sampling, _OBSERVATION, "\nThought:")

    async def decide(self, prompt: Prompt, drawn: Nucleus | None, accepted: Accepted | None = None) -> Candidate:
        asked = prompt.node.appended[-1].content
        thinking = await self._complete(prompt.reworded(f"{asked}\n\n{self._thought}"), self._thinking, drawn)
        thought = read_thought(thinking.text)
        after_thought = prompt.extend(assistant(f"Thought: {thought or SILENCE}"), user("Action:"))
        acting = await self._complete(after_thought, self._acting, drawn)
        decision = read_action(acting.text, thought)
        if isinstance(decision, Act) and not (accepted and await accepted(decision.action)):
            decision = await self._formalized(decision, drawn)
        return Candidate(completion=_put_together(thought, decision), decision=decision)

    async def _formalized(self, raw: Act, drawn: Nucleus | None) -> Act:
        asking = Prompt(system(self._formalizer)).extend(user(f"Action: {raw.action}"))
        answer = await self._complete(asking, self._acting, drawn)
        formal = read_action(answer.text, raw.thought)
        return formal if isinstance(formal, Act) else raw

    async def _complete(self, prompt: Prompt, sampling: Sampling, drawn: Nucleus | None) -> Completion:
        return await self._model.complete(prompt, varied(sampling, drawn))


def told(turn: Turn) -> tuple[ChatMessage, ChatMessage]:
    """A turn as it stands in a conversation."""
    return assistant(turn.completion or SILENCE), user(turn.observation or SILENCE)


def varied(sampling: Sampling, drawn: Nucleus | None) -> Sampling:
    """How to draw a completion that a request wants varied; None: as configured."""
    return sampling if drawn is None else drawn.of(sampling)


def _ending(sampling: Sampling, *stops: str) -> Sampling:
    return replace(sampling, stop=(*sampling.stop, *stops))


def _put_together(thought: str, decision: Decision) -> str:
    """The turn as one completion would have said it."""
    return "\n".join([*([f"Thought: {thought}"] if thought else []), *_said(decision)])


def _said(decision: Decision) -> list[str]:
    match decision:
        case Act(action=action):
            return [f"Action: {action}"]
        case Claim(completed=completed):
            return [f"Action: task {'completed' if completed else 'failed'}"]
        case Unreadable():
            return []
        case _:
            assert_never(decision)
