"""How promising states are: a model's mark of each, its votes between them, or the confidences of their actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from quintet.messages.execution import Turn
from quintet.messages.parts import PromptPart
from quintet.messages.reflection import Choose, Chosen, Value, Valued
from quintet.methods.base.episode import Episode
from quintet.ports.model import SamplingOverride

Scores: TypeAlias = Literal["values", "votes", "confidences"]
"""`values`: a mark for each state. `votes`: of the states that one node leads to, which is best; a state's value is its
share of the votes. `confidences`: states are not judged; what counts is the confidence of the action."""

ValueSource: TypeAlias = Literal["model", "shuffled", "none"]
"""Where marks come from. `shuffled`, a control: the model is asked as usual, so that the calls are the same, but a
random mark takes the place of its answer. `none`: nothing is asked, and every mark counts as 0. A mark is scaled to
[0, 1], as in `Valued`."""

_MARKS = 10


@dataclass(frozen=True)
class LeafState:
    """The state of a new leaf."""

    turns: tuple[Turn, ...]
    """From the episode's start."""
    done: bool
    confidence: float
    """Of its last action among the candidates."""
    reward: float = 0.0


@dataclass(frozen=True, kw_only=True)
class StateEvaluator:
    """Gives states their values, in [0, 1].

    Args:
        samples: completions for a mark, or for a vote.
        weight: of the mark in a state's value; the rest is the confidence of its action, which is self-consistency if
            the candidates were counted. LATS' lambda.
        oracle: whether the reward of a done world may be read: it is its value then, and no mark is asked for.
        sampling: of the completions; None: the role's.
    """

    episode: Episode
    scores: Scores
    source: ValueSource = "model"
    oracle: bool = False
    samples: int = 1
    weight: float = 1.0
    sampling: SamplingOverride | None = None

    async def evaluate(
        self, states: Sequence[LeafState], parts: tuple[PromptPart, ...], phase: str
    ) -> tuple[float | None, ...]:
        """The values of the states behind one node's actions, asked for at once.

        A mark that is unreadable, or whose prompt the model refuses, is 0. If no vote is readable, or the model
        refuses, all states have the same share.

        Args:
            states: each with its turns; not empty.
            parts: what else the prompts of marks show.

        Returns:
            In the order of the states; None if states are not judged.
        """
        match self.scores:
            case "values":
                return await self._values(states, parts, phase)
            case "votes":
                return await self._votes(states, phase)
            case "confidences":
                return (None,) * len(states)
            case _:
                assert_never(self.scores)

    def of_only_child(self, parent: float | None) -> float | None:
        """The value of a state without an alternative, behind one of the value `parent`: nothing is asked."""
        match self.scores:
            case "values":
                return parent or 0.0
            case "votes":
                return 1.0
            case "confidences":
                return None
            case _:
                assert_never(self.scores)

    async def _values(
        self, states: Sequence[LeafState], parts: tuple[PromptPart, ...], phase: str
    ) -> tuple[float | None, ...]:
        known = {number: state.reward for number, state in enumerate(states) if state.done and self.oracle}
        marks = dict.fromkeys(range(len(states)), 0.0)
        if self.source != "none" and len(known) < len(states):
            async with self.episode.branches() as group:
                asked = {
                    number: group.start(self._mark, state, parts, phase)
                    for number, state in enumerate(states)
                    if number not in known
                }
            marks |= {number: branch.result() for number, branch in asked.items()}
        return tuple(
            known.get(number, self.weight * marks[number] + (1 - self.weight) * state.confidence)
            for number, state in enumerate(states)
        )

    async def _mark(self, state: LeafState, parts: tuple[PromptPart, ...], phase: str) -> float:
        episode = self.episode
        request = Value(
            setting=episode.setting,
            goal=episode.goal,
            turns=state.turns,
            parts=parts,
            samples=self.samples,
            sampling=self.sampling,
            phase=phase,
        )
        valued = await episode.unless_refused(episode.ask, request)
        if self.source == "shuffled":  # drawn by the branch's path, which no other mark has
            return episode.random().randrange(_MARKS) / (_MARKS - 1)
        return valued.value if isinstance(valued, Valued) else 0.0

    async def _votes(self, states: Sequence[LeafState], phase: str) -> tuple[float | None, ...]:
        if len(states) == 1:
            return (1.0,)
        episode = self.episode
        request = Choose(
            setting=episode.setting,
            goal=episode.goal,
            options=tuple(state.turns for state in states),
            ended=tuple(number for number, state in enumerate(states, 1) if state.done),
            samples=self.samples,
            sampling=self.sampling,
            phase=phase,
        )
        chosen = await episode.unless_refused(episode.ask, request)
        if not isinstance(chosen, Chosen):
            return (1 / len(states),) * len(states)
        return tuple(votes / sum(chosen.votes) for votes in chosen.votes)
