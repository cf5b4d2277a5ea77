"""Turns of the executor: how a thought and an action are had from a model."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from quintet.messages.execution import Act, Candidate, Unreadable
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.parsing.answers import has_text
from quintet.parsing.decisions import read_action, read_decision, read_thought
from quintet.ports.model import Completion, Sampling, SamplingOverride
from quintet.roles.role_model import RoleModel
from quintet.roles.telling import SILENCE, kept, put_together

Accepted: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether the world would carry out an action as it is."""

_OBSERVATION = "\nObservation:"
"""Demonstrations show what the world answers under this label; a model that goes on writing would make answers up."""
_ACTION, _THOUGHT = "\nAction:", "\nThought:"
"""What comes after a thought, and after an action, begins so."""


class TurnTaking(Protocol):
    """A way to have the next thought and action."""

    async def decide(
        self, prompt: Prompt, override: SamplingOverride | None, accepted: Accepted | None = None
    ) -> Candidate:
        """Have a model take the turn.

        Args:
            prompt: the conversation, whose last message is the model's to answer.
            override: how far completions vary; None: as configured.
            accepted: which actions need not be rewritten, where they are rewritten; None: all are.
        """
        ...


class Together:
    """Thought and action are one completion.

    Args:
        expected: what a turn should look like, for a reminder.
    """

    def __init__(self, model: RoleModel, *, expected: str) -> None:
        self._model = model
        self._expected = expected
        self._sampling = replace(_ending(model.sampling, _OBSERVATION), form="decision")

    async def decide(
        self, prompt: Prompt, override: SamplingOverride | None, accepted: Accepted | None = None
    ) -> Candidate:
        completion = await self._model.complete(prompt, self._sampling.overridden(override))
        decision = read_decision(completion.text, completion.finish, self._expected)
        return Candidate(completion=kept(completion, decision), decision=decision)


class Apart:
    """A thought, then an action, then the action rewritten as the world takes it: a completion each.

    What the turn said is put together from what was read of the three. A thought that was cut off is used as it is. If
    there is none, no action is asked for. If the formalizer does not answer with a whole action, the first one stays. A
    claim is not rewritten.

    Args:
        thought: asks for the thought; said after the last message, and for this one call only.
        formalizer: how to rewrite an action. Sees nothing else of the conversation.
        expected: what a turn should look like, for a reminder.

    Source: AutoPlan, section 3.2.1, equations 2 to 5, and appendix A.1.
    """

    def __init__(self, model: RoleModel, *, thought: str, formalizer: str, expected: str) -> None:
        self._model = model
        self._expected = expected
        self._thought = thought
        self._formalizer = formalizer
        self._thinking = replace(_ending(model.sampling, _OBSERVATION, _ACTION), form="thought")
        self._acting = replace(_ending(model.sampling, _OBSERVATION, _THOUGHT), form="action")

    async def decide(
        self, prompt: Prompt, override: SamplingOverride | None, accepted: Accepted | None = None
    ) -> Candidate:
        asked = prompt.node.appended[-1].content
        thinking = await self._complete(prompt.reworded(f"{asked}\n\n{self._thought}"), self._thinking, override)
        thought = read_thought(thinking.text) if has_text(thinking.finish) else ""
        if thinking.finish != "stop" and not thought:
            return Candidate(completion="", decision=Unreadable(expected=self._expected, finish=thinking.finish))
        after_thought = prompt.extend(assistant(f"Thought: {thought or SILENCE}"), user("Action:"))
        acting = await self._complete(after_thought, self._acting, override)
        decision = read_action(acting.text, thought, acting.finish, self._expected)
        if isinstance(decision, Act) and not (accepted and await accepted(decision.action)):
            decision = await self._formalized(decision, override)
        return Candidate(completion=put_together(thought, decision), decision=decision)

    async def _formalized(self, raw: Act, override: SamplingOverride | None) -> Act:
        asking = Prompt(system(self._formalizer)).extend(user(f"Action: {raw.action}"))
        answer = await self._complete(asking, self._acting, override)
        formal = read_action(answer.text, raw.thought, answer.finish)
        return formal if isinstance(formal, Act) else raw

    async def _complete(self, prompt: Prompt, sampling: Sampling, override: SamplingOverride | None) -> Completion:
        return await self._model.complete(prompt, sampling.overridden(override))


def _ending(sampling: Sampling, *stops: str) -> Sampling:
    return replace(sampling, stop=(*sampling.stop, *stops))
