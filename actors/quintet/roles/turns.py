"""Turns of the executor: how it asks a model for a thought and an action."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.messages.execution import Act, Candidate, Candidates, Decide, Unreadable
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.parsing.answers import has_text
from quintet.parsing.candidates import rank, read_candidates
from quintet.parsing.decisions import read_action, read_decision, read_thought
from quintet.ports.model import Completion, Sampling
from quintet.questions.acting import ACTION, CANDIDATES, DECISION, THOUGHT, ActionToRewrite
from quintet.questions.question import Question
from quintet.roles.branches import branches
from quintet.roles.conversations import with_question
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE, completion_to_keep, turn_text

Accepted: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether the world would carry out an action as it is."""

_OBSERVATION = "\nObservation:"
"""The label of the world's answers in demonstrations. A model that writes past it makes answers up."""
_ACTION, _THOUGHT = "\nAction:", "\nThought:"
"""The labels that end a thought and an action."""


class OneCallTurn:
    """One completion holds both thought and action, or an action alone.

    Args:
        question: `ACTION`: an action alone. A thought that the model writes all the same is left out of the turn.
    """

    def __init__(self, model: RoleModel, question: Question[Any, Any] = DECISION) -> None:
        self._model = model
        self._question = question
        self._expected = self._example(question)
        self._sampling = _ending(model.sampling, _OBSERVATION)

    async def decide(self, prompt: Prompt, about: Decide, accepted: Accepted | None = None) -> Candidate:
        """Ask the model for one turn.

        Args:
            prompt: the conversation; the model answers its last message.
            accepted: says which actions the formalizer leaves alone, if there is one; None: it rewrites all of them.
        """
        sampling = self._sampling.overridden(about.sampling)
        return self._read(await self._model.answer(prompt, sampling, self._question, about))

    async def several(self, prompt: Prompt, about: Decide) -> list[Candidate]:
        """Ask for as many turns as `about` wants, in the same prompt."""
        sampling = self._sampling.overridden(about.sampling)
        answers = await self._model.answers(prompt, sampling, self._question, about, about.n)
        return [self._read(completion) for completion in answers]

    def _read(self, answer: Completion) -> Candidate:
        completion = self._model.as_text(answer, self._question)
        decision = read_decision(completion.text, completion.finish, self._expected)
        if self._question is ACTION and not isinstance(decision, Unreadable):
            decision = replace(decision, thought="")
        return Candidate(completion=completion_to_keep(completion, decision), decision=decision)

    async def decide_at_once(self, prompt: Prompt, about: Decide) -> Candidates:
        """Ask the model for several actions and its confidences in them, in one completion.

        Args:
            prompt: the conversation; its last message asks for `about.n` candidates, of which more are not used.

        Returns:
            One unreadable candidate without confidence, if there is none else.
        """
        answer = await self._model.answer(prompt, self._sampling.overridden(about.sampling), CANDIDATES, about)
        completion = self._model.as_text(answer, CANDIDATES)
        ranking = rank(read_candidates(completion.text, completion.finish), about.n)
        if not ranking.candidates:
            unreadable = Unreadable(expected=self._example(CANDIDATES), finish=completion.finish)
            kept = completion_to_keep(completion, unreadable)
            return Candidates(candidates=(Candidate(completion=kept, decision=unreadable),))
        return Candidates(
            candidates=tuple(
                Candidate(completion=turn_text(decision.thought, decision), decision=decision, confidence=confidence)
                for decision, confidence in ranking.candidates
            ),
            adjusted=ranking.adjusted,
        )

    def _example(self, question: Question[Any, Any]) -> str:
        return question.shape.example(structured=self._model.structured)


class SeparateCallsTurn:
    """Three completions: a thought, an action, and the action rewritten in the world's syntax.

    The turn joins the three. A thought that was cut off is used as it is; without a thought, no action is asked for. If
    the formalizer does not answer with a whole action, the first one stays. A claim is not rewritten.

    Args:
        thought: asks for the thought; added to the last message for this one call.
        formalizer: how to rewrite an action. This call sees nothing else of the conversation.
        expected: what a turn should look like, for a reminder.

    Source: AutoPlan, section 3.2.1, equations 2 to 5, and appendix A.1.
    """

    def __init__(self, model: RoleModel, *, thought: str, formalizer: str, expected: str) -> None:
        self._model = model
        self._expected = expected
        self._thought = thought
        self._formalizer = formalizer
        self._thinking = _ending(model.sampling, _OBSERVATION, _ACTION)
        self._acting = _ending(model.sampling, _OBSERVATION, _THOUGHT)

    async def decide(self, prompt: Prompt, about: Decide, accepted: Accepted | None = None) -> Candidate:
        sampling = self._thinking.overridden(about.sampling)
        thinking = await self._answer(with_question(prompt, self._thought), sampling, THOUGHT, about)
        thought = read_thought(thinking.text) if has_text(thinking.finish) else ""
        if thinking.finish != "stop" and not thought:
            return Candidate(completion="", decision=Unreadable(expected=self._expected, finish=thinking.finish))
        action = ACTION.shape.prescribed if self._model.structured else "Action:"
        after_thought = prompt.extend(assistant(f"Thought: {thought or SILENCE}"), user(action))
        acting = await self._answer(after_thought, self._acting.overridden(about.sampling), ACTION, about)
        decision = read_action(acting.text, thought, acting.finish, self._expected)
        if isinstance(decision, Act) and not (accepted and await accepted(decision.action)):
            decision = await self._formalized(decision, about)
        return Candidate(completion=turn_text(thought, decision), decision=decision)

    async def several(self, prompt: Prompt, about: Decide) -> list[Candidate]:
        """Ask for as many turns as `about` wants: the first alone, so that the endpoint has its prompt cached."""
        first = await self.decide(prompt, about)
        async with branches() as group:
            others = [group.start(self.decide, prompt, about) for _ in range(about.n - 1)]
        return [first, *(branch.result() for branch in others)]

    async def decide_at_once(self, prompt: Prompt, about: Decide) -> Candidates:
        """Raises UsageError: turns of this kind are no single completions."""
        expected = "with_confidence: expected thought and action in one completion"
        raise UsageError(f"{expected}, got the prompts decide.thought and decide.formalizer")

    async def _formalized(self, raw: Act, about: Decide) -> Act:
        asking = Prompt(system(self._formalizer)).extend(user(f"Action: {raw.action}"))
        sampling = self._acting.overridden(about.sampling)
        answer = await self._answer(asking, sampling, ACTION, ActionToRewrite(action=raw.action))
        formal = read_action(answer.text, raw.thought, answer.finish)
        return formal if isinstance(formal, Act) else raw

    async def _answer(
        self, prompt: Prompt, sampling: Sampling, question: Question[Any, Any], about: Struct
    ) -> Completion:
        return self._model.as_text(await self._model.answer(prompt, sampling, question, about), question)


TurnTaking: TypeAlias = OneCallTurn | SeparateCallsTurn
"""A way to get the next thought and action from a model."""


def _ending(sampling: Sampling, *stops: str) -> Sampling:
    return replace(sampling, stop=(*sampling.stop, *stops))
